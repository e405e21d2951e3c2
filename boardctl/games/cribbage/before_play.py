"""The cards before the play: hands as dealt, discards, the starter.

Everything except the starter is optional. Sources: docs/rules/cribbage.md 3, 9.1.
"""

from __future__ import annotations

from boardctl.games import IllegalMove, Move
from boardctl.games.cards import Card, Rank
from boardctl.games.cribbage import knowledge
from boardctl.games.cribbage.deal import Deal, Phase, enter
from boardctl.games.cribbage.form import Form
from boardctl.games.cribbage.knowledge import BIT
from boardctl.games.table_rules import put


def _before_starter(deal: Deal, move: Move) -> None:
    if deal.phase not in ("discard", "starter"):
        why = "turned" if move.verb == "starter" else "starter"
        raise IllegalMove("too-late", what=move.verb, why=why)


def _known(deal: Deal, form: Form) -> Deal:
    """The deal checked against the pack; `fully_known` once every card of every hand is known."""
    knowledge.check(deal, form)
    cards = [card for dealt in deal.dealt for card in dealt]
    discarded = [card for played in deal.discarded for card in played]
    fully_known = (
        len(cards) == form.dealt * form.seats
        and all(card in BIT for card in cards)
        and all(card in BIT or card.rank is None for card in discarded)
        and (deal.starter is None or deal.starter in BIT)
        and (deal.extra is None or deal.extra in BIT)
    )
    if not fully_known:
        return deal._replace(fully_known=False, exact=False)
    held = tuple(
        sum([BIT[card] for card in dealt if card not in discarded])
        for dealt, discarded in zip(deal.dealt, deal.discarded, strict=True)
    )
    seen = sum(BIT[card] for card in (*cards, deal.starter, deal.extra) if card is not None)
    return deal._replace(fully_known=True, exact=True, held=held, seen=seen)


def _bits(deal: Deal, cards: tuple[Card, ...]) -> int:
    """Newly seen known cards as bits, if every card entered in the deal is fully known; otherwise
    0, and the deal needs the full check."""
    if not deal.exact:
        return 0
    try:
        bits = sum([BIT[card] for card in cards])
    except KeyError:
        return 0
    return bits if bits.bit_count() == len(cards) and not bits & deal.seen else 0


def hand(deal: Deal, form: Form, move: Move) -> Deal:
    """`N hand CARD…`: cards dealt to a seat, in any number of lines.

    Raises:
        IllegalMove: `too-late`; `hand-too-long`; any error of the pack check.
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
    entered = put(deal.dealt, move.seat, dealt)
    bits = _bits(deal, move.cards)
    if bits:
        held = put(deal.held, move.seat, deal.held[move.seat - 1] | bits)
        fully_known = sum(map(len, entered)) == form.dealt * form.seats
        return enter(
            deal, entered, deal.discarded, None, deal.seen | bits, fully_known, held, deal.phase
        )
    return _known(deal._replace(dealt=entered), form)


def discard(deal: Deal, form: Form, move: Move) -> Deal:
    """`N discard CARD…`: a seat discards to the crib (3.2).

    Raises:
        IllegalMove: `too-late`; `discarded-already`; `wrong-number-of-cards`; `not-held`; what
            the pack forbids.
    """
    _before_starter(deal, move)
    assert move.seat is not None
    if deal.discarded[move.seat - 1]:
        raise IllegalMove("discarded-already", seat=move.seat)
    if len(move.cards) != form.discards:
        raise IllegalMove("wrong-number-of-cards", said=len(move.cards), allowed=form.discards)
    discarded = put(deal.discarded, move.seat, move.cards)
    phase: Phase = "starter" if all(discarded) else "discard"
    if deal.fully_known:
        before = left = deal.held[move.seat - 1]
        for card in move.cards:
            left &= ~BIT.get(card, 0)
        if before.bit_count() - left.bit_count() == form.discards:
            held = put(deal.held, move.seat, left)
            return enter(deal, deal.dealt, discarded, None, deal.seen, True, held, phase)
    return _known(deal._replace(discarded=discarded, phase=phase), form)


def straight_card(deal: Deal, form: Form, move: Move) -> Deal:
    """`crib CARD`: the card dealt straight to the crib of three players (9.1, E20).

    Raises:
        IllegalMove: `no-straight-card` in other forms; `too-late`; any error of the pack check.
    """
    if not form.straight:
        raise IllegalMove("no-straight-card", seats=form.seats)
    _before_starter(deal, move)
    if deal.extra is not None:
        raise IllegalMove("told-already", what="crib")
    bits = _bits(deal, move.cards)
    if bits:
        return deal._replace(extra=move.cards[0], seen=deal.seen | bits)
    return _known(deal._replace(extra=move.cards[0]), form)


def turn(deal: Deal, form: Form, dealer: int, move: Move) -> Deal:
    """`starter CARD`, which opens the play: the dealer's left leads (4.1).

    Raises:
        IllegalMove: `too-late` if one is already turned; `card-unknown`; `contradicts` if
            his heels were entered for it; any error of the pack check.
    """
    _before_starter(deal, move)
    (card,) = move.cards
    if card.rank is None:
        raise IllegalMove("card-unknown", card=card)
    if deal.heels and card.rank is not Rank.JACK:
        raise IllegalMove("contradicts", seat=None, cards=move.cards, known=("heels",))
    leads = form.after(dealer)
    if deal.fully_known:
        bits = _bits(deal, move.cards)
        if bits:
            seen = deal.seen | bits
            return enter(
                deal, deal.dealt, deal.discarded, card, seen, True, deal.held, "play", leads
            )
    return _known(deal._replace(starter=card, phase="play", due=leads), form)
