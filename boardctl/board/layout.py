"""Layouts: the position and meaning of each LED of a board.

A layout is one TOML file (see docs/layouts.md). It lists the pieces of LED strip, or single pixels
joined by wire, in the order of the data signal, and the lamp that each LED represents. The order of
the LEDs (the ledmap), the picture on the page, the drill template and the parts list are all
derived from this file.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Final

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
from boardctl.message import Message
from boardctl.options import (
    Between,
    Key,
    Renamed,
    SchemaError,
    as_toml,
    expected,
    read_toml,
    structure,
)

__all__ = ["Lamp", "Layout", "LayoutError", "fitting", "load", "most_tracks", "names", "parse"]

_FOLDER: Final = Path(__file__).with_name("layouts")
_INSIDE: Final = Between(0, 2000)
"""Millimetres from the top left corner of the front plate."""


def names() -> tuple[str, ...]:
    """Return the names of the layouts that are shipped with the package."""
    return tuple(sorted(file.stem for file in _FOLDER.glob("*.toml")))


@cache
def most_tracks() -> int:
    """Return the highest number of tracks of any layout in the package."""
    return max(load(name).tracks for name in names())


def fitting(layout: Layout, sides: int) -> Layout:
    """Return the layout, or another one if it does not have enough tracks."""
    if sides <= layout.tracks:
        return layout
    return next((other for other in map(load, names()) if sides <= other.tracks), layout)


def load(name: str) -> Layout:
    """Load a layout by its name, or by the path of a file ending in `.toml`. Raises LayoutError.
    The package's own layouts are checked by the tests, and therefore not again at startup."""
    build = _build
    if name.endswith(".toml"):
        file, build = Path(name), parse
    elif name in names():
        file = _FOLDER / f"{name}.toml"
    else:
        raise LayoutError("no-layout", f"layout {name}", allowed=", ".join(names()))
    try:
        data = read_toml(file)
    except SchemaError as error:
        raise LayoutError.of(error).at(f"layout {name}") from error
    return build(file.stem, data)


# A dataclass's methods take time at every start, and these tables of the file are only read.


@dataclass(eq=False, repr=False)
class _WindowTable:
    """`[display]` and `[keypad]`: an opening with its top left corner and size, in millimetres."""

    at: Annotated[Place, _INSIDE]
    size: Annotated[Place, _INSIDE]


@dataclass(eq=False, repr=False)
class _TextTable:
    """`[[text]]`: an engraved text."""

    at: Annotated[Place, _INSIDE]
    text: str
    size: Annotated[float, Between(1.5, 60)] = 3.0


@dataclass(eq=False, repr=False)
class _RunTable:
    """`[[run]]`: LEDs in the order of the data signal, in a line or an arc (`centre`)."""

    lights: str
    wired: bool = False
    numbers: Annotated[float | None, Between(-40, 40)] = None
    start: Annotated[Place | None, _INSIDE, Key("from")] = None
    heading: Annotated[float | None, Between(-360, 360)] = None
    every: Annotated[float | None, Between(1, 100)] = None
    centre: Annotated[Place | None, _INSIDE] = None
    radius: Annotated[float | None, Between(1, 1000)] = None
    angles: Annotated[Place | None, Between(-720, 2000)] = None


@dataclass(eq=False, repr=False)
class _LayoutTable:
    """The whole layout file."""

    title: str
    size: Annotated[Place, _INSIDE]
    tracks: Annotated[int, Between(1, 4)]
    display: _WindowTable
    keypad: _WindowTable
    run: tuple[_RunTable, ...]
    laps: Annotated[int, Between(1, 2)] = 1
    hole: Annotated[float, Between(1, 8)] = 4.0
    corner: Annotated[float, Between(0, 60)] = 12.0
    lines: Mapping[str, int] = field(default_factory=dict)
    mounting_holes: Annotated[tuple[Place, ...], _INSIDE, Renamed("fixings")] = ()
    mounting_hole_diameter: Annotated[float, Between(2, 6), Renamed("fixing")] = 3.2
    text: tuple[_TextTable, ...] = ()


def parse(name: str, data: Mapping[str, Any]) -> Layout:
    """Build a layout from its TOML data, and check that the board can be built and played on.
    Raises LayoutError.
    """
    from boardctl.board.checks import check

    layout = _build(name, data)
    check(layout)
    return layout


def _build(name: str, data: Mapping[str, Any]) -> Layout:
    try:
        file = structure(data, _LayoutTable)
        runs, lamps, ledmap = _read_runs(file.run)
        _check_words(file)
    except SchemaError as error:
        raise LayoutError.of(error).at(f"layout {name}") from error
    return Layout(
        name,
        file.title,
        *file.size,
        file.tracks,
        runs[-1].first + len(runs[-1].places),
        lamps,
        ledmap,
        file.laps,
        file.hole,
        file.corner,
        file.lines,
        runs,
        Window(*file.display.at, *file.display.size),
        Window(*file.keypad.at, *file.keypad.size),
        file.mounting_holes,
        file.mounting_hole_diameter,
        tuple(Text(*text.at, text.size, text.text) for text in file.text),
    )


def _check_words(file: _LayoutTable) -> None:
    if not file.title.strip():
        raise expected(Message("allowed", "text"), file.title, "title")
    for line, hole in file.lines.items():
        if not 2 <= hole <= GAME_HOLE:
            raise expected(Message("allowed", "hole", {"most": GAME_HOLE}), hole, f"lines.{line}")


def _read_runs(
    tables: tuple[_RunTable, ...],
) -> tuple[tuple[Run, ...], tuple[Lamp, ...], dict[str, int]]:
    if not tables:
        raise expected(Message("allowed", "run"), [], "run")
    runs: list[Run] = []
    lamps: list[Lamp] = []
    ledmap: dict[str, int] = {}
    first = 0
    for number, table in enumerate(tables, 1):
        where = f"run {number}"
        lights = _lights(table.lights, where)
        run = _read_run(table, where, first, len(lights))
        for index, (light, (x, y)) in enumerate(zip(lights, run.places, strict=True), first):
            if light is None:
                continue
            if light in ledmap:
                raise SchemaError("lit-twice", one=ledmap[light], other_led=index, name=light)
            ledmap[light] = index
            lamps.append(Lamp(index, x, y, light))
        runs.append(run)
        first += len(lights)
    return tuple(runs), tuple(lamps), ledmap


def _check_run(wanted: Mapping[str, object], other: Mapping[str, object], where: str) -> None:
    """Check that a run has either all the keys of an arc or all the keys of a line."""
    for name, value in wanted.items():
        if value is None:
            raise SchemaError("run-incomplete", f"{where}.{name}", wanted=", ".join(wanted))
    for name, value in other.items():
        if value is not None:
            raise SchemaError("run-both", f"{where}.{name}", wanted=", ".join(wanted))


def _strip(every: float, where: str) -> int:
    """Return the number of LEDs per metre on a strip with LEDs this far apart."""
    strip = next((n for n in STRIPS if abs(1000 / n - every) < 0.01), None)
    if strip is None:
        pitches = ", ".join(f"{1000 / n:.3f} ({n}/m)" for n in STRIPS)
        raise SchemaError("not-a-pitch", f"{where}.every", pitches=pitches, value=f"{every:g}")
    return strip


def _read_run(table: _RunTable, where: str, first: int, count: int) -> Run:
    line = {"from": table.start, "heading": table.heading, "every": table.every}
    arc = {"centre": table.centre, "radius": table.radius, "angles": table.angles}
    wanted, other = (arc, line) if table.centre is not None else (line, arc)
    _check_run(wanted, other, where)
    if table.centre is not None and table.radius is not None and table.angles is not None:
        return _read_arc(table.centre, table.radius, table.angles, table, where, first, count)
    assert table.start is not None
    assert table.heading is not None
    assert table.every is not None
    strip = None if table.wired else _strip(table.every, where)
    every = table.every if strip is None else 1000 / strip
    places = tuple(_polar(table.start, n * every, table.heading) for n in range(count))
    return Run(first, places, every, strip, table.heading, table.heading, table.numbers)


def _read_arc(
    centre: Place,
    radius: float,
    angles: Place,
    table: _RunTable,
    where: str,
    first: int,
    count: int,
) -> Run:
    if not table.wired:
        raise SchemaError("bent-strip", f"{where}.centre")
    start, end = angles
    step = (end - start) / max(1, count - 1)
    turn = 90 if end >= start else -90
    places = tuple(_polar(centre, radius, start + n * step) for n in range(count))
    every = abs(math.radians(step)) * radius
    return Run(first, places, every, None, start + turn, end + turn, table.numbers)


def _polar(centre: Place, radius: float, angle: float) -> Place:
    turn = math.radians(angle)
    return (
        round(centre[0] + radius * math.cos(turn), 3),
        round(centre[1] + radius * math.sin(turn), 3),
    )


def _lamps_of(word: str, where: str) -> Iterator[str | None]:
    """Return the lamps named by a word, with a dark LED after each group."""
    group, dot, span = word.rpartition(".")
    span, slash, size = span.partition("/")
    first, dash, last = span.partition("-")
    if not dot or not dash or not (first + last).isdecimal():
        yield word
        return
    if slash and not (size.isdecimal() and int(size)):
        raise expected(Message("allowed", "group-size"), word, f"{where}.lights")
    step = 1 if int(first) <= int(last) else -1
    for n, number in enumerate(range(int(first), int(last) + step, step)):
        if slash and n and n % int(size) == 0:
            yield None
        yield f"{group}.{number}"


def _lights(words: str, where: str) -> list[str | None]:
    """Return the lamp of each LED, or None for a dark one: `track1.1-30/5` means thirty lamps with
    a dark LED after every five, `-` one dark LED, `-*4` four dark LEDs, and any other word the lamp
    of that name."""
    lights: list[str | None] = []
    for word in words.split():
        if word.startswith("-"):
            times = word.removeprefix("-*") if word != "-" else "1"
            if not times.isdecimal():
                raise SchemaError("dark-leds", f"{where}.lights", value=as_toml(word))
            lights += [None] * int(times)
        else:
            lights += _lamps_of(word, where)
    if not lights:
        raise expected(Message("allowed", "led"), "", f"{where}.lights")
    return lights
