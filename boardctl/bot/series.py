"""The play of two-handed cribbage as a graph. Each node contains the relevant cards of a series.

Ranks range from 0 (ace) to 12 (king). A hand of ranks is one integer with three bits per rank
(`code`). Series that lead to the same points share a node, so a few thousand nodes suffice for a
search. Suits do not matter in the play. docs/notation.md, "Cribbage", describes the rules.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

RANKS: Final = range(13)
VALUE: Final = tuple(min(rank + 1, 10) for rank in RANKS)
"""The value of each rank in the count."""
BITS: Final = tuple(1 << 3 * rank for rank in RANKS)
"""The value of one card of a rank in a hand's code."""
_MASKS: Final = tuple(7 << 3 * rank for rank in RANKS)
_UP_TO: Final = tuple(
    sum(mask for mask, value in zip(_MASKS, VALUE, strict=True) if value <= room)
    for room in range(32)
)
"""The bits of the ranks that can be played, by the points left to 31."""
_OF_VALUE: Final = tuple(
    sum(mask for mask, other in zip(_MASKS, VALUE, strict=True) if other == value)
    for value in range(11)
)
"""The bits of the ranks with each value."""
PLAIN: Final = 1 << 39
"""A flag above the ranks of a hand's code. It means that the holder plays plainly."""
PREPARED: Final = 1 << 40
"""A flag above the ranks of a hand's code. It means that the holder keeps a reply to the next card
in hand. Without either flag, the holder plays cautiously."""
STYLES: Final = (0, PLAIN, PREPARED)
_RANK_BITS: Final = PLAIN - 1
_HIGH_CARDS: Final = 0.03
_PAIR_LEAD: Final = 0.5
_FIVE: Final = 4
_BESIDE: Final = 2
_HELD: Final = 0.2
"""The approximate probability that a hand contains a card of a given rank. It is 0.28 with four
cards, and lower with fewer."""
_ANSWERED: Final = tuple(sorted(range(5, 15), key=lambda count: (count in (5, 10), abs(count - 8))))
"""The counts that invite a fifteen, best first. Counts near 8 come first. 5 and 10 come last,
because a ten or a 5 turns them into fifteen."""
_MOST_REPLIES: Final = 150_000
_MOST_NODES: Final = 30_000


def code(ranks: Iterable[int]) -> int:
    """Return a hand of ranks as one integer. Bits 3r to 3r + 2 hold the number of cards of rank r,
    so two aces and a 3 are 0o102. Add the flag `PLAIN` or `PREPARED` to indicate the holder's
    style.
    """
    return sum(BITS[rank] for rank in ranks)


def ranks_of(hand: int) -> tuple[int, ...]:
    """Return the ranks in a hand's code (`code`) in ascending order, with duplicates."""
    return tuple(rank for rank in RANKS for _ in range(hand >> 3 * rank & 7))


Reply = tuple[int, int, "Series", int] | None
"""A reply: the rank played, its points, the next series and the rest of the hand. None is a go."""


def _wanted(count: int) -> list[tuple[int, int]]:
    """Return the counts that a prepared player tries to reach from this count, best first. Each is
    paired with the value of a card that the player must keep for the next turn, or 0 if any card
    will do."""
    wanted = [(4, 0)] if count < 4 else []
    wanted += [(3, 0)] if not count else []
    if 0 < count < 20:
        wanted += [(21 - kept, kept) for kept in range(1, 11)]
    if count < 15:
        wanted += [(made, 15 - made) for made in _ANSWERED]
    return wanted


class Series:
    """The cards since the count was 0 that affect the rest of the play."""

    __slots__ = (
        "_answers",
        "_danger",
        "_order",
        "_plain",
        "count",
        "fits",
        "moves",
        "replies",
        "runs_out",
        "tail",
    )
    moves: list[tuple[int, Series] | None]
    """The points of each rank and the series after it, or None if the count would exceed 31. A
    series that reaches 31 is followed by the empty series."""

    def __init__(self, count: int, tail: tuple[int, ...]) -> None:
        self.count = count
        """The sum of all cards since the count was 0."""
        self.tail = tail
        """The ranks that can still form pairs or runs, latest last."""
        self.fits = _UP_TO[31 - count]
        """The bits (`code`) of the ranks that can be played."""
        self.moves = []
        self.replies: dict[int, Reply] = {}
        """The cached results of `reply`."""
        self.runs_out: dict[tuple[int, bool], tuple[int, int]] = {}
        """The cached results of `play_out`."""
        self._order: tuple[int, ...] | None = None
        self._plain: tuple[int, ...] | None = None
        self._danger: float | None = None
        self._answers: tuple[tuple[tuple[int, ...], int], ...] | None = None

    def open(self) -> list[tuple[int, Series] | None]:
        """Return `moves`, which the first call computes."""
        if not self.moves:
            self.moves = [self._after(rank) for rank in RANKS]
        return self.moves

    def _after(self, rank: int) -> tuple[int, Series] | None:
        count = self.count + VALUE[rank]
        if count > 31:
            return None
        points = self.points(rank)
        return points, START if count == 31 else node(count, _useful_tail(self.tail, rank, count))

    def points(self, rank: int) -> int:
        """Return the points of a playable rank (0 to 12): pairs, runs, and 2 for 15 or 31."""
        count = self.count + VALUE[rank]
        return _points(self.tail, rank) + (2 if count in (15, 31) else 0)

    @property
    def danger(self) -> float:
        """The approximate expected points of the opponent's next card. It is the sum of each rank's
        points times the probability that a hand contains the rank."""
        if self._danger is None:
            room = 31 - self.count
            self._danger = _HELD * sum(
                [self.points(rank) for rank, value in enumerate(VALUE) if value <= room]
            )
        return self._danger

    @property
    def order(self) -> tuple[int, ...]:
        """The playable ranks, best first, for a cautious player. They are ordered by their points
        minus the expected points of the opponent's next card. If there is a tie, the higher card
        comes first, because small cards are kept for the end."""
        if self._order is None:
            worth = {
                rank: move[0] + _HIGH_CARDS * VALUE[rank] - (move[1].danger if move[1].count else 0)
                for rank, move in enumerate(self.open())
                if move is not None
            }
            self._order = tuple(sorted(worth, key=lambda rank: -worth[rank]))
        return self._order

    @property
    def plain(self) -> tuple[int, ...]:
        """The playable ranks, best first, for a plain player. The ranks with the most points come
        first. If none scores, the player avoids counts of 5, 10 and 21, and neighbours of the last
        card. As a lead, the player prefers a card below 5 and avoids a 5. If there is a tie, the
        higher card comes first."""
        if self._plain is None:
            worth = {
                rank: 10 * move[0] + 0.1 * VALUE[rank] - self._carelessness(rank, move[0])
                for rank, move in enumerate(self.open())
                if move is not None
            }
            self._plain = tuple(sorted(worth, key=lambda rank: -worth[rank]))
        return self._plain

    def _carelessness(self, rank: int, points: int) -> float:
        """Return a plain player's penalty for a rank."""
        bad = {5: 4.0, 10: 1.0, 21: 4.0}.get(self.count + VALUE[rank], 0.0)
        if not self.count:
            bad += 6 if rank == _FIVE else -2 if VALUE[rank] < VALUE[_FIVE] else 0
        elif not points and self.tail and 0 < abs(rank - self.tail[-1]) <= _BESIDE:
            bad += 2
        return bad

    def reply(self, hand: int) -> Reply:
        """Return the card that the holder of a hand plays, or None if the holder must say go.

        Args:
            hand: a non-empty code (`code`), with the flag of the holder's style, if any.
        """
        try:
            return self.replies[hand]
        except KeyError:
            pass
        reply: Reply = None
        if hand & self.fits:
            rank = self._choose(hand)
            move = self.open()[rank]
            assert move is not None
            reply = rank, move[0], move[1], hand - BITS[rank]
        self.replies[hand] = reply
        _remembered[0] += 1
        return reply

    def _choose(self, hand: int) -> int:
        if hand & PREPARED:
            return self._prepared(hand)
        if hand & PLAIN:
            held = [rank for rank in self.plain if hand & _MASKS[rank]]
            if self.count == 0:
                return next((rank for rank in held if hand >> 3 * rank & 7 > 1), held[0])
            return held[0]
        held = [rank for rank in self.order if hand & _MASKS[rank]]
        if self.count == 0:
            pairs = [rank for rank in held if hand >> 3 * rank & 7 > 1]
            if pairs and self._worth(pairs[0]) + _PAIR_LEAD > self._worth(held[0]):
                return pairs[0]
        return held[0]

    def _prepared(self, hand: int) -> int:
        """Return the card that a prepared player plays (`answers`)."""
        for ranks, kept in self.answers:
            for rank in ranks:
                if hand & _MASKS[rank]:
                    if not kept or (hand - BITS[rank]) & kept:
                        return rank
                    break
        raise ValueError(hand)

    @property
    def answers(self) -> tuple[tuple[tuple[int, ...], int], ...]:
        """The preferences of a prepared player, in order. Each consists of ranks to play and bits
        of cards to keep. The player plays the first of these ranks that is in its hand, if it then
        still holds one of those cards. If the bits are 0, there is no such condition.

        A prepared player takes the most points. If no card scores, it makes the count 4, or leads a
        3. If it cannot, it leaves a count that one of its cards turns into 31 after a ten, or into
        15. Otherwise it plays the highest card that does not leave a count of 5, 10 or 21. If there
        is a tie, it plays the lower card.
        """
        if self._answers is None:
            fits = [rank for rank in RANKS if VALUE[rank] <= 31 - self.count]
            earned = {rank: self.points(rank) for rank in fits}
            best = sorted((rank for rank in fits if earned[rank]), key=lambda rank: -earned[rank])
            found: list[tuple[tuple[int, ...], int]] = [(tuple(best), 0)]
            for count, kept in _wanted(self.count):
                ranks = tuple([rank for rank in fits if self.count + VALUE[rank] == count])
                found += [(ranks, _OF_VALUE[kept])] if ranks else []
            found += [
                (tuple([rank for rank in reversed(fits) if self.count + VALUE[rank] not in bad]), 0)
                for bad in ((5, 10, 21), (5, 21), ())
            ]
            self._answers = tuple(found)
        return self._answers

    def _worth(self, rank: int) -> float:
        move = self.open()[rank]
        assert move is not None
        return move[0] + _HIGH_CARDS * VALUE[rank] - move[1].danger

    def play_out(self, hand: int, last_is_other: bool) -> tuple[int, int]:
        """Return the opponent's and the holder's points if only the holder of the hand still has
        cards to play. The opponent may still get a point for the last card of this series.

        Args:
            hand: as for `reply`, but possibly empty.
            last_is_other: whether the opponent played the last card of this series.
        """
        key = hand, last_is_other
        known = self.runs_out.get(key)
        if known is None:
            known = self.runs_out[key] = _alone(self, hand, last_is_other)
        return known


def _alone(series: Series, hand: int, last_is_other: bool) -> tuple[int, int]:
    others = own = 0
    while hand & _RANK_BITS:
        reply = series.reply(hand)
        if reply is None:
            if last_is_other:
                others += 1
            else:
                own += 1
            last_is_other = False
            series = START
            continue
        _, points, series, hand = reply
        own += points
        last_is_other = False
    if series.count:
        if last_is_other:
            others += 1
        else:
            own += 1
    return others, own


def _points(tail: tuple[int, ...], rank: int) -> int:
    """Return the points for pairs and runs that a rank makes with the tail of a series."""
    alike = 0
    for other in reversed(tail):
        if other != rank:
            break
        alike += 1
    if alike:
        return (2, 6, 12)[min(alike, 3) - 1]
    low = high = rank
    seen = {rank}
    longest = 0
    for length, other in enumerate(reversed(tail), 2):
        if other in seen:
            break
        seen.add(other)
        low, high = min(low, other), max(high, other)
        if length > 2 and high - low == length - 1:
            longest = length
    return longest


def _useful_tail(tail: tuple[int, ...], rank: int, count: int) -> tuple[int, ...]:
    """Return the tail after a rank has been played, reduced to ranks that can still form pairs or
    runs before the count reaches 31."""
    if tail and tail[-1] == rank:
        alike = tuple(_trailing(tail, rank))
        return (*alike, rank) if len(alike) < 3 else (rank,)
    whole = (*tail, rank)
    best = 1
    seen: set[int] = set()
    for length, other in enumerate(reversed(whole), 1):
        if other in seen:
            break
        seen.add(other)
        missing = [r for r in range(min(seen), max(seen)) if r not in seen]
        least = sum(VALUE[r] for r in missing) or _least_beside(seen)
        if length > 1 and count + least <= 31:
            best = length
    return whole[-best:]


def _trailing(tail: tuple[int, ...], rank: int) -> Iterable[int]:
    for other in reversed(tail):
        if other != rank:
            return
        yield other


def _least_beside(seen: set[int]) -> int:
    """Return the lowest card value that extends an unbroken run."""
    return min(VALUE[r] for r in (min(seen) - 1, max(seen) + 1) if 0 <= r <= 12)


_NODES: Final[dict[tuple[int, tuple[int, ...]], Series]] = {}


def node(count: int, tail: tuple[int, ...]) -> Series:
    """Return the shared node of a count and tail."""
    found = _NODES.get((count, tail))
    if found is None:
        found = _NODES[count, tail] = Series(count, tail)
    return found


START: Final = node(0, ())
"""The empty series."""


_remembered = [0]
"""The approximate number of cached replies."""


def forget() -> None:
    """Clear the caches if they have become large, to limit memory use."""
    if len(_NODES) > _MOST_NODES:
        _NODES.clear()
        START.moves = []
        START.replies.clear()
        START.runs_out.clear()
        _NODES[0, ()] = START
    if _remembered[0] > _MOST_REPLIES:
        _remembered[0] = 0
        for series in _NODES.values():
            series.replies.clear()
            series.runs_out.clear()


def follow(cards: Iterable[int]) -> Series:
    """Return the node after these ranks have been played in one series. Raises ValueError if the
    count exceeds 31."""
    series = START
    for rank in cards:
        move = series.open()[rank]
        if move is None:
            raise ValueError(f"rank {rank} at count {series.count}")
        series = move[1]
    return series


def pegged(pone: int, dealer: int) -> list[tuple[bool, int]]:
    """Return the points pegged when cautious players play two hands (given as codes). Each item
    states the points, and whether the dealer pegged them."""
    hands = [pone, dealer]
    events: list[tuple[bool, int]] = []
    series, turn, gone, last = START, 0, False, 0
    while hands[0] or hands[1]:
        reply = series.reply(hands[turn]) if hands[turn] else None
        if reply is None:
            if gone or not hands[1 - turn]:  # nobody can continue
                if series.count:
                    events.append((bool(last), 1))
                turn = 1 - last if hands[1 - last] else last
                series, gone = START, False
            else:
                gone = True
                turn = 1 - turn
            continue
        _, points, series, hands[turn] = reply
        last = turn
        if points:
            events.append((bool(turn), points))
        if not series.count:
            gone = False
            turn = 1 - turn if hands[1 - turn] else turn
        elif not gone and hands[1 - turn]:
            turn = 1 - turn
    if series.count:
        events.append((bool(last), 1))
    return events
