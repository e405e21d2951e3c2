"""The picture of a board's connections: each part as it looks, with its pins in place.

The Pi is on the left with its whole header, and the other parts are on the right. Every wire runs
in a lane between them. The bars beside the parts are the fused +5 V and the strip's GND. Lines that
cross are not joined unless there is a dot.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin
from typing import Final, NamedTuple

from boardctl.board.shape import Place
from boardctl.board.sheet import Box, Circle, Layer, Line, Shape, Words
from boardctl.drawings.wires import (
    FUSED,
    GATES,
    GROUND,
    PI_SUPPLY,
    POWER,
    SIGNAL,
    SUPPLY,
    Device,
    Wire,
)

INK: Final = Layer("ink", "#202020", 0.3)
PALE: Final = Layer("pale", "#8a8a8a", 0.25)
PART: Final = Layer("part", "#202020", 0.4, "#f4f1ea")
BOARD: Final = Layer("board", "#2c5e3f", 0.4, "#e3efe6")
METAL: Final = Layer("metal", "#6b6b6b", 0.3, "#dcdcdc")
BLACK: Final = Layer("black", "#202020", 0.3, "#3a3a3a")
WHITE: Final = Layer("white", "#8a8a8a", 0.3, "#ffffff")
COPPER: Final = Layer("copper", "#8a6a1e", 0.3, "#e2b64e")
PRINT: Final = Layer("print", "#ffffff", 0.2)

STEP: Final = 3.0
"""The grid of the terminals. The Pi's are on its lines and all others halfway between, so no two
wires share a line."""
PITCH: Final = 2 * STEP
"""The distance between two rows of the drawn header."""
HEADER: Final = 15.0
"""The first row of the header, from the top."""
ODD, EVEN = 44.0, 50.0
"""The two columns of the header, from the left."""
EDGE: Final = 58.0
"""The right edge of the Pi."""
PI_TOP, PI_FOOT = 2.0, 165.0
LANES: Final = 90.0
"""The left edge of the wires' lanes. The names of pins are to the left of it."""
LANE: Final = 2.6
"""The distance between two lanes."""
ROW: Final = 2 * STEP
"""The distance between two terminals of a part."""
PART_WIDTH: Final = 118.0
PICTURE: Final = 34.0
"""The width of the picture in a part, on its right."""
THROUGH: Final = 32.0
"""The space in front of a part for a fuse or a resistor in its wire."""
BAR: Final = 9.0
"""The distance between two bars."""


@dataclass(slots=True)
class Drawn:
    """A drawn part: its shapes, its lower edge, and its terminals by name."""

    shapes: list[Shape]
    bottom: float
    terminals: dict[str, Place] = field(default_factory=dict)


class Joined(NamedTuple):
    """A wire that joins two terminals."""

    wire: Wire
    start: Place
    end: Place


def connections(devices: Sequence[Device], width: float) -> tuple[list[Shape], float]:
    """Draw all parts and every wire between them.

    Args:
        devices: the parts, with their wires.
        width: the width of the drawing in millimetres.

    Returns:
        The shapes, and their lower edge.
    """
    others = _in_order(device for device in devices if device.name != PI_SUPPLY)
    board, at = _pi(others), width - PART_WIDTH
    drawn: dict[str, Drawn] = {}
    y = PI_TOP + STEP * 0.1
    for device in others:
        drawn[device.name] = _part(device, at, y, _outlets(device, others))
        y = _grid(drawn[device.name].bottom + 6)
    bars, wires = _joined(others, board, drawn)
    shapes = [*board.shapes, *(shape for part in drawn.values() for shape in part.shapes)]
    shapes += _routed(wires, at - THROUGH - BAR * (len(bars) + 1))
    for n, (name, taps) in enumerate(bars.items()):
        shapes += _bar(name, at - THROUGH - BAR * n, taps)
    return shapes, max(board.bottom, y - 6)


def _in_order(devices: Iterable[Device]) -> list[Device]:
    """Return the parts in the order of their first pins on the header. A part without pins keeps
    its position."""
    found: list[tuple[int, Device]] = []
    for device in devices:
        pins = [int(m[1]) for wire in device.wires if (m := _PIN.match(wire.start))]
        before = found[-1][0] if found else 0
        found.append((min(pins, default=before), device))
    return [device for _, device in sorted(found, key=lambda one: one[0])]


def _grid(y: float) -> float:
    """Return the next height at which a part may begin, so that its terminals are level with gaps
    between the Pi's."""
    first = PI_TOP + STEP * 0.1
    return first + STEP * -(-(y - first) // STEP)


# The Pi


def _header(pins: Mapping[int, Layer]) -> Iterator[Shape]:
    """Draw the pins of the Pi's header (those in use in the colour of their wires), and then their
    numbers."""
    for pin in range(1, 41):
        x, y = (EVEN if pin % 2 == 0 else ODD), HEADER + (pin - 1) // 2 * PITCH
        layer = pins.get(pin)
        dot = COPPER if layer is None else Layer(f"pin {layer.name}", "#ffffff", 0.2, layer.line)
        yield Circle(dot, x, y, 2.2)
    for number in range(1, 41):
        y, used_pin = HEADER + (number - 1) // 2 * PITCH, number in pins
        x = ODD - (4 if number % 2 == 0 else 8.5)
        yield Words(INK if used_pin else PALE, x, y, 1.8, str(number), "right", used_pin)


def _pi(devices: Sequence[Device]) -> Drawn:
    """Return the Pi from above, with the header on its right and a terminal at the start of each
    wire."""
    used = {wire.start: wire.layer for device in devices for wire in device.wires}
    pins = {int(m[1]): layer for start, layer in used.items() if (m := _PIN.match(start))}
    shapes: list[Shape] = [
        Box(BOARD, 0, PI_TOP, EDGE, PI_FOOT - PI_TOP, 3),
        Words(INK, 20, PI_TOP + 7, 3.0, "Raspberry Pi", bold=True),
        Box(BLACK, 10, 50, 16, 16, 1),
        Box(METAL, -2, 28, 6, 9, 1.5),
        Words(PALE, 5.5, 32.5, 2.0, "USB power", "left"),
        Box(BLACK, ODD - 2.3, HEADER - 2.3, PITCH + 4.6, 19 * PITCH + 4.6, 0.6),
        Box(PRINT, ODD - 1.6, HEADER - 1.6, 3.2, 3.2),  # pin 1
    ]
    terminals: dict[str, Place] = {}
    shapes += _header(pins)
    plugs = 0
    for start, layer in used.items():
        if match := _PIN.match(start):
            pin = int(match[1])
            y = HEADER + (pin - 1) // 2 * PITCH
            path = ((EVEN, y),) if pin % 2 == 0 else ((ODD, y), (ODD + STEP, y + STEP))
        elif _is_outlet(start, devices) or _is_bar(start) or start.startswith("its "):
            continue
        else:
            y = HEADER + 20 * PITCH + STEP + 2 * STEP * plugs
            plugs += 1
            if start.startswith("network"):
                shapes += (*_waves((EDGE + 2, y), 1), _name(start, y + 1.5, after=5.5))
                continue
            shapes.append(Box(METAL, EDGE - 9, y - 2, 11, 4, 0.6))
            path = ((EDGE + 2, y),)
        end = (EDGE + 2.0, path[-1][1])
        shapes.append(Line(layer, (*path, end)) if path[-1] != end else Line(layer, (end, end)))
        shapes.append(_name(start, end[1]))
        terminals[start] = end
    foot = max(PI_FOOT, HEADER + 20 * PITCH + 2 * STEP * plugs + 4)
    shapes[0] = Box(BOARD, 0, PI_TOP, EDGE, foot - PI_TOP, 3)
    shapes += (
        Line(POWER, ((-2, 32.5), (-6, 32.5), (-6, foot + 9), (4, foot + 9))),
        Box(PART, 4, foot + 4, 46, 10, 2),
        Words(INK, 27, foot + 9, 2.4, PI_SUPPLY, bold=True),
    )
    return Drawn(shapes, foot + 14, terminals)


def _name(start: str, y: float, after: float = 0.0) -> Shape:
    """Return the name of a wire's start, placed above the wire and this far to the right."""
    short = start if len(start) <= _LONGEST else f"{start[: _LONGEST - 1]}…"
    return Words(INK, EDGE + 3 + after, y - 1.5, 1.6, short, "left")


def _waves(place: Place, side: int) -> Iterator[Shape]:
    """Return the symbol for a wireless connection, to the right (1) or to the left (-1) of a
    point."""
    for far in (1.5, 3.0, 4.5):
        angles = [(n - 4) * pi / 20 for n in range(9)]
        yield Line(
            SIGNAL,
            tuple((place[0] + side * far * cos(a), place[1] + far * sin(a)) for a in angles),
        )


_PIN: Final = re.compile(r"pin (\d+) ")
_LONGEST: Final = 24
"""The maximum number of letters in a plug's name. A device's path can be much longer."""


def _is_bar(start: str) -> bool:
    return start.startswith(FUSED) or start == "supply GND"


# The other parts


def _outlet(start: str) -> tuple[str, str]:
    """Return the name of the part and terminal at which a wire starts: `WLED box, data`, `level
    shifter 3 (Y)`."""
    gate = re.fullmatch(r"(level shifter) (\d+ \(Y\))", start)
    if gate:
        return gate[1], gate[2]
    part, _, terminal = start.partition(", ")
    return part, terminal


def _is_outlet(start: str, devices: Sequence[Device]) -> bool:
    part, terminal = _outlet(start)
    return bool(terminal) and any(_is_called(device, part) for device in devices)


def _is_called(device: Device, part: str) -> bool:
    return device.name.lower().startswith(part.lower())


def _outlets(device: Device, devices: Sequence[Device]) -> list[str]:
    """Return a part's terminals at which wires to other parts start."""
    found = (_outlet(wire.start) for other in devices for wire in other.wires)
    return list(dict.fromkeys(name for part, name in found if name and _is_called(device, part)))


def _part(device: Device, x: float, y: float, outlets: Sequence[str]) -> Drawn:
    if device.name.startswith("Level shifter"):
        return _chip(device, x, y)
    ends = [wire.end for wire in device.wires if not wire.start.startswith("its ")]
    if device.name.startswith("Strip"):
        ends.sort(key=lambda end: 0 if end.startswith("+5 V") else 2 if end == "GND" else 1)
    names = list(dict.fromkeys([*ends, *outlets]))
    above = STEP if device.name.startswith("Strip") else 0.0
    height = max(2 * ROW + (len(names) - 1) * ROW + 3 + above, _LEAST.get(device.name, 0.0))
    made = Drawn([Box(PART, x, y, PART_WIDTH, height, 2)], y + height)
    made.shapes.append(Words(INK, x + 4, y + 3.4, 2.6, device.name, "left", bold=True))
    for n, name in enumerate(names):
        at = y + 1.5 * ROW + n * ROW + above
        made.terminals[name] = (x, at)
        made.shapes += (Circle(COPPER, x, at, 2.0), Words(INK, x + 4, at, 2.0, name, "left"))
    for wire in device.wires:
        if wire.start == "its +5 V":
            plus = next(place for name, place in made.terminals.items() if name.startswith("+5 V"))
            made.shapes += _capacitor(wire.through, plus, made.terminals[wire.end])
    right, middle = x + PART_WIDTH - 3, y + height / 2
    for called, picture in _PICTURES.items():
        if device.name.startswith(called):
            made.shapes += picture(right - PICTURE, middle - height / 2 + 2, height - 4)
    return made


def _chip(device: Device, x: float, y: float) -> Drawn:
    """Draw the level shifter from above, with its notch on the left and the wires at its pins."""
    inputs = [wire for wire in device.wires if wire.end.endswith("(A)")]
    tied = {
        int(pin)
        for wire in device.wires
        for pin in re.findall(r"\d+", wire.end)
        if wire.end.endswith("unused A)")
    }
    top, foot = y + 8 * STEP, y + 12 * STEP
    upper, lower, right = top - 2 * STEP, foot + 2 * STEP, x + 86
    vcc, height = upper - 2 * STEP, 15 * STEP + 2 * ROW * len(inputs)
    shapes: list[Shape] = [
        Box(PART, x, y, PART_WIDTH, height, 2),
        Words(INK, x + 4, y + 3.4, 2.6, device.name, "left", bold=True),
        Line(GROUND, ((x, lower), (x + 95, lower))),
        Line(GROUND, ((x + 36, upper), (right, upper), (right, lower))),
        Line(POWER, ((x, vcc), (x + 95, vcc), (x + 95, vcc + 3 * STEP))),
        Line(POWER, ((x + 28, vcc), (x + 28, top))),
        Line(GROUND, ((x + 95, lower - 3 * STEP), (x + 95, lower))),
        Box(WHITE, x + 90, vcc + 3 * STEP, 10, lower - vcc - 6 * STEP, 1),
        Words(INK, x + 95, (vcc + lower) / 2, 1.7, "100 nF"),
        Words(INK, x + 3, vcc - 1.6, 2.0, "14 (VCC)", "left"),
        Words(INK, x + 3, lower - 1.6, 2.0, "GND", "left"),
        Box(BLACK, x + 24, top, 56, foot - top, 1),
        Words(PRINT, x + 54, (top + foot) / 2, 2.4, "74AHCT125"),
        Circle(PALE, x + 24, (top + foot) / 2, 3),
    ]
    terminals = {"14 (VCC)": (x, vcc)}
    ground = next(wire.end for wire in device.wires if wire.end.endswith("unused A)"))
    terminals[ground] = (x, lower)
    down = 0
    for pin in range(1, 15):
        at = x + 28 + 8 * ((pin if pin < 8 else 15 - pin) - 1)
        edge, bar, inside = (foot, lower, -1.7) if pin < 8 else (top, upper, 1.7)
        shapes += (
            Box(METAL, at - 1, edge - (0 if pin < 8 else 1.5), 2, 1.5),
            Words(PRINT, at, edge + inside, 1.6, str(pin)),
        )
        if pin in tied:
            shapes.append(Line(GROUND, ((at, edge), (at, bar))))
            shapes.append(Circle(_DOT[GROUND.name], at, bar, 1.4))
        name = next((wire.end for wire in inputs if wire.end == f"{pin} (A)"), "")
        output = any(pin == y_pin and a_pin in _pins(inputs) for _, a_pin, y_pin in GATES)
        gate = f"{pin} (Y)" if output else ""
        if name or gate:
            level = lower + ROW * (down + 1)
            down += 1
            layer = next(w.layer for w in inputs if name in ("", w.end))
            shapes.append(Line(layer, ((at, foot), (at, level), (x, level))))
            shapes.append(Words(INK, x + 3, level - 1.6, 2.0, name or gate, "left"))
            terminals[name or gate] = (x, level)
    shapes += (Circle(COPPER, *place, 2.0) for place in terminals.values())
    return Drawn(shapes, y + height, terminals)


_DOT: Final = {
    layer.name: Layer(f"dot {layer.name}", layer.line, 0.1, layer.line) for layer in (GROUND, POWER)
}


def _pins(inputs: Iterable[Wire]) -> set[int]:
    return {int(wire.end.split()[0]) for wire in inputs}


def _strip(x: float, y: float, height: float) -> Iterator[Shape]:
    middle = y + height / 2
    yield Box(WHITE, x - 12, middle - 6, PICTURE + 12, 12)
    for n in range(3):
        at = x - 4 + 14 * n
        yield Box(METAL, at - 4, middle - 4, 8, 8, 0.5)
        yield Circle(WHITE, at, middle, 5.5)
    for pad in (-4, 0, 4):
        yield Box(COPPER, x - 12, middle + pad - 1, 3, 2)


def _keys(rows: int, labels: str) -> Callable[[float, float, float], Iterator[Shape]]:
    def picture(x: float, y: float, height: float) -> Iterator[Shape]:
        size = min(PICTURE / 4, height / rows)
        left, top = x + PICTURE - 4 * size, y + (height - rows * size) / 2
        for n, label in enumerate(labels):
            row, column = divmod(n, 4)
            yield Box(BLACK, left + column * size, top + row * size, size - 1, size - 1, 1)
            middle = left + column * size + (size - 1) / 2, top + row * size + (size - 1) / 2
            yield Words(PRINT, *middle, min(3.0, size / 3), label)

    return picture


def _screen(x: float, y: float, height: float) -> Iterator[Shape]:
    top = y + max(0.0, (height - 18) / 2)
    yield Box(BOARD, x, top, PICTURE, min(18, height), 1)
    yield Box(BLACK, x + 3, top + 3, PICTURE - 6, min(18, height) - 6, 0.5)
    yield Words(PRINT, x + PICTURE / 2, top + min(18, height) / 2, 2.2, "Ann 12  Bob 9")


def _mains(x: float, y: float, height: float) -> Iterator[Shape]:
    top = y + (height - 14) / 2
    yield Box(BLACK, x + 8, top, 26, 14, 2)
    yield Words(PRINT, x + 21, top + 7, 2.4, "5 V")
    for prong in (4, 10):
        yield Line(METAL, ((x + 2, top + prong), (x + 8, top + prong)))


def _computer(x: float, y: float, height: float) -> Iterator[Shape]:
    top = y + (height - 16) / 2
    yield Box(BOARD, x, top, PICTURE, 16, 1)
    yield Box(METAL, x - 2, top + 5, 7, 6, 0.5)
    yield Box(BLACK, x + 14, top + 4.5, 7, 7, 0.5)
    for n in range(12):
        for edge in (1.5, 14.5):
            yield Circle(COPPER, x + 4 + n * 2.4, top + edge, 1.2)


def _push(x: float, y: float, height: float) -> Iterator[Shape]:
    for n in range(4):
        at = x + 4 + 8.5 * n, y + height / 2
        yield Circle(METAL, *at, 7.5)
        yield Circle(BLACK, *at, 4.5)


_PICTURES: Final = {
    "Strip": _strip,
    "Keypad": _keys(4, "123A456B789C*0#D"),
    "USB number pad": _keys(4, "/*-+789#456.1230"),
    "OLED": _screen,
    "LCD": _screen,
    SUPPLY: _mains,
    "Microcontroller": _computer,
    "Adalight controller": _computer,
    "WLED box": _computer,
    "I2C level shifter": _computer,
    "Push buttons": _push,
}
_LEAST: Final = {"OLED display": 30.0, "USB number pad": 30.0, SUPPLY: 21.0, "WLED box": 22.0}
"""The minimum heights of parts with few terminals."""


# The wires


def _joined(
    devices: Sequence[Device], board: Drawn, drawn: dict[str, Drawn]
) -> tuple[dict[str, list[tuple[Wire, Place]]], list[Joined]]:
    """Return the wires to the bars, grouped by bar, and those from terminal to terminal."""
    bars: dict[str, list[tuple[Wire, Place]]] = {}
    wires: list[Joined] = []
    for device in devices:
        own = drawn[device.name].terminals
        for wire in device.wires:
            if wire.start.startswith("its "):
                continue  # drawn with its part
            end = own[wire.end]
            if wire.start.startswith("network"):
                drawn[device.name].shapes += _waves(end, -1)
                continue
            if _is_bar(wire.start):
                bars.setdefault(wire.start, []).append((wire, end))
                continue
            part, terminal = _outlet(wire.start)
            source = next((d for d in devices if terminal and _is_called(d, part)), None)
            if source is None:
                start = board.terminals[wire.start]
            else:
                start = drawn[source.name].terminals[terminal]
            wires.append(Joined(wire, start, end))
            if device.name == SUPPLY and wire.end == "GND":
                bars.setdefault("supply GND", []).append((wire, end))
    return bars, wires


def _bar(name: str, x: float, taps: Sequence[tuple[Wire, Place]]) -> Iterator[Shape]:
    """Draw a bar, the wires that branch off it, and the parts in these wires."""
    layer = taps[0][0].layer
    top, foot = min(y for _, (_, y) in taps), max(y for _, (_, y) in taps)
    yield Line(layer, ((x, top), (x, foot)))
    short = name.removeprefix(f"{FUSED}, ").replace(FUSED, "+5 V fused").replace("supply ", "")
    yield Words(INK, x, top - 2.2, 1.6, short)
    for wire, end in taps:
        yield Line(layer, ((x, end[1]), end))
        yield Circle(_DOT[layer.name], x, end[1], 1.6)
        if wire.through:
            yield from _in_line(wire.through, end)


def _in_line(words: str, end: Place) -> Iterator[Shape]:
    """Return a fuse or a resistor in front of a terminal."""
    yield Box(WHITE, end[0] - 20, end[1] - 1.9, 16, 3.8, 1)
    yield Words(INK, end[0] - 12, end[1], 1.8, words)


def _capacitor(words: str, plus: Place, minus: Place) -> Iterator[Shape]:
    """Return a capacitor in front of a part, above the wire that it buffers."""
    (x, y), (_, ground) = plus, minus
    yield Line(POWER, ((x - 8, y - 4), (x - 8, y)))
    yield Circle(_DOT[POWER.name], x - 8, y, 1.6)
    yield Line(GROUND, ((x - 24, y - 7), (x - 27, y - 7), (x - 27, ground)))
    yield Circle(_DOT[GROUND.name], x - 27, ground, 1.6)
    yield Box(METAL, x - 24, y - 10, 20, 6, 1)
    yield Words(INK, x - 14, y - 7, 1.9, words.partition(",")[0])
    yield Words(INK, x - 5.5, y - 2.2, 2.2, "+", bold=True)


def _is_free(lane: Sequence[tuple[float, float]], low: float, high: float) -> bool:
    """Return whether a lane is free between these two heights."""
    return all(high + 1 < there[0] or there[1] + 1 < low for there in lane)


def _routed(wires: Sequence[Joined], last: float) -> Iterator[Shape]:
    """Return every wire as a horizontal line, a lane, and a horizontal line.

    Wires from the Pi take the lanes from the left. To minimize crossings, the lower wires come
    first if they lead down, and the upper wires first if they lead up. Wires between the other
    parts take the lanes from the right.
    """
    taken: dict[int, list[tuple[float, float]]] = {}
    from_pi = [one for one in wires if one.start[0] < LANES]
    down = sorted((w for w in from_pi if w.end[1] > w.start[1]), key=lambda w: -w.start[1])
    up = sorted((w for w in from_pi if w.end[1] <= w.start[1]), key=lambda w: w.start[1])
    others = sorted(
        (one for one in wires if one.start[0] >= LANES), key=lambda w: abs(w.end[1] - w.start[1])
    )
    lanes = int((last - LANES) / LANE)
    for one in (*down, *up, *others):
        low, high = sorted((one.start[1], one.end[1]))
        order = range(lanes) if one.start[0] < LANES else range(lanes - 1, -1, -1)
        lane = next(n for n in order if _is_free(taken.get(n, ()), low, high))
        taken.setdefault(lane, []).append((low, high))
        x = LANES + lane * LANE
        yield Line(one.wire.layer, (one.start, (x, one.start[1]), (x, one.end[1]), one.end))
        if one.wire.through:
            yield from _in_line(one.wire.through, one.end)
