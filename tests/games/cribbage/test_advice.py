"""Advice on the throw: exact within its model, and the model is what the data says."""

from __future__ import annotations

import json
import random
from itertools import combinations
from math import comb, sqrt

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.cards import CARDS, Card, parse_cards, spell
from boardctl.cli import main
from boardctl.games.cribbage import advice, policy, show
from boardctl.games.cribbage.totals import total
from tests.report import LongRun

SIX = list(parse_cards("5H 6S 7D 8C JH QS"))


def chance_of(role: advice.Role, one: int, two: int) -> float:
    low, high = sorted((one % 13, two % 13))
    return advice.chances(role)[advice.PAIRS.index((low, high))]


def crib_by_brute_force(six: list[int], thrown: tuple[int, int], role: advice.Role) -> float:
    """Every starter, every throw of the opponent, as the model says it."""
    unseen = [card for card in range(52) if card not in six]
    expected = 0.0
    for starter in unseen:
        points = weights = 0.0
        for one, two in combinations([card for card in unseen if card != starter], 2):
            weight = chance_of(role, one, two)
            weights += weight
            points += weight * total(*thrown, one, two, starter, True)
        expected += points / weights / len(unseen)
    return expected


@pytest.mark.parametrize("dealer", [True, False])
@pytest.mark.parametrize(
    ("six", "away"),
    [
        ("5H 6S 7D 8C JH QS", "JH QS"),
        ("5H 6S 7D 8C JH QS", "5H JH"),
        ("JS JH JD 4S 4C 9S", "JS JH"),
        ("2D 4D 6D TD KD AC", "2D KD"),
    ],
)
def test_a_crib_is_exact(six: str, away: str, dealer: bool) -> None:
    cards = list(parse_cards(six))
    (throw,) = (t for t in advice.throws(cards, dealer=dealer) if spell(t.cards) == away)
    one, two = (CARDS.index(card) for card in throw.cards)
    indices = [CARDS.index(card) for card in cards]
    other: advice.Role = "pone" if dealer else "dealer"
    assert throw.crib == pytest.approx(crib_by_brute_force(indices, (one, two), other), abs=1e-9)


@settings(max_examples=30, deadline=None)
@given(
    st.lists(st.sampled_from(CARDS), min_size=6, max_size=6, unique=True),
    st.booleans(),
)
def test_a_hand_is_counted_over_all_starters(six: list[Card], dealer: bool) -> None:
    found = advice.throws(six, dealer=dealer)
    assert len(found) == comb(6, 2)
    assert [t.value for t in found] == sorted((t.value for t in found), reverse=True)
    starters = [card for card in CARDS if card not in six]
    for throw in found:
        assert sorted((*throw.cards, *throw.kept)) == sorted(six)
        points = sum(i.points for s in starters for i in show.count(throw.kept, s))
        assert throw.hand == pytest.approx(points / len(starters), abs=1e-9)
        assert throw.value == throw.hand + (throw.crib if dealer else -throw.crib)


def test_sixteen_hands_dealt_out() -> None:
    """A seeded Monte Carlo check: 1,500 deals of each hand's best throw, counted card by card.

    Starter and opponent's throw are drawn as the model says; z is the distance of the mean from
    the advice in its standard errors.
    """
    chance = random.Random(1606)
    for number in range(16):
        dealer = number % 2 == 0
        six = chance.sample(CARDS, 6)
        throw = advice.throws(six, dealer=dealer)[number % 15]
        values = [dealt_out(throw, six, chance) for _ in range(1_500)]
        mean = sum(values) / len(values)
        variance = sum((value - mean) ** 2 for value in values) / (len(values) - 1)
        z = (mean - throw.value) / sqrt(variance / len(values))
        assert abs(z) < 3, (spell(six), spell(throw.cards), z)


def dealt_out(throw: advice.Throw, six: list[Card], chance: random.Random) -> int:
    role: advice.Role = "pone" if throw.dealer else "dealer"
    starter, *others = chance.sample([card for card in CARDS if card not in six], 46)
    most = max(advice.chances(role))
    while True:
        one, two = chance.sample(others, 2)
        if chance.random() * most < chance_of(role, CARDS.index(one), CARDS.index(two)):
            break
    hand = sum(item.points for item in show.count(throw.kept, starter))
    crib = sum(item.points for item in show.count((*throw.cards, one, two), starter, crib=True))
    return hand + crib if throw.dealer else hand - crib


@pytest.mark.parametrize("role", ["dealer", "pone"])
def test_the_chances_are_chances(role: advice.Role) -> None:
    """Each side throws two cards of every six: over all pairs of cards the chances that a held
    pair is thrown, times the chance that it is held, come to one."""
    cards = [comb(4, 2) if one == two else 16 for one, two in advice.PAIRS]
    held = comb(50, 4) / comb(52, 6)
    thrown = sum(c * n * held for c, n in zip(advice.chances(role), cards, strict=True))
    assert thrown == pytest.approx(1, abs=1e-3)
    assert all(0 <= chance <= 1 for chance in advice.chances(role))


def test_all_deals_of_six_are_weighed() -> None:
    deals = 0
    for ranks in policy.sixes():
        number = 1
        for rank in set(ranks):
            number *= comb(4, ranks.count(rank))
        deals += number
    assert deals == comb(52, 6)


@pytest.mark.long
def test_the_chances_that_ship_are_settled(long_run: LongRun) -> None:
    """One more round finds nothing new: each side's chances are its best answer to the other's."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        dealer, pone = advice.chances("dealer"), advice.chances("pone")
        answers = (
            policy.best_response("dealer", pone, pool),
            policy.best_response("pone", dealer, pool),
        )
    moved = (policy.distance(dealer, answers[0]), policy.distance(pone, answers[1]))
    long_run(moved_dealer=f"{moved[0]:.2e}", moved_pone=f"{moved[1]:.2e}")
    long_run(bound=f"{policy.SETTLED:.0e}")
    assert max(moved) <= policy.SETTLED


@pytest.mark.parametrize(
    "cards", ["5H 6S 7D 8C JH", "5H 6S 7D 8C JH JH", "5H 6S 7D 8C JH Q", "5H 6S 7D 8C JH ?"]
)
def test_six_known_cards_are_needed(cards: str) -> None:
    with pytest.raises(ValueError):
        advice.throws(list(parse_cards(cards)), dealer=True)


def test_discard_as_json() -> None:
    result = CliRunner().invoke(main, ["discard", spell(SIX), "--dealer", "--json"])
    told = json.loads(result.output)
    found = advice.throws(SIX, dealer=True)
    assert told["role"] == "dealer"
    assert [t["throw"] for t in told["throws"]] == [[str(c) for c in t.cards] for t in found]
    assert told["throws"][0]["value"] == pytest.approx(found[0].value, abs=1e-6)


def test_discard_for_people() -> None:
    lines = CliRunner().invoke(main, ["discard", *map(str, SIX), "--pone"]).output.splitlines()
    assert len(lines) == 1 + 15
    assert spell(advice.throws(SIX, dealer=False)[0].cards) in lines[1]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("5H 6S 7D 8C JH", "--dealer"), "5 were told"),
        (("5H 6S 7D 8C JH JH", "--dealer"), "JH is there twice"),
        (("5H 6S 7D 8C JH Q", "--dealer"), "the suit of Q"),
        (("5H 6S 7D 8C JH QS",), "--dealer or --pone"),
        (("5H 6S 7D 8C JH QS", "--dealer", "--pone"), "--dealer or --pone"),
    ],
)
def test_a_mistake_is_one_sentence(words: tuple[str, ...], names: str) -> None:
    result = CliRunner().invoke(main, ["discard", *words])
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert names in result.output
    assert result.output.count("\n") == 1
