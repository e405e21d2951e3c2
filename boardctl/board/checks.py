"""Checks that a layout can be built and that every game can be played on it.

A failed check raises LayoutError, which names the lamps.
"""

from __future__ import annotations

from collections.abc import Iterator
from math import dist

from boardctl.board.shape import (
    APART,
    CIRCUIT,
    GAME_HOLE,
    GAMES_WON,
    WALL,
    Layout,
    LayoutError,
    Place,
)
from boardctl.message import Message


def check(layout: Layout) -> None:
    """Raise LayoutError if a board cannot be built from this layout."""
    _check_names(layout)
    _check_distances(layout)
    _check_outline(layout)


def required(tracks: int, laps: int) -> Iterator[str]:
    """Return the names of the lamps that every board must have."""
    yield "status"
    for side in range(1, tracks + 1):
        yield from (f"track{side}.start1", f"track{side}.start2", f"track{side}.{GAME_HOLE}")
        yield from (f"track{side}.{hole}" for hole in range(1, CIRCUIT // laps + 1))
        yield from (f"won{side}.{n}" for n in range(1, GAMES_WON + 1))
        yield from (f"dealer{side}", f"turn{side}")
        if laps > 1:
            yield from (f"lap{side}.{n}" for n in range(1, laps + 1))


def _names(layout: Layout) -> set[str]:
    known = set(required(layout.tracks, layout.laps)) | set(layout.lines)
    for side in range(1, layout.tracks + 1):
        known |= {f"won{side}.{n}" for n in range(1, layout.count(f"won{side}") + 1)}
    return known | {f"{mark}{seat}" for mark in ("dealer", "turn") for seat in range(1, 5)}


def _check_names(layout: Layout) -> None:
    for name in (*required(layout.tracks, layout.laps), *layout.lines):
        if name not in layout.ledmap:
            raise _wrong(layout, "no-led", name=name)
    known = _names(layout)
    for lamp in layout.lamps:
        if lamp.name not in known:
            fields = {"index": lamp.index, "name": lamp.name, "tracks": layout.tracks}
            raise _wrong(layout, "no-such-lamp", **fields)


def _check_distances(layout: Layout) -> None:
    """Check that there is enough material between holes and enough space between pieces of
    strip."""
    names = {lamp.index: lamp.name for lamp in layout.lamps}
    pairs = list(_too_near(layout))
    # A pair of holes makes a clearer message than a pair of hidden LEDs.
    pairs.sort(key=lambda pair: (pair[0] not in names) + (pair[1] not in names))
    for one, other, apart, least in pairs:
        raise _wrong(
            layout,
            "too-near",
            one=_named(names, one),
            two=_named(names, other),
            apart=f"{apart:.1f}",
            least=f"{least:g}",
        )


def _too_near(layout: Layout) -> Iterator[tuple[int, int, float, float]]:
    """Return the pairs of LEDs that are too close, with their distance and the minimum distance. A
    grid speeds up the search."""
    cells: dict[tuple[int, int], list[tuple[int, int, Place]]] = {}
    need = max(APART, layout.hole + WALL)
    for number, run in enumerate(layout.runs):
        for index, place in enumerate(run.places, run.first):
            column, row = int(place[0] // need), int(place[1] // need)
            for x in (column - 1, column, column + 1):
                for y in (row - 1, row, row + 1):
                    for other, other_run, other_place in cells.get((x, y), ()):
                        apart = dist(place, other_place)
                        one_strip = number == other_run and run.strip is not None
                        least = layout.hole + WALL if one_strip else need
                        if apart < least - 0.01:
                            yield other, index, apart, least
            cells.setdefault((column, row), []).append((index, number, place))


def _wrong(layout: Layout, code: str, **fields: object) -> LayoutError:
    return LayoutError(code, f"layout {layout.name}", **fields)


def _named(names: dict[int, str], index: int) -> str | Message:
    """Return a lamp's name, or the number of a dark LED."""
    return names.get(index) or Message("failure", "dark-led", {"index": index})


def _check_outline(layout: Layout) -> None:
    edge = layout.hole / 2 + WALL
    windows = {"display": layout.display, "keypad": layout.keypad}
    for name, window in windows.items():
        if window.x + window.width > layout.width or window.y + window.height > layout.height:
            raise _wrong(layout, "window-outside", window=name)
    for lamp in layout.lamps:
        inside = edge <= lamp.x <= layout.width - edge and edge <= lamp.y <= layout.height - edge
        if not inside:
            raise _wrong(
                layout,
                "lamp-outside",
                name=lamp.name,
                x=f"{lamp.x:g}",
                y=f"{lamp.y:g}",
                width=f"{layout.width:g}",
                height=f"{layout.height:g}",
            )
        for name, window in windows.items():
            if window.near(lamp.x, lamp.y, edge):
                fields = {"name": lamp.name, "window": name}
                raise _wrong(layout, "lamp-in-window", **fields)
        for place in layout.mounting_holes:
            if dist(place, (lamp.x, lamp.y)) < edge + layout.mounting_hole_diameter / 2:
                fields = {"name": lamp.name, "x": f"{place[0]:g}", "y": f"{place[1]:g}"}
                raise _wrong(layout, "lamp-on-hole", **fields)
