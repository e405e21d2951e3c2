"""The shape of a board: the data of a layout file, and its minimum distances. All lengths are in
millimetres. The origin is the top left corner; x points right and y points down.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

from boardctl.options import SchemaError

GAME_HOLE: Final = 121
"""The hole beyond the 120 of the track (rules 11.1)."""
CIRCUIT: Final = 120
STRIPS: Final = (30, 60, 96, 100, 144)
"""The available numbers of LEDs per metre of WS2812B, APA102 and SK9822 strips."""
APART: Final = 10.0
"""The minimum distance in millimetres between LEDs of different pieces. A strip and the round board
of a single pixel are 10 mm wide."""
WALL: Final = 1.5
"""The minimum amount of material between two drilled holes, in millimetres."""
GAMES_WON: Final = 7
"""The minimum number of games-won lamps per side (rules 11.2: extra holes record games won)."""

Place = tuple[float, float]


class LayoutError(SchemaError):
    """An invalid layout."""


class Lamp(NamedTuple):
    """One LED: its index in the data order, its centre in millimetres (x to the right, y downwards
    from the top left corner), and the name of its lamp: `track1.57`, `won2.3`, `skunk` …"""

    index: int  # type: ignore[assignment]  # replaces tuple.index
    x: float
    y: float
    name: str


class Run(NamedTuple):
    """One piece of strip or a chain of single pixels, in the order of the data signal.

    `first` is the index of the run's first LED. `places` contains the centres of all its LEDs,
    including dark ones. `leaves` and `arrives` are the directions at its two ends, in degrees (0
    right, 90 down). `strip` is in LEDs per metre, or None for single pixels joined by wire.
    `numbers` is the distance in millimetres from the data line to the hole numbers, positive to the
    right of it and negative to the left.
    """

    first: int
    places: tuple[Place, ...]
    every: float
    strip: int | None
    leaves: float
    arrives: float
    numbers: float | None = None


class Window(NamedTuple):
    """An opening in the front plate: its top left corner and size in millimetres."""

    x: float
    y: float
    width: float
    height: float

    def near(self, x: float, y: float, by: float) -> bool:
        """Return whether a point is inside, or closer than `by` millimetres."""
        return (
            self.x - by < x < self.x + self.width + by
            and self.y - by < y < self.y + self.height + by
        )


class Text(NamedTuple):
    """An engraved text, centred at (x, y), `size` millimetres high."""

    x: float
    y: float
    size: float
    text: str


@dataclass(frozen=True, eq=False, repr=False)
class Layout:
    """A board: its outline in millimetres, the number of LEDs, and the lamps.

    `laps` is the number of laps that the pegs make (2 if the track has 60 holes). `lines` contains
    the holes before which the line of a lamp is drawn, e.g. {"skunk": 91}.
    """

    name: str
    title: str
    width: float
    height: float
    tracks: int
    leds: int
    lamps: tuple[Lamp, ...]
    ledmap: Mapping[str, int]
    laps: int
    hole: float
    corner: float
    lines: Mapping[str, int]
    runs: tuple[Run, ...]
    display: Window
    keypad: Window
    mounting_holes: tuple[Place, ...]
    mounting_hole_diameter: float
    texts: tuple[Text, ...]

    def index(self) -> Mapping[str, int]:
        """The ledmap: each lamp's index in the data order, by the lamp's name."""
        return self.ledmap

    def count(self, group: str) -> int:
        """Return the number of lamps in a group such as `won1` (`won1.1`, `won1.2` …)."""
        return self._counts.get(group, 0)

    @cached_property
    def _counts(self) -> Mapping[str, int]:
        counts = {name.rpartition(".")[0]: 0 for name in self.ledmap}
        for group in counts:
            while f"{group}.{counts[group] + 1}" in self.ledmap:
                counts[group] += 1
        return counts
