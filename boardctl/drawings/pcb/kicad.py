"""Write a design as a KiCad 6 project: the board file, and the project with its rules.

The files are written as text, reproducibly and without KiCad. The planes are written as outlines,
which KiCad fills (`fabrication`, or the B key in its editor).
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from math import cos, pi, sin
from typing import Final
from uuid import UUID, uuid5

from boardctl.board.shape import Place
from boardctl.drawings.pcb import silk
from boardctl.drawings.pcb.design import (
    EDGE,
    GROUND,
    POWER,
    WASHER,
    Design,
    Placed,
)
from boardctl.drawings.pcb.footprints import BULK, FET, FUSE, TERMINAL, Pad
from boardctl.drawings.pcb.router import CLEARANCE, DRILL, FRONT, VIA

_LAYERS: Final = ("F.Cu", "B.Cu")
_SPACE: Final = UUID("8d0f2a64-6f0b-4c41-9e55-1b1d4be0a5c5")
_SOLID: Final = frozenset({TERMINAL, FUSE, BULK, FET})
"""Parts with solid plane connections: they carry the whole current."""


def project(name: str = "board") -> bytes:
    """Return the `.kicad_pro` file with the design rules for the board file of this name."""
    rules = {
        "min_clearance": CLEARANCE,
        "min_copper_edge_clearance": EDGE,
        "min_hole_clearance": 0.25,
        "min_hole_to_hole": 0.25,
        "min_through_hole_diameter": DRILL,
        "min_track_width": 0.2,
        "min_via_annular_width": 0.13,
        "min_via_diameter": 0.5,
    }
    return json.dumps(
        {
            "board": {"design_settings": {"rules": rules}},
            "meta": {"filename": f"{name}.kicad_pro", "version": 1},
            "net_settings": {
                "classes": [
                    {
                        "name": "Default",
                        "clearance": CLEARANCE,
                        "track_width": 0.25,
                        "via_diameter": VIA,
                        "via_drill": DRILL,
                    }
                ],
                "meta": {"version": 2},
            },
        },
        indent=2,
        sort_keys=True,
    ).encode("ascii")


def board(made: Design) -> bytes:
    """Return the `.kicad_pcb` file."""
    return ("\n".join(_Writer(made).lines()) + "\n").encode("utf-8")


def _n(value: float) -> str:
    return f"{round(value, 4) + 0:g}"


class _Writer:
    def __init__(self, made: Design) -> None:
        self._made = made
        self._nets = {name: n for n, name in enumerate(made.nets, 1)}
        self._count = 0

    def _stamp(self) -> str:
        self._count += 1
        panel = f" {self._made.panel}" if self._made.panel else ""
        return f"(tstamp {uuid5(_SPACE, f'{self._made.layout.name}{panel} {self._count}')})"

    def lines(self) -> Iterator[str]:
        made = self._made
        yield "(kicad_pcb (version 20211014) (generator boardctl)"
        yield "  (general (thickness 1.6))"
        yield '  (paper "A2")'
        yield f'  (title_block (title "{made.layout.name}") (company "boardctl"))'
        yield "  (layers"
        for number, name in (
            *((0, "F.Cu"), (31, "B.Cu"), (34, "B.Paste"), (35, "F.Paste"), (36, "B.SilkS")),
            *((37, "F.SilkS"), (38, "B.Mask"), (39, "F.Mask"), (44, "Edge.Cuts"), (49, "F.Fab")),
        ):
            yield f'    ({number} "{name}" {"signal" if name.endswith("Cu") else "user"})'
        yield "  )"
        yield "  (setup (pad_to_mask_clearance 0))"
        yield '  (net 0 "")'
        for name, number in self._nets.items():
            yield f'  (net {number} "{name}")'
        for part in made.parts:
            yield from self._footprint(part)
        for n, (x, y) in enumerate(made.layout.mounting_holes, 1):
            if made.left < x < made.right:
                yield from self._hole(n, x, y)
        yield from self._edges()
        yield from self._words()
        for track in made.tracks:
            yield (
                f"  (segment (start {_n(track.start[0])} {_n(track.start[1])}) "
                f"(end {_n(track.end[0])} {_n(track.end[1])}) (width {_n(track.width)}) "
                f'(layer "{_LAYERS[track.layer]}") (net {self._nets[track.net]}) {self._stamp()})'
            )
        for via in made.vias:
            yield (
                f"  (via (at {_n(via.x)} {_n(via.y)}) (size {VIA}) (drill {DRILL}) "
                f'(layers "F.Cu" "B.Cu") (net {self._nets[via.net]}) {self._stamp()})'
            )
        made = self._made
        left, right = made.left + EDGE, made.right - EDGE
        top, bottom = EDGE, made.layout.height - EDGE
        whole = ((left, top), (right, top), (right, bottom), (left, bottom))
        for layer, net in ((0, POWER), (1, GROUND)):
            yield from self._plane(layer, net, whole)
        for area in made.areas:
            yield from self._plane(0, area.net, area.corners, " (priority 1)")
        yield ")"

    def _footprint(self, part: Placed) -> Iterator[str]:
        kind = part.part
        through = any(pad.drill for pad in kind.pads)
        attr = "through_hole" if through else "smd"
        at = f"(at {_n(part.x)} {_n(part.y)} {_n(part.turn)})"
        yield f'  (footprint "boardctl:{kind.name}" (layer "F.Cu") {self._stamp()} {at}'
        yield f"    (attr {attr})"
        font = "(effects (font (size 0.8 0.8) (thickness 0.12)))"
        for what, words in (("reference", part.reference), ("value", kind.value)):
            yield (
                f'    (fp_text {what} "{words}" (at 0 0 {_n(part.turn)}) (layer "F.Fab") '
                f"{font} {self._stamp()})"
            )
        w, h = kind.size[0] / 2, kind.size[1] / 2
        corners = ((-w, -h), (w, -h), (w, h), (-w, h))
        for (x1, y1), (x2, y2) in zip(corners, (*corners[1:], corners[0]), strict=True):
            yield (
                f"    (fp_line (start {_n(x1)} {_n(y1)}) (end {_n(x2)} {_n(y2)}) "
                f'(layer "F.Fab") (width 0.1) {self._stamp()})'
            )
        for pad in kind.pads:
            yield self._pad(part, pad)
        yield "  )"

    def _pad(self, part: Placed, pad: Pad) -> str:
        net = part.nets.get(pad.number)
        joined = f' (net {self._nets[net]} "{net}")' if net else ""
        solid = " (zone_connect 2)" if part.part in _SOLID else ""
        shape = "circle" if pad.round else "rect"
        at = f"(at {_n(pad.x)} {_n(pad.y)} {_n(part.turn)})"
        size = f"(size {_n(pad.width)} {_n(pad.height)})"
        if pad.drill:
            kind, layers = "thru_hole", f'(drill {_n(pad.drill)}) (layers "*.Cu" "*.Mask")'
        else:
            kind, layers = "smd", '(layers "F.Cu" "F.Paste" "F.Mask")'
        return (
            f'    (pad "{pad.number}" {kind} {shape} {at} {size} {layers}{joined}{solid} '
            f"{self._stamp()})"
        )

    def _hole(self, number: int, x: float, y: float) -> Iterator[str]:
        size = self._made.layout.mounting_hole_diameter
        yield (
            f'  (footprint "boardctl:MountingHole" (layer "F.Cu") {self._stamp()} '
            f"(at {_n(x)} {_n(y)})"
        )
        yield "    (attr exclude_from_pos_files exclude_from_bom)"
        font = "(effects (font (size 0.8 0.8) (thickness 0.12)))"
        for what, words in (("reference", f"H{number}"), ("value", "M3")):
            yield (
                f'    (fp_text {what} "{words}" (at 0 0) (layer "F.Fab") {font} {self._stamp()})'
            )
        yield (
            f'    (pad "" np_thru_hole circle (at 0 0) (size {_n(size)} {_n(size)}) '
            f'(drill {_n(size)}) (layers "F&B.Cu" "*.Mask") '
            f"(clearance {_n((WASHER - size) / 2)}) {self._stamp()})"
        )
        yield "  )"

    def _edges(self) -> Iterator[str]:
        made, opening = self._made, self._made.opening
        width, height = made.right - made.left, made.layout.height
        yield from self._box(made.left, 0, width, height, made.layout.corner)
        if opening is not None:
            yield from self._box(opening.x, opening.y, opening.width, opening.height, 1.0)

    def _box(self, x: float, y: float, w: float, h: float, r: float) -> Iterator[str]:
        tail = '(layer "Edge.Cuts") (width 0.1) {})'
        for x1, y1, x2, y2 in (
            *((x + r, y, x + w - r, y), (x + w, y + r, x + w, y + h - r)),
            *((x + w - r, y + h, x + r, y + h), (x, y + h - r, x, y + r)),
        ):
            yield (
                f"  (gr_line (start {_n(x1)} {_n(y1)}) (end {_n(x2)} {_n(y2)}) "
                + tail.format(self._stamp())
            )
        for cx, cy, start in (
            *((x + r, y + r, pi), (x + w - r, y + r, 1.5 * pi)),
            *((x + w - r, y + h - r, 0.0), (x + r, y + h - r, 0.5 * pi)),
        ):
            points = [
                f"{_n(cx + r * cos(start + a))} {_n(cy + r * sin(start + a))}"
                for a in (0, pi / 4, pi / 2)
            ]
            yield (
                f"  (gr_arc (start {points[0]}) (mid {points[1]}) (end {points[2]}) "
                + tail.format(self._stamp())
            )

    def _words(self) -> Iterator[str]:
        for one in silk.printed(self._made):
            side, mirror = (("F.SilkS", ""), ("B.SilkS", " (justify mirror)"))[one.layer]
            yield (
                f'  (gr_text "{one.words}" (at {_n(one.x)} {_n(one.y)} {_n(one.turn)}) '
                f'(layer "{side}") {self._stamp()} (effects '
                f"(font (size {_n(one.size)} {_n(one.size)}) (thickness 0.15)){mirror}))"
            )

    def _plane(
        self, layer: int, net: str, corners: tuple[Place, ...], priority: str = ""
    ) -> Iterator[str]:
        yield (
            f'  (zone (net {self._nets[net]}) (net_name "{net}") (layer "{_LAYERS[layer]}") '
            f"{self._stamp()} (hatch edge 0.508){priority}"
        )
        yield "    (connect_pads (clearance 0.25)) (min_thickness 0.25)"
        yield "    (fill yes (thermal_gap 0.3) (thermal_bridge_width 0.5))"
        points = " ".join(f"(xy {_n(x)} {_n(y)})" for x, y in corners)
        yield f"    (polygon (pts {points}))"
        yield "  )"


assert FRONT == 0
