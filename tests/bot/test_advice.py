"""Advice on the throw: exact within its model, and the model matches the data."""

from __future__ import annotations

import json
import random
from concurrent.futures import ThreadPoolExecutor
from importlib import resources
from itertools import combinations
from math import comb, sqrt

import pytest
from click.testing import CliRunner
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl.bot import advice
from boardctl.bot.totals import total
from boardctl.commands import main
from boardctl.games.cards import CARDS, Card, parse_cards, spell
from boardctl.games.cribbage import show
from tests.chance import examples
from tests.report import LongRun
from tools import throw_chances

SIX = list(parse_cards("5H 6S 7D 8C JH QS"))


def chance_of(role: advice.Role, one: int, two: int) -> float:
    low, high = sorted((one % 13, two % 13))
    return advice.chances(role)[advice.PAIRS.index((low, high))]


def crib_by_brute_force(six: list[int], thrown: tuple[int, int], role: advice.Role) -> float:
    """Compute the crib over every starter and every throw of the opponent, according to the
    model."""
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
        ("KD 4D 6D TD 2D AC", "KD 2D"),
        ("5H 5S 5D 5C JH QS", "JH QS"),
        ("5H 5S 5D 5C JH QS", "5H 5S"),
    ],
)
def test_a_crib_is_exact(six: str, away: str, dealer: bool) -> None:
    cards = list(parse_cards(six))
    (throw,) = (t for t in advice.throws(cards, dealer=dealer) if spell(t.cards) == away)
    one, two = (CARDS.index(card) for card in throw.cards)
    indices = [CARDS.index(card) for card in cards]
    other: advice.Role = "pone" if dealer else "dealer"
    assert throw.crib == pytest.approx(crib_by_brute_force(indices, (one, two), other), abs=1e-9)


@settings(max_examples=examples(30))
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
    """A seeded Monte Carlo check: 1,500 deals of each hand's best throw, counted card by card. The
    starter and the opponent's throw are drawn according to the model. z is the distance between the
    mean and the advice, in standard errors."""
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
    """Each side throws two of its six cards. Summed over all pairs, the probability of holding a
    pair times the probability of throwing it is therefore one."""
    cards = [comb(4, 2) if one == two else 16 for one, two in advice.PAIRS]
    held = comb(50, 4) / comb(52, 6)
    thrown = sum(c * n * held for c, n in zip(advice.chances(role), cards, strict=True))
    assert thrown == pytest.approx(1, abs=1e-3)
    assert all(0 <= chance <= 1 for chance in advice.chances(role))


def test_all_deals_of_six_are_weighed() -> None:
    deals = 0
    sixes = list(throw_chances.sixes())
    assert len(sixes) == comb(18, 6) - 13 * 12 - 13, "no five and no six alike"
    for ranks in sixes:
        number = 1
        for rank in set(ranks):
            number *= comb(4, ranks.count(rank))
        deals += number
    assert deals == comb(52, 6)


def test_every_pair_of_six_cards_is_held() -> None:
    held = sum(throw_chances.held(*pair) for pair in advice.PAIRS)
    assert held == comb(52, 6) * comb(6, 2)


@pytest.mark.parametrize(
    "six",
    [
        "4H 5S 6D 6C QH KS",
        "AH 4S 7D 8C 8H KS",
        "2H 3S 5D 9C TH QS",
        "5H 5S TD QC 7H 2S",
        # here the six cards themselves matter, because they are missing from the pack
        "2D 5H 6D 8S 8H TC",
        "2D 3D 5S 6H 8H QS",
    ],
)
@pytest.mark.parametrize("role", ["dealer", "pone"])
def test_the_best_throw_by_rank_is_the_best(six: str, role: advice.Role) -> None:
    """If jacks and flushes do not matter, ranks alone give the same result as the card-by-card
    advice."""
    dealer = role == "dealer"
    best = advice.throws(list(parse_cards(six)), dealer=dealer)[0]
    ranks = sorted(CARDS.index(card) % 13 for card in parse_cards(six))
    opponent = advice.chances("pone" if dealer else "dealer")
    found = throw_chances.best_throws(ranks, opponent, 1 if dealer else -1)
    assert found == [tuple(sorted(CARDS.index(card) % 13 for card in best.cards))]


def test_throws_of_equal_worth_share() -> None:
    """Three fives, a queen, a king and a deuce, against an opponent who only throws two aces: the
    deuce is thrown with the queen or the king, which are equally good."""
    only_aces = tuple(float(pair == (0, 0)) for pair in advice.PAIRS)
    assert throw_chances.best_throws((1, 4, 4, 4, 11, 12), only_aces, -1) == [(1, 11), (1, 12)]


def test_the_answers_of_a_few_hands(monkeypatch: pytest.MonkeyPatch) -> None:
    """The expected values are the share of deals holding a pair in which it is thrown, if only
    three hands exist. Of 2 3 5 9 T Q the dealer throws 2 3 and the pone 9 Q; of 4 5 6 6 Q K both Q
    K; of A 4 5 6 8 K both A 8, though 5 K makes a better crib and 8 K a worse one."""
    hands = [(1, 2, 4, 8, 9, 11), (3, 4, 5, 5, 11, 12), (0, 3, 4, 5, 7, 12)]
    deals = [4**6, 4**4 * 6, 4**6]
    monkeypatch.setattr(throw_chances, "sixes", lambda: iter(hands))
    for role, other, first in (("dealer", "pone", (1, 2)), ("pone", "dealer", (8, 11))):
        with ThreadPoolExecutor() as pool:
            best = throw_chances.best_response(role, advice.chances(other), pool)  # type: ignore[arg-type]
        found = {pair: chance for pair, chance in zip(advice.PAIRS, best, strict=True) if chance}
        assert found == {
            pair: pytest.approx(number / (comb(50, 4) * 16))
            for pair, number in zip((first, (11, 12), (0, 7)), deals, strict=True)
        }


def test_what_several_hands_throw_adds_up_and_throws_of_equal_worth_share(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Only two such hands exist, with 256 deals each. Each throws the deuce with the queen in half
    of its deals and with the king in the other half."""
    monkeypatch.setattr(throw_chances, "sixes", lambda: iter([(1, 4, 4, 4, 11, 12)] * 2))
    only_aces = tuple(float(pair == (0, 0)) for pair in advice.PAIRS)
    with ThreadPoolExecutor() as pool:
        best = throw_chances.best_response("pone", only_aces, pool)
    found = {pair: chance for pair, chance in zip(advice.PAIRS, best, strict=True) if chance}
    each = pytest.approx(256 / (comb(50, 4) * 16))
    assert found == {(1, 11): each, (1, 12): each}


def test_chances_move_half_the_way_until_they_are_settled() -> None:
    """One pair starts 0.4 away from one in fifteen; after seven halvings 0.003 remains."""
    even = (1 / 15,) * len(advice.PAIRS)
    aim = (1 / 15 + 0.4, *even[1:])
    found: list[str] = []
    asked: list[tuple[str, advice.Chances]] = []

    def respond(role: advice.Role, opponent: advice.Chances) -> advice.Chances:
        asked.append((role, opponent))
        return aim if role == "dealer" else even

    dealer, pone, rounds = throw_chances.settle(respond, found.append)
    assert (rounds, len(found)) == (8, 8)
    assert found[:2] == ["round 1: 0.40000 away\n", "round 2: 0.20000 away\n"]
    assert dealer == pytest.approx(aim, abs=throw_chances.SETTLED)
    assert dealer[0] < aim[0] - 0.002
    assert pone == pytest.approx(even, abs=1 / throw_chances.UNIT)
    assert asked[:2] == [("dealer", even), ("pone", even)]
    assert asked[-2:] == [("dealer", pone), ("pone", dealer)], "each answers the other"
    units = [chance * throw_chances.UNIT for chance in dealer]
    assert units == pytest.approx([round(number) for number in units])


def test_chances_that_chase_each_other_are_given_up() -> None:
    turn = iter(range(1000))

    def respond(role: advice.Role, opponent: advice.Chances) -> advice.Chances:
        return (float(next(turn) // 2 % 2),) * len(advice.PAIRS)

    found: list[str] = []
    with pytest.raises(RuntimeError, match="40 rounds"):
        throw_chances.settle(respond, found.append)
    assert len(found) == 40


def test_the_file_that_ships_is_what_the_policy_writes() -> None:
    path = resources.files("boardctl.bot") / "throws.json"
    text = path.read_text("utf-8")
    rounds = int(text.split(" rounds")[0].split()[-1])
    assert throw_chances.as_json(advice.chances("dealer"), advice.chances("pone"), rounds) == text


@pytest.mark.long
def test_the_chances_that_ship_are_settled(long_run: LongRun) -> None:
    """Another round changes nothing: each side's probabilities are its best response to the
    other's."""
    from concurrent.futures import ProcessPoolExecutor
    from multiprocessing import get_context

    with ProcessPoolExecutor(mp_context=get_context("spawn")) as pool:
        dealer, pone = advice.chances("dealer"), advice.chances("pone")
        answers = (
            throw_chances.best_response("dealer", pone, pool),
            throw_chances.best_response("pone", dealer, pool),
        )
    moved = (throw_chances.distance(dealer, answers[0]), throw_chances.distance(pone, answers[1]))
    long_run(moved_dealer=f"{moved[0]:.2e}", moved_pone=f"{moved[1]:.2e}")
    long_run(bound=f"{throw_chances.SETTLED:.0e}")
    assert max(moved) <= throw_chances.SETTLED


@pytest.mark.parametrize(
    "cards", ["5H 6S 7D 8C JH", "5H 6S 7D 8C JH JH", "5H 6S 7D 8C JH Q", "5H 6S 7D 8C JH ?"]
)
def test_six_known_cards_are_needed(cards: str) -> None:
    with pytest.raises(ValueError):
        advice.throws(list(parse_cards(cards)), dealer=True)


@pytest.mark.parametrize("cards", ["5H 6S 7D 8C JH", "5H 6S 7D 8C JH JH"])
def test_cards_that_are_not_six_are_named(cards: str) -> None:
    with pytest.raises(ValueError, match=f"^expected six different cards, got {cards}$"):
        advice.throws(list(parse_cards(cards)), dealer=True)


def test_discard_as_json() -> None:
    result = CliRunner().invoke(main, ["discard", spell(SIX), "--dealer", "--json"])
    answer = json.loads(result.output)
    found = advice.throws(SIX, dealer=True)
    assert answer["role"] == "dealer"
    assert [t["throw"] for t in answer["throws"]] == [[str(c) for c in t.cards] for t in found]
    assert answer["throws"][0]["value"] == pytest.approx(found[0].value, abs=1e-6)


def test_discard_for_people() -> None:
    lines = CliRunner().invoke(main, ["discard", *map(str, SIX), "--pone"]).output.splitlines()
    assert len(lines) == 1 + 15
    assert spell(advice.throws(SIX, dealer=False)[0].cards) in lines[1]


@pytest.mark.parametrize(
    ("words", "names"),
    [
        (("5H 6S 7D 8C JH", "--dealer"), "got 5"),
        (("5H 6S 7D 8C JH JH", "--dealer"), "JH is repeated"),
        (("5H 6S 7D 8C JH Q", "--dealer"), "the suit of Q"),
        (("5H 6S 7D 8C JH QS",), "--pone if it is the opponent"),
        (("5H 6S 7D 8C JH QS", "--dealer", "--pone"), "--pone if it is the opponent"),
    ],
)
def test_a_mistake_is_one_sentence(words: tuple[str, ...], names: str) -> None:
    result = CliRunner().invoke(main, ["discard", *words])
    assert result.exit_code == 1
    assert result.output.startswith("Error: ")
    assert names in result.output
    assert result.output.count("\n") == 1


def test_a_rank_of_which_no_card_is_left_is_no_starter() -> None:
    left = [4] * 13
    left[4] = 0
    weights, factors = advice.weigh(left, advice.chances("dealer"))
    pairs = len(advice.PAIRS)
    assert not any(weights[4 * pairs : 5 * pairs])
    assert [rank for rank, factor in enumerate(factors) if not factor] == [4]
