"""The print on a circuit board: the number of each hole on the front, the name of each part on the
back, and the + and - of the supply on both sides."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from boardctl.drawings.pcb.design import Box, Design, Placed, apart, outline
from boardctl.drawings.pcb.footprints import BULK, LED, TERMINAL
from boardctl.drawings.pcb.router import BACK, FRONT

SIZE: Final = 0.9
SIGN: Final = 1.4
"""The height of letters, and of + and -, in millimetres."""


@dataclass(frozen=True, slots=True)
class Printed:
    """Words centred on a point on FRONT or BACK, rotated by an angle in degrees."""

    words: str
    x: float
    y: float
    layer: int
    turn: float = 0.0
    size: float = SIZE


def printed(made: Design) -> Iterator[Printed]:
    """Return everything printed on a board or panel."""
    for part in made.parts:
        if part.part is LED and part.lamp:
            group, _, number = part.lamp.rpartition(".")
            words = number if group.startswith("track") else part.lamp
            turn = part.turn % 180
            at = part.at(0, 4.4)
            yield Printed(words, *at, FRONT, turn - 180 if turn > 90 else turn)
    signs = [one for part in made.parts for one in _signs(part)]
    yield from signs
    yield from _names(made, signs)


def _signs(part: Placed) -> Iterator[Printed]:
    """Return the + and - of both sides. On the back, they are beside the part, because its body
    would hide them."""
    for number, sign in _SIGNS.get(part.part.name, {}).items():
        pad = next(pad for pad in part.part.pads if pad.number == number)
        beside = pad.x - pad.width / 2 - 1.0
        edge = part.part.centre[0] - part.part.size[0] / 2 - 1.0
        yield Printed(sign, *part.at(min(edge, beside), pad.y), BACK, size=SIGN)
        yield Printed(sign, *part.at(beside, pad.y), FRONT, size=SIGN)


def _drilled(made: Design) -> list[Box]:
    """Return the boxes around all pads with a hole, which take up space on both sides."""
    found = []
    for part in made.parts:
        for pad in part.part.pads:
            if pad.drill:
                x, y = part.pad(pad.number)
                found.append((x - pad.width / 2, y - 1, x + pad.width / 2, y + 1))
    return found


def _names(made: Design, signs: list[Printed]) -> Iterator[Printed]:
    """Return the name of each part on the back and of its first pin, if there is room: above the
    part, below it, or farther away."""
    taken = [_box(one) for one in signs if one.layer == BACK] + _drilled(made)
    for part in made.parts:
        if not part.part.back:
            continue
        left, top, right, bottom = outline(part)
        words = f"{part.reference} {part.part.value.partition(',')[0]}"
        rows = [y for n in range(6) for y in (top - 0.8 - n, bottom + 0.8 + n)]
        middle = (left + right) / 2
        tried = [Printed(words, middle + x, y, BACK) for x in (0, 4, -4, 8, -8) for y in rows]
        if part.reference.startswith("J") and part.part.name not in _SIGNS:
            yield (first := Printed("1", left - 0.8, part.pad("1")[1], BACK))
            taken.append(_box(first))
        found = next((one for one in tried if all(apart(_box(one), t) for t in taken)), tried[0])
        taken.append(_box(found))
        yield found


def _box(one: Printed) -> Box:
    """Return the rectangle around unrotated words, for letters as wide as they are high."""
    wide, high = len(one.words) * one.size / 2, one.size / 2 + 0.1
    return one.x - wide, one.y - high, one.x + wide, one.y + high


_SIGNS: Final = {TERMINAL.name: {"1": "+", "2": "-"}, BULK.name: {"1": "+"}}
"""The marked pads of each part, and their marks."""
