"""The bidding in Klaberjass, including schmeiss, an offer to throw the hands in.

Source: docs/rules/klaberjass.md 3.5 to 3.7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Self

from boardctl.games import IllegalMove, Move
from boardctl.games.common.jass import Bidding

OFFER: Final = "schmeiss"
ANSWERS: Final = ("yes", "no")
"""The possible answers to an offer: to throw the hands in, or to play on."""


@dataclass(frozen=True, slots=True)
class OpenBidding(Bidding):
    """The bidding for the suit of a turned-up card. A player may offer to throw the hands in."""

    offered: int = 0
    """The seat whose offer awaits an answer, or 0."""
    names: int = 0
    """The seat that must name a suit because its offer was refused in the second round, or 0."""
    thrown_in: bool = False
    """Whether the hands were thrown in."""

    @property
    def passed_out(self) -> bool:
        return self.thrown_in or super(OpenBidding, self).passed_out

    def say(self, move: Move) -> Self:
        """Bid `pass`, `take` or a suit.

        Raises:
            IllegalMove: `schmeiss-answer` if an offer awaits an answer, `name-a-suit` after a
                refused offer in the second round, or a code of `Bidding.say`.
        """
        self.check_due(move.player)
        if self.offered:
            raise IllegalMove("schmeiss-answer", seat=self.bidder)
        if self.names and move.words in (("pass",), ("take",)):
            raise IllegalMove("name-a-suit", seat=self.names)
        return Bidding.say(self, move)  # type: ignore[return-value]  # same type

    def offer(self, seat: int) -> Self:
        """Offer to throw the hands in.

        Raises:
            IllegalMove: `schmeiss-answer`, `name-a-suit`, or a code of `check_due`.
        """
        self.check_due(seat)
        if self.offered:
            raise IllegalMove("schmeiss-answer", seat=self.bidder)
        if self.names:
            raise IllegalMove("name-a-suit", seat=self.names)
        return replace(self, last=seat, offered=seat)

    def answer(self, seat: int, *, accepted: bool, offerer_makes: bool) -> Self:
        """Answer an offer.

        Args:
            seat: the seat that answers.
            accepted: whether the hands are thrown in.
            offerer_makes: whether the seat that made the offer becomes the maker if the offer is
                refused in the first round. Otherwise the seat that refused the offer becomes the
                maker.

        Raises:
            IllegalMove: `no-offer`, or a code of `check_due`.
        """
        self.check_due(seat)
        if not self.offered:
            raise IllegalMove("no-offer")
        answered = replace(self, last=seat, offered=0)
        if accepted:
            return replace(answered, thrown_in=True)
        if self.second_round:
            return replace(answered, names=self.offered)
        maker = self.offered if offerer_makes else seat
        return replace(answered, taker=maker, trump=self.suit)
