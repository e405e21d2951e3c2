"""Reasonable play of the other forms of cribbage: five-card, three and four players.

The throw keeps the cards with the highest average over all starters, plus or minus the score of the
thrown cards alone; the card is the choice of a cautious player of two-handed play (`series`).
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import NamedTuple

from boardctl.bot.series import code, follow
from boardctl.games.cards import CARDS, Card
from boardctl.games.cribbage import show
from boardctl.games.cribbage.point_claims import State


def throw(state: State, hand: Sequence[Card], seat: int) -> tuple[Card, ...]:
    """Return the cards to discard from a full hand."""
    return throws(state, hand, seat)[0].cards


class Throw(NamedTuple):
    """A throw: the average points of the kept hand over all starters, without and with the thrown
    cards' worth in the crib."""

    cards: tuple[Card, ...]
    hand: float
    worth: float


def throws(state: State, hand: Sequence[Card], seat: int) -> list[Throw]:
    """Return every throw of a full hand, best first."""
    dealer = state.sheet.dealer or seat
    side = state.setup.side
    sign = 1 if side(seat) == side(dealer) else -1
    starters = [card for card in CARDS if card not in hand]

    def weighed(away: tuple[Card, ...]) -> Throw:
        kept = [card for card in hand if card not in away]
        points = sum(
            item.points for starter in starters for item in show.count(kept, starter)
        ) / len(starters)
        return Throw(away, points, points + sign * _together(away))

    assert state.deal is not None
    discards = state.deal.size - state.deal.keep
    found = map(weighed, combinations(hand, discards))
    return sorted(found, key=lambda throw: -throw.worth)


def _together(away: Sequence[Card]) -> float:
    """Return the value of the thrown cards for a crib: a fifteen, a pair, neighbours, a five."""
    values = [min(card.rank or 0, 10) for card in away]
    worth = 0.8 * values.count(5)
    if len(away) == 2:
        one, two = sorted(card.rank or 0 for card in away)
        worth += 2.0 * (sum(values) == 15) + 2.0 * (one == two) + 0.7 * (0 < two - one <= 2)
    return worth


def card(series: Sequence[Card], held: Sequence[Card]) -> Card | None:
    """Return the card to play on a series, None if none fits."""
    node = follow([(some.rank or 1) - 1 for some in series])
    reply = node.reply(code([(some.rank or 1) - 1 for some in held])) if held else None
    if reply is None:
        return None
    return next(some for some in held if (some.rank or 1) - 1 == reply[0])
