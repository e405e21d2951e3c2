"""The prompts of Noddy: every line that may be entered next, the most common first."""

from __future__ import annotations

from boardctl.games import Ask, Move, Prompt
from boardctl.games.cards import Rank
from boardctl.games.common import race
from boardctl.games.common.prompts import between_deals, card_asks
from boardctl.games.common.race import HAND
from boardctl.games.noddy.state import Deal, State


def prompt(state: State) -> Prompt:
    if race.outcome(state).state != "unfinished":
        return Prompt()
    seats = tuple(range(1, len(state.setup.seats) + 1))
    deal = state.deal
    if deal is None or deal.by_points:
        return Prompt(between_deals(state.sheet), seats)
    if deal.at == "starter":
        return Prompt(race.starter_asks(deal, frozenset({Rank.JACK})), seats)
    if deal.at == "show":
        return Prompt(_show(deal, state.order()[deal.called]), seats)
    play = card_asks(deal.table)
    if deal.pegged and not deal.playing:
        play += between_deals(state.sheet)
    return Prompt(play, seats)


def _show(deal: Deal, seat: int) -> tuple[Ask, ...]:
    if deal.starter is None:
        return ()
    missing = HAND - len(deal.table.hands[seat - 1])
    show = Move("show", seat)
    if not missing:
        return (Ask("show", "confirm", show, "hands"),)
    cards = deal.table.unseen
    return (Ask("show", "cards", show, "hands", missing, missing, ranks=True, cards=cards),)
