"""A layout's dimensions as OpenSCAD variables, for `hardware/enclosure.scad`.

In OpenSCAD, y points up, so coordinates are flipped here.
"""

from __future__ import annotations

from typing import Final

from boardctl.board import plan
from boardctl.board.shape import Layout, Window
from boardctl.drawings import case, inside
from boardctl.drawings.template import well

ENCLOSURE: Final = b"include <layout.scad>\ninclude <../enclosure.scad>\n"
"""The content of a board's own `enclosure.scad`, in its folder in `hardware/`."""


def write(layout: Layout) -> bytes:
    """Return the content of `layout.scad`, which the enclosure includes."""

    def up(y: float) -> float:
        return layout.height - y

    def window(name: str, of: Window) -> list[str]:
        return [
            f"{name}_at = [{of.x:.3f}, {up(of.y + of.height):.3f}];",
            f"{name}_size = [{of.width:.3f}, {of.height:.3f}];",
        ]

    def at(name: str, x: float, y: float) -> list[str]:
        return [f"{name} = [{x:.3f}, {up(y):.3f}];"]

    def places(name: str, of: list[tuple[float, float]]) -> list[str]:
        return [f"{name} = [", *(f"  [{x:.3f}, {up(y):.3f}]," for x, y in of), "];"]

    module, hangs = case.display(layout), inside.hanging(layout)
    lines = [
        f"// {layout.title}: drawn from the layout {layout.name} by boardctl; do not edit.",
        "// Millimetres; the origin is the board's lower left corner, seen from the front.",
        f"board_width = {layout.width:.3f};",
        f"board_height = {layout.height:.3f};",
        f"board_corner = {layout.corner:.3f};",
        f"hole_diameter = {layout.hole:.3f};",
        f"well_diameter = {well(layout):.3f};",
        f"mounting_hole_diameter = {layout.mounting_hole_diameter:.3f};",
        *(
            f"{name} = {value:.3f};"
            for name, value in (
                ("front_thick", case.FRONT),
                ("diffuser_thick", case.DIFFUSER),
                ("guide_thick", case.GUIDE),
                ("lights_thick", case.LIGHTS),
                ("carrier_thick", case.CARRIER),
                ("room", case.ROOM),
                ("plug", inside.PLUG),
                ("post", inside.POST),
                ("floor_height", case.FLOOR),
                ("screw_length", case.screw_length()),
                ("around", case.AROUND),
                ("keypad_depth", case.KEYPAD_DEPTH),
                ("keypad_play", case.PLAY),
            )
        ),
        *(
            line
            for pi in case.PIS
            for line in (
                f"pi_{pi.name} = [{pi.width:g}, {pi.height:g}, {pi.tall:g}];",
                f"pi_{pi.name}_holes = [{pi.holes[0]:g}, {pi.holes[1]:g}];",
                *at(f"pi_{pi.name}_at", *inside.pi_place(layout, pi, hangs)),
            )
        ),
        f"module_size = [{module.width:g}, {module.height:g}, {module.depth:g}];",
        *window("display", plan.window(layout)),
        *window("opening", case.opening(layout)),
        *window("keypad", layout.keypad),
        "// The parts hanging from a circuit board: left, lower edge, width, height, and depth.",
        "hanging = [",
        *(
            f"  [{left:.3f}, {up(bottom):.3f}, {right - left:.3f}, {bottom - top:.3f}, "
            f"{part.height:g}],  // {part.value}"
            for part, (left, top, right, bottom) in hangs
        ),
        "];",
        *places("mounting_holes", list(layout.mounting_holes)),
        *places("holes", [(lamp.x, lamp.y) for lamp in layout.lamps]),
    ]
    return ("\n".join(lines) + "\n").encode("utf-8")
