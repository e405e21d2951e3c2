"""Every record of the vectors for supported games, played against the referee: the points of each
line, the refused lines with reasons, and the final scores with the winner.

The rows are data files (tests/vectors/README.md). The ordinary run plays the short records, and of
the long ones each that has a rule, an amount or a refusal that no record before it has; the slow
run plays the others.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from boardctl import games
from boardctl.record import replay
from boardctl.text import in_english

VECTORS = Path(__file__).parents[1] / "vectors"
FILES = sorted(VECTORS.glob("records-*.jsonl"))
Row = dict[str, Any]
SHORT = 40
"""The lines of a short record."""


def shown(row: Row) -> set[tuple[str, ...]]:
    """Return what a record has examples of: rules of a game, and by the verb of a line its points
    and its refusal."""
    lines, expect = row["record"].splitlines(), row["expect"]
    table = [line for line in lines if line.startswith(("game ", "set ", "seat "))]
    (game, *_) = [line for line in table if line.startswith("game ")] or [""]
    found = {(game, *sorted(line for line in table if line.startswith("set ")))}
    found.add((game, str(sum(line.startswith("seat ") for line in table))))
    for number, line in enumerate(lines, 1):
        verb = line.lstrip("0123456789 ").partition(" ")[0]
        points = sorted(expect["lines"].get(str(number), {}).values())
        found.add((game, verb, str(expect.get("refused", {}).get(str(number))), str(points)))
    return found


@cache
def rows() -> dict[str, list[tuple[bool, Row]]]:
    """Return the records of each file, with whether each belongs to the ordinary run."""
    found = frozenset(games.names())
    known: set[tuple[str, ...]] = set()
    files: dict[str, list[tuple[bool, Row]]] = {}
    for path in FILES:
        files[path.stem] = []
        for text in path.read_text(encoding="utf-8").splitlines():
            row = json.loads(text)
            played = {
                line.split()[1] for line in row["record"].splitlines() if line.startswith("game ")
            }
            if played <= found:
                is_short = row["record"].count("\n") < SHORT
                new = shown(row) - known
                known |= new
                files[path.stem].append((is_short or bool(new), row))
    return files


def answered(record: str) -> list[Any]:
    """Return the referee's answer to each line of a record."""
    return list(replay.answers(record.splitlines(), keep_going=True, sentence=in_english))


@pytest.mark.parametrize("name", [path.stem for path in FILES])
def test_ordinary_records(name: str) -> None:
    check_all(row for is_ordinary, row in rows()[name] if is_ordinary)


@pytest.mark.slow
@pytest.mark.parametrize("name", [path.stem for path in FILES])
def test_other_records(name: str) -> None:
    check_all(row for is_ordinary, row in rows()[name] if not is_ordinary)


def check_all(chosen: Iterable[Row]) -> None:
    """Check records, and raise the errors of all that fail, each with the name of its record."""
    errors = []
    for row in chosen:
        try:
            check(row, answered(row["record"]))
        except (AssertionError, LookupError) as error:
            error.add_note(f"record {row['id']}")
            errors.append(error)
    if errors:
        raise ExceptionGroup("records with other points, refusals or scores", errors)


def check(row: Row, answers: list[Any]) -> None:
    """Raise AssertionError if answers differ from the record's expectations."""
    expect = row["expect"]
    refused = {str(a["line"]): a["error"]["code"] for a in answers if "error" in a}
    wanted = expect.get("refused", {})
    assert set(refused) == set(wanted)
    named = {line: code for line, code in wanted.items() if code is not None}
    assert {line: refused[line] for line in named} == named

    accepted = [a for a in answers if "move" in a and "error" not in a]
    earned = {}
    for answer in accepted:
        points: Counter[str] = Counter()
        for award in answer["awards"]:
            points[str(award["seat"])] += award["points"]
        if any(points.values()):
            earned[str(answer["line"])] = {s: p for s, p in points.items() if p}
    if expect["lines"] or "klaberjass" not in row["id"]:
        assert earned == expect["lines"]
    if expect["scores"] is not None:
        assert accepted[-1]["scores"] == expect["scores"]
    states = {str(a["line"]): a["state"] for a in accepted}
    for line, wanted in expect.get("state", {}).items():
        assert {name: states[line][name] for name in wanted} == wanted
    notes = {str(a["line"]): a["notes"] for a in accepted}
    for line, wanted in expect.get("notes", {}).items():
        assert notes[line] == wanted
    outcomes = [a["outcome"] for a in answers if "outcome" in a]
    wanted = {"winner": expect["winner"]} if "winner" in expect else {}
    wanted |= expect.get("outcome", {})
    assert {name: outcomes[-1][name] for name in wanted} == wanted
    assert "session" in answers[-1]
