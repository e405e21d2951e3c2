"""E1 to E20 of the rules: cases that a naive count gets wrong."""

from __future__ import annotations

from boardctl.games.cards import parse_card
from boardctl.games.cribbage import point_claims, show
from tests.games.cribbage.table import Table

BY_RANK = "deal; starter K"


def series(ranks: str, seats: int = 2) -> list[int]:
    """Return the points of each card of a series played alternately, known by rank; the first
    player leads."""
    table = Table(seats)
    table.read(BY_RANK)
    seat = 1
    points = []
    for rank in ranks:
        seat = seat % seats + 1
        points.append(sum(table.points(f"{seat} play {rank}").values()))
    return points


def total(hand: str, starter: str, *, crib: bool = False) -> int:
    cards = tuple(map(parse_card, hand.split()))
    return sum(item.points for item in show.count(cards, parse_card(starter), crib=crib))


def test_e1_three_fives_in_the_play_are_eight() -> None:
    assert series("555") == [0, 2, 8]


def test_e2_six_five_four_are_five() -> None:
    assert series("654") == [0, 0, 5]


def test_e3_a_pair_breaks_a_run_and_the_last_three_make_one() -> None:
    assert series("3445") == [0, 0, 2, 0]
    assert series("456654") == [0, 0, 5, 2, 0, 3]


def test_e4_ace_two_three_ace_scores_again() -> None:
    assert series("A23A") == [0, 0, 3, 3]


def test_e5_a_run_of_five_then_of_six() -> None:
    assert series("64325A") == [0, 0, 0, 5, 5, 6]
    assert series("643257") == [0, 0, 0, 5, 5, 6]


def test_e6_court_cards_of_different_rank_are_no_pair() -> None:
    assert series("KQ") == [0, 0]
    table = Table()
    table.read("deal; starter 2")
    assert table.each("2 play K; 1 play K; 2 play K") == [0, 2, 6]


def test_e7_thirty_one_is_two_and_not_one_more() -> None:
    table = Table()
    table.read("deal; starter 2; 2 play K; 1 play Q; 2 play 9; 1 go")
    assert table.reasons("2 play 2") == [("thirty-one", 2, "K Q 9 2")]
    table.read("1 play K; 2 play J; 1 play 9")
    assert table.reasons("1 play 2") == [("thirty-one", 2, "K J 9 2")]
    assert table.phase == "show", "as the very last card of the deal too"


def test_e8_after_go_one_may_pair_oneself() -> None:
    table = Table()
    table.read("deal; starter K; 2 play T; 1 play 9; 2 play 4; 1 go")
    assert table.each("2 play 4; 2 play 4") == [2, 8]


def test_e9_a_player_alone_earns_in_every_series() -> None:
    table = Table()
    table.read("deal; starter 3")
    assert table.each("2 play A; 1 play J; 2 play A; 1 play J; 2 play 2") == [0, 0, 0, 0, 0]
    assert table.each("1 go; 2 play 2") == [0, 3], "a pair, and last: she has no more"
    assert table.each("1 play 9; 1 play 9") == [0, 3]


def test_e10_the_next_series_is_led_from_the_makers_left() -> None:
    table = Table(4)
    table.read("deal; starter 3; 2 play K; 3 play K; 4 play A; 1 play K")
    assert table.turn == 2
    table.read("2 play 9; 3 play 9; 4 play 8; 1 go; 2 go; 3 go; 4 go")
    assert table.turn == 1


def test_e11_the_fourth_two_upon_a_seven_is_fourteen() -> None:
    assert series("72222") == [0, 0, 2, 6, 14]
    table = Table()
    table.read("deal; starter 3; 2 play K; 1 play K; 2 play K; 1 go; 2 go")
    assert table.each("1 play 7; 2 play 2; 1 play 2; 2 play 2; 1 play 2") == [0, 0, 2, 6, 15]


def test_e12_a_crib_of_four_suited_cards_is_no_flush() -> None:
    assert total("AH 3H 7H 9H", "KD", crib=True) == 0
    assert total("AH 3H 7H 9H", "KH", crib=True) == 5


def test_e13_three_suited_cards_and_the_starter_are_no_flush() -> None:
    assert total("AH 3H 7H 9S", "KH") == 0


def test_e14_a_starter_jack_is_heels_and_never_nobs() -> None:
    table = Table()
    table.read("deal")
    assert table.points("starter JH") == {1: 2}
    assert total("2H 4S 6D 8C", "JH") == 0
    assert total("JS JD JC 2H", "JH") == 12


def test_e15_heels_win_before_the_play() -> None:
    table = Table(dealer=None)
    table.read("start 119 100; dealer 1; deal; starter JD")
    assert table.winner == 1
    assert table.refused("2 play 5") == "game-over"


def test_e16_the_pone_out_at_the_show_stops_the_dealer() -> None:
    table = Table(dealer=None)
    table.read("start 100 95; dealer 1; deal; 1 hand 2S 4S 6S 8S AH AD; 2 hand 5S 5H 5D JC TS TD")
    table.read("1 discard AH AD; 2 discard TS TD; starter 5C; 2 play JC; 1 play 8S; 2 play 5S")
    table.read("1 play 6S; 2 go; 1 play 2S; 2 play 5H; 1 play 4S; 2 play 5D")
    assert table.points("2 show") == {2: 29}
    assert table.winner == 2
    assert table.refused("1 show") == "game-over"


def test_e17_four_of_a_kind_are_twelve() -> None:
    items = show.count(tuple(map(parse_card, ("9S", "9H", "9D", "9C"))), parse_card("KH"))
    assert [(item.reason, item.points) for item in items] == [("double-pair-royal", 12)]


def test_e18_some_scores_do_not_occur() -> None:
    assert set(range(30)) - point_claims.HAND == {19, 25, 26, 27}
    assert set(range(21)) - point_claims.FIVE_HAND == {16, 17, 18, 19}
    assert max(point_claims.FIVE_HAND) == 20


def test_e19_partners_see_one_score() -> None:
    table = Table(4)
    table.read("deal; starter 2; 2 play 7; 3 play 8; 4 play 8")
    assert table.scores == (2, 2)
    table.read("1 play 8")
    assert table.scores == (10, 2)


def test_e20_the_crib_of_three_has_a_card_nobody_chose() -> None:
    table = Table(3)
    table.read("deal; 1 hand 2S 4S 6S 8S TS; 2 hand 2H 4H 6H 8H TH; 3 hand 2D 4D 6D 8D TD")
    table.read("crib 5C; 1 discard TS; 2 discard TH; 3 discard TD; starter KC")
    plays = "2 play 8H; 3 play 8D; 1 play 8S; 2 play 6H; 3 go; 1 go; 2 go; 3 play 6D; 1 play 6S"
    table.read(plays)
    table.read("2 play 4H; 3 play 4D; 1 play 4S; 2 play 2H; 3 play 2D; 1 play 2S")
    table.read("2 show; 3 show; 1 show")
    assert table.reasons("1 crib")[0] == ("fifteen", 2, "5C TS")
    assert Table(2).refused("crib 5C") == "no-deal"
    two = Table(2)
    two.read("deal")
    assert two.refused("crib 5C") == "no-straight-card"
