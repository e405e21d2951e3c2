"""An independent implementation of show and play, written literally from the rules.

Its only goal is to be obviously correct. Ranks are 1 to 13, suits any four values; it uses nothing
of boardctl.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

JACK = 11


def value(rank: int) -> int:
    return min(rank, 10)


def consecutive(ranks: Sequence[int]) -> bool:
    return len(set(ranks)) == len(ranks) == max(ranks) - min(ranks) + 1


def rank_points(ranks: Sequence[int]) -> int:
    """Return the points of fifteens, pairs and runs in the cards of a show."""
    subsets = [some for size in range(2, len(ranks) + 1) for some in combinations(ranks, size)]
    fifteens = 2 * sum(sum(map(value, some)) == 15 for some in subsets)
    pairs = 2 * sum(a == b for a, b in combinations(ranks, 2))
    runs = [some for some in subsets if len(some) >= 3 and consecutive(some)]
    longest = max(map(len, runs), default=0)
    return fifteens + pairs + sum(longest for some in runs if len(some) == longest)


def suit_points(ranks: Sequence[int], suits: Sequence[Any], *, crib: bool) -> int:
    """Return the points of flush and nobs; the starter is the last card."""
    *hand, starter = suits
    flush = 0
    if all(suit == hand[0] for suit in hand):
        if starter == hand[0]:
            flush = len(hand) + 1
        elif not crib:
            flush = len(hand)
    nobs = any(
        rank == JACK and suit == starter for rank, suit in zip(ranks[:-1], hand, strict=True)
    )
    return flush + nobs


def peg_points(ranks: Sequence[int]) -> int:
    """Return the points of a series's last card, without last card and go."""
    points = 0
    count = sum(map(value, ranks))
    if count == 15:
        points += 2
    if count == 31:
        points += 2
    for alike, worth in ((4, 12), (3, 6), (2, 2)):
        if len(ranks) >= alike and len(set(ranks[-alike:])) == 1:
            points += worth
            break
    for length in range(len(ranks), 2, -1):
        if consecutive(ranks[-length:]):
            points += length
            break
    return points


def suit_patterns(ranks: Sequence[int]) -> Iterator[tuple[tuple[int, ...], int]]:
    """Return one assignment of suits for each pattern, with the number of assignments that have it.

    The starter is the last card. Two assignments have the same pattern if renaming the suits turns
    one into the other, regardless of the order of hand cards of one rank.
    """
    *hand, starter = ranks
    orbits: dict[tuple[int, ...], int] = {}
    for suits in product(range(4), repeat=len(ranks)):
        cards = list(zip(hand, suits, strict=False))
        if cards != sorted(set(cards)) or (starter, suits[-1]) in cards:
            continue
        renamed = (_renamed(ranks, suits, names) for names in permutations(range(4)))
        first = min(renamed)
        orbits[first] = orbits.get(first, 0) + 1
    yield from orbits.items()


def _renamed(ranks: Sequence[int], suits: Sequence[int], names: Sequence[int]) -> tuple[int, ...]:
    hand = sorted((rank, names[suit]) for rank, suit in zip(ranks[:-1], suits, strict=False))
    return (*(suit for _, suit in hand), names[suits[-1]])


def shows(size: int) -> Iterator[tuple[tuple[int, ...], list[tuple[tuple[int, ...], int]]]]:
    """Yield every multiset of hand ranks with every starter rank, and their possible suit
    patterns."""
    known: dict[tuple[int, ...], list[tuple[tuple[int, ...], int]]] = {}
    for hand in combinations_with_replacement(range(1, 14), size):
        for starter in range(1, 14):
            ranks = (*hand, starter)
            shape = tuple(ranks.index(rank) for rank in ranks)
            if shape not in known:
                known[shape] = list(suit_patterns(shape))
            if known[shape]:
                yield ranks, known[shape]
