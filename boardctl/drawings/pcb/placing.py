"""Place the parts of a circuit board: the LEDs as in the layout, and every other part in a group
with related parts, where there is room."""

from __future__ import annotations

from math import cos, dist, radians, sin
from typing import Final

from boardctl.board.shape import LayoutError, Place
from boardctl.drawings.pcb import footprints as kinds
from boardctl.drawings.pcb.design import (
    FUSED,
    GROUND,
    INLET,
    POWER,
    Box,
    Design,
    Placed,
    apart,
    outline,
)
from boardctl.drawings.pcb.router import STEP
from boardctl.drawings.wires import HEADER, POWER_BUTTON, SCL, SDA, SPI
from boardctl.drivers import gpio_matrix


def leds(made: Design) -> None:
    """Place the LEDs and their capacitors. The last LED's output is not connected."""
    layout = made.layout
    lamps = {lamp.index: lamp.name for lamp in layout.lamps}
    total = layout.leds
    for run in layout.runs:
        for n, (x, y) in enumerate(run.places):
            index = run.first + n
            if not made.left < x < made.right:
                continue
            share = n / max(1, len(run.places) - 1)
            heading = run.leaves + share * (run.arrives - run.leaves)
            nets = {"1": POWER, "2": f"DATA{index + 1}", "3": GROUND, "4": f"DATA{index}"}
            if index == total - 1:
                del nets["2"]
            turn = (180 - heading) % 360
            reference = f"D{index + 1}"
            led = Placed(reference, kinds.LED, x, y, turn, nets, lamps.get(index, ""))
            made.parts.append(led)
            made.order.append(reference)
            at = led.at(-1.2, -3.5)
            made.parts.append(
                Placed(f"C{index + 1}", kinds.CAPACITOR, *at, turn, {"1": POWER, "2": GROUND})
            )


class _Room:
    """The space that is free for groups of parts: clear of other parts, edges, openings and
    screws."""

    def __init__(self, made: Design) -> None:
        layout = made.layout
        self._made = made
        self._taken = [outline(part, 1.2) for part in made.parts]
        if (o := made.opening) is not None:
            self._taken.append((o.x - 1, o.y - 1, o.x + o.width + 1, o.y + o.height + 1))
        for x, y in layout.mounting_holes:
            self._taken.append((x - 5, y - 5, x + 5, y + 5))

    def _is_inside(self, box: Box) -> bool:
        """Return whether a box is on the board and at least 2 mm from its edge."""
        made = self._made
        across = made.left + 2 < box[0] and box[2] < made.right - 2
        return across and box[1] > 2 and box[3] < made.layout.height - 2

    def place(self, group: list[Placed], name: str, near: Place | None = None) -> None:
        """Place a group as close as possible to the keypad or another point, rotated if necessary.
        Its coordinates are relative to its centre. Raises LayoutError."""
        layout, pad = self._made.layout, self._made.layout.keypad
        middle = near or (pad.x + pad.width / 2, pad.y + pad.height / 2)
        nodes = [
            (column * STEP, row * STEP)
            for column in range(0, int(layout.width / STEP), 4)
            for row in range(0, int(layout.height / STEP), 4)
        ]
        nodes.sort(key=lambda node: (round(dist(node, middle), 3), node))
        for x, y in nodes:
            for turn in (0.0, 90.0):
                here = [_moved(part, x, y, turn) for part in group]
                boxes = [outline(part, 1.3) for part in here]
                if all(map(self._is_inside, boxes)) and all(
                    apart(box, t) for box in boxes for t in self._taken
                ):
                    self._made.parts += here
                    self._taken += boxes
                    return
        raise LayoutError("no-room-part", f"layout {layout.name}", part_name=name)


def _moved(part: Placed, x: float, y: float, turn: float) -> Placed:
    a = radians(turn)
    return Placed(
        part.reference,
        part.part,
        round(x + part.x * cos(a) + part.y * sin(a), 4),
        round(y - part.x * sin(a) + part.y * cos(a), 4),
        part.turn + turn,
        part.nets,
    )


def others(
    made: Design, *, supply: bool = True, pi: bool = True, crossing: list[str] | None = None
) -> None:
    """Place the supply, the level shifter and the headers, each group where it fits. On a panel,
    place only the panel's own groups and the ends of the cables."""
    room = _Room(made)
    if supply:
        _inlet(made, room)
    if pi:
        _computer(made, room)
    if crossing:
        _crossed(made, room, crossing)
    _tested(made, room)


def _crossed(made: Design, room: _Room, crossing: list[str]) -> None:
    """Place the ends of the two cables to the other panel at the seam: screw terminals for the
    supply, whose wires carry the fuse's current, and a header for the data."""
    seam = (made.right if made.panel == 1 else made.left, made.layout.height / 2)
    supply = {"1": POWER, "2": GROUND}
    end = Placed(f"J{7 + made.panel}", kinds.TERMINAL, 0, 0, 0, supply)
    room.place([end], "the terminal of the supply's cable", seam)
    nets = {str(n): net for n, net in enumerate(crossing, 1)}
    header = Placed(f"J{4 + made.panel}", kinds.cable(len(crossing)), 0, 0, 0, nets)
    room.place([header], "the header of the data's cable", seam)


def _tested(made: Design, room: _Room) -> None:
    """Place a pair of test points beside the LED farthest from the supply's terminal."""
    inlet = next(part for part in made.parts if part.part is kinds.TERMINAL)
    far = max(
        (part for part in made.parts if part.part is kinds.LED),
        key=lambda led: dist((led.x, led.y), (inlet.x, inlet.y)),
    )
    first = 2 * max(made.panel, 1)
    points = [
        Placed(f"TP{first + n}", kinds.test_point(net), 7.62 * n - 3.81, 0, 0, {"1": net})
        for n, net in enumerate((POWER, GROUND))
    ]
    room.place(points, "the test points of the supply", (far.x, far.y))


def _inlet(made: Design, room: _Room) -> None:
    count = made.layout.leds
    room.place(
        [
            Placed("J1", kinds.TERMINAL, -11.43, 0, 0, {"1": INLET, "2": GROUND}),
            Placed("F1", kinds.FUSE, -2.54, -2.54, 0, {"1": INLET, "2": FUSED}),
            *(
                Placed(f"Q{n}", kinds.FET, x, -4.6, 0, dict(_PROTECTING))
                for n, x in ((1, 2.4), (2, 6.8))
            ),
            Placed(f"C{count + 1}", kinds.BULK, 8.89, 0, 0, {"1": POWER, "2": GROUND}),
        ],
        "terminal, fuse, transistors and bulk capacitor",
    )


_PROTECTING: Final = {"1": FUSED, "2": FUSED, "3": GROUND, "4": POWER, "5": FUSED, "6": FUSED}
"""The nets of a P-channel MOSFET against a reversed supply. Its own diode passes the first current,
and then the gate at GND switches it on. With + and - exchanged the gate is not below the source,
and neither conducts."""


def _pi(made: Design, room: _Room) -> None:
    keys = gpio_matrix.Options()
    pins = {HEADER[SPI[0][0]]: "SPI"}
    pins |= {HEADER[pin]: f"ROW{n}" for n, pin in enumerate(keys.rows, 1)}
    pins |= {HEADER[pin]: f"COLUMN{n}" for n, pin in enumerate(keys.columns, 1)}
    pins |= {HEADER[SDA]: "SDA", HEADER[SCL]: "SCL", 1: "+3V3"}
    pins |= dict.fromkeys(GROUND_PINS, GROUND)
    pins |= {HEADER[POWER_BUTTON]: BUTTON}
    room.place(
        [Placed("J2", kinds.PI, 0, 0, 0, {str(pin): net for pin, net in sorted(pins.items())})],
        "the Pi's header",
    )


def _computer(made: Design, room: _Room) -> None:
    count = made.layout.leds
    if made.pico:
        nets = {str(pin): net for pin, net in PICO_PINS.items()}
        room.place([Placed("J2", kinds.PICO, 0, 0, 0, nets)], "the Pico's socket")
    else:
        _pi(made, room)
    room.place(
        [
            Placed(
                "U1",
                kinds.SHIFTER,
                0,
                0,
                0,
                {"1": GROUND, "2": "SPI", "3": GROUND, "4": "DATA5V", "5": POWER},
            ),
            Placed("R1", kinds.RESISTOR, 5.08, 0.95, 0, {"1": "DATA5V", "2": "DATA0"}),
            Placed(f"C{count + 2}", kinds.CAPACITOR, 0, -3.81, 180, {"1": POWER, "2": GROUND}),
            Placed("TP1", kinds.test_point("DATA0"), 8.89, 0.95, 0, {"1": "DATA0"}),
        ],
        "the level shifter",
    )
    names = [f"ROW{n}" for n in range(1, 5)] + [f"COLUMN{n}" for n in range(1, 5)]
    room.place(
        [Placed("J3", kinds.KEYPAD, 0, 0, 0, {str(n): name for n, name in enumerate(names, 1)})],
        "the keypad's header",
    )
    if made.pico:
        return
    display = {"1": GROUND, "2": "+3V3", "3": "SCL", "4": "SDA"}
    room.place([Placed("J4", kinds.DISPLAY, 0, 0, 0, display)], "the display's header")
    button = {"1": BUTTON, "2": GROUND}
    room.place([Placed("J7", kinds.BUTTON, 0, 0, 0, button)], "the power button's header")


BUTTON: Final = "BUTTON"


GROUND_PINS: Final = (6, 9)
"""Pins of the 40-pin header that are connected to GND. Six more pins are also connected to GND, but
need no wires (Raspberry Pi documentation, "GPIO")."""


PICO_PINS: Final = {
    **{4 + n: f"ROW{n + 1}" for n in range(4)},
    8: GROUND,
    **{9 + n: f"COLUMN{n + 1}" for n in range(4)},
    28: GROUND,
    29: "SPI",
}
"""Pins of a Pico: GP2 to GP9 for the keypad, GP22 for the data, as in `firmware/chip_rp2040.c`. Its
other GND pins need no wires."""
