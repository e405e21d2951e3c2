"""The rows of other games' levels follow from the current program."""

from __future__ import annotations

import pytest

from tools.bench import by_level, contracts


def test_every_form_of_a_game_is_measured() -> None:
    assert {(row.game, row.seats) for row in by_level.rows()} == set(by_level.FORMS)


@pytest.mark.parametrize(("name", "seats"), [("noddy", 2), ("klaberjass", 2), ("pinochle", 3)])
def test_a_deal_is_played_as_it_was(name: str, seats: int) -> None:
    kept = next(row for row in by_level.rows() if (row.game, row.seats) == (name, seats))
    again = by_level.measured(name, seats, kept.seed, kept.number, (kept.high, kept.low))
    assert again == kept


@pytest.mark.parametrize("level", contracts.LEVELS)
def test_most_contracts_are_made(level: int) -> None:
    kept = [row for row in contracts.rows() if row.level == level]
    assert contracts.contract(level, kept[0].seed, kept[0].number) == kept[0]
    assert 0.7 < sum(row.made for row in kept) / len(kept) < 0.95
