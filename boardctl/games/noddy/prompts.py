"""The prompts of Noddy: every line that may be entered next, the most common first."""

from __future__ import annotations

from boardctl.games import Ask, Move
from boardctl.games.common.race import HAND
from boardctl.games.common.referee import between_deals, counted
from boardctl.games.common.to_31 import card_asks
from boardctl.games.noddy.state import Deal, State


def asks(state: State, deal: Deal) -> tuple[Ask, ...]:
    """What is due of a deal after its starter."""
    if deal.by_points:
        return between_deals(state.sheet)
    if deal.at == "show":
        return _show(deal, state.order()[deal.called])
    play = card_asks(deal.table)
    if deal.playing:
        return play
    return play + (between_deals(state.sheet) if deal.pegged else (_last_card(state),))


def _last_card(state: State) -> Ask:
    """Who has the point that every play earns, where its cards are not entered."""
    order = sorted(state.order())
    choices = tuple(Move("peg", seat, numbers=(1,)) for seat in order)
    return Ask("last-card", "choice", Move("peg", state.sheet.dealer), "hands", choices=choices)


def _show(deal: Deal, seat: int) -> tuple[Ask, ...]:
    if deal.starter is None:
        return ()
    missing = HAND - len(deal.table.hands[seat - 1])
    return counted("show", Move("show", seat), missing, deal.table.unseen)
