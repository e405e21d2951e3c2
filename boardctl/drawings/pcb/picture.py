"""A picture of a circuit board for its page: the front with its parts, or the back."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin
from typing import Final

from boardctl.board.shape import Place
from boardctl.drawings.pcb import silk
from boardctl.drawings.pcb.design import Design, Placed
from boardctl.drawings.pcb.footprints import FET, LED
from boardctl.drawings.pcb.router import BACK, FRONT
from boardctl.drawings.sheet import Box, Circle, Layer, Line, Sheet, Words

GREEN = Layer("mask", "#0c2a17", 0.3, "#14532d")
OPEN = Layer("opening", "#0c2a17", 0.3, "#ffffff")
WIRE = (Layer("front wires", "#2f8f57", 0.3), Layer("back wires", "#2f8f57", 0.3))
COPPER = Layer("copper", "#2f8f57", 0.3, "#1d6b3c")
PAD = Layer("pads", "#c9a227", 0.1, "#e0c068")
BODY = Layer("bodies", "#1c1c1c", 0.1, "#f2f0e8")
OTHER = Layer("other parts", "#1c1c1c", 0.1, "#3a3a3a")
SILK = Layer("print", "#f5f5f5", 0.2)


def side(made: Design, layer: int) -> Sheet:
    """One side of the board, FRONT or BACK; the back as seen after turning it over."""
    layout = made.layout
    name = "front" if layer == FRONT else "back"
    width = made.right - made.left
    panel = f"circuit board {made.panel}" if made.panel else "circuit board"
    sheet = Sheet(f"{layout.title}: {panel}, {name}", -4, -4, width + 4, layout.height + 4)

    def seen(x: float, y: float) -> Place:
        return (x - made.left if layer == FRONT else made.right - x, y)

    sheet.add(Box(GREEN, 0, 0, width, layout.height, layout.corner))
    if (opening := made.opening) is not None:
        left = seen(opening.x if layer == FRONT else opening.x + opening.width, 0)[0]
        sheet.add(Box(OPEN, left, opening.y, opening.width, opening.height, 1.0))
    for track in made.tracks:
        if track.layer == layer:
            sheet.add(Line(WIRE[layer], (seen(*track.start), seen(*track.end))))
    if layer == FRONT:
        for area in made.areas:
            sheet.add(Line(COPPER, tuple(seen(*corner) for corner in area.corners), closed=True))
    for x, y in layout.mounting_holes:
        if not made.left < x < made.right:
            continue
        sheet.add(Circle(OPEN, *seen(x, y), layout.mounting_hole_diameter))
    for part in made.parts:
        for pad in part.part.pads:
            if layer == FRONT or pad.drill:
                corners = _corners(part, pad.x, pad.y, pad.width, pad.height)
                sheet.add(Line(PAD, tuple(seen(*c) for c in corners), closed=True))
        if part.part.back == (layer == BACK) and not part.part.is_bare:
            body = _corners(part, *part.part.centre, *part.part.size)
            kind = BODY if part.part is LED else OTHER
            sheet.add(Line(kind, tuple(seen(*c) for c in body), closed=True))
    sheet.add(*_named(made, layer, seen))
    if layer == FRONT:
        for part in made.parts:
            if part.part is LED and part.lamp:
                group, _, number = part.lamp.rpartition(".")
                words = number if group else part.lamp
                sheet.add(Words(SILK, *seen(*part.at(0, 4.4)), 0.9, words))
    return sheet


NAME: Final = 1.6
"""The height of a part's name in the picture."""


def _named(made: Design, layer: int, seen: Callable[[float, float], Place]) -> list[Words]:
    """The supply's + and -, and the names of the larger parts: on them, or above or below where
    there is nothing yet."""
    found = [
        Words(SILK, *seen(one.x, one.y), one.size, one.words)
        for one in silk.printed(made)
        if one.words in "+-" and one.layer == layer
    ]
    for part in made.parts:
        if part.part.back != (layer == BACK) or part.part is LED:
            continue
        if part.part.size[0] < 2 and part.part is not FET:
            continue
        text = f"{part.reference} {part.part.value.partition(',')[0]}"
        if part.part is FET:
            text = part.reference
        _, ys = zip(*_corners(part, *part.part.centre, *part.part.size), strict=True)
        x, y = seen(part.x, part.y)
        on_it = [y] if max(ys) - min(ys) > 4 else []
        ends = [(min(ys) - 1.4 - 2 * n, max(ys) + 1.4 + 2 * n) for n in range(8)]
        for at in (*on_it, *(one for both in ends for one in both)):
            if not any(_touch(x, at, text, one) for one in found):
                found.append(Words(SILK, x, at, NAME, text))
                break
    return found


def _touch(x: float, y: float, text: str, other: Words) -> bool:
    """Whether a name would lie over another: a letter is 0.85 of its height wide."""
    wide = (len(text) + len(other.text)) * 0.85 * NAME / 2
    return abs(x - other.x) < wide and abs(y - other.y) < 1.4 * NAME


def _corners(part: Placed, x: float, y: float, width: float, height: float) -> tuple[Place, ...]:
    a = radians(part.turn)
    return tuple(
        (
            round(part.x + (x + dx) * cos(a) + (y + dy) * sin(a), 3),
            round(part.y - (x + dx) * sin(a) + (y + dy) * cos(a), 3),
        )
        for dx, dy in (
            *((-width / 2, -height / 2), (width / 2, -height / 2)),
            *((width / 2, height / 2), (-width / 2, height / 2)),
        )
    )
