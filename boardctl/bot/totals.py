"""Look up the total of a hand or crib in tables, for computing sums over thousands of hands.

`show` finds the scoring combinations. This module computes only the total, for `advice`, statistics
and tests. Cards are their indices in `games.cards.CARDS`: `suit * 13 + rank - 1`. Importing this
module builds the tables, which takes a few hundredths of a second on a laptop. Import it lazily.

The four cards of a hand are converted to one small integer, the sum of a number for each card. Its
low bits identify the four ranks in any order. These bits select a row that contains the points for
fifteens, pairs and runs with every starter. The high bits encode the suits, and select a row that
contains the points for flush and his nobs.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

Row = tuple[int, ...]
"""The points with each of the 52 starters."""

RANK_KEYS: Final = (0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194, 13663)
"""A number for each rank. All sums of four of these numbers are distinct. The numbers were found
greedily."""
_SUIT_KEYS: Final = RANK_KEYS[:4]
_RANK_BITS: Final = 16
_RANK_MASK: Final = (1 << _RANK_BITS) - 1
_SUIT_BITS: Final = 7
_JACK: Final = 10
_FIFTEENS_AT: Final = 8 * 15
_UP_TO_FIFTEEN: Final = (1 << 8 * 16) - 1


class Ranks(NamedTuple):
    """A multiset of ranks in ascending order, and its score."""

    ranks: tuple[int, ...] = ()
    ways: int = 1
    """The n-th byte is the number of subsets whose sum is n."""
    pairs: int = 0
    length: int = 0
    """The length of the sequence of ranks that ends with the highest rank."""
    times: int = 1
    """The number of such sequences."""
    run: int = 0
    """The points for runs."""

    def plus(self, rank: int) -> Ranks:
        """Return the multiset with one more card, whose rank must not be below the highest rank."""
        ranks, ways, pairs, length, times, run = self
        alike = ranks.count(rank)
        if alike:
            times = times // alike * (alike + 1)
        elif ranks and ranks[-1] == rank - 1:
            length += 1
        else:
            length, times = 1, 1
        return Ranks(
            (*ranks, rank),
            (ways + (ways << 8 * min(rank + 1, 10))) & _UP_TO_FIFTEEN,
            pairs + 2 * alike,
            length,
            times,
            length * times if length >= 3 else run,
        )

    @property
    def points(self) -> int:
        return 2 * (self.ways >> _FIFTEENS_AT) + self.pairs + self.run


def _rank_rows() -> dict[int, Row]:
    sets = [Ranks()]
    for _ in range(5):
        sets = [some.plus(rank) for some in sets for rank in range((some[0] or (0,))[-1], 13)]
    rows = {sum(keys): [0] * 13 for keys in combinations_with_replacement(RANK_KEYS, 4)}
    for some in sets:
        points = some.points
        key = sum([RANK_KEYS[rank] for rank in some.ranks])
        for rank in {*some.ranks}:
            rows[key - RANK_KEYS[rank]][rank] = points
    return {key: tuple(row) * 4 for key, row in rows.items()}


def _suit_rows(*, crib: bool) -> dict[int, Row]:
    rows: dict[int, Row] = {}
    for suits in combinations_with_replacement(range(4), 4):
        flush = suits[0] if suits[0] == suits[3] else None
        held = {*suits}
        for jacks in (some for size in range(5) for some in combinations(sorted(held), size)):
            key = sum(_SUIT_KEYS[suit] for suit in suits)
            key += sum(1 << _SUIT_BITS + suit for suit in jacks)
            row: list[int] = []
            for suit in range(4):
                points = int(suit in jacks)
                if flush is not None:
                    points += 5 if suit == flush else 0 if crib else 4
                row += [points] * 13
            rows[key] = tuple(row)
    return rows


def _card_key(card: int) -> int:
    suit, rank = divmod(card, 13)
    jack = 1 << _SUIT_BITS + suit if rank == _JACK else 0
    return RANK_KEYS[rank] + (_SUIT_KEYS[suit] + jack << _RANK_BITS)


RANK_ROWS: Final = _rank_rows()
"""The points for fifteens, pairs and runs with each of the 52 starters, by the sum of four
`RANK_KEYS`."""
_HAND_ROWS: Final = _suit_rows(crib=False)
_CRIB_ROWS: Final = _suit_rows(crib=True)
_CARD_KEYS: Final = tuple(map(_card_key, range(52)))


def total(a: int, b: int, c: int, d: int, starter: int, crib: bool = False) -> int:
    """Return the points of four cards with the starter. All five cards must be different.

    Args:
        a, b, c, d: the cards in any order, as indices in `games.cards.CARDS`, 0 to 51.
        starter: the index of the starter.
        crib: whether a flush must include the starter. With the option `crib_flush as_hand`, a crib
            is counted like a hand, so `crib` is False.
    """
    keys = _CARD_KEYS
    key = keys[a] + keys[b] + keys[c] + keys[d]
    suits = (_CRIB_ROWS if crib else _HAND_ROWS)[key >> _RANK_BITS]
    return RANK_ROWS[key & _RANK_MASK][starter] + suits[starter]
