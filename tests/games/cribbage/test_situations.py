"""Complete deals and single situations of the vectors, and both values of every option."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from tests.games.cribbage.table import Table

VECTORS = Path(__file__).parents[2] / "vectors"
SITUATIONS = json.loads((VECTORS / "vectors_situations.json").read_text(encoding="utf-8"))


def deals() -> list[Any]:
    rows = []
    for name in ("public", "seeds"):
        text = (VECTORS / f"vectors_{name}.json").read_text(encoding="utf-8")
        rows += [row for row in json.loads(text)["vectors"] if row["type"].startswith("full_")]
    return [pytest.param(row, id=row["id"]) for row in rows]


@pytest.mark.parametrize("row", deals())
def test_a_whole_deal(row: dict[str, Any]) -> None:
    table = Table(row["players"], dealer=row["dealer"] + 1)
    table.read("deal")
    if row["type"] == "full_deal":
        keep = len(row["crib"]) // row["players"]
        for seat in range(row["players"]):
            discarded = row["crib"][seat * keep : seat * keep + keep]
            table.read(f"{seat + 1} hand {' '.join(row['hands'][str(seat)] + discarded)}")
        for seat in range(row["players"]):
            discarded = row["crib"][seat * keep : seat * keep + keep]
            table.read(f"{seat + 1} discard {' '.join(discarded)}")
    table.read(f"starter {row.get('starter', 'KD')}")
    for event in row["events"]:
        seat = event["p"] + 1
        if "card" in event:
            table.read(f"{seat} play {event['card']}")
            earned = [a for a in table.reports[-1].awards if a.reason != "last-card"]
            assert sum(award.points for award in earned) == event["points"], event
        elif event.get("go"):
            table.read(f"{seat} go")
    side = table.state.setup.side
    pegged = [0] * len(table.scores)
    for seat, points in row["pegged"].items():
        pegged[side(int(seat) + 1) - 1] += points
    assert list(table.scores) == pegged
    for show in row.get("shows", ()):
        verb = "show" if show["kind"] == "hand" else "crib"
        seat = show["p"] + 1
        assert table.points(f"{seat} {verb}").get(seat, 0) == show["points"]


@pytest.mark.parametrize("row", SITUATIONS["cribbage_game_result"], ids=str)
def test_what_a_game_is_worth(row: dict[str, Any]) -> None:
    five = row["target"] == 61
    options = {"skunk": "on" if row["skunk"] else "off"}
    if row["double_skunk"]:
        options["double_skunk"] = "on"
    name = "five-card-cribbage" if five else "cribbage"
    table = Table(2, game=name, dealer=None, **options)
    table.read(f"start {row['winner'] - 1} {row['loser']}; dealer 1; 1 peg 1")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.won[0], outcome.lost[1]) == (1, row["games"], row["games"])
    assert outcome.margin == {1: "game", 2: "skunk", 4: "double-skunk"}[row["games"]]


@pytest.mark.parametrize("row", SITUATIONS["cribbage_cut_for_deal"], ids=str)
def test_the_cut_for_deal(row: dict[str, Any]) -> None:
    table = Table(dealer=None, deal_draw=row["rule"])
    for seat, card in enumerate(row["draw"], 1):
        table.read(f"{seat} cut {card}")
    dealer = table.dealer
    if row["dealer"] == "redraw":
        assert (dealer, table.phase, table.turn) == (None, "cut", 1)
    else:
        assert dealer == row["dealer"] + 1


@pytest.mark.parametrize("row", SITUATIONS["cribbage_end_mid_count"], ids=lambda row: row["id"])
def test_the_end_in_mid_count(row: dict[str, Any]) -> None:
    table = Table(dealer=None)
    table.read("start " + " ".join(map(str, row["scores_before"])))
    table.read(f"dealer {row['dealer'] + 1}; deal")
    if "starter" in row:
        table.read(f"starter {row['starter']}")
    for kind, player, points in row.get("shows", ()):
        if table.winner is None:
            table.read(f"{player + 1} peg {points} {kind}")
    if "event" in row:
        table.read("1 peg 1 go")
    assert (table.winner, list(table.scores)) == (row["winner"] + 1, row["scores"])


def test_three_losers_lose_each_by_their_own_margin() -> None:
    table = Table(3, dealer=None, double_skunk="on")
    table.read("start 120 90 60; dealer 1; 1 peg 1")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert (outcome.won, outcome.lost, outcome.margin) == ((2, 0, 0), (0, 2, 4), "skunk")


CRIB = (
    "deal; starter KD; 2 play T; 1 play T; 2 play J; 1 go; 2 go; 1 play 2; 2 play 9; 1 play 9; "
    "2 play A; 1 play 4"
)


@pytest.mark.parametrize(("option", "flush"), [("five_only", 0), ("as_hand", 4)])
def test_the_flush_of_the_crib(option: str, flush: int) -> None:
    table = Table(crib_flush=option)
    table.read(CRIB)
    table.read("2 show TS JH 9C AD; 1 show TH 2S 9D 4C")
    reasons = {reason: points for reason, points, _ in table.reasons("1 crib 2H 6H 8H QH")}
    assert reasons.get("flush", 0) == flush


@pytest.mark.parametrize(("value", "points"), [("on", {2: 3}), ("off", {})])
def test_three_for_last(value: str, points: dict[int, int]) -> None:
    table = Table(game="five-card-cribbage", three_for_last=value)
    assert table.points("deal") == points
    assert table.points("misdeal") == {seat: -earned for seat, earned in points.items()}
    assert table.points("deal") == points, "once a game, and void with its deal"
    table.read("2 peg 1 go; 2 peg 0 hand; 1 peg 2 crib")
    assert table.points("deal") == {}


def test_the_dealer_put_right_moves_three_for_last() -> None:
    table = Table(game="five-card-cribbage")
    table.read("deal")
    assert table.points("dealer 2") == {2: -3, 1: 3}
    assert table.scores == (3, 0)


@pytest.mark.parametrize(
    ("rule", "dealer"), [("redraw", None), ("alternate", 2), ("loser", 2), ("winner", 1)]
)
def test_who_deals_the_next_game(rule: str, dealer: int | None) -> None:
    table = Table(dealer=None, next_game_dealer=rule)
    table.read("start 120 0; dealer 1; deal; 1 peg 1; game cribbage")
    assert table.dealer == dealer


def test_of_three_who_resigned_deals_as_the_loser() -> None:
    """Only the player who resigned has lost a game, and not a third player with fewer points."""
    table = Table(3, dealer=None, next_game_dealer="loser")
    table.read("start 30 5 9; dealer 2; deal; 1 resign; game cribbage")
    assert table.dealer == 1


@pytest.mark.parametrize(("cap", "score"), [("off", 129), ("on", 121)])
def test_the_final_score(cap: str, score: int) -> None:
    table = Table(dealer=None, cap_final_score=cap)
    table.read("start 100 0; dealer 2; 1 peg 29")
    assert table.scores == (score, 0)
    assert table.winner == 1


@pytest.mark.parametrize(("target", "over"), [("61", True), ("121", False)])
def test_the_target(target: str, over: bool) -> None:
    table = Table(dealer=None, target=target)
    table.read("start 60 0; dealer 1; 1 peg 1")
    assert table.record.position.over == over


def test_gos_are_implied_by_a_card_a_go_and_a_lead() -> None:
    table = Table(4)
    table.read("deal; starter 3; 2 play K; 3 play K; 4 play 9")
    assert table.points("3 go") == {}, "1 and 2 cannot have played"
    assert table.points("3 go") == {}, "said again, it changes nothing"
    assert table.points("1 play 5") == {4: 1}, "4 is silent, and 1 leads"
    assert table.turn == 2


def test_the_go_must_be_said_where_its_point_wins() -> None:
    table = Table(dealer=None)
    table.read("start 0 120; dealer 1; deal; starter 3; 2 play K; 1 play 9; 2 play 8")
    assert table.refused("1 play 7") == "go-unsaid"
    table.read("1 go")
    assert table.points("2 go") == {2: 1}
    assert table.winner == 2


def test_a_card_that_belies_a_go_is_noted() -> None:
    table = Table()
    table.read("deal; starter 3; 2 play K; 1 play 9; 2 play 8; 1 go; 2 go")
    report = table.read("1 play 2")
    assert [note.code for note in report.notes] == ["impossible-with-known-cards"]


def test_hands_known_fill_what_was_entered_by_rank() -> None:
    """A hand entered card by card was played by rank, and nothing is asked at the show."""
    table = Table()
    table.read("deal; 1 hand 5S 6S 7S 8S KD KH; 2 hand AH 2H 3H 4H QD QC")
    table.read("1 discard K K; 2 discard ? ?; starter 9S; 2 play 4; 1 play 5; 2 play 3; 1 play 6")
    table.read("2 play 2; 1 play 7; 2 play A; 1 go; 2 go; 1 play 8")
    assert ("flush", 4, "AH 2H 3H 4H") in table.reasons("2 show")
    assert ("flush", 5, "5S 6S 7S 8S 9S") in table.reasons("1 show")
    assert table.reasons("1 crib") == [("pair", 2, "QD QC"), ("pair", 2, "KD KH")]


def test_options_are_open_until_the_first_deal() -> None:
    table = Table(dealer=None)
    table.read("1 adjust +5; dealer 1; set skunk off; seat 2 Zoe")
    assert table.scores == (5, 0)
    table.read("deal")
    assert table.refused("set skunk on") == "too-late"


def test_the_cut_settles_whose_heels_and_crib_it_can_be() -> None:
    table = Table(dealer=None)
    table.read("1 cut KD; 2 cut 4C")
    assert table.refused("2 peg 2 heels") == "impossible-points"
    table.read("1 peg 2 heels")


def test_a_misdeal_leaves_the_deal_where_it_was() -> None:
    table = Table(dealer=None)
    table.read("start 5 0; dealer 1; deal; starter J; 2 play 7; 1 play 8")
    assert table.scores == (9, 0)
    assert table.points("misdeal") == {1: -4}
    assert table.refused("misdeal") == "no-deal"
    assert table.refused("2 peg 2 heels") == "impossible-points", "it is still the first's deal"
    table.read("1 adjust +1; deal; starter J")
    assert table.points("misdeal") == {1: -2}
    assert table.scores == (6, 0)
    table.read("deal; 1 adjust -6")
    assert table.points("misdeal") == {}, "a point taken back in the deal stays taken back"
    assert table.scores == (0, 0)


def test_a_go_holds_for_the_rest_of_the_series() -> None:
    """A player who said go at 26 and then plays a three has led the next series: last card is
    pegged."""
    table = Table(3)
    table.read("deal; starter 2; 2 play K; 3 play K; 1 play 6; 2 go")
    assert table.points("2 play 3") == {1: 1}
    assert table.turn == 3
    table = Table(3)
    table.read("deal; starter 2; 2 play K; 3 play K; 1 play 6; 2 go")
    assert table.points("1 play 3") == {}, "the third, who was due, cannot have played"
    assert table.points("2 play 2") == {1: 1}, "gone, she leads the next"
    table = Table(3)
    table.read("deal; starter 2; 2 play K; 3 play K; 1 play 6; 2 go; 3 go")
    assert table.refused("3 play 2") == "not-your-turn"


@pytest.mark.parametrize(("side", "refused"), [(1, False), (2, False), (3, True)])
def test_three_sides_reach_the_target_each_for_itself(side: int, refused: bool) -> None:
    """The third seat played the last card, so the go must be said only if its own side is at
    120."""
    table = Table(3, dealer=None)
    table.read("start " + " ".join("120" if n == side else "0" for n in (1, 2, 3)))
    table.read("dealer 3; deal; starter 3; 1 play K; 2 play 9; 3 play 8")
    if refused:
        assert table.refused("1 play 7") == "go-unsaid"
    else:
        assert table.points("1 play 7") == {3: 1}


def test_games_entered_alike_are_equal() -> None:
    one, two, other = Table(), Table(), Table(skunk="off")
    for table in (one, two, other):
        table.read("deal; starter 2; 2 play K")
    assert one.state == two.state
    assert one.state != other.state
    assert one.state.setup != Table(game="five-card-cribbage", target="121").state.setup


@pytest.mark.parametrize(
    ("answer", "points"),
    [
        ("no-flush no-nobs", 7),
        ("no-flush nobs", 8),
        ("nobs no-flush", 8),
        ("flush no-nobs", 7 + 4),
        ("flush5 nobs", 7 + 5 + 1),
        ("flush5", 7 + 5 + 1),
    ],
)
def test_what_is_said_of_suits_is_counted(answer: str, points: int) -> None:
    """5 6 7 J on a king: two fifteens and a run, whatever the suits."""
    table = Table()
    table.read("deal; starter KH")
    assert table.points(f"2 show 5 6 7 J {answer}") == {2: points}


@pytest.mark.parametrize("answer", ["flush nobs", "flush5 no-nobs"])
def test_what_suits_can_not_be_is_refused(answer: str) -> None:
    """In a flush with the starter the jack is of the starter's suit; in one without it is not."""
    table = Table()
    table.read("deal; starter KH")
    assert table.refused(f"2 show 5 6 7 J {answer}") == "contradicts"


@pytest.mark.parametrize(
    ("option", "answer", "points"),
    [
        ("five_only", "no-flush no-nobs", 0),
        ("five_only", "flush no-nobs", 0),
        ("five_only", "flush5 nobs", 6),
        ("as_hand", "no-flush nobs", 1),
        ("as_hand", "flush no-nobs", 4),
        ("as_hand", "flush5 nobs", 6),
    ],
)
def test_what_is_said_of_the_cribs_suits(option: str, answer: str, points: int) -> None:
    table = Table(crib_flush=option)
    table.read("deal; starter KH; 2 show 3 3 7 9")
    table.read("1 show 3 3 9 9")
    assert table.refusal("1 crib 2 4 6 J").fields["questions"] == ("flush", "nobs")
    assert table.points(f"1 crib 2 4 6 J {answer}") == ({1: points} if points else {})


def test_four_alike_are_entered_of_a_crib_and_earn_nothing() -> None:
    table = Table()
    table.read("deal; starter KH; 2 show 3 3 7 9; 1 show 3 3 9 9")
    assert table.refused("1 crib 2 4 6 8") == "suits-needed"
    assert table.points("1 crib 2 4 6 8 flush") == {}


def test_ranks_shown_of_a_hand_that_was_dealt_card_by_card_have_their_suits() -> None:
    table = Table()
    table.read("deal; 1 hand 2S 4S 6S 8S KS KH; starter 9D; 2 peg 1 go; 2 show 5 5 7 7")
    assert ("flush", 4, "2S 4S 6S 8S") in table.reasons("1 show 2 4 6 8")
    table = Table(dealer=2)
    table.read("deal; 2 hand 2S 4S 6S 8S KS KH; starter 9D; 1 peg 1 go; 1 show 5 5 7 7")
    assert ("flush", 4, "2S 4S 6S 8S") in table.reasons("2 show 2 4 6 8")
    table = Table()
    table.read("deal; 1 hand 2S 4S 6S 8S 8H KH; 1 discard 8H ?; starter 9D; 2 peg 1 go")
    table.read("2 show 5 5 7 7")
    assert ("flush", 4, "2S 4S 6S 8S") in table.reasons("1 show 2 4 6 8"), "it is the other eight"


def test_a_card_is_shown_by_one_player_alone() -> None:
    table = Table()
    table.read("deal; starter K; 2 show 5H 5S 6D 7C")
    assert table.refused("1 show 5H 2 3 4") == "card-twice"
