"""A trainer that asks the costliest throws of one's own games again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from boardctl.bot import throwing
from boardctl.bot.analysis import Analysis, Decision
from boardctl.bot.throwing import Throw


class Answer(NamedTuple):
    """A judged answer. `cost` is the winning chance that it loses; `right` below a tenth of a
    percent. `throws` are all fifteen, the best first."""

    right: bool
    cost: float
    chosen: Throw
    throws: tuple[Throw, ...]


def questions(analyses: Iterable[Analysis], player: str, most: int = 10) -> tuple[Decision, ...]:
    """A player's throws that cost anything, costliest first."""
    found = [
        one
        for analysis in analyses
        for one in analysis.decisions
        if one.kind == "throw" and one.cost > 0 and analysis.seats[one.seat - 1] == player
    ]
    return tuple(sorted(found, key=lambda one: -one.cost)[:most])


def answer(question: Decision, cards: Sequence[int]) -> Answer:
    """Judge two cards thrown in answer. Raises ValueError if they are not two of the hand."""
    mine, theirs = question.score
    found = throwing.throws(question.hand, question.role, mine, theirs)
    chosen = next((throw for throw in found if set(throw.cards) == set(cards)), None)
    if chosen is None or len(cards) != 2:
        raise ValueError(f"{len(cards)} cards that are not two of the six held")
    win = chosen.win
    if win is None:
        win = throwing.win(chosen, question.hand, mine, theirs)
    cost = max(0.0, (found[0].win or 0.0) - win)
    return Answer(cost < 0.001, cost, chosen, tuple(found))
