"""The state of a game of Klaberjass, and the scoring of its deals.

Source: docs/rules/klaberjass.md 6.4, 6.5, 7.
"""

from __future__ import annotations

from dataclasses import dataclass

from boardctl.games import Award, Note, Played
from boardctl.games.common import referee
from boardctl.games.common.by_deal import ended
from boardctl.games.common.jass import ROYALS, JassState
from boardctl.games.klaberjass import declarations, settlement
from boardctl.games.klaberjass.deal import Deal


@dataclass(frozen=True, slots=True)
class State(JassState):
    """A game of Klaberjass."""

    deal: Deal | None = None
    last: tuple[Deal, tuple[int, int]] | None = None
    """The deal settled by the latest play, while its bella may still be called, with what both
    scored in it."""
    waited: int = 0
    """Points of ties that were carried into the deal settled last."""


def late_bella(state: State) -> int | None:
    """The seat that may still call the bella of the deal's last play."""
    given_up = referee.given_up(state.sheet) is not None
    if state.last is None or not state.between or given_up:
        return None
    deal, _ = state.last
    if deal.royals_called is None and deal.led and deal.royals_played:
        return deal.plays[-1][0]
    return None


def settle(state: State, deal: Deal, before: tuple[int, int] = (0, 0)) -> Played[State]:
    """Score a deal when its last line has been entered (7); `before` is what was already scored for
    it."""
    maker = deal.bidding.taker
    assert maker is not None
    tricks = deal.all_points()
    runs = sum(shown.value for shown in declarations.counted(deal))
    owner = declarations.owner(deal)
    auto = state.option("bella_auto") == "on"
    raw = []
    for seat in (1, 2):
        bella = deal.royals_called == seat or (auto and deal.has_royals(seat))
        raw.append(tricks[seat - 1] + ROYALS * bella + runs * (owner == seat))
    ending, scored = settlement.settle(maker, (raw[0], raw[1]))
    late = state.deal is None  # a bella called after the deal's last play settles it a second time
    waiting = state.waited if late else state.held
    held = 0
    if state.option("tie") == "carried":
        if ending == "tie":
            held = waiting + raw[maker - 1]
        else:
            first = (maker == 1) == (ending == "made")
            scored = (scored[0] + waiting * first, scored[1] + waiting * (not first))
    awards = tuple(
        Award(seat, gain, "settlement" if gain > 0 else "correction")
        for seat, gain in ((1, scored[0] - before[0]), (2, scored[1] - before[1]))
        if gain
    )
    mine, theirs = raw if maker == 1 else raw[::-1]
    note = Note(f"settled-{ending}", {"maker": maker, "maker_points": mine, "other_points": theirs})
    return ended(
        state,
        awards,
        (note,),
        last=(deal, scored),
        best=1 if scored[0] > scored[1] else 2,
        held=held,
        waited=waiting,
    )
