"""Tricks represented by bit masks: legal cards, winners, points, and rules of thumb for playing out
a deal.

A search plays each deal thousands of times, so this module is a fast copy of the play in
`games.common.trick_deal`. At the table, only the referee decides whether a card is legal.

A card is represented by a bit number. Trumps have the lowest bits, followed by the other suits.
Within a suit, a higher bit is a stronger card, and copies of a card have adjacent bits. This module
counts seats and sides from 0.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Final

from boardctl.games.cards import Card, Suit
from boardctl.games.common.trick_deal import Duties, TrickSpec

_PULL: Final = 3
"""The smallest number of trumps with which the declarer's side leads its lowest trump."""
_MASTER: Final = 20
"""The advantage of leading the best card of a suit instead of a low card."""
_TRUMPED: Final = 15
"""The reduction of that advantage if too few cards of the suit are left for every player to
follow."""
_SINGLE: Final = 3
"""The cost of leading a singleton. The cost of leading from a longer suit is the length of the
suit."""
_KEPT: Final = 12
"""The cost of discarding the best card of a suit that other players still hold."""


class Pack:
    """The numbered cards of a game with one trump suit, and tables about these cards.

    * `cards`: the cards, by number.
    * `number`: for each card, the number of its lowest copy.
    * `points`: for each card, by number, its points in a trick.
    * `suits`: the mask of each suit, trumps first.
    * `suit`: for each card, by number, the mask of its suit.
    * `above`: for each card, by number, the stronger cards of the same suit.
    * `beats`: for each card, by number, the cards that beat it if they are played later.
    * `full`: the mask of all cards.
    """

    __slots__ = (
        *("above", "beats", "cards", "full", "high", "number", "points", "suit", "suits"),
        *("trump", "trumps"),
    )

    def __init__(self, spec: TrickSpec, trump: Suit, worth: Sequence[int]) -> None:
        """Number the cards. `worth` contains the points of each card of `spec.pack`."""
        points = dict(zip(spec.pack, worth, strict=True))
        self.trump = trump
        self.cards: tuple[Card, ...] = tuple(
            Card(rank, suit)
            for suit in (trump, *(other for other in Suit if other != trump))
            for rank in reversed(spec.trump if suit == trump else spec.plain)
            for _ in range(spec.copies)
        )
        self.number = {card: self.cards.index(card) for card in spec.pack}
        self.points = tuple(points[card] for card in self.cards)
        size = len(self.cards)
        width = size // 4
        block = (1 << width) - 1
        self.suits = tuple(block << start for start in range(0, size, width))
        self.full = (1 << size) - 1
        self.trumps = block
        self.high = width - 2 * spec.copies
        """The lowest number among the two best trumps."""
        self.suit = tuple(self.suits[number // width] for number in range(size))
        self.above = tuple(
            self.suit[number] & ~((2 << number + spec.copies - 1 - number % spec.copies) - 1)
            for number in range(size)
        )
        self.beats = tuple(
            above if number < width else above | block for number, above in enumerate(self.above)
        )

    def mask(self, cards: Iterable[Card], taken: int = 0) -> int:
        """Return a mask of these cards. Each card is represented by its lowest free copy.

        Args:
            cards: the cards.
            taken: a mask of the copies already used.
        """
        found = 0
        for card in cards:
            number = self.number[card.plain]
            while (taken | found) >> number & 1:
                number += 1
            found |= 1 << number
        return found


@lru_cache(maxsize=32)
def pack(spec: TrickSpec, trump: Suit, worth: tuple[int, ...]) -> Pack:
    """Return the tables of a pack. `worth` is as for `Pack`."""
    return Pack(spec, trump, worth)


class Play:
    """The play of one deal. It is modified in place.

    * `hands`: the cards that each seat still holds.
    * `gone`: the cards played.
    * `lead`: the card led to the current trick, or -1 before the lead.
    * `best`: the winning card of the trick, or -1 before the lead.
    * `winner`: the seat that played the winning card.
    * `laid`: the number of cards in the trick.
    * `lying`: the points of the cards in the current trick.
    * `points`: the points of each side, without the bonus for the last trick.
    * `won`: the number of tricks that each side has won.
    * `attack`: the side that took the contract.
    """

    __slots__ = (
        *("attack", "best", "duties", "gone", "hands", "laid", "last", "lead", "lying", "pack"),
        *("points", "seats", "side", "tricks", "turn", "winner", "won"),
    )

    def __init__(
        self, pack: Pack, duties: Duties, hands: Sequence[int], turn: int, attack: int
    ) -> None:
        self.pack, self.duties, self.attack = pack, duties, attack
        self.hands, self.turn, self.seats = list(hands), turn, len(hands)
        sides = 2 if self.seats == 4 else self.seats
        self.side = tuple(seat % sides for seat in range(self.seats))
        self.gone = self.lying = self.laid = self.tricks = 0
        self.lead = self.best = self.winner = self.last = -1
        self.points, self.won = [0] * sides, [0] * sides

    def copy(self, hands: Sequence[int]) -> Play:
        """Return the same play with other hands."""
        other = Play.__new__(Play)
        other.pack, other.duties, other.attack = self.pack, self.duties, self.attack
        other.hands, other.turn, other.seats = list(hands), self.turn, self.seats
        other.side, other.gone, other.lying = self.side, self.gone, self.lying
        other.laid, other.tricks, other.last = self.laid, self.tricks, self.last
        other.lead, other.best, other.winner = self.lead, self.best, self.winner
        other.points, other.won = list(self.points), list(self.won)
        return other

    def legal(self) -> int:
        """Return the cards that may be played."""
        hand, pack, duties = self.hands[self.turn], self.pack, self.duties
        if not self.laid:
            return hand
        best, trumps = self.best, pack.trumps
        suit = pack.suit[self.lead]
        own = hand & suit
        if own:
            beaten = suit == trumps or (duties.head and suit >> best & 1)
            return (own & pack.above[best] or own) if beaten and duties.strict else own
        mine = hand & trumps
        if not mine or not duties.strict:
            return hand
        if duties.partners and self.side[self.winner] == self.side[self.turn]:
            return hand
        if not duties.overtrump or not trumps >> best & 1:
            return mine
        return mine & pack.above[best] or (mine if duties.undertrump else hand)

    def step(self, card: int) -> None:
        """Play a card."""
        bit, seat, pack = 1 << card, self.turn, self.pack
        self.hands[seat] &= ~bit
        self.gone |= bit
        self.lying += pack.points[card]
        if not self.laid:
            self.lead = self.best = card
            self.winner = seat
        elif pack.beats[self.best] & bit:
            self.best, self.winner = card, seat
        self.laid += 1
        if self.laid < self.seats:
            self.turn = seat + 1 if seat + 1 < self.seats else 0
            return
        winner = self.winner
        side = self.side[winner]
        self.points[side] += self.lying
        self.won[side] += 1
        self.tricks += 1
        self.turn = self.last = winner
        self.laid = self.lying = 0

    def finish(self) -> None:
        """Play the remaining cards by the rules of thumb."""
        hands = self.hands
        while hands[self.turn]:
            some = self.legal()
            self.step(self.choose(some) if some & (some - 1) else some.bit_length() - 1)

    def choose(self, some: int) -> int:
        """Return the card chosen by the rules of thumb, which use only the hand of the seat whose
        turn it is.

        Args:
            some: the legal cards.
        """
        unseen = self.pack.full & ~self.gone & ~self.hands[self.turn]
        if not self.laid:
            return self._lead(some, unseen)
        if some & self.pack.suit[self.lead]:
            return self._follow(some, unseen)
        return self._void(some, unseen)

    def _lead(self, hand: int, unseen: int) -> int:
        """Choose a lead: a trump to draw trumps for the declarer, or else the best card of a suit,
        or a low card."""
        pack = self.pack
        points, trumps = pack.points, hand & pack.trumps
        others = unseen & pack.trumps
        if trumps and others and self.side[self.turn] == self.attack:
            top = trumps.bit_length() - 1
            if not pack.above[top] & unseen:
                return top
            if trumps.bit_count() >= _PULL:
                return (trumps & -trumps).bit_length() - 1
        best, worth = -1, -99
        for suit in pack.suits[1:]:
            mine = hand & suit
            if not mine:
                continue
            out = unseen & suit
            top = mine.bit_length() - 1
            if not pack.above[top] & out:
                safe = not others or out.bit_count() >= self.seats - 1
                found = _MASTER + points[top] - (0 if safe else _TRUMPED)
                if found > worth:
                    best, worth = top, found
            low = (mine & -mine).bit_length() - 1
            count = mine.bit_count()
            found = -points[low] - (_SINGLE if count == 1 else count)
            if found > worth:
                best, worth = low, found
        if best >= 0:
            return best
        top = trumps.bit_length() - 1
        return (trumps & -trumps).bit_length() - 1 if pack.above[top] & unseen else top

    def _follow(self, some: int, unseen: int) -> int:
        """Choose a card to follow suit: win the trick if that is certain, add points to a partner's
        trick, or else play low."""
        pack, best, seats = self.pack, self.best, self.seats
        last = self.laid == seats - 1
        ours = self.side[self.winner] == self.side[self.turn]
        suit = pack.suit[self.lead]
        own = some & suit
        low, top = (own & -own).bit_length() - 1, own.bit_length() - 1
        higher = pack.above[best]
        if suit == pack.trumps:
            if higher >> top & 1:
                return low if pack.above[top] & unseen else top
            safe = ours and (last or not higher & unseen)
            return top if safe and top < pack.high else low
        if not suit >> best & 1:  # the trick was trumped
            return top if ours and (last or not higher & unseen) else low
        if ours and (last or (not higher & unseen and self.laid == seats - 2)):
            if not last and higher >> top & 1 and not pack.above[top] and own != 1 << top:
                return (own ^ 1 << top).bit_length() - 1  # the best card can win a later trick
            return top
        if higher & own and (last or not pack.above[top] & unseen):
            return top
        return low

    def _void(self, some: int, unseen: int) -> int:
        """Choose a card of another suit: trump the opponents' trick cheaply, add points to a
        partner's trick, or discard."""
        pack, best = self.pack, self.best
        points, above = pack.points, pack.above
        ours = self.side[self.winner] == self.side[self.turn]
        safe = ours and (self.laid == self.seats - 1 or not above[best] & unseen)
        trumps = some & pack.trumps
        picked, worth = -1, -99
        rest = some ^ trumps
        while rest:
            bit = rest & -rest
            rest ^= bit
            card = bit.bit_length() - 1
            found = points[card] if safe else -points[card]
            out = unseen & pack.suit[card]
            if out and not above[card] & out:
                found -= _KEPT
            if found > worth:
                picked, worth = card, found
        if trumps and (not ours or picked < 0):
            over = trumps & pack.beats[best]
            low = (trumps & -trumps).bit_length() - 1
            if over:
                return (over & -over).bit_length() - 1
            return low if picked < 0 or points[picked] > points[low] else picked
        return picked
