"""The cards before the play: hands as dealt, discards, the starter.

Everything except the starter is optional. Sources: docs/rules/cribbage.md 3, 9.1.
"""

from __future__ import annotations

from boardctl.games import IllegalMove, Move
from boardctl.games.cards import Rank
from boardctl.games.common import to_31
from boardctl.games.cribbage.deal import Deal, moved, turned
from boardctl.games.cribbage.form import Form


def _before_starter(deal: Deal, move: Move) -> None:
    if deal.phase not in ("discard", "starter"):
        why = "turned" if move.verb == "starter" else "starter"
        raise IllegalMove("too-late", what=move.verb, why=why)


def hand(deal: Deal, move: Move) -> Deal:
    """`N hand CARD…`: cards dealt to a seat, in any number of lines.

    Raises:
        IllegalMove: `too-late`; `hand-too-long`; any error of the pack check.
    """
    _before_starter(deal, move)
    return moved(deal, to_31.enter_hand(deal.table, move.player, move.cards), deal.phase)


def discard(deal: Deal, move: Move) -> Deal:
    """`N discard CARD…`: a seat discards to the crib (3.2).

    Raises:
        IllegalMove: `too-late`; `discarded-already`; `wrong-number-of-cards`; `not-held`; what
            the pack forbids.
    """
    _before_starter(deal, move)
    if deal.table.discarded[move.player - 1]:
        raise IllegalMove("discarded-already", seat=move.player)
    table = to_31.discard(deal.table, move.player, move.cards)
    return moved(deal, table, "starter" if all(table.discarded) else "discard")


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
    (card,) = move.cards
    return deal._replace(table=to_31.lay_open(deal.table, card), extra=card)


def turn(deal: Deal, form: Form, dealer: int, move: Move) -> Deal:
    """`starter CARD`, which opens the play: the dealer's left leads (4.1).

    Raises:
        IllegalMove: `too-late` if one is already turned; `card-unknown`; `contradicts` if
            his heels were entered for it; any error of the pack check.
    """
    _before_starter(deal, move)
    (card,) = move.cards
    if deal.heels and card.rank not in (None, Rank.JACK):
        raise IllegalMove("contradicts", seat=None, cards=move.cards, known=("heels",))
    table = to_31.turn(deal.table, card, form.after(dealer))
    return turned(deal, table, card)
