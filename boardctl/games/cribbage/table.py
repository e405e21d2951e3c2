"""The cards before the play: hands as dealt, what is laid away, the starter.

All but the starter may be left out where a table does not tell it. Called by `rules`. Sources:
rules 3, 9.1 (seeds 000, 001, 002).
"""

from __future__ import annotations

from boardctl.cards import Rank
from boardctl.games import IllegalMove, Move
from boardctl.games.cribbage import knowledge
from boardctl.games.cribbage.deal import Deal, put
from boardctl.games.cribbage.form import Form
from boardctl.games.cribbage.knowledge import BIT


def _before_starter(deal: Deal, move: Move) -> None:
    if deal.phase not in ("discard", "starter") or deal.starter is not None:
        raise IllegalMove("too-late", what=move.verb)


def _known(deal: Deal, form: Form) -> Deal:
    """The deal checked against the pack; `plain` once every hand is known card by card."""
    seen = _seen(deal)
    if seen is None:
        knowledge.check(deal, form)
        return deal._replace(plain=False)
    if any(len(dealt) != form.dealt for dealt in deal.dealt):
        return deal._replace(plain=False)
    held = tuple(
        sum([BIT[card] for card in dealt if card not in away])
        for dealt, away in zip(deal.dealt, deal.away, strict=True)
    )
    return deal._replace(plain=True, held=held, seen=seen)


def _seen(deal: Deal) -> int | None:
    """The deal's cards as bits, where each is known, no two are one, and what was laid away was
    dealt or not seen; None where that takes a closer look."""
    if any(deal.laid) or any(deal.shown):
        return None
    seen = 0
    turned = [card for card in (deal.starter, deal.extra) if card is not None]
    for cards in (*deal.dealt, turned):
        for card in cards:
            bit = BIT.get(card, 0)
            if not bit or seen & bit:
                return None
            seen |= bit
    for dealt, away in zip(deal.dealt, deal.away, strict=True):
        for card in away:
            if card.rank is not None and (card not in dealt or away.count(card) > 1):
                return None
    return seen


def hand(deal: Deal, form: Form, move: Move) -> Deal:
    """`N hand CARD…`: cards dealt to a seat, in as many lines as they come in.

    Raises:
        IllegalMove: `too-late`; `hand-too-long`; what the pack forbids.
    """
    _before_starter(deal, move)
    assert move.seat is not None
    before = deal.dealt[move.seat - 1]
    dealt = (*before, *move.cards)
    if len(dealt) > form.dealt:
        raise IllegalMove(
            "hand-too-long",
            seat=move.seat,
            told=len(before),
            said=len(move.cards),
            allowed=form.dealt,
        )
    return _known(deal._replace(dealt=put(deal.dealt, move.seat, dealt)), form)


def discard(deal: Deal, form: Form, move: Move) -> Deal:
    """`N discard CARD…`: what a seat lays away to the crib (3.2).

    Raises:
        IllegalMove: `too-late`; `discarded-already`; `wrong-number-of-cards`; `not-held`; what
            the pack forbids.
    """
    _before_starter(deal, move)
    assert move.seat is not None
    if deal.away[move.seat - 1]:
        raise IllegalMove("discarded-already", seat=move.seat)
    if len(move.cards) != form.discards:
        raise IllegalMove("wrong-number-of-cards", said=len(move.cards), allowed=form.discards)
    deal = deal._replace(away=put(deal.away, move.seat, move.cards))
    return _known(deal._replace(phase="starter" if all(deal.away) else "discard"), form)


def straight_card(deal: Deal, form: Form, move: Move) -> Deal:
    """`crib CARD`: the card dealt straight to the crib of three players (9.1, E20).

    Raises:
        IllegalMove: `no-straight-card` in other forms; `too-late`; what the pack forbids.
    """
    if not form.straight:
        raise IllegalMove("no-straight-card", seats=form.seats)
    _before_starter(deal, move)
    if deal.extra is not None:
        raise IllegalMove("told-already", what="crib")
    return _known(deal._replace(extra=move.cards[0]), form)


def turn(deal: Deal, form: Form, move: Move) -> Deal:
    """`starter CARD`.

    Raises:
        IllegalMove: `too-late` where one is turned already; `card-unknown`; `contradicts` where
            his heels were told for it; what the pack forbids.
    """
    _before_starter(deal, move)
    (card,) = move.cards
    if card.rank is None:
        raise IllegalMove("card-unknown", card=card)
    if deal.heels and card.rank is not Rank.JACK:
        raise IllegalMove("contradicts", seat=None, cards=move.cards, known=("heels",))
    return _known(deal._replace(starter=card), form)
