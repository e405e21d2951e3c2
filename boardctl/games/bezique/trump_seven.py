"""The seven of trumps, and Pinochle's dix: shown, exchanged for the turned card, or played.

Sources: docs/rules/bezique.md 5, docs/rules/pinochle.md 1.8, docs/notation.md.
"""

from __future__ import annotations

from dataclasses import replace

from boardctl.games import Award, IllegalMove, Move
from boardctl.games.bezique.deal import Deal, by_points, quiet
from boardctl.games.bezique.game_spec import GameSpec, RuleOptions
from boardctl.games.bezique.readings import Reading
from boardctl.games.cards import Card
from boardctl.games.common.trick_deal import check_card


def seven(spec: GameSpec, options: RuleOptions, deal: Deal, move: Move) -> tuple[Deal, list[Award]]:
    """`N seven [CARD] [exchange]` (5): the seven just played, or one in hand."""
    seat = move.player
    card = _trump_seven(spec, deal, move)
    exchange = "exchange" in move.words
    if not exchange and deal.last_player == seat:
        done = _last_seven(options, deal, seat, card)
        if done is not None:
            return done
    if not deal.by_cards and (exchange or not options.seven_any_time):
        deal = by_points(deal, seat)
    won = not deal.by_cards or (deal.may_declare and deal.turn == seat and not deal.last_tricks)
    by_winning = exchange or options.seven_on_win  # the first method, the only one that is a meld
    as_meld = deal.by_cards and won and by_winning and options.seven_is_meld
    _check_seven(options, deal, seat, exchange=exchange, won=won)
    if as_meld and deal.melded:
        raise IllegalMove("meld-twice", seat=seat, why="seven")
    if exchange and deal.turned_card is not None and deal.turned_card.rank == spec.seven:
        raise IllegalMove("exchange-none", turned=deal.turned_card)
    if exchange and deal.by_cards:
        deal = replace(deal, exchanged=deal.turned_card)
    deal = _declare(deal, seat, card, exchange=exchange)
    deal = quiet(replace(deal, melded=deal.melded or as_meld))
    return deal, [Award(seat, 10, "seven", (card,))]


def _trump_seven(spec: GameSpec, deal: Deal, move: Move) -> Card:
    """The seven of trumps that the line names, or any copy."""
    if deal.trump is None or spec.seven is None:
        raise IllegalMove("trump-unknown")
    plain = Card(spec.seven, deal.trump)
    card = move.cards[0] if move.cards else plain
    check_card(spec.trick, card)
    if card.plain != plain:
        raise IllegalMove("not-the-seven", card=card, seven=plain)
    return card


def played_seven(
    spec: GameSpec, options: RuleOptions, deal: Deal, move: Move
) -> tuple[Deal, list[Award]]:
    """Finish `N play 7C seven`."""
    card = _trump_seven(spec, deal, move)
    done = _last_seven(options, deal, move.player, card)
    if done is None:
        raise IllegalMove(
            "seven-scored" if options.seven_any_time else "seven-not-winner", seat=move.player
        )
    return done


def _check_seven(options: RuleOptions, deal: Deal, seat: int, *, exchange: bool, won: bool) -> None:
    """When and how a seven in hand may be declared (5.2, 5.3; Pinochle 1.8)."""
    if deal.over:
        raise IllegalMove("no-deal", verb="seven")
    if exchange:
        if not options.seven_exchange:
            raise IllegalMove("no-exchange")
        if deal.last_tricks and deal.by_cards:
            raise IllegalMove("exchange-stock-gone", seat=seat)
        if not won:
            raise IllegalMove("exchange-not-winner", seat=seat)
    elif not options.seven_any_time and not (options.seven_on_win and won):
        raise IllegalMove("seven-not-winner", seat=seat)
    if deal.last_tricks and deal.by_cards and not options.seven_late:
        raise IllegalMove("seven-too-late", seat=seat)


def _declare(deal: Deal, seat: int, card: Card, *, exchange: bool) -> Deal:
    knowledge = deal.knowledge
    readings: list[Reading] = []
    scored = False
    for reading in knowledge.readings:
        for held, known in knowledge.finds(reading, seat, card):
            if held.scored:
                scored = True
                continue
            shown = replace(held, scored=True)
            if not exchange:
                readings.append(known.swap(seat, held, shown))
                continue
            taken = () if known.turned is None else (known.turned,)
            given = replace(known.take(seat, held), turned=shown)
            readings.append(given.give(seat, *taken))
    if not readings:
        raise IllegalMove("seven-scored" if scored else "seven-not-held", seat=seat)
    deal = replace(deal, knowledge=knowledge.keep(readings))
    return replace(deal, turned_card=card.plain) if exchange else deal


def _last_seven(
    options: RuleOptions, deal: Deal, seat: int, card: Card
) -> tuple[Deal, list[Award]] | None:
    """Score the seven that N has just played; None if it was not one or has already scored."""
    knowledge = deal.knowledge
    readings = [
        replace(reading, last=None)
        for reading in knowledge.readings
        if reading.last is not None
        and (reading.last.card.rank, reading.last.card.suit) == (card.rank, card.suit)
        and (card.copy is None or reading.last.card.copy in (None, card.copy))
        and not reading.last.scored
    ]
    if not readings or not options.seven_any_time:
        return None
    if deal.last_tricks and not options.seven_late:
        raise IllegalMove("seven-too-late", seat=seat)
    deal = replace(deal, last_player=None, knowledge=knowledge.keep(readings))
    return deal, [Award(seat, 10, "seven", (card.plain,))]
