"""All the drawings of a board: the content of `hardware/NAME/`, written by `boardctl draw all`."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from boardctl.board import drawing as board
from boardctl.board import svg
from boardctl.board.shape import Layout
from boardctl.drawings import (
    dxf,
    exploded,
    labels,
    page,
    parts,
    pdf,
    ridges,
    scad,
    template,
    wiring,
)
from boardctl.drawings.wires import Part
from boardctl.drivers.budget import Options as Power
from boardctl.text import LANGUAGES


def files(layout: Layout, wired: Mapping[str, Part], power: Power) -> Iterator[tuple[str, bytes]]:
    """Return the name and content of every file. They are always the same for the same layout and
    configuration."""
    plates = [template.template(layout, plate) for plate in template.PLATES]
    yield "board.svg", svg.write(board.board(layout))
    yield "exploded.svg", svg.write(exploded.exploded(layout))
    for plate, sheet in zip(template.PLATES, plates, strict=True):
        yield f"{plate}.svg", svg.write(sheet)
        yield f"{plate}.dxf", dxf.write(sheet)
    yield "template-a4.pdf", pdf.write(plates, "a4")
    yield "template-letter.pdf", pdf.write(plates, "letter")
    figures = parts.currents(layout, power)
    wires = wiring.wiring(layout, wired, parts.feeds(layout, power), figures)
    yield "wiring.svg", svg.write(wires)
    yield "wiring.pdf", pdf.write([wires], "whole")
    for language in LANGUAGES:
        sheets = [labels.labels(layout, game, language) for game in labels.families()]
        yield f"labels-{language}.pdf", pdf.write(sheets, "a4")
    yield "labels.svg", svg.write(labels.labels(layout, labels.families()[0]))
    yield "ridges.svg", svg.write(ridges.sheet(layout))
    yield "ridges.scad", ridges.printed(layout)
    yield "parts.csv", parts.table(layout, power).encode("utf-8")
    yield "README.md", page.page(layout, power).encode("utf-8")
    yield "layout.scad", scad.write(layout)
    yield "enclosure.scad", scad.ENCLOSURE
