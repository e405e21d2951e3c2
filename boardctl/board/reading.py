"""Read a decoded frame as a person would, by naming the positions of the pegs.

The result is the light that is actually lit, not the light that was intended. The board should be
at rest, because a blinking or moving peg may be missing.
"""

from __future__ import annotations

from boardctl.board.palette import (
    BACK,
    DARKEST,
    FAINT,
    FRONT,
    NEUTRAL,
    PREVIEW,
    Colour,
    Frame,
)
from boardctl.board.render import colour_of, scaled
from boardctl.board.shape import CIRCUIT, GAME_HOLE, Layout

Reading = dict[str, int | bool]


def lights(layout: Layout, frame: Frame) -> dict[str, Colour]:
    """Return the lamps that are lit, by name."""
    found = {}
    for lamp in layout.lamps:
        colour = Colour(*frame[3 * lamp.index : 3 * lamp.index + 3])
        if any(colour):
            found[lamp.name] = colour
    return found


def reading(layout: Layout, frame: Frame, brightness: float = 1.0) -> Reading:
    """Return the meaning of the lights. `track1.front` and `.back` are holes (absent if the pegs
    are in the start holes). `.pips`, `.preview`, `.lap` and `.won` are numbers, if there are any.
    Other lamps are true.

    `brightness` is that of the rendered picture.
    """
    shown = lights(layout, frame)
    found: Reading = {}
    for side in range(1, layout.tracks + 1):
        _read_track(layout, shown, side, brightness, found)
        _read_won(layout, shown, side, brightness, found)
    for name in shown:
        if not name.startswith(("track", "won", "lap")):
            found[name] = True
    return found


def _level(colour: Colour, side: int, brightness: float) -> float | None:
    """Return the brightness level of a lamp in its side's colour, or None for the white of a
    line."""
    brightness = max(DARKEST, min(1.0, brightness))
    if colour == scaled(NEUTRAL, FAINT * brightness):
        return None
    levels = (FRONT, PREVIEW, BACK, FAINT)
    return next((n for n in levels if scaled(colour_of(side), n * brightness) == colour), None)


def _holes(
    shown: dict[str, Colour], side: int, circuit: int, brightness: float
) -> dict[float, list[int]]:
    """Return the lit holes on a side's track, by brightness level."""
    holes: dict[float, list[int]] = {FRONT: [], PREVIEW: [], BACK: [], FAINT: []}
    for number in (*range(1, circuit + 1), GAME_HOLE):
        colour = shown.get(f"track{side}.{number}")
        level = None if colour is None else _level(colour, side, brightness)
        if level is not None:
            holes[level].append(number)
    return holes


def _read_track(
    layout: Layout, shown: dict[str, Colour], side: int, brightness: float, found: Reading
) -> None:
    circuit = CIRCUIT // layout.laps
    track = f"track{side}"
    lap = sum(f"lap{side}.{number}" in shown for number in range(1, layout.laps + 1))
    holes = _holes(shown, side, circuit, brightness)
    fronts = holes[FRONT]
    front = 0
    if fronts:
        front = fronts[0] if fronts[0] == GAME_HOLE else fronts[0] + circuit * max(0, lap - 1)
        found[f"{track}.front"] = front
    if holes[BACK]:
        found[f"{track}.back"] = _nearest(holes[BACK][0], front, circuit, layout.laps)
    if holes[PREVIEW]:
        ahead = (number + circuit * n for number in holes[PREVIEW] for n in range(layout.laps))
        found[f"{track}.preview"] = next(
            (number for number in ahead if number > front), holes[PREVIEW][0]
        )
    elif holes[FAINT]:
        found[f"{track}.pips"] = len(holes[FAINT])
    if lap and front:
        found[f"{track}.lap"] = lap


def _nearest(place: int, front: int, circuit: int, laps: int) -> int:
    """Return the hole of a back peg: the last hole at this position that the front peg has
    passed."""
    if place == GAME_HOLE:
        return place
    passed = [n for n in range(place, circuit * laps + 1, circuit) if n <= front]
    return passed[-1] if passed else place


def _read_won(
    layout: Layout, shown: dict[str, Colour], side: int, brightness: float, found: Reading
) -> None:
    row = layout.count(f"won{side}")
    seen = [shown.get(f"won{side}.{number}") for number in range(1, row + 1)]
    bright = sum(
        colour is not None and _level(colour, side, brightness) == FRONT for colour in seen
    )
    games = bright if bright == row or not all(seen) else (bright or row) + row
    if games:
        found[f"track{side}.won"] = games
