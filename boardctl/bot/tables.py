"""Precomputed data of the computer player, and the winning chances that follow from it.

The chances can be computed before a deal, or after the play with hands and crib still to be
counted. `bot_tables` generates the data in `tables.json`.

Four-rank hands are in the order of HANDS. The chances of skunks are in `margins.json`
(`tools.margin_tables`).

`mine` is the score of the side whose chance is computed, and `theirs` is the opponent's score.
`role` is that side's role in the current deal, PONE or DEALER. Hands are counted in this order:
pone's hand, dealer's hand, crib. The first side to reach TARGET wins.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from functools import cache, lru_cache
from importlib import resources
from itertools import combinations_with_replacement
from math import comb, prod
from typing import Any, Final, NamedTuple

from boardctl.bot.objective import WIN, Objective
from boardctl.bot.series import RANKS, code

TARGET: Final = 121
HANDS: Final = tuple(combinations_with_replacement(RANKS, 4))
"""The 1,820 hands of four ranks. The ranks of each hand are in ascending order."""
PLACE: Final[dict[tuple[int, ...], int]] = {hand: place for place, hand in enumerate(HANDS)}
CODES: Final = tuple(map(code, HANDS))
WAYS: Final = tuple(prod(comb(4, hand.count(rank)) for rank in set(hand)) for hand in HANDS)
"""The number of ways to choose suits for the ranks of each hand."""
MOST_PEGGED: Final = 40
UNIT: Final = 1_000_000
PONE: Final = 0
DEALER: Final = 1


class Tables(NamedTuple):
    """All data from `tables.json`, converted to fractions and points."""

    kept: tuple[tuple[float, ...], tuple[float, ...]]
    """The probability that a role keeps a hand, by role and hand."""
    pegging: tuple[tuple[tuple[float, float], ...], tuple[tuple[float, float], ...]]
    """The average points pegged by a role and by its opponent, by role and hand."""
    pegged: tuple[tuple[int, int, float], ...]
    """The probability of each pair of the pone's and the dealer's points in the play, over all
    deals."""
    shows: tuple[tuple[tuple[float, ...], ...], ...]
    """The probability of each total from 0 to 29, for the pone's hand, the dealer's hand and the
    crib, by the rank of the starter."""
    win: tuple[tuple[float, ...], ...]
    """The dealer's chance of winning before the deal, by the dealer's and the pone's scores."""


@cache
def load() -> Tables:
    """Load the shipped tables."""
    text = (resources.files("boardctl.bot") / "tables.json").read_text("utf-8")
    return read(json.loads(text))


def read(data: dict[str, list[list[int]]]) -> Tables:
    """Convert the data of `bot_tables` to tables. The data contains probabilities as integers in
    UNITs, and points in hundredths."""
    kept = [tuple(number / UNIT for number in data[f"kept {role}"][0]) for role in _ROLES]
    pegging = [
        tuple((own / 100, other / 100) for own, other in zip(*data[f"pegging {role}"], strict=True))
        for role in _ROLES
    ]
    shows = tuple(
        tuple(tuple(number / UNIT for number in row) for row in data[f"shows {which}"])
        for which in (*_ROLES, "crib")
    )
    win = tuple(tuple(number / UNIT for number in row) for row in data["win"])
    pegged = tuple((pone, dealer, number / UNIT) for pone, dealer, number in data["pegged"])
    return Tables((kept[0], kept[1]), (pegging[0], pegging[1]), pegged, shows, win)


_ROLES: Final = ("pone", "dealer")


Histogram = list[tuple[int, float]]
"""Points with their probabilities."""


def ends(dealer: bool, mine: int, theirs: int) -> tuple[float, ...]:
    """Return the chance of each outcome of a game, before a deal.

    Args:
        dealer: whether this side deals.
        mine, theirs: the scores, below 121.

    Returns:
        The chances of winning by a game, a skunk and a double skunk, then of losing by each.
    """
    margins = _margins()
    if dealer:
        win = load().win[mine][theirs]
        skunk, double, lost, lost_double = (table[mine][theirs] for table in margins)
    else:
        win = 1 - load().win[theirs][mine]
        lost, lost_double, skunk, double = (table[theirs][mine] for table in margins)
    loss = 1 - win
    return win - skunk, skunk - double, double, loss - lost, lost - lost_double, lost_double


def before_deal(objective: Objective, dealer: bool, mine: int, theirs: int) -> float:
    """Return the worth of a score before a deal. The other arguments are those of `ends`."""
    worths = (*objective.won, *objective.lost)
    chances = ends(dealer, mine, theirs)
    return sum([chance * worth for chance, worth in zip(chances, worths, strict=True)])


@cache
def _margins() -> tuple[tuple[tuple[float, ...], ...], ...]:
    """Return first the dealer's and then the pone's chances of a skunk and a double skunk, indexed
    by both scores."""
    text = (resources.files("boardctl.bot") / "margins.json").read_text("utf-8")
    data: Mapping[str, Any] = json.loads(text)
    names = ("dealer skunk", "dealer double", "pone skunk", "pone double")
    return tuple(
        tuple(tuple(number / UNIT for number in row) for row in data[name]) for name in names
    )


def next_deal(role: int, mine: int, theirs: int, objective: Objective = WIN) -> float:
    """Return the chance of winning (0 to 1) after a deal, or the worth under an objective.

    Args:
        role: the role of the side in the finished deal.
        mine, theirs: the scores. At most one has reached TARGET.
        objective: the objective of the game.
    """
    if mine >= TARGET:
        return objective.gained(theirs)
    if theirs >= TARGET:
        return objective.given(mine)
    if objective is not WIN:
        return before_deal(objective, role == PONE, mine, theirs)
    win = load().win
    return win[mine][theirs] if role == PONE else 1 - win[theirs][mine]


def start(dealer: bool, mine: int, theirs: int, objective: Objective = WIN) -> float:
    """Return the chance of winning (0 to 1) before a deal, or the worth under an objective.

    Args:
        dealer: whether the side deals.
        mine, theirs: the scores. At most one has reached TARGET.
        objective: the objective of the game.
    """
    return next_deal(PONE if dealer else DEALER, mine, theirs, objective)


@lru_cache(maxsize=1 << 16)
def counted(
    role: int, starter: int, mine: int, theirs: int, before: int = 0, objective: Objective = WIN
) -> float:
    """Return the chance of winning after the play, with the opponent's hand unknown.

    Args:
        role: PONE or DEALER.
        starter: the rank of the starter, 0 to 12.
        mine: our score, including our hand and, as dealer, the crib.
        theirs: the opponent's score, including the crib if the opponent deals.
        before: the dealer's score before any hand is counted. Only margins depend on it.
        objective: the objective of the game.
    """
    if role == PONE and mine >= TARGET:
        return objective.gained(before)
    total = 0.0
    for points, chance in enumerate(load().shows[1 - role][starter]):
        if not chance:
            continue
        if role == DEALER and theirs + points >= TARGET:
            total += chance * objective.given(before)  # the pone counts first
            continue
        total += chance * next_deal(role, mine, theirs + points, objective)
    return total


def with_known_hands(
    role: int,
    mine: int,
    theirs: int,
    hand: int,
    other: int,
    crib: Iterable[tuple[int, float]],
    objective: Objective = WIN,
) -> float:
    """Return the chance of winning after the play, with both hands known.

    Args:
        role: PONE or DEALER.
        mine, theirs: the scores before the hands are counted.
        hand, other: the points of our hand and of the opponent's hand.
        crib: the possible points of the crib with their probabilities, which sum to 1.
        objective: the objective of the game.
    """
    if role == PONE:
        if mine + hand >= TARGET:
            return objective.gained(theirs)
        return sum(
            chance * next_deal(role, mine + hand, theirs + other + points, objective)
            for points, chance in crib
        )
    if theirs + other >= TARGET:
        return objective.given(mine)
    return sum(
        chance * next_deal(role, mine + hand + points, theirs + other, objective)
        for points, chance in crib
    )
