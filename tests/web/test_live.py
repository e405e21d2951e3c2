"""Slow and fast clients: others are not affected, and no key is lost or stuck."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator
from heapq import heappop
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from starlette.websockets import WebSocket

from boardctl.app.config import Config
from boardctl.board import layout
from boardctl.board.layout import Layout
from boardctl.board.palette import Frame
from boardctl.board.render import Waiting
from boardctl.bot.board_player import BoardPlayer
from boardctl.console.keypad import Command
from boardctl.console.settings import VoiceSettings
from boardctl.console.table_controller import TableController
from boardctl.drivers import gpio_matrix
from boardctl.drivers.debounce import SETTLE
from boardctl.drivers.ports import KEYS, Speaker
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.far.on_demand import OtherHouses
from boardctl.features import Features
from boardctl.games import Move
from boardctl.signals import Signal
from boardctl.storage import child
from boardctl.storage.journal import Journal, Writer
from boardctl.table import Table
from boardctl.web import live as live_module
from boardctl.web.live import GAP, MOST, KeySequencer, Live, differences, read_key
from boardctl.web.move_list import Viewer
from boardctl.web.state import Snapshots
from tests.tables import Later, Row, Screen, submit

FRAMES = st.integers(0, 40).flatmap(
    lambda n: st.tuples(
        st.binary(min_size=3 * n, max_size=3 * n), st.binary(min_size=3 * n, max_size=3 * n)
    )
)


@given(FRAMES)
def test_differences_make_the_new_frame(frames: tuple[Frame, Frame]) -> None:
    old, new = frames
    patched = bytearray(old)
    message = differences(old, new)
    for at in range(0, len(message), 5):
        place = 3 * int.from_bytes(message[at : at + 2], "big")
        patched[place : place + 3] = message[at + 2 : at + 5]
    assert bytes(patched) == new
    assert differences(new, new) == b""


@given(st.one_of(st.none(), st.text()))
def test_only_keys_are_read(text: str | None) -> None:
    key = read_key(text)
    assert key is None or key[0] in KEYS


class Controller(TableController):
    """A controller that also records the requests of surfaces."""

    def __init__(self, table: Table, board: Layout) -> None:
        super().__init__(table, board, Row(), VirtualClock(), display=Screen())
        self.obeyed: list[Command] = []
        self.withdrawn: list[Move] = []
        self.offered: list[Move] = []
        self.reported: list[tuple[str, str | None]] = []
        self.said: list[tuple[str, ...]] = []

    def obey(self, command: Command) -> None:
        self.obeyed.append(command)
        super().obey(command)

    def offer(self, move: Move) -> None:
        self.offered.append(move)
        super().offer(move)

    def withdraw(self, move: Move) -> None:
        self.withdrawn.append(move)
        super().withdraw(move)

    def report(self, part: str, reason: str | None) -> None:
        self.reported.append((part, reason))
        super().report(part, reason)

    def announce(
        self,
        lines: tuple[str, ...],
        digits: str = "",
        link: str = "",
        waiting: Waiting | None = None,
        aloud: tuple[str, ...] | None = None,
        on_shown: Callable[[], None] | None = None,
    ) -> None:
        self.said.append(lines)
        super().announce(lines, digits, link, waiting, aloud, on_shown)

    def allow(self, number: str) -> None:
        """Type a number in the keypad's menu."""
        (identity,) = (asked.identity for asked in self.requests.open() if asked.number == number)
        self.commanded.send(Command("allow", str(identity)))


class Board:
    """A board whose frames the test draws."""

    legible = True
    most_tracks = 2
    has_own_keys = True
    knows_its_keys = True

    def __init__(self, directory: Path) -> None:
        self.layout = layout.load("classic-2")
        self.data = directory
        self.child: child.Starter = child.running
        self._writer = Writer()
        self._journal = Journal(directory, self._writer)
        self.features = Features(self)
        features = self.features
        self.table = Table(
            self._journal,
            lambda: 1.0,
            2,
            authorize=features.authorize,
            outbox_for=features.outbox_for,
        )
        self.controller = Controller(self.table, self.layout)
        self.lit: Frame = bytes(9)
        self.frames: Signal[Frame] = Signal()
        self.lines: Signal[tuple[str, ...]] = Signal()
        self.spoken: Signal[str] = Signal()
        self.features.start()
        self.pressed: list[tuple[str, bool]] = []

    @property
    def player(self) -> BoardPlayer:
        player: BoardPlayer = self.features.of("bot").player
        return player

    @property
    def far(self) -> OtherHouses:
        far: OtherHouses = self.features.of("far")
        return far

    def options(self, key: str) -> Any:
        return getattr(Config(), key)

    def chosen_voice(self, speaker: Speaker) -> VoiceSettings:
        return VoiceSettings()

    def setup(self) -> None:
        return None

    def frame(self) -> Frame:
        return self.lit

    def draw(self, frame: Frame) -> None:
        self.lit = frame
        self.frames.send(frame)

    def announce(self, *lines: str, digits: str = "", link: str = "") -> None:
        self.controller.announce(lines, digits, link)

    def press(self, key: str, down: bool) -> None:
        self.pressed.append((key, down))

    def close(self) -> None:
        self._journal.close()
        self._writer.close()


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    yield board
    board.close()


def make_live(board: Board) -> Live:
    return Live(board, Snapshots(board), secret=lambda: False)


def viewer() -> Viewer:
    return Viewer("en")


def yes() -> bool:
    return True


class Peer:
    """The other end of a socket, which receives a message only on demand."""

    def __init__(self) -> None:
        self.inbox: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self.inbox.put_nowait({"type": "websocket.connect"})
        self.taken: list[dict[str, Any]] = []
        self.hungry = asyncio.Semaphore(0)

    async def send(self, message: dict[str, Any]) -> None:
        if message["type"] == "websocket.send":
            await self.hungry.acquire()
        self.taken.append(message)

    @property
    def socket(self) -> WebSocket:
        scope = {"type": "websocket", "headers": [], "path": "/ws"}
        return WebSocket(scope, self.inbox.get, self.send)  # type: ignore[arg-type]

    @property
    def frames(self) -> list[bytes]:
        return [m["bytes"] for m in self.taken if m.get("bytes") is not None]

    def leave(self) -> None:
        self.inbox.put_nowait({"type": "websocket.disconnect", "code": 1000})


async def settle() -> None:
    for _ in range(20):
        await asyncio.sleep(0)


def test_a_household_of_guests_has_so_many_pages_however_many_addresses_it_has(
    board: Board,
) -> None:
    async def play() -> list[int]:
        live = make_live(board)
        peers = [Peer() for _ in range(live_module.EACH + 2)]
        houses = [f"2001:db8:0:1:{n:x}::{n:x}" for n in range(live_module.EACH + 1)]
        tasks = [
            asyncio.create_task(live.serve(peer.socket, viewer, lambda: False, address))
            for peer, address in zip(peers, (*houses, "2001:db8:0:2::1"), strict=True)
        ]
        await settle()
        closed = [
            number
            for number, peer in enumerate(peers)
            if any(message["type"] == "websocket.close" for message in peer.taken)
        ]
        for peer in peers:
            peer.leave()
            peer.hungry.release()
        await settle()
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        return closed

    assert asyncio.run(play()) == [live_module.EACH]


def test_a_slow_client_misses_frames_and_nobody_else_does(board: Board) -> None:
    async def play() -> None:
        live = make_live(board)
        quick, slow = Peer(), Peer()
        tasks = [
            asyncio.create_task(live.serve(peer.socket, viewer, yes)) for peer in (quick, slow)
        ]
        for _ in range(1000):
            quick.hungry.release()
        await settle()
        for n in range(1, 101):
            board.draw(bytes([n, 0, 0]) * 3)
            await settle()
        assert len(quick.frames) == 101, "the first frame and each after it"
        assert slow.frames == []
        for _ in range(10):
            slow.hungry.release()
        await settle()
        assert slow.frames == [b"\0" + board.lit], "only the latest"
        for peer in (quick, slow):
            peer.leave()
        await asyncio.gather(*tasks)
        assert not board.frames, "with nobody looking, nothing is watched"

    asyncio.run(play())


def test_a_still_board_sends_nothing(board: Board) -> None:
    async def play() -> None:
        live = make_live(board)
        peer = Peer()
        task = asyncio.create_task(live.serve(peer.socket, viewer, yes))
        for _ in range(1000):
            peer.hungry.release()
        await settle()
        count = len(peer.taken)
        board.draw(board.lit)
        await settle()
        assert len(peer.taken) == count
        peer.leave()
        await task

    asyncio.run(play())


def test_no_key_stays_down_for_one_who_left(board: Board) -> None:
    async def play() -> None:
        live = make_live(board)
        one, other = Peer(), Peer()
        tasks = [asyncio.create_task(live.serve(peer.socket, viewer, yes)) for peer in (one, other)]
        for peer in (one, other):
            peer.inbox.put_nowait({"type": "websocket.receive", "text": '{"key":"#","down":true}'})
        await settle()
        one.leave()
        await tasks[0]
        assert board.pressed == [("#", True)], "the other still holds it"
        other.leave()
        await tasks[1]
        async with asyncio.timeout(60):
            while len(board.pressed) < 2:
                await asyncio.sleep(0)
        assert board.pressed == [("#", True), ("#", False)]

    asyncio.run(play())


def test_a_guest_presses_no_key(board: Board) -> None:
    async def play() -> None:
        live = make_live(board)
        guest = Peer()
        task = asyncio.create_task(live.serve(guest.socket, viewer, lambda: False))
        guest.inbox.put_nowait({"type": "websocket.receive", "text": '{"key":"A","down":true}'})
        await task
        assert board.pressed == []
        assert guest.taken[-1]["type"] == "websocket.close"
        assert guest.taken[-1]["code"] == 1008

    asyncio.run(play())


ACTS = st.lists(st.tuples(st.integers(0, 3), st.sampled_from("A8#*"), st.booleans()), max_size=120)


@given(ACTS)
def test_fingers(acts: list[tuple[int, str, bool]]) -> None:
    """However quickly several people press, each contact closes and opens in turn, slowly enough to
    be accepted. When all have left, every key is open."""
    clock = VirtualClock()
    edges: list[tuple[float, str, bool]] = []
    sequencer = KeySequencer(lambda key, down: edges.append((clock.time(), key, down)), clock)
    for who, key, down in acts:
        (sequencer.hold if down else sequencer.let_go)(who, key)
    for who in range(4):
        sequencer.leave(who)
    clock.run(GAP * (MOST * 2 + len(acts) + 2))
    for key in "A8#*":
        mine = [down for _, k, down in edges if k == key]
        assert mine == [n % 2 == 0 for n in range(len(mine))]
        assert len(mine) % 2 == 0
    times = [at for at, _, _ in edges]
    assert all(b - a >= GAP - 1e-9 for a, b in pairwise(times))
    assert clock.idle


def test_a_whole_word_typed_in_no_time_reaches_the_matrix() -> None:
    """Overlapping presses on a screen do not overlap on the matrix, so none creates a ghost."""
    clock = VirtualClock()
    wires = VirtualWires(clock)
    (keys,) = gpio_matrix.open_ports(gpio_matrix.Options(), wires)
    heard: list[tuple[str, bool]] = []
    keys.start(lambda event: heard.append((event.key, event.pressed)))
    sequencer = KeySequencer(
        lambda key, down: (wires.keypad.press if down else wires.keypad.release)(key), clock
    )
    word = "A28#B14#C0*D"
    for key in word:
        sequencer.hold("me", key)
        sequencer.let_go("me", key)
    clock.run(GAP * (2 * len(word) + 2))
    assert heard == [(key, down) for key in word for down in (True, False)]
    assert SETTLE < GAP


def test_a_late_loop_loses_no_key() -> None:
    """Each callback takes longer than a key press, so everything is due at once. Still, every press
    and release is registered."""

    class LateClock(VirtualClock):
        """Works like asyncio's loop: call the due callbacks, then check again."""

        def late(self, rounds: int, stall: float) -> None:
            for _ in range(rounds):
                self._now += stall
                ready = [heappop(self._calls)[2] for d in sorted(self._calls) if d[0] <= self._now]
                for call in ready:
                    if call.callback is not None:
                        call.callback()

    clock = LateClock()
    wires = VirtualWires(clock)
    (keys,) = gpio_matrix.open_ports(gpio_matrix.Options(), wires)
    heard: list[tuple[str, bool]] = []
    keys.start(lambda event: heard.append((event.key, event.pressed)))
    sequencer = KeySequencer(
        lambda key, down: (wires.keypad.press if down else wires.keypad.release)(key), clock
    )
    for key in "A3#":
        sequencer.hold("me", key)
        sequencer.let_go("me", key)
    clock.late(rounds=100, stall=0.04)
    assert heard == [(key, down) for key in "A3#" for down in (True, False)]


def test_saved_is_said_when_it_is(tmp_path: Path) -> None:
    """If the journal's thread is slow, the line is shown at once, and "saved" only afterwards."""

    async def play() -> None:
        disk = Later()
        board = Board(tmp_path / "other")
        journal = Journal(tmp_path / "slow", disk)
        board.table = Table(journal, now=lambda: 1.0)
        live = make_live(board)
        peer = Peer()
        task = asyncio.create_task(live.serve(peer.socket, viewer, yes))
        for _ in range(1000):
            peer.hungry.release()
        await settle()
        submit(board.table, "game cribbage", "test")
        await settle()
        said = [m["text"] for m in peer.taken if m.get("text") is not None]
        assert any('"number": 1' in text for text in said)
        assert not any("saved" in text for text in said)
        disk.work()
        await settle()
        assert peer.taken[-1]["text"] == '{"saved": 1}'
        peer.leave()
        await task
        board.close()
        disk.healed = True
        journal.close()

    asyncio.run(play())
