"""Scoreboard, preview and time -> Frame. Pure.

`lit` returns the lit lamps by name, `render` the frame for the strip, and `settled` the time of the
next change. docs/board.md explains every light.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice
from typing import Literal, NamedTuple

from boardctl.board.motion import (
    CELEBRATION,
    Event,
    Spelled,
    Walk,
    blink_dark,
    blink_due,
    celebration_due,
    celebration_hole,
    event_due,
    event_lit,
    spelled_due,
    spelled_holes,
    walk_due,
    walk_hole,
)
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
    between,
    colour_of,
    scaled,
)
from boardctl.board.pegs import at, lamps, pips, spot
from boardctl.board.shape import CIRCUIT, GAME_HOLE, Layout, LayoutError
from boardctl.games import Line, Scoreboard

__all__ = ["Event", "Picture", "Preview", "Spelled", "Waiting", "Walk", "lit", "render", "settled"]

Waiting = Literal["network", "phone"]
"""What the board waits for: a network, or a phone that joins its own Wi-Fi."""


class Preview(NamedTuple):
    """A counted hand, shown ahead of its side's front peg until it is pegged."""

    side: int
    points: int


class Picture(NamedTuple):
    """What to show.

    scoreboard: the game's current state.
    unsaved: the sides whose pegs are not on disk yet; they blink.
    won: games won by side.
    preview: a counted hand that is not pegged yet.
    walks: moving front pegs; pegs that have arrived may stay here.
    event: the last answer to a line.
    celebrate: when the game was won, for the winner's lights; None for none.
    brightness: of the whole board, from 0 to 1; at least `DARKEST`.
    odds: side 1's chance of winning, for the status light while it has nothing else to show.
    spelled: digits shown as light, instead of everything else.
    waiting: what the board waits for, shown by the status light while it has no answer to show.
    """

    scoreboard: Scoreboard
    unsaved: frozenset[int] = frozenset()
    won: tuple[int, ...] = ()
    preview: Preview | None = None
    walks: tuple[Walk, ...] = ()
    event: Event | None = None
    celebrate: float | None = None
    brightness: float = 1.0
    spelled: Spelled | None = None
    odds: float | None = None
    waiting: Waiting | None = None


def lit(layout: Layout, picture: Picture, t: float) -> dict[str, Colour]:
    """The lit lamps by name, at time `t` in seconds.

    Raises:
        LayoutError: if there are more sides than tracks.
    """
    sides = len(picture.scoreboard.standings)
    if sides > layout.tracks:
        raise LayoutError(
            f"layout {layout.name} has {layout.tracks} tracks, which is too few for {sides} sides"
        )
    digit_holes = None if picture.spelled is None else spelled_holes(picture.spelled, t)
    if digit_holes is None:
        lights = _levels(layout, picture, t)
    else:
        lights = {f"track1.{number}": (NEUTRAL, FRONT) for number in range(1, digit_holes + 1)}
    brightness = max(DARKEST, min(1.0, picture.brightness))
    return {name: scaled(colour, level * brightness) for name, (colour, level) in lights.items()}


def render(layout: Layout, picture: Picture, t: float) -> Frame:
    """The frame of the whole strip. Raises LayoutError as `lit` does."""
    frame = bytearray(3 * layout.leds)
    for name, colour in lit(layout, picture, t).items():
        place = 3 * layout.ledmap[name]
        frame[place], frame[place + 1], frame[place + 2] = colour
    return bytes(frame)


def settled(picture: Picture, t: float) -> float | None:
    """The time when the picture shown at `t` changes by itself; None if nothing moves."""
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


def _levels(layout: Layout, picture: Picture, t: float) -> _Lights:
    """Lamp -> colour and level; later entries override earlier ones."""
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
    answer = None if picture.event is None else event_lit(picture.event, t)
    if answer and picture.event is not None:
        lights["status"] = (_ANSWER[picture.event.kind], FRONT)
    elif answer is None and picture.unsaved:
        lights["status"] = (NEUTRAL, BACK)
    elif answer is None and picture.waiting is not None:
        if picture.waiting == "phone" or not blink_dark(t):
            lights["status"] = (NEUTRAL, FRONT)
    elif answer is None and picture.odds is not None and not board.over:
        lights["status"] = (between(picture.odds), PREVIEW)
    if picture.celebrate is not None and board.winner is not None:
        _light_celebration(layout, board.winner, picture.celebrate, t, lights)
    return lights


_ANSWER = {"accepted": NEUTRAL, "refused": SIDES[0]}


def _light_line(
    layout: Layout, line: Line, passed: bool, tracks: tuple[_Holes, ...], lights: _Lights
) -> None:
    """Light a line that somebody has not passed: one with a lamp (the skunk lines) once the leader
    has passed it, any other until everybody has."""
    if line.name in layout.lines:
        if not passed:
            return
        lights[line.name] = (NEUTRAL, FRONT)
    if layout.lines.get(line.name) != line.hole:
        _light_pair(line.hole, tracks, lights)


def _light_pair(number: int, tracks: tuple[_Holes, ...], lights: _Lights) -> None:
    """Light the holes on either side of a line faintly, on every track in play."""
    for holes in tracks:
        lights[holes[number - 1]] = lights[holes[number]] = (NEUTRAL, FAINT)


def _light_side(
    layout: Layout, picture: Picture, side: int, holes: _Holes, end: int, t: float, lights: _Lights
) -> None:
    """Light one side's pegs, its pips, and its previewed hand; `end` is the hole of its score."""
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
    """The holes of a remainder's pips: the nearest free ones behind the front peg (so that they are
    never past a line that the score has not reached), or ahead if there are too few behind."""
    behind = [number for number in range(front - 1, 0, -1) if not taken(number)]
    if len(behind) >= count:
        yield from behind[:count]
    else:
        ahead = (number for number in range(front + 1, CIRCUIT + 1) if not taken(number))
        yield from islice(ahead, count)


def _mark(layout: Layout, board: Scoreboard, mark: str, seat: int) -> str:
    """The lamp of a seat, or of its side if the board has none for the seat."""
    name = f"{mark}{seat}"
    if name in layout.ledmap:
        return name
    return f"{mark}{(seat - 1) % len(board.standings) + 1}"


def _light_won(layout: Layout, side: int, games: int, lights: _Lights) -> None:
    """Light the games won; beyond a full row, the row is dim and the excess bright on it."""
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
