"""What is known about one deal of Klaberjass, and how its cards become known.

The cards lie on a real table. A hand is the set of cards that its player is known to hold, out of
six and later nine; the others are limited by what the other player holds, what is out of play, and
what earlier plays rule out. A line is legal if some assignment of the unseen cards allows it.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final, Literal

from boardctl.games import IllegalMove
from boardctl.games.cards import Card, Rank, Suit
from boardctl.games.common.jass import PACK, value
from boardctl.games.klaberjass.sequences import Run
from boardctl.games.klaberjass.tricks import beats, denies, legal

TRICKS: Final = 9
NONE: Final[frozenset[Card]] = frozenset()

Stage = Literal["open", "declared", "equal", "top", "tied", "settled"]


@dataclass(frozen=True, slots=True)
class Declarations:
    """The progress of announcing sequences (5.5).

    stage: `open`: nothing said; `declared`: the younger's reply is due; `equal`: the elder's top
    rank is due; `top`: the reply to it is due; `tied`: a trump sequence may still be claimed;
    `settled`. value, top: what the elder announced. owner: who scores sequences.
    """

    stage: Stage = "open"
    value: int = 0
    top: Rank | None = None
    owner: int | None = None

    @property
    def going(self) -> bool:
        """Whether somebody must still speak; a reply to `none` may be omitted."""
        return self.stage in ("equal", "top") or (self.stage == "declared" and self.value > 0)


@dataclass(frozen=True, slots=True)
class Shown:
    """A sequence shown by the owner: the cards as entered, and its run if that is certain."""

    cards: tuple[Card, ...]
    run: Run | None = None

    @property
    def value(self) -> int:
        return 20 if len(self.cards) == 3 else 50


@dataclass(frozen=True, slots=True)
class Deal:
    """A deal; pairs are by seat.

    hands: the known cards of each hand, including cards already played. told: the number of cards
    entered by `hand`. turned: the turned-up card; suit: its suit. bottom: the stock's last card, if
    shown. passes, maker, trump: the bidding. swapper: who exchanged the dix; late: after sequences
    were announced. shown, assumed: the sequences that count, entered card by card or (None if there
    are none) deduced from known hands. bella: who called it. denied: cards that each player cannot
    hold, given the plays. counts: trick points entered.
    """

    elder: int
    hands: tuple[frozenset[Card], frozenset[Card]] = (NONE, NONE)
    told: tuple[int, int] = (0, 0)
    turned: Card | None = None
    suit: Suit | None = None
    passes: int = 0
    maker: int | None = None
    trump: Suit | None = None
    swapper: int | None = None
    late: bool = False
    declarations: Declarations = Declarations()
    shown: tuple[Shown, ...] = ()
    bella: int | None = None
    plays: tuple[tuple[int, Card], ...] = ()
    denied: tuple[frozenset[Card], frozenset[Card]] = (NONE, NONE)
    counts: tuple[int | None, int | None] = (None, None)
    bottom: Card | None = None

    @property
    def younger(self) -> int:
        return 3 - self.elder

    @property
    def begun(self) -> bool:
        """Whether anything has been entered for this deal."""
        return self != Deal(self.elder)

    @property
    def size(self) -> int:
        """The number of cards in a hand: six until trumps are fixed, then nine (1.2, 1.3)."""
        return 6 if self.maker is None else TRICKS

    @property
    def second_round(self) -> bool:
        return self.passes >= 2

    @property
    def counted(self) -> bool:
        return self.counts != (None, None)

    @property
    def scored(self) -> bool:
        """Whether anything that counts has been entered for the deal."""
        told = self.plays or self.counted or self.shown or self.bella is not None
        return bool(told) or self.declarations.stage != "open"

    @property
    def led(self) -> bool:
        return bool(self.plays)

    @property
    def played(self) -> frozenset[Card]:
        return frozenset(card for _, card in self.plays)

    @property
    def lead(self) -> Card | None:
        """The card led to the open trick."""
        return self.plays[-1][1] if len(self.plays) % 2 else None

    @property
    def turn(self) -> int:
        """The seat to play next (6.1)."""
        if self.lead is not None:
            return 3 - self.plays[-1][0]
        return self.tricks[-1][0] if self.plays else self.elder

    @property
    def tricks(self) -> tuple[tuple[int, int], ...]:
        """The winner and points of each completed trick."""
        pairs = zip(self.plays[::2], self.plays[1::2], strict=False)
        trump = self.trump
        if trump is None:
            return ()
        return tuple(
            (second if beats(reply, led, trump) else first, value(led, trump) + value(reply, trump))
            for (first, led), (second, reply) in pairs
        )

    @property
    def seven(self) -> Card | None:
        """The dix: the seven of trumps."""
        return None if self.trump is None else Card(Rank.SEVEN, self.trump)

    @property
    def out(self) -> frozenset[Card]:
        """Cards known to be in no hand: the turned card or the seven swapped for it, and the
        stock's last card."""
        gone = self.turned if self.swapper is None else self.seven
        return frozenset(card for card in (gone, self.bottom) if card is not None)

    @property
    def royals(self) -> frozenset[Card]:
        """The king and queen of trumps, which make bella if held in one hand (6.4)."""
        if self.trump is None:
            return NONE
        return frozenset({Card(Rank.KING, self.trump), Card(Rank.QUEEN, self.trump)})

    @property
    def bella_played(self) -> bool:
        """Whether the latest play was a player's second of trump king and queen."""
        if not self.plays or self.plays[-1][1] not in self.royals:
            return False
        seat = self.plays[-1][0]
        return self.royals <= {card for player, card in self.plays if player == seat}

    def known(self, seat: int) -> frozenset[Card]:
        return self.hands[seat - 1]

    def unseen(self, seat: int) -> int:
        """The number of unknown cards in a hand."""
        return self.size - len(self.known(seat))

    def possible(self, seat: int) -> frozenset[Card]:
        """The cards that a player holds or may hold, of those dealt or exchanged."""
        mine = self.known(seat)
        if not self.unseen(seat):
            return mine
        return (PACK - self.known(3 - seat) - self.out - self.denied[seat - 1]) | mine

    def left(self, seat: int) -> frozenset[Card]:
        """The cards that a player may still have in hand."""
        return self.possible(seat) - self.played

    def learn(self, seat: int, cards: frozenset[Card]) -> Deal:
        """Record that a player holds these cards."""
        hands = list(self.hands)
        hands[seat - 1] |= cards
        return replace(self, hands=(hands[0], hands[1]))

    def at_talk(self, seat: int) -> tuple[frozenset[Card], frozenset[Card]]:
        """The cards known to be held, and those that may be, when sequences were declared; a later
        exchange changes nothing (5.5b)."""
        known, possible = self.known(seat), self.possible(seat)
        if self.swapper == seat and self.late and self.turned is not None and self.seven:
            back, seven = frozenset({self.turned}), frozenset({self.seven})
            return (known - back) | seven, (possible - back) | seven
        return known, possible


def pair(values: tuple[int, int], seat: int, new: int) -> tuple[int, int]:
    """A pair by seat with one value replaced."""
    return (new, values[1]) if seat == 1 else (values[0], new)


def check_card(card: Card) -> None:
    """Raise IllegalMove if a card is not fully known or is not one of the 32."""
    if card.rank is not None and Card(card.rank, Suit.SPADES) not in PACK:
        raise IllegalMove("card-not-in-pack", card=card)
    if not card.known:
        raise IllegalMove("card-unknown", card=card)
    if card not in PACK:
        raise IllegalMove("card-not-in-pack", card=card)


def tell_hand(deal: Deal, seat: int, cards: tuple[Card, ...]) -> Deal:
    """`N hand CARD…`: six before the bidding, three more after it, in any number of lines."""
    if deal.declarations.stage != "open" or deal.led or deal.counted or deal.bella is not None:
        raise IllegalMove("deal-too-far", verb="hand")
    told = deal.told[seat - 1] + len(cards)
    seen = [card for card in cards if card.rank is not None]
    if told > deal.size or len(deal.known(seat)) + len(seen) > deal.size:
        raise IllegalMove(
            "hand-too-long", seat=seat, told=deal.told[seat - 1], said=len(cards), allowed=deal.size
        )
    for place, card in enumerate(seen):
        check_card(card)
        elsewhere = deal.known(1) | deal.known(2) | deal.out
        if card in seen[:place] or card in elsewhere:
            raise IllegalMove("card-twice", card=card)
    return replace(deal.learn(seat, frozenset(seen)), told=pair(deal.told, seat, told))


def turn_up(deal: Deal, card: Card) -> Deal:
    """`turnup CARD`: the candidate (1.2). If entered late, it must agree with the bidding."""
    check_card(card)
    assert card.suit is not None
    if deal.turned is not None:
        raise IllegalMove("turned-already", card=deal.turned)
    if deal.swapper is not None or deal.scored:
        raise IllegalMove("deal-too-far", verb="turnup")
    if card in deal.known(1) | deal.known(2) | deal.out:
        raise IllegalMove("card-twice", card=card)
    return replace(turn_suit(deal, card.suit, again=True), turned=card)


def turn_suit(deal: Deal, suit: Suit, again: bool = False) -> Deal:
    """`trump SUIT`: the suit of the turned-up card, if the card itself is not entered."""
    if deal.suit is not None and not (again and deal.suit == suit):
        raise IllegalMove("turned-already", card=deal.turned or deal.suit.letter)
    if deal.scored:
        raise IllegalMove("deal-too-far", verb="trump")
    if deal.maker is None:
        return replace(deal, suit=suit)
    if deal.second_round:
        if deal.trump == suit:
            raise IllegalMove("suit-turned-down", suit=suit.letter)
        return replace(deal, suit=suit)
    return replace(deal, suit=suit, trump=suit)


def show_bottom(deal: Deal, card: Card) -> Deal:
    """`bottom CARD`: the stock's last card, shown once trumps are fixed (1.4)."""
    check_card(card)
    if deal.bottom is not None:
        raise IllegalMove("turned-already", card=deal.bottom)
    if deal.led or deal.counted:
        raise IllegalMove("deal-too-far", verb="bottom")
    if card in deal.known(1) | deal.known(2) | deal.out:
        raise IllegalMove("card-twice", card=card)
    return replace(deal, bottom=card)


def bid(deal: Deal, seat: int, word: str) -> Deal:
    """`N bid pass|take|SUIT` (3): the deal after it. The caller handles four passes."""
    if deal.maker is not None:
        raise IllegalMove("bidding-over", maker=deal.maker, trump=_letter(deal.trump))
    due = deal.younger if deal.passes % 2 else deal.elder
    if seat != due:
        raise IllegalMove("out-of-turn", seat=seat, turn=due)
    if word == "pass":
        return replace(deal, passes=deal.passes + 1)
    if not deal.second_round:
        if word != "take" and deal.suit is not None and word != deal.suit.letter:
            raise IllegalMove("take-or-pass", suit=word, turned=deal.suit.letter)
        suit = deal.suit if word == "take" else Suit("SHDC".index(word))
        return replace(deal, maker=seat, suit=suit, trump=suit)
    if word == "take":
        raise IllegalMove("name-another-suit", turned=_letter(deal.suit))
    trump = Suit("SHDC".index(word))
    if trump == deal.suit:
        raise IllegalMove("suit-turned-down", suit=word)
    return replace(deal, maker=seat, trump=trump)


def _letter(suit: Suit | None) -> str | None:
    return None if suit is None else suit.letter


def exchange(deal: Deal, seat: int) -> Deal:
    """`N exchange`: the trump seven for the turned card (4.2: not while an answer is due).

    The sequences are those held when the first was announced (5.5b).
    """
    if deal.second_round:
        raise IllegalMove("exchange-second-round")
    if deal.led:
        raise IllegalMove("exchange-after-lead")
    if deal.declarations.going:
        raise IllegalMove("exchange-in-talk")
    if deal.swapper is not None:
        raise IllegalMove("exchange-twice", seat=deal.swapper)
    seven = deal.seven
    if seven is None:
        raise IllegalMove("trump-unknown")
    if seven not in deal.possible(seat):
        raise IllegalMove("no-trump-seven", seat=seat, card=seven)
    hand = deal.known(seat) - {seven}
    if deal.turned is not None:
        hand |= {deal.turned}
    hands = list(deal.hands)
    hands[seat - 1] = hand
    return replace(
        deal, hands=(hands[0], hands[1]), swapper=seat, late=deal.declarations.stage != "open"
    )


def play(deal: Deal, seat: int, card: Card) -> Deal:
    """`N play CARD` (6). Raises IllegalMove if no assignment of the unseen cards allows it."""
    check_card(card)
    trump = deal.trump
    if trump is None:
        raise IllegalMove("trump-unknown")
    if seat != deal.turn:
        raise IllegalMove("out-of-turn", seat=seat, turn=deal.turn)
    if card in deal.played:
        raise IllegalMove("card-twice", card=card)
    if card in deal.denied[seat - 1] and card not in deal.known(seat):
        raise IllegalMove("denied-before", seat=seat, card=card)
    if card not in deal.possible(seat):
        raise IllegalMove("not-in-hand", seat=seat, card=card)
    lead = deal.lead
    hand = (deal.known(seat) - deal.played) | {card}
    allowed = legal(lead, hand, trump)
    if card not in allowed:
        assert lead is not None
        raise IllegalMove(_duty(lead, allowed, trump), seat=seat, card=card, lead=lead)
    after = replace(deal.learn(seat, frozenset({card})), plays=(*deal.plays, (seat, card)))
    if lead is not None:
        denied = list(deal.denied)
        denied[seat - 1] |= denies(lead, card, trump) - after.known(seat)
        after = replace(after, denied=(denied[0], denied[1]))
    _check_room(after, seat, card)
    return after


def _duty(lead: Card, allowed: frozenset[Card], trump: Suit) -> str:
    """The duty that was broken, given the cards that would have been allowed."""
    card = next(iter(allowed))
    if card.suit != lead.suit:
        return "must-trump"
    return "must-beat" if lead.suit == trump and beats(card, lead, trump) else "must-follow"


def _check_room(deal: Deal, seat: int, card: Card) -> None:
    """Check that the cards that the plays do not rule out are enough to fill both hands."""
    free = [deal.possible(s) - deal.known(s) for s in (1, 2)]
    lacking = [deal.unseen(s) for s in (1, 2)]
    if (
        len(free[0]) < lacking[0]
        or len(free[1]) < lacking[1]
        or len(free[0] | free[1]) < sum(lacking)
    ):
        raise IllegalMove("impossible-hand", seat=seat, card=card)


def may_hold_bella(deal: Deal, seat: int) -> bool:
    """Whether a player can have bella in hand, as far as is known before the lead."""
    if deal.bella is not None:
        return False
    lacking = deal.royals - deal.known(seat)
    return deal.royals <= deal.possible(seat) and len(lacking) <= deal.unseen(seat)


def hold_bella(deal: Deal, seat: int) -> Deal:
    """`N bella` if the play is not entered: the player holds trump king and queen."""
    if deal.bella is not None:
        raise IllegalMove("bella-called", seat=deal.bella)
    if not may_hold_bella(deal, seat):
        raise IllegalMove("no-bella", seat=seat)
    return replace(deal.learn(seat, deal.royals), bella=seat)
