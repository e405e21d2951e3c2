"""One deal of Belote: runs and squares, the bidding in Coinche, and other differences from Jass.

Source: docs/rules/belote.md 2 to 4, 6, 10.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from typing import ClassVar, Final, Literal, Self

from boardctl.games import IllegalMove, Move, because, put, side_of
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common import jass
from boardctl.games.common.auction import STEP, Auction
from boardctl.games.common.jass import NATURAL, PLAIN, TRICKS, TRUMP, JassDeal, Piece
from boardctl.games.common.trick_deal import Cards, Duties, TrickSpec

RUNS: Final = {3: 20, 4: 50}
LONG_RUN: Final = 100
SQUARES: Final = {
    Rank.JACK: ("four-jacks", 200),
    Rank.NINE: ("four-nines", 150),
    Rank.ACE: ("four-aces", 100),
    Rank.TEN: ("four-tens", 100),
    Rank.KING: ("four-kings", 100),
    Rank.QUEEN: ("four-queens", 100),
}
NO_TRUMP_SQUARES: Final = {
    Rank.ACE: 200, Rank.TEN: 150, Rank.KING: 100, Rank.QUEEN: 100, Rank.JACK: 100,
}  # fmt: skip
"""The values of squares at no trumps (4.8)."""
_ORDERS: Final = {
    "trick": TRUMP,
    "natural": (Rank.JACK, Rank.NINE, Rank.ACE, Rank.KING, Rank.QUEEN, Rank.TEN),
}
_NO_TRUMP_ORDERS: Final = {
    "trick": PLAIN,
    "natural": (Rank.ACE, Rank.TEN, Rank.KING, Rank.QUEEN, Rank.JACK),
}
Call = Literal["", "no-trump", "all-trump"]
"""A contract without a suit, or an empty string for a contract in a suit."""
NO_TRUMP: Final = "no-trump"
ALL_TRUMP: Final = "all-trump"
CALLS: Final[tuple[Call, ...]] = (NO_TRUMP, ALL_TRUMP)
ALL_TRUMPS: Final = TrickSpec(plain=TRUMP, tricks=TRICKS)
"""The order of the cards at all trumps. Every suit ranks like trumps (6.8)."""


def run(cards: Cards) -> Piece:
    """Return the declaration that cards of one suit form, highest card first. Of cards shown face
    down, only their number is known."""
    return Piece("sequence", RUNS.get(len(cards), LONG_RUN), cards)


ALL_SQUARES: Final = {
    rank: Piece(name, points, tuple(Card(rank, suit) for suit in Suit))
    for rank, (name, points) in SQUARES.items()
}
"""Every square, by its rank."""
_SQUARES_BY_CALL: Final[Mapping[Call, Mapping[Rank, Piece]]] = {
    "": ALL_SQUARES,
    ALL_TRUMP: ALL_SQUARES,
    NO_TRUMP: {
        rank: ALL_SQUARES[rank]._replace(points=points) for rank, points in NO_TRUMP_SQUARES.items()
    },
}


def is_square(piece: Piece) -> bool:
    """Return whether a declaration is four of a kind, not a run."""
    return piece.name != "sequence"


def strength(
    piece: Piece, trump: Suit | None, options: Mapping[str, str], call: Call = ""
) -> tuple[int, ...]:
    """Return the sort key that decides between two declarations (4.3). If the keys are equal, the
    order of seats decides.

    Args:
        piece: the declaration.
        trump: the trump suit, or None if there is no trump suit.
        options: the options of the table.
        call: the contract, if it is not in a suit.
    """
    if is_square(piece):
        orders = _NO_TRUMP_ORDERS if call == NO_TRUMP else _ORDERS
        return (1, piece.points, -orders[options["square_order"]].index(NATURAL[-piece.top]))
    return (0, *piece.strength(trump))


def declared(
    hand: Iterable[Card], trump: Suit | None, options: Mapping[str, str], call: Call = ""
) -> tuple[Piece, ...]:
    """Return the declarations in a hand. If an option forbids using a card in two declarations, the
    most valuable set of declarations is chosen (4.5).

    Args:
        hand: the cards of the hand.
        trump, options, call: as for `strength`.
    """
    held = frozenset(hand)
    known = _SQUARES_BY_CALL[call].values()
    squares = [square for square in known if held.issuperset(square.cards)]
    pieces = (*squares, *map(run, jass.runs(held)))
    overlap = any(set(one.cards) & set(other.cards) for one, other in combinations(pieces, 2))
    if options["shared_cards"] == "allowed" or not overlap:
        return pieces
    parts = [
        run(longest[start : start + length])
        for longest in jass.runs(held)
        for length in range(3, len(longest) + 1)
        for start in range(len(longest) - length + 1)
    ]
    return _best_apart((*squares, *parts), lambda piece: strength(piece, trump, options, call))


def _best_apart(
    pieces: Sequence[Piece], strong: Callable[[Piece], tuple[int, ...]]
) -> tuple[Piece, ...]:
    """Return the most valuable subset of disjoint declarations. Among equal subsets, the strongest
    single declaration decides."""
    best: tuple[Piece, ...] = ()
    rank: tuple[int, tuple[int, ...]] = (0, ())
    for size in range(1, 4):
        for some in combinations(pieces, size):
            cards = [card for piece in some for card in piece.cards]
            if len(set(cards)) != len(cards):
                continue
            worth = sum(piece.points for piece in some)
            found = (worth, max(map(strong, some)))
            if found > rank:
                best, rank = some, found
    return best


def stated(cards: Sequence[Card], call: Call = "") -> Piece | None:
    """Return the declaration that the cards form, as far as they are known, or None if they do not
    form one."""
    exact = [card for card in cards if card.is_known]
    (rank, *more) = {card.rank for card in cards}
    squares = _SQUARES_BY_CALL[call]
    if rank is not None and rank in squares and not more:
        whole = len(cards) == 4 and len(set(exact)) == len(exact)
        return squares[rank] if whole else None
    found = next((some for some in jass.ALL_RUNS if jass.fits(cards, some)), None)
    if found is None:
        return None
    return run(found if len(exact) == len(cards) else tuple(cards))


def _excludes(shown: Piece, piece: Piece, apart: bool) -> bool:
    """Return whether a shown piece excludes another one. Adjacent runs of one suit would be a
    single run. If the table keeps them `apart`, a run and a square may not share a card."""
    if is_square(shown) != is_square(piece):
        return apart and not {c.rank for c in shown.cards}.isdisjoint(c.rank for c in piece.cards)
    if not (shown.is_known and piece.is_known):
        return False
    return not {*shown.cards, *jass.neighbours(shown)}.isdisjoint(piece.cards)


def _also_held(piece: Piece, shown: Sequence[Piece], held: Sequence[Piece], apart: bool) -> bool:
    """Return whether a known hand can show a piece in addition to the pieces already shown. `held`
    contains the pieces that the hand can declare. A shown piece does not exclude others if one of
    its cards has since been exchanged away."""

    def match(said: Piece, one: Piece) -> bool:
        if said.name == one.name == "sequence" and not any(card.rank for card in said.cards):
            return said.points == one.points
        return said == one or jass.fits(said.cards, one.cards)

    left = list(held)
    for other in sorted((*shown, piece), key=lambda one: not one.is_known):
        fitting = [one for one in held if match(other, one)]
        found = next((one for one in left if one in fitting), None)
        if found is None and (fitting or other is piece):
            return False
        if found is not None:
            left.remove(found)
            if apart:
                left = [one for one in left if {*one.cards}.isdisjoint(found.cards)]
    return True


ALL: Final = 162
"""The trick points of a four-handed deal with a trump suit, including the last trick."""
_WHOLE: Final[Mapping[Call, int]] = {"": ALL, NO_TRUMP: 130, ALL_TRUMP: 258}
"""The trick points of a four-handed deal by contract, including the last trick (1.5)."""
NO_TRUMP_ACE: Final = 19
"""The optional value of an ace at no trumps. With this value, the total is the same as with a trump
suit."""
CAPOT_BONUS: Final = {"252": 90, "250": 88, "off": 0}
"""The bonus for winning all tricks, in addition to the ten points for the last trick."""
CAPOT: Final = 250
"""The value of a bid to win all tricks."""
LEAST: Final = 80
MOST: Final = 160


@dataclass(frozen=True, slots=True)
class Coinche(Auction):
    """The bidding in a deal of Coinche. `passes` is the number of passes since the last bid."""

    least: int = LEAST
    call: Call = ""
    """The contract of the bid, or an empty string if it is in a suit."""

    @property
    def over(self) -> bool:
        return self.doubled == 4 or (self.taker is not None and self.passes == 3)

    def say(self, move: Move) -> Coinche:
        """Make a bid: `N bid pass`, or `N bid` with a number or `capot`, and a suit.

        Raises:
            IllegalMove: `not-a-bid`, `bid-too-low`, `doubled-already`, or a code of `check_due`.
        """
        seat, said = move.player, move.entered
        self.check_due(seat)
        if move.words == ("pass",) and not move.numbers:
            return replace(self, last=seat, passes=self.passes + 1)
        points, word = self._bid_of(move)
        if self.doubled > 1:
            raise IllegalMove("doubled-already", seat=seat)
        if points <= self.bid:
            why = "capot" if self.bid == MOST else "all" if self.bid > MOST else None
            raise IllegalMove("bid-too-low", said=said, least=self.lowest, **because(why))
        call: Call = next((call for call in CALLS if call == word), "")
        trump = None if call else Suit("SHDC".index(word))
        taken = replace(self, last=seat, taker=seat, trump=trump, call=call)
        return replace(taken, bid=points, passes=0)

    def _bid_of(self, move: Move) -> tuple[int, str]:
        """Return the points of a bid, and its suit or its call (no-trump or all-trump).

        Raises:
            IllegalMove: `not-a-bid`.
        """
        numbers, words = move.numbers, move.words
        suits = [word for word in words if len(word) == 1 or word in CALLS]
        capot = "capot" in words
        if len(suits) != 1 or len(numbers) == capot or len(words) != 1 + capot:
            raise IllegalMove("not-a-bid", said=move.entered)
        points = CAPOT if capot else numbers[0]
        if not capot and (points % STEP or not self.least <= points <= MOST):
            raise IllegalMove("not-a-bid", said=move.entered)
        return points, suits[0]

    def double(self, seat: int, *, any_time: bool = False) -> Coinche:
        """Double the other side's bid: `N coinche`.

        Args:
            seat: the seat that doubles.
            any_time: whether the table allows doubling out of turn (3.5).

        Raises:
            IllegalMove: `nothing-to-double`, `own-contract` or `doubled-already`.
        """
        self.check_due(self.bidder if any_time else seat)
        if self.taker is None:
            raise IllegalMove("nothing-to-double")
        if side_of(self.taker, 2) == side_of(seat, 2):
            raise IllegalMove("own-contract", seat=seat)
        if self.doubled > 1:
            raise IllegalMove("doubled-already", seat=seat)
        return replace(self, last=seat, doubled=2, passes=0)

    def redouble(self, seat: int, *, any_time: bool = False) -> Coinche:
        """Redouble, which ends the bidding: `N surcoinche`. Only the bidder's side may redouble.

        Raises:
            IllegalMove: `not-doubled`.
        """
        if self.doubled == 1:
            raise IllegalMove("not-doubled")
        self.check_due(self.bidder if any_time else seat)
        if self.taker is None or side_of(self.taker, 2) != side_of(seat, 2):
            raise IllegalMove("not-doubled")
        return replace(self, last=seat, doubled=4)


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(JassDeal):
    """A deal for two or four players."""

    called: ClassVar[str] = "belote"
    trump_by: ClassVar[str | None] = "turnup"

    belotes: tuple[int, ...] = ()
    """The seats that called a king and queen at all trumps, once for each suit (4.8)."""

    @property
    def coinche(self) -> bool:
        return isinstance(self.bidding, Coinche)

    @property
    def contract(self) -> Call:
        """The contract of the bid, or an empty string if it is in a suit."""
        return self.bidding.call if isinstance(self.bidding, Coinche) else ""

    @property
    def trump_fixed(self) -> bool:
        return self.trump is not None or self.contract != ""

    @property
    def ranking(self) -> TrickSpec:
        return ALL_TRUMPS if self.contract == ALL_TRUMP else self.spec

    @property
    def obligations(self) -> Duties:
        """The duties of a player. In an all-trump contract, a player must beat the best card of
        every trick if possible (6.8)."""
        return replace(self.duties, head=True) if self.contract == ALL_TRUMP else self.duties

    def worth(self, card: Card) -> int:
        if self.contract == ALL_TRUMP:
            return jass.value(card, card.suit)
        high = self.contract == NO_TRUMP and self.options["no_trump_ace"] != "11"
        return NO_TRUMP_ACE if high and card.rank is Rank.ACE else jass.value(card, self.trump)

    @property
    def whole_points(self) -> int:
        """The trick points of a four-handed deal, including the last trick (1.5)."""
        if self.contract == NO_TRUMP and self.options["no_trump_ace"] != "11":
            return ALL
        return _WHOLE[self.contract]

    def pairs(self, seat: int) -> int:
        """Return the number of trump suits whose king and queen are both known to be in a hand."""
        suits = Suit if self.contract == ALL_TRUMP else ()
        known = self.known_hand(seat)
        return sum({Card(Rank.KING, suit), Card(Rank.QUEEN, suit)} <= known for suit in suits)

    def royal_points(self, side: int) -> int:
        """Return a side's points for belote, determined from its calls or its cards."""
        if self.contract == ALL_TRUMP:
            seats = [seat for seat in self.order if self.side(seat) == side]
            known = sum(map(self.pairs, seats))
            called = sum(seat in seats for seat in self.belotes)
            return jass.ROYALS * (known if self.all_known else max(known, called))
        holders = (s for s in self.order if self.royals_called == s or self.has_royals(s))
        return jass.ROYALS * (next(map(self.side, holders), None) == side)

    def declarations_of(self, seat: int) -> tuple[Piece, ...]:
        return declared(self.known_hand(seat), self.trump, self.options, self.contract)

    def strength(self, piece: Piece) -> tuple[int, ...]:
        return strength(piece, self.trump, self.options, self.contract)

    def call(self, seat: int) -> Self:
        """Call a king and queen (belote). In an all-trump contract, every suit has such a pair
        (4.8)."""
        if self.contract == NO_TRUMP:
            raise IllegalMove("no-belote", seat=seat, why="no-trump")
        if self.contract != ALL_TRUMP:
            return JassDeal.call(self, seat)
        said = self.belotes.count(seat)
        able = (
            self.can_hold(seat, frozenset({Card(Rank.KING, suit), Card(Rank.QUEEN, suit)}))
            for suit in Suit
        )
        gone = len(self.belotes) >= len(Suit) or said >= sum(able)
        if gone or (self.whole(seat) and said >= self.pairs(seat)):
            raise IllegalMove("no-belote", seat=seat)
        return replace(self, belotes=(*self.belotes, seat))

    @property
    def royals_played(self) -> bool:
        if self.contract != ALL_TRUMP or not self.plays:
            return super(Deal, self).royals_played
        seat, card = self.plays[-1]
        if card.rank not in (Rank.KING, Rank.QUEEN):
            return False
        mine = {played for at, played in self.plays if at == seat}
        return {Card(Rank.KING, card.suit), Card(Rank.QUEEN, card.suit)} <= mine

    @property
    def scored(self) -> bool:
        return bool(self.belotes) or super(Deal, self).scored

    @property
    def earlier_wins(self) -> bool:
        return self.options["declaration_tie"] == "earlier"

    def size(self, seat: int) -> int:
        return self.whole_hand if self.coinche else JassDeal.size(self, seat)

    def _takes_turned(self, seat: int) -> bool:
        """Return whether this player takes the turned-up card, in a game for four (2.2, 3.2)."""
        return self.seats == 4 and not self.coinche and self.bidding.taker == seat

    def dealt(self, seat: int) -> int:
        return self.size(seat) - self._takes_turned(seat)

    def awaited(self, seat: int) -> int:
        return int(self.turned is None and self._takes_turned(seat))

    @property
    def out(self) -> Cards:
        return () if self.seats == 4 and self.bidding.over else self.turned_away

    def turn_up(self, move: Move) -> Self:
        if self.coinche:
            raise IllegalMove("nothing-turned")
        return JassDeal.turn_up(self, move).give_turned()

    def give_turned(self) -> Self:
        """Give the turned-up card to the taker, in a game for four (2.2, 3.2)."""
        taker, card = self.bidding.taker, self.turned
        if taker is None or card is None or not self._takes_turned(taker):
            return self
        if card in self.known_hand(taker):
            return self
        if self.unseen(taker) <= 0:
            raise IllegalMove("card-twice", card=card)
        return self.learn(taker, (card,))

    def say(self, move: Move) -> Self:
        if any(word in CALLS for word in move.words) and self.options["trump_calls"] == "suits":
            raise IllegalMove("only-suits")
        try:
            return JassDeal.say(self, move).give_turned()
        except IllegalMove as error:
            if error.code != "not-a-bid" or self.options["trump_calls"] == "suits":
                raise
            raise IllegalMove("not-a-bid", said=move.entered, why="calls") from None

    def with_count(self, side: int, points: int) -> Self:
        """Return the deal after a count. With four players, all cards are in play, so the other
        side gets the remaining points (10.4)."""
        if self.seats == 2:
            return JassDeal.with_count(self, side, points)
        rest = max(self.whole_points - points, 0)
        if points == 0 and side not in self.winning_sides:
            rest = self.whole_points + CAPOT_BONUS[self.options["capot"]]
        return replace(self, counts=put((rest, rest), side, points))

    def countable(self, side: int) -> tuple[int, ...]:
        """Return the trick points that a side may enter now, lowest first (10.4)."""
        bonus = CAPOT_BONUS[self.options["capot"]]
        taken = self.trick_points()
        if self.seats == 4:
            whole = self.whole_points
            low, high = taken[side - 1], whole - taken[2 - side]
            found = [n for n in range(low, high + 1) if n not in (1, whole - 1)]
            if bonus and not self.winning_sides - {side}:
                found.append(whole + bonus)
            return tuple(found)
        return self._two_hands(side, bonus)

    def _two_hands(self, side: int, bonus: int) -> tuple[int, ...]:
        """Return the possible trick points of a side in a game for two. If the eighteen cards in
        the hands are known, the total of both sides is known. Otherwise the total is known only
        within bounds."""
        known = self.known_hand(1) | self.known_hand(2)
        lacking = 18 - len(known)
        free = sorted(map(self.worth, jass.PACK - known - {*self.out}))
        base = sum(map(self.worth, known)) + jass.LAST_TRICK
        if self.trump is None and known:  # trumps change the values of jacks and nines
            base, lacking = 0, 18
            free = sorted(map(self.worth, jass.PACK))
        least = base + sum(free[:lacking])
        most = base + sum(free[len(free) - lacking :]) + (30 if self.trump is None else 0)
        taken = self.trick_points()
        other = self.counts[2 - side]
        winners = self.winning_sides
        low, high = taken[side - 1], most - taken[2 - side]
        if other is None:
            # No cards are worth exactly one point, so neither side may have one point or leave one
            # point to the other side.
            none = {1, least - 1} if least == most else {1}
            found = {*range(low, high + 1)} - none
            if not winners - {side}:
                found |= set(range(least + bonus, most + bonus + 1))
        else:
            found = {n for n in range(low, high + 1) if n != 1 and least <= n + other <= most}
            if other == 0 and not winners - {side}:
                found |= {n + bonus for n in range(least, most + 1)}
            if least + bonus <= other <= most + bonus and not taken[side - 1]:
                found.add(0)
        return tuple(sorted(found))

    def call_with_play(self, seat: int) -> Self:
        if not self.royals_played:
            raise IllegalMove("no-belote", seat=seat)
        return self.call(seat)

    def double(self, move: Move) -> Self:
        """Double or redouble: `N coinche` or `N surcoinche` (3.4)."""
        bidding, first = self.bidding, move.verb == "coinche"
        if not isinstance(bidding, Coinche):
            raise IllegalMove("nothing-to-double" if first else "not-doubled", why="turned")
        step = bidding.double if first else bidding.redouble
        after = step(move.player, any_time=self.options["coinche_turn"] == "any")
        return replace(self, bidding=after)

    def exchange(self, seat: int) -> Self:
        """Exchange the seven: `N exchange`. Only two players whose table allows it may do so."""
        if self.seats == 4 or self.options["seven_exchange"] == "off":
            raise IllegalMove("no-exchange")
        self.check_time("exchange")
        return self.take_turned(seat)

    def declare_all(self) -> Self:
        """Settle the declarations from the hands: `declare` (10.1). All hands must be known."""
        if self.talked:
            raise IllegalMove("declared-already")
        if self.options["declarations"] == "off":
            return replace(self, stage="settled")
        return self.contested("melds")

    def show(self, move: Move) -> Self:
        """Show a declaration: `N meld CARD…` (10.3). Only the declarations of one side count."""
        seat, piece = move.player, stated(move.cards, self.contract)
        if piece is None:
            raise IllegalMove("not-a-declaration", cards=move.cards)
        if self.options["declarations"] == "off":
            raise IllegalMove("no-declarations")
        if self.stage == "settled":
            raise IllegalMove("declared-already")
        if self.owner is not None and self.side(self.owner) != self.side(seat):
            raise IllegalMove("declarations-not-good", seat=seat, other=self.owner)
        if not self._may_declare(seat, piece):
            raise IllegalMove("declaration-not-held", seat=seat, cards=move.cards)
        known = self.known_hand(seat)
        fresh = tuple(card for card in piece.cards if card.is_known and card not in known)
        return replace(self.learn(seat, fresh), owner=seat, pieces=(*self.pieces, (seat, piece)))

    def _may_declare(self, seat: int, piece: Piece) -> bool:
        """Return whether a player may hold a declaration in addition to those already shown."""
        mine = [other for at, other in self.pieces if at == seat]
        apart = self.options["shared_cards"] == "forbidden"
        if self.whole(seat):
            return _also_held(piece, mine, self._declarable(seat), apart)
        if not self._has_room(piece, mine, apart):
            return False
        exact = frozenset(card for card in piece.cards if card.is_known)
        longer = piece.is_known and not is_square(piece) and not apart
        if longer and not self.known_hand(seat).isdisjoint(jass.neighbours(piece)):
            return False
        return self.can_hold(seat, exact)

    def _has_room(self, piece: Piece, mine: Sequence[Piece], apart: bool) -> bool:
        """Return whether a hand is large enough for a declaration in addition to those shown."""
        if any(_excludes(other, piece, apart) for other in mine):
            return False
        same = [other for other in mine if apart or is_square(other) == is_square(piece)]
        return sum(len(other.cards) for other in (*same, piece)) <= self.whole_hand

    def _declarable(self, seat: int) -> list[Piece]:
        """Return every declaration in a known hand, including declarations that exclude each
        other."""
        hand = self.known_hand(seat)
        pieces = dict.fromkeys(map(run, jass.runs(hand)))
        pieces |= dict.fromkeys(declared(hand, self.trump, self.options, self.contract))
        squares = _SQUARES_BY_CALL[self.contract].values()
        pieces |= dict.fromkeys(one for one in squares if hand >= {*one.cards})
        return [*pieces]
