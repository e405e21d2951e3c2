"""A trainer that repeats the costliest throws from a player's own games."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from boardctl.bot import throwing
from boardctl.bot.analysis import Analysis, Decision, standing
from boardctl.bot.report import ROLES
from boardctl.bot.tables import TARGET
from boardctl.bot.throwing import Throw
from boardctl.games.cards import CARDS, parse_cards

_SIX: Final = 6


class Answer(NamedTuple):
    """A judged answer."""

    right: bool
    """Whether the cost is below a thousandth of `Objective.stake`."""
    cost: float
    """The chance of winning that the answer loses, or the worth under an objective."""
    chosen: Throw
    throws: tuple[Throw, ...]
    """All fifteen throws, best first."""


def questions(analyses: Iterable[Analysis], player: str, most: int = 10) -> tuple[Decision, ...]:
    """Return at most `most` of a player's throws that had a cost, costliest first."""
    found = [
        one
        for analysis in analyses
        for one in analysis.decisions
        if one.kind == "throw" and one.cost > 0 and analysis.seats[one.seat - 1] == player
    ]
    return tuple(sorted(found, key=lambda one: -one.cost)[:most])


def answer(question: Decision, cards: Sequence[int]) -> Answer:
    """Judge an answer, which consists of the two cards thrown. Raises ValueError if they are not
    two cards of the hand."""
    mine, theirs = standing(question.score, question.target)
    objective = question.objective
    found = throwing.throws(question.hand, question.role, mine, theirs, objective)
    chosen = next((throw for throw in found if set(throw.cards) == set(cards)), None)
    if chosen is None or len(cards) != 2:
        raise ValueError(f"{len(cards)} cards that are not two of the six held")
    win = chosen.win
    if win is None:
        win = throwing.win(chosen, question.hand, mine, theirs, objective)
    cost = max(0.0, (found[0].win or 0.0) - win)
    return Answer(cost < 0.001 * objective.stake, cost, chosen, tuple(found))


def reply(arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Judge an answer.

    The arguments are six cards, `pone` or `dealer`, the player's and the opponent's scores, and the
    two cards thrown.

    Returns:
        The exit status, and the judgement as JSON. The status is 1 if the arguments are not a valid
        question.
    """
    try:
        return 0, json.dumps(_judged(arguments)).encode() + b"\n"
    except ValueError:
        return 1, b""


def _judged(arguments: Sequence[str]) -> dict[str, object]:
    """Return the judgement of an answer. Raises ValueError if the arguments are not a valid
    question."""
    hand, role, mine, theirs, thrown = arguments
    six = tuple(map(CARDS.index, parse_cards(hand)))
    score = int(mine), int(theirs)
    possible = all(0 <= points < TARGET for points in score)
    if len(set(six)) != _SIX or role not in ROLES.values() or not possible:
        raise ValueError(hand)
    side = next(side for side, name in ROLES.items() if name == role)
    blank = Decision(0, 0, 1, side, "throw", score, six, (), (), 0.0, 0.0, 0.0, 0.0)
    answered = answer(blank, tuple(map(CARDS.index, parse_cards(thrown))))
    best = answered.throws[0]
    return {
        "right": answered.right,
        "cost": round(answered.cost, 6),
        "best": [str(CARDS[card]) for card in best.cards],
        "points": round(answered.chosen.points, 6),
        "best_points": round(best.points, 6),
    }


if __name__ == "__main__":
    # the board may have ended, which is not an error here
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)
    status, judged = reply(sys.argv[1:], b"")
    sys.stdout.buffer.write(judged)
    sys.exit(status)
