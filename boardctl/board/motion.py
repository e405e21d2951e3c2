"""Animations: moving pegs, answering lights, the celebration; and the time of their next frame.

Everything is a pure function of time in seconds on the table controller's clock. The `…_due`
functions return the time of the next frame, or None when nothing moves, so that the board can
sleep. No lamp flashes more than three times a second (WCAG 2.3.1).
"""

from __future__ import annotations

from bisect import bisect_right
from math import floor
from typing import Final, Literal, NamedTuple

from boardctl.board.pegs import at
from boardctl.games import Scoreboard

STEP: Final = 0.09
"""Seconds a moving peg stays in each hole, so that one can count along …"""
LONGEST: Final = 1.5
"""… but at most these seconds for the whole way."""
BLINK: Final = 0.5
"""Period in seconds of a blinking unsaved peg; half of it is dark."""
ACCEPTED: Final = (0.0, 0.5)
"""The answering light comes on once …"""
REFUSED: Final = (0.0, 0.15, 0.4, 0.55, 0.8, 0.95)
"""… or three times: when it goes on, off, on …, in seconds after the event."""
CELEBRATION: Final = 6.0
"""Seconds of a celebration."""
CELEBRATION_FRAME: Final = 0.04
"""Seconds between the celebration's frames."""


class Walk(NamedTuple):
    """A front peg moving from the hole of `origin` (a score) to that of its side's score.

    Also used when the board wakes: the last peg moves again.
    """

    side: int
    origin: int
    since: float


class Event(NamedTuple):
    """The table's answer to a line, for a board without a display."""

    kind: Literal["accepted", "refused"]
    since: float


def walk_hole(walk: Walk, board: Scoreboard, t: float) -> int:
    """The hole of a moving peg at time `t`."""
    start, end, step = _way(walk, board)
    done = max(0, floor((t - walk.since) / step + 1e-6)) if end != start else 0
    if done >= abs(end - start):
        return end
    return start + done if end > start else start - done


def walk_due(walk: Walk, board: Scoreboard, t: float) -> float | None:
    """The time of the peg's next step, None once it has arrived."""
    start, end, step = _way(walk, board)
    if end == start or t >= walk.since + abs(end - start) * step - 1e-6 * step:
        return None
    return walk.since + (max(0, floor((t - walk.since) / step + 1e-6)) + 1) * step


def _way(walk: Walk, board: Scoreboard) -> tuple[int, int, float]:
    start = at(walk.origin, board.unit)
    end = at(board.standings[walk.side - 1].score, board.unit)
    return start, end, min(STEP, LONGEST / max(1, abs(end - start)))


def blink_dark(t: float) -> bool:
    """Whether an unsaved peg is dark now."""
    return t % BLINK >= BLINK / 2


def blink_due(t: float) -> float:
    """When it changes."""
    return (floor(t / (BLINK / 2) + 1e-6) + 1) * BLINK / 2


def _flashes(event: Event) -> tuple[float, ...]:
    return ACCEPTED if event.kind == "accepted" else REFUSED


def event_lit(event: Event, t: float) -> bool | None:
    """Whether the answering light is on, None once it is over."""
    flashes = _flashes(event)
    passed = bisect_right(flashes, t - event.since + 1e-6)
    return passed % 2 == 1 if passed < len(flashes) else None


def event_due(event: Event, t: float) -> float | None:
    """The time of its next change, None once it is over."""
    flashes = _flashes(event)
    passed = bisect_right(flashes, t - event.since + 1e-6)
    return event.since + flashes[passed] if passed < len(flashes) else None


def celebration_hole(number: int, since: float, t: float) -> bool:
    """Whether a hole of the winner's track is lit: groups of three run round, passing every hole
    twice a second."""
    return (number - floor((t - since) * 24)) % 12 < 3


def celebration_due(since: float, t: float) -> float | None:
    """The time of the celebration's next frame, None once it is over."""
    if t >= since + CELEBRATION - 1e-6:
        return None
    frames = max(0, floor((t - since) / CELEBRATION_FRAME + 1e-6)) + 1
    return since + min(CELEBRATION, frames * CELEBRATION_FRAME)


DIGIT: Final = (1.2, 0.4)
"""Seconds that a digit shown as light is lit, and dark after it."""
TURNS: Final = 3
"""How often all digits are shown, with a pause of one digit between."""


class Spelled(NamedTuple):
    """Digits shown as light, one after the other, for a board without a display."""

    digits: str
    since: float


def spelled_holes(spelled: Spelled, t: float) -> int | None:
    """How many holes are lit now: as many as the digit, ten for a 0, none between the digits; None
    once it is over."""
    length = sum(DIGIT)
    slot = floor((t - spelled.since) / length + 1e-6)
    slots = len(spelled.digits) + 1
    if slot >= slots * TURNS:
        return None
    place = slot % slots
    if place == len(spelled.digits) or t - spelled.since - slot * length >= DIGIT[0] - 1e-6:
        return 0
    return int(spelled.digits[place]) or 10


def spelled_due(spelled: Spelled, t: float) -> float | None:
    """The time of its next change, None once it is over."""
    if spelled_holes(spelled, t) is None:
        return None
    length = sum(DIGIT)
    begun = spelled.since + floor((t - spelled.since) / length + 1e-6) * length
    dark = begun + DIGIT[0]
    return dark if t < dark - 1e-6 else begun + length
