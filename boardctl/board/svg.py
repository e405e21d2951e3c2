"""Write a sheet as SVG at full scale, with a group for each layer, and `width` and `height` in
mm."""

from __future__ import annotations

from xml.etree import ElementTree

from boardctl.board.sheet import Box, Circle, Layer, Line, Shape, Sheet

FONT = "'DejaVu Sans', 'Noto Sans', 'Noto Sans CJK JP', Arial, sans-serif"
CAPITALS = 0.72
"""The height of capitals as a fraction of the font size."""


def write(sheet: Sheet) -> bytes:
    """Return the file's content."""
    root = ElementTree.Element(
        "svg",
        {
            "xmlns": "http://www.w3.org/2000/svg",
            "width": f"{_n(sheet.width)}mm",
            "height": f"{_n(sheet.height)}mm",
            "viewBox": f"{_n(sheet.left)} {_n(sheet.top)} {_n(sheet.width)} {_n(sheet.height)}",
        },
    )
    ElementTree.SubElement(root, "title").text = sheet.title
    group: ElementTree.Element | None = None
    current: Layer | None = None
    named: set[str] = set()
    for shape in sheet.shapes:
        if group is None or shape.layer is not current:
            current = shape.layer
            group = ElementTree.SubElement(root, "g", _style(current))
            if current.name not in named:  # editors show it as the layer's name
                group.set("id", current.name)
                named.add(current.name)
        group.append(_element(shape))
    ElementTree.indent(root)
    text: bytes = ElementTree.tostring(root, "utf-8", xml_declaration=True)
    return text + b"\n"


def _n(number: float) -> str:
    return f"{round(number, 3) + 0:g}" if abs(number) < 1000 else f"{number:.3f}"


def _style(layer: Layer) -> dict[str, str]:
    return {
        "class": layer.name,
        "fill": layer.fill or "none",
        "stroke": layer.line or "none",
        "stroke-width": _n(layer.width),
        "stroke-linecap": "round",
        "stroke-linejoin": "round",
    }


def _element(shape: Shape) -> ElementTree.Element:
    if isinstance(shape, Circle):
        named = {"data-name": shape.name} if shape.name else {}
        place = {"cx": _n(shape.x), "cy": _n(shape.y), "r": _n(shape.diameter / 2)}
        return ElementTree.Element("circle", place | named)
    if isinstance(shape, Box):
        size = {"width": _n(shape.width), "height": _n(shape.height), "rx": _n(shape.radius)}
        return ElementTree.Element("rect", {"x": _n(shape.x), "y": _n(shape.y)} | size)
    if isinstance(shape, Line):
        points = " ".join(f"{_n(x)},{_n(y)}" for x, y in shape.points)
        return ElementTree.Element("polygon" if shape.closed else "polyline", {"points": points})
    element = ElementTree.Element(
        "text",
        {
            "x": _n(shape.x),
            "y": _n(shape.y + shape.size / 2),
            "font-size": _n(shape.size / CAPITALS),
            "font-family": FONT,
            "text-anchor": {"left": "start", "centre": "middle", "right": "end"}[shape.align],
            "fill": shape.layer.line or "#000000",
            "stroke": "none",
        },
    )
    if shape.bold:
        element.set("font-weight", "bold")
    element.text = shape.text
    return element
