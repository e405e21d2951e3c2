"""One deal of Bezique or a variant: turned-up card, tricks, draws, melds and sevens, card by card.

Each function takes a `Deal` and returns the next `Deal`, or raises IllegalMove. Functions for lines
that can score also return the points earned. `rules` adds these points to the score and ends the
game.

Sources: docs/rules/bezique.md 1 to 7, docs/rules/pinochle.md 1, docs/notation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from boardctl.games import Award, IllegalMove, Move, put
from boardctl.games.bezique.game_spec import COURTS, DREW, SHOWN, GameSpec, RuleOptions
from boardctl.games.bezique.readings import Held, Knowledge, Reading, bare, fewest
from boardctl.games.cards import Card, Suit, parse_suit


@dataclass(frozen=True, slots=True, kw_only=True)
class Deal(Knowledge):
    """A deal, as far as it has been entered."""

    spec: GameSpec = field(repr=False)
    """The parameters of the game."""
    options: RuleOptions = field(repr=False)
    """The rules that the table has agreed on."""
    turn: int
    """The seat to lead or play. After a trick, while the stock lasts, it is the winner of the
    trick."""
    trump: Suit | None = None
    turned: bool = False
    """Whether a card or a suit has been turned up."""
    by_cards: bool = False
    """Whether hands or tricks are entered."""
    by_points: bool = False
    """Whether melds or trick points are entered without hands or tricks."""
    lead: Card | None = None
    drawn: int = 2
    """The number of draws entered after this trick, or 2 if no draw is expected."""
    melded: bool = False
    """Whether the winner has declared a meld in this turn."""
    last_player: int | None = None
    last_taker: int | None = None
    won: tuple[int, ...] = (0, 0)
    """The trick points taken so far, by seat."""
    counts: tuple[int | None, ...] = (None, None)
    """The trick points entered without tricks, by seat."""
    exchanged: Card | None = None
    """The card that was taken for a seven since the last draw, or None."""
    melds: int = 0
    """The number of declared melds."""
    tricks: int = 0
    over: bool = False
    unsaid: bool = False
    """Whether points opened the deal without a `deal` line."""
    pegged: bool = False
    """Whether points were entered with `peg`."""
    no_trump: Suit | None = None
    """The suit that cannot become trumps, or None."""
    blanche: tuple[int, ...] = (0, 0)
    """The state of each hand's carte blanche: 0, SHOWN or DREW."""
    fresh_cards: tuple[Card | None, ...] = (None, None)
    """The last card that each player drew, or None if it was not entered."""

    @property
    def last_tricks(self) -> bool:
        """Whether the stock is exhausted. Players must then follow suit and can no longer meld."""
        return self.stock == 0

    @property
    def may_declare(self) -> bool:
        """Whether a trick has been won and no card has been drawn since."""
        return self.drawn == 0 and not self.over

    @property
    def counted(self) -> bool:
        """Whether trick points were entered."""
        return self.counts != (None, None)

    @property
    def fresh(self) -> bool:
        """Whether neither cards nor points have been entered for this deal."""
        begun = self.by_cards or self.by_points or self.turned or self.pegged
        return not begun and not any(self.blanche)

    @property
    def begun(self) -> bool:
        """Whether the deal has begun. Points may be entered before the dealer is known."""
        return not (self.fresh or (self.unsaid and not self.counted))

    def held_by(self, seat: int) -> tuple[Card, ...] | None:
        """Return the cards that a player holds now, or None if some of them are unknown."""
        readings = self.hands[seat - 1]
        hands = {tuple(sorted(card.plain for card in one.known_cards)) for one in readings}
        (hand, *others) = hands
        whole = self.sizes is not None and len(hand) == self.sizes[seat - 1]
        return hand if whole and not others else None


Earned = tuple[Deal, Sequence[Award]]
"""A deal after a line, and the points that the line earned."""


def hand(deal: Deal, move: Move) -> Earned:
    """Enter cards dealt to a player, before the first card is played: `N hand CARD…`."""
    seat = move.player
    if deal.by_points or deal.tricks or deal.lead is not None:
        raise IllegalMove("too-late", what="hand", why="play")
    known = [card for card in move.cards if card.rank is not None]
    places = max(deal.unseen(reading, seat) for reading in deal.hands[seat - 1])
    if len(known) > places or len(move.cards) > deal.spec.hand:
        raise IllegalMove(
            "hand-too-long",
            seat=seat,
            told=deal.spec.hand - places,
            said=len(move.cards),
            allowed=deal.spec.hand,
        )
    for card in known:
        deal.spec.check_card(card)
        given = (
            reading.give(Held(card))
            for reading in deal.hands[seat - 1]
            if deal.unseen(reading, seat) > 0 and deal.free(reading, seat, card)
        )
        deal = deal.narrowed(seat, given, IllegalMove("card-seen", card=card))
    return replace(deal, by_cards=deal.by_cards or bool(known)), ()


def turn_up(deal: Deal, move: Move) -> Earned:
    """Turn up a card: `turnup CARD` or `trump SUIT` (1.6). Turning up a seven earns the dealer 10
    points."""
    if move.verb == "trump" and not deal.spec.turned:
        return _trump_by_points(deal, move), ()
    if deal.turned:
        if deal.turned_card is not None:
            raise IllegalMove("turned-already", card=deal.turned_card)
        assert deal.trump is not None
        raise IllegalMove("turned-already", card=deal.trump.letter, why="suit")
    if deal.tricks or deal.lead is not None:
        raise IllegalMove("too-late", what=move.verb, why="play")
    if move.verb == "trump":
        return replace(deal, turned=True, trump=parse_suit(move.words[0])), ()
    (card,) = move.cards
    deal.spec.check_card(card)
    seven = card.rank == deal.spec.seven
    fitting = [some for some in deal.hands[0] if deal.free(some, 1, card)]
    deal = replace(deal, turned=True, trump=card.suit, turned_card=card)
    deal = deal.narrowed(1, fitting, IllegalMove("card-seen", card=card))
    return deal, [Award(3 - deal.turn, 10, "turned-seven", (card,))] if seven else []


def _trump_by_points(deal: Deal, move: Move) -> Deal:
    """Enter the trump suit, which the first marriage or sequence set: `trump SUIT`. Only tables
    that enter points need this line; tables that enter cards enter the meld."""
    if deal.trump is not None:
        raise IllegalMove("turned-already", card=deal.trump.letter, why="trump")
    if deal.by_cards:
        raise IllegalMove("told-by-cards", seat=deal.turn, why="trump")
    suit = parse_suit(move.words[0])
    if suit == deal.no_trump:
        raise IllegalMove("trump-repeated", suit=suit.symbol)
    return replace(deal, trump=suit)


def quiet(deal: Deal) -> Deal:
    """Return the deal after the time to declare the last played card as a seven."""
    seat = deal.last_player
    if seat is None:
        return deal
    some = (replace(reading, last=None) for reading in deal.hands[seat - 1])
    own = deal.fewest(seat, some)
    return replace(deal, last_player=None, hands=put(deal.hands, seat, own))


def draw(deal: Deal, move: Move) -> Earned:
    """Draw a card: `N draw CARD`. The winner of the trick draws first. If a draw was not entered,
    its card is unknown (2.4)."""
    seat = move.player
    if deal.drawn >= 2 or deal.over:
        raise IllegalMove("no-draw-due", seat=seat)
    if seat == deal.turn:
        if deal.drawn:
            raise IllegalMove("drawn-already", seat=seat)
    elif not deal.drawn:
        deal = _draw(deal, None)
    deal = quiet(deal)
    (card,) = move.cards
    if card.rank is None:
        return _draw(deal, None), ()
    deal.spec.check_card(card)
    return _draw(deal, card), ()


def drawable(deal: Deal) -> tuple[Card, ...]:
    """Return the cards that can be drawn next."""
    if deal.stock == 1 and deal.turned_card is not None:
        return (deal.turned_card.plain,)
    own = deal.hands[0]
    return tuple(card for card in deal.spec.pack if any(deal.free(some, 1, card) for some in own))


def _draw(deal: Deal, card: Card | None) -> Deal:
    """Draw the next card from the stock. The very last card is the turned-up card (2.5)."""
    seat = deal.turn if deal.drawn == 0 else 3 - deal.turn
    sizes, turned = deal.sizes, deal.stock == 1
    assert sizes is not None
    deal = replace(
        deal,
        stock=deal.stock - 1,
        drawn=deal.drawn + 1,
        sizes=put(sizes, seat, sizes[seat - 1] + 1),
        exchanged=None,
    )
    found, seen = None if card is None else Held(card), IllegalMove("card-seen", card=card)
    if turned and deal.turned_card is not None:
        found = _draw_turned(deal, deal.turned_card, card, seen)
    if turned:  # no melds can follow
        deal = replace(deal, hands=tuple(fewest(map(bare, hand)) for hand in deal.hands))
    if found is not None:
        own = deal.hands[seat - 1]
        given = (some.give(found) for some in own if deal.free(some, seat, found.card))
        deal = deal.narrowed(seat, given, seen)
    return _continue_blanche(deal, seat, card) if any(deal.blanche) else deal


def _draw_turned(deal: Deal, shown: Card, card: Card | None, seen: IllegalMove) -> Held:
    """Return the turned-up card in the hand of the player who drew it.

    Args:
        deal: the deal before the draw.
        shown: the turned-up card.
        card: the card entered, or None if the draw was not entered.
        seen: the refusal if another copy was entered.
    """
    if card is not None and card.plain != shown.plain:
        raise IllegalMove("not-the-turned-card", card=card, turned=shown)
    if card is not None and shown.copy not in (None, card.copy or shown.copy):
        raise seen
    again = shown.rank == deal.spec.seven and not deal.options.seven_twice
    return Held(shown if shown.copy or card is None else card, scored=again)


def _continue_blanche(deal: Deal, seat: int, card: Card | None) -> Deal:
    """Return the deal after a draw. The drawn card may continue a carte blanche that was shown in
    time."""
    goes_on = deal.blanche[seat - 1] == SHOWN and (card is None or card.rank not in COURTS)
    blanche = put(deal.blanche, seat, DREW if goes_on else 0)
    return replace(deal, blanche=blanche, fresh_cards=put(deal.fresh_cards, seat, card))


def play(deal: Deal, move: Move) -> Deal:
    """Play a card: `N play CARD`. `play 7C seven` also scores the seven."""
    deal, readings = ways_to_play(quiet(deal), move)
    seat = move.player
    (card,) = move.cards
    if deal.options.renewable:
        readings = [reading.forget_broken() for reading in readings]
    deal = replace(deal, by_cards=True, last_player=seat, melded=False).narrowed(seat, readings)
    if deal.blanche[seat - 1] == DREW:
        deal = replace(deal, blanche=put(deal.blanche, seat, 0))
    if deal.lead is None:
        return replace(deal, lead=card.plain, turn=3 - seat)
    return _take_trick(deal, card, seat)


def _played(deal: Deal, seat: int, card: Card) -> list[Reading]:
    """Return the possible readings of a hand after a card has been played from it."""
    return [
        known.play(held)
        for reading in deal.hands[seat - 1]
        for held, known in deal.finds(reading, seat, card)
    ]


def drawn(deal: Deal) -> Deal:
    """Return the deal after the draws before a trick, if these draws were not entered."""
    while deal.drawn < 2 and deal.stock:
        deal = _draw(deal, None)
    return deal


def ways_to_play(deal: Deal, move: Move) -> tuple[Deal, list[Reading]]:
    """Return the deal and the readings of the hand after a card has been played. Draws that were
    not entered are added to the deal."""
    seat = move.player
    (card,) = move.cards
    if deal.by_points:
        raise IllegalMove("tricks-not-told", what="play")
    if deal.spec.turned and not deal.turned:
        raise IllegalMove("trump-unknown")
    if seat != deal.turn:
        raise IllegalMove("out-of-turn", seat=seat, turn=deal.turn)
    deal.spec.check_card(card)
    deal = drawn(deal)
    ways = _played(deal, seat, card)
    if not ways:
        raise IllegalMove("not-in-hand", seat=seat, card=card)
    assert deal.sizes is not None
    sizes = put(deal.sizes, seat, deal.sizes[seat - 1] - 1)
    deal = replace(deal, sizes=sizes, played=(*deal.played, card.plain))
    if deal.last_tricks and deal.lead is not None:
        deal, ways = _obey(deal, ways, card, seat)
    others = deal.hands[2 - seat]
    if deal.last_tricks or len(others) > 1:
        ways = list(deal.going(seat, ways, others))
        if not ways:
            raise IllegalMove("not-in-hand", seat=seat, card=card)
    return deal, ways


def _obey(deal: Deal, ways: list[Reading], card: Card, seat: int) -> tuple[Deal, list[Reading]]:
    """Return the readings in which the second player obeyed the rules of the last tricks (3.1), and
    the deal without the cards that this hand cannot contain. If no reading obeys them, raise
    IllegalMove with the broken rule."""
    lead = deal.lead
    assert lead is not None
    trick = ((3 - seat, lead),)
    for code, missed in deal.spec.owed(deal.options.duties, trick, card.plain, seat, deal.trump):
        deal = replace(deal, denied=put(deal.denied, seat, deal.denied[seat - 1] | missed))
        ways = [way for way in ways if missed.isdisjoint(card.plain for card in way.known_cards)]
        ways = list(deal.going(seat, ways, deal.hands[2 - seat]))
        if not ways:
            raise IllegalMove(code, seat=seat, card=card, lead=lead, best=lead)
    return deal, ways


def _take_trick(deal: Deal, card: Card, seat: int) -> Deal:
    lead = deal.lead
    assert lead is not None
    takes = deal.spec.beats(card, lead, lead.suit, deal.trump)
    winner = seat if takes else 3 - seat
    points = deal.won[winner - 1] + deal.spec.worth(lead) + deal.spec.worth(card)
    return replace(
        deal,
        lead=None,
        turn=winner,
        last_taker=winner,
        tricks=deal.tricks + 1,
        drawn=0 if deal.stock else 2,
        won=put(deal.won, winner, points),
        over=deal.tricks + 1 == deal.spec.tricks[2],
    )


def by_points(deal: Deal, seat: int) -> Deal:
    """Return the deal, marked as one whose tricks are not entered. Any card may then have passed
    through a hand."""
    if deal.counted:
        raise IllegalMove("counted-already", seat=seat)
    return replace(deal, by_points=True, sizes=None)


def counted(deal: Deal, seat: int, points: int) -> tuple[Deal, int]:
    """Enter trick points: `N count POINTS`. Return the deal and the points earned. The second count
    ends the deal. A number of points that no set of tricks can yield is refused."""
    if deal.by_cards and (deal.tricks or deal.lead is not None):
        raise IllegalMove("told-by-cards", seat=seat)
    if deal.counts[seat - 1] is not None:
        before = deal.counts[seat - 1]
        raise IllegalMove("counted-already", seat=seat, points=before, why="own")
    allowed = countable(deal, seat)
    if points not in allowed:
        other, total = deal.counts[2 - seat], deal.spec.trick_total
        fields = {"points": points, "total": total, "other": other, "allowed": allowed}
        raise IllegalMove("impossible-points", **fields)
    counts = put(deal.counts, seat, points)
    deal = replace(quiet(deal), counts=counts, by_points=True, over=None not in counts)
    return deal, rounded(points) if deal.options.round_tens else points


def countable(deal: Deal, seat: int) -> tuple[int, ...]:
    """Return the trick points that a seat can enter, given the opponent's entry. Neither seat can
    have exactly 1 point, because no trick is worth 1. If the table rounds points, both rounded and
    exact values are accepted."""

    def said(points: int) -> set[int]:
        return {points, rounded(points)} if deal.options.round_tens else {points}

    total, other = deal.spec.trick_total, deal.counts[2 - seat]
    shares = (n for n in range(0, total + 1, deal.spec.granule) if 1 not in (n, total - n))
    fitting = (said(n) for n in shares if other is None or other in said(total - n))
    return tuple(sorted(set[int]().union(*fitting)))


def trick_awards(deal: Deal) -> list[Award]:
    """Return the awards for tricks at the end of the deal: brisques or counters, and the bonus for
    the last trick (6)."""
    awards: list[Award] = []
    for seat in (1, 2):
        bonus = deal.spec.last_trick if seat == deal.last_taker else 0
        points = tricks_worth(deal, seat) if deal.options.rubicon is None else 0
        if points:
            awards.append(Award(seat, points, deal.spec.trick_reason))
        if bonus:
            awards.append(Award(seat, bonus, "last-trick"))
    return awards


def tricks_worth(deal: Deal, seat: int) -> int:
    """Return the points in the tricks that a player has taken so far, without the last-trick
    bonus."""
    taken = deal.won[seat - 1]
    return rounded(taken) if deal.options.round_tens else taken


def rounded(points: int) -> int:
    """Round to tens. A last digit of 7, 8 or 9 is rounded up (Pinochle's `round_trick_points`)."""
    return (points + 3) // 10 * 10
