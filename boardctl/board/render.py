"""Scoreboard, preview and time -> Frame. Pure; golden frames test it.

Front pegs are steady and bright, rear pegs dim; a peg whose line is not yet on disk blinks.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from boardctl.board.layout import Layout
from boardctl.board.pegs import Peg, hole
from boardctl.games import Scoreboard
from boardctl.ports import Colour, Frame

PALETTE: Final = (Colour(255, 96, 0), Colour(0, 64, 255))
"""Orange and blue, far apart for every kind of colour vision."""
BLINK: Final = 0.5
"""Seconds of a blink, half of it dark."""


@dataclass(frozen=True, slots=True)
class Picture:
    """What there is to show: the scores, and the sides whose pegs are not saved yet."""

    scoreboard: Scoreboard
    unsaved: frozenset[int] = frozenset()


def lit(layout: Layout, picture: Picture, t: float) -> dict[str, Colour]:
    """What is lit at time `t` in seconds, by name."""
    lights: dict[str, Colour] = {}
    for side, standing in enumerate(picture.scoreboard.standings, 1):
        colour = PALETTE[(side - 1) % len(PALETTE)]
        front = hole(standing.score, picture.scoreboard.unit)
        back = hole(standing.before, picture.scoreboard.unit)
        dark = side in picture.unsaved and t % BLINK >= BLINK / 2
        lights[_name(side, back, "start1")] = Colour(*(c // 8 for c in colour))
        if not dark:
            lights[_name(side, front, "start2")] = colour
    return lights


def _name(side: int, peg: Peg, start: str) -> str:
    return f"track{side}.{peg.hole or start}"


def render(layout: Layout, picture: Picture, t: float) -> Frame:
    """The frame of the whole strip."""
    frame = bytearray(3 * layout.leds)
    places = layout.index()
    for name, colour in lit(layout, picture, t).items():
        frame[3 * places[name] : 3 * places[name] + 3] = bytes(colour)
    return bytes(frame)
