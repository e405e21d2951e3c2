"""Penalties: the scores after each line, counted by hand from docs/rules/cribbage.md 13."""

from __future__ import annotations

import pytest

from boardctl.games.cribbage import penalties
from tests.games.cribbage.table import LAID, Table

ACC = [
    ("1 penalty bottom-card", (20, 32)),
    ("2 penalty bottom-card", (22, 30)),
    ("1 penalty crib-looked", (20, 32)),
    ("2 penalty crib-mixed", (22, 30)),
    ("1 penalty renege", (20, 32)),
    ("1 penalty renege 3", (20, 36)),
    ("2 penalty renege 4", (28, 30)),
    ("2 penalty wrong-peg", (22, 30)),
    ("1 penalty wrong-cards", (10, 30)),
    ("2 penalty wrong-cards", (20, 20)),
    ("1 penalty false-claim 4", (5, 34)),
    ("2 penalty false-claim 101", (121, 15)),
    ("1 penalty overpeg 3", (17, 33)),
]
LAWS = [
    ("1 penalty misdealt", (20, 32)),
    ("2 penalty cards-touched", (22, 30)),
    ("1 penalty crib-mixed", (20, 33)),
    ("2 penalty renege", (22, 30)),
    ("1 penalty overpeg 3", (17, 33)),
    ("2 penalty overpeg 12", (32, 18)),
]


@pytest.mark.parametrize(
    ("chosen", "line", "scores"),
    [*(("acc", *row) for row in ACC), *(("laws", *row) for row in LAWS)],
)
def test_what_a_penalty_moves(chosen: str, line: str, scores: tuple[int, int]) -> None:
    table = Table(penalties=chosen)
    table.read("start 20 30")
    table.read(line)
    assert table.record.position.scores == scores


def test_every_penalty_is_counted_by_hand() -> None:
    counted = {
        "acc": {line.split()[2] for line, _ in ACC},
        "laws": {line.split()[2] for line, _ in LAWS} | {"false-claim"},
    }
    assert counted == {name: set(table) for name, table in penalties.TABLES.items()}


def test_a_score_goes_back_to_zero_at_most() -> None:
    table = Table(penalties="acc")
    table.read("start 4 0; 1 penalty wrong-cards")
    assert table.record.position.scores == (0, 0)
    table.read("2 penalty false-claim 5")
    assert table.record.position.scores == (5, 0)


def test_penalty_points_can_win() -> None:
    table = Table(penalties="acc")
    table.read("start 119 40; 2 penalty bottom-card")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.margin) == (1, "skunk")


def test_whoever_claims_a_game_falsely_loses_it_under_the_old_laws() -> None:
    """Accepted Laws xvi: one game, at any score."""
    table = Table(penalties="laws")
    table.read("start 110 20; 1 penalty false-claim")
    outcome = table.record.position.outcome
    assert outcome is not None
    assert (outcome.winner, outcome.won, outcome.margin) == (2, (0, 1), "game")


def test_partners_answer_for_one_another() -> None:
    table = Table(4, penalties="acc")
    table.read("start 20 30; 3 penalty renege 2")
    assert table.record.position.scores == (20, 34)


def test_a_misdeal_keeps_the_penalties_of_its_deal() -> None:
    table = Table(penalties="acc")
    table.read(f"{LAID}; 2 play 7H; 1 play 8S; 2 penalty renege")
    assert table.record.position.scores == (4, 0)
    table.read("misdeal")
    assert table.record.position.scores == (2, 0)


def test_a_penalty_changes_nothing_else_in_the_deal() -> None:
    table = Table(penalties="acc")
    table.read(f"{LAID}; 2 play 7H")
    before = table.record.position.situation
    table.read("1 penalty bottom-card")
    assert table.record.position.situation == before
    table.read("1 play 8S")
    assert table.record.position.scores == (2, 2)
    table.read("undo 2")
    assert table.record.position.scores == (0, 0)


@pytest.mark.parametrize(
    ("chosen", "seats", "line", "code"),
    [
        ("off", 2, "1 penalty renege", "no-penalties"),
        ("acc", 2, "1 penalty misdealt", "no-such-penalty"),
        ("acc", 2, "1 penalty", "no-such-penalty"),
        ("laws", 2, "1 penalty bottom-card", "no-such-penalty"),
        ("acc", 2, "1 penalty renege 5", "penalty-number"),
        ("acc", 2, "1 penalty false-claim", "penalty-number"),
        ("laws", 2, "1 penalty false-claim 3", "penalty-number"),
        ("acc", 3, "1 penalty renege", "penalty-sides"),
    ],
)
def test_what_is_no_penalty(chosen: str, seats: int, line: str, code: str) -> None:
    assert Table(seats, penalties=chosen).refused(line) == code


def test_a_refused_penalty_is_named_in_full() -> None:
    error = Table(penalties="laws").refusal("1 penalty misdealt renege")
    assert error.fields["said"] == "misdealt renege"


def test_the_prompt_offers_those_that_need_no_number() -> None:
    table = Table(penalties="laws")
    (first, second) = (a for a in table.record.position.prompt.asks if a.code == "penalty")
    assert (first.seat, second.seat) == (1, 2)
    assert [move.words[0] for move in first.choices] == [
        "misdealt",
        "cards-touched",
        "crib-mixed",
        "renege",
        "false-claim",
    ]
    assert not [a for a in Table().record.position.prompt.asks if a.code == "penalty"]
