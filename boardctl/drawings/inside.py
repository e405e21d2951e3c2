"""The position of the Pi in the tray: as close to the keypad as the posts allow, but not below the
parts on the back of a circuit board."""

from __future__ import annotations

from math import ceil, dist, floor
from typing import Final

from boardctl.board.shape import Layout, LayoutError, Place
from boardctl.drawings import case
from boardctl.drawings.case import Pi
from boardctl.drawings.pcb.design import Box, apart, outline
from boardctl.drawings.pcb.footprints import Part
from boardctl.drawings.pcb.panels import placed

PLUG: Final = 30.0
"""The distance from the Pi's edge to the rear wall, which is the layout's upper edge: its power
plug and the bend of the cable."""
POST: Final = 8.0
"""The diameter of the posts that hold the plates."""


Hanging = tuple[tuple[Part, Box], ...]


def hanging(layout: Layout) -> Hanging:
    """Return the parts on the back of a layout's circuit board, each with its left, top, right and
    bottom edges. The result combines two versions of the board: with a header for a Pi, and with a
    socket for a Pico. Return None if no circuit board can be made from the layout."""
    found = []
    for pico in (False, True):
        try:
            found += [
                (part.part, outline(part))
                for made in placed(layout, pico=pico)
                for part in made.parts
                if part.part.back
            ]
        except LayoutError:
            continue
    return tuple(dict.fromkeys(found))


def pi_place(layout: Layout, pi: Pi, hangs: Hanging) -> Place:
    """Return the centre of a Pi placed beside the hanging parts. Raises LayoutError if there is no
    room for the Pi."""
    width, height = pi.width, pi.height + PLUG
    taken = [box for _, box in hangs]
    reach = POST / 2 + 1
    taken += [(x - reach, y - reach, x + reach, y + reach) for x, y in layout.mounting_holes]
    if case.display(layout).depth > case.STACK:
        room = case.opening(layout)
        taken.append((room.x, room.y, room.x + room.width, room.y + room.height))
    keypad = layout.keypad
    wished = keypad.x + keypad.width / 2, keypad.y + keypad.height / 2
    places = [
        (float(x), float(y))
        for x in range(ceil(width / 2) + 1, floor(layout.width - width / 2), 2)
        for y in range(ceil(height / 2) + 1, floor(layout.height - height / 2), 2)
    ]
    for x, y in sorted(places, key=lambda place: (dist(place, wished), place)):
        own = (x - width / 2, y - height / 2, x + width / 2, y + height / 2)
        if all(apart(own, box) for box in taken):
            return x, y + PLUG / 2
    raise LayoutError("no-room-pi", f"layout {layout.name}")
