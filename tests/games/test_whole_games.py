"""Whole games of second referees, written from the rules without the product's code.

The stored records are exactly those that each referee writes, and fresh games from another seed
agree with the product. `tests/record/test_records.py` checks the stored records themselves.
"""

from __future__ import annotations

import json
from types import ModuleType

import pytest

from tests.games.belote import two_hands
from tests.games.belote import whole_games as belote
from tests.games.bezique import whole_games as bezique
from tests.games.costly_colours import whole_games as costly_colours
from tests.games.cribbage import five_card, penalised, singles, stinkhole
from tests.games.klaberjass import whole_games as klaberjass
from tests.games.noddy import whole_games as noddy
from tests.games.pinochle import whole_games as pinochle
from tests.record.test_records import VECTORS, answered, check

FRESH = 20
"""Games of each referee from another seed than that of the records."""
REFEREES = {
    "belote-games": belote,
    "belote-two": two_hands,
    "bezique-games": bezique,
    "costly-colours-games": costly_colours,
    "five-card-games": five_card,
    "klaberjass-games": klaberjass,
    "noddy-games": noddy,
    "penalties": penalised,
    "pinochle-games": pinochle,
    "singles": singles,
    "stinkhole": stinkhole,
}
"""By the name of their records in the vectors."""


@pytest.mark.parametrize("name", REFEREES)
def test_the_records_are_those_of_the_second_referee(name: str) -> None:
    stored = (VECTORS / f"records-{name}.jsonl").read_text("utf-8").splitlines()
    assert [json.loads(line) for line in stored] == REFEREES[name].records()
    assert len(stored) >= 60


@pytest.mark.slow
@pytest.mark.parametrize("referee", REFEREES.values(), ids=REFEREES)
def test_fresh_games_agree_with_the_second_referee(referee: ModuleType) -> None:
    for row in referee.records(FRESH, 7):
        check(row, answered(row["record"]))
