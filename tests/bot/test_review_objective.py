"""A game reviewed by its objective: a skunk, a tournament or a match changes what was an error."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from boardctl.bot import aims
from boardctl.bot.analysis import Analysis, Decision, analyse
from boardctl.bot.objective import WIN, Objective, games
from boardctl.bot.positions import answer
from boardctl.bot.report import as_data, season_sentences, sentences
from boardctl.bot.trainer import answer as repeated
from boardctl.bot.trainer import questions
from boardctl.commands import main
from boardctl.games.cards import CARDS, spell
from boardctl.record.position import Position
from boardctl.record.record import Record

SKUNK_AT_STAKE = """\
game cribbage
seat 1 Ann
seat 2 Bob
start 112 76
dealer 2
deal
1 hand AD 4C 9C KH JC 9S
2 hand 2S 3S 6D 7D TH QH
1 discard 9C KH
2 discard 3S TH
starter 5D
1 play 9S
2 play 6D
1 play JC
2 play 2S
1 play 4C
2 play 7D
1 play AD
2 play QH
1 show
2 show
2 crib
deal
"""
"""Ann needs nine and Bob is fifteen short of the skunk line. 9C KH wins most often; 9C 9S skunks
more often, and a skunk counts two games."""


TO_THE_STARTER = SKUNK_AT_STAKE.partition("starter")[0] + "starter 5D\n"


def judged(lines: str, objective: str) -> Analysis:
    record = Record()
    for line in lines.splitlines():
        record.read(line)
    return analyse(Position(), record.moves, objectives=aims.of_seats(objective, ()))


def throw_of(analysis: Analysis, seat: int) -> Decision:
    return next(one for one in analysis.decisions if one.kind == "throw" and one.seat == seat)


@pytest.fixture(scope="module")
def by_games() -> Analysis:
    return judged(SKUNK_AT_STAKE, "games")


@pytest.mark.slow
def test_the_throw_that_skunks_is_better_by_games_alone(by_games: Analysis) -> None:
    by_win = throw_of(judged(TO_THE_STARTER, "win"), 1)
    assert (by_win.verdict, by_win.cost) == ("good", 0)
    one = throw_of(by_games, 1)
    assert spell(CARDS[card] for card in one.best) == "9C 9S"
    assert one.verdict == "blunder"
    assert one.cost / one.objective.stake > 0.04


def test_what_a_skunk_counts_as_one_game_is_judged_as_a_win() -> None:
    plain, counted = judged(TO_THE_STARTER, "win"), judged(TO_THE_STARTER, "games:1:1:1")
    assert [one.chosen for one in plain.decisions] == [one.chosen for one in counted.decisions]
    for one, other in zip(plain.decisions, counted.decisions, strict=True):
        assert other.win == pytest.approx(one.win, abs=0.01), "margins are sampled"
        assert other.objective.stake == 1


def test_luck_and_costs_add_up_in_games(by_games: Analysis) -> None:
    """Each game's gain of one side is the other side's loss."""
    first, second = by_games.curve[0], by_games.curve[1]
    for seat in (1, 2):
        cost = {
            who: sum(d.cost for d in by_games.decisions if d.deal == 1 and d.seat == who)
            for who in (1, 2)
        }
        rose = second.worth[seat - 1] - first.worth[seat - 1]
        luck = by_games.deals[0].luck[seat - 1]
        assert rose == pytest.approx(luck - cost[seat] + cost[3 - seat])
    assert sum(first.worth) == pytest.approx(1, abs=0.01)


def test_data_are_in_the_currency(by_games: Analysis) -> None:
    data = as_data(by_games)
    assert data["objective"] == "games"
    (throw,) = (d for d in data["decisions"] if d["kind"] == "throw" and d["seat"] == 1)
    assert {"worth", "best_worth"} < set(throw) and not {"chance", "best_chance"} & set(throw)
    assert throw["cost"] == pytest.approx(throw["best_worth"] - throw["worth"], abs=2e-6)
    assert 0.3 < throw["best_worth"] < 2, "games, not a chance"
    assert data["curve"][0].keys() == {"place", "deal", "scores", "worths"}
    assert data["totals"][0]["loss"] == pytest.approx(sum(by_games.costs(1)), abs=1e-6)
    assert "objective" not in as_data(judged(TO_THE_STARTER, "win")), "as before"


def test_a_question_for_practice_keeps_its_objective(by_games: Analysis) -> None:
    asked = questions([by_games], "Ann")[0]
    assert repeated(asked, asked.best).right
    assert not repeated(asked, asked.chosen).right
    decisions = json.loads(json.dumps(as_data(by_games)))["decisions"]
    (throw,) = (d for d in decisions if d["kind"] == "throw" and d["seat"] == 1)
    question = {
        name: value for name, value in throw["question"].items() if name not in ("now", "series")
    }
    assert question["objective"] == "games:1:2:4"
    assert answer(question)["choices"][0]["cards"] == throw["best"]


@pytest.mark.parametrize(
    ("text", "won", "first", "second"),
    [
        ("match:5", (2, 1), "match:5:2:1:1:2:4", "match:5:1:2:1:2:4"),
        ("match:5:3:0", (2, 1), "match:5:3:0:1:2:4", "match:5:0:3:1:2:4"),
        ("match:5", (), "match:5:0:0:1:2:4", "match:5:0:0:1:2:4"),
        ("match:5", (6, 1), "win", "win"),
        ("tournament", (2, 1), "tournament", "tournament"),
    ],
)
def test_a_match_stands_as_the_games_before_it_left_it(
    text: str, won: tuple[int, ...], first: str, second: str
) -> None:
    one, two = aims.of_seats(text, won)
    assert (one.text, two.text) == (first, second)
    assert aims.read(one.text) == one


@pytest.mark.parametrize("text", ["match", "match:5:5:0", "match:100", "points", "games:1"])
def test_what_is_no_objective_is_refused(text: str, tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=text):
        aims.of_seats(text, ())
    path = tmp_path / "game.txt"
    path.write_text(TO_THE_STARTER)
    done = CliRunner().invoke(main, ["review", str(path), "--objective", text])
    assert done.exit_code == 1
    assert f"“{text}” is not an objective" in done.output


def test_a_resigned_deal_has_no_luck_but_in_chances() -> None:
    given_up = SKUNK_AT_STAKE + "2 resign\n"
    assert len(judged(given_up, "win").deals) == 2
    assert len(judged(given_up, "tournament").deals) == 1


@pytest.mark.parametrize(
    ("objective", "unit"),
    [
        ("games", "games"),
        pytest.param("tournament", "tournament points", marks=pytest.mark.slow),
        pytest.param("match:5", "matches", marks=pytest.mark.slow),
    ],
)
def test_the_command_says_the_unit(tmp_path: Path, objective: str, unit: str) -> None:
    path = tmp_path / "evening.txt"
    path.write_text((TO_THE_STARTER + "2 resign\n") * 2)
    said = CliRunner().invoke(main, ["review", str(path), "--objective", objective])
    assert said.exit_code == 0, said.output
    assert "9C 9S" in said.output
    assert "; Ann expects " in said.output
    assert f" {unit} more: " in said.output
    assert "more games in 100" not in said.output
    assert f" {unit} (" in said.output.splitlines()[-1]
    rows = CliRunner().invoke(main, ["review", str(path), "--json", "--objective", objective])
    played_for = [json.loads(row).get("objective") for row in rows.output.splitlines()]
    assert set(played_for) == {None, objective.partition(":")[0]}


def test_sentences_in_japanese_name_the_unit(by_games: Analysis) -> None:
    said = "\n".join(sentences(by_games, "ja"))
    assert "ゲーム得です" in said
    assert "more" not in said


def test_stakes() -> None:
    assert WIN.stake == 1
    assert games().stake == pytest.approx(0.25)
    assert all(isinstance(one, Objective) for one in aims.of_seats("games", (3, 1)))
    assert list(season_sentences({})) == []
