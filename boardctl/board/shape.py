"""The shape of a board: the frozen picture of a layout file, and the measures it must keep.
All lengths are in millimetres; x grows to the right and y downwards from the top left corner.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

GAME_HOLE: Final = 121
"""The hole past the 120 of the track (rules 11.1)."""
CIRCUIT: Final = 120
STRIPS: Final = (30, 60, 96, 100, 144)
"""LEDs a metre that WS2812B, APA102 and SK9822 strips are sold with."""
APART: Final = 10.0
"""Millimetres between LEDs of different pieces: a strip, and the round board of a single pixel,
are 10 mm wide."""
WALL: Final = 1.5
"""Millimetres of material that must stay between two drilled holes."""
GAMES_WON: Final = 7
"""The fewest games-won lamps a side (rules 11.2: extra holes record games won)."""

Place = tuple[float, float]


class LayoutError(ValueError):
    """A layout that no board could have; the message is one sentence."""

    def __init__(self, sentence: str) -> None:
        """What no line of text can show, such as a line's end in a key, is told by its escape."""
        super().__init__("".join(c if c.isprintable() else repr(c)[1:-1] for c in sentence))


class Lamp(NamedTuple):
    """One LED: its place on the wire, its centre in millimetres (x to the right, y downwards
    from the top left corner), and the name of what it lights: `track1.57`, `won2.3`, `skunk` …"""

    index: int  # type: ignore[assignment]  # a lamp is never searched as a tuple
    x: float
    y: float
    name: str


class Run(NamedTuple):
    """One piece of strip, or a chain of single pixels, as the data passes through it.

    `first` is the index of its first LED and `places` are the centres of all, dark ones too;
    `leaves` and `arrives` are the directions in degrees (0 right, 90 down) at its two ends.
    `strip` is in LEDs a metre, None for single pixels joined by wire. `numbers` is how far to the
    right of the data's way the numbers of the holes begin, in millimetres (negative: left).
    """

    first: int
    places: tuple[Place, ...]
    every: float
    strip: int | None
    leaves: float
    arrives: float
    numbers: float | None = None


class Window(NamedTuple):
    """An opening in the front plate: top left corner and size in millimetres."""

    x: float
    y: float
    width: float
    height: float

    def near(self, x: float, y: float, by: float) -> bool:
        """Whether a point is inside, or nearer than `by` millimetres."""
        return (
            self.x - by < x < self.x + self.width + by
            and self.y - by < y < self.y + self.height + by
        )


class Text(NamedTuple):
    """Engraved words, centred at (x, y), `size` millimetres high."""

    x: float
    y: float
    size: float
    text: str


@dataclass(frozen=True)
class Layout:
    """A board: its outline in millimetres, how many LEDs are on the wire, and the lit ones.

    `laps` is how often the pegs go round (2 where the track has 60 holes); `lines` are the holes
    before which the line of a lamp is drawn, e.g. {"skunk": 91}.
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
    fixings: tuple[Place, ...]
    mounting_hole: float
    texts: tuple[Text, ...]

    def index(self) -> Mapping[str, int]:
        """Name -> place on the wire (the ledmap)."""
        return self.ledmap

    def count(self, group: str) -> int:
        """How many lamps `group.1`, `group.2` … there are, e.g. of `won1`."""
        return self._counts.get(group, 0)

    @cached_property
    def _counts(self) -> Mapping[str, int]:
        counts = {name.rpartition(".")[0]: 0 for name in self.ledmap}
        for group in counts:
            while f"{group}.{counts[group] + 1}" in self.ledmap:
                counts[group] += 1
        return counts
