"""One deal of a trick-taking game: the known cards, the legal plays, and the next entries.

The cards are on a real table. Some cards of each hand are known. The other hands, the cards out of
play and inferences from earlier plays limit what the unknown cards can be. A line is legal if some
assignment of the unseen cards allows it.

A game defines its `TrickSpec` and the abstract members of its deal. Sources:
docs/rules/klaberjass.md 2 and 6, docs/rules/belote.md 1 and 6, docs/rules/pinochle-3-4.md 1 and 5.
"""

from __future__ import annotations

from abc import abstractmethod
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations
from typing import ClassVar, Self, TypeVar

from boardctl.games import Ask, IllegalMove, Move, Telling, because, put, side_of
from boardctl.games.cards import CARDS, Card, Rank, Suit
from boardctl.games.common.auction import Auction
from boardctl.message import NOTHING, Fields

Said = TypeVar("Said")
Cards = tuple[Card, ...]
Trick = tuple[tuple[int, Card], ...]
"""The cards of a trick in playing order, each with the seat that played it."""


@dataclass(frozen=True, slots=True)
class Duties:
    """The duties of a player in addition to following suit."""

    strict: bool = True
    """Whether a player must beat a trump lead, and must trump a plain lead if void in its suit."""
    head: bool = False
    """Whether a player must also beat a plain lead, unless the lead was trumped."""
    overtrump: bool = False
    """Whether a player who is void in the suit led must beat the trumps in the trick."""
    undertrump: bool = True
    """Whether a player who cannot overtrump must still play a trump."""
    partners: bool = False
    """Whether a void player need not trump a trick that the partner is winning."""


@dataclass(frozen=True, slots=True, kw_only=True, eq=False)
class TrickSpec:
    """The pack of a game and the order of its cards, which do not depend on options."""

    plain: tuple[Rank, ...]
    """The ranks of a plain suit, strongest first."""
    trump: tuple[Rank, ...] = ()
    """The ranks of trumps, strongest first. By default, the order is that of a plain suit."""
    copies: int = 1
    """The number of copies of each card in the pack."""
    tricks: Mapping[int, int] = field(default_factory=dict)
    """The number of tricks in a deal, by number of seats. It is also the number of cards that each
    player plays."""
    pack: Cards = ()
    """The distinct cards, in the order in which they are offered. The default is the order of
    `CARDS`."""

    def __post_init__(self) -> None:
        pack = self.pack or tuple(card for card in CARDS if card.rank in self.plain)
        object.__setattr__(self, "pack", pack)
        object.__setattr__(self, "trump", self.trump or self.plain)

    @property
    def size(self) -> int:
        """The number of cards in the whole pack."""
        return len(self.pack) * self.copies

    def _power(self, card: Card, lead: Suit | None, trump: Suit | None) -> tuple[bool, bool, int]:
        assert card.rank is not None
        order = self.trump if card.suit == trump else self.plain
        return card.suit == trump, card.suit == lead, -order.index(card.rank)

    def beats(self, card: Card, other: Card, lead: Suit | None, trump: Suit | None) -> bool:
        """Return whether a later card of the trick beats an earlier one. Of two equal cards, the
        first wins.

        Args:
            card: the later card.
            other: the earlier card.
            lead: the suit led.
            trump: the trump suit, or None.
        """
        return self._power(card, lead, trump) > self._power(other, lead, trump)

    def winner(self, trick: Trick, trump: Suit | None) -> tuple[int, Card]:
        """Return the seat that is currently winning a trick, and its card."""
        lead = trick[0][1].suit
        return max(trick, key=lambda play: self._power(play[1], lead, trump))

    def check_card(self, card: Card) -> None:
        """Raise IllegalMove if a card is not fully known or not in the pack."""
        if card.rank is not None and card.rank not in self.plain:
            raise IllegalMove("card-not-in-pack", card=card)
        if not card.is_known:
            raise IllegalMove("card-unknown", card=card)
        if card.copy is not None and (
            self.copies == 1 or card.copy not in "abcdefgh"[: self.copies]
        ):
            fields = {"card": card.plain, "copies": self.copies, "why": "copy"}
            raise IllegalMove("card-not-in-pack", **fields)

    def owed(
        self, duties: Duties, trick: Trick, card: Card, seat: int, trump: Suit | None
    ) -> Iterator[tuple[str, frozenset[Card]]]:
        """Yield the code of each duty that playing a card breaks, and the cards that the duty would
        have required. If the play was legal, the hand did not contain any of those cards.

        Args:
            duties: the duties at this table.
            trick: the earlier cards of the trick, at least one.
            card: the card played.
            seat: the player of the card.
            trump: the trump suit, or None.
        """
        lead = trick[0][1].suit
        holder, best = self.winner(trick, trump)
        if card.suit == lead:
            heads = duties.strict and (lead == trump or (duties.head and best.suit == lead))
            if heads and not self.beats(card, best, lead, trump):
                yield "must-beat", self._better(lead, best, lead, trump)
            return
        yield "must-follow", frozenset(one for one in self.pack if one.suit == lead)
        spared = duties.partners and side_of(holder, 2) == side_of(seat, 2)
        if trump is not None and duties.strict and not spared:
            yield from self._owed_trumps(duties, card, best, lead, trump)

    def _owed_trumps(
        self, duties: Duties, card: Card, best: Card, lead: Suit | None, trump: Suit
    ) -> Iterator[tuple[str, frozenset[Card]]]:
        """Yield the trumps that the duties require from a player who is void in the suit led."""
        if card.suit != trump:
            any_trump = duties.undertrump or not duties.overtrump
            trumps = frozenset(one for one in self.pack if one.suit == trump)
            yield "must-trump", trumps if any_trump else self._better(trump, best, lead, trump)
        elif duties.overtrump and not self.beats(card, best, lead, trump):
            yield "must-overtrump", self._better(trump, best, lead, trump)

    def _better(
        self, suit: Suit | None, best: Card, lead: Suit | None, trump: Suit | None
    ) -> frozenset[Card]:
        """Return the cards of a suit that beat the best card in a trick."""
        return frozenset(
            one for one in self.pack if one.suit == suit and self.beats(one, best, lead, trump)
        )

    def can_fill(
        self, located: Iterable[Card], demands: Iterable[tuple[int, frozenset[Card]]]
    ) -> bool:
        """Return whether the cards that have yet to be located can fill the hands. For every group
        of hands, there must be enough possible cards.

        Args:
            located: the located cards.
            demands: for each hand, the number of its unseen cards and the cards that they cannot
                be.
        """
        some = [demand for demand in demands if demand[0] > 0]
        if not some:
            return True
        gone = Counter(card.plain for card in located)
        supply = {card: self.copies - gone[card] for card in self.pack}
        for size in range(1, len(some) + 1):
            for group in combinations(some, size):
                barred = frozenset.intersection(*(denied for _, denied in group))
                free = sum(number for card, number in supply.items() if card not in barred)
                if free < sum(lacking for lacking, _ in group):
                    return False
        return True


@dataclass(frozen=True, slots=True, kw_only=True)
class TrickDeal:
    """A deal. Tuples are ordered by seat, and `counts` by side."""

    spec: ClassVar[TrickSpec]
    trump_by: ClassVar[str | None] = None
    """The verb that enters the trump suit, or None if several verbs can."""

    bidding: Auction
    options: Mapping[str, str]
    """The options of the table, by name."""
    duties: Duties = Duties()
    """The duties at this table."""
    hands: tuple[Cards, ...]
    """The known cards of each hand, including played cards."""
    entered: tuple[int, ...]
    """The number of dealt cards that `hand` lines have entered, including `?`."""
    denied: tuple[frozenset[Card], ...]
    """The cards that each player cannot hold, according to the plays."""
    plays: Trick = ()
    """All cards played, in order."""
    counts: tuple[int | None, ...]
    """The trick points that were entered without tricks, by side."""

    @classmethod
    def begin(cls, bidding: Auction, options: Mapping[str, str], duties: Duties = Duties()) -> Self:
        """Return a new deal without any known cards.

        Args:
            bidding: the auction before the first bid.
            options: the options of the table.
            duties: the duties at this table.
        """
        seats = bidding.seats
        return cls(
            bidding=bidding,
            options=options,
            duties=duties,
            hands=((),) * seats,
            entered=(0,) * seats,
            denied=(frozenset(),) * seats,
            counts=(None,) * (2 if seats == 4 else seats),
        )

    # Defined by each game.

    @property
    @abstractmethod
    def trump(self) -> Suit | None:
        """The trump suit, or None if it is unknown."""

    @property
    def trump_fixed(self) -> bool:
        """Whether it is known which cards are trumps."""
        return self.trump is not None

    @property
    def ranking(self) -> TrickSpec:
        """The order of the cards in this deal."""
        return self.spec

    @property
    def obligations(self) -> Duties:
        """The duties in this deal."""
        return self.duties

    @property
    @abstractmethod
    def hands_closed(self) -> bool:
        """Whether it is too late to enter dealt cards."""

    @abstractmethod
    def size(self, seat: int) -> int:
        """Return the number of cards that a player has received so far, including played cards."""

    def dealt(self, seat: int) -> int:
        """Return how many of a player's cards `hand` lines may enter."""
        return self.size(seat)

    def awaited(self, seat: int) -> int:
        """Return the number of unknown cards in a hand that will be entered by lines other than
        `hand`."""
        return 0

    @abstractmethod
    def worth(self, card: Card) -> int:
        """Return the points of a card in a trick."""

    @property
    def out(self) -> Cards:
        """The known cards that are in no hand."""
        return ()

    @property
    def leader(self) -> int:
        """The seat that leads to the first trick."""
        return self.eldest

    def laid_away(self, seat: int) -> Cards:
        """Return the known cards that a player has laid away, and therefore will not play."""
        return ()

    def without(self, seat: int, cards: Cards) -> Self | None:
        """Return the deal after a play has shown that these cards are not in a hand. Return None if
        the hand must contain one of them."""
        return None

    @abstractmethod
    def declare_all(self) -> Self:
        """Settle the declarations or melds of the known hands: `declare`."""

    @abstractmethod
    def show(self, move: Move) -> Self:
        """Show a declaration or meld: `N meld CARD…`."""

    def say(self, move: Move) -> Self:
        """Make a bid: `N bid …`."""
        return replace(self, bidding=self.bidding.say(move))

    @abstractmethod
    def countable(self, side: int) -> tuple[int, ...]:
        """Return the trick points that a side may enter now, lowest first."""

    @abstractmethod
    def meld_points(self, side: int) -> int:
        """Return the points of the melds that a side has shown."""

    @property
    def can_be_counted(self) -> bool:
        """Whether the trick points entered so far are consistent with the known cards: every other
        side must have possible points left."""
        sides = enumerate(self.counts, 1)
        return not self.counted or all(self.countable(side) for side, n in sides if n is None)

    def call_with_play(self, seat: int) -> Self:
        """Return the deal after a call that accompanies the last play. By default, there are no
        such calls."""
        return self

    def with_count(self, side: int, points: int) -> Self:
        """Return the deal after a side's trick points have been entered, with everything that
        follows from them."""
        return replace(self, counts=put(self.counts, side, points))

    def end_talk(self) -> Self:
        """Return the deal after declarations have ended, so that a card or trick points may be
        entered. Raises IllegalMove if the declarations are unfinished."""
        return self

    def demands(self) -> list[tuple[int, frozenset[Card]]]:
        """Return, for each hand, the number of its unseen cards and the cards that they cannot
        be."""
        return [(self.unseen(seat), self.denied[seat - 1]) for seat in self.order]

    # Derived from the entries.

    @property
    def eldest(self) -> int:
        """The seat after the dealer."""
        return self.bidding.eldest

    @property
    def seats(self) -> int:
        return len(self.hands)

    @property
    def sides(self) -> int:
        return len(self.counts)

    def side(self, seat: int) -> int:
        return side_of(seat, self.sides)

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in playing order, eldest first."""
        return tuple((self.eldest - 1 + n) % self.seats + 1 for n in range(self.seats))

    @property
    def fresh(self) -> Self:
        """The same deal, as it was before any entry."""
        return self.begin(self.bidding.fresh, self.options, self.duties)

    @property
    def begun(self) -> bool:
        """Whether anything has been entered for this deal."""
        return self != self.fresh

    @property
    def whole_hand(self) -> int:
        """The number of cards that each player plays."""
        return self.spec.tricks[self.seats]

    @property
    def led(self) -> bool:
        return bool(self.plays)

    @property
    def counted(self) -> bool:
        """Whether trick points were entered."""
        return any(points is not None for points in self.counts)

    @property
    def played(self) -> frozenset[Card]:
        return frozenset(card for _, card in self.plays)

    @property
    def trick(self) -> Trick:
        """The current trick, or an empty tuple if the next card leads."""
        return self.plays[len(self.plays) - len(self.plays) % self.seats :]

    @property
    def full_tricks(self) -> tuple[Trick, ...]:
        """The completed tricks."""
        n = self.seats
        return tuple(self.plays[k : k + n] for k in range(0, len(self.plays) // n * n, n))

    @property
    def winners(self) -> tuple[int, ...]:
        """The seats that won the completed tricks."""
        if not self.trump_fixed:
            return ()
        trump, ranking = self.trump, self.ranking
        return tuple(ranking.winner(trick, trump)[0] for trick in self.full_tricks)

    @property
    def winning_sides(self) -> frozenset[int]:
        """The sides that have won a trick."""
        return frozenset(map(self.side, self.winners))

    def trick_points(self) -> tuple[int, ...]:
        """Return the points of the completed tricks by side, without the bonus for the last
        trick."""
        points = [0] * self.sides
        for seat, trick in zip(self.winners, self.full_tricks, strict=False):
            points[self.side(seat) - 1] += sum(self.worth(card) for _, card in trick)
        return tuple(points)

    @property
    def over(self) -> bool:
        """Whether every card has been played."""
        return len(self.plays) == self.seats * self.whole_hand

    @property
    def turn(self) -> int:
        """The seat to play next."""
        if self.trick:
            return self.trick[-1][0] % self.seats + 1
        winners = self.winners
        return winners[-1] if winners else self.leader

    def known_hand(self, seat: int) -> frozenset[Card]:
        """Return the distinct cards that a player is known to have received."""
        return frozenset(self.hands[seat - 1])

    def whole(self, seat: int) -> bool:
        """Return whether all cards of a hand are known."""
        return len(self.hands[seat - 1]) == self.size(seat)

    def unseen(self, seat: int) -> int:
        """Return the number of unknown cards in a hand."""
        return self.size(seat) - len(self.hands[seat - 1])

    def remaining(self, seat: int) -> Cards:
        """Return the cards known to be still in a hand."""
        left = list(self.hands[seat - 1])
        for card in sorted(self.gone(seat), key=lambda card: card.copy is None):
            found = find(left, card)
            if found is not None:
                left.remove(found)
        return tuple(left)

    def held_by(self, seat: int) -> Cards | None:
        """Return the cards that a player holds now, or None if some of them are unknown."""
        return self.remaining(seat) if self.whole(seat) else None

    def gone(self, seat: int) -> Cards:
        """Return the known cards that a player has played or laid away, as they were entered."""
        return *(card for at, card in self.plays if at == seat), *self.laid_away(seat)

    def take(self, seat: int, card: Card, more: Cards = ()) -> Self | None:
        """Return the deal after recording that a card is still in a hand, or None if no such card
        is known to be there.

        A card entered without a copy letter may be any copy that nobody else is known to have. If
        the card is named with a letter, its copy is known from then on.

        Args:
            seat: the seat of the hand.
            card: the card.
            more: other cards that were just taken out of the hand.
        """
        hand = self.hands[seat - 1]
        alike = [other for other in hand if other.plain == card.plain]
        gone = [other for other in (*self.gone(seat), *more) if other.plain == card.plain]
        if len(gone) >= len(alike) or (card.copy is not None and card in gone):
            return None
        if card.copy is None or card in alike:
            return self
        if card.plain not in alike or card in self.located():
            return None
        place = hand.index(card.plain)
        return replace(self, hands=put(self.hands, seat, put(hand, place + 1, card)))

    def located(self) -> Iterable[Card]:
        """Yield every card whose location is known: in a hand, or out of play."""
        for hand in self.hands:
            yield from hand
        yield from self.out

    def free(self, card: Card) -> bool:
        """Return whether a copy of a card has yet to be located. If the card names a copy, only
        that copy is considered."""
        alike = [other for other in self.located() if other.plain == card.plain]
        return len(alike) < self.spec.copies and (card.copy is None or card not in alike)

    def may_hold(self, seat: int, card: Card) -> bool:
        """Return whether a player may have this card in hand."""
        if self.take(seat, card) is not None:
            return True
        if self.unseen(seat) <= 0 or card.plain in self.denied[seat - 1]:
            return False
        return self.free(card)

    def possible(self, seat: int) -> frozenset[Card]:
        """Return the distinct cards that a player received or may have received."""
        mine = self.known_hand(seat)
        if self.unseen(seat) <= 0:
            return mine
        return frozenset(self.unlocated()) - self.denied[seat - 1] | mine

    def can_hold(self, seat: int, cards: frozenset[Card]) -> bool:
        """Return whether a player may have received these cards, given the known cards of all
        hands."""
        lacking = cards - self.known_hand(seat)
        if not cards <= self.possible(seat) or len(lacking) > self.unseen(seat):
            return False
        return self.learn(seat, tuple(lacking)).fits()

    def fits(self) -> bool:
        """Return whether all hands can still be filled with cards that earlier plays do not rule
        out."""
        return self.spec.can_fill(self.located(), self.demands())

    def learn(self, seat: int, cards: Cards) -> Self:
        """Record that a player also received these cards."""
        return replace(self, hands=put(self.hands, seat, (*self.hands[seat - 1], *cards)))

    def unlocated(self) -> Cards:
        """Return the cards that have yet to be located, each once for every copy not yet
        located."""
        gone = Counter(card.plain for card in self.located())
        spec = self.spec
        return tuple(card for card in spec.pack for _ in range(spec.copies - gone[card]))

    def enter(self, seat: int, cards: Cards) -> Self:
        """Enter cards as dealt to a player.

        Raises:
            IllegalMove: `card-twice` (`card-seen` if the pack has copies), or a code of
                `check_card`.
        """
        deal = self
        for card in cards:
            deal.spec.check_card(card)
            if not deal.free(card):
                if deal.spec.copies == 1:
                    raise IllegalMove("card-twice", card=card)
                raise IllegalMove("card-seen", card=card)
            deal = deal.learn(seat, (card,))
        return deal

    def check_time(self, verb: str, *, led: bool = True) -> None:
        """Raise IllegalMove (`deal-too-far`) if trick points have been entered or, with
        `led=False`, if a card has been played."""
        if self.counted or (self.led and not led):
            raise IllegalMove("deal-too-far", verb=verb)

    def enter_hand(self, move: Move) -> Self:
        """Enter cards dealt to a player, in any number of lines: `N hand CARD…`.

        Raises:
            IllegalMove: `deal-too-far`, `hand-too-long`, or a code of `enter`.
        """
        if self.hands_closed:
            why = "known" if {(move.player, card) for card in move.cards} <= {*self.plays} else None
            raise IllegalMove("deal-too-far", verb="hand", **because(why))
        seat, cards = move.player, move.cards
        before = self.entered[seat - 1]
        seen = tuple(card for card in cards if card.rank is not None)
        allowed = self.dealt(seat)
        if before + len(cards) > allowed or len(seen) > self.unseen(seat):
            raise IllegalMove(
                "hand-too-long",
                seat=seat,
                told=max(before, allowed - self.unseen(seat)),
                said=len(cards),
                allowed=allowed,
            )
        after = self.enter(seat, seen)
        return replace(after, entered=put(self.entered, seat, before + len(cards)))

    def play(self, seat: int, card: Card) -> Self:
        """Play a card: `N play CARD`.

        Raises:
            IllegalMove: `trump-unknown`, `out-of-turn`, `not-in-hand`, `denied-before`, the code of
                the duty that the card breaks, or `impossible-hand` if no assignment of the unseen
                cards remains.
        """
        self.spec.check_card(card)
        if not self.trump_fixed:
            raise IllegalMove("trump-unknown", **because(self.trump_by))
        if seat != self.turn:
            why = None if self.led else "lead"
            raise IllegalMove("out-of-turn", seat=seat, turn=self.turn, **because(why))
        mine = self.take(seat, card)
        if mine is None:
            self._check_unknown(seat, card)
        owing: list[tuple[str, frozenset[Card]]] = []
        if self.trick:
            here = self.trick, card.plain, seat, self.trump
            owing = list(self.ranking.owed(self.obligations, *here))
        barred = frozenset[Card]().union(*(cards for _, cards in owing))
        deal = mine or self
        kept = tuple(other for other in self.remaining(seat) if other.plain in barred)
        if kept:
            found = deal.without(seat, kept)
            if found is None:
                raise self._breach(seat, card, kept, owing)
            deal = found
        if mine is None:
            deal = deal.enter(seat, (card,))
        denied = put(self.denied, seat, self.denied[seat - 1] | barred)
        after = replace(deal, plays=(*self.plays, (seat, card)), denied=denied)
        if not after.fits():
            raise IllegalMove("impossible-hand", seat=seat, card=card)
        return after

    def _check_unknown(self, seat: int, card: Card) -> None:
        """Check that a hand may contain a card that is not known to be there.

        Raises:
            IllegalMove: `card-twice`, `denied-before` or `not-in-hand`.
        """
        if self.spec.copies == 1 and card in self.played:
            raise IllegalMove("card-twice", card=card)
        if card.plain in self.denied[seat - 1] and self.free(card) and self.unseen(seat) > 0:
            raise IllegalMove("denied-before", seat=seat, card=card)
        if not self.may_hold(seat, card):
            raise IllegalMove("not-in-hand", seat=seat, card=card)

    def _breach(
        self, seat: int, card: Card, kept: Cards, owing: Iterable[tuple[str, frozenset[Card]]]
    ) -> IllegalMove:
        """Return the error for a card that breaks a duty. The error names the first duty that the
        player could have obeyed."""
        _, best = self.ranking.winner(self.trick, self.trump)
        held = frozenset(other.plain for other in kept)
        code = next(code for code, cards in owing if cards & held)
        return IllegalMove(code, seat=seat, card=card, lead=self.trick[0][1], best=best)

    def ask_hands(self) -> Iterator[Ask]:
        """Yield the entries for dealt cards that have not been entered."""
        cards = self.unlocated()
        for seat in self.order:
            room = min(
                self.dealt(seat) - self.entered[seat - 1], self.unseen(seat) - self.awaited(seat)
            )
            if room > 0:
                move, fields = Move("hand", seat), {"room": room}
                yield Ask("hand", "cards", move, "cards", 1, room, cards=cards, fields=fields)

    def ask_counts(self, seats: Iterable[int]) -> Iterator[Ask]:
        """Yield the entries for the missing trick points, one seat for each side."""
        for seat in seats:
            side = self.side(seat)
            allowed = self.countable(side) if self.counts[side - 1] is None else ()
            if allowed:
                yield ask_count(Move("count", seat), allowed)

    def ask_card(self) -> Ask:
        """Return the entry for the next card: the legal plays."""
        seat = self.turn
        some = (card for card in self.spec.pack if self.may_hold(seat, card))
        cards = accepted(some, lambda card: self.play(seat, card))
        return Ask("play", "cards", Move("play", seat), "cards", 1, 1, cards=cards)


def find(cards: Iterable[Card], card: Card) -> Card | None:
    """Return the card in `cards` that an entered card may refer to, or None. A card with the same
    copy letter is preferred."""
    fitting = [other for other in cards if other.matches(card)]
    return next((other for other in fitting if other == card), fitting[0] if fitting else None)


# Possible next entries.


def accepted(said: Iterable[Said], step: Callable[[Said], object]) -> tuple[Said, ...]:
    """Return the entries that the referee would accept."""
    return tuple(one for one in said if stands(lambda: step(one)))  # noqa: B023  # runs at once


def ask_card_of(
    code: str, move: Move, pack: Cards, step: Callable[[Move], object], most: int = 1
) -> Iterator[Ask]:
    """Yield the entry for a line's cards, with the cards of the pack that the referee would accept.

    Args:
        code: the code of the ask.
        move: the line, without cards.
        pack: the cards to try.
        step: plays the line with one card. It raises IllegalMove if the card is refused.
        most: the largest number of cards in the line.
    """
    cards = accepted(pack, lambda card: step(move._replace(cards=(card,))))
    if cards:
        yield Ask(code, "cards", move, "cards", 1, most, cards=cards)


def stands(step: Callable[[], object]) -> bool:
    """Return whether a step succeeds without IllegalMove."""
    try:
        step()
    except IllegalMove:
        return False
    return True


def ask_count(move: Move, allowed: Sequence[int], step: int = 1) -> Ask:
    """Return the entry for a seat's trick points.

    Args:
        move: the line to complete.
        allowed: the possible numbers, lowest first.
        step: the unit of the numbers.
    """
    least, most = allowed[0], allowed[-1]
    barred = tuple(n for n in range(least, most, step) if n not in allowed)
    return Ask("count", "number", move, least=least, most=most, scale=step, barred=barred)


def ask_choice(
    code: str, moves: Iterable[Move], telling: Telling = "points", fields: Fields = NOTHING
) -> Iterator[Ask]:
    """Yield an `Ask` to choose one of these moves, if there are any. `telling` and `fields` are
    passed to the `Ask`."""
    choices = tuple(moves)
    if choices:
        move = Move(choices[0].verb, choices[0].seat)
        yield Ask(code, "choice", move, telling, choices=choices, fields=fields)


def ask_trump(suits: Iterable[Suit] = Suit) -> Ask:
    """Return the entry for the trump suit, for a table that does not enter the card that determines
    it. `suits` are the possible suits."""
    choices = tuple(Move("trump", words=(suit.letter,)) for suit in suits)
    return Ask("trump", "choice", Move("trump"), telling="hands", choices=choices)
