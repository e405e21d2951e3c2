"""Nobody is shown anything that depends on cards which their seat has not seen.

A game is played at random from its prompts, with hands entered. Then the cards that a viewer has
not seen are exchanged for others so that every line the viewer has seen stays the same. Both games
are played at a whole board each: everything that the viewer's page is sent and answered must be
equal byte for byte, and so must the display, the lights, the broker's messages and the voice.
"""

from __future__ import annotations

import asyncio
import contextlib
import io
import json
import logging
import pickle
import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple
from unittest import mock

import httpx
import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from boardctl import games
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config, Odds
from boardctl.app.daemon import simulated
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
from boardctl.record.record import Record
from boardctl.record.seen import GameLines, corrected, deal_start, hides, opens_now
from boardctl.storage.journal import AtOnce
from boardctl.web import Options, history_worker
from boardctl.web.app import make
from tests.laws.walk import TELLINGS, Walk, complete, sit_down
from tests.mqtt.tables import soon

ORIGIN: Final = "http://127.0.0.1:8121"
LINES: Final = 70
"""The most lines of a walk; a deal of the longest game has more."""
KEY_PRESSES: Final = 25
TRIES: Final = 12
"""How often other hidden cards are looked for."""
QUICK = settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),  # a seed is not made simpler by a smaller one
    suppress_health_check=list(HealthCheck),
)
NOON: Final = 1_700_000_000.0


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    """httpx logs every request."""
    caplog.set_level(logging.CRITICAL)


class Script(NamedTuple):
    """Lines as they were said, corrections among them, and which of them began the last deal."""

    lines: tuple[Move, ...]
    start: int


def played(name: str, chance: Random) -> tuple[Record, Script]:
    """A game at a table that enters cards, in the middle of a deal, perhaps with corrections."""
    walk = sit_down(name, chance)
    walk.telling = "cards"
    most = chance.randrange(12, LINES)
    corrects = chance.random() < 0.5
    while len(walk.record.moves) < most or not hides(walk.record.position):
        if len(walk.reports) > 3 * LINES or not step(walk, chance):
            break
        if corrects and chance.random() < 0.15:
            correct(walk, chance)
    lines = tuple(report.move for report in walk.reports)
    start = max((n for n, move in enumerate(lines) if move.verb in ("deal", "game")), default=0)
    return walk.record, Script(lines, start)


def step(walk: Walk, chance: Random) -> bool:
    """Enter what is due; hands are mostly entered whole."""
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
    """Take back lines of this deal or restore them, or say one of them otherwise."""
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
    """What is known after a line: what everybody sees besides cards, the deal's lines as a seat has
    seen them, and the correction that was said last."""

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
    """What a seat knows after each line of the deal. Raises IllegalMove if a line is rejected."""
    record, lines = Record(), GameLines(seat)
    for place, move in enumerate(script.lines):
        record.apply(move)
        if place >= script.start:
            seen = tuple(lines.of(record, deal_start(record.moves)))
            position, said = record.position, corrected(record, seat)
            yield Sight(
                position.scores, position.over, hides(position), record.redoable, seen, said
            )


def exchanged(record: Record, script: Script, seat: int | None, chance: Random) -> Script | None:
    """The same lines with other hidden cards, None if none are found."""
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
    for attempt in range(TRIES):
        some = sorted(secret)
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
    """The move that a correction says, or the move itself."""
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


class Surfaces:
    """A whole board at which a record is played, and everything that it says."""

    def __init__(self, data: Path) -> None:
        self.data = data
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
        self.app.voice.settings = VoiceSettings(level="everything")
        self.app.voice.join(self.speaker)

    def close(self) -> None:
        self.link.leave()
        self.app.close()

    def enter(self, move: Move) -> list[Any]:
        """What the whole room sees and hears of a line."""
        self.app.table.submit_all((move,), "page")
        return self.overheard()

    def overheard(self) -> list[Any]:
        """What the whole room sees and hears now."""
        self.clock.run(0.02)
        news = [
            self.app.controller.shown,
            self.app.frame(),
            list(self.link._happened),
            self.state(),
        ]
        self.link._happened.clear()
        news.append(list(self.speaker.said))
        return news

    def state(self) -> dict[str, Any]:
        table = self.app.table
        return payloads.state(table.number, table.seen_by(None).record, None, 1.0)

    async def answers(self, seat: int | None, probes: list[str]) -> dict[str, bytes]:
        """Every answer of the page that changes nothing."""
        found: dict[str, bytes] = {}
        query = "" if seat is None else f"seat={seat}"
        transport = httpx.ASGITransport(self.page)
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers={"origin": ORIGIN}
        ) as client:
            paths = [f"/{path}?{query}&lang={lang}" for path in PATHS for lang in LANGUAGES]
            paths += [f"/amend?back={back}&{query}" for back in range(1, 12)]
            if len(probes) % 4 == 0:  # thousands of points are tried for it
                paths += [f"/points?whose={whose}&{query}" for whose in (1, 2)]
            for path in paths:
                found[path] = (await client.get(path)).content
            for line in probes:
                path = f"/preview?{query}&lang={LANGUAGES[len(line) % 2]}"
                answer = await client.post(path, json={"line": line})
                found[f"{path} {line}"] = answer.content
                found[f"shown after {line}"] = repr(self.app.controller.shown).encode()
                await client.post("/withdraw", json={"line": line})
        return found

    async def sent(
        self, path: str, body: dict[str, Any], seat: int | None, lang: str = "en"
    ) -> bytes:
        """The answer to a request after the newest line."""
        transport = httpx.ASGITransport(self.page)
        whole = f"{path}?lang={lang}" + ("" if seat is None else f"&seat={seat}")
        async with httpx.AsyncClient(
            transport=transport, base_url=ORIGIN, headers={"origin": ORIGIN}
        ) as client:
            expected = body | {"expect": self.app.table.number}
            return (await client.post(whole, json=expected)).content

    def pressed(self, key: str, held: bool) -> list[Any]:
        """What the whole room sees and hears of a key."""
        self.app.press(key, True)
        self.clock.run(1.5 if held else 0.05)
        self.app.press(key, False)
        return self.overheard()

    def history(self, kinds: Sequence[str]) -> dict[str, str]:
        """The history and the exports, while the game goes on."""
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
PATHS: Final = ("state", "moves", "odds", "player")
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
    """Lines that a curious player would send, with cards that others hold among them."""
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


def compare(record: Record, one: Script, two: Script, seat: int | None, chance: Random) -> None:
    """Play both and compare everything that the viewer learns, and the whole room."""
    probes = tried(record, chance)
    with tempfile.TemporaryDirectory() as folder, contextlib.ExitStack() as closing:
        boards = []
        for name in ("one", "two"):
            (Path(folder) / name).mkdir()
            boards.append(closing.enter_context(contextlib.closing(Surfaces(Path(folder) / name))))
        for place, (first, second) in enumerate(zip(one.lines, two.lines, strict=True)):
            same([board.enter(move) for board, move in zip(boards, (first, second), strict=True)])
            if place < one.start:
                assert first == second
        telling = chance.choice(TELLINGS)
        for board in boards:
            board.app.controller.obey(Command("telling", telling))
        same_answers([asyncio.run(board.answers(seat, probes)) for board in boards])
        same([board.history(HISTORY) for board in boards])
        further = chance.choice(("nothing", "keys", "corrections", "drawings"))
        if further == "keys":
            compare_keys(boards, chance)
        elif further == "corrections":
            compare_corrections(boards, seat)
        elif further == "drawings":
            same([board.history(DRAWINGS) for board in boards])
        if further != "keys":
            compare_lines(boards, record, probes, seat, chance)


def same(found: Sequence[Any]) -> None:
    one, two = found
    assert one == two, (one, two)


def same_answers(found: Sequence[dict[str, bytes]]) -> None:
    one, two = found
    for path, answer in one.items():
        assert answer == two[path], (path, answer, two[path])


def compare_corrections(boards: Sequence[Surfaces], seat: int | None) -> None:
    """What is answered when a line is taken back, and when it is restored."""
    for path in ("/undo", "/redo"):
        same([asyncio.run(board.sent(path, {}, seat)) for board in boards])
        same([board.overheard() for board in boards])
        same_answers([asyncio.run(board.answers(seat, [])) for board in boards])


def compare_lines(
    boards: Sequence[Surfaces], record: Record, probes: list[str], seat: int | None, chance: Random
) -> None:
    """Send lines of a curious player, until one is accepted."""
    sentences = set()
    one, two = (board.app.table.record for board in boards)
    for line in probes:
        if ends(one, line) or ends(two, line):
            continue  # the page then reads the archive, beyond this request
        lang = chance.choice(LANGUAGES)
        known = refused_by(boards[0].app.table.seen_by(seat).record, line)
        answers = [
            asyncio.run(board.sent("/lines", {"line": line}, seat, lang)) for board in boards
        ]
        kinds = [json.loads(answer) for answer in answers]
        by_code = ["accepted" if "number" in kind else refused(kind) for kind in kinds]
        if opened(record, line) and set(by_code) <= {"accepted", "suits-needed"}:
            break  # these cards are laid open now, by whoever says so (docs/security.md)
        if "accepted" not in by_code and by_code != ["secret", "secret"]:
            assert answers[0] == answers[1], line
        sentences |= {
            (lang, json.dumps(kind["refused"]))
            for kind, code in zip(kinds, by_code, strict=True)
            if code == "secret"
        }
        # What is refused where the other is accepted follows from what the viewer knows.
        assert set(by_code) <= {"accepted", "secret", known} or by_code[0] == by_code[1], (
            line, by_code, known,
        )  # fmt: skip
        if "accepted" in by_code:
            break
    assert len(sentences) == len({lang for lang, _ in sentences}), "one sentence for all"


def compare_keys(boards: Sequence[Surfaces], chance: Random) -> None:
    """Press keys at random at both boards, until a line is accepted at one, or cards are due to be
    laid open, which the keypad counts before they are."""
    number = boards[0].app.table.number
    for _ in range(KEY_PRESSES):
        key, held = chance.choice((*KEYS, "D", "#")), chance.random() < 0.2
        found = [board.pressed(key, held) for board in boards]
        if any(board.app.table.number != number for board in boards):
            return
        position = boards[0].app.table.seen_by(None).record.position
        assert position.game is not None
        if any(position.game.opens(ask.move) for ask in position.prompt.asks):
            return
        same(found)


def refused_by(record: Record, line: str) -> str | None:
    """The code with which a record refuses a line, None if it accepts it."""
    try:
        record.copy().read(line)
    except IllegalMove as error:
        return error.code
    return None


def opened(record: Record, line: str) -> bool:
    """Whether a line lays open the cards that are due to be shown."""
    try:
        move = notation.parse(line, record.position.game)
    except IllegalMove:
        return False
    return move is not None and opens_now(record.position, move)


def ends(record: Record, line: str) -> bool:
    """Whether a line would end the game."""
    trial = record.copy()
    try:
        trial.read(line)
    except IllegalMove:
        return False
    return trial.position.over


def refused(answer: Any) -> str:
    return str(answer["refused"]["code"]) if "refused" in answer else str(answer["error"]["code"])


def look(name: str, seed: int) -> bool:
    """One game and one viewer; whether other hidden cards were found."""
    chance = Random(f"{name} {seed}")
    for _ in range(TRIES):
        record, script = played(name, chance)
        position = record.position
        if position.game is None or position.state is None or not hides(position):
            continue
        seat = chance.choice([None, *position.seats])
        other = exchanged(record, script, seat, chance)
        if other is not None:
            compare(record, script, other, seat, chance)
            return True
    return False


@pytest.mark.slow
@pytest.mark.parametrize("name", games.names())
def test_hidden_cards_change_nothing_that_is_shown(name: str) -> None:
    compared = 0

    @QUICK
    @given(st.integers(0, 1 << 30))
    def check(seed: int) -> None:
        nonlocal compared
        compared += look(name, seed)

    check()
    assert compared, "other hidden cards were found"


@pytest.mark.long
@pytest.mark.parametrize("name", games.names())
def test_hidden_cards_change_nothing_that_is_shown_for_long(name: str) -> None:
    compared = 0

    @settings(QUICK, max_examples=2000 // len(games.names()))
    @given(st.integers(0, 1 << 30))
    def check(seed: int) -> None:
        nonlocal compared
        compared += look(name, seed)

    check()
    assert compared > 50, compared
