"""The bidding of Coinche, by points and suit. Source: docs/rules/belote.md 3.3, 3.4."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from boardctl.games import IllegalMove, because
from boardctl.games.cards import Suit
from boardctl.games.common.jass import Bidding

CAPOT: Final = 250
"""The value of a bid to win all tricks."""
LEAST: Final = 80
MOST: Final = 160
STEP: Final = 10


@dataclass(frozen=True, slots=True)
class Coinche(Bidding):
    """The bidding of a deal of Coinche; `passes` are those since the last bid."""

    bid: int = 0
    """The points bid, 0 if nobody has bid."""
    doubled: int = 1
    """The multiplier: 1, 2 after `coinche`, 4 after `surcoinche`."""

    @property
    def second_round(self) -> bool:
        return False

    @property
    def passed_out(self) -> bool:
        return self.taker is None and self.passes == self.seats

    def say(self, seat: int, numbers: tuple[int, ...], words: tuple[str, ...]) -> Coinche:
        """`N bid pass`, or a number or `capot` with a suit.

        Raises:
            IllegalMove: those of `check_due`; `not-a-bid`, `bid-too-low`, `doubled-already`.
        """
        self.check_due(seat)
        spoken = replace(self, spoken=self.spoken + 1)
        if words == ("pass",) and not numbers:
            spoken = replace(spoken, passes=self.passes + 1)
            ended = spoken.passed_out or (self.taker is not None and spoken.passes == 3)
            return replace(spoken, over=ended)
        suits = [word for word in words if len(word) == 1]
        capot = "capot" in words
        said = " ".join((*map(str, numbers), *words))
        if len(suits) != 1 or len(numbers) == capot or len(words) != 1 + capot:
            raise IllegalMove("not-a-bid", said=said)
        points = CAPOT if capot else numbers[0]
        if not capot and (points % STEP or not LEAST <= points <= MOST):
            raise IllegalMove("not-a-bid", said=said)
        if self.doubled > 1:
            raise IllegalMove("doubled-already", seat=seat)
        if points <= self.bid:
            why = "capot" if self.bid == MOST else "all" if self.bid > MOST else None
            raise IllegalMove("bid-too-low", said=said, least=self.bid + STEP, **because(why))
        trump = Suit("SHDC".index(suits[0]))
        return replace(spoken, taker=seat, trump=trump, bid=points, passes=0)

    def double(self, seat: int) -> Coinche:
        """`N coinche`: double the other side's bid.

        Raises:
            IllegalMove: `nothing-to-double`, `own-contract`, `doubled-already`.
        """
        self.check_due(seat)
        if self.taker is None:
            raise IllegalMove("nothing-to-double")
        if (self.taker - seat) % 2 == 0:
            raise IllegalMove("own-contract", seat=seat)
        if self.doubled > 1:
            raise IllegalMove("doubled-already", seat=seat)
        return replace(self, doubled=2, passes=0, spoken=self.spoken + 1)

    def redouble(self, seat: int) -> Coinche:
        """`N surcoinche`: the bidder's side redoubles, which ends the bidding.

        Raises:
            IllegalMove: `not-doubled`.
        """
        if self.doubled == 1:
            raise IllegalMove("not-doubled")
        self.check_due(seat)
        if self.taker is None or (self.taker - seat) % 2:
            raise IllegalMove("not-doubled")
        return replace(self, doubled=4, spoken=self.spoken + 1, over=True)
