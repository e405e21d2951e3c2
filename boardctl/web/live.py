"""The live board on `/ws`. It sends LEDs, display and game state when they change, and receives key
presses.

The board sends binary messages: a byte 0 and the whole frame (red, green, blue per LED), or a byte
1 and the changed LEDs. A changed LED takes five bytes (its index as two bytes, most significant
first, then the colour). The board also sends JSON as text: `{"player": true}` (false for a guest),
`{"pairs": true}` (if phones can be paired), `{"display": [lines], "spoken": "…"}` (the lines, and
the same as a sentence), `{"state": …}` (see `state`), `{"saved": number}`, `{"far": true}` (a
change between the houses, see `far_api`), `{"claimed": "Ann"}` (a phone now belongs to Ann) and
`{"claims": [{"claim": 7, "name": "Ann"}]}` (other phones request this phone's seat, see
`phone_seats`). Clients send JSON to the board: `{"key": "A", "down": true}`.

There is no queue. Each client receives the current state once it has received the previous message,
so a slow client misses intermediate frames without affecting other clients.
"""

from __future__ import annotations

import asyncio
import json
from collections import deque
from collections.abc import Callable, Hashable
from concurrent.futures import Future
from contextlib import suppress
from typing import Any, Final

from starlette.websockets import WebSocket, WebSocketDisconnect

from boardctl.board.palette import Frame
from boardctl.console.keypad import KeypadState, TableView
from boardctl.console.keypad.spoken import display_sentence
from boardctl.drivers.ports import KEYS, Clock, Timer
from boardctl.table import Receipt
from boardctl.web.board_view import BoardView
from boardctl.web.move_list import Viewer
from boardctl.web.pairing import network
from boardctl.web.phone_seats import Claim
from boardctl.web.state import Snapshots

GUESTS: Final = 24
"""The maximum number of open sockets of guests."""
EACH: Final = 8
"""The maximum number of open guest sockets per address, which is enough for several people behind
one address."""
PLAYERS: Final = 40
"""The maximum number of open sockets of paired phones, counted separately from those of guests."""
PATIENCE: Final = 20.0
"""The maximum seconds for a client to receive one message."""
_POLICY: Final = 1008
_TRY_LATER: Final = 1013
_CORE: Final = frozenset(
    {"player", "display", "state", "frame", "saved", "claims", "claimed", "end"}
)
"""The kinds of news for clients. Any other value is the name of a feature that has changed."""
_AGAIN: Final = 1012
_Farewell = tuple[int, str]
"""Close reasons: a code (iana.org/assignments/websocket) and a few words."""


class Live:
    """All WebSockets of one board."""

    def __init__(
        self,
        board: BoardView,
        snapshots: Snapshots,
        secret: Callable[[], bool],
        pairs: bool = False,
    ) -> None:
        """Args:
        secret: returns whether the display shows information meant only for the people at the
            board.
        pairs: returns whether phones can be paired.
        """
        self.pairs = pairs
        self.board = board
        self.snapshots = snapshots
        self.secret = secret
        self.claims: Callable[[str], tuple[Claim, ...]] = lambda phone: ()
        """A function that returns other phones' requests to the phone with a given hash."""
        self._public: tuple[str, ...] = ()
        self._typed: tuple[tuple[str, ...], KeypadState, TableView] | None = None
        self._clients: set[_Client] = set()
        self._sequencer: KeySequencer | None = None
        self._leave: list[Callable[[], None]] = []

    async def serve(
        self,
        socket: WebSocket,
        viewer: Callable[[], Viewer],
        may_play: Callable[[], bool],
        address: str = "",
        phone: str = "",
    ) -> None:
        """Serve one client, from the handshake to the close.

        Args:
            socket: the socket, which is not yet accepted.
            viewer: returns the client's language and current seat.
            may_play: returns whether the client may press keys now.
            address: the client's network address. The number of clients per address is limited.
            phone: the hash of a paired phone's token, or an empty string for a guest.
        """
        address = network(address)
        if not self._has_room(may_play(), address):
            await socket.accept()
            await socket.close(_TRY_LATER, "too many pages are open")
            return
        await socket.accept()
        client = _Client(self, socket, viewer, may_play, address, phone)
        if not self._clients:
            self._watch()
        self._clients.add(client)
        try:
            await client.run()
        finally:
            self._clients.discard(client)
            self.sequencer.leave(client)
            if not self._clients:
                self._unwatch()

    @property
    def sequencer(self) -> KeySequencer:
        if self._sequencer is None:
            self._sequencer = KeySequencer(self.board.press, asyncio.get_running_loop())
        return self._sequencer

    def _has_room(self, player: bool, address: str) -> bool:
        alike = [client for client in self._clients if client.player == player]
        if player:
            return len(alike) < PLAYERS
        mine = sum(client.address == address for client in alike)
        return len(alike) < GUESTS and mine < EACH

    def display(self) -> tuple[str, ...]:
        """Return the display's lines for the pages. They never contain a PIN or reveal that one is
        shown."""
        if not self.secret():
            self._public = self.board.controller.displayed_rows
            controller = self.board.controller
            self._typed = controller.announced, controller.keypad_state, controller.view
        return self._public

    def spoken(self, language: str) -> str:
        """Return the lines last returned by `display`, as a spoken sentence in a page's language.
        Announcements are in the board's language."""
        if self._typed is None:
            return ""
        announced, state, view = self._typed
        return " ".join(announced) or display_sentence(state, view._replace(language=language))

    def is_open(self, phone: str) -> bool:
        """Return whether a phone has an open page."""
        return any(client.phone == phone for client in self._clients)

    def seats_changed(self, name: str) -> None:
        """Tell all pages that a phone's seat has changed. If the name is empty, tell them only
        about the claims for a seat."""
        for client in self._clients:
            client.mark("claims")
            if name:
                client.claimed = name
                client.mark("claimed")
                client.mark("state")

    def dismiss(self) -> None:
        """Close every WebSocket, so that each client reconnects with its current permissions."""
        for client in self._clients:
            client.dismissed = True
            client.mark("end")

    def _watch(self) -> None:
        loop = asyncio.get_running_loop()

        def accepted(receipt: Receipt) -> None:
            self._mark("state")
            receipt.saved.add_done_callback(
                lambda saved: loop.call_soon_threadsafe(self._saved, receipt.number, saved)
            )

        self._leave = [
            self.board.table.accepted.connect(accepted),
            self.board.frames.connect(lambda frame: self._mark("frame")),
            self.board.lines.connect(lambda lines: self._mark("display")),
            self.board.features.changed.connect(self._mark),
            self.board.controller.adjusted.connect(lambda: self._mark("state")),
        ]

    def changed(self) -> None:
        """Handle a change that is not a line at the table: in the learners' data or the computer
        player's seat."""
        self.snapshots.forget()
        self._mark("state")

    def _unwatch(self) -> None:
        for leave in self._leave:
            leave()
        self._leave = []

    def _saved(self, number: int, saved: Future[None]) -> None:
        if saved.exception() is None:
            for client in self._clients:
                client.saved = number
            self._mark("saved")

    def _mark(self, news: str) -> None:
        for client in self._clients:
            client.mark(news)


class _Client:
    """One browser. `mark` records changes, and a task sends the latest state."""

    def __init__(
        self,
        live: Live,
        socket: WebSocket,
        viewer: Callable[[], Viewer],
        may_play: Callable[[], bool],
        address: str,
        phone: str,
    ) -> None:
        self.address = address
        self.phone = phone
        self.claimed = ""
        self._has_claims = False
        self.player = may_play()
        self._live = live
        self._socket = socket
        self._viewer = viewer
        self._may_play = may_play
        self._changed: set[str] = {"player", "display", "state", "frame", "claims"}
        self._wake = asyncio.Event()
        self._wake.set()
        self._last_frame: Frame | None = None
        self.saved = 0
        self.dismissed = False

    def mark(self, news: str) -> None:
        self._changed.add(news)
        self._wake.set()

    async def run(self) -> None:
        """Send and receive until either task ends, then send the close reason to the client if it
        is still connected."""
        tasks = [asyncio.create_task(self._send()), asyncio.create_task(self._receive())]
        done, going = await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        for task in going:
            task.cancel()
        await asyncio.wait(tasks)
        gone = (
            WebSocketDisconnect,
            TimeoutError,
            OSError,
        )  # or too slow, so there is nobody left to notify
        farewell: _Farewell | None = None
        # both may have ended in the same iteration, but the socket must be closed only once
        for task in done:
            with suppress(*gone):
                farewell = task.result() or farewell
        if farewell is not None:
            with suppress(*gone):
                await self._socket.close(*farewell)

    async def _send(self) -> _Farewell:
        while True:
            await self._wake.wait()
            self._wake.clear()
            news, self._changed = self._changed, set()
            if self.dismissed:
                return _AGAIN, "come again"
            if "player" in news:
                if self._live.pairs:
                    await self._send_text({"pairs": True})
                await self._send_text({"player": self._may_play()})
            if "frame" in news and (self._live.board.legible or not self._live.secret()):
                await self._send_frame(self._live.board.frame())
            if "display" in news:
                lines = self._live.display()
                await self._send_text(
                    {"display": lines, "spoken": self._live.spoken(self._viewer().language)}
                )
            if "state" in news:
                async with asyncio.timeout(PATIENCE):
                    await self._socket.send_text(self._live.snapshots.text(self._viewer()))
            for feature in sorted(news - _CORE):
                await self._send_text({feature: True})
            if "saved" in news:
                await self._send_text({"saved": self.saved})
            if "claimed" in news:
                await self._send_text({"claimed": self.claimed})
            if "claims" in news and self.phone:
                await self._send_claims()

    async def _send_claims(self) -> None:
        asked = self._live.claims(self.phone)
        claims = [{"claim": one.identity, "name": one.name} for one in asked]
        if claims or self._has_claims:
            await self._send_text({"claims": claims})
        self._has_claims = bool(claims)

    async def _send_text(self, message: dict[str, Any]) -> None:
        async with asyncio.timeout(PATIENCE):
            await self._socket.send_text(json.dumps(message, ensure_ascii=False))

    async def _send_frame(self, frame: Frame) -> None:
        if self._last_frame is None or len(self._last_frame) != len(frame):
            message = b"\0" + frame
        else:
            message = b"\1" + differences(self._last_frame, frame)
        self._last_frame = frame
        if len(message) > 1:
            async with asyncio.timeout(PATIENCE):
                await self._socket.send_bytes(message)

    async def _receive(self) -> _Farewell | None:
        while True:
            message = await self._socket.receive()
            if message["type"] == "websocket.disconnect":
                return None
            key = read_key(message.get("text"))
            if key is None:
                return _POLICY, "no message of this board"
            if not self._may_play():
                return _POLICY, "not paired"
            name, down = key
            if down:
                self._live.sequencer.hold(self, name)
            else:
                self._live.sequencer.let_go(self, name)


def differences(old: Frame, new: Frame) -> bytes:
    """Return the LEDs that differ between two frames of equal length, five bytes each."""
    out = bytearray()
    for place in range(0, len(new), 3):
        colour = new[place : place + 3]
        if colour != old[place : place + 3]:
            out += (place // 3).to_bytes(2, "big") + colour
    return bytes(out)


def read_key(text: str | None) -> tuple[str, bool] | None:
    """Parse a message such as `{"key": "A", "down": true}` into a key and its state. Return None
    for any other message."""
    if text is None:
        return None
    try:
        message = json.loads(text)
    except (ValueError, RecursionError):
        return None
    match message:
        case {"key": str(key), "down": bool(down)} if len(message) == 2 and key in KEYS:
            return key, down
    return None


TICK: Final = 0.01
TICKS: Final = 3
"""Three ticks of 10 ms between two edges, because a contact settles in 8 ms and is scanned every 4
ms (`debounce.SETTLE`, `gpio_matrix.POLL`). A single wait would fail if the event loop is late: the
wait and all scans during it would be due at once, and the key would be released before a scan."""
GAP: Final = TICK * TICKS
MOST: Final = 64
"""The maximum number of queued edges. A press that finds the queue full is dropped."""


class KeySequencer:
    """Key presses and releases by several people on one keypad, passed on at a speed that the
    debouncer accepts.

    A key is down as long as anyone holds it. A tap on a screen or by a script can be too short for
    the debouncer. Edges are therefore passed on in the order of arrival, at intervals of `TICKS`
    ticks.
    """

    def __init__(self, press: Callable[[str, bool], None], clock: Clock) -> None:
        self._press = press
        self._clock = clock
        self._holders: dict[str, set[Hashable]] = {}
        self._waiting: deque[tuple[str, bool]] = deque()
        self._timer: Timer | None = None

    def hold(self, who: Hashable, key: str) -> None:
        """Press a key for a person."""
        holders = self._holders.get(key)
        if holders:
            holders.add(who)
        elif len(self._waiting) < MOST:
            self._holders[key] = {who}
            self._edge(key, True)

    def let_go(self, who: Hashable, key: str) -> None:
        """Release a person's key, or do nothing if it was not pressed."""
        holders = self._holders.get(key, set())
        if who in holders:
            holders.remove(who)
            if not holders:
                del self._holders[key]
                self._edge(key, False)

    def leave(self, who: Hashable) -> None:
        """Release all keys of a person who has disconnected."""
        for key in tuple(self._holders):
            self.let_go(who, key)

    def _edge(self, key: str, down: bool) -> None:
        self._waiting.append((key, down))
        if self._timer is None:
            self._tick(0)

    def _tick(self, left: int) -> None:
        if left:
            self._later(left - 1)
        elif self._waiting:
            self._later(TICKS - 1)
            self._press(*self._waiting.popleft())
        else:
            self._timer = None

    def _later(self, left: int) -> None:
        when = self._clock.time() + TICK
        self._timer = self._clock.call_at(when, lambda: self._tick(left))
