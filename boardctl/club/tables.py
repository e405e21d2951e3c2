"""CSV export of an evening's standings, and CSV export and import of its rounds with results.

A file of rounds has the columns round, table, one, two, winner and spread. A bye has no table and
no second player, and an unplayed game has no winner.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Sequence
from typing import Final, NamedTuple

from boardctl.club.evening import GAME_HOLE, ClubRefusal, Draw, Standing
from boardctl.club.results import Meeting
from boardctl.record.history import csv_cell, of_csv_cell
from boardctl.record.names import spelled

COLUMNS: Final = ("round", "table", "one", "two", "winner", "spread")
LONGEST: Final = 4 << 20
"""The maximum number of characters in an imported file."""
MOST: Final = 20_000
"""The maximum number of lines in an imported file."""


class Row(NamedTuple):
    """A row in a file of rounds. A `table` of 0 means a bye."""

    round: int
    table: int
    one: str
    two: str
    winner: str
    spread: int


def write_standings(standings: Sequence[Standing]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(
        ("rank", "player", "games", "won", "skunks", "game points", "net spread", "plus points")
    )
    for s in standings:
        writer.writerow(
            (s.rank, csv_cell(s.name), s.games, s.won, s.skunks, s.points, s.net, s.plus)
        )
    return stream.getvalue()


def write_rounds(draws: Sequence[Draw], meetings: Sequence[Meeting]) -> str:
    stream = io.StringIO()
    writer = csv.writer(stream, lineterminator="\n")
    writer.writerow(COLUMNS)
    for number, drawn in enumerate(draws, 1):
        for met in (met for met in meetings if met.round == number):
            result = met.result
            outcome = ("", "") if result is None else (csv_cell(result.winner), result.spread)
            writer.writerow((number, met.table, csv_cell(met.one), csv_cell(met.two), *outcome))
        if drawn.bye is not None:
            writer.writerow((number, "", csv_cell(drawn.bye), "", "", ""))
    return stream.getvalue()


def read_rounds(content: str) -> tuple[Row, ...]:
    """Parse the rounds of a CSV file.

    Raises:
        ClubRefusal: `csv-unread`, with the line and the expected content.
    """
    reader = csv.reader(io.StringIO(content.removeprefix("\ufeff")))
    rows: list[Row] = []
    seen: set[tuple[int, str | int]] = set()
    try:
        for line, cells in enumerate(reader, 1):
            if line == 1:
                if tuple(cell.strip().lower() for cell in cells) != COLUMNS:
                    raise ClubRefusal("csv-unread", line=1, what=", ".join(COLUMNS))
                continue
            if line > MOST:
                raise ClubRefusal("csv-unread", line=line, what=f"{MOST} lines")
            if any(cell.strip() for cell in cells):
                rows.append(_row(line, [of_csv_cell(spelled(cell)) for cell in cells], seen))
    except csv.Error as error:
        raise ClubRefusal("csv-unread", line=reader.line_num, what=str(error)) from error
    if not rows:
        raise ClubRefusal("csv-unread", line=2, what=", ".join(COLUMNS))
    return tuple(rows)


def _row(line: int, cells: list[str], seen: set[tuple[int, str | int]]) -> Row:
    def wrong(what: str) -> ClubRefusal:
        return ClubRefusal("csv-unread", line=line, what=what)

    if len(cells) != len(COLUMNS):
        raise wrong(", ".join(COLUMNS))
    round_ = _number(cells[0], 63)
    if round_ is None:
        raise wrong("round 1–63")
    one, two, winner = cells[2:5]
    if not one:
        raise wrong("one")
    for name in filter(None, (one, two)):
        if (round_, name.casefold()) in seen:
            raise wrong(f"round {round_}, one, two ≠ {name}")
        seen.add((round_, name.casefold()))
    table = _number(cells[1], 10_000) if two else 0
    if table is None or (round_, table) in seen:
        raise wrong("table 1–10000" if table is None else f"round {round_}, table ≠ {table}")
    seen.add((round_, table))
    if not two:
        return Row(round_, 0, one, "", "", 0)
    if not winner:
        return Row(round_, table, one, two, "", 0)
    spread = _number(cells[5], GAME_HOLE)
    if winner not in (one, two) or spread is None:
        raise wrong(f"winner, spread 1–{GAME_HOLE}")
    return Row(round_, table, one, two, winner, spread)


def _number(cell: str, most: int) -> int | None:
    if not (cell.isascii() and cell.isdigit() and len(cell) <= 5 and 1 <= int(cell) <= most):
        return None
    return int(cell)
