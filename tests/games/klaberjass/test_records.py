"""Whole records of Klaberjass, with the required points of every line."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from boardctl.games import IllegalMove
from boardctl.record.position import close
from boardctl.record.record import Record

VECTORS = Path(__file__).parents[2] / "vectors"


def rows(name: str) -> list[Any]:
    """Return the records in a file that contain only Klaberjass."""
    lines = (VECTORS / f"records-{name}.jsonl").read_text(encoding="utf-8").splitlines()
    found = [json.loads(line) for line in lines]
    return [
        pytest.param(row, id=row["id"])
        for row in found
        if {line.split()[1] for line in row["record"].splitlines() if line.startswith("game ")}
        == {"klaberjass"}
    ]


def read(row: dict[str, Any], check_lines: bool) -> None:
    table, expected = Record(), row["expect"]
    refused = expected.get("refused", {})
    for number, line in enumerate(row["record"].splitlines(), 1):
        where = str(number)
        if where in refused:
            with pytest.raises(IllegalMove) as error:
                table.read(line)
            assert refused[where] in (None, error.value.code), line
            continue
        report = table.read(line)
        assert report is not None
        edits = line.split()[0] in ("undo", "redo", "amend", "insert")
        if check_lines and not edits:
            earned: dict[str, int] = {}
            for award in report.awards:
                earned[str(award.seat)] = earned.get(str(award.seat), 0) + award.points
            assert earned == expected["lines"].get(where, {}), line
    position = close(table.position).state
    assert list(position.scores) == expected["scores"]
    assert position.outcome is not None
    assert position.outcome.winner == expected["winner"]


@pytest.mark.parametrize("row", rows("klaberjass"))
def test_the_deals(row: dict[str, Any]) -> None:
    read(row, check_lines=False)


@pytest.mark.parametrize("name", ["full-klaberjass", "undo", "refused", "told"])
def test_the_games(name: str) -> None:
    found = rows(name)
    assert found
    for row in found:
        read(row.values[0], check_lines=True)
