"""The bidding: who takes and which suit becomes trumps. Source: docs/rules/belote.md 3."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from boardctl.games import IllegalMove
from boardctl.games.cards import Suit

CAPOT: Final = 250
"""The value of a bid to win all tricks."""
LEAST: Final = 80
MOST: Final = 160
STEP: Final = 10


@dataclass(frozen=True, slots=True)
class Bidding:
    """The bidding of a deal.

    suit: the suit of the turned card, if known. passes: passes in a row since the last bid, or all
    passes if nobody has taken. taker, trump: who fixed trumps, and which suit. bid: the points bid
    in Coinche, 0 if nobody has bid. doubled: the multiplier: 1, 2 after `coinche`, 4 after
    `surcoinche`. over: the bidding has ended.
    """

    eldest: int
    seats: int
    coinche: bool = False
    suit: Suit | None = None
    passes: int = 0
    spoken: int = 0
    taker: int | None = None
    trump: Suit | None = None
    bid: int = 0
    doubled: int = 1
    over: bool = False

    @property
    def due(self) -> int:
        """The seat whose turn it is to bid."""
        return (self.eldest - 1 + self.spoken) % self.seats + 1

    @property
    def second_round(self) -> bool:
        """Whether everyone has passed on the suit turned."""
        return not self.coinche and self.passes >= self.seats

    @property
    def passed_out(self) -> bool:
        """Whether the bidding ended with nobody taking."""
        rounds = 1 if self.coinche else 2
        return self.taker is None and self.passes == rounds * self.seats


def _speak(bidding: Bidding, seat: int) -> None:
    if bidding.over:
        raise IllegalMove("bidding-over", maker=bidding.taker, trump=letter(bidding.trump))
    if seat != bidding.due:
        raise IllegalMove("out-of-turn", seat=seat, turn=bidding.due)


def letter(suit: Suit | None) -> str | None:
    return None if suit is None else suit.letter


def say(bidding: Bidding, seat: int, numbers: tuple[int, ...], words: tuple[str, ...]) -> Bidding:
    """`N bid …`, with a turned card or in Coinche.

    Raises:
        IllegalMove: `bidding-over`, `out-of-turn`, and the errors of `_turned` and `_bid`.
    """
    _speak(bidding, seat)
    spoken = replace(bidding, spoken=bidding.spoken + 1)
    if words == ("pass",) and not numbers:
        spoken = replace(spoken, passes=bidding.passes + 1)
        ended = spoken.passed_out or (bidding.taker is not None and spoken.passes == 3)
        return replace(spoken, over=ended)
    if bidding.coinche:
        return _bid(spoken, seat, numbers, words)
    if numbers or len(words) != 1 or words == ("capot",):
        raise IllegalMove("one-bid", said=" ".join((*map(str, numbers), *words)))
    return _turned(spoken, seat, words[0])


def _turned(bidding: Bidding, seat: int, word: str) -> Bidding:
    """`take` or a suit, when a card has been turned (3.1).

    Raises:
        IllegalMove: `take-or-pass`, `name-another-suit`, `suit-turned-down`.
    """
    named = None if word == "take" else Suit("SHDC".index(word))
    if not bidding.second_round:
        if named is not None and bidding.suit not in (None, named):
            raise IllegalMove("take-or-pass", suit=word, turned=letter(bidding.suit))
        suit = bidding.suit if named is None else named
        return replace(bidding, taker=seat, suit=suit, trump=suit, over=True)
    if named is None:
        raise IllegalMove("name-another-suit", turned=letter(bidding.suit))
    if named == bidding.suit:
        raise IllegalMove("suit-turned-down", suit=word)
    return replace(bidding, taker=seat, trump=named, over=True)


def _bid(bidding: Bidding, seat: int, numbers: tuple[int, ...], words: tuple[str, ...]) -> Bidding:
    """A number or `capot`, with a suit (3.3).

    Raises:
        IllegalMove: `not-a-bid`, `bid-too-low`, `doubled-already`.
    """
    suits = [word for word in words if len(word) == 1]
    capot = "capot" in words
    said = " ".join((*map(str, numbers), *words))
    if len(suits) != 1 or len(numbers) == capot or len(words) != 1 + capot:
        raise IllegalMove("not-a-bid", said=said)
    points = CAPOT if capot else numbers[0]
    if not capot and (points % STEP or not LEAST <= points <= MOST):
        raise IllegalMove("not-a-bid", said=said)
    if bidding.doubled > 1:
        raise IllegalMove("doubled-already", seat=seat)
    if points <= bidding.bid:
        raise IllegalMove("bid-too-low", said=said, least=bidding.bid + STEP)
    trump = Suit("SHDC".index(suits[0]))
    return replace(bidding, taker=seat, trump=trump, bid=points, passes=0)


def double(bidding: Bidding, seat: int) -> Bidding:
    """`N coinche`: double the other side's bid (3.4).

    Raises:
        IllegalMove: `nothing-to-double`, `own-contract`, `doubled-already`.
    """
    if not bidding.coinche:
        raise IllegalMove("nothing-to-double")
    _speak(bidding, seat)
    if bidding.taker is None:
        raise IllegalMove("nothing-to-double")
    if (bidding.taker - seat) % 2 == 0:
        raise IllegalMove("own-contract", seat=seat)
    if bidding.doubled > 1:
        raise IllegalMove("doubled-already", seat=seat)
    return replace(bidding, doubled=2, passes=0, spoken=bidding.spoken + 1)


def redouble(bidding: Bidding, seat: int) -> Bidding:
    """`N surcoinche`: the bidder's side redoubles, which ends the bidding.

    Raises:
        IllegalMove: `not-doubled`.
    """
    if not bidding.coinche or bidding.doubled == 1:
        raise IllegalMove("not-doubled")
    _speak(bidding, seat)
    if bidding.taker is None or (bidding.taker - seat) % 2:
        raise IllegalMove("not-doubled")
    return replace(bidding, doubled=4, spoken=bidding.spoken + 1, over=True)
