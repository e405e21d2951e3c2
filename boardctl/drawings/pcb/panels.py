"""Make the circuit board of a layout, in one panel or two.

The LEDs, including dark ones, are chained in the layout's order, so that the same configuration
works for this board and for one with strips. The Pi's +5 V pins are not connected: it has a
separate supply, and neither must feed the other. A layout that is longer than most fabricators can
make is cut at the widest gap between its LEDs. A cable carries power and data between the two
panels. The result is deterministic for a given layout.
"""

from __future__ import annotations

from typing import Final

from boardctl.board.shape import Layout, LayoutError
from boardctl.drawings import case
from boardctl.drawings.pcb import placing
from boardctl.drawings.pcb.design import GROUND, POWER, Design, outline
from boardctl.drawings.pcb.wires import Wires

LARGEST: Final = (500.0, 400.0)
"""The maximum size of two-layer boards at common fabricators (JLCPCB, "Capabilities", and others:
400 × 500 mm; read in November 2026)."""
SEAM: Final = 0.5
"""The distance between two panels in millimetres: twice the tolerance of a fabricator's outline."""


def panels(layout: Layout, *, pico: bool = False) -> tuple[Design, ...]:
    """Design the board of a layout, in one or two panels, with a header for a Pi or a socket for a
    Pico. Raises LayoutError if something does not fit."""
    made = placed(layout, pico=pico)
    for panel in made:
        Wires(panel).draw()
    return made


def placed(layout: Layout, *, pico: bool = False) -> tuple[Design, ...]:
    """Return the design with placed parts and without wires."""
    opening = case.opening(layout)
    if _is_made(layout.width, layout.height):
        made = Design(layout, opening, 0.0, layout.width, pico=pico)
        placing.leds(made)
        placing.others(made)
        return (made,)
    seam = _seam(layout)
    middle = opening.x + opening.width / 2
    both = []
    for panel, left, right in ((1, 0.0, seam - SEAM / 2), (2, seam + SEAM / 2, layout.width)):
        inside = left < middle < right
        made = Design(layout, opening if inside else None, left, right, panel, pico)
        placing.leds(made)
        both.append(made)
    crossing = _crossing(*both)
    pad = layout.keypad.x + layout.keypad.width / 2
    for made in both:
        keys = made.left < pad < made.right
        if keys and "D1" not in made.order:
            raise LayoutError("keypad-panel", f"layout {layout.name}")
        placing.others(made, supply=not keys, pi=keys, crossing=crossing)
    return tuple(both)


def _is_made(width: float, height: float) -> bool:
    return max(width, height) <= LARGEST[0] and min(width, height) <= LARGEST[1]


def _seam(layout: Layout) -> float:
    """Return the x coordinate of the vertical cut that divides the layout into two panels. The cut
    runs through the middle of the widest gap between LEDs that leaves two panels of a possible
    size. Raises LayoutError."""
    whole = Design(layout, None, 0.0, layout.width)
    placing.leds(whole)
    boxes = [outline(part) for part in whole.parts]
    o = case.opening(layout)
    boxes.append((o.x - 3, o.y, o.x + o.width + 3, o.y + o.height))
    boxes += [(x - 5, y - 5, x + 5, y + 5) for x, y in layout.mounting_holes]
    best, reached = (2.0, 0.0), 0.0
    for left, _, right, _ in sorted(boxes):
        x = round((reached + left) / 2, 1)
        if _is_made(x, layout.height) and _is_made(layout.width - x, layout.height):
            best = max(best, (round(left - reached, 4) / 2, x))
        reached = max(reached, right)
    if not best[1]:
        size = {"width": f"{layout.width:g}", "height": f"{layout.height:g}"}
        most = {"most_width": f"{LARGEST[0]:g}", "most_height": f"{LARGEST[1]:g}"}
        raise LayoutError("circuit-too-large", f"layout {layout.name}", **size, **most)
    return best[1]


def _crossing(one: Design, other: Design) -> list[str]:
    """Return the nets of the data cable between two panels: the data signals from an LED on one
    panel to an LED on the other, and GND."""
    own = [{net for part in made.parts for net in part.nets.values()} for made in (one, other)]
    data = sorted(
        (own[0] & own[1]) - {POWER, GROUND}, key=lambda net: int(net.removeprefix("DATA"))
    )
    return [*data, GROUND]
