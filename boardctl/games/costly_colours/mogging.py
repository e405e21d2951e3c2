"""Mogging: each player gives the other a card, or one of them refuses the exchange.

Source: docs/rules/costly-colours.md 3.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from boardctl.games import IllegalMove, because, put
from boardctl.games.cards import Card, Rank
from boardctl.games.common import known_cards
from boardctl.games.common.known_cards import RaceDeal

HONOURS: Final = frozenset({Rank.JACK, Rank.TWO})
"""The ranks that score 2 points each, or 4 points in the suit of the starter."""
WORTHS: Final = (0, 2, 4)


@dataclass(frozen=True, slots=True)
class Mog:
    """The progress of the exchange."""

    given: tuple[Card | None, ...] = (None, None)
    """The card that each seat gave away (`?` if unseen), or None. It is kept after the exchange."""
    worth: tuple[int, ...] = (0, 0)
    """The score of each giver for the card given. It is kept after the exchange."""
    settled: bool = False
    """Whether the exchange is over or was refused."""

    @property
    def made(self) -> bool:
        """Whether the cards have been exchanged."""
        return self.settled and None not in self.given

    def received(self, seat: int) -> Card | None:
        """Return the card that a seat has received, or None."""
        return self.given[2 - seat] if self.made else None

    def received_worth(self, seat: int) -> int:
        """Return the giver's score for the card that a seat has received. If only points were
        entered for the exchange, the card itself is unknown."""
        entered = self.settled and self.given == (None, None)
        return self.worth[2 - seat] if self.made or entered else 0


NO_MOG: Final = Mog()
"""The exchange before anything has been entered."""


def honour(card: Card, starter: Card) -> int | None:
    """Return the points for a jack or deuce, 0 for any other card, or None if the points are
    unknown."""
    if card.rank is not None and card.rank not in HONOURS:
        return 0
    if card.suit is None or starter.suit is None:
        return None
    return 4 if card.suit == starter.suit else 2


def offer(deal: RaceDeal[Mog], seat: int, card: Card, said: int | None) -> Mog:
    """Give a card away: `N mog CARD`.

    Args:
        deal: the deal.
        seat: the seat of the giver.
        card: the card.
        said: the worth that the giver stated, if the card is not fully known.

    Raises:
        IllegalMove: `not-held`, `card-unknown` if neither the suit nor the worth of a jack or deuce
            was entered, or `impossible-points` or `contradicts` if the worth is impossible.
    """
    mog, starter = deal.extra, deal.starter
    assert starter is not None
    card = _from_hand(deal, seat, card)
    if said is not None and said not in WORTHS:
        raise IllegalMove("impossible-points", seat=seat, points=said, why="mog")
    worth = honour(card, starter)
    if worth is None and said is None and card.rank is not None:
        raise IllegalMove(
            "card-unknown", card=card, **because("starter" if card.is_known else None)
        )
    is_nothing = worth is None and card.rank is not None and not said
    if is_nothing or (None not in (worth, said) and worth != said):
        raise IllegalMove("contradicts", seat=seat, cards=(card,), known=str(said), why="worth")
    value = (said or 0) if worth is None else worth
    given, worths = put(mog.given, seat, card), put(mog.worth, seat, value)
    return replace(mog, given=given, worth=worths, settled=None not in given)


def _from_hand(deal: RaceDeal[Mog], seat: int, card: Card) -> Card:
    """Return the card that a seat gives away. It has a suit if the hand is known to contain exactly
    one card of the rank.

    Raises:
        IllegalMove: `not-held`, or a code of `known_cards.twice`.
    """
    held = deal.hands[seat - 1]
    if card.rank is None:
        return card
    if card.suit is None:
        alike = [other for other in held if other.rank == card.rank]
        card = alike[0] if len(alike) == 1 and len(held) == deal.size else card
    if len(known_cards.merge(held, (card,))) > deal.size:
        raise IllegalMove("not-held", seat=seat, cards=(card,), held=held)
    if card not in held:
        known_cards.twice((*deal.entered, card))
    return card


def exchange(deal: RaceDeal[Mog], mog: Mog) -> RaceDeal[Mog]:
    """Return the deal after the exchange. A hand from which an unseen card was given away is no
    longer known."""
    hands = []
    for seat in (1, 2):
        given, received = mog.given[seat - 1], mog.given[2 - seat]
        hand = deal.hands[seat - 1]
        left = () if given is None or given.rank is None else known_cards.without(hand, (given,))
        left += () if received is None or received.rank is None else (received,)
        hands.append(left)
    after = deal._replace(extra=mog, hands=(hands[0], hands[1]))
    known_cards.check(after)
    return after
