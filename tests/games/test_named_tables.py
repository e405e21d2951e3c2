"""Named tables: every game offers some, and each can be chosen and played."""

from __future__ import annotations

import pytest

from boardctl import games
from boardctl.games import NamedTable
from boardctl.record.record import Record
from boardctl.text import options

TABLES = [(game, table) for game in games.names() for table in games.find(game).tables]


@pytest.mark.parametrize("game", games.names())
def test_every_game_offers_named_tables(game: str) -> None:
    tables = games.find(game).tables
    assert len(tables) >= 2
    assert len({table.name for table in tables}) == len(tables)
    assert len({frozenset(table.options) for table in tables}) == 1, "choosing one replaces another"
    chosen = [tuple(table.options.values()) for table in tables if not table.seats]
    assert len(set(chosen)) == len(chosen), "no two tables are the same"


@pytest.mark.parametrize(
    ("game", "table"), TABLES, ids=[f"{game}-{table.name}" for game, table in TABLES]
)
def test_a_named_table_can_be_chosen(game: str, table: NamedTable) -> None:
    for seats in table.seats or games.find(game).seats:
        record = Record()
        record.read(f"game {game}")
        for seat in range(1, seats + 1):
            record.read(f"seat {seat} P{seat}")
        for option, value in table.options.items():
            record.read(f"set {option} {value}")
        setup = record.position.setup
        assert setup is not None
        assert table.options.items() <= setup.options.items()
        record.read("dealer 1")
        record.read("deal")
    for language in ("en", "ja"):
        assert options.table(table.name, language) != table.name
    assert table.source
