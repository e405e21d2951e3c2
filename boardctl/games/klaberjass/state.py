"""The state of a game of Klaberjass, and the scoring of its deals.

Source: docs/rules/klaberjass.md 6.4, 6.5, 7.
"""

from __future__ import annotations

from dataclasses import dataclass

from boardctl.games import Award, Note, Outcome, Played, table_rules
from boardctl.games.common.told_deals import ToldState
from boardctl.games.klaberjass import declarations, settlement
from boardctl.games.klaberjass.deal import Deal
from boardctl.games.klaberjass.declarations import Custom


@dataclass(frozen=True, slots=True)
class State(ToldState):
    """A game of Klaberjass.

    last: the deal settled by the latest play, while its bella may still be called, with what both
    scored in it. told: points of the deal entered by `peg`, by seat. best: who won the previous
    deal, for deal_rotation. held: points of ties, carried over to the next decided deal; waited:
    those carried into the deal settled last.
    """

    deal: Deal | None = None
    last: tuple[Deal, tuple[int, int]] | None = None
    best: int | None = None
    held: int = 0
    waited: int = 0

    @property
    def custom(self) -> Custom:
        options = self.sheet.setup.options
        return Custom(options["split_long_runs"] == "on", options["meld_tie"] == "elder")


def result(state: State) -> Outcome:
    """The outcome: over if somebody has reached the target at the end of a deal; the higher score
    wins (7.5)."""
    sheet = state.sheet
    given_up = table_rules.given_up(sheet)
    if given_up is not None:
        return given_up
    scores, options = sheet.scores, sheet.setup.options
    between = state.deal is None and not state.half_told
    nobody = (0, 0)
    if not between or max(scores) < state.target:
        return Outcome("unfinished", scores, won=nobody, lost=nobody)
    if scores[0] == scores[1]:
        if options["game_tie"] == "draw":
            return Outcome("draw", scores, won=nobody, lost=nobody)
        return Outcome("unfinished", scores, won=nobody, lost=nobody)
    winner = 1 if scores[0] > scores[1] else 2
    won = (1, 0) if winner == 1 else (0, 1)
    return Outcome("won", scores, winner, won, won[::-1], "game")


def over(state: State) -> bool:
    return result(state).state != "unfinished"


def auto_bella(state: State) -> bool:
    return state.sheet.setup.options["bella_auto"] == "on"


def late_bella(state: State) -> int | None:
    """The seat that may still call the bella of the deal's last play."""
    if state.last is None or state.deal is not None or state.half_told:
        return None
    deal, _ = state.last
    if deal.bella is None and deal.led and deal.bella_played:
        return deal.plays[-1][0]
    return None


def settle(state: State, deal: Deal, before: tuple[int, int] = (0, 0)) -> Played[State]:
    """Score a deal when its last line has been entered (7); `before` is what was already scored for
    it."""
    assert deal.maker is not None
    tricks = _trick_points(deal)
    runs = sum(shown.value for shown in declarations.counted(deal, state.custom))
    owner = declarations.owner(deal, state.custom)
    raw = []
    for seat in (1, 2):
        bella = deal.bella == seat or (
            auto_bella(state) and bool(deal.royals) and deal.royals <= deal.known(seat)
        )
        points = tricks[seat - 1] + settlement.BELLA * bella + runs * (owner == seat)
        raw.append(points)
    ending, scored = settlement.settle(deal.maker, (raw[0], raw[1]))
    late = state.deal is None  # a bella called after the deal's last play settles it a second time
    waiting = state.waited if late else state.held
    held = 0
    if state.sheet.setup.options["tie"] == "carried":
        if ending == "tie":
            held = waiting + raw[deal.maker - 1]
        else:
            first = (deal.maker == 1) == (ending == "made")
            scored = (scored[0] + waiting * first, scored[1] + waiting * (not first))
    awards = tuple(
        Award(seat, gain, "settlement" if gain > 0 else "correction")
        for seat, gain in ((1, scored[0] - before[0]), (2, scored[1] - before[1]))
        if gain
    )
    mine, theirs = raw if deal.maker == 1 else raw[::-1]
    note = Note(
        f"settled-{ending}", {"maker": deal.maker, "maker_points": mine, "other_points": theirs}
    )
    sheet = table_rules.earn(state.sheet, awards)
    best = 1 if scored[0] > scored[1] else 2
    after = State(sheet, last=(deal, scored), best=best, held=held, waited=waiting)
    return Played(after, awards, (note,))


def _trick_points(deal: Deal) -> tuple[int, int]:
    """Card points of both players, including the last trick (6.5)."""
    one, two = deal.counts
    if one is not None and two is not None:
        return one, two
    tricks = deal.tricks
    points = [sum(p for seat, p in tricks if seat == s) for s in (1, 2)]
    points[tricks[-1][0] - 1] += settlement.LAST_TRICK
    return points[0], points[1]
