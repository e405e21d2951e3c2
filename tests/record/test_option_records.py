"""Every value of every option of every game makes a difference in a record of the vectors.

A record is played with its own value of an option. If any other value would change the points of a
line, its acceptance, or the end of the game, the record covers that value. Its points were written
down from the rules.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import pytest

from boardctl import games
from boardctl.games import Option
from tests.record.test_records import VECTORS, answered, check

MISSING: Final = {"six-pack-bezique": ("cut_bonus off", "cut_bonus on")}
"""Values that no record can cover; no new ones may appear. A bonus of the cut, 250 or 150, is
entered by `peg`, which is judged only by its number, and both numbers are worths of sequences. The
option determines whether the table is asked for it (`tests/games/bezique/test_great.py`)."""


class Rules(NamedTuple):
    """A record of one game, a row of the vectors, and the options that it names."""

    game: str
    row: dict[str, Any]
    named: dict[str, str]


def rules() -> Iterator[Rules]:
    """Return the records of one game each."""
    for path in sorted(VECTORS.glob("records-*.jsonl")):
        for text in path.read_text("utf-8").splitlines():
            row = json.loads(text)
            lines = row["record"].splitlines()
            played = {line.split()[1] for line in lines if line.startswith("game ")}
            if len(played) == 1 and played <= set(games.names()):
                named = dict(line.split()[1:3] for line in lines if line.startswith("set "))
                yield Rules(played.pop(), row, named)


def values(option: Option) -> Sequence[str]:
    """Return the values of a list, or the ends and the default of a range."""
    if option.numbers is None:
        return option.values
    return sorted({option.default, str(option.numbers[0]), str(option.numbers[-1])}, key=int)


def otherwise(record: Rules, option: str, value: str) -> list[Any]:
    """Return the referee's answers with another value of an option; the lines keep their
    numbers."""
    lines = record.row["record"].splitlines()
    named = [n for n, line in enumerate(lines) if line.split()[:2] == ["set", option]]
    for place in named:
        lines[place] = f"set {option} {value}"
    if named:
        return answered("\n".join(lines))
    seated = max(n for n, line in enumerate(lines) if line.split()[0] in ("game", "seat"))
    answers = answered(
        "\n".join([*lines[: seated + 1], f"set {option} {value}", *lines[seated + 1 :]])
    )
    if any("error" in answer and answer["line"] == seated + 2 for answer in answers):
        return []  # not for this number of players
    kept = [answer for answer in answers if answer.get("line") != seated + 2]
    return [
        answer | {"line": answer["line"] - 1} if answer.get("line", 0) > seated + 2 else answer
        for answer in kept
    ]


def holds(record: Rules, option: Option, other: str) -> bool:
    """Return whether a record is no longer right with another value of an option."""
    answers = otherwise(record, option.name, other)
    if not answers:
        return False
    try:
        check(record.row, answers)
    except AssertionError:
        return True
    return False


def missing(game: str) -> list[str]:
    """Return the options and values of a game that no record covers; the shortest are tried
    first."""
    found = []
    own = (record for record in rules() if record.game == game)
    records = sorted(own, key=lambda record: len(record.row["record"]))
    for option in games.find(game).options:
        every = values(option)
        for value in every if len(every) > 1 else ():
            named = [one for one in records if one.named.get(option.name) == value]
            if value == option.default:
                named += [one for one in records if option.name not in one.named]
            pairs = ((one, other) for one in named for other in every if other != value)
            if not any(holds(one, option, other) for one, other in pairs):
                found.append(f"{option.name} {value}")
    return found


@pytest.mark.slow
@pytest.mark.parametrize("game", games.names())
def test_every_value_of_every_option_decides_something(game: str) -> None:
    assert missing(game) == list(MISSING.get(game, ()))
