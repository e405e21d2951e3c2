"""Random deals of the unseen cards that are consistent with a player's knowledge."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Final, NamedTuple

_TRIES: Final = 30
"""The maximum number of new attempts after an impossible deal."""


class Group(NamedTuple):
    """The unseen cards in a hand, or the unseen cards out of play."""

    seat: int
    """The seat from 0, or -1 if nobody plays these cards."""
    need: int
    """The number of cards."""
    barred: int = 0
    """A mask of the excluded cards."""


def dealt(random: Random, pool: Sequence[int], groups: Sequence[Group]) -> list[int] | None:
    """Deal numbered cards to groups at random.

    First, each card with a single possible group is dealt to that group. Then each other card is
    dealt to one of its possible groups, with a probability proportional to the number of cards that
    the group still needs.

    Args:
        random: draws the cards.
        pool: the numbers of the unseen cards, as many as all groups need together.
        groups: the groups to fill.

    Returns:
        A mask for each group, or None if no deal was found.
    """
    cards = list(pool)
    some = [place for place, group in enumerate(groups) if group.need]
    barred = [group.barred for group in groups]
    if not any(barred[place] for place in some):
        return _freely(random, cards, groups)
    for _ in range(_TRIES):
        random.shuffle(cards)
        order = []
        for card in cards:
            fits = [place for place in some if not barred[place] >> card & 1]
            order.append((len(fits), card, fits))
        order.sort(key=_choices)
        left = [group.need for group in groups]
        found = [0] * len(groups)
        for _, card, fits in order:
            room = 0
            for place in fits:
                room += left[place]
            if not room:
                break
            at = random.random() * room
            for place in fits:  # the loop stops at this group
                at -= left[place]
                if at < 0:
                    break
            left[place] -= 1
            found[place] |= 1 << card
        else:
            return found
    return None


def _choices(one: tuple[int, int, list[int]]) -> int:
    return one[0]


def _freely(random: Random, cards: list[int], groups: Sequence[Group]) -> list[int]:
    """Deal cards to groups that may each contain any of the cards."""
    random.shuffle(cards)
    found, at = [], 0
    for group in groups:
        found.append(sum([1 << card for card in cards[at : at + group.need]]))
        at += group.need
    return found


def numbers(mask: int) -> list[int]:
    """Return the card numbers in a mask, lowest first."""
    found = []
    while mask:
        low = mask & -mask
        found.append(low.bit_length() - 1)
        mask ^= low
    return found
