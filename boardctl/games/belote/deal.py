"""One deal of Belote: what it has besides those of its family.

Source: docs/rules/belote.md 2, 4, 6, 10.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from boardctl.games import IllegalMove, Move
from boardctl.games.belote.bidding import Coinche
from boardctl.games.belote.declarations import Piece
from boardctl.games.common.jass import JassDeal
from boardctl.games.common.trick_deal import Cards


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(JassDeal):
    """A deal for two or four."""

    declared: bool = False
    """Whether `declare` has settled the declarations."""
    owner: int | None = None
    """Whose declarations count."""
    pieces: tuple[tuple[int, Piece], ...] = ()
    """The declarations that count, each with its seat."""

    @property
    def coinche(self) -> bool:
        return isinstance(self.bidding, Coinche)

    @property
    def contract(self) -> tuple[int, int]:
        """The points bid, 0 where none are, and what the deal's points are multiplied by."""
        bidding = self.bidding
        return (bidding.bid, bidding.doubled) if isinstance(bidding, Coinche) else (0, 1)

    @property
    def talked(self) -> bool:
        return self.declared or bool(self.pieces)

    def size(self, seat: int) -> int:
        return self.whole_hand if self.coinche else JassDeal.size(self, seat)

    def _takes_turned(self, seat: int) -> bool:
        """Whether a player of four picks up the turned card (2.2, 3.2)."""
        return self.seats == 4 and not self.coinche and self.bidding.taker == seat

    def dealt(self, seat: int) -> int:
        return self.size(seat) - self._takes_turned(seat)

    def awaited(self, seat: int) -> int:
        return int(self.turned is None and self._takes_turned(seat))

    @property
    def out(self) -> Cards:
        return () if self.seats == 4 and self.bidding.over else self.turned_away

    def turn_up(self, move: Move) -> Deal:
        if self.coinche:
            raise IllegalMove("nothing-turned")
        return give_turned(JassDeal.turn_up(self, move))


def give_turned(deal: Deal) -> Deal:
    """Give the taker of four hands the turned-up card (2.2, 3.2)."""
    taker, card = deal.bidding.taker, deal.turned
    if deal.seats == 2 or deal.coinche or taker is None or card is None:
        return deal
    if card in deal.known(taker):
        return deal
    if deal.unseen(taker) <= 0:
        raise IllegalMove("card-twice", card=card)
    return deal.learn(taker, (card,))


def with_belote(deal: Deal, move: Move) -> Deal:
    """`N belote`, also with a play: the player has the king and queen of trumps.

    Raises:
        IllegalMove: `belote-called`, `no-belote`.
    """
    seat = move.player
    if deal.royals_called is not None:
        raise IllegalMove("belote-called", seat=deal.royals_called)
    held = deal.with_royals(seat)
    if held is None:
        raise IllegalMove("no-belote", seat=seat)
    return replace(held, royals_called=seat)
