"""One deal of Klaberjass: what it has besides those of its family, and its sequences.

Source: docs/rules/klaberjass.md 1, 4 and 5.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any, Literal

from boardctl.games import IllegalMove, Move
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common.jass import NATURAL, TRICKS, JassDeal
from boardctl.games.common.trick_deal import Cards, check_card, check_time

IN_HAND = TRICKS[2]
"""The number of cards each holds for the play."""

Stage = Literal["open", "declared", "equal", "top", "tied", "settled"]


@dataclass(frozen=True, slots=True)
class Declarations:
    """The progress of announcing sequences (5.5)."""

    stage: Stage = "open"
    """`open`: nothing said; `declared`: the younger's reply is due; `equal`: the elder's top rank
    is due; `top`: the reply to it is due; `tied`: a trump sequence may still be claimed;
    `settled`."""
    value: int = 0
    """The points that the elder announced."""
    top: Rank | None = None
    """The top rank that the elder named."""
    owner: int | None = None
    """Who scores sequences."""

    @property
    def going(self) -> bool:
        """Whether somebody must still speak; a reply to `none` may be omitted."""
        return self.stage in ("equal", "top") or (self.stage == "declared" and self.value > 0)


@dataclass(frozen=True, slots=True)
class Run:
    """A sequence: cards of one suit, highest first (5.1)."""

    cards: Cards

    @property
    def value(self) -> int:
        return 20 if len(self.cards) == 3 else 50

    @property
    def top(self) -> Rank:
        rank = self.cards[0].rank
        assert rank is not None
        return rank

    @property
    def suit(self) -> Suit:
        suit = self.cards[0].suit
        assert suit is not None
        return suit

    def strength(self, trump: Suit | None) -> tuple[int, int, bool]:
        """The sort key that decides between two sequences: points, then top card, then trump (5.2,
        5.3, E6)."""
        return self.value, -NATURAL.index(self.top), self.suit == trump


@dataclass(frozen=True, slots=True)
class Shown(Run):
    """A sequence shown by the owner: the cards as entered, and its run if that is certain."""

    run: Run | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(JassDeal):
    """A deal for two: six cards each until trumps are fixed, then nine (1.2, 1.3)."""

    late: bool = False
    """Whether the seven was exchanged after sequences were announced."""
    declarations: Declarations = Declarations()
    shown: tuple[Shown, ...] = ()
    """The sequences that count, entered card by card or deduced from known hands."""
    bottom: Card | None = None
    """The stock's last card, if it was shown (1.4)."""

    @property
    def younger(self) -> int:
        return 3 - self.eldest

    def talk(self, stage: Stage, **more: Any) -> Deal:
        """The deal whose announcing has come to a stage."""
        return replace(self, declarations=replace(self.declarations, stage=stage, **more))

    @property
    def talked(self) -> bool:
        return self.declarations.stage != "open"

    @property
    def out(self) -> Cards:
        bottom = () if self.bottom is None else (self.bottom,)
        return (*self.turned_away, *bottom)

    def at_talk(self, seat: int) -> tuple[frozenset[Card], frozenset[Card]]:
        """The cards known to be held, and those that may be, when sequences were declared; a later
        exchange changes nothing (5.5b)."""
        known, possible = self.known(seat), self.possible(seat)
        if self.swapper == seat and self.late and self.turned is not None and self.seven:
            back, seven = frozenset({self.turned}), frozenset({self.seven})
            return (known - back) | seven, (possible - back) | seven
        return known, possible


def show_bottom(deal: Deal, move: Move) -> Deal:
    """`bottom CARD`: the stock's last card, which is in no hand, if the table shows it once trumps
    are fixed (1.4)."""
    (card,) = move.cards
    check_card(deal.spec, card)
    if deal.bottom is not None:
        raise IllegalMove("turned-already", card=deal.bottom, why="bottom")
    check_time(deal, "bottom", led=False)
    if not deal.free(card):
        raise IllegalMove("card-twice", card=card)
    return replace(deal, bottom=card)


def exchange(deal: Deal, move: Move) -> Deal:
    """`N exchange`, but not while an answer is due (4.2). The sequences are those held when the
    first was announced (5.5b)."""
    check_time(deal, "exchange")
    if deal.declarations.going and not deal.bidding.second_round and not deal.led:
        raise IllegalMove("exchange-in-talk")
    return replace(deal.exchange(move.player), late=deal.talked)
