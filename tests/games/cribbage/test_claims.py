"""Claims and muggins: pegged points, hidden values, permitted callers, and the end of a window."""

from __future__ import annotations

import json
from collections import Counter
from itertools import product
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.record import replay
from boardctl.text import in_english
from tests.chance import examples
from tests.games.cribbage.claimed import ClaimedGame
from tests.games.cribbage.table import Table
from tests.report import LongRun

SITUATIONS = json.loads(
    (Path(__file__).parents[2] / "vectors" / "vectors_situations.json").read_text(encoding="utf-8")
)


def table(muggins: str, *scores: int) -> Table:
    found = Table(muggins=muggins, dealer=None)
    if scores:
        found.read("start " + " ".join(map(str, scores)))
    found.read("dealer 1; deal; starter 5")
    return found


def closed(found: Table) -> int | None:
    """Return the winner, after the next game has closed the windows."""
    found.read("game cribbage")
    return found.record.position.finished[-1].winner


def notes(found: Table) -> list[dict[str, Any]]:
    return [{"code": note.code, **note.fields} for note in found.reports[-1].notes]


def test_off_pegs_the_truth_and_notes_the_difference() -> None:
    found = table("off")
    found.read("2 play 7")
    assert found.points("1 play 8 = 4") == {1: 2}
    assert notes(found) == [{"code": "claim-differs", "said": 4, "true": 2}]
    assert found.refused("2 muggins") == "no-claim-open"


@pytest.mark.parametrize("muggins", ["underclaim", "full"])
def test_an_under_claim_is_taken(muggins: str) -> None:
    found = table(muggins)
    found.read("2 play 6; 1 play 5")
    assert found.points("2 play 4 = 3") == {2: 3}
    assert notes(found) == []
    assert found.reasons("1 muggins") == [("muggins", 2, "")]
    assert notes(found) == [{"code": "claim-differs", "said": 3, "true": 5}]
    assert found.scores == (2, 3)
    assert found.refused("1 muggins") == "no-claim-open"


def test_a_point_short_is_a_point_for_the_caller() -> None:
    found = table("underclaim")
    found.read("2 play 6; 1 play 5; 2 play 4 = 4")
    assert found.points("1 muggins") == {1: 1}


def test_a_true_claim_closes_without_a_word() -> None:
    found = table("full")
    found.read("2 play 7; 1 play 8 = 2; 2 play K")
    assert notes(found) == []
    assert found.refused("2 muggins") == "no-claim-open"


def test_the_next_game_closes_the_window() -> None:
    found = table("full")
    found.read("2 play 7; 1 play 8 = 0; game cribbage")
    assert notes(found) == [{"code": "claim-differs", "said": 0, "true": 2}]


def test_the_next_deal_closes_the_window() -> None:
    found = Table(muggins="full")
    found.read("deal; starter 5; 2 show 6 6 7 7; 1 show 6 8 8 T; 1 crib 2 2 4 4 = 9")
    assert notes(found) == []
    found.read("deal")
    assert notes(found) == [{"code": "claim-differs", "said": 9, "true": 8}]
    assert found.refused("2 muggins") == "no-claim-open"


def test_a_misdeal_closes_the_window() -> None:
    found = table("full")
    found.read("2 play 7; 1 play 8 = 0; misdeal")
    assert found.refused("2 muggins") == "no-claim-open"


def test_an_over_claim_is_set_right() -> None:
    found = table("underclaim")
    found.read("2 play 7; 1 play 8 = 4")
    assert found.points("2 muggins") == {1: -2}
    assert found.reports[-1].awards[0].reason == "correction"
    found = table("full")
    found.read("2 play 7; 1 play 8 = 4")
    assert found.reasons("2 muggins") == [("correction", -2, ""), ("muggins", 2, "")]
    assert found.scores == (2, 2)


def test_points_said_must_be_the_true_difference() -> None:
    found = table("full")
    found.read("2 play 6; 1 play 5; 2 play 4 = 3")
    assert found.points("1 muggins 3") == {}
    assert notes(found) == []
    assert found.points("1 muggins 2") == {1: 2}


def test_a_call_on_a_true_claim_does_nothing_and_leaves_it_open() -> None:
    found = table("full")
    found.read("2 play 7; 1 play 8 = 2")
    assert found.points("2 muggins") == {}
    assert found.points("2 muggins") == {}
    assert found.refused("1 muggins") == "own-claim"
    found.read("2 play 5")
    assert found.refused("2 muggins") == "no-claim-open"


def test_the_window_closes_with_the_next_card_and_is_left_open_by_a_go() -> None:
    found = table("full")
    found.read("2 play K; 1 play Q; 2 play K = 2; 1 go")
    assert found.points("1 muggins") == {2: -2, 1: 2}
    found = table("full")
    found.read("2 play K; 1 play Q; 2 play K = 2; 1 go; 2 go")
    assert found.scores == (0, 3), "the go's own point was pegged"
    found.read("1 play 9")
    assert notes(found) == [{"code": "claim-differs", "said": 2, "true": 0}]
    assert found.scores == (0, 3), "uncalled, it stands"
    assert found.refused("1 muggins") == "no-claim-open"


def test_partners_are_one_side() -> None:
    found = Table(4, muggins="full")
    found.read("deal; starter 5; 2 play 7; 3 play 8 = 0")
    assert found.refused("1 muggins") == "own-claim"
    assert found.points("4 muggins") == {4: 2}


def test_a_claim_beyond_the_rules_is_refused() -> None:
    found = table("full")
    found.read("2 play 7")
    assert found.refused("1 play 8 = 30") == "claim-too-high"
    five = Table(game="five-card-cribbage", muggins="full")
    five.read("deal; starter 5; 2 play 7; 1 play 8; 2 play 9; 1 go")
    assert five.refused("2 show 7 9 K = 21") == "claim-too-high"


def test_a_claim_on_a_go_whose_point_is_anothers_is_refused() -> None:
    for muggins in ("off", "full"):
        found = table(muggins)
        found.read("2 play T; 1 play T; 2 play T; 1 go")
        assert found.points("2 go = 1") == {2: 1}
        found.read("1 play 9; 2 play 9; 1 play 8; 2 play 4")
        assert found.refused("1 go = 1") == "claim-not-yours"
        assert found.refused("1 go = 0") == "claim-not-yours"
        assert found.points("1 go") == {2: 1}


def test_a_claim_that_reaches_the_target_wins_when_its_window_closes() -> None:
    found = table("full", 119, 100)
    found.read("2 play 7; 1 play 8 = 2")
    assert found.winner is None
    assert found.record.position.situation.phase == "play"
    assert found.refused("2 play K") == "game-over"
    found.read("game cribbage")
    assert found.record.position.finished[0].winner == 1


def test_an_over_claim_that_reached_the_target_is_taken_back() -> None:
    found = table("full", 119, 100)
    found.read("2 play 7; 1 play 9 = 2")
    assert found.points("2 muggins") == {1: -2, 2: 2}
    assert found.scores == (119, 102)
    assert found.points("2 play A") == {}


def test_the_shortfall_may_win_for_the_caller() -> None:
    found = table("underclaim", 100, 119)
    found.read("2 play 7; 1 play 8 = 0")
    assert found.points("2 muggins") == {2: 2}
    assert found.winner == 2


def test_the_truth_is_nowhere_to_be_seen() -> None:
    """Two tables with the same claims look the same, though only one of the claims is true."""
    seen = []
    for card in ("8", "9"):
        found = table("full")
        found.read(f"2 play 7; 1 play {card} = 2")
        position = found.record.position
        board = found.scoreboard
        seen.append((
            [award._replace(cards=()) for award in found.reports[-1].awards],
            found.reports[-1].notes,
            position.scores,
            [ask for ask in position.prompt.asks if ask.code == "muggins"],
            [note for note in board.readouts if note.code not in ("count", "said")],
        ))  # fmt: skip
    assert seen[0] == seen[1]


def test_the_window_closes_with_the_record() -> None:
    lines = "game cribbage;seat 1 A;seat 2 B;set muggins full;start 119 0;dealer 1;deal;starter 5;"
    lines += "2 play 7;1 play 8 = 2"
    answers = list(replay.answers(lines.split(";"), keep_going=False, sentence=in_english))
    assert answers[-2]["outcome"]["winner"] == 1
    assert answers[-1]["session"]["won"] == [2, 0]


@pytest.mark.parametrize("row", SITUATIONS["cribbage_muggins"], ids=lambda row: str(row["id"]))
def test_muggins_situation(row: dict[str, Any]) -> None:
    """The rows of the vectors, each reproduced by cards with the given points."""
    caller = row.get("muggins_by")
    owner = row["player"] + 1
    other = 3 - owner
    found = Table(muggins=row["mode"], dealer=None)
    if "scores_before" in row:
        found.read("start " + " ".join(map(str, row["scores_before"])))
    found.read(f"dealer {other}; deal")
    before = found.scores
    claim = "" if row["claimed"] is None else f" = {row['claimed']}"
    if row["phase"] == "play":
        found.read(f"starter K; {owner} play 6; {other} play 5; {owner} play 4{claim}")
    else:
        starter, cards = {4: ("9", "6 7 T 2"), 8: ("2", "5 K K T"), 12: ("4", "4 4 T A")}[
            row["actual"]
        ]
        found.read(
            f"starter {starter}; {owner} show {cards}{claim}"
            if len(set(cards.split())) < 4
            else f"starter {starter}; {owner} show {cards} no-flush{claim}"
        )
    if caller is not None:
        found.read(f"{caller + 1} muggins")
    elif claim:
        found.read(f"{other} peg 0")
    if "delta" in row:
        assert [now - then for now, then in zip(found.scores, before, strict=True)] == row["delta"]
    if "scores_after" in row:
        assert list(found.scores) == row["scores_after"]
        assert found.winner == row["game_over_winner"] + 1


@pytest.mark.parametrize("muggins", ["underclaim", "full"])
@pytest.mark.parametrize(("said", "call"), [(5, "2 muggins"), (5, "2 muggins 2"), (3, "")])
def test_true_points_were_there_first(muggins: str, said: int, call: str) -> None:
    """Ann, on 118 to 120, makes a run of three; Bob, on 119 or 120, calls her over-claim. Her three
    points had reached the goal before his call."""
    for own, other in product((118, 119, 120), (119, 120)):
        found = table(muggins, own, other)
        found.read(f"2 play 7; 1 play 6; 2 play 9; 1 play 8 = {said}")
        if call:
            found.read(call)
        assert closed(found) == 1


def test_the_last_point_of_an_over_claim_was_there_first() -> None:
    """Ann needs one point. Her pair has two, and she claims three."""
    found = table("full", 120, 120)
    found.read("2 play 7; 1 play 7 = 3; 2 muggins")
    assert closed(found) == 1


def test_the_claimant_in_seat_two_was_there_first() -> None:
    found = Table(muggins="full", dealer=None)
    found.read("start 119 119; dealer 1; deal; starter 5; 2 play 7; 1 play 6")
    found.read("2 play 8 = 5; 1 muggins")
    assert found.scores == (121, 122)
    assert found.winner == 2
    found = Table(muggins="full", dealer=None)
    found.read("start 119 118; dealer 1; deal; starter 5; 2 play 7; 1 play 6")
    found.read("2 play 8 = 6; 1 muggins")
    assert found.scores == (121, 121)
    assert found.winner == 2


@pytest.mark.parametrize(
    ("lines", "scores"),
    [
        ("2 play T = 4; 1 muggins", (102, 121)),
        ("2 play T; 2 adjust +4", (100, 121)),
    ],
)
def test_a_capped_score_stops_at_the_target_however_it_was_reached(
    lines: str, scores: tuple[int, ...]
) -> None:
    table = Table(dealer=None, cap_final_score="on", muggins="full")
    table.read("start 100 120; dealer 2; deal; starter KH; 1 play 5")
    for line in lines.split("; "):
        table.read(line)
    assert table.scores == scores
    assert table.winner == 2


@pytest.mark.parametrize(
    ("calls", "winner"), [("", 2), ("1 muggins", 1), ("2 muggins", 2), ("1 muggins; 2 muggins", 0)]
)
def test_of_two_claims_that_reach_the_target_the_first_wins(calls: str, winner: int) -> None:
    """Bob claims a card, then Ann her go; both claims are false, and neither wins while it may be
    called."""
    found = Table(muggins="underclaim", dealer=None)
    found.read("start 120 118; dealer 1; deal; starter 2H; 2 play K; 1 play Q; 2 play 9 = 3")
    found.read("1 go = 1")
    assert found.scores == (121, 121)
    assert found.winner is None
    for call in filter(None, calls.split("; ")):
        found.read(call)
    assert (closed(found) or 0) == winner


def test_a_call_does_not_overtake_a_claim_that_was_there_first() -> None:
    """Bob pairs for 121; Ann, on 119, then calls Cleo's false claim."""
    found = Table(3, muggins="full", dealer=None)
    found.read("start 119 119 100; dealer 3; deal; starter 9H; 1 play T; 2 play J; 3 play 3")
    found.read("1 play 2; 2 play 2 = 2; 3 go = 1; 1 muggins")
    assert found.scores == (121, 121, 100)
    assert found.winner is None
    assert closed(found) == 2


def test_the_first_to_wait_for_a_claim_wins_when_it_is_called() -> None:
    """Cleo's claim is false, and Bob, by calling Ann's, is at the target before Ann calls it."""
    found = Table(3, muggins="full", dealer=None)
    found.read("start 119 119 119; dealer 1; deal; starter 9H; 2 play T; 3 play J; 1 play 3")
    found.read("2 play 2; 3 play 5 = 2; 1 go = 1; 2 muggins")
    assert (found.scores, found.winner) == ((119, 121, 121), None)
    found.read("1 muggins")
    assert (found.scores, found.winner) == ((121, 121, 119), 2)


def test_what_a_call_takes_is_taken_from_the_points_not_from_a_capped_score() -> None:
    found = Table(muggins="full", cap_final_score="on", dealer=None)
    found.read("start 106 100; dealer 1; deal; starter 2H; 2 play K; 1 play Q; 2 play 9 = 29")
    found.read("1 go = 25; 2 muggins")
    assert found.scores == (106, 131)
    found.read("game cribbage")
    assert found.record.position.finished[0].scores == (106, 121)
    found = Table(muggins="full", cap_final_score="on", dealer=None)
    found.read("start 115 100; dealer 2; deal; starter 2H; 1 play K; 2 play Q; 1 play 9 = 5")
    found.read("2 go = 1; 1 muggins")
    found.read("2 muggins")
    assert found.scores == (117, 102), "and the game goes on"
    assert found.winner is None


def check_claimed_game(seed: int) -> Counter[str]:
    """Check a game that is scored twice."""
    game = ClaimedGame(Random(seed))
    lines = [one.line for one in game.expected]
    *answers, _ = replay.answers(lines, keep_going=True, sentence=in_english)
    outcome = [answer["outcome"] for answer in answers if "outcome" in answer][-1]
    by_line = {answer["line"]: answer for answer in answers if "line" in answer}
    for number, expected in enumerate(game.expected, 1):
        answer, told = by_line[number], "\n".join(lines[:number])
        assert answer.get("error", {}).get("code") == expected.refused, told
        if expected.refused is None:
            earned: Counter[int] = Counter()
            for award in answer["awards"]:
                earned[award["seat"]] += award["points"]
            assert {seat: points for seat, points in earned.items() if points} == expected.earned
            notes = [(note["said"], note["true"]) for note in answer["notes"]]
            assert notes == expected.differences, told
            if expected.line.startswith(("start", "dealer", "deal")) or any(expected.scores):
                assert answer["scores"] == expected.scores, told
    assert outcome["winner"] == (None if game.winner is None else game.winner + 1), "\n".join(lines)
    assert outcome["scores"] == game.shown
    return game.figures + Counter(games=1, lines=len(lines))


@settings(max_examples=examples(40))
@given(seed=st.integers(0, 2**32))
def test_a_game_of_claims_is_scored_as_by_the_rules(seed: int) -> None:
    check_claimed_game(seed)


@pytest.mark.long
def test_games_of_claims_for_long(seed: int, long_run: LongRun) -> None:
    chance = Random(seed)
    figures = Counter[str]()
    for _ in range(5000):
        figures += check_claimed_game(chance.randrange(2**32))
    long_run(**{name.replace(" ", "_"): count for name, count in figures.items()})
