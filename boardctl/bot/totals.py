"""The total of a hand or crib by table lookup, for sums over thousands of hands.

`show` finds the scoring combinations; this module only computes the total, for `advice`, statistics
and tests. Cards are integers here: their index in `games.cards.CARDS`, `suit * 13 + rank - 1`.
Importing it builds the tables, which takes a few hundredths of a second on a laptop, so import it
lazily.

The four cards of a hand become one small integer by adding a number for each. Its low bits identify
the four ranks in any order and select a row with the points of fifteens, pairs and runs for every
starter; its high bits encode the suits for flush and nobs, and select another row.
"""

from __future__ import annotations

from itertools import combinations, combinations_with_replacement
from typing import Final, NamedTuple

Row = tuple[int, ...]
"""Points by starter, for all 52."""

RANK_KEYS: Final = (0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194, 13663)
"""A number for each rank, found greedily: all sums of four of them are distinct."""
_SUIT_KEYS: Final = RANK_KEYS[:4]
_RANK_BITS: Final = 16
_RANK_MASK: Final = (1 << _RANK_BITS) - 1
_SUIT_BITS: Final = 7
_JACK: Final = 10
_FIFTEENS_AT: Final = 8 * 15
_UP_TO_FIFTEEN: Final = (1 << 8 * 16) - 1


class Ranks(NamedTuple):
    """A multiset of ranks in ascending order, and its score.

    The n-th byte of `ways` is how many subsets count n; `length` and `times` describe the
    consecutive ranks that end with the highest, and how often they occur; `run` is the points.
    """

    ranks: tuple[int, ...] = ()
    ways: int = 1
    pairs: int = 0
    length: int = 0
    times: int = 1
    run: int = 0

    def plus(self, rank: int) -> Ranks:
        """Return the set with one more card, of at least the highest rank."""
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
"""By the sum of four `RANK_KEYS`: fifteens, pairs and runs with each of 52 starters."""
_HAND_ROWS: Final = _suit_rows(crib=False)
_CRIB_ROWS: Final = _suit_rows(crib=True)
_CARD_KEYS: Final = tuple(map(_card_key, range(52)))


def total(a: int, b: int, c: int, d: int, starter: int, crib: bool = False) -> int:
    """Return the points of four cards with the starter, all five different.

    Args:
        a, b, c, d: the cards in any order, each its index in `games.cards.CARDS`, 0 to 51.
        starter: the same.
        crib: whether a flush needs the starter too; with `crib_flush as_hand` it does not, and a
            crib is counted like a hand.
    """
    keys = _CARD_KEYS
    key = keys[a] + keys[b] + keys[c] + keys[d]
    suits = (_CRIB_ROWS if crib else _HAND_ROWS)[key >> _RANK_BITS]
    return RANK_ROWS[key & _RANK_MASK][starter] + suits[starter]
