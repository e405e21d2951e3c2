"""A layout's measures as OpenSCAD variables, for `hardware/enclosure.scad`.

OpenSCAD's y grows upwards, so places are turned over here, once.
"""

from __future__ import annotations

from boardctl.board.shape import Layout, Window
from boardctl.drawings.template import well


def write(layout: Layout) -> bytes:
    """The file `layout.scad`, included by the enclosure."""

    def up(y: float) -> float:
        return layout.height - y

    def window(name: str, of: Window) -> list[str]:
        return [
            f"{name}_at = [{of.x:.3f}, {up(of.y + of.height):.3f}];",
            f"{name}_size = [{of.width:.3f}, {of.height:.3f}];",
        ]

    def places(name: str, of: list[tuple[float, float]]) -> list[str]:
        return [f"{name} = [", *(f"  [{x:.3f}, {up(y):.3f}]," for x, y in of), "];"]

    lines = [
        f"// {layout.title}: drawn from the layout {layout.name} by boardctl; do not edit.",
        "// Millimetres; the origin is the board's lower left corner, seen from the front.",
        f"board_width = {layout.width:.3f};",
        f"board_height = {layout.height:.3f};",
        f"board_corner = {layout.corner:.3f};",
        f"hole_diameter = {layout.hole:.3f};",
        f"well_diameter = {well(layout):.3f};",
        f"fixing_diameter = {layout.mounting_hole:.3f};",
        *window("display", layout.display),
        *window("keypad", layout.keypad),
        *places("fixings", list(layout.fixings)),
        *places("holes", [(lamp.x, lamp.y) for lamp in layout.lamps]),
    ]
    return ("\n".join(lines) + "\n").encode("utf-8")
