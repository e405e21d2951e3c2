"""The state of a game of Klaberjass, and the scoring of its deals.

Source: docs/rules/klaberjass.md 6.4, 7.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from boardctl.games import Award, Note, Played
from boardctl.games.common import jass, referee
from boardctl.games.common.by_deal import ended
from boardctl.games.common.jass import ROYALS, JassState, Pair, Points
from boardctl.games.klaberjass.deal import Deal

MOST_IN_A_DEAL: Final = 275
"""The most points that a side can score in a deal: 145 in cards, the last trick, bella, and two
sequences of 50. The two sequences require a plain jack instead of a plain queen."""
LEAST_SHARED: Final = 28
"""The lowest total of both players if both of them score: the cheapest eighteen cards and the last
trick."""

AS_IN_BELOTE: Final = {"contract_counts": "all", "failed_declarations": "opponents"}
"""The options of Belote with which `jass` settles a deal. Bella counts like a declaration."""
ENDINGS: Final = {"made": "made", "failed": "bete", "litige": "tie"}
"""The name of a result for the maker, by its name in `jass` (7.2 to 7.4)."""


def fit_one_deal(points: int, other: int) -> bool:
    """Return whether two entered scores can belong to one deal. No card is worth 1 point. If
    neither score is 0, the maker's must be higher."""
    total = points + other
    if 1 in (points, other) or total > MOST_IN_A_DEAL:
        return False
    return 0 in (points, other) or (points != other and total >= LEAST_SHARED)


@dataclass(frozen=True, slots=True)
class State(JassState):
    """The state of a game of Klaberjass."""

    deal: Deal | None = None
    last: tuple[Deal, Pair] | None = None
    """The deal that the last play settled, with the points of the maker and the opponent, while its
    bella may still be called. Otherwise None."""
    waited: int = 0
    """The points that ties carried into the last settled deal."""


def late_bella(state: State) -> int | None:
    """Return the seat that may still call bella for the last play of the deal, or None."""
    given_up = referee.given_up(state.sheet) is not None
    if state.last is None or not state.between or given_up:
        return None
    deal, _ = state.last
    if deal.royals_called is None and deal.led and deal.royals_played:
        return deal.plays[-1][0]
    return None


def settle(state: State, deal: Deal, before: Pair = (0, 0)) -> Played[State]:
    """Score a deal once its last line has been entered (7). `before` contains the points already
    scored for this deal, the maker's first."""
    maker = deal.bidding.taker
    assert maker is not None
    seats, tricks, owner = (maker, 3 - maker), deal.all_points(), deal.scorer
    runs = sum(run.points for run in deal.scored_runs)
    auto = state.option("bella_auto") == "on"

    def declared(seat: int) -> int:
        bella = deal.royals_called == seat or (auto and deal.has_royals(seat))
        return ROYALS * bella + runs * (owner == seat)

    found = Points((tricks[maker - 1], tricks[2 - maker]), (declared(maker), declared(3 - maker)))
    tie = "litige" if state.option("tie") == "carried" else "lost"
    settled = jass.settle(found, {**AS_IN_BELOTE, "tie": tie})
    late = state.deal is None  # a bella after the last play settles the deal again
    waiting = state.waited if late else state.held_over
    more, held = settled.carry(waiting)
    mine, theirs = map(sum, zip(settled.scored, more, strict=True))
    awards = tuple(
        Award(seat, now - was, "settlement" if now > was else "correction")
        for seat, now, was in zip(seats, (mine, theirs), before, strict=True)
        if now != was
    )
    fields = {"maker": maker, "maker_points": found.of(0), "other_points": found.of(1)}
    note = Note(f"settled-{ENDINGS[settled.result]}", fields)
    after = replace(
        state,
        last=(deal, (mine, theirs)),
        best=maker if mine > theirs else 3 - maker,
        held_over=held,
        waited=waiting,
    )
    hidden = deal.announced and owner is not None and not runs
    unshown = (Note("sequence-not-shown", {"seat": owner}),) if hidden else ()
    return ended(after, awards, (note, *unshown))
