"""Write a sheet as DXF (R2010, millimetres, y upwards) using ezdxf, with the sheet's layers."""

from __future__ import annotations

import io
from math import pi, tan

import ezdxf
from ezdxf import units
from ezdxf.enums import TextEntityAlignment
from ezdxf.layouts.layout import Modelspace

from boardctl.board.sheet import Box, Circle, Line, Shape, Sheet, Words

_ALIGN = {
    "left": TextEntityAlignment.MIDDLE_LEFT,
    "centre": TextEntityAlignment.MIDDLE_CENTER,
    "right": TextEntityAlignment.MIDDLE_RIGHT,
}
ROUND = tan(pi / 8)
"""The bulge of a quarter circle."""


def write(sheet: Sheet) -> bytes:
    """Return the file's content, which is always the same for the same sheet."""
    ezdxf.options.write_fixed_meta_data_for_testing = True
    document = ezdxf.new("R2010", units=units.MM)
    for layer in sheet.layers():
        document.layers.add(layer.name, color=layer.number)
    space = document.modelspace()
    for shape in sheet.shapes:
        _add(space, shape, sheet)
    for kind in sorted(document.entitydb.dxf_types_in_use()):
        document.classes.add_class(kind)  # ezdxf itself would add them in the order of a set
    stream = io.StringIO()
    document.write(stream)
    return stream.getvalue().encode("utf-8")


def _add(space: Modelspace, shape: Shape, sheet: Sheet) -> None:
    """Add a shape. The origin is the lower left corner of the first plate's sheet, and y is
    flipped."""
    named = {"layer": shape.layer.name}

    def up(y: float) -> float:
        return round(sheet.bottom - y, 4)

    if isinstance(shape, Circle):
        space.add_circle((shape.x, up(shape.y)), shape.diameter / 2, dxfattribs=named)
    elif isinstance(shape, Line):
        points = [(x, up(y)) for x, y in shape.points]
        space.add_lwpolyline(points, close=shape.closed, dxfattribs=named)
    elif isinstance(shape, Box):
        corners = _corners(shape)
        space.add_lwpolyline(
            [(x, up(y), bulge) for x, y, bulge in corners],
            format="xyb",
            close=True,
            dxfattribs=named,
        )
    elif isinstance(shape, Words):
        text = space.add_text(shape.text, height=shape.size, dxfattribs=named)
        text.set_placement((shape.x, up(shape.y)), align=_ALIGN[shape.align])


def _corners(box: Box) -> list[tuple[float, float, float]]:
    """Return the corners in counterclockwise order (y upwards), each with its bulge."""
    left, top, right, bottom = box.x, box.y, box.x + box.width, box.y + box.height
    if not box.radius:
        return [(left, bottom, 0), (right, bottom, 0), (right, top, 0), (left, top, 0)]
    r = box.radius
    return [
        (left + r, bottom, 0),
        (right - r, bottom, ROUND),
        (right, bottom - r, 0),
        (right, top + r, ROUND),
        (right - r, top, 0),
        (left + r, top, ROUND),
        (left, top + r, 0),
        (left, bottom - r, ROUND),
    ]
