"""Declaring melds: who may declare, when, and with which of the cards that the player may hold.

Sources: docs/rules/bezique.md 4.1, 4.2 and E4 to E6, docs/rules/pinochle.md 1.3 and 1.4,
docs/notation.md.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boardctl.games import Award, IllegalMove, Move
from boardctl.games.bezique import melds
from boardctl.games.bezique.deal import Deal, by_points, quiet
from boardctl.games.bezique.game_spec import GameSpec, RuleOptions
from boardctl.games.bezique.readings import Held, Reading
from boardctl.games.cards import Card
from boardctl.games.common.trick_deal import check_card


def meld(spec: GameSpec, options: RuleOptions, deal: Deal, move: Move) -> tuple[Deal, list[Award]]:
    """`N meld CARD…`."""
    deal, kind = _declaration(spec, options, deal, move)
    return lay(options, deal, move.player, move.cards, kind)


def may_meld(spec: GameSpec, options: RuleOptions, deal: Deal, move: Move) -> bool:
    """Whether `meld` would accept the move; cheaper than playing it."""
    try:
        deal, kind = _declaration(spec, options, deal, move)
    except IllegalMove:
        return False
    ways = ways_to_lay(options, deal, move.player, move.cards, kind)
    return any(not isinstance(way, str) for way in ways)


def _declaration(
    spec: GameSpec, options: RuleOptions, deal: Deal, move: Move
) -> tuple[Deal, melds.Kind]:
    """The declared kind of meld: once, by the winner of a trick, before drawing (4.1); by anyone if
    only melds and points are entered."""
    seat = move.player
    for card in move.cards:
        check_card(spec.trick, card)
    if spec.turned and not deal.turned:
        raise IllegalMove("trump-unknown")
    if deal.by_cards:
        _check_declarer(deal, seat)
        if deal.melded:
            raise IllegalMove("meld-twice", seat=seat)
        if deal.stock == 2 and not options.last_draw_meld:
            raise IllegalMove("meld-last-draw", seat=seat)
    else:
        if deal.melds == spec.stock // 2:
            raise IllegalMove("meld-stock-gone", seat=seat)
        deal = by_points(deal, seat)
    kind = melds.classify(spec, options, move.cards, deal.trump, deal.no_trump)
    if kind is None:
        raise IllegalMove("no-such-meld", cards=move.cards)
    return deal, kind


def lay(
    options: RuleOptions, deal: Deal, seat: int, cards: tuple[Card, ...], kind: melds.Kind
) -> tuple[Deal, list[Award]]:
    """Lay the cards as a meld of this kind, in every reading that allows it."""
    knowledge = deal.knowledge
    readings: list[Reading] = []
    why: str | None = None
    for way in ways_to_lay(options, deal, seat, cards, kind):
        if isinstance(way, str):
            why = why or way
            continue
        found, known = way
        for held in found:
            laid = melds.lay(options, held, kind, deal.melds, len(cards))
            known = known.swap(seat, held, laid)
        readings.append(known)
    if not readings:
        if why is None:
            raise IllegalMove("not-in-hand", seat=seat, card=cards)
        raise IllegalMove(why, seat=seat, cards=cards, kind=kind.name)
    deal = quiet(replace(deal, knowledge=knowledge.keep(readings)))
    trump = deal.trump if kind.sets_trump is None else kind.sets_trump
    deal = replace(deal, melded=deal.by_cards, melds=deal.melds + 1, trump=trump)
    return deal, [Award(seat, kind.points, kind.name, cards)]


def ways_to_lay(
    options: RuleOptions, deal: Deal, seat: int, cards: tuple[Card, ...], kind: melds.Kind
) -> Iterator[str | tuple[tuple[Held, ...], Reading]]:
    """For each reading, the cards that can be laid for this meld, now known in it; or the code of
    what forbids them. Unseen cards are considered only if the known ones do not suffice or are
    named, for a hand that melds cards it has shown before keeps more unseen cards; or if it matters
    later which cards were paired."""
    knowledge = deal.knowledge
    complete = knowledge.sizes is not None
    ordered = tuple(sorted(cards, key=str))
    all_ways = options.renewable and kind.group == melds.LADDER and kind.level == 1
    for reading in knowledge.readings:
        done = False
        for seen in (True, False):
            for found, known in knowledge.finds_all(reading, seat, ordered, seen=seen):
                hand = known.hands[seat - 1]
                code = melds.forbids(options, kind, found, hand if complete else None)
                if code is None and not options.exchanged_melds:
                    code = _just_taken(deal.exchanged, found, hand)
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
    """`meld-exchanged` if the meld would need the card just taken for a seven (E5), because the
    hand has no other copy of it."""
    if exchanged is None:
        return None
    mine = [held for held in hand if held.card.plain == exchanged.plain and not held.uses]
    laid = [held for held in found if held.card.plain == exchanged.plain and not held.uses]
    named = exchanged.copy is not None and any(held.card == exchanged for held in laid)
    return "meld-exchanged" if named or (laid and len(laid) == len(mine)) else None


def _check_declarer(deal: Deal, seat: int) -> None:
    """Raise IllegalMove unless this seat has just won a trick with cards left to draw."""
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
