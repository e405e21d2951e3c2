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

import contextlib
import json
import logging
import sqlite3
import tempfile
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from boardctl import games
from boardctl.console.keypad import Command
from boardctl.drivers.ports import KEYS
from boardctl.games import IllegalMove, Move
from boardctl.record import notation
from boardctl.record.record import Record
from boardctl.record.visibility import deal_start, has_secrets, opens_now
from boardctl.storage import backup
from boardctl.storage.journal import NAME
from boardctl.table import Table
from tests.laws.walk import TELLINGS
from tests.report import LongRun
from tests.web.surfaces import (
    LANGUAGES,
    LOG,
    NOON,
    TRIES,
    Script,
    Surfaces,
    exchanged,
    laid_open,
    played,
    refused,
    tried,
)

KEY_PRESSES: Final = 25
EXAMPLES: Final = 2000
"""The number of examples of all games together, in a long run."""
QUICK = settings(
    max_examples=2,
    deadline=None,
    derandomize=True,
    phases=(Phase.explicit, Phase.generate),  # a smaller seed is not a simpler example
    suppress_health_check=list(HealthCheck),
)


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


HISTORY: Final = ("overview", "csv", "json", "lines", "notation", "highlights")
DRAWINGS: Final = ("game", "html", "picture")
AGAIN: Final = ("started again", "restored", "played on", "damaged")


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
