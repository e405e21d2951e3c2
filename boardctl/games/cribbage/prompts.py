"""The prompts: every line that may be entered next, the most common first.

Keypad, page and the tests' random play use only these prompts, so every ask, completed as it says,
must be accepted.
"""

from __future__ import annotations

from boardctl.games import Ask, Move, Prompt
from boardctl.games.cards import Rank
from boardctl.games.common.referee import between_deals, counted
from boardctl.games.common.to_31 import card_asks
from boardctl.games.cribbage import hands
from boardctl.games.cribbage.deal import Deal
from boardctl.games.cribbage.form import CRIB, Form
from boardctl.games.cribbage.state import State


def prompt(state: State) -> Prompt:
    calls = _muggins(state)
    if state.over or state.won_unless_called:
        return Prompt(asks=calls)
    deal, dealer = state.deal, state.sheet.dealer
    pegs = tuple(range(1, state.form.seats + 1))
    if deal is None or dealer is None or deal.phase == "done":
        return Prompt((*between_deals(state.sheet), *calls), pegs)
    match deal.phase:
        case "discard" | "starter":
            due = _before_play(deal, state.form)
        case "play":
            due = _play(deal, state.form, dealer)
        case "show":
            due = _show(deal, state.form.order(dealer)[deal.counted])
        case _:
            due = _crib(deal, dealer)
    return Prompt((*due, *calls), pegs)


def _muggins(state: State) -> tuple[Ask, ...]:
    """A muggins call for every seat of another side, whether or not it would succeed."""
    if not state.claims:
        return ()
    side = state.form.setup.side
    owners = {side(claim.seat) for claim in state.claims}
    return tuple(
        Ask("muggins", "confirm", Move("muggins", seat))
        for seat in range(1, state.form.seats + 1)
        if owners - {side(seat)}
    )


def _before_play(deal: Deal, form: Form) -> tuple[Ask, ...]:
    """What comes before the play; who holds a whole known hand discards before the starter is
    turned."""
    table, size, discards = deal.table, form.dealt, form.discards
    unseen = turned = table.unseen
    if deal.heels:
        turned = tuple(card for card in turned if card.rank is Rank.JACK)
    asks = [Ask("starter", "cards", Move("starter"), "hands", 1, 1, ranks=True, cards=turned)]
    first: list[Ask] = []
    for seat in range(1, form.seats + 1):
        entered, room = len(table.hands[seat - 1]), table.room(seat)
        if not table.discarded[seat - 1]:
            cards = (*table.certain(seat), *(unseen if room >= discards else ()))
            away = Move("discard", seat)
            (first if entered == size else asks).append(
                Ask("discard", "cards", away, "cards", discards, discards, ranks=True, cards=cards)
            )
        missing = min(room, size - entered)
        if missing > 0:
            asks.append(Ask("hand", "cards", Move("hand", seat), "cards", 1, missing, cards=unseen))
    if form.straight and deal.extra is None:
        asks.append(Ask("straight-card", "cards", Move("crib"), "cards", 1, 1, cards=unseen))
    return (*first, *asks)


def _play(deal: Deal, form: Form, dealer: int) -> tuple[Ask, ...]:
    asks = card_asks(deal.table)
    if deal.loose:
        asks += _show(deal, form.order(dealer)[deal.counted])
    return asks


def _show(deal: Deal, seat: int) -> tuple[Ask, ...]:
    if deal.starter is None:  # only its points can be entered
        return ()
    table, known = deal.table, hands.kept(deal, seat)
    own = () if len(known) > len(table.played[seat - 1]) else table.certain(seat)
    cards = (*own, *(table.unseen if table.room(seat) else ()))
    return counted("show", Move("show", seat), table.keep - len(known), cards)


def _crib(deal: Deal, dealer: int) -> tuple[Ask, ...]:
    if deal.starter is None:
        return ()
    missing = CRIB - len(hands.known_crib(deal))
    return counted("crib", Move("crib", dealer), missing, deal.table.unseen)
