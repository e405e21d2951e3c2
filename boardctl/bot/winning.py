"""The winning chance from a score, also with hands and crib still to be counted.

Scores are `mine` and `theirs` for the side whose chance is computed; `role` is that side's role in
the current deal, PONE or DEALER. Counting runs pone's hand, dealer's hand, crib; whoever reaches
TARGET first has won.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from boardctl.bot.tables import DEALER, PONE, TARGET, load

Histogram = list[tuple[int, float]]
"""Points and their probability."""


def next_deal(role: int, mine: int, theirs: int) -> float:
    """The winning chance (0 to 1) after a deal in which the side was `role`; at most one side has
    reached TARGET."""
    if mine >= TARGET:
        return 1.0
    if theirs >= TARGET:
        return 0.0
    win = load().win
    return win[mine][theirs] if role == PONE else 1 - win[theirs][mine]


def start(dealer: bool, mine: int, theirs: int) -> float:
    """The winning chance before a deal, for a side that deals it or not."""
    return next_deal(PONE if dealer else DEALER, mine, theirs)


@lru_cache(maxsize=1 << 16)
def counted(role: int, starter: int, mine: int, theirs: int) -> float:
    """The winning chance after the play, with the opponent's hand unknown.

    Args:
        role: PONE or DEALER.
        starter: its rank, 0 to 12.
        mine: our score, as pone with our hand, as dealer with our hand and crib.
        theirs: the opponent's, as dealer with the crib.
    """
    if role == PONE and mine >= TARGET:
        return 1.0
    total = 0.0
    for points, chance in enumerate(load().shows[1 - role][starter]):
        if not chance:
            continue
        if role == DEALER and theirs + points >= TARGET:
            break  # the pone counts first, and more points can only help
        total += chance * next_deal(role, mine, theirs + points)
    return total


def shown(
    role: int, mine: int, theirs: int, hand: int, other: int, crib: Iterable[tuple[int, float]]
) -> float:
    """The winning chance after the play, with both hands known.

    Args:
        role: PONE or DEALER.
        mine, theirs: the scores before the hands are counted.
        hand, other: the points of our hand and of the opponent's.
        crib: points of the crib and their probabilities, which sum to 1.
    """
    if role == PONE:
        if mine + hand >= TARGET:
            return 1.0
        return sum(
            chance * next_deal(role, mine + hand, theirs + other + points)
            for points, chance in crib
        )
    if theirs + other >= TARGET:
        return 0.0
    return sum(
        chance * next_deal(role, mine + hand + points, theirs + other) for points, chance in crib
    )
