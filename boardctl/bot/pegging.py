"""Sampled deals of the play to 31, for any number of players.

The unseen hands are dealt at random, but consistently with every go. Each player is assumed to have
laid away the least useful cards, so the sampled hands resemble hands that people keep. All hands
are then played out cautiously (`series`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache, reduce
from itertools import combinations
from random import Random
from typing import NamedTuple

from boardctl.bot.sampling import Group, dealt, numbers
from boardctl.bot.series import BITS, START, VALUE, Series
from boardctl.bot.totals import Ranks


class Unseen(NamedTuple):
    """The part of a deal that is unknown to one seat. Cards are indices in `games.cards.CARDS`."""

    pool: tuple[int, ...]
    """The unseen cards."""
    size: int
    """The number of cards dealt to each hand."""
    keep: int
    """The number of cards of a hand that are kept for the play."""
    me: int
    """The index of the seat itself, from 0."""
    played: tuple[tuple[int, ...], ...]
    """The ranks that each seat has played."""
    floors: tuple[int, ...]
    """A value for each seat that its gos imply. Every card that the seat still holds counts
    more."""
    owns_crib: tuple[bool, ...]
    """Whether the side of each seat counts the crib."""


class Sample(NamedTuple):
    """One possible distribution of the unseen cards."""

    hands: tuple[tuple[int, ...], ...]
    """The cards that each other seat still holds. The entry of the seat itself is empty."""
    thrown: tuple[tuple[int, ...], ...]
    """The cards that each seat laid away."""
    undealt: tuple[int, ...]
    """The cards dealt to nobody, in random order."""


def samples(unseen: Unseen, number: int, random: Random) -> Iterator[Sample]:
    """Yield at most `number` samples. Deals that contradict the gos are left out."""
    seats = [seat for seat in range(len(unseen.played)) if seat != unseen.me]
    away = unseen.size - unseen.keep
    groups = []
    for seat in seats:
        need = unseen.keep - len(unseen.played[seat])
        floor = unseen.floors[seat]
        barred = sum(1 << card for card in unseen.pool if VALUE[card % 13] <= floor)
        groups += [Group(seat, need, barred), Group(seat, away)]
    groups.append(Group(-1, len(unseen.pool) - sum(group.need for group in groups)))
    nobody = ((),) * len(unseen.played)
    for _ in range(number):
        masks = dealt(random, unseen.pool, groups)
        if masks is None:
            continue
        hands: list[tuple[int, ...]] = list(nobody)
        thrown: list[tuple[int, ...]] = list(nobody)
        for place, seat in enumerate(seats):
            held, spare = (tuple(numbers(masks[2 * place + more])) for more in (0, 1))
            hands[seat], thrown[seat] = _split(held, spare, unseen, seat)
        left = numbers(masks[-1])
        random.shuffle(left)
        yield Sample(tuple(hands), tuple(thrown), tuple(left))


def _split(
    held: tuple[int, ...], spare: tuple[int, ...], unseen: Unseen, seat: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Split a player's cards into those kept and those laid away. The split maximizes the points of
    the hand, plus or minus the value of the cards laid away.
    """
    if not spare:
        return held, spare
    both = (*held, *spare)
    played, floor = unseen.played[seat], unseen.floors[seat]
    sign = 1 if unseen.owns_crib[seat] else -1
    best, most = (held, spare), -100.0
    for some in combinations(both, len(held)):
        if any(VALUE[card % 13] <= floor for card in some):
            continue
        away = tuple(card for card in both if card not in some)
        points = plain_points(tuple(sorted((*played, *(card % 13 for card in some)))))
        worth = points + sign * together(tuple(sorted(card % 13 for card in away)))
        if worth > most:
            best, most = (some, away), worth
    return best


@lru_cache(maxsize=1 << 10)
def together(ranks: tuple[int, ...]) -> float:
    """Return the approximate points that one or two thrown ranks (0 to 12, ascending) add to a
    crib. Fives, fifteens, pairs and neighbouring ranks count.
    """
    values = [VALUE[rank] for rank in ranks]
    worth = 0.8 * values.count(5)
    if len(ranks) == 2:
        worth += 2.0 * (sum(values) == 15) + 2.0 * (ranks[0] == ranks[1])
        worth += 0.7 * (0 < ranks[1] - ranks[0] <= 2)
    return worth


@lru_cache(maxsize=1 << 16)
def plain_points(ranks: tuple[int, ...]) -> int:
    """Return the points for fifteens, pairs and runs in these ranks (0 to 12, ascending), without a
    starter."""
    return reduce(Ranks.plus, ranks, Ranks()).points


def play_out(
    series: Series, hands: list[int], due: int, last: int, passed: int, *, once: bool = False
) -> list[int]:
    """Play out the rest of a deal. Return the points that each seat pegs.

    Args:
        series: the cards since the count was 0.
        hands: the code of each seat's hand (`series.code`). The list is modified until all hands
            are empty.
        due: the seat to play.
        last: the seat that played the last card.
        passed: a mask of the seats that said go in this series. Bit n is seat n.
        once: whether the play ends with this series, as with five cards.
    """
    seats = len(hands)
    everybody = (1 << seats) - 1
    points = [0] * seats
    while any(hands):
        hand = hands[due]
        reply = series.reply(hand) if hand and not passed >> due & 1 else None
        if reply is None:
            passed |= 1 << due
            if passed == everybody:
                points[last] += 1
                if once:
                    return points
                series, passed, due = START, 0, last
        else:
            _, earned, series, hands[due] = reply
            points[due] += earned
            last = due
            if not series.count:
                if once:
                    return points
                passed = 0
        due = due + 1 if due + 1 < seats else 0
    if series.count:
        points[last] += 1
    return points


def tried(
    series: Series, rank: int, hands: Sequence[int], due: int, passed: int, *, once: bool = False
) -> list[int] | None:
    """Return the points that each seat pegs if the seat `due` plays a rank, or None if the rank
    cannot be played.

    The arguments are those of `play_out`, but this function does not modify `hands`.
    """
    move = series.open()[rank]
    if move is None:
        return None
    earned, after = move
    left = list(hands)
    left[due] -= BITS[rank]
    points = [0] * len(left)
    if after.count or not once:
        following = due + 1 if due + 1 < len(left) else 0
        points = play_out(after, left, following, due, passed if after.count else 0, once=once)
    points[due] += earned
    return points
