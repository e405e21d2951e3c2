"""Every possible hand and crib, compared with the definition and the published distributions.

12,994,800 hands with a starter fall into 652,353 classes: the ranks, and which of the cards share a
suit. Cards of one class score the same, so each class is counted once, weighted with the exact
number of hands it represents.
"""

from __future__ import annotations

import json
from collections import Counter
from math import comb
from pathlib import Path
from typing import Any

import pytest

from boardctl.bot.totals import total
from boardctl.games.cards import CARDS
from boardctl.games.cribbage import show
from tests.games.cribbage.definition import rank_points, shows, suit_points

PUBLISHED = json.loads(
    (Path(__file__).parents[2] / "vectors" / "hand_distribution.json").read_text()
)["distributions"]


def histogram(name: str) -> dict[int, int]:
    counts: dict[str, Any] = PUBLISHED[name]["counts"]
    return {int(points): number for points, number in counts.items()}


def breakdown(cards: list[int], *, crib: bool) -> int:
    *hand, starter = (CARDS[card] for card in cards)
    return sum([item[2] for item in show.count(hand, starter, crib=crib)])


def different_shows() -> int:
    """Return the number of hands of four with a starter that no renaming of suits makes equal.
    This is Burnside's lemma over the 24 renamings; those that move every suit leave no starter in
    place."""
    none = 52 * comb(51, 4)
    two_swapped = 26 * (comb(25, 4) + comb(25, 2) * 13 + comb(13, 2))
    three_turned = 13 * (comb(12, 4) + 12 * 13)
    return (none + 6 * two_swapped + 8 * three_turned) // 24


def check_class(ranks: tuple[int, ...], suits: tuple[int, ...]) -> tuple[int, int]:
    """Check one class of equal hands: total and breakdown agree with the definition. Return its
    points as a hand and as a crib."""
    cards = [13 * suit + rank - 1 for rank, suit in zip(ranks, suits, strict=True)]
    by_rank = rank_points(ranks)
    as_hand = by_rank + suit_points(ranks, suits, crib=False)
    as_crib = by_rank + suit_points(ranks, suits, crib=True)
    a, b, c, d, starter = cards
    assert total(a, b, c, d, starter) == breakdown(cards, crib=False) == as_hand, cards
    assert total(a, b, c, d, starter, True) == breakdown(cards, crib=True) == as_crib, cards
    return as_hand, as_crib


@pytest.mark.slow
def test_every_set_of_ranks_with_some_suits() -> None:
    """Check every multiset of ranks once, with the suit patterns that differ most: the first and
    the last (one suit as far as possible), and alternately one in between."""
    sets = 0
    for ranks, patterns in shows(4):
        found = [suits for suits, _ in patterns]
        for suits in {found[0], found[-1], found[sets % len(found)]}:
            check_class(ranks, suits)
        sets += 1
    assert sets > 6000


@pytest.mark.long
def test_all_hands_and_cribs() -> None:
    hands: Counter[int] = Counter()
    cribs: Counter[int] = Counter()
    classes = 0
    for ranks, patterns in shows(4):
        for suits, number in patterns:
            as_hand, as_crib = check_class(ranks, suits)
            hands[as_hand] += number
            cribs[as_crib] += number
            classes += 1
    assert classes == different_shows()
    assert hands == histogram("hand_4_plus_starter")
    assert cribs == histogram("crib_4_plus_starter")
    assert hands.total() == cribs.total() == 12_994_800


def test_all_five_card_hands() -> None:
    hands: Counter[int] = Counter()
    for ranks, patterns in shows(3):
        by_rank = rank_points(ranks)
        for suits, number in patterns:
            cards = [13 * suit + rank - 1 for rank, suit in zip(ranks, suits, strict=True)]
            points = by_rank + suit_points(ranks, suits, crib=False)
            assert breakdown(cards, crib=False) == points, cards
            hands[points] += number
    assert hands == histogram("five_card_hand_3_plus_starter")
    assert hands.total() == 1_082_900
