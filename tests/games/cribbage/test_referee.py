"""The referee's memory between lines, and how one line's result depends on another."""

from __future__ import annotations

import pytest

from boardctl.games import IllegalMove, Move, find
from boardctl.games.cards import parse_card
from boardctl.games.common.to_31 import playable
from boardctl.games.cribbage.rules import Cribbage
from tests.games.cribbage.table import DEALT, Table

TENS = "deal; starter K; 2 play T; 1 play T; 2 play T; 1 go; 2 go"
"""A first series of three tens, with its last card pegged."""
ROUND = "1 peg 30; 2 peg 30"
"""A dealer's hand and crib together, for each player in turn: two deals."""


def said(table: Table) -> list[str]:
    """Return the codes of the sentences about the last line."""
    return [note.code for note in table.scoreboard.readouts if note.code.startswith("said")]


# The games


def test_a_verb_of_another_game_is_refused_by_the_referee_too() -> None:
    table = Table()
    with pytest.raises(IllegalMove) as refused:
        find("cribbage").play(table.state, Move("trump", seat=1))
    assert refused.value.code == "not-in-this-game"
    assert refused.value.fields == {"verb": "trump", "game": "cribbage"}


def test_five_card_is_for_two() -> None:
    assert Cribbage(five=True).seats == (2,)
    assert Cribbage().seats == (2, 3, 4)


# The owner of the deal


def test_before_the_first_deal_points_are_the_dealers_whom_the_table_named() -> None:
    table = Table(dealer=2)
    assert table.refused("1 peg 2 heels") == "impossible-points"
    table.read("dealer 1; 1 peg 2 heels")


def test_the_next_game_begins_with_the_dealer_that_the_last_one_determines() -> None:
    table = Table(next_game_dealer="alternate")
    table.read("deal; 1 resign; game cribbage")
    assert table.dealer == 2
    assert table.refused("1 peg 2 heels") == "impossible-points"
    table.read("2 peg 2 heels")


def test_a_dealer_named_between_deals_deals_next() -> None:
    table = Table()
    table.read("deal; 2 peg 4 hand; 1 peg 8 show; dealer 1; deal")
    assert table.dealer == 1
    table.read("2 peg 4 hand; 1 peg 8 show; deal")
    assert table.dealer == 2


def test_a_dealer_named_in_the_first_deal_is_the_first_dealer() -> None:
    table = Table()
    table.read("deal; dealer 2")
    assert find("cribbage").first_dealer(table.state) == 2
    table.read("2 peg 30; deal")
    assert table.dealer == 1


def test_three_for_last_goes_to_the_other_where_the_dealer_is_set_right() -> None:
    table = Table(game="five-card-cribbage")
    assert table.reasons("deal") == [("three-for-last", 3, "")]
    assert table.reasons("dealer 2") == [("correction", -3, ""), ("three-for-last", 3, "")]
    assert table.scores == (3, 0)


def test_the_deal_goes_on_from_whom_the_points_name() -> None:
    table = Table()
    table.read(f"deal; {ROUND}; deal")
    assert table.dealer == 1, "the second deal was entered by its points alone"


def test_until_the_next_deal_it_is_the_dealers_whose_deal_was_said() -> None:
    table = Table()
    table.read(f"deal; {ROUND}")
    assert table.dealer == 1


def test_a_deal_without_its_word_is_counted() -> None:
    table = Table()
    table.read("2 peg 4")
    sheet = table.state.sheet
    assert (sheet.deals, sheet.first_dealer) == (1, 1)
    table.read(f"{ROUND}; 1 peg 2")
    assert table.state.sheet.first_dealer == 1


def test_a_dealer_named_again_deals_once_more_and_not_twice() -> None:
    table = Table()
    table.read("1 peg 30; dealer 1; 1 peg 30; deal")
    assert table.dealer == 2


def test_the_word_deal_leaves_no_other_reading() -> None:
    table = Table()
    table.read("deal; 2 peg 2; deal")
    assert table.refused("1 peg 30") == "impossible-points"


def test_after_a_misdeal_nothing_of_the_deal_is_over() -> None:
    table = Table()
    table.read("deal; 2 peg 4; misdeal; 1 peg 2 heels")
    assert table.scores == (2, 0)


def test_a_misdeal_leaves_what_was_set_right_meanwhile() -> None:
    table = Table(dealer=None)
    table.read("start 5 7; dealer 1; deal; 2 peg 4; 2 adjust +3; misdeal")
    assert table.scores == (5, 10)


def test_a_score_set_right_may_have_been_the_first_of_a_deal() -> None:
    table = Table()
    assert table.refused("2 peg 2 heels") == "impossible-points"
    table.read("2 adjust +5; 2 peg 2 heels")


# The points of a line, and their reason


def test_each_award_names_its_reason_and_its_cards() -> None:
    table = Table()
    table.read("deal")
    assert table.reasons("starter JH") == [("heels", 2, "JH")]
    table.read("2 play T; 1 play T; 2 play 9; 1 go")
    assert table.reasons("2 go") == [("last-card", 1, "9")]
    assert table.reasons("1 peg 0 play") == []
    assert table.reasons("1 peg 2 play") == [("told", 2, "")]
    table = Table()
    table.read(f"{TENS}; 1 play 9; 2 play 9; 1 play 8; 2 play 5")
    assert table.reasons("1 play 3") == [("last-card", 1, "3")]
    table = Table()
    table.read("deal; starter K; 2 play T; 1 play J; 2 play 9")
    assert table.reasons("1 play K") == [("last-card", 1, "9")], "of the series that it ends"


def test_no_last_card_after_the_card_that_wins() -> None:
    won = [("fifteen", 2, "7 8")]
    for scores, earned in (("116 100", won), ("115 100", [*won, ("last-card", 1, "8")])):
        table = Table(dealer=None)
        table.read(f"start {scores}; dealer 1; {TENS}; 1 play J; 2 play K; 1 play T; 2 go; 1 go")
        table.read("2 play 7")
        assert table.reasons("1 play 8") == earned


def test_points_without_a_reason_are_of_a_play_that_nobody_entered() -> None:
    table = Table()
    table.read("deal; 2 peg 2; 2 hand 5H 5S 6S 7S 9C TC; 2 discard 9C TC; starter KD")
    assert table.points("2 show") == {2: 12}


def test_a_crib_may_follow_a_play_entered_by_points() -> None:
    for hand in ("2 peg 0 hand", "2 show 2 4 6 8 no-flush"):
        table = Table()
        table.read("deal; starter K; 2 peg 2 play")
        assert table.refused("1 crib 2 4 6 8 no-flush") == "out-of-order", "the pone's hand first"
        table.read(hand)
        assert table.points("1 crib 2 4 6 8 no-flush") == {}
        assert table.phase == "deal"


def test_what_was_said_of_a_card_is_not_said_of_the_next_deal() -> None:
    table = Table()
    table.read(f"deal; 1 peg 2 heels; {TENS.replace('deal; starter K', 'starter J')}")
    table.read("1 play 9; 2 play 9; 1 play 8; 2 play 5; 1 play 3; deal")
    assert not said(table)


# Claims


def test_with_muggins_off_the_table_says_what_is_true() -> None:
    table = Table()
    table.read("deal; starter K; 2 play 7; 1 play 8 = 4")
    assert said(table) == ["said"]


def test_a_claim_pegs_what_was_said_and_nothing_for_nothing() -> None:
    table = Table(muggins="full")
    table.read("deal; starter K; 2 play 7")
    assert table.reasons("1 play 8 = 3") == [("told", 3, "")]
    assert table.reasons("2 play 8 = 0") == []


def test_a_claim_is_as_high_as_a_hand_can_be() -> None:
    five = Table(game="five-card-cribbage", muggins="full")
    five.read("deal; starter K; 2 peg 2 play; 2 peg 0 hand")
    assert five.refused("1 crib 2 4 6 8 no-flush = 30") == "claim-too-high"
    five.read("1 crib 2 4 6 8 no-flush = 29")
    table = Table(muggins="full")
    table.read("deal; starter K; 2 peg 2 play; 2 show 2 4 6 8 no-flush = 29")


def test_a_claim_wins_only_where_it_is_what_reaches_the_target() -> None:
    table = Table(dealer=None, muggins="full")
    table.read("start 100 120; dealer 1; deal; starter K; 2 play 7; 1 play 7; 2 play 8 = 2")
    assert table.winner is None, "it was 120 and is 122, unless somebody calls"
    assert table.refused("1 play 8") == "game-over"
    table = Table(dealer=None, muggins="full")
    table.read("start 100 118; dealer 1; deal; starter K; 2 play 7; 1 play 7; 2 play 7 = 2")
    table.read("2 adjust +1")
    assert table.winner == 2, "what was set right wins at once, whatever claim is open"


def test_what_the_known_cards_forbid_is_noted_of_a_claim_too() -> None:
    table = Table(muggins="full")
    table.read("deal; starter K; 2 play T; 1 play T; 2 play 5; 1 go")
    (note,) = table.read("2 play 2 = 1; 1 play 4 = 0").notes[-1:]
    assert (note.code, note.fields["seat"]) == ("impossible-with-known-cards", 1)


def test_what_is_still_open_may_be_called_when_the_game_is_won() -> None:
    table = Table(dealer=None, muggins="full")
    table.read("start 120 100; dealer 1; deal; starter 2; 2 play K; 1 play Q; 2 play K = 2")
    table.read("1 go; 2 go = 0; 1 muggins")
    assert table.winner == 1, "by the last card that went unclaimed"
    assert table.refused("2 peg 1") == "game-over"
    assert table.reasons("1 muggins") == [("correction", -2, ""), ("muggins", 2, "")]
    assert table.refused("1 muggins") == "game-over"


def test_after_a_call_nothing_more_is_said_of_the_card() -> None:
    table = Table(muggins="full")
    table.read("deal; starter K; 2 play 7; 1 play 8 = 1")
    assert said(table)
    table.read("2 muggins")
    assert not said(table)


# The winner


def test_a_last_card_that_nobody_said_may_bring_all_but_the_win() -> None:
    for score, code in ((119, None), (120, "go-unsaid")):
        table = Table(dealer=None)
        table.read(f"start 0 {score}; dealer 1; deal; starter K; 2 play T; 1 play 7; 2 play J")
        if code:
            assert table.refused("1 play 5") == code
        else:
            assert table.points("1 play 5") == {2: 1}


def test_the_winner_stays_whatever_is_set_right_afterwards() -> None:
    table = Table(3, dealer=None)
    table.read("start 119 90 80; dealer 1; deal; 1 peg 2 heels; 2 adjust +40")
    assert table.scores == (121, 130, 80)
    assert table.winner == 1


def test_where_the_winner_falls_back_the_highest_has_won() -> None:
    table = Table(3, dealer=None)
    table.read("start 119 90 80; dealer 1; deal; 1 peg 2 heels; 2 adjust +40; 3 adjust +45")
    table.read("1 adjust -20")
    assert table.winner == 2
    table.read("2 adjust -60; 3 adjust -60")
    assert table.winner is None


# Cards, fully known or in part


def test_hands_entered_by_rank() -> None:
    for other in ("A 3 5 7 Q Q", "AH 3H 5H 7H QD QC"):
        table = Table()
        table.read(f"deal; 1 hand 2 4 6 8 K K; 2 hand {other}; starter 9; 2 play A; 1 play 2")


def test_of_a_hand_known_card_by_card_two_are_laid_away_by_rank() -> None:
    table = Table()
    table.read(f"{DEALT}; 1 discard 4 8")
    table.read("2 discard QD QC; starter 9D; 2 play 7H; 1 play 6S; 2 play 5H; 1 play KS; 2 play AH")
    assert table.refusal("1 go").fields == {"seat": 1, "count": 29}, "the deuce was kept"


def test_what_was_not_entered_may_be_any_card() -> None:
    table = Table()
    table.read("deal; 2 hand AH 3H 5H; 1 discard ? ?; starter 9D; 2 play AH; 1 play KC; 2 play 7D")
    table = Table()
    table.read("deal; 2 hand AH 3H 5H; starter 9D; 2 play 7D")


def test_hands_may_be_entered_without_what_was_laid_away() -> None:
    table = Table()
    table.read("deal; 1 hand 2S 4S 6S; 1 hand 8S KS KH; 2 hand AH 3H 5H 7H QD QC; starter 9D")
    table.read("2 play 7H; 1 play 8S; 2 play 5H; 1 play 6S")
    assert table.refused("2 play 9H") == "not-held"


def test_a_straight_card_entered_by_rank() -> None:
    hands = "1 hand 2S 4S 6S 8S TS; 2 hand 2H 4H 6H 8H TH; 3 hand 2D 4D 6D 8D TD"
    table = Table(3)
    table.read(f"deal; {hands}; crib 5; 1 discard TS; 2 discard TH; 3 discard TD; starter KC")
    assert table.refused("2 play 5C") == "not-held"
    table = Table(3)
    table.read("deal; crib 5C")
    refused = table.refusal("crib 6C")
    assert (refused.code, refused.fields) == ("told-already", {"what": "crib"})


def test_a_discard_by_rank_takes_no_other_card() -> None:
    """AS is the first card of the pack."""
    hands = "1 hand AS 4S 6S 8S TS; 2 hand 2H 4H 6H 8H TH; 3 hand 2D 4D 6D 8D TD"
    table = Table(3)
    table.read(f"deal; {hands}; crib 5C; 1 discard T; 2 discard TH; 3 discard TD; starter KC")
    table.read("2 play 8H; 3 play 8D; 1 play AS")


def test_a_card_played_by_rank_is_the_one_of_that_rank() -> None:
    hands = "1 hand 2S 4S 6S 8S KS KH; 2 hand AS 3H 5H 7H QD QC"
    table = Table()
    table.read(f"deal; {hands}; 1 discard KS KH; 2 discard QD QC; starter 9D; 2 play 7; 1 play 8")
    assert table.refused("2 play 7") == "not-held"
    table.read("2 play 5; 1 play 6; 2 play 3")
    assert table.count == 29
    table.read("1 play 2; 2 play A")


@pytest.mark.parametrize(("first", "then"), [("AH", "AS"), ("AS", "AH")])
def test_which_of_two_was_played_by_rank_stays_open(first: str, then: str) -> None:
    hands = f"1 hand 2S 4S 6S 8S KS KH; 2 hand {first} {then} 3H 5H QD QC"
    table = Table()
    table.read(f"deal; {hands}; 1 discard KS KH; 2 discard QD QC; starter 9D; 2 play A; 1 play 2S")
    table.record.try_out(Move("play", 2, (parse_card(first),)))
    table.read(f"2 play {then}; 1 play 4S")
    assert table.refused(f"2 play {first}") == "not-held"


# Gos


def test_a_go_is_refused_for_whoever_is_known_to_be_able() -> None:
    table = Table()
    table.read("deal; 1 hand 2S 4S 6S 8S KS KH; 1 discard KS KH; starter 9D")
    table.read("2 play T; 1 play 8S; 2 play 5; 1 play 4S")
    assert table.refusal("1 go").fields == {"seat": 1, "count": 27}


def test_whoever_has_no_cards_may_always_say_go() -> None:
    table = Table()
    table.read(f"{TENS}; 1 play 9; 2 play 9; 1 play 8; 2 play 5; 1 play 3; 2 show; 1 show no-flush")
    assert table.points("1 go") == {}
    table.read("1 crib 2 4 6 8 no-flush")
    assert table.points("1 go") == {}


def test_after_a_go_a_card_that_would_have_fitted_is_noted() -> None:
    """A go at 26 states that the player holds nothing up to 5."""
    table = Table()
    table.read("deal; starter K; 2 play T; 1 play T; 2 play 6; 1 go")
    assert table.read("2 play 2").notes == (), "who said no go said nothing"
    (note,) = table.read("1 play 5").notes
    assert note.code == "impossible-with-known-cards"
    assert {name: str(field) for name, field in note.fields.items()} == {"seat": "1", "card": "5"}
    assert table.read("2 play 4").notes == ()
    assert table.read("1 play A").notes == (), "it is noted once"


def test_a_player_can_play_what_the_hand_holds() -> None:
    """All cards are known by rank, so none of them can be an unseen card."""
    table = Table()
    table.read("deal; 2 hand A 3 5 7 Q Q; 2 discard 7 Q; starter 9")
    state = table.state
    assert state.deal is not None
    assert "".join(str(card) for card in playable(state.deal, 2)) == "A35Q"
