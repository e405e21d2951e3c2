"""An analysis as data for JSON and as sentences."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any, Final

from boardctl import text
from boardctl.bot import positions, strength
from boardctl.bot.analysis import LEAST, Analysis, Averages, Chance, Decision, Stage, expert
from boardctl.bot.tables import DEALER, PONE
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS, spell

ROLES: Final = {PONE: "pone", DEALER: "dealer"}
_NINE: Final = 9


def as_data(analysis: Analysis) -> dict[str, Any]:
    """Return an analysis as plain values; chances and costs are fractions of one."""
    return {
        "players": list(analysis.seats),
        "winner": analysis.winner,
        "curve": _curve(analysis.curve),
        "course": _course(analysis.course),
        "decisions": [_decision(one, analysis.seats) for one in analysis.decisions],
        "luck": [
            {"deal": deal.deal, "luck": [round(share, 6) for share in deal.luck]}
            for deal in analysis.deals
        ],
        "totals": [_total(analysis, seat) for seat in (1, 2)],
        "expert": {ROLES[role]: _averages(some) for role, some in expert().items()},
        "unjudged": dict(analysis.unjudged),
        "least": {name: least for least, name in LEAST},
    }


def so_far(stage: Stage) -> dict[str, Any]:
    """Return an unfinished analysis as plain values: only the decisions called errors."""
    errors = [one for one in stage.decisions if one.verdict != "good"]
    return {
        "done": stage.done,
        "of": stage.of,
        "players": list(stage.seats),
        "winner": stage.winner,
        "curve": _curve(stage.curve),
        "course": _course(stage.course),
        "decisions": [_decision(one, stage.seats) for one in errors],
    }


def _curve(points: Iterable[Chance]) -> list[dict[str, Any]]:
    return [
        {
            "place": point.place,
            "deal": point.deal,
            "scores": list(point.scores),
            "chances": [round(point.win, 6), round(1 - point.win, 6)],
        }
        for point in points
    ]


def _course(points: Iterable[Chance]) -> list[list[float]]:
    return [[point.place, point.deal, round(point.win, 6)] for point in points]


def _decision(one: Decision, seats: tuple[str, ...]) -> dict[str, Any]:
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
        "chance": round(one.win, 6),
        "best_chance": round(one.best_win, 6),
        "cost": round(one.cost, 6),
        "points": round(one.points, 6),
        "best_points": round(one.best_points, 6),
        "verdict": one.verdict,
        "target": one.target,
        "question": _question(one),
    }


def _question(one: Decision) -> dict[str, Any] | None:
    """Return the decision as a practice question, None if the exact position is unknown: cards are
    missing, or points were entered outside the play."""
    if one.known is None:
        return None
    try:
        found = positions.question(one.known)
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
        "loss_throws": round(sum(one.cost for one in own if one.kind == "throw"), 6),
        "loss_plays": round(sum(one.cost for one in own if one.kind == "play"), 6),
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


def _averages(some: Averages) -> dict[str, Any]:
    return {
        "deals": some.deals,
        "hand": rounded(some.hand),
        "play": rounded(some.play),
        "crib": rounded(some.crib),
    }


def rounded(points: float | None) -> float | None:
    """Return points rounded to a millionth, None if they are unknown."""
    return None if points is None else round(points, 6)


def sentences(analysis: Analysis, language: str = "en") -> Iterator[str]:
    """Return a readable summary: the curve, the errors, each player's loss, luck and averages.

    Args:
        analysis: the analysis of one game.
        language: `en` or `ja`.
    """
    say = text.saying("review", language)
    one, two = (text.called(name, language) for name in analysis.seats)
    for point in analysis.curve:
        scores = {"one": one, "two": two, "first": point.scores[0], "second": point.scores[1]}
        if point is not analysis.curve[-1] or 0 < point.win < 1:
            yield say("before", deal=point.deal, chance=_percent(point.win), **scores)
        else:
            yield say("end", **scores)
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
    """Return one plain object per player of a season."""
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
    found: Mapping[str, tuple[int, strength.Strength]], language: str = "en"
) -> Iterator[str]:
    """Return a season as sentences, strongest player first."""
    say = text.saying("review", language)
    for name, (games, played) in sorted(found.items(), key=lambda one: one[1][1].loss):
        fields = {
            "name": name,
            "decisions": _counted("decision", played.decisions, say),
            "games": _counted("game", games, say),
        }
        loss = f"{100 * played.loss:.2f}"
        if played.half is None:
            said = say("loses", loss=loss, **fields)
        else:
            said = say("loses-half", loss=loss, half=f"{100 * played.half:.2f}", **fields)
        yield said if played.enough else say("too-few", said=said)


def _error(one: Decision, seats: tuple[str, ...], say: Callable[..., str]) -> str:
    score = f"{one.score[0]}-{one.score[1]}"
    points = one.best_points - one.points
    shown = f"{points:.1f}" if one.kind == "throw" else f"{points:g}"
    more = points > (0.05 if one.kind == "throw" else 0)
    return say(
        f"{one.kind}-points" if more else one.kind,
        deal=one.deal,
        who=say("who", name=seats[one.seat - 1], role=say(ROLES[one.role]), score=score),
        chosen=spell(CARDS[card] for card in one.chosen),
        best=spell(CARDS[card] for card in one.best),
        points=shown,
        share=_percent(one.cost),
        verdict=say(one.verdict),
    )


def _player(analysis: Analysis, seat: int, say: Callable[..., str]) -> Iterator[str]:
    total = _total(analysis, seat)
    name = analysis.seats[seat - 1]
    luck = f"{100 * total['luck']:+.1f}"
    if not total["decisions"]:
        yield say("no-decision", name=name, luck=luck)
    else:
        errors = [_counted(kind, times, say) for kind, times in total["errors"].items()]
        yield say(
            "lost",
            name=name,
            decisions=_counted("decision", total["decisions"], say),
            loss=_percent(total["loss"]),
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


def _percent(share: float) -> str:
    return f"{100 * share:.1f}"
