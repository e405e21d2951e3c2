"""The state of a game of Bezique or a variant, and the end of the game.

Sources: docs/rules/bezique.md 6, docs/rules/rubicon-bezique.md 8 and 9,
docs/rules/six-pack-bezique.md 7 and 8.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardctl.games import Note
from boardctl.games.bezique.deal import Deal
from boardctl.games.bezique.game_spec import BRISQUE, Rubicon, RuleOptions
from boardctl.games.common.referee import GameState

RAISE: Final = 500
"""The points by which `raise_target_500` raises the target after a tie (docs/rules/bezique.md 6.5).
"""
BOTH_RAISE: Final = 250
"""The points by which `both_reach raise_250` raises the target (docs/rules/pinochle.md 0)."""


@dataclass(frozen=True, slots=True, kw_only=True)
class State(GameState):
    """The state of a game of Bezique or a variant."""

    options: RuleOptions
    """The rules that the table has agreed on."""
    goal: int | None
    """The score that ends the game, or None if the game is one deal. A tie may have raised this
    score."""
    deal: Deal | None = None
    last: Deal | None = None
    """The last finished deal, kept until the next deal begins. A seven played to the last trick may
    still be declared."""


def target(state: State) -> int | None:
    """Return the score that ends the game, or None in a one-deal game. If both players reach this
    score or tie at the end of a deal, it is raised (6.5) until at most one player has reached
    it."""
    goal = state.goal
    if goal is None or state.last is None:
        return goal
    first, second = state.sheet.scores
    if state.options.tie == "raise_target_500" and first == second >= goal:
        return goal + RAISE
    while _both_at(state, goal):
        goal += BOTH_RAISE
    return goal


def _both_at(state: State, goal: int) -> bool:
    """Return whether both players have reached this target, so that they play on to a higher
    one."""
    return state.options.both_raise and min(state.sheet.scores) >= goal


def over(state: State) -> bool:
    """Return whether the game has ended (6.5). A tie may postpone the end."""
    goal, sheet = target(state), state.sheet
    if goal is None:
        return state.last is not None
    if max(sheet.scores) < goal or _both_at(state, goal):
        return False
    if state.deal is None:
        return sheet.deals > 0
    # Being counted first does not win the game: both players' trick points belong to the same
    # moment.
    return state.options.call_out and state.deal.counts == (None, None)


@dataclass(frozen=True, slots=True)
class Settlement:
    """The value of a one-deal game."""

    winner: int | None
    """The winning seat, or None for a tie."""
    value: int
    rubiconed: bool
    counted: bool
    """Whether brisques were added for both sides."""


def settle(
    rubicon: Rubicon, points: tuple[int, ...], brisques: tuple[int, int], *, claimed: bool = False
) -> Settlement:
    """Settle a deal.

    Brisques count if they break a tie, if they save the loser, or if they are `claimed`. They count
    for both sides or for neither. Points below 100 decide only who wins.

    Args:
        rubicon: the parameters of the settlement.
        points: the points of each side.
        brisques: the number of brisques of each side.
        claimed: whether brisques count in any case.
    """
    counted = False
    if rubicon.brisques and any(brisques):
        low, least = min(zip(points, brisques, strict=True))
        saves = low < rubicon.line <= low + BRISQUE * least
        counted = claimed or points[0] == points[1] or saves
    if counted:
        points = (points[0] + BRISQUE * brisques[0], points[1] + BRISQUE * brisques[1])
    if points[0] == points[1]:
        return Settlement(None, 0, rubiconed=False, counted=counted)
    winner = 1 if points[0] > points[1] else 2
    lost = min(points)
    high, low = max(points) // 100 * 100, lost // 100 * 100
    rubiconed = lost < rubicon.line
    value = high + low + rubicon.price if rubiconed else high - low + rubicon.bonus
    if lost < 100:
        value += rubicon.below_100
    return Settlement(winner, value, rubiconed=rubiconed, counted=counted)


def brisques(deal: Deal) -> tuple[int, int]:
    """Return the number of aces and tens that each player has taken, as far as the tricks or counts
    reveal it."""
    first, second = deal.won
    if deal.by_points:
        first, second = deal.counts[0] or 0, deal.counts[1] or 0
    return first // BRISQUE, second // BRISQUE


def settlement_note(ended: Settlement) -> Note:
    """Return the note that states the value of a one-deal game."""
    if ended.winner is None:
        return Note("game-tied")
    code = "game-rubicon" if ended.rubiconed else "game-won"
    return Note(code, {"seat": ended.winner, "value": ended.value})
