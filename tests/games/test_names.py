"""Other names of a game, and options that differ between tables."""

from __future__ import annotations

import pytest

from boardctl import games
from boardctl.record import notation
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


def test_who_has_reached_the_raised_target_alone_has_won() -> None:
    """The next deal used to be offered, but was refused because the game was over."""
    table = Table("pinochle", 2, dealer=None, both_reach="raise_250")
    table.read("start 900 990; dealer 1; deal; 1 peg 150; 1 count 230; 2 count 20")
    assert (table.scores, table.winner) == ((1280, 1010), 1)
    assert not table.record.position.prompt.asks


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


def test_the_card_exchanged_may_be_kept_out_of_the_meld() -> None:
    entered = (
        "deal; turnup KH; 2 hand {} AS 7H QH 9D 9C 8D 8C; 2 play AS; 1 play 7D; 2 seven exchange"
    )
    usual = Table("bezique", 2, 1)
    usual.read(entered.format("8S"))
    assert usual.points("2 meld KH QH") == {2: 40}

    table = Table("bezique", 2, 1, exchanged_card_melds="off")
    table.read(entered.format("8S"))
    assert table.refused("2 meld KH QH").code == "meld-exchanged"
    table.read("2 play 9D; 1 play 7D")
    assert table.points("2 meld KH QH") == {2: 40}, "a turn later it may"

    other = Table("bezique", 2, 1, exchanged_card_melds="off")
    other.read(entered.format("KH"))
    assert other.points("2 meld KH QH") == {2: 40}, "with the other king"

    named = Table("bezique", 2, 1, exchanged_card_melds="off")
    named.read(entered.format("KHa").replace("turnup KH;", "turnup KHb;"))
    assert named.refused("2 meld KHb QH").code == "meld-exchanged"
    assert named.points("2 meld KHa QH") == {2: 40}


def test_who_does_not_know_the_hand_cannot_refuse_the_meld() -> None:
    """One of the unseen cards may be the other king."""
    table = Table("bezique", 2, 1, exchanged_card_melds="off")
    table.read("deal; turnup KH; 2 play AS; 1 play 7D; 2 seven exchange")
    assert table.points("2 meld KH QH") == {2: 40}


def test_the_bottom_card_is_in_nobodys_hand() -> None:
    table = Table("klaberjass", 2, 2)
    table.read("deal; turnup TH")
    assert table.refused("bottom 9S").code == "bidding-first"
    table.read("1 bid take; 1 hand AS KS QS")
    assert table.refused("bottom AS").code == "card-twice"
    table.read("bottom 9S")
    assert table.refused("bottom 8S").code == "turned-already"
    assert table.refused("2 hand 9S").code == "card-twice"
    assert table.refused("1 play 9S").code == "not-in-hand"
    table.read("1 play AS")
    late = Table("klaberjass", 2, 2)
    late.read("deal; turnup TH; 1 bid take; 1 play AS")
    assert late.refused("bottom 9S").code == "deal-too-far"


def test_the_bottom_card_may_stay_hidden() -> None:
    table = Table("klaberjass", 2, 2, bottom_card="hidden")
    table.read("deal; turnup TH; 1 bid take")
    assert table.refused("bottom 9S").code == "bottom-hidden"
    assert all(ask.code != "bottom" for ask in table.record.position.prompt.asks)


CALLED = "deal; turnup KC; 1 play AS; 2 play TS"
"""Seat 1 leads and has 21 points in its first trick."""


def test_who_calls_out_with_his_tricks_has_won() -> None:
    table = Table("pinochle", 2, None, end="call_out")
    table.read(f"start 979 0; dealer 2; {CALLED}")
    assert table.points("1 out") == {1: 21}
    assert table.winner == 1
    table.read("1 adjust -100")
    assert not table.record.position.over
    assert table.points("1 seven exchange") == {1: 10}, "and the deal goes on"


def test_who_calls_out_wrongly_loses_unless_the_table_goes_on() -> None:
    for option, winner in (("loses", 2), ("goes_on", None)):
        table = Table("pinochle", 2, None, end="call_out", wrong_out=option)
        table.read(f"start 978 0; dealer 2; {CALLED}")
        (note,) = table.read("1 out").notes
        assert note.code == "called-out-wrongly"
        assert note.fields == {"seat": 1, "points": 999, "target": 1000}
        assert (table.winner, table.scores) == (winner, (978, 0))


def test_where_trick_points_are_rounded_those_called_out_are_too() -> None:
    table = Table("pinochle", 2, None, end="call_out", round_trick_points="nearest_10")
    table.read(f"start 980 0; dealer 2; {CALLED}")
    assert table.points("1 out") == {1: 20}
    assert table.winner == 1


def test_the_winner_of_a_trick_is_offered_to_call_out() -> None:
    for end, offered in (("call_out", True), ("deal_end", False)):
        table = Table("pinochle", 2, 2, end=end)
        table.read(CALLED)
        choices = table.record.position.prompt.asks[0].choices
        assert any(move.verb == "out" for move in choices) == offered


def test_calling_out_needs_its_option_and_tricks() -> None:
    table = Table("pinochle", 2, 2)
    table.read(CALLED)
    assert table.refused("1 out").code == "no-calling-out"
    entered = Table("pinochle", 2, 2, end="call_out")
    assert entered.refused("1 out").code == "no-deal"
    entered.read("deal; turnup KC; 1 meld KH QH")
    assert entered.refused("1 out").code == "tricks-not-told"
