"""Convert an analysis to JSON data and to sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final

from boardctl import text
from boardctl.bot import positions, strength
from boardctl.bot.analysis import (
    LEAST,
    Analysis,
    Averages,
    Chance,
    Decision,
    Stage,
    Worths,
    expert,
)
from boardctl.bot.objective import WIN, Objectives, only_wins_count
from boardctl.bot.tables import DEALER, PONE
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS, spell

ROLES: Final = {PONE: "pone", DEALER: "dealer"}
_NINE: Final = 9


def as_data(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain values.

    Chances and costs range from 0 to 1. With an objective, `worth` replaces `chance`. Worths, costs
    and luck are then in the unit of the objective.
    """
    return {
        "players": list(analysis.seats),
        "winner": analysis.winner,
        **_played_for(analysis.objectives),
        "curve": _curve(analysis.curve, analysis.objectives),
        "course": _course(analysis.course),
        "decisions": [_decision(one, analysis.seats) for one in analysis.decisions],
        "luck": [
            {"deal": deal.deal, "luck": _spanned(analysis, deal.luck)} for deal in analysis.deals
        ],
        "totals": [_total(analysis, seat) for seat in (1, 2)],
        "expert": {ROLES[role]: _averages(some) for role, some in expert().items()},
        "unjudged": dict(analysis.unjudged),
        "least": {name: least for least, name in LEAST},
    }


def so_far(stage: Stage) -> dict[str, Any]:
    """Return an unfinished analysis as plain values. Only decisions that are errors are
    included."""
    errors = [one for one in stage.decisions if one.verdict != "good"]
    return {
        "done": stage.done,
        "of": stage.of,
        "players": list(stage.seats),
        "winner": stage.winner,
        **_played_for(stage.objectives),
        "curve": _curve(stage.curve, stage.objectives),
        "course": _course(stage.course),
        "decisions": [_decision(one, stage.seats) for one in errors],
    }


def _played_for(objectives: Objectives) -> dict[str, Any]:
    return {} if only_wins_count(objectives) else {"objective": objectives[0].name}


def _curve(points: Iterable[Worths], objectives: Objectives) -> list[dict[str, Any]]:
    return [
        {
            "place": point.place,
            "deal": point.deal,
            "scores": list(point.scores),
            "chances" if only_wins_count(objectives) else "worths": _worths(point, objectives),
        }
        for point in points
    ]


def _worths(point: Worths, objectives: Objectives) -> list[float]:
    both = zip(objectives, point.worth, strict=True)
    return [round(objective.own(worth), 6) for objective, worth in both]


def _course(points: Iterable[Chance]) -> list[list[float]]:
    return [[point.place, point.deal, round(point.win, 6)] for point in points]


def _spanned(analysis: Analysis, shares: tuple[float, float]) -> list[float]:
    both = zip(analysis.objectives, shares, strict=True)
    return [round(objective.span * share, 6) for objective, share in both]


def _decision(one: Decision, seats: tuple[str, ...]) -> dict[str, Any]:
    by, objective = "chance" if one.objective is WIN else "worth", one.objective
    return {
        "place": one.place,
        "deal": one.deal,
        "seat": one.seat,
        "player": seats[one.seat - 1],
        "role": ROLES[one.role],
        "kind": one.kind,
        "score": list(one.score),
        "hand": [str(CARDS[card]) for card in one.hand],
        "chosen": [str(CARDS[card]) for card in one.chosen],
        "best": [str(CARDS[card]) for card in one.best],
        by: round(objective.own(one.win), 6),
        f"best_{by}": round(objective.own(one.best_win), 6),
        "cost": round(objective.span * one.cost, 6),
        "points": round(one.points, 6),
        "best_points": round(one.best_points, 6),
        "verdict": one.verdict,
        "target": one.target,
        "question": _question(one),
    }


@lru_cache(maxsize=256)  # each stage repeats the earlier errors
def _question(one: Decision) -> dict[str, Any] | None:
    """Return a decision as a practice question. Return None if cards are unknown, or if points were
    entered other than through the play."""
    if one.position is None:
        return None
    try:
        found = positions.question(one.position)
    except IllegalMove:
        return None
    return found if found["now"] == list(one.score) else None


def _total(analysis: Analysis, seat: int) -> dict[str, Any]:
    costs = analysis.costs(seat)
    own = [decision for decision in analysis.decisions if decision.seat == seat]
    errors = {name: sum(one.verdict == name for one in own) for _, name in LEAST}
    played = strength.of_costs(costs) if costs else None
    return {
        "seat": seat,
        "player": analysis.seats[seat - 1],
        "decisions": len(own),
        "loss": round(sum(costs), 6),
        "loss_throws": _lost(own, "throw"),
        "loss_plays": _lost(own, "play"),
        "loss_a_decision": None if played is None else round(played.loss, 6),
        "interval": None if played is None or played.half is None else round(played.half, 6),
        "enough": played is not None and played.enough,
        "errors": errors,
        "errors_in_nine_games": _NINE * sum(errors.values()),
        "luck": round(analysis.luck(seat), 6),
        "averages": {
            ROLES[role]: _averages(analysis.averages[seat, role]) for role in (PONE, DEALER)
        },
    }


def _lost(own: Sequence[Decision], kind: str) -> float:
    return round(sum(one.objective.span * one.cost for one in own if one.kind == kind), 6)


def _averages(some: Averages) -> dict[str, Any]:
    return {
        "deals": some.deals,
        "hand": rounded(some.hand),
        "play": rounded(some.play),
        "crib": rounded(some.crib),
    }


def rounded(points: float | None) -> float | None:
    """Return points rounded to six decimal places, or None if they are unknown."""
    return None if points is None else round(points, 6)


def sentences(analysis: Analysis, language: str = "en") -> Iterator[str]:
    """Yield a readable summary: the curve, the errors, and each player's loss, luck and averages.

    Args:
        analysis: the analysis of one game.
        language: `en` or `ja`.
    """
    say = text.saying("review", language)
    one, two = (text.called(name, language) for name in analysis.seats)
    for point in analysis.curve:
        scores = {"one": one, "two": two, "first": point.scores[0], "second": point.scores[1]}
        if point is analysis.curve[-1] and analysis.winner is not None:
            yield say("end", **scores)
        elif only_wins_count(analysis.objectives):
            yield say("before", deal=point.deal, chance=_percent(point.worth[0]), **scores)
        else:
            worth, name = _worths(point, analysis.objectives)[0], analysis.objectives[0].name
            yield say("expects", deal=point.deal, worth=_in(name, worth, say), **scores)
    for decision in analysis.decisions:
        if decision.verdict != "good":
            yield _error(decision, analysis.seats, say)
    for seat in (1, 2):
        yield from _player(analysis, seat, say)
    for role, some in expert().items():
        yield say("experts", role=say(ROLES[role]), averages=_listed(some, say))
    left = [_counted(kind, times, say) for kind, times in analysis.unjudged.items() if times]
    if left:
        yield say("unjudged", left=left)


def _counted(kind: str, times: int, say: Callable[..., str]) -> str:
    return say(f"count-{kind}-one" if times == 1 else f"count-{kind}", count=times)


def season_as_data(found: Mapping[str, tuple[int, strength.Strength]]) -> Iterator[dict[str, Any]]:
    """Yield one plain object for each player of a season."""
    for name, (games, played) in found.items():
        yield {
            "season": name,
            "games": games,
            "decisions": played.decisions,
            "loss_a_decision": round(played.loss, 6),
            "interval": None if played.half is None else round(played.half, 6),
            "enough": played.enough,
        }


def season_sentences(
    found: Mapping[str, tuple[int, strength.Strength]],
    language: str = "en",
    objective: str = "win",
) -> Iterator[str]:
    """Yield sentences about a season, strongest player first. `objective` is one of `NAMES`."""
    say = text.saying("review", language)
    for name, (games, played) in sorted(found.items(), key=lambda one: one[1][1].loss):
        fields = {
            "name": name,
            "decisions": _counted("decision", played.decisions, say),
            "games": _counted("game", games, say),
        }
        scale, digits = (100, 2) if objective == "win" else (1, 4)
        loss = f"{scale * played.loss:.{digits}f}"
        half = "" if played.half is None else f" ± {scale * played.half:.{digits}f}"
        said = say(f"loses-{objective}", loss=loss + half, **fields)
        yield said if played.enough else say("too-few", said=said)


def _error(one: Decision, seats: tuple[str, ...], say: Callable[..., str]) -> str:
    score = f"{one.score[0]}-{one.score[1]}"
    points = one.best_points - one.points
    shown = f"{points:.1f}" if one.kind == "throw" else f"{points:g}"
    more = points > (0.05 if one.kind == "throw" else 0)
    name = f"{one.kind}-points" if more else one.kind
    objective = one.objective
    return say(
        name if objective is WIN else f"{name}-worth",
        deal=one.deal,
        who=say("who", name=seats[one.seat - 1], role=say(ROLES[one.role]), score=score),
        chosen=spell(CARDS[card] for card in one.chosen),
        best=spell(CARDS[card] for card in one.best),
        points=shown,
        share=_percent(one.cost) if objective is WIN else "",
        worth="" if objective is WIN else _in(objective.name, objective.span * one.cost, say),
        verdict=say(one.verdict),
    )


def _player(analysis: Analysis, seat: int, say: Callable[..., str]) -> Iterator[str]:
    total = _total(analysis, seat)
    name = analysis.seats[seat - 1]
    objective = analysis.objectives[seat - 1].name

    def spoken(worth: float, sign: str = "") -> str:
        return _in(objective, worth, say, sign)

    luck = spoken(total["luck"], "+")
    if not total["decisions"]:
        yield say("no-decision", name=name, luck=luck)
    else:
        errors = [_counted(kind, times, say) for kind, times in total["errors"].items()]
        yield say(
            "lost",
            name=name,
            decisions=_counted("decision", total["decisions"], say),
            loss=spoken(total["loss"]),
            errors=errors,
            in_nine=total["errors_in_nine_games"],
            luck=luck,
        )
    for role in (PONE, DEALER):
        some = analysis.averages[seat, role]
        if some.hand is not None or some.play is not None or some.crib is not None:
            yield say("averaged", name=name, role=say(ROLES[role]), averages=_listed(some, say))


def _listed(some: Averages, say: Callable[..., str]) -> tuple[str, ...]:
    named = (("hand", some.hand), ("play", some.play), ("crib", some.crib))
    return tuple(
        say(f"average-{name}", points=f"{points:.1f}")
        for name, points in named
        if points is not None
    )


def _in(objective: str, worth: float, say: Callable[..., str], sign: str = "") -> str:
    """Return a worth as text, in the unit of an objective and with that unit."""
    scale, digits = (100, 1) if objective == "win" else (1, 3)
    return say(f"in-{objective}", worth=f"{scale * worth:{sign}.{digits}f}")


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
