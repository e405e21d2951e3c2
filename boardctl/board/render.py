"""Convert the scoreboard, a preview and the time to a frame. Pure.

`lit` returns the lit lamps by name, `render` returns the frame for the strip, and `settled` returns
the time of the next change. docs/board.md explains every light.

One trip round the board is one game: score = unit × hole + remainder. Up to hole 120, the score is
shown exactly. Beyond that, the peg is in the game hole, and the display shows the score.

Animations are functions of time in seconds on the table controller's clock. The `…_due` functions
return the time of the next frame, or None when nothing moves, so that the board can sleep. No lamp
flashes more than three times a second (WCAG 2.3.1).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator
from functools import cache
from itertools import islice
from math import floor
from typing import Final, Literal, NamedTuple

from boardctl.board.palette import (
    BACK,
    DARKEST,
    FAINT,
    FRONT,
    NEUTRAL,
    PREVIEW,
    SIDES,
    Colour,
    Frame,
)
from boardctl.board.shape import CIRCUIT, GAME_HOLE, Layout, LayoutError
from boardctl.games import Line, Scoreboard, side_of

Waiting = Literal["network", "phone"]
"""The reason why the board waits: a network, or a phone that joins its own Wi-Fi."""


class Preview(NamedTuple):
    """A counted hand, shown in front of its side's front peg until it is pegged."""

    side: int
    points: int


class Picture(NamedTuple):
    """The content to show. Sides are numbered from 1. Times are in seconds on the table
    controller's clock."""

    scoreboard: Scoreboard
    """The game's current state."""
    unsaved: frozenset[int] = frozenset()
    """The sides whose pegs are not on disk yet; they blink."""
    won: tuple[int, ...] = ()
    """Games won by side."""
    preview: Preview | None = None
    """A counted hand that is not pegged yet."""
    walks: tuple[Walk, ...] = ()
    """Moving front pegs; pegs that have arrived may stay here."""
    event: Event | None = None
    """The last answer to a line."""
    celebrate: float | None = None
    """The time when the game was won, for the winner's lights, or None if there is no winner."""
    brightness: float = 1.0
    """The brightness of the whole board, from 0 to 1; at least `DARKEST`."""
    spelled: Spelled | None = None
    """Digits shown as light, instead of everything else."""
    odds: float | None = None
    """Side 1's chance of winning, for the status light while it has nothing else to show."""
    waiting: Waiting | None = None
    """The reason why the board waits. The status light shows it while it has no answer to show."""


def lit(layout: Layout, picture: Picture, t: float) -> dict[str, Colour]:
    """Return the lit lamps by name, each with its colour at its brightness level.

    Args:
        layout: of the lamps.
        picture: the content to show.
        t: the time in seconds, on the same clock as the picture's times.

    Raises:
        LayoutError: if there are more sides than tracks.
    """
    sides = len(picture.scoreboard.standings)
    if sides > layout.tracks:
        fields = {"tracks": layout.tracks, "sides": sides}
        raise LayoutError("sides", f"layout {layout.name}", **fields)
    digit_holes = None if picture.spelled is None else spelled_holes(picture.spelled, t)
    if digit_holes is None:
        lights = _levels(layout, picture, t)
    else:
        lights = {f"track1.{number}": (NEUTRAL, FRONT) for number in range(1, digit_holes + 1)}
    brightness = max(DARKEST, min(1.0, picture.brightness))
    return {name: scaled(colour, level * brightness) for name, (colour, level) in lights.items()}


def render(layout: Layout, picture: Picture, t: float) -> Frame:
    """Return the frame of the whole strip: three bytes (red, green, blue) per LED, in the strip's
    order. Arguments and errors are those of `lit`."""
    frame = bytearray(3 * layout.leds)
    for name, colour in lit(layout, picture, t).items():
        place = 3 * layout.ledmap[name]
        frame[place], frame[place + 1], frame[place + 2] = colour
    return bytes(frame)


def settled(picture: Picture, t: float) -> float | None:
    """Return the time when the picture shown at `t` next changes automatically, or None if nothing
    moves."""
    board = picture.scoreboard
    moments = [walk_due(walk, board, t) for walk in picture.walks]
    if picture.unsaved or picture.waiting == "network":
        moments.append(blink_due(t))
    if picture.event is not None:
        moments.append(event_due(picture.event, t))
    if picture.celebrate is not None:
        moments.append(celebration_due(picture.celebrate, t))
    if picture.spelled is not None:
        moments.append(spelled_due(picture.spelled, t))
    return min((moment for moment in moments if moment is not None), default=None)


_Lights = dict[str, tuple[Colour, float]]
_Holes = tuple[str, ...]


def _light_status(picture: Picture, t: float, lights: _Lights) -> None:
    """Light the status lamp, to show a rejected or accepted entry, an unsaved line, a wait, or the
    odds."""
    answer = None if picture.event is None else event_lit(picture.event, t)
    if answer and picture.event is not None:
        lights["status"] = (_ANSWER[picture.event.kind], FRONT)
    elif answer is not None:
        return
    elif picture.unsaved:
        lights["status"] = (NEUTRAL, BACK)
    elif picture.waiting is not None:
        if picture.waiting == "phone" or not blink_dark(t):
            lights["status"] = (NEUTRAL, FRONT)
    elif picture.odds is not None and not picture.scoreboard.over:
        lights["status"] = (between(picture.odds), PREVIEW)


def _light_lines(layout: Layout, board: Scoreboard, fronts: list[int], lights: _Lights) -> None:
    """Light the lines that a side has not passed, and a goal before the last hole."""
    tracks = lamps(len(board.standings), layout.laps, board.goal)
    for line in board.lines:
        if min(fronts, default=GAME_HOLE) < line.hole:
            _light_line(layout, line, max(fronts) >= line.hole, tracks, lights)
    if board.goal < GAME_HOLE and tracks and tracks[0][board.goal] != tracks[0][GAME_HOLE]:
        _light_pair(board.goal, tracks, lights)


def _levels(layout: Layout, picture: Picture, t: float) -> _Lights:
    """Return the colour and brightness level of each lamp. Later entries override earlier ones."""
    lights: _Lights = {}
    board = picture.scoreboard
    tracks = lamps(len(board.standings), layout.laps, board.goal)
    fronts = [at(standing.score, board.unit) for standing in board.standings]
    for line in board.lines:
        if min(fronts, default=GAME_HOLE) < line.hole:
            _light_line(layout, line, max(fronts) >= line.hole, tracks, lights)
    if board.goal < GAME_HOLE and tracks and tracks[0][board.goal] != tracks[0][GAME_HOLE]:
        _light_pair(board.goal, tracks, lights)
    for side, front in enumerate(fronts, 1):
        _light_side(layout, picture, side, tracks[side - 1], front, t, lights)
    for mark, seat, level in (("dealer", board.dealer, BACK), ("turn", board.turn, FRONT)):
        if seat is not None and not board.over:
            lights[_mark(layout, board, mark, seat)] = (NEUTRAL, level)
    for side, games in enumerate(picture.won[: layout.tracks], 1):
        if games:
            _light_won(layout, side, games, lights)
    _light_status(picture, t, lights)
    if picture.celebrate is not None and board.winner is not None:
        _light_celebration(layout, board.winner, picture.celebrate, t, lights)
    return lights


_ANSWER = {"accepted": NEUTRAL, "refused": SIDES[0]}


def _light_line(
    layout: Layout, line: Line, passed: bool, tracks: tuple[_Holes, ...], lights: _Lights
) -> None:
    """Light a line that a side has not passed. A line with its own lamp (a skunk line) is lit once
    the leader has passed it. Any other line is lit until every side has passed it."""
    if line.name in layout.lines:
        if not passed:
            return
        lights[line.name] = (NEUTRAL, FRONT)
    if layout.lines.get(line.name) != line.hole:
        _light_pair(line.hole, tracks, lights)


def _light_pair(number: int, tracks: tuple[_Holes, ...], lights: _Lights) -> None:
    """Light the holes on both sides of a line faintly, on every track in play."""
    for holes in tracks:
        lights[holes[number - 1]] = lights[holes[number]] = (NEUTRAL, FAINT)


def _light_side(
    layout: Layout, picture: Picture, side: int, holes: _Holes, end: int, t: float, lights: _Lights
) -> None:
    """Light one side's pegs, its pips, and its previewed hand. `end` is the hole of its score."""
    board, colour = picture.scoreboard, colour_of(side)
    standing = board.standings[side - 1]
    front = end
    for walk in picture.walks:
        if walk.side == side:
            front = walk_hole(walk, board, t)
    before = at(standing.before, board.unit)
    back = holes[before] if before else f"track{side}.start1"
    if front == end:
        if picture.preview is not None and picture.preview.side == side:
            goal = at(standing.score + picture.preview.points, board.unit)
            for number in range(front + 1, goal + 1):
                level = PREVIEW if number == goal else FAINT
                lights[holes[number]] = (colour, level)
        count = pips(standing.score, board.unit)
        if count:
            pegs = {holes[front], back}
            for number in _pip_holes(front, count, lambda n: holes[n] in pegs):
                lights[holes[number]] = (colour, FAINT)
    lights[back] = (colour, BACK)
    if side not in picture.unsaved or not blink_dark(t):
        lights[holes[front]] = (colour, FRONT)
    if layout.laps > 1:
        for number in range(1, spot(front, layout.laps, board.goal).lap + 1):
            lights[f"lap{side}.{number}"] = (colour, FRONT)


def _pip_holes(front: int, count: int, taken: Callable[[int], bool]) -> Iterator[int]:
    """Return the holes for a remainder's pips: the nearest free holes behind the front peg (so that
    a pip is never past a line that the score has not reached), or in front of it if there are too
    few behind."""
    behind = [number for number in range(front - 1, 0, -1) if not taken(number)]
    if len(behind) >= count:
        yield from behind[:count]
    else:
        ahead = (number for number in range(front + 1, CIRCUIT + 1) if not taken(number))
        yield from islice(ahead, count)


def _mark(layout: Layout, board: Scoreboard, mark: str, seat: int) -> str:
    """Return the lamp of a seat or, if the board has none for the seat, of its side."""
    name = f"{mark}{seat}"
    if name in layout.ledmap:
        return name
    return f"{mark}{side_of(seat, len(board.standings))}"


def _light_won(layout: Layout, side: int, games: int, lights: _Lights) -> None:
    """Light the row of games won. After a full row, the row is dim and the additional wins are
    bright."""
    row = layout.count(f"won{side}")
    bright = games if games <= row else games % row
    for number in range(1, min(games, row) + 1):
        level = FRONT if number <= bright else BACK
        lights[f"won{side}.{number}"] = (colour_of(side), level)


def _light_celebration(
    layout: Layout, winner: int, since: float, t: float, lights: _Lights
) -> None:
    if not since <= t < since + CELEBRATION - 1e-6:
        return
    game = f"track{winner}.{GAME_HOLE}"
    for number in range(1, CIRCUIT // layout.laps + 1):
        name = f"track{winner}.{number}"
        if celebration_hole(number, since, t):
            lights[name] = (colour_of(winner), PREVIEW)
        else:
            lights.pop(name, None)
    lights[game] = (colour_of(winner), FRONT)


# Colours


def colour_of(side: int) -> Colour:
    """Return a side's colour. Sides are counted from 1."""
    return SIDES[(side - 1) % len(SIDES)]


def between(share: float) -> Colour:
    """Return side 1's colour for a fraction of 1, side 2's colour for 0, and a mixture for values
    in between."""
    one, two = SIDES[:2]
    mixed = (round(share * a + (1 - share) * b) for a, b in zip(one, two, strict=True))
    return Colour(*mixed)


def scaled(colour: Colour, level: float) -> Colour:
    """Return a colour at a brightness level from 0 to 1. A lit channel is never rounded down to
    0."""
    return Colour(*(max(1, round(c * level)) if c and level else 0 for c in colour))


# Pegs

COARSE: Final = 100
"""From this unit on, a pip is worth a tenth of the unit: 10 points if a hole is worth 100."""


class Peg(NamedTuple):
    """A hole from 0 (the start holes) to 121, and the remainder, which is None if a peg in the game
    hole cannot show it."""

    hole: int
    remainder: int | None


def at(score: int, unit: int) -> int:
    """Return the peg of a score, from hole 0 to 121. A score below zero is in the start holes."""
    return max(0, min(GAME_HOLE, score // unit))


def hole(score: int, unit: int) -> Peg:
    """Return the hole of a score."""
    if score // unit >= GAME_HOLE and unit > 1:
        return Peg(GAME_HOLE, None)
    return Peg(at(score, unit), score % unit if score > 0 else 0)


def pips(score: int, unit: int) -> int:
    """Return the number of pips to show: the remainder, counted in tens if the unit is 100."""
    if unit == 1:
        return 0
    remainder = hole(score, unit).remainder or 0
    return remainder // (unit // 10) if unit >= COARSE else remainder


class Spot(NamedTuple):
    """A lamp on a track, given by the end of its name (`start2`, `57`, `121`), and the lap (from 1)
    of a front peg there."""

    place: str
    lap: int


def spot(number: int, laps: int, goal: int) -> Spot:
    """Return the position of a hole on a board with `laps` laps.

    If a game's goal is at the end of a lap (five-card cribbage on a board with two laps of sixty
    holes), the game is won in the game hole.
    """
    if number <= 0:
        return Spot("start2", 1)
    circuit = CIRCUIT // laps
    home = goal if laps > 1 and (goal - 1) % circuit == 0 else GAME_HOLE
    if number >= home:
        return Spot(str(GAME_HOLE), max(1, (home - 1) // circuit))
    return Spot(str((number - 1) % circuit + 1), (number - 1) // circuit + 1)


@cache
def lamps(sides: int, laps: int, goal: int) -> tuple[tuple[str, ...], ...]:
    """The names of the lamps on each side's track, by hole from 0 to 121."""
    holes = [spot(number, laps, goal).place for number in range(GAME_HOLE + 1)]
    return tuple(tuple(f"track{side}.{hole}" for hole in holes) for side in range(1, sides + 1))


# Motion

STEP: Final = 0.09
"""Seconds that a moving peg stays in each hole, slow enough to count along …"""
LONGEST: Final = 1.5
"""… but the whole move takes at most this many seconds."""
BLINK: Final = 0.5
"""Period in seconds of a blinking unsaved peg; half of it is dark."""
ACCEPTED: Final = (0.0, 0.5)
"""The times when the status light turns on and off, in seconds after the event: once …"""
REFUSED: Final = (0.0, 0.15, 0.4, 0.55, 0.8, 0.95)
"""… or three times."""
CELEBRATION: Final = 6.0
"""Seconds of a celebration."""
CELEBRATION_FRAME: Final = 0.04
"""Seconds between the celebration's frames."""


class Walk(NamedTuple):
    """A front peg moving from the hole of `origin` (a score) to that of its side's score.

    It is also used when the board wakes and the last peg moves again.
    """

    side: int
    origin: int
    since: float


class Event(NamedTuple):
    """The table's answer to a line, for a board without a display."""

    kind: Literal["accepted", "refused"]
    since: float


def walk_hole(walk: Walk, board: Scoreboard, t: float) -> int:
    """Return the hole of a moving peg at time `t`."""
    start, end, step = _way(walk, board)
    done = max(0, floor((t - walk.since) / step + 1e-6)) if end != start else 0
    if done >= abs(end - start):
        return end
    return start + done if end > start else start - done


def walk_due(walk: Walk, board: Scoreboard, t: float) -> float | None:
    """Return the time of the peg's next step, or None once it has arrived."""
    start, end, step = _way(walk, board)
    if end == start or t >= walk.since + abs(end - start) * step - 1e-6 * step:
        return None
    return walk.since + (max(0, floor((t - walk.since) / step + 1e-6)) + 1) * step


def _way(walk: Walk, board: Scoreboard) -> tuple[int, int, float]:
    start = at(walk.origin, board.unit)
    end = at(board.standings[walk.side - 1].score, board.unit)
    return start, end, min(STEP, LONGEST / max(1, abs(end - start)))


def blink_dark(t: float) -> bool:
    """Return whether an unsaved peg is dark now."""
    return t % BLINK >= BLINK / 2


def blink_due(t: float) -> float:
    """Return the time at which an unsaved peg next changes."""
    return (floor(t / (BLINK / 2) + 1e-6) + 1) * BLINK / 2


def _flashes(event: Event) -> tuple[float, ...]:
    return ACCEPTED if event.kind == "accepted" else REFUSED


def event_lit(event: Event, t: float) -> bool | None:
    """Return whether the status light is on, or None once the answer has been shown."""
    flashes = _flashes(event)
    passed = bisect_right(flashes, t - event.since + 1e-6)
    return passed % 2 == 1 if passed < len(flashes) else None


def event_due(event: Event, t: float) -> float | None:
    """Return the time of the next change, or None once nothing more changes."""
    flashes = _flashes(event)
    passed = bisect_right(flashes, t - event.since + 1e-6)
    return event.since + flashes[passed] if passed < len(flashes) else None


def celebration_hole(number: int, since: float, t: float) -> bool:
    """Return whether a hole of the winner's track is lit. Groups of three lights move round the
    track and pass each hole twice a second."""
    return (number - floor((t - since) * 24)) % 12 < 3


def celebration_due(since: float, t: float) -> float | None:
    """Return the time of the celebration's next frame, or None once it is over."""
    if t >= since + CELEBRATION - 1e-6:
        return None
    frames = max(0, floor((t - since) / CELEBRATION_FRAME + 1e-6)) + 1
    return since + min(CELEBRATION, frames * CELEBRATION_FRAME)


DIGIT: Final = (1.2, 0.4)
"""Seconds that a digit is lit, and seconds of darkness after it."""
TURNS: Final = 3
"""The number of times that all digits are shown, with a pause of one digit between."""


class Spelled(NamedTuple):
    """Digits shown as lights, one after the other, for a board without a display."""

    digits: str
    since: float


def spelled_holes(spelled: Spelled, t: float) -> int | None:
    """Return the number of lit holes: the digit, or ten for a 0, and none between digits. Return
    None once all digits have been shown."""
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
    """Return the time of the next change, or None once nothing more changes."""
    if spelled_holes(spelled, t) is None:
        return None
    length = sum(DIGIT)
    begun = spelled.since + floor((t - spelled.since) / length + 1e-6) * length
    dark = begun + DIGIT[0]
    return dark if t < dark - 1e-6 else begun + length
