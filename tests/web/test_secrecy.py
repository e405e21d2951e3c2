"""Nobody is shown anything that depends on cards which their seat has not seen.

A game is played at random from its prompts, with hands entered. Then the cards that a viewer has
not seen are exchanged for others, so that every line the viewer has seen stays the same. Each game
is played at a complete board. Everything that the viewer's page receives must be equal byte for
byte, including headers. The display, the lights, the broker's messages, the voice, the log and the
output of commands must be equal too. Meanwhile the viewer's page is open on `/ws`, and at half of
the tables the computer has a seat. Then the boards restart, or their backups are restored
elsewhere, or the evening ends and the next one continues the game; everything is compared once
more.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
import pickle
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Coroutine, Iterable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple, cast
from unittest import mock

import httpx
import pytest
from aiomqtt import Message
from click.testing import CliRunner
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from boardctl import games
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.bot import board_hints
from boardctl.bot.board_player import BoardPlayer
from boardctl.bot.feature import Odds
from boardctl.bot.worker import Worker
from boardctl.commands import main
from boardctl.console.keypad import Command
from boardctl.console.settings import VoiceSettings
from boardctl.drivers.ports import KEYS, Speaker
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.games import Game, IllegalMove, Move
from boardctl.games.cards import Card
from boardctl.mqtt import Options as MqttOptions
from boardctl.mqtt import payloads
from boardctl.mqtt.client import _Link
from boardctl.record import notation
from boardctl.record import visibility as views
from boardctl.record.record import Record
from boardctl.record.visibility import GameLines, corrected, deal_start, has_secrets, opens_now
from boardctl.storage import backup
from boardctl.storage.database import create
from boardctl.storage.journal import NAME, AtOnce
from boardctl.table import Table
from boardctl.web import Options, history_worker
from boardctl.web.app import make
from tests.laws.walk import TELLINGS, Walk, complete, sit_down
from tests.mqtt.tables import soon
from tests.report import LongRun

ORIGIN: Final = "http://127.0.0.1:8121"
LINES: Final = 70
"""The maximum number of lines in a walk; a deal of the longest game has more."""
KEY_PRESSES: Final = 25
EXAMPLES: Final = 2000
"""The number of examples of all games together, in a long run."""
TRIES: Final = 12
"""The number of attempts to find other hidden cards."""
QUICK = settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),  # a smaller seed is not a simpler example
    suppress_health_check=list(HealthCheck),
)
NOON: Final = 1_700_000_000.0


@pytest.fixture(autouse=True)
def heard(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """Compare the logs of the boards."""
    caplog.set_level(logging.CRITICAL, "httpx")
    logger = logging.getLogger("boardctl")
    logger.addHandler(LOG)
    logger.setLevel(logging.DEBUG)
    yield
    logger.setLevel(logging.NOTSET)
    logger.removeHandler(LOG)


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
        """Accept it."""


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
        if card.known and card.plain not in visible
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
        """The same for last evening's game when it is continued."""
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
            self.app.controller.shown,
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
                found[f"shown after {line}"] = repr(self.app.controller.shown).encode()
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


HISTORY: Final = ("overview", "csv", "json", "lines", "notation", "highlights")
DRAWINGS: Final = ("game", "html", "picture")
LANGUAGES: Final = ("en", "ja")
PATHS: Final = ("state", "moves", "odds", "player", "player/fair", "games", "far", "layout")
COMMANDS: Final = (
    *("export", "export --as json", "export --as csv", "export 1 --as html", "session --all"),
    *("review all --throws --json", "games --played", "journal check"),
)
AGAIN: Final = ("started again", "restored", "played on", "damaged")
LINES_TO_TRY: Final = (
    "{seat} show", "{seat} crib", "crib", "{seat} go", "{seat} play {card}", "{seat} play {rank}",
    "{seat} hand {card}", "{seat} discard {card} {more}", "{seat} mog {card}", "{seat} draw {card}",
    "starter {card}", "turnup {card}", "bottom {card}", "{seat} meld {card} {more}", "declare",
    "{seat} show {card} {more}", "{seat} peg 8", "{seat} peg 6 hand", "{seat} exchange",
    "{seat} seven", "{seat} bella", "{seat} declare 20", "deal", "{seat} count 50",
    "amend 1 {seat} play {card}", "amend 2 {seat} hand {card}", "amend 3", "insert 1 {seat} go",
    "amend 4 {seat} discard {card} {more}", "undo 2", "{seat} peg 1 go", "{seat} peg 2 play",
)  # fmt: skip


def tried(record: Record, chance: Random) -> list[str]:
    """Lines that a curious player would send, including some with others' cards."""
    position = record.position
    assert position.game is not None
    entered = [card for move in record.moves for card in move.cards if card.known]
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


def whole(answer: httpx.Response) -> bytes:
    """Return an answer with its status and headers."""
    return repr((answer.status_code, answer.headers.raw)).encode() + answer.content


def compare(
    record: Record,
    one: Script,
    two: Script,
    seat: int | None,
    chance: Random,
    tally: Counter[str],
) -> None:
    """Play both and compare everything that the viewer and the whole room learn."""
    probes = tried(record, chance)
    language = chance.choice(LANGUAGES)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as closing:
        boards = []
        for name in ("one", "two"):
            (Path(folder) / name).mkdir()
            boards.append(Surfaces(Path(folder) / name))
        closing.callback(close, boards)
        for place, (first, second) in enumerate(zip(one.lines, two.lines, strict=True)):
            if place == one.start:
                for board in boards:
                    board.open_page(seat, language)
            same([board.enter(move) for board, move in zip(boards, (first, second), strict=True)])
            if place < one.start:
                assert first == second
        telling = chance.choice(TELLINGS)
        for board in boards:
            board.app.controller.obey(Command("telling", telling))
        computer = chance.choice([other for other in record.position.seats if other != seat])
        if chance.random() < 0.5:
            same([board.seat_player(computer) for board in boards])
        compare_answers(boards, seat, probes)
        compare_hints(boards, seat, tally)
        begin_again(boards, chance.choice(AGAIN), chance)
        for board in boards:
            board.open_page(seat, language)
        record = boards[0].app.table.record
        probes = tried(record, chance)
        compare_answers(boards, seat, probes)
        further = chance.choice(("nothing", "keys", "corrections", "drawings"))
        due = laid_open(boards[0].app.table.record)
        if due and due == laid_open(boards[1].app.table.record):
            further = "keys"  # this is rare
        if further == "keys":
            compare_keys(boards, seat, chance, tally)
        elif further == "corrections":
            compare_corrections(boards, seat)
        elif further == "drawings":
            same([board.history(DRAWINGS) for board in boards])
        if further != "keys":
            compare_lines(boards, record, probes, seat, chance)


def close(boards: Sequence[Surfaces]) -> None:
    """Close the open boards."""
    for board in boards:
        board.close()


def compare_answers(boards: Sequence[Surfaces], seat: int | None, probes: list[str]) -> None:
    same_answers([board.run(board.answers(seat, probes)) for board in boards])
    same([board.history(HISTORY) for board in boards])
    same([board.printed() for board in boards])


def begin_again(boards: list[Surfaces], how: str, chance: Random) -> None:
    """Restart both boards: as they were left; from a backup in another place; after the evening's
    end, continuing the game; or on a journal with additional lines. Those repeat secret lines,
    which the referee may reject now, or are lines that it certainly rejects."""
    one, two = (board.app.table.record for board in boards)
    again = chance.random() < 0.5
    odd = list(rejected(odd_lines(one, chance), one.copy(), two.copy()))
    if how == "played on":
        same([board.enter(Move("session", words=("end",))) for board in boards])
        same([board.history(HISTORY) for board in boards])
    for place, board in enumerate(boards):
        data = board.data
        board.close()
        if how == "restored":
            copy, data = data.with_suffix(".copy"), data.with_suffix(".restored")
            backup.save(board.data, copy)
            backup.restore(copy, data)
        elif how == "damaged":
            lines = secret_lines(board.app.table.record) if again else odd
            write_behind(board.app.table, data, lines)
        boards[place] = Surfaces(data)
    same([board.overheard() for board in boards])
    if how == "played on":
        same([board.enter(Move("session", name="next")) for board in boards])
        if all(board.app.table.unfinished is not None for board in boards):
            same([board.go_on() for board in boards])


def secret_lines(record: Record) -> list[str]:
    """Return the secret lines of the deal."""
    game, moves = record.position.game, record.moves
    assert game is not None
    return [notation.spell(move) for move in moves[deal_start(moves) :] if game.secret(move)]


def odd_lines(record: Record, chance: Random) -> list[str]:
    """Return lines with others' cards, and the same lines with a letter damaged on disk."""
    lines = tried(record, chance)
    hurt = []
    for line in lines:
        place = chance.randrange(len(line))
        hurt.append(f"{line[:place]}{chance.choice('xz~')}{line[place + 1 :]}")
    return [*lines, *hurt]


def rejected(lines: Iterable[str], *records: Record) -> Iterator[str]:
    """Return the lines that all records reject when they are read one after another like a journal.
    A line that corrects an earlier doubtful one may be valid there although it is invalid alone."""
    for line in lines:
        if all(refused_by(record, line) for record in records):
            for record in records:
                record.resume(line)
            yield line


def write_behind(table: Table, data: Path, lines: Iterable[str]) -> None:
    """Write lines into the journal that the board has not accepted."""
    rows = enumerate(lines, table.number + 1)
    with contextlib.closing(sqlite3.connect(data / NAME)) as db:
        values = ((number, table.session, line, NOON, "test") for number, line in rows)
        db.executemany("INSERT INTO line VALUES (?, ?, ?, ?, ?)", values)
        db.commit()


def same(found: Sequence[Any]) -> None:
    one, two = found
    if isinstance(one, dict):
        same_answers(found)
    elif isinstance(one, list) and len(one) == len(two):
        for each in zip(one, two, strict=True):
            same(each)
    assert one == two, (one, two)


def same_answers(found: Sequence[dict[str, Any]]) -> None:
    one, two = found
    for path, answer in one.items():
        assert answer == two[path], (path, answer, two[path])


def compare_hints(boards: Sequence[Surfaces], seat: int | None, tally: Counter[str]) -> None:
    """Ask for a hint in each language, and compare what the room sees of it."""
    for lang in LANGUAGES:
        answers = [board.run(board.sent("/hint", {}, seat, lang)) for board in boards]
        same(answers)
        tally["hints"] += b'"hint"' in answers[0]
    same([board.overheard() for board in boards])


def compare_corrections(boards: Sequence[Surfaces], seat: int | None) -> None:
    """Compare the answers when a line is taken back, and when it is restored."""
    for path in ("/undo", "/redo"):
        same([board.run(board.sent(path, {}, seat)) for board in boards])
        same([board.overheard() for board in boards])
        same_answers([board.run(board.answers(seat, [])) for board in boards])


def compare_lines(
    boards: Sequence[Surfaces], record: Record, probes: list[str], seat: int | None, chance: Random
) -> None:
    """Send a curious player's lines until one is accepted."""
    sentences = set()
    one, two = (board.app.table.record for board in boards)
    for line in probes:
        if ends(one, line) or ends(two, line):
            continue  # the page then reads the archive, outside this request
        lang = chance.choice(LANGUAGES)
        known = refused_by(boards[0].app.table.visible_to(seat).record, line)
        opens = opened(record, line)
        of_broker = seat is None and chance.random() < 0.5
        kinds, logs = [], []
        for board in boards:
            if of_broker:
                answer = board.command(line)
            else:
                answer = board.sent("/lines", {"line": line}, seat, lang)
            kinds.append(json.loads(board.run(answer)))
            logs.append(LOG.take())
        by_code = ["accepted" if "number" in kind else refused(kind) for kind in kinds]
        if opens and set(by_code) <= {"accepted", "suits-needed"}:
            break  # the line lays these cards open now, whoever submits it (docs/security.md)
        if "accepted" not in by_code and by_code != ["secret", "secret"]:
            assert kinds[0] == kinds[1], line
        if "accepted" not in by_code:
            assert logs[0] == logs[1], line
        sentences |= {
            ("broker" if of_broker else lang, json.dumps([kind["refused"], kind.get("message")]))
            for kind, code in zip(kinds, by_code, strict=True)
            if code == "secret"
        }
        # If only one board refuses, the viewer's knowledge explains why.
        assert set(by_code) <= {"accepted", "secret", known} or by_code[0] == by_code[1], (
            line, by_code, known,
        )  # fmt: skip
        if "accepted" in by_code:
            break
    assert len(sentences) == len({place for place, _ in sentences}), "one sentence for all"


def compare_keys(
    boards: Sequence[Surfaces], seat: int | None, chance: Random, tally: Counter[str]
) -> None:
    """Press random keys at both boards until they may differ: a line is accepted with an effect
    that the viewer or the room may see, or other cards must be laid open next. The keypad counts
    those cards beforehand and thereby lays them open. If both boards must lay open the same cards,
    the rest is still secret, and the comparison continues."""
    for _ in range(KEY_PRESSES):
        key, held = chance.choice((*KEYS, "D", "#")), chance.random() < 0.2
        found = [board.pressed(key, held) for board in boards]
        records = [board.app.table.record for board in boards]
        one, two = (
            (known(board, None), known(board, seat), laid_open(record))
            for board, record in zip(boards, records, strict=True)
        )
        if one != two:
            return
        same(found)
        tally["keys"] += 1
        tally["keys at open cards"] += bool(one[-1])


def known(board: Surfaces, seat: int | None) -> tuple[Sequence[Move], tuple[int, ...]]:
    """Return a viewer's knowledge of the record, and everybody's points."""
    record = board.app.table.visible_to(seat).record
    return record.moves, record.position.scores


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


def refused_by(record: Record, line: str) -> str | None:
    """Return the code with which a record refuses a line, or None if it accepts it."""
    try:
        record.copy().read(line)
    except IllegalMove as error:
        return error.code
    return None


def opened(record: Record, line: str) -> bool:
    """Return whether a line lays open the cards that must be shown now."""
    try:
        move = notation.parse(line, record.position.game)
    except IllegalMove:
        return False
    return move is not None and opens_now(record.position, move)


def ends(record: Record, line: str) -> bool:
    """Return whether a line would end the game."""
    trial = record.copy()
    try:
        trial.read(line)
    except IllegalMove:
        return False
    return trial.position.over


def refused(answer: Any) -> str:
    why = answer["refused"] if "refused" in answer else answer["error"]
    return str(why if isinstance(why, str) else why["code"])


def look(name: str, seed: int, tally: Counter[str]) -> None:
    """Examine one game for one viewer; `tally` counts it, and whether other hidden cards were
    found."""
    tally["examples"] += 1
    chance = Random(f"{name} {seed}")
    for _ in range(TRIES):
        record, script = played(name, chance)
        position = record.position
        if position.game is None or position.state is None or not has_secrets(position):
            continue
        seat = chance.choice([None, *position.seats])
        other = exchanged(record, script, seat, chance)
        if other is not None:
            compare(record, script, other, seat, chance, tally)
            tally["compared"] += 1
            return


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_hidden_cards_change_nothing_that_is_shown(name: str) -> None:
    tally: Counter[str] = Counter()

    @QUICK
    @given(st.integers(0, 1 << 30))
    def check(seed: int) -> None:
        look(name, seed, tally)

    check()
    assert tally["compared"] == tally["examples"], tally


@pytest.mark.long
@pytest.mark.parametrize("name", games.names())
def test_hidden_cards_change_nothing_that_is_shown_for_long(
    name: str, seed: int, long_run: LongRun
) -> None:
    """2,000 examples of all games together, with new seeds in each run."""
    tally: Counter[str] = Counter()
    for example in range(EXAMPLES // len(games.names())):
        try:
            look(name, seed + example, tally)
        except AssertionError as error:
            error.add_note(f"look({name!r}, {seed + example}, Counter())")
            raise
    long_run(**{what.replace(" ", "_"): count for what, count in tally.items()})
    assert tally["compared"] > 0.9 * tally["examples"], tally
    assert min(tally["hints"], tally["keys"]) > 0, tally


SHOW: Final = (
    *("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"),
    *("1 hand 5H 6S 7D 8C JH QS", "2 hand 2H 3S 9D TC KS KD", "1 discard JH QS"),
    *("2 discard 2H 3S", "starter 2C", "2 play 9D", "1 play 6S", "2 play TC", "1 play 5H"),
    *("2 go", "1 go", "2 play KS", "1 play 7D", "2 play KD", "1 go", "1 play 8C"),
)
"""A deal up to its show: the next hand is laid open, and the crib is still secret."""


@pytest.mark.slow
def test_keys_tell_nothing_of_the_crib_while_hands_are_laid_open(tmp_path: Path) -> None:
    record, moves, tally = Record(), [], Counter[str]()
    for line in SHOW:
        report = record.read(line)
        assert report is not None
        moves.append(report.move)
    script, chance = Script(tuple(moves), SHOW.index("deal")), Random("show")
    found = (exchanged(record, script, None, chance) for _ in range(100))
    other = next(one for one in found if one is not None and due_of(one) == due_of(script))
    with contextlib.ExitStack() as closing:
        boards = []
        for name, one in (("one", script), ("two", other)):
            (tmp_path / name).mkdir()
            boards.append(closing.enter_context(contextlib.closing(Surfaces(tmp_path / name))))
            for move in one.lines:
                boards[-1].enter(move)
        for _ in range(4):
            compare_keys(boards, None, chance, tally)
    assert tally["keys at open cards"] > 4, tally


def due_of(script: Script) -> list[Move]:
    """Return the expected lines after a script that lay cards open, with these cards."""
    record = Record()
    for move in script.lines:
        record.apply(move)
    return laid_open(record)
