"""A picture of one side of a circuit board with its parts, for the board's page."""

from __future__ import annotations

from collections.abc import Callable
from math import cos, radians, sin
from typing import Final

from boardctl.board.shape import Place
from boardctl.board.sheet import Box, Circle, Layer, Line, Sheet, Words
from boardctl.drawings.pcb import silk
from boardctl.drawings.pcb.design import EDGE, Design, Placed, apart, outline
from boardctl.drawings.pcb.design import Box as Rectangle
from boardctl.drawings.pcb.footprints import FET, LED
from boardctl.drawings.pcb.router import BACK, FRONT

GREEN = Layer("mask", "#0c2a17", 0.3, "#14532d")
OPEN = Layer("opening", "#0c2a17", 0.3, "#ffffff")
WIRE = (Layer("front wires", "#2f8f57", 0.3), Layer("back wires", "#2f8f57", 0.3))
COPPER = Layer("copper", "#2f8f57", 0.3, "#1d6b3c")
PAD = Layer("pads", "#c9a227", 0.1, "#e0c068")
BODY = Layer("bodies", "#1c1c1c", 0.1, "#f2f0e8")
OTHER = Layer("other parts", "#1c1c1c", 0.1, "#3a3a3a")
SILK = Layer("print", "#f5f5f5", 0.2)


def side(made: Design, layer: int) -> Sheet:
    """Draw one side of the board, FRONT or BACK. The back is drawn as it is seen after the board
    has been turned over."""
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
    """Draw the words beside pins, and the names of the larger parts: on the parts if the names fit,
    or beside them if there is free space."""
    found = [
        Words(SILK, *seen(one.x, one.y), one.size, one.words)
        for one in silk.printed(made)
        if one.layer == layer and (one.words in "+-" or (layer == BACK and one.words == "1"))
    ]
    bodies = {
        part.reference: _seen_box(part, seen)
        for part in made.parts
        if part.part.back == (layer == BACK) or part.part.pads[0].drill
    }
    taken = [*bodies.values(), *(_box(one) for one in found)]
    if (opening := made.opening) is not None:
        ends = [seen(opening.x + dx, opening.y)[0] for dx in (0, opening.width)]
        taken.append((min(ends), opening.y, max(ends), opening.y + opening.height))
    for part in made.parts:
        if part.part.back != (layer == BACK) or part.part is LED:
            continue
        if part.part.size[0] < 2 and part.part is not FET:
            continue
        text = f"{part.reference} {part.part.value.partition(',')[0]}"
        if part.part is FET:
            text = part.reference
        left, top, right, bottom = bodies[part.reference]
        x, y = (left + right) / 2, (top + bottom) / 2
        on_it = Words(SILK, x, y, NAME, text)
        box = _box(on_it)
        inside = left < box[0] and top < box[1] and box[2] < right and box[3] < bottom
        if inside and not part.part.is_bare and layer == BACK:
            found.append(on_it)
            continue
        wide, high = (box[2] - box[0]) / 2 + 0.4, (box[3] - box[1]) / 2 + 0.4
        tried = [
            Words(SILK, x + dx, y + dy, NAME, text)
            for n in range(12)
            for dx, dy in (
                *((shift, top - y - high - n) for shift in (0, 2, -2, 4, -4, 6, -6)),
                *((shift, bottom - y + high + n) for shift in (0, 2, -2, 4, -4, 6, -6)),
                *((left - x - wide - n, 0), (right - x + wide + n, 0)),
            )
        ]
        free = [
            one
            for one, here in ((one, _box(one)) for one in tried)
            if here[0] > EDGE
            and here[2] < made.right - made.left - EDGE
            and all(apart(here, its) for its in taken)
        ]
        if free:
            found.append(free[0])
            taken.append(_box(free[0]))
    return found


def _seen_box(part: Placed, seen: Callable[[float, float], Place]) -> Rectangle:
    """Return the box around a part's body and pads in the picture."""
    left, top, right, bottom = outline(part)
    xs = sorted((seen(left, 0)[0], seen(right, 0)[0]))
    return xs[0], top, xs[1], bottom


def _box(words: Words) -> Rectangle:
    """Return the box around centred words. A letter is taken to be 0.9 times as wide as it is high,
    and some letters descend below the line."""
    wide = len(words.text) * 0.9 * words.size / 2
    return words.x - wide, words.y - words.size / 2, words.x + wide, words.y + 0.8 * words.size


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
