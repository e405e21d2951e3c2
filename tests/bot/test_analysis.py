"""Game analysis: three games checked by hand, and properties of every analysis."""

from __future__ import annotations

import json
from dataclasses import replace
from importlib.resources import files
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from boardctl.bot import playing, strength
from boardctl.bot.analysis import WORLDS, Analysis, Stage, analyse, season
from boardctl.bot.report import as_data, season_as_data, season_sentences, sentences
from boardctl.bot.tables import DEALER, PONE, start
from boardctl.bot.trainer import answer, questions
from boardctl.bot.worker import Seat
from boardctl.commands import main
from boardctl.games.cards import CARDS, spell
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.record import Record
from tests.bot.dealer import play_game

PEGS_OUT = """\
game cribbage
seat 1 Ann
seat 2 Bob
start 119 120
dealer 1
deal
1 hand 7H KS QD 2C AS 3D
2 hand 8S TC 9D 6H 2D 4H
2 discard 2D 4H
1 discard AS 3D
starter 9C
2 play 8S
1 play KS
2 play TC
1 play 2C
2 go
2 play 9D
1 play QD
2 play 6H
1 go
"""
"""Ann needs two and can play a 7 on the 8, fifteen for two and the game. She plays the king; nobody
scores up to 30, where she pegs one; Bob's 9, her queen and his 6 make 25, her 7 does not fit, and
he scores one for the last card."""

COUNTS_OUT = """\
game cribbage
seat 1 Ann
seat 2 Bob
start 105 113
dealer 1
deal
1 hand AS 2H 4D 6C 8S TD
2 hand 5H 5S JD QC 2C 7S
2 discard 5H 5S
1 discard 8S TD
starter KS
2 play JD
1 play 6C
2 play QC
1 play 4D
2 go
1 play AS
2 play 2C
1 play 2H
2 play 7S
2 show
1 show
1 crib
"""
"""Bob needs eight and holds ten: 5-5-J-Q counts two for the pair and eight for four fifteens before
any starter, and he counts first; nobody pegs sixteen before that. He throws both fives into her
crib, counts three, and she gets her sixteen."""

BY_POINTS = """\
game cribbage
seat 1 Ann
seat 2 Bob
dealer 1
deal
2 peg 2 play
1 peg 3 play
2 peg 8 hand
1 peg 6 hand
1 peg 4 crib
deal
1 peg 2 play
2 peg 4 play
1 peg 12 hand
2 peg 7 hand
2 peg 5 crib
2 resign
"""
"""No card is entered, so nothing can be judged, and everything except the end is luck."""


def judged(lines: str) -> Analysis:
    record = Record()
    for line in lines.splitlines():
        record.read(line)
    return analyse(Position(), record.moves)


def test_a_game_thrown_away_with_one_card() -> None:
    analysis = judged(PEGS_OUT)
    first = next(one for one in analysis.decisions if one.kind == "play" and one.seat == 1)
    assert spell(CARDS[card] for card in first.chosen) == "KS"
    assert spell(CARDS[card] for card in first.best) == "7H"
    assert (first.score, first.role, first.points, first.best_points) == ((119, 120), DEALER, 0, 2)
    assert first.best_win == pytest.approx(1)
    assert first.cost == pytest.approx(1 - first.win)
    assert first.verdict == "blunder"
    assert analysis.winner == 2
    assert [point.worth[0] for point in analysis.curve] == [start(True, 119, 120), 0]
    # Bob's lead and later cards, and both throws, are judged too; nothing is omitted.
    assert analysis.unjudged == {"throw": 0, "play": 0}
    assert {one.seat for one in analysis.decisions if one.kind == "throw"} == {1, 2}


def test_it_says_how_far_it_is() -> None:
    """The curve is reported before any decision has been judged, and each decision as soon as it
    has been judged."""
    record = Record()
    for line in PEGS_OUT.splitlines():
        record.read(line)
    stages: list[Stage] = []
    found = analyse(Position(), record.moves, tell=stages.append)
    assert stages[0].done == 0 and stages[0].decisions == ()
    assert stages[0].curve == found.curve and stages[0].course == found.course
    assert stages[-1].done == stages[-1].of > len(found.decisions)
    assert sorted(stages[-1].decisions) == sorted(found.decisions)
    assert [stage.done for stage in stages] == sorted(stage.done for stage in stages)


def test_a_hand_that_counts_out_is_kept() -> None:
    analysis = judged(COUNTS_OUT)
    bob = next(one for one in analysis.decisions if one.kind == "throw" and one.seat == 2)
    assert spell(CARDS[card] for card in bob.chosen) == "5H 5S"
    assert not {"5H", "5S"} & {str(CARDS[card]) for card in bob.best}
    assert bob.best_win == pytest.approx(1), "ten are counted before anything else can happen"
    assert bob.win < 0.5
    assert bob.verdict == "blunder"
    assert bob.best_points - bob.points > 10
    # J-Q-2-7 with the king: no fifteen, no pair, a run of J-Q-K for three.
    assert analysis.averages[2, PONE].hand == 3
    # The fives with ten and king: four fifteens and the pair.
    assert analysis.averages[1, DEALER].crib == 10
    # Ann pegs 31 and a pair, Bob his last card.
    assert (analysis.averages[1, DEALER].play, analysis.averages[2, PONE].play) == (4, 1)
    assert analysis.curve[-1].scores == (105 + 4 + 2 + 10, 113 + 1 + 3)
    assert analysis.winner == 1


def test_a_game_told_by_points_is_luck() -> None:
    analysis = judged(BY_POINTS)
    assert analysis.decisions == ()
    assert analysis.unjudged == {"throw": 4, "play": 0}
    assert [point.scores for point in analysis.curve] == [(0, 0), (13, 10), (27, 26)]
    chances = [start(True, 0, 0), start(False, 13, 10), 1.0]
    assert [point.worth[0] for point in analysis.curve] == pytest.approx(chances)
    given_up = analysis.course[-2].win
    assert chances[1] < given_up < 1
    assert [deal.luck[0] for deal in analysis.deals] == pytest.approx(
        [chances[1] - chances[0], given_up - chances[1]]
    )
    assert analysis.winner == 1


@pytest.fixture(scope="module")
def played() -> Record:
    return play_game((Seat(1, 3, 1).receive, Seat(2, 1, 2).receive), Random(8))


@pytest.fixture(scope="module")
def analysis(played: Record) -> Analysis:
    return analyse(Position(), played.moves, worlds=20)


def test_chances_are_luck_and_decisions(analysis: Analysis) -> None:
    """From the first deal to the end, a seat's chance rises by its luck and by the cost of the
    opponent's decisions, and falls by the cost of its own."""
    rose = analysis.curve[-1].worth[0] - analysis.curve[0].worth[0]
    assert rose == pytest.approx(analysis.luck(1) - sum(analysis.costs(1)) + sum(analysis.costs(2)))
    assert all(one.cost >= 0 for one in analysis.decisions)
    assert all(0 <= one.win <= one.best_win <= 1 + 1e-9 for one in analysis.decisions)


def test_a_beginner_loses_more(analysis: Analysis) -> None:
    better, beginner = map(strength.of_costs, (analysis.costs(1), analysis.costs(2)))
    assert beginner.loss > 2 * better.loss
    assert not better.enough, "one game says little"


def test_as_data_is_plain(analysis: Analysis) -> None:
    data = json.loads(json.dumps(as_data(analysis)))
    assert data["players"] == ["A", "B"]
    assert len(data["curve"]) == len(analysis.curve)
    assert {one["verdict"] for one in data["decisions"]} >= {"good", "mistake"}
    assert data["totals"][1]["errors_in_nine_games"] == 9 * sum(
        data["totals"][1]["errors"].values()
    )


def test_sentences_name_the_better_move(analysis: Analysis) -> None:
    text = "\n".join(sentences(analysis))
    assert "more games in 100: mistake" in text
    assert "before deal 1: A 0, B 0; A wins 56.0 %" in text
    assert text.count("at the end: A") == 1
    first, *later = analysis.curve
    lost = replace(analysis, curve=(first._replace(worth=(0.0, 1.0)), *later))
    said = "\n".join(sentences(lost))
    assert "before deal 1: A 0, B 0; A wins 0.0 %" in said
    assert said.count("at the end: A") == 1
    averages = json.loads((files("boardctl.bot") / "averages.json").read_text("utf-8"))["pone"]
    hand, play = averages["hand"][0], averages["play"][0]
    assert f"expert average (two players) as non-dealer: hand {hand:.1f}, play {play:.1f}" in text


def test_the_command_tells_it(tmp_path: Path) -> None:
    path = tmp_path / "game.txt"
    path.write_text(PEGS_OUT)
    done = CliRunner().invoke(main, ["review", str(path)])
    assert done.exit_code == 0, done.output
    assert "Ann (dealer, 119-120) played KS; 7H pegs 2 more at once and wins" in done.output
    lines = CliRunner().invoke(main, ["review", str(path), "--json"]).output.splitlines()
    game = json.loads(lines[-1])
    assert (game["game"], game["winner"]) == (1, 2)
    only = CliRunner().invoke(main, ["review", str(path), "--throws"])
    assert "wins" not in only.output


def test_the_trainer_asks_what_cost_most(analysis: Analysis) -> None:
    asked = questions([analysis], "B", 3)
    costs = [one.cost for one in asked]
    assert costs == sorted(costs, reverse=True)
    throws = [one for one in analysis.decisions if one.seat == 2 and one.kind == "throw"]
    assert costs[0] == max(one.cost for one in throws)
    wrong = answer(asked[0], asked[0].chosen)
    assert not wrong.right
    assert wrong.cost == pytest.approx(asked[0].cost)
    right = answer(asked[0], asked[0].best)
    assert (right.right, right.cost) == (True, 0)
    assert len(right.throws) == 15
    with pytest.raises(ValueError, match="two of the six"):
        answer(asked[0], asked[0].hand[:1])


def test_another_game_cannot_be_judged() -> None:
    record = Record()
    for line in ("game five-card-cribbage", "seat 1 A", "seat 2 B", "dealer 1", "deal"):
        record.read(line)
    with pytest.raises(ValueError, match="six-card"):
        analyse(Position(), record.moves)


def test_strength_needs_a_decision() -> None:
    with pytest.raises(ValueError, match="no decision"):
        strength.of_costs([])
    one = strength.of_costs([0.01])
    assert (one.decisions, one.loss, one.half, one.enough) == (1, 0.01, None, False)
    many = strength.of_costs([0.0, 0.01] * 100)
    assert many.enough
    assert many.half == pytest.approx(1.96 * 0.005 / 200**0.5, rel=0.01)


def test_the_course_goes_on_within_a_deal(analysis: Analysis) -> None:
    """The course begins and ends like the curve, and changes with the starter, the cards and the
    hands."""
    assert analysis.course[0].win == analysis.curve[0].worth[0]
    assert analysis.course[-1].win == analysis.curve[-1].worth[0]
    assert len(analysis.course) > 5 * len(analysis.curve)
    before = {point.place: point.win for point in analysis.course}
    for point in analysis.curve[1:-1]:
        latest = max(place for place in before if place < point.place)
        assert before[latest] == pytest.approx(point.worth[0]), "nothing happens between two deals"


def test_a_season_is_all_games_together(analysis: Analysis) -> None:
    once, thrice = season([analysis]), season([analysis] * 3)
    assert set(once) == {"A", "B"}
    (games, one), (more, three) = once["B"], thrice["B"]
    assert (games, more) == (1, 3)
    assert three.decisions == 3 * one.decisions
    assert three.loss == pytest.approx(one.loss)
    assert one.half is not None and three.half is not None
    assert three.half < one.half
    found = list(season_sentences(thrice))
    assert found[0].startswith("A: ")
    assert found[0].endswith("too few to tell")
    assert [one["season"] for one in season_as_data(thrice)] == ["A", "B"]


def test_a_misdeal_has_no_number_in_the_course() -> None:
    before, after = BY_POINTS.split("deal\n", 1)
    misdealt = judged(f"{before}deal\nmisdeal\ndeal\n{after}")
    assert [one.deal for one in misdealt.course] == [one.deal for one in judged(BY_POINTS).course]


def test_hands_entered_by_points_are_averaged_too() -> None:
    """The averages equal the statistics in the history."""
    averages = judged(BY_POINTS).averages
    assert (averages[1, DEALER].hand, averages[1, DEALER].crib) == (6, 4)
    assert (averages[1, PONE].hand, averages[2, DEALER].hand) == (12, 7)
    assert averages[1, PONE].crib is None


def test_one_game_of_several_is_one_game(analysis: Analysis) -> None:
    """Cid has joined once."""
    other = replace(analysis, seats=("A", "Cid"))
    *_, cid = sorted(season_sentences(season([analysis, other])))
    assert (
        cid.startswith("Cid: on average, each decision costs ") and " decisions in 1 game)" in cid
    )


def test_a_season_is_told_of_several_games(tmp_path: Path) -> None:
    path = tmp_path / "evening.txt"
    path.write_text(PEGS_OUT + PEGS_OUT)
    done = CliRunner().invoke(main, ["review", str(path)]).output.splitlines()
    assert [line for line in done if line.startswith("season: Bob: ")]
    done = CliRunner().invoke(main, ["review", str(path), "--json"]).output.splitlines()
    assert json.loads(done[-1])["games"] == 2


def test_notation_reads_what_a_seat_says(played: Record) -> None:
    assert all(
        notation.parse(notation.spell(move), played.position.game) == move
        for move in played.moves
        if move.verb in ("discard", "play", "go")
    )


def test_the_analysis_searches_more_than_the_play_it_judges() -> None:
    assert WORLDS > playing.WORLDS


@pytest.mark.parametrize(
    ("game", "began", "begins"),
    [(PEGS_OUT, "start 119 120", "start 59 60"), (COUNTS_OUT, "start 105 113", "start 45 53")],
)
def test_a_shorter_game_is_judged_by_what_both_need(game: str, began: str, begins: str) -> None:
    """Chances and costs are those of a game to 121; scores and questions are its own."""
    long = judged(game.replace(began, f"set target 121\n{began}"))
    short = judged(game.replace(began, f"set target 61\n{begins}"))
    assert [one.worth for one in short.curve] == [one.worth for one in long.curve]
    assert [one.win for one in short.course] == [one.win for one in long.course]
    assert [one.luck for one in short.deals] == [one.luck for one in long.deals]
    assert len(short.decisions) == len(long.decisions) > 0
    for one, other in zip(short.decisions, long.decisions, strict=True):
        assert (one.win, one.best, one.cost) == (other.win, other.best, other.cost)
        assert [points + 60 for points in one.score] == list(other.score)
    for one in as_data(short)["decisions"]:
        assert one["question"]["target"] == one["target"] == 61
        assert one["question"]["now"] == one["score"]
    for name in short.seats:
        asked, same = questions([short], name), questions([long], name)
        for one, other in zip(asked, same, strict=True):
            assert answer(one, one.chosen).cost == answer(other, other.chosen).cost
