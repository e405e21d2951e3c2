"""Layouts: where the LEDs of a board are and what each of them means.

A layout is one TOML file in `layouts/`: pieces of LED strip (`[[run]]`) in the order in which the
data passes through them, each straight or bent, with what every LED on it lights. The order of
the LEDs on the wire (the ledmap), the picture on the page, and the drill template all follow from
that file alone.
"""

from __future__ import annotations

import math
import tomllib
from dataclasses import dataclass
from importlib import resources
from typing import Any


class LayoutError(ValueError):
    """A layout that no board could have; the message is one sentence."""


@dataclass(frozen=True, slots=True)
class Lamp:
    """One LED: its place on the wire, its centre in millimetres (y grows away from the reader's
    top edge), and the name of what it lights: `track1.57`, `won2.3`, `skunk` …"""

    index: int
    x: float
    y: float
    name: str


@dataclass(frozen=True, slots=True)
class Layout:
    """A board: its outline in millimetres, how many LEDs are on the wire, and the lit ones."""

    name: str
    title: str
    width: float
    height: float
    tracks: int
    leds: int
    lamps: tuple[Lamp, ...]

    def index(self) -> dict[str, int]:
        """Name -> place on the wire (the ledmap)."""
        return {lamp.name: lamp.index for lamp in self.lamps}


def load(name: str) -> Layout:
    """A layout that ships with the package. Raises LayoutError."""
    source = resources.files("boardctl.board") / "layouts" / f"{name}.toml"
    if not source.is_file():
        raise LayoutError(f"layout {name!r} does not exist; there are {', '.join(names())}")
    return parse(name, tomllib.loads(source.read_text("utf-8")))


def names() -> tuple[str, ...]:
    """The layouts that ship with the package."""
    folder = resources.files("boardctl.board") / "layouts"
    return tuple(
        sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml"))
    )


def parse(name: str, data: dict[str, Any]) -> Layout:
    """Build a layout from its TOML. Raises LayoutError."""
    lamps: list[Lamp] = []
    seen: dict[str, int] = {}
    index = 0
    for run in data["run"]:
        x, y = run["from"]
        heading = math.radians(run["heading"])
        for light in _lights(run["lights"]):
            if light is not None:
                if light in seen:
                    raise LayoutError(f"layout {name}: LEDs {seen[light]} and {index} are {light}")
                seen[light] = index
                lamps.append(Lamp(index, round(x, 3), round(y, 3), light))
            index += 1
            x += run["pitch"] * math.cos(heading)
            y += run["pitch"] * math.sin(heading)
    size = data["size"]
    return Layout(name, data["title"], size[0], size[1], data["tracks"], index, tuple(lamps))


def _lights(text: str) -> list[str | None]:
    """`track1.1-5 - track1.6-10 skunk` -> the name of what each LED lights, None for dark."""
    lights: list[str | None] = []
    for word in text.split():
        if word == "-":
            lights.append(None)
            continue
        group, dot, span = word.rpartition(".")
        first, dash, last = span.partition("-")
        if not dot or not dash or not (first + last).isdigit():
            lights.append(word)
            continue
        step = 1 if int(first) <= int(last) else -1
        lights += (f"{group}.{n}" for n in range(int(first), int(last) + step, step))
    return lights
