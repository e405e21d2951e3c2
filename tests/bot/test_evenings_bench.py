"""The measurements of duplicate evenings and of level 5's throws follow from the program."""

from __future__ import annotations

from itertools import permutations
from random import Random

import pytest

from boardctl.bot.advice import PAIRS
from boardctl.bot.cribbage import Player
from boardctl.bot.tables import DEALER, PONE
from tools.bench import duplicate, throw_response


def test_tau_is_kendalls() -> None:
    assert duplicate.tau([1, 2, 3, 4]) == 1
    assert duplicate.tau([4, 3, 2, 1]) == -1
    assert duplicate.tau([2, 1, 3, 4]) == pytest.approx(4 / 6)
    assert duplicate.tau([1, 1, 2]) == pytest.approx(2 / 6**0.5)
    assert duplicate.tau([5, 5, 5]) == 0
    assert sum(duplicate.tau(order) for order in permutations(range(4))) == pytest.approx(0)


def test_the_same_cards_are_played_in_a_round() -> None:
    """Two players of one level meet the same deals with the same result, and other deals with
    another place."""

    def game(place: str) -> tuple[list[int], list[int]]:
        sides = (Player(2, place), Player(1, place))
        return duplicate.played(sides, Random(place), 1, place)

    gained, scores = game("one")
    assert game("one") == (gained, scores)
    assert game("two") != (gained, scores)
    assert max(scores) >= 121
    assert len(gained) >= 5


@pytest.mark.slow
@pytest.mark.parametrize("form", duplicate.FORMS)
def test_an_evening_is_played_as_it_was(form: str) -> None:
    kept = next(row for row in duplicate.rows() if row.form == form)
    assert next(duplicate.evenings(form, kept.seed, 1)) == kept


def test_a_response_within_the_sample_gains_more_than_across_it() -> None:
    assert [row.role for row in throw_response.rows()] == [PONE, DEALER]
    for row in (*throw_response.rows(), *throw_response.measured(3, 60)):
        assert row.within >= max(0.0, row.across)


def test_shares_are_of_the_pairs_held() -> None:
    """The ace and the two are thrown from one of two hands that hold both."""
    hands = [(0, 1, 5, 6, 7, 8), (0, 1, 9, 10, 11, 12)]
    found = throw_response.shares(hands, [(0, 1), (11, 12)])
    by_pair = dict(zip(PAIRS, found, strict=True))
    assert by_pair[0, 1] == 0.5
    assert by_pair[11, 12] == 1
    assert by_pair[0, 5] == 0
