"""The judgement of decisions in games other than two-handed six-card cribbage."""

from __future__ import annotations

import json
from pathlib import Path
from random import Random

import pytest
from click.testing import CliRunner

from boardctl.bot import judged, weighed_report, weighing
from boardctl.commands import main
from boardctl.games import Move
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.record import Record
from tests.bot.dealer import FORMS, Dealt


def finished(
    name: str, levels: tuple[int, ...], deals: int, seed: str, **options: str
) -> tuple[Move, ...]:
    """Return the moves of deals between computer players."""
    game = Dealt(name, levels, Random(seed), options)
    game.play(deals)
    return game.truth.moves


@pytest.mark.parametrize(
    ("name", "seats", "options"),
    [
        ("klaberjass", 2, {}),
        ("five-card-cribbage", 2, {}),
        pytest.param("belote", 4, {}, marks=pytest.mark.slow),
        pytest.param("belote", 4, {"bidding": "coinche"}, marks=pytest.mark.slow),
        pytest.param("pinochle", 3, {}, marks=pytest.mark.slow),
        pytest.param("bezique", 2, {}, marks=pytest.mark.slow),
        pytest.param("costly-colours", 2, {}, marks=pytest.mark.slow),
        pytest.param("cribbage", 3, {}, marks=pytest.mark.slow),
    ],
)
def test_the_strongest_level_loses_less_than_chance(
    name: str, seats: int, options: dict[str, str]
) -> None:
    """A seat that plays any legal line is charged with errors, and a seat of level 5 with hardly
    any."""
    levels = (1, *(5 for _ in range(seats - 1)))
    moves = finished(name, levels, 3, "weighed", **options)
    found = weighing.weigh(Position(), moves)
    poor = found.costs(1)
    assert poor
    assert sum(poor) > 0
    for seat in range(2, seats + 1):
        own = found.costs(seat)
        assert own
        assert sum(own) / len(own) < sum(poor) / len(poor) / 2
    shares = [one.share for one in found.decisions if one.cost]
    assert all(share > 0 for share in shares), "a loss is never negative"


@pytest.mark.parametrize(
    ("name", "seats"),
    [
        pytest.param(*form.values, marks=[pytest.mark.slow, *form.marks])
        for form in FORMS
        if form.values != ("cribbage", 2)
    ],
)
def test_every_form_is_judged(name: str, seats: int) -> None:
    moves = finished(name, (2,) * seats, 1, "every form")
    found = weighing.weigh(Position(), moves)
    assert len(found.decisions) > found.unjudged
    assert {one.seat for one in found.decisions} == set(range(1, seats + 1))
    json.dumps(weighed_report.as_data(found))


def test_a_decision_is_judged_without_the_hidden_cards() -> None:
    """Exchanging two cards that the leader has not seen changes nothing in the judgement of the
    lead, and neither do the cards played after it."""
    moves = finished("klaberjass", (2, 2), 1, "hidden")
    lead = next(place for place, move in enumerate(moves) if move.verb == "play")
    seat = moves[lead].seat
    other = next(
        place
        for place, move in enumerate(moves)
        if move.verb == "hand" and move.seat != seat and len(move.cards) == 3
    )
    first = next(
        place for place, move in enumerate(moves) if move.verb == "hand" and move.seat != seat
    )
    changed = list(moves[: lead + 1])
    one, two = changed[first].cards, changed[other].cards
    changed[first] = changed[first]._replace(cards=(two[0], *one[1:]))
    changed[other] = changed[other]._replace(cards=(one[0], *two[1:]))
    known = [
        next(
            (one.best, one.cost, one.win)
            for one in weighing.weigh(Position(), some).decisions
            if one.chosen.verb == "play"
        )
        for some in (moves, tuple(moves[: lead + 1]), tuple(changed))
    ]
    assert known[0] == known[1] == known[2]


def test_an_unseen_hand_is_not_judged() -> None:
    """A card from a hand that was not entered counts as not judged."""
    moves = tuple(
        move
        for move in finished("belote", (2, 2, 2, 2), 1, "unseen")
        if not (move.verb == "hand" and move.seat == 1)
    )
    found = weighing.weigh(Position(), moves)
    assert not found.costs(1)
    assert found.unjudged >= 8
    assert found.costs(2)


def test_an_error_becomes_a_question_without_hidden_cards() -> None:
    """It has the hand, the lines that its player saw, and the line that was played with its
    cost."""
    moves = finished("klaberjass", (1, 5), 3, "question")
    found = weighing.weigh(Position(), moves)
    errors = [one for one in found.decisions if one.verdict != "good"]
    assert errors
    assert all((one.question is not None) == (one in errors) for one in found.decisions)
    for one in errors:
        assert one.question is not None
        costs = {notation.spell(move): cost for move, cost in one.question.choices}
        assert costs[notation.spell(one.chosen)] == one.cost
        assert costs[notation.spell(one.best)] == 0
        assert {card.plain for card in one.chosen.cards} <= set(one.question.hand)
        dealt = {"hand", "draw"} & {move.verb for move in one.question.lines}
        assert not dealt


def test_two_handed_cribbage_is_judged_elsewhere() -> None:
    record = Record()
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"):
        record.read(line)
    assert not weighing.can_weigh(record.position)
    with pytest.raises(ValueError, match="not judged"):
        weighing.weigh(Position(), record.moves)
    assert not weighing.weighs("whist", 4)
    assert weighing.weighs("cribbage", 4)


def test_the_review_of_a_game_in_words(tmp_path: Path) -> None:
    """Errors are named with the better line, in the units of the game."""
    moves = finished("belote", (1, 5, 1, 5), 2, "in words")
    file = tmp_path / "belote.txt"
    file.write_text("\n".join(notation.spell(move) for move in moves) + "\n")
    shown = CliRunner().invoke(main, ["review", str(file)], catch_exceptions=False).output
    assert "No throw can be judged" not in shown
    assert "Better by" in shown
    assert "games in 100" in shown
    rows = CliRunner().invoke(main, ["review", str(file), "--json"], catch_exceptions=False).output
    (game,) = map(json.loads, rows.splitlines())
    assert (game["name"], game["unit"], len(game["totals"])) == ("belote", "win", 4)
    worst = max(game["decisions"], key=lambda one: one["cost"])
    assert worst["verdict"] == "blunder"
    assert worst["chosen"] != worst["best"]


def test_the_page_s_process_judges_it_in_stages() -> None:
    moves = finished("noddy", (2, 2), 2, "page")
    given = "\n".join(notation.spell(move) for move in moves).encode()
    told: list[dict[str, object]] = []
    status, answer = judged.judge(given, told.append)
    assert status == 0
    assert json.loads(answer)["name"] == "noddy"
    assert told
    assert all(set(stage) == {"done", "of"} for stage in told)
    assert judged.reply((), b"game noddy\nseat 1 Ann\nseat 2 Bob\n") == (1, b"")


TURNED = """\
game klaberjass
seat 1 Ann
seat 2 Bob
dealer 1
deal
2 hand JH 9H AH TH KH AS
turnup QH
"""
"""Bob has the five best hearts, and the queen is turned up; Ann's hand was not entered."""
DEALT = """\
game cribbage
seat 1 Ann
seat 2 Bob
start 30 40
dealer 1
deal
1 hand 5H 6S 7D 8C JH QS
"""


def analysed(given: str, *options: str) -> tuple[int, str]:
    done = CliRunner().invoke(main, ["analyse", "-", *options], input=given)
    return done.exit_code, done.output


def test_any_position_of_any_game() -> None:
    """A file that ends before a decision is enough, with only the cards that its player has
    seen."""
    status, shown = analysed(TURNED)
    assert status == 0
    take, leave = shown.splitlines()
    assert take.startswith("Bob takes it, wins ")
    assert leave.startswith("Bob passes, wins ")
    asked = json.loads(analysed(TURNED, "--json")[1])
    assert [one["line"] for one in asked["choices"]] == ["2 bid take", "2 bid pass"]
    assert asked["choices"][0]["win"] > asked["choices"][1]["win"] + 0.1
    assert asked["seat"] == 2


def test_a_file_of_two_handed_cribbage_is_the_position_of_its_cards() -> None:
    fields = ["5H", "6S", "7D", "8C", "JH", "QS", "--deals", "--score", "30", "40"]
    assert analysed(DEALT)[1] == CliRunner().invoke(main, ["analyse", *fields]).output


@pytest.mark.parametrize(
    ("given", "options", "said"),
    [
        ("game noddy\nseat 1 Ann\nseat 2 Bob\n", (), "must end just before a decision"),
        (TURNED, ("--seat", "1"), "must end just before a decision"),
        (DEALT + "2 hand AS 2S 3S 4S 5S 9D\n", (), "choose one with --seat 1 2"),
        (TURNED + "2 play AC\n", (), "line 8:"),
    ],
)
def test_a_file_without_a_decision_is_refused(
    given: str, options: tuple[str, ...], said: str
) -> None:
    status, shown = analysed(given, *options)
    assert status == 1
    assert said in shown
