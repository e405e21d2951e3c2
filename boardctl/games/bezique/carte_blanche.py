"""Carte blanche: a hand without king, queen or jack, shown before play.

It continues with every drawn card that is not a court card either. It is entered as a meld: first
the whole hand (`1 meld` and nine or twelve cards), then each drawn card by itself. Sources:
docs/rules/rubicon-bezique.md 3, docs/rules/six-pack-bezique.md 3.
"""

from __future__ import annotations

from dataclasses import replace

from boardctl.games import Award, IllegalMove, Move
from boardctl.games.bezique.deal import Deal, draw
from boardctl.games.bezique.game_spec import COURTS, DREW, SHOWN, GameSpec, RuleOptions
from boardctl.games.common.trick_deal import check_card
from boardctl.games.table_rules import put


def is_shown(spec: GameSpec, options: RuleOptions, move: Move) -> bool:
    """Whether these cards are entered as a carte blanche rather than a meld."""
    return "carte-blanche" in options.values and len(move.cards) in (1, spec.hand)


def show(spec: GameSpec, options: RuleOptions, deal: Deal, move: Move) -> tuple[Deal, list[Award]]:
    """Show the hand as dealt, or the card drawn last."""
    seat = move.player
    if deal.by_points:
        raise IllegalMove("tricks-not-told", what="carte blanche")
    for card in move.cards:
        check_card(spec.trick, card)
        if card.rank in COURTS:
            raise IllegalMove("not-blanche", seat=seat, card=card)
    if len(move.cards) > 1:
        _check_first(deal, seat)
    else:
        deal = _drawn(spec, options, deal, move)
    knowledge = deal.knowledge
    cards = tuple(sorted(move.cards, key=str))
    knowledge = knowledge.keep(
        known
        for reading in knowledge.readings
        for _, known in knowledge.finds_all(reading, seat, cards)
    )
    if not knowledge.readings:
        raise IllegalMove("not-in-hand", seat=seat, card=move.cards)
    blanche = put(deal.blanche, seat, SHOWN)
    deal = replace(deal, knowledge=knowledge, blanche=blanche, by_cards=True)
    return deal, [Award(seat, options.values["carte-blanche"], "carte-blanche", move.cards)]


def _check_first(deal: Deal, seat: int) -> None:
    played = deal.tricks > 0 or (deal.lead is not None and deal.turn != seat)
    if played or deal.blanche[seat - 1]:
        raise IllegalMove("blanche-too-late", seat=seat)


def _drawn(spec: GameSpec, options: RuleOptions, deal: Deal, move: Move) -> Deal:
    """The deal in which the shown card is the one its owner has just drawn."""
    seat = move.player
    (card,) = move.cards
    if not options.blanche_repeat:
        raise IllegalMove("blanche-once", seat=seat)
    due = deal.drawn < (1 if seat == deal.turn else 2)
    if deal.blanche[seat - 1] == SHOWN and due:
        return draw(spec, options, deal, Move("draw", seat, (card,)))
    if deal.blanche[seat - 1] != DREW:
        raise IllegalMove("blanche-too-late", seat=seat)
    drawn = deal.fresh_cards[seat - 1]
    if drawn is not None and not drawn.matches(card):
        raise IllegalMove("not-the-drawn-card", seat=seat, card=card, drawn=drawn)
    return deal
