"""A board with all its outputs, and games in which hidden cards are exchanged."""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
import pickle
import sqlite3
from collections.abc import Coroutine, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, cast
from unittest import mock

import httpx
from aiomqtt import Message
from click.testing import CliRunner

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.bot import board_hints
from boardctl.bot.board_player import BoardPlayer
from boardctl.bot.feature import Odds
from boardctl.bot.worker import Worker
from boardctl.commands import main
from boardctl.console.settings import VoiceSettings
from boardctl.drivers.ports import Speaker
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.games import Game, IllegalMove, Move
from boardctl.games.cards import Card
from boardctl.mqtt import Options as MqttOptions
from boardctl.mqtt import payloads
from boardctl.mqtt.client import _Link
from boardctl.record import notation
from boardctl.record import visibility as views
from boardctl.record.record import Record
from boardctl.record.visibility import GameLines, corrected, deal_start, has_secrets
from boardctl.storage.database import create
from boardctl.storage.journal import NAME, AtOnce
from boardctl.web import Options, history_worker
from boardctl.web.app import make
from tests.laws.walk import Walk, complete, sit_down
from tests.mqtt.tables import soon

ORIGIN: Final = "http://127.0.0.1:8121"
LINES: Final = 70
"""The maximum number of lines in a walk; a deal of the longest game has more."""
TRIES: Final = 12
"""The number of attempts to find other hidden cards."""
NOON: Final = 1_700_000_000.0
PATHS: Final = ("state", "moves", "odds", "player", "player/fair", "games", "far", "layout")
COMMANDS: Final = (
    *("export", "export --as json", "export --as csv", "export 1 --as html", "session --all"),
    *("review all --throws --json", "games --played", "journal check"),
)
LANGUAGES: Final = ("en", "ja")
LINES_TO_TRY: Final = (
    "{seat} show", "{seat} crib", "crib", "{seat} go", "{seat} play {card}", "{seat} play {rank}",
    "{seat} hand {card}", "{seat} discard {card} {more}", "{seat} mog {card}", "{seat} draw {card}",
    "starter {card}", "turnup {card}", "bottom {card}", "{seat} meld {card} {more}", "declare",
    "{seat} show {card} {more}", "{seat} peg 8", "{seat} peg 6 hand", "{seat} exchange",
    "{seat} seven", "{seat} bella", "{seat} declare 20", "deal", "{seat} count 50",
    "amend 1 {seat} play {card}", "amend 2 {seat} hand {card}", "amend 3", "insert 1 {seat} go",
    "amend 4 {seat} discard {card} {more}", "undo 2", "{seat} peg 1 go", "{seat} peg 2 play",
)  # fmt: skip


class Log(logging.Handler):
    """Messages, until they are taken."""

    def __init__(self) -> None:
        super().__init__()
        self._messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._messages.append(record.getMessage())

    def take(self) -> list[str]:
        taken, self._messages = self._messages, []
        return taken


LOG: Final = Log()


class Broker:
    """A broker that stores the messages sent to it."""

    def __init__(self) -> None:
        self.sent: list[tuple[str, bytes, bool]] = []

    async def publish(
        self, topic: str, payload: str | bytes = b"", qos: int = 0, retain: bool = False
    ) -> None:
        sent = payload.encode() if isinstance(payload, str) else payload
        self.sent.append((topic, sent, retain))

    async def subscribe(self, topic: str, qos: int = 0) -> None:
        """Accept the subscription."""


class Script(NamedTuple):
    """Lines as entered, including corrections, and the one that began the last deal."""

    lines: tuple[Move, ...]
    start: int


def played(name: str, chance: Random) -> tuple[Record, Script]:
    """Return a game at a table that enters cards, in the middle of a deal, perhaps with
    corrections."""
    walk = sit_down(name, chance)
    walk.telling = "cards"
    most = chance.randrange(12, LINES)
    corrects = chance.random() < 0.5
    while len(walk.record.moves) < most or not has_secrets(walk.record.position):
        if len(walk.reports) > 3 * LINES or not step(walk, chance):
            break
        if corrects and chance.random() < 0.15:
            correct(walk, chance)
    lines = tuple(report.move for report in walk.reports)
    game = walk.record.position.game
    assert game is not None
    said = (meant(move, game).verb for move in lines)  # a correction may turn a line into a deal
    start = max((n for n, verb in enumerate(said) if verb in ("deal", "game")), default=0)
    return walk.record, Script(lines, start)


def step(walk: Walk, chance: Random) -> bool:
    """Enter one expected line; hands are mostly entered completely."""
    asks = walk.record.position.prompt.asks
    hand = next((ask for ask in asks if ask.code == "hand"), None)
    if hand is None or not hand.cards or chance.random() < 0.15:
        return walk.step()
    dealt = tuple(chance.sample(hand.cards, min(hand.most, len(hand.cards))))
    with contextlib.suppress(IllegalMove):  # with copies not every choice is in the pack
        walk.say(hand.move._replace(cards=dealt))
        return True
    walk.say(complete(hand._replace(most=1, least=1), chance))
    return True


def correct(walk: Walk, chance: Random) -> None:
    """Take back lines of this deal, restore them, or correct one of them."""
    record = walk.record
    start = deal_start(record.moves)
    within = len(record.moves) - start - 1
    if within < 1 or record.moves[start].verb != "deal":
        return
    back = chance.randint(1, min(within, 8))
    asks = record.position_at(len(record.moves) - back).prompt.asks
    again = [ask for ask in asks if ask.move.verb == record.moves[-back].verb] or list(asks)
    lines = [f"undo {min(back, 3)}", "redo", f"amend {back}"]
    if again:
        said = notation.spell(complete(chance.choice(again), chance))
        lines += [*[f"amend {back} {said}"] * 3, f"insert {back} {said}"]
    with contextlib.suppress(IllegalMove):
        walk.say(chance.choice(lines))


class Sight(NamedTuple):
    """The knowledge after a line: what everybody sees besides cards, the deal's lines as a seat has
    seen them, and the last correction."""

    scores: tuple[int, ...]
    over: bool
    hidden: bool
    redoable: bool
    lines: tuple[Move, ...]
    said: Any

    @property
    def cards(self) -> set[Card]:
        said = [] if self.said is None else [self.said.move]
        return {card.plain for move in (*self.lines, *said) for card in move.cards}


def sights(script: Script, seat: int | None) -> Iterator[Sight]:
    """Return a seat's knowledge after each line of the deal. Raises IllegalMove if a line is
    rejected."""
    record, lines = Record(), GameLines(seat)
    for place, move in enumerate(script.lines):
        record.apply(move)
        if place >= script.start:
            position, said = record.position, corrected(record, seat)
            begun = deal_start(record.moves)
            # Once a deal has ended, its hands are public, even if its end is taken back.
            hidden = has_secrets(position)
            seen = tuple(lines.of(record, begun) if hidden else record.moves[begun:])
            yield Sight(position.scores, position.over, hidden, record.redoable, seen, said)


def exchanged(record: Record, script: Script, seat: int | None, chance: Random) -> Script | None:
    """Return the same lines with other hidden cards, or None if there are none."""
    game = record.position.game
    assert game is not None
    seen = list(sights(script, seat))
    visible = {card for sight in seen for card in sight.cards}
    deal = script.lines[script.start :]
    secret = {
        card.plain
        for move in map(partial(meant, game=game), deal)
        if game.secret(move)
        for card in move.cards
        if card.is_known and card.plain not in visible
    }
    if not secret:
        return None
    free = [card for card in game.pack if card.plain not in visible | secret]
    due = {card.plain for move in laid_open(record) for card in move.cards}
    keeps = bool(secret - due) and chance.random() < 0.5
    for attempt in range(TRIES):
        some = sorted(secret - due if keeps else secret)
        if attempt % 3 == 1:
            some = chance.sample(some, min(2, len(some)))
        pool = [*some, *(free if attempt % 3 != 2 or len(some) < 2 else ())]
        drawn = chance.sample(pool, len(some))
        back = [card for card in drawn if card not in some]
        away = [card for card in some if card not in drawn]
        new = dict(zip((*some, *back), (*drawn, *away), strict=True))
        if all(old == to for old, to in new.items()):
            continue
        lines = (*script.lines[: script.start], *(swapped(move, new, game) for move in deal))
        other = script._replace(lines=lines)
        with contextlib.suppress(IllegalMove):
            if all(one == two for one, two in zip(seen, sights(other, seat), strict=True)):
                return other
    return None


def meant(move: Move, game: Game[Any]) -> Move:
    """Return the move in a correction, or the move itself."""
    if move.verb not in ("amend", "insert") or move.name is None:
        return move
    said = notation.parse(move.name, game)
    assert said is not None
    return said


def swapped(move: Move, new: dict[Card, Card], game: Game[Any]) -> Move:
    if move.verb in ("amend", "insert") and move.name is not None:
        return move._replace(name=notation.spell(swapped(meant(move, game), new, game)))
    return move._replace(
        cards=tuple(
            new[card.plain]._replace(copy=card.copy) if card.plain in new else card
            for card in move.cards
        )
    )


class Spoken(Speaker):
    def __init__(self) -> None:
        self.said: list[str] = []

    def say(self, text: str, language: str = "en", *, passing: bool = False) -> None:
        self.said.append(text)

    def play(self, name: str, wav: bytes) -> None:
        self.said.append(f"sound: {name}")

    def close(self) -> None:
        """Do nothing."""


class Browser:
    """A page on `/ws`: everything that the board sends to it, from the handshake on."""

    def __init__(self, page: Any, query: str, loop: asyncio.AbstractEventLoop) -> None:
        self.got: list[dict[str, Any]] = []
        self._said: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._said.put_nowait({"type": "websocket.connect"})
        scope = {
            "type": "websocket",
            "scheme": "ws",
            "path": "/ws",
            "query_string": query.encode(),
            "headers": [(b"host", b"127.0.0.1:8121"), (b"origin", ORIGIN.encode())],
            "client": ("127.0.0.1", 5),
            "server": ("127.0.0.1", 8121),
            "subprotocols": [],
        }
        self._task = loop.create_task(page(scope, self._said.get, self._sent))

    async def _sent(self, message: dict[str, Any]) -> None:
        self.got.append(message)

    async def leave(self) -> None:
        self._said.put_nowait({"type": "websocket.disconnect", "code": 1000})
        await self._task


async def answered(self: board_hints.BoardHints, request: str) -> bytes:
    """Return a hint of the player's process, made in this process."""
    return Worker().answer(request).encode()


def create_named(path: Path) -> None:
    """Return a journal whose identity, which results contain, is the same on every board."""
    create(path)
    with contextlib.closing(sqlite3.connect(path)) as db, db:
        db.execute("UPDATE identity SET name = 'board'")


class Surfaces:
    """A complete board with a record, and all its outputs."""

    def __init__(self, data: Path) -> None:
        self.data = data
        if not (data / NAME).exists():
            create_named(data / NAME)
        self.clock = VirtualClock()
        with mock.patch("time.time", return_value=NOON):
            self.app = BoardApp(
                simulated(Config(odds=Odds("board"))), data, self.clock, None, writer=AtOnce()
            )
        self.app.table._now = lambda: NOON
        self.app.table.tracks = None
        self.page = make(self.app, Options())
        self.link = _Link(self.app.controller, MqttOptions(board="one", commands=True), soon)
        self.speaker = Spoken()
        self.app.features.of("speech").voice.settings = VoiceSettings(level="everything")
        self.app.features.of("speech").voice.join(self.speaker)
        self._loop = asyncio.new_event_loop()
        self._browser: Browser | None = None
        self._patched = contextlib.ExitStack()
        self._patched.enter_context(mock.patch.object(board_hints.BoardHints, "_answer", answered))
        # The computer's lines are other players' lines here.
        self._patched.enter_context(mock.patch.object(BoardPlayer, "wake"))
        self.broker = Broker()
        self.run(self.link._greet(cast("Any", self.broker)))
        self._log = LOG.take()

    def close(self) -> None:
        if self._browser is not None:
            self.run(self._browser.leave())
        self._loop.close()
        self._patched.close()
        self.link.leave()
        self.app.close()

    def run(self, what: Coroutine[Any, Any, Any]) -> Any:
        """Return the answer to a request, and the messages to the page on `/ws` meanwhile."""
        return self._loop.run_until_complete(what)

    def open_page(self, seat: int | None, lang: str) -> None:
        """Open a viewer's page on `/ws`."""
        query = f"lang={lang}" + ("" if seat is None else f"&seat={seat}")
        self._browser = Browser(self.page, query, self._loop)

    def page_was_sent(self) -> list[dict[str, Any]]:
        """Return the messages of `/ws` since the last call."""
        if self._browser is None:
            return []
        sent = self._browser.got

        async def settle() -> None:
            quiet = 0
            while quiet < 5:
                before = len(sent)
                await asyncio.sleep(0)
                quiet = 0 if len(sent) > before else quiet + 1

        self.run(settle())
        found = list(sent)
        sent.clear()
        return found

    def seat_player(self, seat: int) -> bytes:
        """Give the computer a seat."""
        chosen = {"seat": seat, "level": 3, "deals": False}
        answer: bytes = self.run(self.sent("/player", chosen, None, expect=False))
        return answer

    def enter(self, move: Move) -> list[Any]:
        """Return everything that the whole room sees and hears of a line."""
        self.app.table.submit_all((move,), "page")
        return self.overheard()

    def go_on(self) -> list[Any]:
        """Do the same as `enter` for last evening's game when it is continued."""
        self.app.table.resume("page")
        return self.overheard()

    async def _tell_broker(self) -> None:
        telling = asyncio.create_task(self.link._publish(cast("Any", self.broker)))
        quiet, sent = 0, self.broker.sent
        while quiet < 5:
            before = len(sent)
            await asyncio.sleep(0)
            quiet = 0 if len(sent) > before else quiet + 1
        telling.cancel()
        with contextlib.suppress(asyncio.CancelledError):
            await telling

    def overheard(self) -> list[Any]:
        """Return everything that the whole room sees and hears now."""
        self.clock.run(0.02)
        self.run(self._tell_broker())
        return [
            self.app.controller.displayed_rows,
            self.app.frame(),
            list(self.broker.sent),
            self.app.table.journal.outbox().result(),
            self.state(),
            list(self.speaker.said),
            self.page_was_sent(),
            [*self._log, *LOG.take()],
        ]

    def state(self) -> dict[str, Any]:
        table = self.app.table
        return payloads.state(table.number, table.visible_to(None).record, None, 1.0)

    async def answers(self, seat: int | None, probes: list[str]) -> dict[str, bytes]:
        """Return every answer of the page that changes nothing."""
        found: dict[str, bytes] = {}
        query = "" if seat is None else f"seat={seat}"
        transport = httpx.ASGITransport(self.page)
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers={"origin": ORIGIN}
        ) as client:
            paths = [f"/{path}?{query}&lang={lang}" for path in PATHS for lang in LANGUAGES]
            paths += [f"/amend?back={back}&{query}" for back in range(1, 12)]
            if len(probes) % 4 == 0:  # the page tries thousands of points for it
                paths += [f"/points?whose={whose}&{query}" for whose in (1, 2)]
            for path in paths:
                found[path] = whole(await client.get(path))
            for line in probes:
                path = f"/preview?{query}&lang={LANGUAGES[len(line) % 2]}"
                answer = await client.post(path, json={"line": line})
                found[f"{path} {line}"] = whole(answer)
                found[f"shown after {line}"] = repr(self.app.controller.displayed_rows).encode()
                await client.post("/withdraw", json={"line": line})
        found["log"] = repr(LOG.take()).encode()
        return found

    async def sent(
        self,
        path: str,
        body: dict[str, Any],
        seat: int | None,
        lang: str = "en",
        *,
        expect: bool = True,
    ) -> bytes:
        """Return the answer to a request; `expect` is whether it is meant for the newest line."""
        transport = httpx.ASGITransport(self.page)
        whole = f"{path}?lang={lang}" + ("" if seat is None else f"&seat={seat}")
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers={"origin": ORIGIN}
        ) as client:
            expected = body | ({"expect": self.app.table.number} if expect else {})
            return (await client.post(whole, json=expected)).content

    def pressed(self, key: str, held: bool) -> list[Any]:
        """Return everything that the whole room sees and hears of a key."""

        async def press() -> None:
            self.app.press(key, True)
            self.clock.run(1.5 if held else 0.05)
            self.app.press(key, False)
            self.clock.run(0.02)
            for task in asyncio.all_tasks():
                if task.get_name() == "hint":  # requested by the keypad's menu
                    await task

        self.run(press())
        return self.overheard()

    async def command(self, line: str) -> bytes:
        """Return the broker's answer to a line of another program."""
        said = json.dumps({"line": line, "expect": self.app.table.number}).encode()
        message = Message("boardctl/one/command", said, 1, False, 1, None)
        await self.link._command(cast("Any", self.broker), message)
        return self.broker.sent.pop()[1]

    def printed(self) -> dict[str, str]:
        """Return the output of commands while the game is in progress."""
        found = {}
        for words in COMMANDS:
            done = CliRunner().invoke(main, [*words.split(), "--data", str(self.data)])
            assert done.exit_code == 0, done.output
            found[words] = done.output.replace(str(self.data), "")
        return found

    def history(self, kinds: Sequence[str]) -> dict[str, str]:
        """Return the history and the exports while the game is in progress."""
        found = {}
        board = pickle.dumps(self.app.layout)
        for what in kinds:
            output = io.StringIO()
            said = io.TextIOWrapper(io.BytesIO(board))
            with contextlib.redirect_stdout(output), mock.patch("sys.stdin", said):
                history_worker.main([str(self.data), what, "1", "en"])
            found[what] = output.getvalue()
        return found


def tried(record: Record, chance: Random) -> list[str]:
    """Lines that a curious player would send, including some with others' cards."""
    position = record.position
    assert position.game is not None
    entered = [card for move in record.moves for card in move.cards if card.is_known]
    pack = [*entered, *entered, *position.game.pack]
    lines = []
    for line in LINES_TO_TRY:
        card, more = chance.sample(pack, 2)
        seat = chance.randint(1, len(position.seats))
        rank = Card(card.rank)
        lines.append(line.format(seat=seat, card=card, more=more, rank=rank))
    for ask in position.prompt.asks:
        lines.append(notation.spell(complete(ask, chance)) if ask.cards != () else "deal")
    return lines


def refused(answer: Any) -> str:
    why = answer["refused"] if "refused" in answer else answer["error"]
    return str(why if isinstance(why, str) else why["code"])


def whole(answer: httpx.Response) -> bytes:
    """Return an answer with its status and headers."""
    return repr((answer.status_code, answer.headers.raw)).encode() + answer.content


def laid_open(record: Record) -> list[Move]:
    """Return the expected lines that lay cards open, with all cards that they show."""
    position = record.position
    if position.game is None:
        return []
    return [
        views.open_cards(position, ask.move)
        for ask in position.prompt.asks
        if ask.kind == "confirm" and position.game.opens(ask.move)
    ]
