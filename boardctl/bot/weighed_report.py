"""Convert the judgement of a game other than two-handed six-card cribbage to JSON data and to
sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from boardctl import text
from boardctl.bot.analysis import LEAST
from boardctl.bot.weighing import Point, Progress, Question, Unit, Weighed, Weighing
from boardctl.record import notation
from boardctl.text import moves


def as_data(found: Weighing) -> dict[str, Any]:
    """Return a judged game as plain values. Chances range from 0 to 1. Costs are in the unit of the
    game."""
    seats = range(1, len(found.seats) + 1)
    return {
        "name": found.game,
        "unit": found.unit,
        "players": list(found.seats),
        "winner": found.winner,
        "curve": [_point(point) for point in found.curve],
        "decisions": [_decision(one, found.seats) for one in found.decisions],
        "totals": [_total(found, seat) for seat in seats],
        "unjudged": found.unjudged,
        "least": {name: least for least, name in LEAST},
    }


def so_far(progress: Progress) -> dict[str, Any]:
    """Return an unfinished judgement as plain values."""
    return {"done": progress.done, "of": progress.of}


def _point(point: Point) -> dict[str, Any]:
    chance = round(point.win, 6)
    return {
        "place": point.place,
        "deal": point.deal,
        "scores": list(point.scores),
        "chance": chance,
    }


def _decision(one: Weighed, seats: tuple[str, ...]) -> dict[str, Any]:
    return {
        "place": one.place,
        "deal": one.deal,
        "seat": one.seat,
        "player": seats[one.seat - 1],
        "score": list(one.scores),
        "chosen": notation.spell(one.chosen),
        "best": notation.spell(one.best),
        "chance": None if one.win is None else round(one.win, 6),
        "best_chance": None if one.best_win is None else round(one.best_win, 6),
        "cost": round(one.cost, 6),
        "verdict": one.verdict,
        "question": None if one.question is None else _question(one.question),
    }


def _question(asked: Question) -> dict[str, Any]:
    return {
        "hand": [str(card) for card in asked.hand],
        "lines": [notation.spell(move) for move in asked.lines],
        "choices": [
            {"line": notation.spell(move), "cost": round(cost, 6)} for move, cost in asked.choices
        ],
    }


def _total(found: Weighing, seat: int) -> dict[str, Any]:
    own = [one for one in found.decisions if one.seat == seat]
    return {
        "seat": seat,
        "player": found.seats[seat - 1],
        "decisions": len(own),
        "loss": round(sum(found.costs(seat)), 6),
        "errors": {name: sum(one.verdict == name for one in own) for _, name in LEAST},
    }


def sentences(found: Weighing, language: str = "en") -> Iterator[str]:
    """Yield a readable summary: the curve, the errors, and each player's loss.

    Args:
        found: the judged game.
        language: `en` or `ja`.
    """
    say = text.saying("review", language)
    names = tuple(text.called(name, language) for name in found.seats)
    for point in found.curve:
        fields = {"deal": point.deal, "scores": _score(point.scores), "name": _side(found, names)}
        if point is found.curve[-1] and found.winner is not None:
            yield say("at-end", **fields)
        else:
            yield say("chance-before", chance=f"{100 * point.win:.1f}", **fields)
    for one in found.decisions:
        if one.verdict != "good":
            yield _error(one, found.unit, names, language)
    for seat in range(1, len(names) + 1):
        total = _total(found, seat)
        if total["decisions"]:
            yield say(
                "lost-in-all",
                name=names[seat - 1],
                decisions=_counted("decision", total["decisions"], say),
                loss=_in(found.unit, total["loss"], say),
                errors=[_counted(kind, times, say) for kind, times in total["errors"].items()],
            )
    if found.unjudged:
        yield say("left-out", left=_counted("decision", found.unjudged, say))


def _side(found: Weighing, names: tuple[str, ...]) -> str:
    """Return the names of side 1's players."""
    return " – ".join(name for name, side in zip(names, found.teams, strict=True) if side == 1)


def _score(scores: tuple[int, ...]) -> str:
    return "-".join(map(str, scores))


def _error(one: Weighed, unit: Unit, names: tuple[str, ...], language: str) -> str:
    say = text.saying("review", language)
    amount = f"{100 * one.cost:.1f}" if unit == "win" else f"{one.cost:.1f}"
    return say(
        f"better-by-{unit}",
        deal=one.deal,
        score=_score(one.scores),
        chosen=moves.describe(one.chosen, names, language),
        best=moves.describe(one.best, names, language),
        amount=amount,
        verdict=say(one.verdict),
    )


def _counted(kind: str, times: int, say: Callable[..., str]) -> str:
    return say(f"count-{kind}-one" if times == 1 else f"count-{kind}", count=times)


def _in(unit: Unit, loss: float, say: Callable[..., str]) -> str:
    return say(f"in-{unit}", worth=f"{100 * loss:.1f}" if unit == "win" else f"{loss:.1f}")
