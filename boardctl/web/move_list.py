"""The moves of a record as the page lists them: in words, with what each earned.

Cards that only their player has seen (`text.moves.SECRET`) are left out for other viewers until the
deal is over.
"""

from __future__ import annotations

from collections.abc import Iterable
from itertools import takewhile
from typing import Any, Final, NamedTuple

from boardctl import text
from boardctl.games import Award, Move
from boardctl.record import notation
from boardctl.record.position import Position, step
from boardctl.record.record import Record
from boardctl.text import moves as words
from boardctl.text.counting import PHRASES, briefly, count_aloud, steps_aloud

_ONCE: Final = frozenset({"deal", "game"})


class Viewer(NamedTuple):
    """The viewer of a page: language and seat (None for no seat)."""

    language: str
    seat: int | None = None


def names(position: Position) -> list[str]:
    """The players by seat."""
    return [position.seats.get(n, "") for n in range(1, max(position.seats, default=0) + 1)]


def hides(position: Position) -> bool:
    """Whether this deal still has cards that only their player may see."""
    return not position.over and position.situation.phase not in ("deal", "done", "cut", "over")


def is_secret(move: Move, viewer: Viewer) -> bool:
    """Whether a move names cards that only another player has seen."""
    return move.verb in words.SECRET and move.seat != viewer.seat


class Dealt(NamedTuple):
    """A move of the record: its index, what it earned, and the position after it."""

    place: int
    move: Move
    awards: tuple[Award, ...]
    position: Position


def deal_start(moves: tuple[Move, ...]) -> int:
    """The index of the `deal` that began the current deal, or of `game` before the first one."""
    start = len(moves)
    while start and moves[start - 1].verb not in _ONCE:
        start -= 1
    return max(0, start - 1)


class CurrentDeal:
    """The moves of a record's current deal, each played once while the record grows."""

    def __init__(self) -> None:
        self._moves: tuple[Move, ...] = ()
        self._dealt: list[Dealt] = []

    def walked(self, record: Record) -> list[Dealt]:
        """The deal's moves, oldest first."""
        moves = record.moves
        start = deal_start(moves)
        pairs = zip(self._moves, moves, strict=False)
        same = sum(1 for _ in takewhile(lambda pair: pair[0] is pair[1], pairs))
        known = [dealt for dealt in self._dealt if start <= dealt.place < same]
        if known and known[0].place == start:
            known += _walk(record, known[-1].place + 1, known[-1].position)
        else:
            known = list(_walk(record, start, record.position_at(start)))
        self._moves, self._dealt = moves, known
        return known


def _walk(record: Record, start: int, position: Position) -> Iterable[Dealt]:
    """The moves from `start` on; `position` is the one before them."""
    for place, move in enumerate(record.moves[start:], start):
        played = step(position, move)
        position = played.state
        yield Dealt(place, move, played.awards, position)


def game_moves(record: Record, viewer: Viewer) -> list[dict[str, Any]]:
    """Every move of the current game, oldest first."""
    moves = record.moves
    start = max((n for n, move in enumerate(moves) if move.verb == "game"), default=0)
    now = record.position
    deal = deal_start(moves)
    return [
        listed(dealt, len(moves), names(now), viewer, hides(now) and dealt.place >= deal)
        for dealt in _walk(record, start, record.position_at(start))
    ]


def listed(
    dealt: Dealt, length: int, seats: list[str], viewer: Viewer, hidden: bool
) -> dict[str, Any]:
    """A move as the page lists it; `back` is its number for `amend`, `place` stays the same while
    others are played."""
    secret = hidden and is_secret(dealt.move, viewer)
    alone = len({a.seat for a in dealt.awards}) == 1
    told = dealt.awards if dealt.move.verb != "peg" else ()
    return {
        "back": length - dealt.place,
        "place": dealt.place,
        "verb": dealt.move.verb,
        "line": "" if secret else notation.spell(dealt.move),
        "text": words.describe(dealt.move, seats, viewer.language, secret=secret),
        "seat": dealt.move.seat,
        "secret": secret,
        "points": sum(a.points for a in dealt.awards) if alone else 0,
        "why": _why(dealt.move, told, seats, viewer.language, points=not alone),
        "awards": [award(a, seats, viewer.language) for a in dealt.awards],
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
    move: Move, awards: Iterable[Award], seats: list[str], language: str, *, points: bool = True
) -> Iterable[str]:
    """What a move earned, each award in words: with its points, and with the player's name if
    somebody else earned it."""
    for earned in awards:
        told = award(earned, seats, language)
        if earned.seat != move.seat:
            code = "reason-of" if points else "reason-only-of"
            yield text.say("happened", code, {**told, "reason": told["text"]}, seats, language)
        elif points:
            yield text.say("happened", "reason", {**told, "reason": told["text"]}, seats, language)
        else:
            yield told["text"]


def happened(
    told: list[dict[str, Any]], dealt: list[Dealt], position: Position, language: str
) -> dict[str, Any] | None:
    """The last move in words with what it earned, and what to celebrate: a hand of 29, a game won,
    a skunk."""
    if not told or told[-1]["verb"] in ("seat", "set"):
        return None
    last, move, awards = told[-1], dealt[-1].move, dealt[-1].awards
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


def last_spoken(dealt: list[Dealt], seats: list[str], language: str) -> str:
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
    return ", ".join(text.say("award", a.reason, {}, seats, language) for a in awards)


def award(earned: Award, seats: list[str], language: str) -> dict[str, Any]:
    """An award as the page shows it."""
    fields = {"seat": earned.seat, "points": earned.points, "cards": earned.cards}
    return {
        "seat": earned.seat,
        "points": earned.points,
        "reason": earned.reason,
        "cards": [str(card) for card in earned.cards],
        "text": text.say("award", earned.reason, fields, seats, language),
    }


def spoken(awards: tuple[Award, ...], language: str) -> list[str]:
    """A hand counted aloud, combination by combination, in the traditional words; empty if no hand
    was counted."""
    if any(award.reason not in PHRASES[language] for award in awards):
        return []
    return steps_aloud(awards, language)
