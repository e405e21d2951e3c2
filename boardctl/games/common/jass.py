"""The Jass family (Klaberjass and Belote): cards, sequences, the turned-up card, bidding for its
suit, and a referee for the lines common to these games.

Sources: docs/rules/klaberjass.md 1 to 4, docs/rules/belote.md 1 to 3 and 5.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import groupby
from typing import ClassVar, Final, Generic, Literal, NamedTuple, Self, TypeVar

from boardctl.games import Ask, IllegalMove, Move, Played, because, put, side_of
from boardctl.games.cards import Card, Rank, Suit, parse_cards
from boardctl.games.common.auction import Auction
from boardctl.games.common.by_deal import ByDealReferee, ByDealState, better, changes
from boardctl.games.common.trick_deal import (
    Cards,
    TrickDeal,
    TrickSpec,
    accepted,
    ask_card_of,
    ask_choice,
    ask_trump,
)


def _order(ranks: str) -> tuple[Rank, ...]:
    return tuple(card.rank for card in parse_cards(ranks) if card.rank is not None)


NATURAL: Final = _order("A K Q J T 9 8 7")
"""The ranks from high to low, for sequences and for the cut."""
PLAIN: Final = _order("A T K Q J 9 8 7")
TRUMP: Final = _order("J 9 A T K Q 8 7")
_VALUES: Final = {Rank.ACE: 11, Rank.TEN: 10, Rank.KING: 4, Rank.QUEEN: 3}

LAST_TRICK: Final = 10
"""The points for the last trick."""
ROYALS: Final = 20
"""The points for the king and queen of trumps in one hand."""
TRICKS: Final = {2: 9, 4: 8}
"""The number of cards that each player holds for the play, by number of players."""
FIRST: Final = {2: 6, 4: 5}
"""The number of cards dealt to each player before the bidding, by number of players, if a card is
turned up."""
SPEC: Final = TrickSpec(plain=PLAIN, trump=TRUMP, tricks=TRICKS)
IN_ORDER: Final = SPEC.pack
PACK: Final = frozenset(IN_ORDER)


def value(card: Card, trump: Suit | None) -> int:
    """Return the points of a card in a trick. `trump` is None if there is no trump suit."""
    if card.rank is Rank.JACK:
        return 20 if card.suit == trump else 2
    if card.rank is Rank.NINE and card.suit == trump:
        return 14
    assert card.rank is not None
    return _VALUES.get(card.rank, 0)


def letter(suit: Suit | None) -> str | None:
    return None if suit is None else suit.letter


class Piece(NamedTuple):
    """A declaration: a sequence, highest card first, or four of a kind."""

    name: str
    """The reason of the award, such as `sequence` or `four-jacks`."""
    points: int
    cards: Cards
    """The cards of the declaration, as far as they are known."""

    @property
    def top(self) -> int:
        """The sort key of the first card, which must be known."""
        rank = self.cards[0].rank
        assert rank is not None
        return -NATURAL.index(rank)

    @property
    def suit(self) -> Suit | None:
        return self.cards[0].suit

    def strength(self, trump: Suit | None) -> tuple[int, int, bool]:
        """Return the sort key for comparing sequences: points, then the top card, then trumps."""
        return self.points, self.top, self.suit == trump

    @property
    def is_known(self) -> bool:
        """Whether all cards of the declaration are known."""
        return all(card.is_known for card in self.cards)


def runs(hand: Iterable[Card]) -> Iterator[Cards]:
    """Yield the longest runs in a hand: three or more cards of one suit, without duplicates,
    highest first."""
    held = frozenset(hand)
    for suit in Suit:
        line = tuple(Card(rank, suit) for rank in NATURAL)
        for together, cards in groupby(line, held.__contains__):
            run = tuple(cards)
            if together and len(run) >= 3:
                yield run


ALL_RUNS: Final = tuple(
    tuple(Card(rank, suit) for rank in NATURAL[start : start + length])
    for length in range(8, 2, -1)
    for suit in Suit
    for start in range(9 - length)
)
"""Every sequence in the pack, longest first."""


def neighbours(run: Piece) -> frozenset[Card]:
    """Return the cards that would extend a run."""
    first = -run.top
    ends = (first - 1, first + len(run.cards))
    return frozenset(Card(NATURAL[place], run.suit) for place in ends if 0 <= place < 8)


def fits(cards: Sequence[Card], run: Cards) -> bool:
    """Return whether a run is consistent with the shown cards, as far as they are known."""
    if len(cards) != len(run):
        return False
    exact = {card for card in cards if card.is_known}
    if len(exact) != sum(card.is_known for card in cards) or not exact <= set(run):
        return False
    ranks = [card.rank for card in cards if card.rank is not None]
    return len(set(ranks)) == len(ranks) and set(ranks) <= {card.rank for card in run}


def contest(
    found: Sequence[tuple[int, Piece]],
    strength: Callable[[Piece], tuple[int, ...]],
    sides: int,
    *,
    earlier_wins: bool,
) -> tuple[int | None, tuple[tuple[int, Piece], ...]]:
    """Return the side whose declarations count, or None, and that side's declarations with their
    seats.

    Args:
        found: every declaration with its seat, in playing order.
        strength: returns the sort key that decides.
        sides: the number of sides.
        earlier_wins: whether the first of two equal declarations of different sides counts.
            Otherwise neither counts.
    """
    best = max((strength(piece) for _, piece in found), default=None)
    holders = [seat for seat, piece in found if strength(piece) == best]
    if not holders or (len({side_of(seat, sides) for seat in holders}) > 1 and not earlier_wins):
        return None, ()
    owner = holders[0]
    side = side_of(owner, sides)
    return owner, tuple(one for one in found if side_of(one[0], sides) == side)


Pair = tuple[int, int]
Result = Literal["made", "failed", "litige"]
"""The result of a deal for the side that took it: more points than the opponents, fewer points, or
equally many."""


@dataclass(frozen=True, slots=True)
class Points:
    """The points of both sides in a deal. Each pair contains the points of the attack and of the
    defence."""

    tricks: Pair
    """The trick points, including the last trick and the bonus for all tricks."""
    declared: Pair = (0, 0)
    """The points for declarations."""
    belote: Pair = (0, 0)
    """The points for belote."""
    all_to: int | None = None
    """0 if the attack has won every trick, 1 if the defence has done so, or None."""

    def of(self, part: int) -> int:
        return self.tricks[part] + self.declared[part] + self.belote[part]


class Settled(NamedTuple):
    """The result of a deal: the scores of the attack and the defence, and the points carried over
    to the next deal (litige)."""

    result: Result
    scored: Pair
    held_over: int = 0

    def carry(self, waiting: int) -> tuple[Pair, int]:
        """Return the scores of the attack and the defence, and the points carried over to the next
        deal. `waiting` is the number of points carried into this deal. The side that wins the deal
        gets all points carried over."""
        held = waiting + self.held_over
        if self.result == "litige":
            return (0, 0), held
        return ((held, 0) if self.result == "made" else (0, held)), 0


def weighed(points: Points, options: Mapping[str, str]) -> Pair:
    """Return the totals that determine whether the contract is made (option `contract_counts`)."""
    parts = [points.tricks]
    if options["contract_counts"] in ("all", "cards_belote"):
        parts.append(points.belote)
    if options["contract_counts"] in ("all", "cards_declarations"):
        parts.append(points.declared)
    return sum(part[0] for part in parts), sum(part[1] for part in parts)


def settle(points: Points, options: Mapping[str, str]) -> Settled:
    """Settle a deal in which a side took the suit of the turned-up card or named another suit
    (docs/rules/klaberjass.md 7, docs/rules/belote.md 7).

    Args:
        points: the points of both sides.
        options: the options `contract_counts`, `tie`, `failed_declarations` and `failed_belote`,
            under their names in Belote.
    """
    mine, theirs = weighed(points, options)
    if points.all_to == 0 or (mine > theirs and points.all_to is None):
        return Settled("made", (points.of(0), points.of(1)))
    tie = options["tie"]
    if mine == theirs and points.all_to is None and tie != "inside":
        held = points.tricks[0] + points.declared[0] if tie == "litige" else 0
        return Settled("litige", (points.belote[0], points.of(1)), held)
    return Settled("failed", beaten(points, options, 0, sum(points.tricks)))


def beaten(points: Points, options: Mapping[str, str], loser: int, base: int) -> Pair:
    """Return the scores of both sides after a lost contract. Unless an option changes this, the
    winner gets the base points and everything else except the loser's belote.

    Args:
        points: the points of both sides.
        options: as for `settle`.
        loser: 0 if the attack has lost, or 1 if the defence has.
        base: the points that the winner gets for tricks.

    Returns:
        The scores of the loser and the winner.
    """
    declared, belote = points.declared[loser], points.belote[loser]
    kept = declared if options["failed_declarations"] == "kept" else 0
    won = base + points.declared[1 - loser] + points.belote[1 - loser] + declared - kept
    if belote and not kept and options["failed_belote"] != "kept":  # the loser has no other points
        return 0, won + belote
    return kept + belote, won


@dataclass(frozen=True, slots=True)
class Bidding(Auction):
    """The bidding for the suit of a turned-up card."""

    suit: Suit | None = None
    """The suit of the turned-up card, or None if it is unknown."""

    @property
    def second_round(self) -> bool:
        """Whether everybody has passed on the turned-up suit."""
        return self.passes >= self.seats

    @property
    def passed_out(self) -> bool:
        return self.taker is None and self.passes == 2 * self.seats

    @property
    def over(self) -> bool:
        return self.taker is not None

    def say(self, move: Move) -> Bidding:
        """Bid: `N bid pass|take|SUIT`.

        Raises:
            IllegalMove: `one-bid`, `take-or-pass`, `name-another-suit`, `suit-turned-down`, or a
                code of `check_due`.
        """
        seat, words = move.player, move.words
        self.check_due(seat)
        if move.numbers or len(words) != 1 or words[0] not in ("pass", "take", *"SHDC"):
            raise IllegalMove("one-bid", said=move.entered)
        (word,) = words
        if word == "pass":
            return replace(self, last=seat, passes=self.passes + 1)
        named = None if word == "take" else Suit("SHDC".index(word))
        if not self.second_round:
            if named is not None and self.suit not in (None, named):
                raise IllegalMove("take-or-pass", suit=word, turned=letter(self.suit))
            suit = self.suit if named is None else named
            return replace(self, last=seat, taker=seat, suit=suit, trump=suit)
        if named is None:
            raise IllegalMove("name-another-suit", turned=letter(self.suit))
        if named == self.suit:
            raise IllegalMove("suit-turned-down", suit=word)
        return replace(self, last=seat, taker=seat, trump=named)


@dataclass(frozen=True, slots=True, kw_only=True)
class JassDeal(TrickDeal):
    """A deal with a turned-up card, for which the seven of trumps may be exchanged."""

    spec: ClassVar[TrickSpec] = SPEC
    called: ClassVar[str]
    """The name for the king and queen of trumps: bella or belote."""

    turned: Card | None = None
    """The turned-up card, or None if it was not entered."""
    swapper: int | None = None
    """The seat that exchanged the seven of trumps, or None."""
    royals_called: int | None = None
    """The seat that called the king and queen of trumps, or None."""
    stage: str = "open"
    """The state of the declarations: `open` at first, `settled` at the end."""
    owner: int | None = None
    """The side whose declarations count, or None."""
    pieces: tuple[tuple[int, Piece], ...] = ()
    """The declarations that count, with their seats."""

    @abstractmethod
    def declarations_of(self, seat: int) -> Sequence[Piece]:
        """Return the declarations of a hand whose cards are all known."""

    def strength(self, piece: Piece) -> tuple[int, ...]:
        """Return the sort key for comparing declarations."""
        return piece.strength(self.trump)

    @property
    @abstractmethod
    def earlier_wins(self) -> bool:
        """Whether the first of two equal declarations by opposing sides counts."""

    @property
    def turned_bidding(self) -> Bidding:
        """The bidding for a turned-up card. Only deals with such a card have it."""
        assert isinstance(self.bidding, Bidding)
        return self.bidding

    @property
    def trump(self) -> Suit | None:
        return self.bidding.trump

    @property
    def talked(self) -> bool:
        """Whether any declaration has been announced or shown."""
        return self.stage != "open" or bool(self.pieces)

    @property
    def scored(self) -> bool:
        """Whether anything that counts has been entered for the deal."""
        return self.led or self.counted or self.talked or self.royals_called is not None

    @property
    def hands_closed(self) -> bool:
        return self.scored

    def size(self, seat: int) -> int:
        return self.whole_hand if self.bidding.over else FIRST[self.seats]

    @property
    def turned_away(self) -> Cards:
        """The turned-up card or the seven exchanged for it, if it is in no player's hand."""
        gone = self.turned if self.swapper is None else self.seven
        return () if gone is None else (gone,)

    @property
    def seven(self) -> Card | None:
        """The seven of trumps (the dix in Klaberjass)."""
        return None if self.trump is None else Card(Rank.SEVEN, self.trump)

    @property
    def royals(self) -> frozenset[Card]:
        """The king and queen of trumps, which count if one hand contains both."""
        if self.trump is None:
            return frozenset()
        return frozenset({Card(Rank.KING, self.trump), Card(Rank.QUEEN, self.trump)})

    @property
    def royals_played(self) -> bool:
        """Whether the last play was the second of the king and queen of trumps from the same
        hand."""
        if not self.plays or self.plays[-1][1] not in self.royals:
            return False
        seat = self.plays[-1][0]
        return self.royals <= {card for player, card in self.plays if player == seat}

    def meld_points(self, side: int) -> int:
        return sum(piece.points for seat, piece in self.pieces if self.side(seat) == side)

    @property
    def all_known(self) -> bool:
        """Whether every card of every hand is known."""
        return all(map(self.whole, self.order))

    def worth(self, card: Card) -> int:
        return value(card, self.trump)

    def all_points(self) -> tuple[int, int]:
        """Return the trick points of both sides, including the last trick, from the counts or the
        tricks entered."""
        one, two = self.counts
        if one is not None and two is not None:
            return one, two
        first, second = self.trick_points()
        if self.side(self.winners[-1]) == 1:
            return first + LAST_TRICK, second
        return first, second + LAST_TRICK

    def has_royals(self, seat: int) -> bool:
        """Return whether a hand is known to contain the king and queen of trumps."""
        return bool(self.royals) and self.royals <= self.known_hand(seat)

    def turn_up(self, move: Move) -> Self:
        """Turn up a card: `turnup CARD`. If the card is entered late, it must agree with the
        bidding.

        Raises:
            IllegalMove: `turned-already`, `deal-too-far`, `card-twice` or `suit-turned-down`.
        """
        (card,) = move.cards
        self.spec.check_card(card)
        assert card.suit is not None
        if self.turned is not None:
            raise IllegalMove("turned-already", card=self.turned)
        if self.swapper is not None or self.scored:
            raise IllegalMove("deal-too-far", verb="turnup")
        if not self.free(card):
            raise IllegalMove("card-twice", card=card)
        suit = self.turned_bidding.suit
        if suit not in (None, card.suit):
            raise IllegalMove("turned-already", card=letter(suit), why="suit")
        return replace(self.turn_suit(card.suit), turned=card)

    def turn_suit(self, suit: Suit) -> Self:
        """Return the deal after setting the suit of its turned-up card.

        Raises:
            IllegalMove: `suit-turned-down`.
        """
        bidding = self.turned_bidding
        if bidding.taker is not None and bidding.suit is None:
            if bidding.trump == suit:
                raise IllegalMove("suit-turned-down", suit=suit.letter)
            if not bidding.second_round:
                bidding = replace(bidding, trump=suit)
        return replace(self, bidding=replace(bidding, suit=suit))

    @abstractmethod
    def exchange(self, seat: int) -> Self:
        """Exchange the seven, if the game and the table allow it now: `N exchange`."""

    def take_turned(self, seat: int) -> Self:
        """Return the deal after the seven of trumps has been exchanged for the turned-up card,
        before the lead.

        Raises:
            IllegalMove: `exchange-second-round`, `exchange-after-lead`, `exchange-twice`,
                `trump-unknown` or `no-trump-seven`.
        """
        if self.turned_bidding.second_round:
            raise IllegalMove("exchange-second-round")
        if self.led:
            raise IllegalMove("exchange-after-lead")
        if self.swapper is not None:
            raise IllegalMove("exchange-twice", seat=self.swapper)
        seven = self.seven
        if seven is None:
            raise IllegalMove("trump-unknown", **because(self.trump_by))
        if seven not in self.possible(seat):
            raise IllegalMove("no-trump-seven", seat=seat, card=seven)
        hand = tuple(card for card in self.hands[seat - 1] if card != seven)
        if self.turned is not None:
            hand = (*hand, self.turned)
        return replace(self, hands=put(self.hands, seat, hand), swapper=seat)

    def with_royals(self, seat: int) -> Self | None:
        """Return the deal after recording that a player holds the king and queen of trumps, or None
        if that is impossible.

        One of the two cards may have been the turned-up card. A table that enters only points does
        not enter the exchange, and may not enter the suit.
        """
        deal = self
        if self.seats == 2 and self.turned in self.royals and self.swapper is None:
            try:
                deal = self.take_turned(seat)
            except IllegalMove:
                return None
        if not deal.can_hold(seat, deal.royals):
            return None
        return deal.learn(seat, tuple(sorted(deal.royals - deal.known_hand(seat))))

    def contested(self, why: str | None = None) -> Self:
        """Return the deal with the declarations in all hands, which must be known.

        Args:
            why: the alternative entry, as a field of the refusal `hands-unknown`.
        """
        for seat in self.order:
            if not self.whole(seat):
                raise IllegalMove("hands-unknown", seat=seat, **because(why))
        found = [(seat, piece) for seat in self.order for piece in self.declarations_of(seat)]
        owner, pieces = contest(found, self.strength, self.sides, earlier_wins=self.earlier_wins)
        return replace(self, stage="settled", owner=owner, pieces=pieces)

    def call(self, seat: int) -> Self:
        """Return the deal after a player has called the king and queen of trumps.

        Raises:
            IllegalMove: `bella-called` or `no-bella`, or `belote-called` or `no-belote`.
        """
        if self.royals_called is not None:
            raise IllegalMove(f"{self.called}-called", seat=self.royals_called)
        held = self.with_royals(seat)
        if held is None or not held.can_be_counted:
            raise IllegalMove(f"no-{self.called}", seat=seat)
        return replace(held, royals_called=seat)

    @abstractmethod
    def call_with_play(self, seat: int) -> Self:
        """Return the deal after the king and queen of trumps have been called with the last
        play."""

    def ask_royals(self) -> Iterator[Ask]:
        """Yield the entries to call the king and queen of trumps, for the seats that may hold
        both."""
        for seat in accepted(self.order, self.call):
            yield Ask(self.called, "confirm", Move(self.called, seat))

    def ask_turnup(self) -> Iterator[Ask]:
        """Yield the entry for the turned-up card. A late entry must agree with the bidding."""
        if self.turned is None:
            yield from ask_card_of("turnup", Move("turnup"), self.spec.pack, self.turn_up)

    def ask_exchange(self) -> Iterator[Ask]:
        """Yield the entries to exchange the seven, for the seats that may do so."""
        for seat in accepted(self.order, self.exchange):
            yield Ask("exchange", "confirm", Move("exchange", seat), telling="hands")


@dataclass(frozen=True, slots=True)
class JassState(ByDealState):
    """The state of a game."""

    deal: JassDeal | None = None
    best: int | None = None
    """The side that scored more points in the previous deal (for `deal_rotation`), or None."""
    held_over: int = 0
    """The points carried over to the next decided deal."""


T = TypeVar("T", bound=JassState)
J = TypeVar("J", bound=JassDeal)


class JassReferee(ByDealReferee[T, J], Generic[T, J]):
    """A referee for games in which a turned-up card proposes trumps."""

    pack = IN_ORDER
    ranks = NATURAL

    def laid_down(self, before: T, move: Move) -> tuple[Move, ...]:
        """Return a line for each declaration that counts. The scoring side's lines come last."""
        settled = self.current_deal(before, move.verb).declare_all()
        shown = sorted(settled.pieces, key=lambda piece: piece[0] == settled.owner)
        return tuple(Move("meld", at, piece.cards) for at, piece in shown)

    def cut_strength(self, state: T, rank: Rank) -> int:
        sign = 1 if state.option("first_dealer") == "low" else -1
        return sign * NATURAL.index(rank)

    def phase(self, deal: J) -> str:
        return "play" if deal.led or deal.stage == "settled" or deal.counted else "declare"

    def check_deal(self, state: T) -> Played[T]:
        """Return the state for the next deal. With an option, the winner of the last deal deals
        next."""
        super().check_deal(state)
        sheet, best = state.sheet, state.best
        rotates = len(state.setup.seats) == 2 and state.option("deal_rotation") == "winner_deals"
        if rotates and best and sheet.deals and not sheet.deals_again:
            sheet = sheet._replace(dealer=best, deals_again=True)
        return Played(replace(state, sheet=sheet))

    def after_pegs(self, state: T, points: tuple[int, ...]) -> T:
        return replace(state, best=better(points))

    def asks_bidding(self, deal: J) -> Iterator[Ask]:
        """Yield the entries for the bidding: the turned-up card, and bids for its suit or, in the
        second round, for another suit."""
        bidding = deal.turned_bidding
        seat, late, suit = bidding.bidder, bidding.second_round, bidding.suit
        if not late:
            yield from deal.ask_turnup()
        words = ["take", "pass"]
        if late or suit is None:
            words = ["pass", *(one.letter for one in Suit if one != suit)]
            words += () if late else ("take",)
        moves = (Move("bid", seat, words=(word,)) for word in words)
        fields = {"turned": deal.turned or letter(suit)}
        yield from ask_choice("bid" if late else "take", moves, fields=fields)
        if suit is None and ("trump", False) in self._steps:
            yield ask_trump()
        if late:
            yield from deal.ask_turnup()

    _exchange = changes(lambda deal, move: deal.exchange(move.player))
    _turnup = changes(lambda deal, move: deal.turn_up(move), bidden=False)

    def passed_out(self, state: T, deal: J) -> Played[T]:
        sheet = state.sheet
        if state.option("passed_out") == "same_dealer":
            sheet = sheet._replace(deals_again=True)
        return super().passed_out(replace(state, sheet=sheet, best=None), deal)
