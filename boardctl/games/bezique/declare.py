"""Declarations: melds, carte blanche, and the seven of trumps (Pinochle's dix).

This module checks who may declare, when, and with which cards. A carte blanche is a hand without
king, queen or jack. It is entered as a meld of the whole hand (`1 meld` and nine or twelve cards).
Then each drawn card is entered separately, until a court card is drawn. Sources:
docs/rules/bezique.md 4.1, 4.2, 5 and E4 to E6, docs/rules/pinochle.md 1.3, 1.4 and 1.8,
docs/rules/rubicon-bezique.md 3, docs/rules/six-pack-bezique.md 3, docs/notation.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from itertools import islice

from boardctl.games import Award, IllegalMove, Move, put
from boardctl.games.bezique import deal as dealing
from boardctl.games.bezique import melds
from boardctl.games.bezique.deal import Deal, Earned, by_points, draw, quiet
from boardctl.games.bezique.game_spec import COURTS, DREW, SHOWN
from boardctl.games.bezique.readings import MANY, TRIED, Held, Reading, simpler
from boardctl.games.cards import Card


def meld(deal: Deal, move: Move) -> Earned:
    """Declare a meld or a carte blanche: `N meld CARD…`."""
    if _is_blanche(deal, move):
        return show_blanche(deal, move)
    for card in move.cards:
        deal.spec.check_card(card)
    deal = _declaring(deal, move.player)
    kind = melds.classify(deal.spec, deal.options, move.cards, deal.trump, deal.no_trump)
    if kind is None:
        raise IllegalMove("no-such-meld", cards=move.cards)
    return lay(deal, move.player, move.cards, kind)


def offered(deal: Deal, seat: int) -> Iterator[Move]:
    """Yield the melds of a hand that `meld` would accept, most valuable first. Melds that use
    unseen cards are included. Four of a kind with two cards of one suit is included only if its
    cards are known."""
    known = [card.plain for card in deal.hands[seat - 1][0].known_cards]
    try:
        deal = _declaring(deal, seat)
    except IllegalMove:
        return
    for kind, cards in melds.kinds(deal.spec, deal.options, deal.trump, deal.no_trump):
        doubled = kind.name.startswith("four-") and len(set(cards)) < len(cards)
        if doubled and any(known.count(card) < cards.count(card) for card in cards):
            continue
        ways = ways_to_lay(deal, seat, cards, kind)
        laid = (way[1] for way in ways if not isinstance(way, str))
        if any(deal.going(seat, laid, deal.hands[2 - seat])):
            yield Move("meld", seat, cards)


def _declaring(deal: Deal, seat: int) -> Deal:
    """Return the deal if this seat may declare a meld. Raises IllegalMove otherwise. The winner of
    a trick may declare once before drawing (4.1). If only melds and points are entered, a player
    may declare at any time."""
    if deal.spec.turned and not deal.turned:
        raise IllegalMove("trump-unknown")
    if not deal.by_cards:
        if deal.melds == deal.spec.stock // 2:
            raise IllegalMove("meld-stock-gone", seat=seat)
        return by_points(deal, seat)
    if deal.last_tricks:
        raise IllegalMove("meld-stock-gone", seat=seat)
    if deal.lead is not None:
        raise IllegalMove("meld-in-trick", seat=seat)
    if not deal.tricks:
        raise IllegalMove("meld-before-trick", seat=seat)
    if seat != deal.turn:
        raise IllegalMove("meld-by-loser", seat=seat, winner=deal.turn)
    if deal.drawn:
        raise IllegalMove("meld-after-draw", seat=seat)
    if deal.melded:
        raise IllegalMove("meld-twice", seat=seat)
    if deal.stock == 2 and not deal.options.last_draw_meld:
        raise IllegalMove("meld-last-draw", seat=seat)
    return deal


def lay(deal: Deal, seat: int, cards: tuple[Card, ...], kind: melds.Kind) -> Earned:
    """Lay down the cards as a meld of this kind. Keep every reading that allows it."""
    laid = _few_ways(deal, seat, cards, kind)
    why = next((one for one in laid if isinstance(one, str)), None)
    readings = [one for one in laid if not isinstance(one, str)]
    refusal = IllegalMove("not-in-hand", seat=seat, card=cards)
    if why is not None:
        refusal = IllegalMove(why, seat=seat, cards=cards, kind=kind.name)
    deal = quiet(deal.narrowed(seat, readings, refusal))
    trump = deal.trump if kind.sets_trump is None else kind.sets_trump
    deal = replace(deal, melded=deal.by_cards, melds=deal.melds + 1, trump=trump)
    if any(card.rank in COURTS for card in cards):  # a court card ends a carte blanche
        deal = replace(deal, blanche=put(deal.blanche, seat, 0))
    return deal, [Award(seat, kind.points, kind.name, cards)]


Way = str | tuple[tuple[Held, ...], Reading]
"""The cards that can be laid down for a meld, with the reading in which they are known, or the code
of the rule that forbids the meld."""


def _few_ways(
    deal: Deal, seat: int, cards: tuple[Card, ...], kind: melds.Kind
) -> list[Reading | str]:
    """Return the distinct readings after a meld, and the codes of the rules that forbid it in other
    readings. If there are too many readings, earlier melds of the hand are forgotten."""
    own = deal.hands[seat - 1]
    limit = deal.limit(seat, own)
    for some in simpler(own):
        deal = replace(deal, hands=put(deal.hands, seat, some))
        tried = list(islice(_laid(deal, seat, cards, kind), TRIED * limit + 1))
        found = list(dict.fromkeys(tried))
        if len(tried) <= TRIED * limit and len(found) <= MANY * limit:
            return found
    return list(_laid(deal, seat, cards, kind))


def _laid(
    deal: Deal, seat: int, cards: tuple[Card, ...], kind: melds.Kind
) -> Iterator[Reading | str]:
    """Yield the reading after each way to lay down a meld, or the code of the rule that forbids
    that way."""
    for way in ways_to_lay(deal, seat, cards, kind):
        if isinstance(way, str):
            yield way
            continue
        found, known = way
        for held in found:
            laid = melds.lay(deal.options, held, kind, deal.melds, len(cards))
            known = known.swap(held, laid)
        yield known


def ways_to_lay(deal: Deal, seat: int, cards: tuple[Card, ...], kind: melds.Kind) -> Iterator[Way]:
    """Yield the cards that can be laid down for this meld, for each reading. Unseen cards are
    considered in three cases: the known cards do not suffice, a copy is named, or the pairing of
    cards matters later. Otherwise a hand melds the cards that it has shown, and keeps more unseen
    cards."""
    ordered = tuple(sorted(cards, key=str))
    all_ways = deal.options.renewable and kind.group == melds.LADDER and kind.level == 1
    for reading in deal.hands[seat - 1]:
        done = False
        for seen in (True, False):
            for found, known in deal.finds_all(reading, seat, ordered, seen=seen):
                whole = None if deal.sizes is None else known.cards
                code = melds.forbids(deal.options, kind, found, whole)
                if code is None and not deal.options.exchanged_melds:
                    code = _just_taken(deal.exchanged, found, known.cards)
                if code is not None:
                    yield code
                    continue
                done = done or all(held.card.copy is None for held in found)
                yield found, known
            if done and not all_ways:
                break


def _just_taken(
    exchanged: Card | None, found: tuple[Held, ...], hand: tuple[Held, ...]
) -> str | None:
    """Return `meld-exchanged` if the meld needs the card that has just been exchanged for a seven
    (E5), or None. A meld needs this card if the hand contains no other copy of it."""
    if exchanged is None:
        return None
    mine = [held for held in hand if held.card.plain == exchanged.plain and not held.uses]
    laid = [held for held in found if held.card.plain == exchanged.plain and not held.uses]
    named = exchanged.copy is not None and any(held.card == exchanged for held in laid)
    return "meld-exchanged" if named or (laid and len(laid) == len(mine)) else None


def _is_blanche(deal: Deal, move: Move) -> bool:
    """Return whether these cards are entered as a carte blanche rather than a meld."""
    return "carte-blanche" in deal.options.values and len(move.cards) in (1, deal.spec.hand)


def show_blanche(deal: Deal, move: Move) -> Earned:
    """Show a carte blanche: the hand as dealt, or the last drawn card."""
    seat = move.player
    for card in move.cards:
        deal.spec.check_card(card)
        if card.rank in COURTS:
            raise IllegalMove("not-blanche", seat=seat, card=card)
    if len(move.cards) > 1:
        _check_first(deal, seat)
    else:
        deal = _drawn(deal, move)
    cards = tuple(sorted(move.cards, key=str))
    found = (
        known
        for reading in deal.hands[seat - 1]
        for _, known in deal.finds_all(reading, seat, cards)
    )
    deal = deal.narrowed(seat, found, IllegalMove("not-in-hand", seat=seat, card=move.cards))
    deal = replace(deal, blanche=put(deal.blanche, seat, SHOWN))
    return deal, [Award(seat, deal.options.values["carte-blanche"], "carte-blanche", move.cards)]


def _check_first(deal: Deal, seat: int) -> None:
    if deal.by_points:
        raise IllegalMove("tricks-not-told", what="carte blanche")
    played = deal.tricks > 0 or (deal.lead is not None and deal.turn != seat)
    if played or deal.blanche[seat - 1]:
        raise IllegalMove("blanche-too-late", seat=seat)


def _drawn(deal: Deal, move: Move) -> Deal:
    """Return the deal in which the player has just drawn the shown card. If tricks are not entered,
    any card is possible."""
    seat = move.player
    (card,) = move.cards
    if not deal.options.blanche_repeat:
        raise IllegalMove("blanche-once", seat=seat)
    if not deal.by_cards and deal.blanche[seat - 1] == SHOWN:
        return by_points(deal, seat)
    due = deal.drawn < (1 if seat == deal.turn else 2)
    if deal.blanche[seat - 1] == SHOWN and due:
        return draw(deal, Move("draw", seat, (card,)))[0]
    if deal.blanche[seat - 1] != DREW:
        raise IllegalMove("blanche-too-late", seat=seat)
    drawn = deal.fresh_cards[seat - 1]
    if drawn is not None and not drawn.matches(card):
        raise IllegalMove("not-the-drawn-card", seat=seat, card=card, drawn=drawn)
    return deal


def seven(deal: Deal, move: Move) -> Earned:
    """Declare the seven just played, or a seven in hand: `N seven [CARD] [exchange]` (5)."""
    seat = move.player
    card = _trump_seven(deal, move)
    exchange = "exchange" in move.words
    if not exchange and deal.last_player == seat:
        done = _last_seven(deal, seat, card)
        if done is not None:
            return done
    if not deal.by_cards and (exchange or not deal.options.seven_any_time):
        deal = by_points(deal, seat)
    won = not deal.by_cards or _has_just_won(deal, seat)
    as_meld = won and _is_meld(deal, exchange=exchange)
    _check_seven(deal, seat, exchange=exchange, won=won)
    if as_meld and deal.melded:
        raise IllegalMove("meld-twice", seat=seat, why="seven")
    deal = _exchange(deal, seat, card) if exchange else _show_seven(deal, seat, card)
    deal = quiet(replace(deal, melded=deal.melded or as_meld))
    return deal, [Award(seat, 10, "seven", (card,))]


def _is_meld(deal: Deal, *, exchange: bool) -> bool:
    """Return whether declaring a seven takes the place of this turn's meld. It does so only after a
    trick has been won."""
    by_winning = exchange or deal.options.seven_on_win
    return deal.by_cards and by_winning and deal.options.seven_is_meld


def _has_just_won(deal: Deal, seat: int) -> bool:
    """Return whether a player has just won a trick and cards remain in the stock."""
    return deal.may_declare and deal.turn == seat and not deal.last_tricks


def _trump_seven(deal: Deal, move: Move) -> Card:
    """Return the copy of the trump seven named in the line, or the seven without a copy letter."""
    if deal.trump is None or deal.spec.seven is None:
        raise IllegalMove("trump-unknown")
    plain = Card(deal.spec.seven, deal.trump)
    card = move.cards[0] if move.cards else plain
    deal.spec.check_card(card)
    if card.plain != plain:
        raise IllegalMove("not-the-seven", card=card, seven=plain)
    return card


def play(deal: Deal, move: Move) -> Earned:
    """Play a card: `N play CARD`. If the card is the trump seven, the line may also declare it. The
    last card ends the deal."""
    deal = dealing.play(deal, move)
    awards: Sequence[Award] = ()
    if move.words:
        card = _trump_seven(deal, move)
        done = _last_seven(deal, move.player, card)
        if done is None:
            code = "seven-scored" if deal.options.seven_any_time else "seven-not-winner"
            raise IllegalMove(code, seat=move.player)
        deal, awards = done
    if deal.over:
        awards = [*awards, *dealing.trick_awards(deal)]
    return deal, awards


def _check_seven(deal: Deal, seat: int, *, exchange: bool, won: bool) -> None:
    """Check that a seven in hand may be declared now in this way (5.2, 5.3; Pinochle 1.8)."""
    if deal.over:
        raise IllegalMove("no-deal", verb="seven")
    options, late = deal.options, deal.last_tricks and deal.by_cards
    if exchange:
        if not options.seven_exchange:
            raise IllegalMove("no-exchange")
        if late:
            raise IllegalMove("exchange-stock-gone", seat=seat)
        if not won:
            raise IllegalMove("exchange-not-winner", seat=seat)
    elif late and not (options.seven_any_time and options.seven_late):
        raise IllegalMove("seven-too-late", seat=seat)
    elif not options.seven_any_time and not (options.seven_on_win and won):
        raise IllegalMove("seven-not-winner", seat=seat)


def _fresh_sevens(
    deal: Deal, seat: int, card: Card
) -> tuple[list[tuple[Held, Reading]], IllegalMove]:
    """Return the unscored sevens that a hand may contain, each with its reading, and the error to
    raise if there are none."""
    own = deal.hands[seat - 1]
    ways = [way for reading in own for way in deal.finds(reading, seat, card)]
    refusal = IllegalMove("seven-scored" if ways else "seven-not-held", seat=seat)
    return [(held, known) for held, known in ways if not held.scored], refusal


def _show_seven(deal: Deal, seat: int, card: Card) -> Deal:
    """Return the deal after a seven has been shown."""
    fresh, refusal = _fresh_sevens(deal, seat, card)
    shown = [known.swap(held, held._replace(scored=True)) for held, known in fresh]
    turned = deal.turned_card
    untold = deal.options.seven_twice and not deal.by_cards
    if untold and not shown and turned is not None and turned.plain == card.plain:
        # The turned-up seven was not entered. The player who drew it scores it again (5.5).
        own = deal.hands[seat - 1]
        deal = replace(deal, turned_card=None)
        shown = [reading.give(Held(turned, scored=True)) for reading in own]
    return deal.narrowed(seat, shown, refusal)


def _exchange(deal: Deal, seat: int, card: Card) -> Deal:
    """Return the deal after a seven has been exchanged for the turned-up card.

    Raises:
        IllegalMove: `exchange-none` if the turned-up card is a seven, or another code if the player
            cannot hold a seven.
    """
    if deal.turned_card is not None and deal.turned_card.rank == deal.spec.seven:
        raise IllegalMove("exchange-none", turned=deal.turned_card)
    if deal.by_cards:
        deal = replace(deal, exchanged=deal.turned_card)
    fresh, refusal = _fresh_sevens(deal, seat, card)
    taken = () if deal.turned_card is None else (Held(deal.turned_card),)
    given = [known.take(held).give(*taken) for held, known in fresh]
    sevens = {held.card for held, _ in fresh}
    turned = sevens.pop() if len(sevens) == 1 else card.plain
    return replace(deal, turned_card=turned).narrowed(seat, given, refusal)


def _last_seven(deal: Deal, seat: int, card: Card) -> Earned | None:
    """Score the seven that the player has just played. Return None if the card was not a seven or
    has already scored."""
    readings = [
        replace(reading, last=None)
        for reading in deal.hands[seat - 1]
        if reading.last is not None
        and (reading.last.card.rank, reading.last.card.suit) == (card.rank, card.suit)
        and (card.copy is None or reading.last.card.copy in (None, card.copy))
        and not reading.last.scored
    ]
    if not readings or not deal.options.seven_any_time:
        return None
    if deal.last_tricks and not deal.options.seven_late:
        raise IllegalMove("seven-too-late", seat=seat)
    deal = replace(deal, last_player=None).narrowed(seat, readings)
    return deal, [Award(seat, 10, "seven", (card.plain,))]
