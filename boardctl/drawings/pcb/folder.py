"""All the files for a circuit board: the content of `hardware/NAME/board/`."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Final

from boardctl.board import svg
from boardctl.board.shape import Layout
from boardctl.drawings.pcb import footprints as kinds
from boardctl.drawings.pcb import kicad, orders, picture, supply
from boardctl.drawings.pcb.design import Design
from boardctl.drawings.pcb.fabrication import Fabrication, KicadError, fabricate, python
from boardctl.drawings.pcb.footprints import FUSE_AMPERES, LED
from boardctl.drawings.pcb.panels import panels
from boardctl.drawings.pcb.router import BACK, FRONT
from boardctl.drivers import budget as limits
from boardctl.drivers.budget import Options as Power


def files(
    layout: Layout,
    power: Power,
    *,
    pico: bool = False,
    progress: Callable[[Sequence[Design], str], Iterable[Design]] = lambda panels, what: panels,
) -> Iterator[tuple[str, bytes]]:
    """Return the name and content of every file for a board.

    Args:
        layout: the layout.
        power: the budget and supply of the LEDs.
        pico: whether a Pico drives the LEDs instead of the Pi's pins.
        progress: wraps the panels that KiCad checks one by one, with a description of the work.

    Raises:
        LayoutError: if the layout cannot become a circuit board.
        KicadError: if KiCad is missing or finds an error.
    """
    python()  # before routing the wires, which takes minutes
    whole = panels(layout, pico=pico)
    plotted = []
    for made in progress(whole, "kicad-checks"):
        checked(fabrication := fabricate(kicad.board(made), kicad.project()))
        plotted.append((f"gerbers{suffix(made)}.zip", fabrication.zipped()))
    yield from source(whole, power)
    yield from plotted


def suffix(made: Design) -> str:
    """Return the suffix for a panel's file names, or an empty string for a whole board."""
    return f"-{made.panel}" if made.panel else ""


def checked(fabrication: Fabrication) -> None:
    """Raise KicadError if KiCad's design rule check has found an error."""
    if fabrication.errors or fabrication.unrouted:
        first = " ".join(fabrication.errors[0].split()) if fabrication.errors else ""
        raise KicadError(
            "kicad-finds",
            errors=len(fabrication.errors),
            unrouted=fabrication.unrouted,
            reason=first,
        )


def source(whole: tuple[Design, ...], power: Power) -> Iterator[tuple[str, bytes]]:
    """Return the files that do not need KiCad: project, bill of materials, placement and pictures
    of each panel, and the page."""
    for made in whole:
        end = suffix(made)
        yield f"board{end}.kicad_pcb", kicad.board(made)
        yield f"board{end}.kicad_pro", kicad.project(f"board{end}")
        yield f"bom{end}.csv", orders.bill(made).encode("utf-8")
        yield f"cpl{end}.csv", orders.placement(made).encode("utf-8")
        yield f"front{end}.svg", svg.write(picture.side(made, FRONT))
        yield f"back{end}.svg", svg.write(picture.side(made, BACK))
    yield "README.md", page(whole, power).encode("utf-8")


def _fused(power: Power) -> str:
    """Return the fuse, and the current that it carries for hours."""
    drawn = power.milliamps / 1000
    needed = f"a {FUSE_AMPERES:g} A fuse for the {drawn:g} A that the daemon allows"
    most = limits.from_supply(round(1000 * FUSE_AMPERES))
    if power.milliamps <= most:
        return needed
    return f"{needed}: **it carries {most} mA for hours, so lower `power.milliamps` to that**"


def _size(whole: tuple[Design, ...]) -> str:
    sizes = [f"{made.right - made.left:g} × {made.layout.height:g} mm" for made in whole]
    if len(sizes) == 1:
        return f"The board measures {sizes[0]}."
    return f"The board consists of two panels, {' and '.join(sizes)}, joined by a cable."


def _linked(whole: tuple[Design, ...], *names: str) -> str:
    """Return links to the files with this name, one per panel."""
    found = [
        f"{stem}{suffix(made)}.{ending}"
        for stem, ending in (name.split(".") for name in names)
        for made in whole
    ]
    return ", ".join(f"[{name}]({name})" for name in found)


def _cable(whole: tuple[Design, ...], power: Power) -> list[str]:
    """Return the paragraph about the cables between two panels."""
    if len(whole) == 1:
        return []
    header = next(part for part in whole[0].parts if part.reference == "J5")
    wires = ", ".join(f"{n} {net}" for n, net in header.nets.items())
    lead = supply.cable(whole, power)
    return [
        f"| J5, J6 | the data cable between the panels, pin to pin: {wires} |",
        f"| J8, J9 | the supply of the panel that has no J1, 1 +5 V to 1, 2 GND to 2: two wires of "
        f"AWG {lead.gauge} ({lead.area:g} mm²), which the fuse protects, {100 * lead.metres:g} cm "
        f"long; with {lead.amperes:g} A they drop {1000 * lead.volts:.0f} mV |",
    ]


def _protected(whole: tuple[Design, ...], power: Power) -> str:
    """Return a sentence about the transistors that protect against a reversed supply."""
    fets = sum(part.part is kinds.FET for made in whole for part in made.parts)
    usual, fused = (
        supply.protection(amperes, fets) for amperes in (power.milliamps / 1000, FUSE_AMPERES)
    )
    return (
        f"{fets} {kinds.FET.number} MOSFETs behind the fuse protect the LEDs from a reversed "
        f"supply of at most 8 V. They drop at most {1000 * usual.volts:.0f} mV at "
        f"{usual.amperes:g} A. At the fuse rating of {fused.amperes:g} A, the MOSFETs heat up by "
        f"at most {fused.kelvin:.0f} °C."
    )


def _points(whole: tuple[Design, ...]) -> str:
    """Return the test points and what to measure there."""
    names = [
        f"{part.reference} {part.part.value}"
        for made in whole
        for part in made.parts
        if part.part.is_bare
    ]
    return (
        f"Test points: {', '.join(names)}. DATA0 is the input of the first LED. +5V and GND "
        "are tapped at the points farthest from the supply."
    )


def _stated(whole: tuple[Design, ...]) -> list[str]:
    """Return the properties of two panels."""
    if len(whole) == 1:
        return []
    one, other = whole
    holes = [x for x, _ in one.layout.mounting_holes]
    held = all(
        sum(abs(x - edge) < NEAR and (x < edge) == (made is one) for x in holes) > 1
        for made, edge in ((one, one.right), (other, other.left))
    )
    seam = (one.right + other.left) / 2
    return [
        "Order each panel as a separate board. Each panel has its own screws, two of them beside "
        "the seam. The front plate and the light guide hold the two panels edge to edge."
        if held
        else "No screws hold the panels where they meet: give the layout two mounting holes on "
        f"each side of x = {seam:g} mm, within {NEAR:g} mm of it, or put both on one carrier.",
        "",
    ]


NEAR: Final = 15.0
"""The maximum distance in millimetres between a panel's edge and a screw that holds it."""
_PICO: Final = (
    "| J2 | a Raspberry Pi Pico with pins, in two sockets of 20; its USB plug points to the side "
    "of pins 1 and 40. The Pi feeds it through USB; VBUS, VSYS and 3V3 are not connected here. Not "
    "in the price: 4 dollars ([announced](https://www.geeky-gadgets.com/raspberry-pi-pico-03-03-2021/)"
    " in March 2021). In the config `leds` and `keys` are `serial_board`, port `usb:2e8a:000a` |",
    "| J4, J7 | not on this board: the display is connected to the Pi itself |",
)


def _connectors(whole: tuple[Design, ...], power: Power) -> list[str]:
    """Return the table of the connectors that differ from those in `hardware/README.md`."""
    rows = [*(_PICO if whole[0].pico else ()), *_cable(whole, power)]
    return ["| connector | pins |", "|---|---|", *rows, ""] if rows else []


def _costs(whole: tuple[Design, ...]) -> list[orders.Cost]:
    """Return the costs for one, two and five boards."""
    costs = []
    for boards in (1, 2, 5):
        each = [orders.cost(made, boards) for made in whole]
        costs.append(sum(each[1:], each[0]))
    return costs


def page(whole: tuple[Design, ...], power: Power) -> str:
    """Return the page about one board, as Markdown."""
    layout = whole[0].layout
    parts = [part for made in whole for part in made.parts]
    placed = [part for part in parts if orders.is_assembled(part)]
    by_hand = [part for part in parts if part.part.back and not part.part.is_bare]
    joints = sum(len(part.part.pads) for part in by_hand)
    leds = sum(len(made.order) for made in whole)
    costs = _costs(whole)
    tall = max(part.part.height for part in by_hand)
    pictures = {
        side: [f"![{words}]({side}{suffix(made)}.svg)" for made in whole]
        for side, words in (("front", "The front"), ("back", "The back"))
    }
    return "\n".join(
        [
            f"# {layout.title}: a circuit board",
            "",
            *pictures["front"],
            "",
            f"{_size(whole)} It is 1.6 mm thick and has two layers of 35 µm copper. "
            f"It carries {leds} {LED.number} LEDs, each with a 100 nF capacitor; a 74AHCT1G125 as "
            "level shifter; "
            f"{_fused(power)}; and a 1000 µF capacitor. "
            f"{len(placed)} parts are placed by machine, and {len(by_hand)} are soldered by hand "
            f"on the back ({joints} joints; parts at most {tall:g} mm tall). "
            "[A circuit board](../../README.md#a-circuit-board) explains how to order and connect "
            "it. **No such board has been made yet**, but the design has passed KiCad's "
            "checks and the tests.",
            "",
            "| file | what it is |",
            "|---|---|",
            f"| {_linked(whole, 'gerbers.zip')} | the board for the fabricator |",
            f"| {_linked(whole, 'bom.csv', 'cpl.csv')} | its parts and their positions |",
            f"| {_linked(whole, 'board.kicad_pcb')} | the board in KiCad 6 or later; press B to "
            "fill the planes |",
            "| [copper.svg](copper.svg) | the worst-case voltage drop in the planes |",
            "",
            *_stated(whole),
            f"Estimated cost in US dollars ({orders.ESTIMATED}), including shipping but not duty: "
            f"{', '.join(f'{c.total:.0f} for {c.boards}' for c in costs)}.",
            "",
            "## Connectors",
            "",
            *pictures["back"],
            "",
            *_connectors(whole, power),
            _protected(whole, power),
            "",
            _points(whole),
            "",
        ]
    )
