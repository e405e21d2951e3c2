"""Layouts: where the LEDs of a board are and what each of them means.

A layout is one TOML file (docs/layouts.md tells how to write one): pieces of LED strip, or single
pixels joined by wire, in the order in which the data passes through them, each with what its LEDs
light. The order of the LEDs on the wire (the ledmap), the picture on the page, the drill template
and the parts list all follow from that file alone.
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from boardctl.board.checks import check
from boardctl.board.shape import (
    GAME_HOLE,
    STRIPS,
    Lamp,
    Layout,
    LayoutError,
    Place,
    Run,
    Text,
    Window,
)

__all__ = ["Lamp", "Layout", "LayoutError", "load", "names", "parse"]

_FOLDER: Final = Path(__file__).with_name("layouts")


def names() -> tuple[str, ...]:
    """The layouts that ship with the package."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


def load(name: str) -> Layout:
    """A layout that ships with the package, by its name, or one's own, by the path of its file
    (which ends in `.toml`). Raises LayoutError."""
    if name.endswith(".toml"):
        file = Path(name)
    elif name in names():
        file = _FOLDER / f"{name}.toml"
    else:
        raise LayoutError(
            f"layout {name!r} does not exist; there are {', '.join(names())}, "
            "or the path of a file that ends in .toml"
        )
    try:
        text = file.read_text("utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise LayoutError(f"layout {name} can not be read: {error}") from error
    try:
        data = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise LayoutError(f"layout {file.name} is not TOML: {error}") from error
    return parse(file.stem, data)


def parse(name: str, data: Mapping[str, Any]) -> Layout:
    """Build a layout from its TOML, and check that such a board can be built and played on.

    Raises LayoutError.
    """
    top = _Table(name, "", data)
    title = top.text("title")
    width, height = top.pair("size")
    tracks = top.whole("tracks", 1, 4)
    laps = top.whole("laps", 1, 2, default=1)
    hole = top.number("hole", 1, 8, default=4.0)
    runs, lamps, ledmap = _read_runs(name, top.tables("run"))
    layout = Layout(
        name,
        title,
        width,
        height,
        tracks,
        runs[-1].first + len(runs[-1].places) if runs else 0,
        lamps,
        ledmap,
        laps,
        hole,
        top.number("corner", 0, 60, default=12.0),
        _read_lines(top.table("lines")),
        runs,
        _read_window(top.table("display")),
        _read_window(top.table("keypad")),
        top.places("fixings"),
        top.number("fixing", 2, 6, default=3.2),
        tuple(_read_text(table) for table in top.tables("text", least=0)),
    )
    top.finish()
    check(layout)
    return layout


def _read_runs(
    name: str, tables: list[_Table]
) -> tuple[tuple[Run, ...], tuple[Lamp, ...], dict[str, int]]:
    runs: list[Run] = []
    lamps: list[Lamp] = []
    ledmap: dict[str, int] = {}
    first = 0
    for table in tables:
        lights = _lights(table)
        run = _read_run(table, first, len(lights))
        for index, (light, (x, y)) in enumerate(zip(lights, run.places, strict=True), first):
            if light is None:
                continue
            if light in ledmap:
                raise LayoutError(
                    f"layout {name}: LEDs {ledmap[light]} and {index} are both {light}; "
                    "every lamp has one LED"
                )
            ledmap[light] = index
            lamps.append(Lamp(index, x, y, light))
        table.finish()
        runs.append(run)
        first += len(lights)
    return tuple(runs), tuple(lamps), ledmap


def _read_run(table: _Table, first: int, count: int) -> Run:
    wired = table.truth("wired")
    numbers = table.number("numbers", -40, 40) if "numbers" in table else None
    if "centre" in table:
        if not wired:
            raise table.error("centre", "an arc, which no strip can be bent to; say wired = true")
        centre = table.pair("centre")
        radius = table.number("radius", 1, 1000)
        start, end = table.pair("angles", least=-720)
        step = (end - start) / max(1, count - 1)
        turn = 90 if end >= start else -90
        places = tuple(_polar(centre, radius, start + n * step) for n in range(count))
        every = abs(math.radians(step)) * radius
        return Run(first, places, every, None, start + turn, end + turn, numbers)
    x, y = table.pair("from")
    heading = table.number("heading", -360, 360)
    every = table.number("every", 1, 100)
    strip = None
    if not wired:
        strip = next((n for n in STRIPS if abs(1000 / n - every) < 0.01), None)
        if strip is None:
            pitches = ", ".join(f"{1000 / n:.3f} ({n} a metre)" for n in STRIPS)
            raise table.error(
                "every",
                f"a pitch that no strip has: in millimetres there are {pitches}; "
                "for single pixels joined by wire say wired = true",
            )
        every = 1000 / strip
    places = tuple(_polar((x, y), n * every, heading) for n in range(count))
    return Run(first, places, every, strip, heading, heading, numbers)


def _polar(centre: Place, radius: float, angle: float) -> Place:
    turn = math.radians(angle)
    return (
        round(centre[0] + radius * math.cos(turn), 3),
        round(centre[1] + radius * math.sin(turn), 3),
    )


def _lights(table: _Table) -> list[str | None]:
    """What each LED lights, None for dark: `track1.1-30/5` is thirty lamps with a dark LED after
    every five, `-` one dark LED, `-*4` four, and any other word the lamp of that name."""
    lights: list[str | None] = []
    for word in table.text("lights").split():
        if word.startswith("-"):
            times = word.removeprefix("-*") if word != "-" else "1"
            if not times.isdecimal():
                raise table.error("lights", f"which has {word!r}: dark LEDs are - or -*NUMBER")
            lights += [None] * int(times)
            continue
        group, dot, span = word.rpartition(".")
        span, slash, size = span.partition("/")
        first, dash, last = span.partition("-")
        if not dot or not dash or not (first + last).isdecimal():
            lights.append(word)
            continue
        if slash and not (size.isdecimal() and int(size)):
            raise table.error("lights", f"which has {word!r}: a group's size follows the /")
        step = 1 if int(first) <= int(last) else -1
        for n, number in enumerate(range(int(first), int(last) + step, step)):
            if slash and n and n % int(size) == 0:
                lights.append(None)
            lights.append(f"{group}.{number}")
    if not lights:
        raise table.error("lights", "which names no LED")
    return lights


def _read_lines(table: _Table) -> Mapping[str, int]:
    lines = {name: table.whole(name, 2, GAME_HOLE) for name in table}
    table.finish()
    return lines


def _read_window(table: _Table) -> Window:
    (x, y), (width, height) = table.pair("at"), table.pair("size")
    table.finish()
    return Window(x, y, width, height)


def _read_text(table: _Table) -> Text:
    x, y = table.pair("at")
    text = Text(x, y, table.number("size", 1.5, 60, default=3.0), table.text("text"))
    table.finish()
    return text


class _Table:
    """One table of the TOML file; each getter checks its key and says what was allowed."""

    def __init__(self, layout: str, where: str, data: Any) -> None:
        self._layout = layout
        self._where = where
        if not isinstance(data, Mapping):
            name = where.strip(" .:")
            raise LayoutError(f"layout {layout}: {name} must be a table, not {data!r}")
        self._data = data
        self._asked: list[str] = []

    def __contains__(self, key: str) -> bool:
        if key not in self._asked:
            self._asked.append(key)
        return key in self._data

    def __iter__(self) -> Any:
        return iter(self._data)

    def error(self, key: str, why: str) -> LayoutError:
        value = f" = {self._data[key]!r}" if key in self._data else ""
        return LayoutError(f"layout {self._layout}: {self._where}{key}{value} is {why}")

    def _get(self, key: str, allowed: str, default: Any = None) -> Any:
        if key in self:
            return self._data[key]
        if default is None:
            raise LayoutError(
                f"layout {self._layout}: {self._where}{key} is missing; it is {allowed}"
            )
        return default

    def text(self, key: str) -> str:
        value = self._get(key, "a text")
        if not isinstance(value, str) or not value.strip():
            raise self.error(key, "not allowed: it must be a text")
        return value

    def truth(self, key: str) -> bool:
        value = self._get(key, "true or false", default=False)
        if not isinstance(value, bool):
            raise self.error(key, "not allowed: it must be true or false")
        return value

    def number(self, key: str, least: float, most: float, default: float | None = None) -> float:
        allowed = f"a number from {least:g} to {most:g}"
        value = self._get(key, allowed, default)
        if not _is_number(value) or not least <= value <= most:
            raise self.error(key, f"not allowed: it must be {allowed}")
        return float(value)

    def whole(self, key: str, least: int, most: int, default: int | None = None) -> int:
        value = self.number(key, least, most, default)
        if value != int(value):
            raise self.error(key, "not allowed: it must be a whole number")
        return int(value)

    def pair(self, key: str, least: float = 0) -> Place:
        value = self._get(key, "two numbers")
        return self._place(key, value, least)

    def _place(self, key: str, value: Any, least: float = 0) -> Place:
        if (
            not isinstance(value, list)
            or len(value) != 2
            or not all(_is_number(n) and least <= n <= 2000 for n in value)
        ):
            raise self.error(key, f"not allowed: it must be two numbers from {least:g} to 2000")
        return float(value[0]), float(value[1])

    def places(self, key: str) -> tuple[Place, ...]:
        value = self._get(key, "a list of places", default=[])
        if not isinstance(value, list):
            raise self.error(key, "not allowed: it must be a list of places such as [[8, 8]]")
        return tuple(self._place(key, place) for place in value)

    def table(self, key: str) -> _Table:
        return _Table(self._layout, f"{key}.", self._get(key, "a table"))

    def tables(self, key: str, least: int = 1) -> list[_Table]:
        value = self._get(key, f"a table [[{key}]], as often as needed", default=[])
        if not isinstance(value, list) or len(value) < least:
            raise LayoutError(f"layout {self._layout}: there is no [[{key}]]; one is needed")
        return [_Table(self._layout, f"{key} {n}: ", item) for n, item in enumerate(value, 1)]

    def finish(self) -> None:
        """Raises LayoutError for a key that nobody asked for."""
        for key in self._data:
            if key not in self._asked:
                raise LayoutError(
                    f"layout {self._layout}: {self._where}{key} is not known; "
                    f"allowed are {', '.join(sorted(self._asked))}"
                )


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value)
