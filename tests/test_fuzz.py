"""Any input: the result is only a declared rejection, which changes nothing.

Thousands of cases here; other inputs have their tests in their own folders, and
`test_untrusted_input` has a million cases for all of them.
"""

from __future__ import annotations

import json
import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl import games, text
from boardctl.app import config
from boardctl.app.config import ConfigError
from boardctl.games import IllegalMove
from boardctl.record import notation, replay
from boardctl.record.record import Record
from tests.chance import examples

VECTORS = Path(__file__).parent / "vectors"
WORDS = [
    "1",
    "2",
    "3",
    "0",
    "99",
    "-1",
    "+3",
    "deal",
    "play",
    "peg",
    "hand",
    "show",
    "crib",
    "starter",
    "discard",
    "go",
    "cut",
    "muggins",
    "undo",
    "redo",
    "amend",
    "insert",
    "game",
    "seat",
    "set",
    "session",
    "end",
    "start",
    "dealer",
    "misdeal",
    "adjust",
    "resign",
    "abandon",
    "draw",
    "meld",
    "seven",
    "exchange",
    "bid",
    "take",
    "pass",
    "declare",
    "reply",
    "top",
    "bella",
    "trump",
    "turnup",
    "count",
    "good",
    "equal",
    "none",
    "20",
    "50",
    "=",
    "8",
    "A",
    "5",
    "T",
    "J",
    "K",
    "5H",
    "TD",
    "KSa",
    "QSb",
    "?",
    "10H",
    "5♥",
    "hearts",
    "H",
    "heels",
    "flush",
    "no-flush",
    "nobs",
    "cribbage",
    "bezique",
    "pinochle",
    "klaberjass",
    "target",
    "61",
    "skunk",
    "on",
    "off",
    "#",
    "Ann",
]
ANY = st.characters(exclude_categories=())  # including control characters and lone surrogates
LINES = st.one_of(
    st.text(ANY, max_size=40), st.lists(st.sampled_from(WORDS), max_size=8).map(" ".join)
)


def records() -> list[list[str]]:
    """A recorded game of every kind."""
    found = []
    for path in sorted(VECTORS.glob("records-*.jsonl")):
        with path.open(encoding="utf-8") as file:
            found.append(json.loads(next(file))["record"].splitlines())
    return found


RECORDS = records()
OPENINGS = [
    "\n".join(lines[: 8 + 7 * number % max(1, len(lines))]) for number, lines in enumerate(RECORDS)
]
"""Their beginnings, each cut at a different place."""


def seen(record: Record) -> tuple[Any, ...]:
    position = record.position
    return position.scores, position.situation, position.prompt, record.moves, record.redoable


def say(record: Record, line: str) -> None:
    """Enter one line; only a refusal may result, and then no change."""
    before = seen(record)
    try:
        report = record.read(line)
    except IllegalMove as error:
        assert text.refusal(error).encode()
        assert seen(record) == before
    else:
        assert report is None or report.line.encode(), "what is accepted can be written"


@pytest.mark.slow
@settings(max_examples=examples(120))
@given(st.sampled_from(OPENINGS), st.lists(LINES, max_size=6))
def test_whatever_is_said_is_played_or_refused(opening: str, lines: list[str]) -> None:
    record = Record()
    for line in opening.splitlines():
        try:
            record.read(line)
        except IllegalMove:
            continue
    for line in lines:
        say(record, line)


@settings(max_examples=examples(300))
@given(LINES)
def test_every_line_is_read_or_refused(line: str) -> None:
    for name in (None, *games.names()):
        game = None if name is None else games.find(name)
        try:
            move = notation.parse(line, game)
        except IllegalMove as error:
            assert error.code in ("syntax", "not-in-this-game")
        else:
            if move is not None:
                assert notation.parse(notation.spell(move), game) == move


@settings(max_examples=examples(40))
@given(st.lists(LINES, max_size=12))
def test_replay_says_json_of_anything(lines: list[str]) -> None:
    answers = list(
        replay.answers("\n".join(lines).split("\n"), keep_going=True, sentence=text.in_english)
    )
    for answer in answers:
        assert json.loads(json.dumps(answer)) == answer
    assert "session" in answers[-1]


VALUES = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.floats(), st.text(max_size=8)),
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=8), inner, max_size=3)
    ),
    max_leaves=6,
)
KEYS = st.sampled_from(
    [
        "layout",
        "game",
        "language",
        "telling",
        "players",
        "seats",
        "match",
        "preset",
        "page",
        "power",
        "leds",
        "keys",
        "display",
        "voice",
        "driver",
        "port",
        "host",
        "bits",
        "rows",
        "columns",
        "name",
        "options",
        "x",
    ]
)


@settings(max_examples=examples(120))
@given(st.dictionaries(KEYS, st.one_of(VALUES, st.dictionaries(KEYS, VALUES, max_size=4))))
def test_any_configuration_is_taken_or_refused_in_a_sentence(data: dict[str, Any]) -> None:
    try:
        config.parse(data)
    except ConfigError as error:
        assert str(error)
        assert "\n" not in str(error)


@settings(max_examples=examples(60))
@given(st.text(max_size=60))
def test_any_file_is_taken_or_refused(text: str) -> None:
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError:
        return
    try:
        config.parse(data)
    except ConfigError as error:
        assert str(error)
