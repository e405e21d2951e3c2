"""The moves of a record as the page lists them: in words, with what each earned.

They are the moves as the viewer knows them (`record.seen`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile
from typing import Any, NamedTuple

from boardctl import text
from boardctl.games import Award, Move
from boardctl.record import notation
from boardctl.record.position import Position
from boardctl.record.seen import Dealt, Seen, walk
from boardctl.record.serialize import awards_json
from boardctl.text import moves as words
from boardctl.text.counting import PHRASES, briefly, count_aloud, steps_aloud


class Viewer(NamedTuple):
    """The viewer of a page: language and seat (None for no seat)."""

    language: str
    seat: int | None = None


def names(position: Position) -> list[str]:
    """The players by seat."""
    return [position.seats.get(n, "") for n in range(1, max(position.seats, default=0) + 1)]


def game_moves(seen: Seen, viewer: Viewer) -> list[dict[str, Any]]:
    """Every move of the current game, oldest first."""
    record = seen.record
    moves = record.moves
    start = max((n for n, move in enumerate(moves) if move.verb == "game"), default=0)
    deal = seen.deal[0].place if seen.deal else len(moves)
    earlier = takewhile(
        lambda one: one.place < deal, walk(record, start, record.position_at(start))
    )
    seats = names(record.position)
    return [listed(one, len(moves), seats, viewer) for one in (*earlier, *seen.deal)]


def listed(dealt: Dealt, length: int, seats: list[str], viewer: Viewer) -> dict[str, Any]:
    """A move as the page lists it; `back` is its number for `amend`, `place` stays the same while
    others are played."""
    alone = len({a.seat for a in dealt.awards}) == 1
    shown = dealt.awards if dealt.move.verb != "peg" else ()
    return {
        "back": length - dealt.place,
        "place": dealt.place,
        "verb": dealt.move.verb,
        "line": notation.spell(dealt.move),
        "text": words.describe(dealt.move, seats, viewer.language),
        "seat": dealt.move.seat,
        "points": sum(a.points for a in dealt.awards) if alone else 0,
        "why": _why(dealt.move, shown, seats, viewer.language, points=not alone),
        "awards": awarded(dealt.awards, seats, viewer.language),
    }


def _why(
    move: Move, awards: tuple[Award, ...], seats: list[str], language: str, *, points: bool
) -> str:
    """What a move earned: a hand as it is counted, and other awards one by one."""
    if move.verb in ("show", "crib") and awards and spoken(awards, language):
        return briefly(awards, language)
    reasons = _reasons(move, awards, seats, language, points=points)
    return PHRASES[language]["between"].join(reasons)


def _reasons(
    move: Move, awards: Sequence[Award], seats: list[str], language: str, *, points: bool = True
) -> Iterable[str]:
    """What a move earned, each award in words: with its points, and with the player's name if
    somebody else earned it."""
    for earned in awarded(awards, seats, language):
        fields = {**earned, "reason": earned["text"]}
        if earned["seat"] != move.seat:
            code = "reason-of" if points else "reason-only-of"
            yield text.say("happened", code, fields, seats, language)
        elif points:
            yield text.say("happened", "reason", fields, seats, language)
        else:
            yield earned["text"]


def happened(
    shown: list[dict[str, Any]], dealt: Sequence[Dealt], position: Position, language: str
) -> dict[str, Any] | None:
    """The last move in words with what it earned, and what to celebrate: a hand of 29, a game won,
    a skunk."""
    if not shown or shown[-1]["verb"] in ("seat", "set"):
        return None
    last, move, awards = shown[-1], dealt[-1].move, dealt[-1].awards
    points = last["points"]
    said = last["text"]
    seats = names(position)
    if move.verb in ("show", "crib") and move.seat is not None:
        brief = briefly(awards, language) if spoken(awards, language) or not awards else ""
        brief = brief or PHRASES[language]["between"].join(_reasons(move, awards, seats, language))
        fields = {"seat": move.seat, "points": points, "reasons": brief}
        said = text.say("happened", "counted", fields, seats, language)
    elif awards and move.verb != "peg":
        reasons = _reasons(move, awards, seats, language)
        fields = {"said": said, "reasons": PHRASES[language]["between"].join(reasons)}
        said = text.say("happened", "earned", fields, seats, language)
    moment = "29" if move.verb in ("show", "crib", "peg") and points == 29 else None
    outcome = position.outcome
    if position.over and outcome is not None and outcome.state == "won":
        moment = outcome.margin or "game"
    return {"text": said, "seat": move.seat, "points": points, "moment": moment}


def last_spoken(dealt: Sequence[Dealt], seats: list[str], language: str) -> str:
    """What to say aloud with the last move: a hand counted, or the count of the play."""
    if not dealt:
        return ""
    _, move, awards, position = dealt[-1]
    if move.verb in ("show", "crib"):
        return count_aloud(awards, language) if spoken(awards, language) or not awards else ""
    count = position.situation.count
    if move.verb == "play" and count:
        points = sum(award.points for award in awards)
        fields = {"count": count, "points": points}
        return text.say("readout", "said", fields, seats, language) if points else str(count)
    return ", ".join(words.awarded(awards, seats, language))


def awarded(awards: Sequence[Award], seats: list[str], language: str) -> list[dict[str, Any]]:
    """Awards as the page shows them: as JSON, each with its words in `text`."""
    if not awards:
        return []
    named = words.awarded(awards, seats, language)
    return [{**one, "text": said} for one, said in zip(awards_json(awards), named, strict=True)]


def spoken(awards: tuple[Award, ...], language: str) -> list[str]:
    """A hand counted aloud, combination by combination, in the traditional words; empty if no hand
    was counted."""
    if any(award.reason not in PHRASES[language] for award in awards):
        return []
    return steps_aloud(awards, language)
