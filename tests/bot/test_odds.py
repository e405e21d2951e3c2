"""Live odds: known before the deal, changed by score and starter, independent of hands."""

from __future__ import annotations

import pytest

from boardctl.bot.odds import odds
from boardctl.bot.tables import start
from boardctl.record.record import Record
from tests.bot.test_analysis import COUNTS_OUT, PEGS_OUT


def chance(*lines: str) -> float | None:
    record = Record()
    for line in lines:
        record.read(line)
    return odds(record.position)


OPENING = ("game cribbage", "seat 1 Ann", "seat 2 Bob")


def test_before_a_deal_the_odds_are_those_of_the_table() -> None:
    assert chance(*OPENING) is None
    assert chance(*OPENING, "dealer 1") == pytest.approx(start(True, 0, 0))
    assert chance(*OPENING, "start 40 60", "dealer 2", "deal") == pytest.approx(
        start(False, 40, 60)
    )
    assert chance("game bezique", "seat 1 A", "seat 2 B") is None
    short = chance(*OPENING, "set target 61", "start 20 30", "dealer 1")
    assert short == start(True, 80, 90), "what counts is what both need"
    assert chance("game five-card-cribbage", *OPENING[1:], "dealer 1") is None


def test_a_starter_moves_them_a_little() -> None:
    plain = chance(*OPENING, "dealer 1", "deal")
    assert plain is not None
    for starter in ("5H", "KS", "7D"):
        after = chance(*OPENING, "dealer 1", "deal", f"starter {starter}")
        assert after == pytest.approx(plain, abs=0.05)
    heels = chance(*OPENING, "dealer 1", "deal", "starter JH")
    assert heels is not None
    assert heels > plain


def test_hands_told_change_nothing() -> None:
    lines = (*OPENING, "start 60 70", "dealer 1", "deal")
    hands = ("1 hand 5H 5S 5D JC 2H 3H", "2 hand 9H TC KD QD 2C 7S")
    assert chance(*lines, *hands, "starter 4C") == chance(*lines, "starter 4C")


@pytest.mark.parametrize("game", [PEGS_OUT, COUNTS_OUT])
def test_odds_are_chances_all_through_a_game(game: str) -> None:
    record = Record()
    found = []
    for line in game.splitlines():
        record.read(line)
        chance = odds(record.position)
        if chance is not None:
            found.append(chance)
    assert all(0 <= chance <= 1 for chance in found)
    outcome = record.position.outcome
    assert outcome is not None
    assert found[-1] == float(outcome.winner == 1)
    assert len(found) > 12
