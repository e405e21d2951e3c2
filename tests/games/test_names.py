"""Other names of a game, and options where tables differ."""

from __future__ import annotations

import pytest

from boardctl import games, notation
from tests.games.common import Table


@pytest.mark.parametrize("name", games.ALIASES)
def test_another_name_is_the_same_game(name: str) -> None:
    move = notation.parse(f"game {name.upper()}")
    assert move is not None
    assert move.name == "klaberjass"
    assert games.find(name) is games.find("klaberjass")


def test_the_same_dealer_after_four_passes() -> None:
    for option, dealer in (("next_dealer", 1), ("same_dealer", 2)):
        table = Table("klaberjass", 2, 2, passed_out=option)
        table.read("deal; 1 bid pass; 2 bid pass; 1 bid pass; 2 bid pass; deal")
        assert table.record.position.situation.dealer == dealer


def test_both_at_the_target_may_play_on() -> None:
    for option, winner in (("higher", 1), ("raise_250", None)):
        table = Table("pinochle", 2, dealer=None, both_reach=option)
        table.read("start 900 890; dealer 1; deal; 1 count 130; 2 count 120")
        assert table.winner == winner
    table.read("deal; 1 count 130; 2 count 120")
    assert table.scores == (1160, 1130)
    assert table.winner is None
    table.read("deal; 1 count 130; 2 count 120")
    assert table.winner is None, "both have reached 1250 too"


def test_the_dix_may_not_be_exchanged() -> None:
    table = Table("pinochle", 2, 1, seven_method="no_exchange")
    table.read("deal; turnup KS; 2 play AH; 1 play 9H")
    assert table.refused("2 seven exchange").code == "no-exchange"
    table.read("2 seven")
    assert table.scores == (0, 10)


def test_a_meld_may_need_a_card_from_the_hand() -> None:
    for option in ("off", "on"):
        table = Table("bezique", 2, 1, new_card_from_hand=option)
        table.read("deal; turnup 8H; 2 play ASa; 1 play 7D; 2 meld KSa KHa KDa KCa; 2 play ASb")
        table.read("1 play 7D; 2 meld QSa JDa; 2 play AHa; 1 play 7C")
        if option == "on":
            assert table.refused("2 meld KSa QSa").code == "meld-needs-new-card"
        else:
            assert table.points("2 meld KSa QSa") == {2: 20}


def test_points_of_a_tie_may_wait() -> None:
    for option, scores in (("lost", (60, 50 + 40)), ("carried", (60 + 50, 50 + 40))):
        table = Table("klaberjass", 2, 2, tie=option)
        table.read("deal; turnup TH; 1 bid take; 1 count 50; 2 count 50")
        assert table.scores == (0, 50)
        table.read("deal; turnup TH; 2 bid pass; 1 bid take; 1 count 60; 2 count 40")
        assert table.scores == scores
