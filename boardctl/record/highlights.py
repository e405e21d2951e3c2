"""The highlights of a game: the best hand or deal, and the turning point. All functions are pure.

They are computed only from the players' entries. If the players entered only points, the best hand
is shown without cards.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from boardctl.games import side_of
from boardctl.games.cards import Card
from boardctl.record.history import DEALS, PlayedGame, Step, walk

Scores = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Best:
    """The hand or crib with the most points, or a side's best deal in games without counted
    hands."""

    kind: Literal["hand", "crib", "deal"]
    side: int
    """The side, from 1."""
    seat: int | None
    """The owner of the hand, or None for a deal."""
    points: int
    place: int
    """The index of the step."""
    deal: int
    """The number of the deal, from 1."""
    cards: tuple[Card, ...] = ()
    """The known cards of the hand, without the starter."""
    starter: Card | None = None
    """The starter, or None if it is unknown."""


@dataclass(frozen=True, slots=True)
class Turning:
    """The moment when the winner took the final lead."""

    side: int
    place: int
    """The index of the step."""
    deal: int
    """The number of the deal, from 1."""
    scores: Scores
    """The score of each side after this step."""
    behind: int
    """The winner's largest earlier deficit, in points."""


@dataclass(frozen=True, slots=True)
class Highlights:
    """The best hand or deal of a game, and its turning point."""

    course: tuple[Scores, ...]
    """The scores of the sides after each step, one row per step."""
    best: Best | None
    """The best hand or deal, or None."""
    turning: Turning | None
    """The turning point, or None."""


def highlights(game: PlayedGame) -> Highlights:
    """Return the highlights of a game so far."""
    steps = tuple(walk(game))
    sides = len(steps[-1].position.shown_scores) if steps else 0
    course = tuple((*step.position.shown_scores, *(0,) * sides)[:sides] for step in steps)
    deals = _deals(steps)
    best = _best_hand(steps, deals, sides) or _best_deal(course, deals)
    outcome = game.outcome
    winner = outcome.winner if outcome is not None and outcome.state == "won" else None
    return Highlights(course, best, _turning(course, deals, winner))


def _deals(steps: Iterable[Step]) -> tuple[int, ...]:
    """Return the deal number of each step, or 0 before the first deal."""
    found, deal = [], 0
    for step in steps:
        deal += DEALS.get(step.move.verb, 0)
        found.append(deal)
    return tuple(found)


def _best_hand(steps: Sequence[Step], deals: Sequence[int], sides: int) -> Best | None:
    best: Best | None = None
    starter: Card | None = None
    for place, step in enumerate(steps):
        seat = step.move.seat
        if step.move.verb in DEALS:
            starter = None
        elif step.move.verb == "starter":
            starter = step.move.cards[0]
        if step.source not in ("hand", "crib") or seat is None:
            continue
        points = step.points(seat)
        if points > (0 if best is None else best.points):
            kind: Literal["hand", "crib"] = "hand" if step.source == "hand" else "crib"
            side = side_of(seat, sides)
            best = Best(
                kind, side, seat, points, place, deals[place], step.full_move.cards, starter
            )
    return best


def _best_deal(course: Sequence[Scores], deals: Sequence[int]) -> Best | None:
    """Return the deal in which a side gained the most points, or None if there were fewer than two
    deals."""
    if max(deals, default=0) < 2:
        return None
    ends = [place for place, (one, two) in enumerate(pairwise(deals)) if two != one]
    best: Best | None = None
    for start, end in pairwise([*ends, len(course) - 1]):
        for side, (before, after) in enumerate(zip(course[start], course[end], strict=True), 1):
            if after - before > (0 if best is None else best.points):
                best = Best("deal", side, None, after - before, end, deals[end])
    return best


def _turning(course: Sequence[Scores], deals: Sequence[int], winner: int | None) -> Turning | None:
    if winner is None:
        return None
    ahead = [_lead(scores, winner) for scores in course]
    if not ahead or ahead[-1] <= 0:
        return None  # somebody gave up, or the lowest score wins
    place = max((n for n, lead in enumerate(ahead) if lead <= 0), default=-1) + 1
    behind = max(0, -min(ahead[:place], default=0))
    return Turning(winner, place, deals[place], course[place], behind)


def _lead(scores: Scores, side: int) -> int:
    """Return a side's lead over the best other side, negative if the side is behind."""
    others = [score for number, score in enumerate(scores, 1) if number != side]
    return scores[side - 1] - max(others, default=0) if len(scores) >= side else 0
