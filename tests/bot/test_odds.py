"""Live odds: known before the deal, changed by score and starter, independent of hands."""

from __future__ import annotations

import pytest

from boardctl.bot.odds import odds
from boardctl.bot.tables import load, start
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


def test_the_remaining_play_counts_until_its_last_card() -> None:
    """A dealer pegs more than three points on average, so it wins from 118 if all its cards are
    left. With one card left, the pone may still win by its hand."""
    begun = (
        *(*OPENING, "start 115 118", "dealer 2", "deal"),
        *("1 hand 2H 4D 6S KS JD QD", "2 hand AH 8D 7S 9C TC QS"),
        *("1 discard JD QD", "2 discard TC QS", "starter 8C"),
    )
    assert chance(*begun) == chance(*begun, "1 play KS") == 0.0
    laid = ("1 play KS", "2 play 9C", "1 play 2H", "2 play 7S", "1 go", "2 play AH")
    after = chance(*begun, *laid)
    assert after is not None
    assert after > 0.3


def test_a_card_laid_without_points_lowers_the_odds_of_its_side() -> None:
    """The side has one card fewer to peg with. A card laid by the opponent has the opposite
    effect."""
    begun = (
        *(*OPENING, "start 60 60", "dealer 2", "deal"),
        *("1 hand 2H 4D 6S KS JD QD", "2 hand AH 3D 7S 9C TC QS"),
        *("1 discard JD QD", "2 discard TC QS", "starter 8C"),
    )
    before = chance(*begun)
    own = chance(*begun, "1 play KS")
    other = chance(*begun, "1 play KS", "2 play 9C")
    assert before is not None and own is not None and other is not None
    assert own < before
    assert other > own


def test_counted_hands_are_not_counted_again() -> None:
    """At 120, a pone needs one point of its hand. After its count the dealer's hand and crib come
    first, so a dealer at 120 has nearly won."""
    begun = (
        *(*OPENING, "start 110 112", "dealer 2", "deal"),
        *("1 hand 2H 4D 6S KS JD QD", "2 hand AH 3D 7S 9C TC QS"),
        *("1 discard JD QD", "2 discard TC QS", "starter 8C"),
        *("1 play KS", "2 play 9C", "1 play 6S", "2 play 3D", "1 play 2H", "2 play AH"),
        *("1 play 4D", "2 play 7S"),
    )
    record = Record()
    for line in begun:
        record.read(line)
    found = [odds(record.position)]
    for line in ("1 show", "2 show"):
        record.read(line)
        found.append(odds(record.position))
    before, after_pone, after_dealer = found
    assert before is not None and after_pone is not None and after_dealer is not None
    one, two = record.position.scores
    assert after_dealer == pytest.approx(
        sum(
            share * (0.0 if two + points >= 121 else start(True, one, two + points))
            for points, share in enumerate(load().shows[2][7])
        )
    )
    assert len({before, after_pone, after_dealer}) == 3
