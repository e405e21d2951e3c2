"""All the files of a circuit board, the content of `hardware/NAME/board/`."""

from __future__ import annotations

from collections.abc import Iterator

from boardctl.board.shape import Layout
from boardctl.drawings import svg
from boardctl.drawings.pcb import kicad, orders, picture
from boardctl.drawings.pcb.design import Design, design
from boardctl.drawings.pcb.fabrication import Fabrication, KicadError, fabricate
from boardctl.drawings.pcb.footprints import LED
from boardctl.drawings.pcb.router import BACK, FRONT
from boardctl.drivers.budget import Options as Power


def files(layout: Layout, power: Power) -> Iterator[tuple[str, bytes]]:
    """All files. Raises LayoutError, and KicadError if KiCad is missing or finds an error."""
    made = design(layout)
    board, project = kicad.board(made), kicad.project()
    checked(fabrication := fabricate(board, project))
    yield from source(made, power)
    yield "gerbers.zip", fabrication.zipped()


def checked(fabrication: Fabrication) -> None:
    """Raise KicadError if KiCad's design rule check has found an error."""
    if fabrication.errors or fabrication.unrouted:
        first = " ".join(fabrication.errors[0].split()) if fabrication.errors else ""
        raise KicadError(
            f"KiCad finds {len(fabrication.errors)} errors and {fabrication.unrouted} missing "
            f"connections on this board; the first: {first}"
        )


def source(made: Design, power: Power) -> Iterator[tuple[str, bytes]]:
    """The files that do not need KiCad: project, bill of materials, placement, pictures, page."""
    yield "board.kicad_pcb", kicad.board(made)
    yield "board.kicad_pro", kicad.project()
    yield "bom.csv", orders.bill(made).encode("utf-8")
    yield "cpl.csv", orders.placement(made).encode("utf-8")
    yield "front.svg", svg.write(picture.side(made, FRONT))
    yield "back.svg", svg.write(picture.side(made, BACK))
    yield "README.md", page(made, power).encode("utf-8")


def page(made: Design, power: Power) -> str:
    """The page of one board, as Markdown."""
    layout = made.layout
    placed = [part for part in made.parts if orders.is_assembled(part)]
    by_hand = [part for part in made.parts if not orders.is_assembled(part)]
    joints = sum(len(part.part.pads) for part in by_hand)
    costs = [orders.cost(made, boards) for boards in (1, 2, 5)]
    tall = max(part.part.height for part in by_hand)
    return "\n".join(
        [
            f"# {layout.title}: a circuit board",
            "",
            "![The front](front.svg)",
            "",
            f"{layout.width:g} × {layout.height:g} mm, two layers, 1.6 mm, 35 µm copper. "
            f"{len(made.order)} LEDs {LED.number} in the order of the layout `{layout.name}`, each "
            "with 100 nF; 74AHCT1G125 as level shifter; a fuse of 4 A for the "
            f"{power.milliamps / 1000:g} A that the daemon allows; 1000 µF. It takes the place of "
            "strips and carrier plate; front plate, diffuser and light guide stay as they are. "
            "**No such board has been made yet**: KiCad's rules and the tests have passed it, and "
            "nobody's iron.",
            "",
            "| file | what it is |",
            "|---|---|",
            "| [gerbers.zip](gerbers.zip) | what the fabricator is sent |",
            "| [bom.csv](bom.csv), [cpl.csv](cpl.csv) | its parts and their places, for assembly |",
            "| [board.kicad_pcb](board.kicad_pcb) | the board in KiCad 6 or later; press B to fill "
            "the planes |",
            "| [copper.svg](copper.svg) | the voltage lost in the planes, worst case |",
            "",
            "## Ordering",
            "",
            "1. Upload `gerbers.zip`: two layers, 1.6 mm, any colour; black mask shines least "
            "through the holes.",
            "2. Order assembly of the front, upload `bom.csv` and `cpl.csv`. Look at the "
            "fabricator's preview before you pay: the notched corner of an LED is its pin 3, GND, "
            "and libraries turn such parts in quarters. Rows that read *by hand* are left out.",
            f"3. What stands on the back is soldered by hand: {len(by_hand)} parts, {joints} "
            f"joints, {tall:g} mm tall at most. Cut the leads on the front to 1.5 mm, an LED's "
            "height.",
            "",
            f"Estimate of {orders.ESTIMATED} in US dollars, parcel included, duty not; fabricators "
            "make five bare boards at least:",
            "",
            "| boards | copper | parts | assembly | parcel | in all |",
            "|---|---|---|---|---|---|",
            *(
                f"| {c.boards} | {c.copper:.0f} | {c.parts:.0f} | {c.assembly:.0f} | "
                f"{orders.SHIPPING:.0f} | {c.total:.0f} |"
                for c in costs
            ),
            "",
            "## Joining",
            "",
            "![The back](back.svg)",
            "",
            "| connector | pins |",
            "|---|---|",
            "| J1 | 1 +5 V, 2 GND: the supply of the LEDs, and of nothing else |",
            "| J2 | a 40-way ribbon to the Pi, pin 1 to pin 1. The Pi's +5 V pins (2, 4) are open "
            "on this board on purpose: the Pi has its own supply, and the two never feed each "
            "other |",
            "| J3 | keypad: 1 to 4 its rows, 5 to 8 its columns |",
            "| J4 | OLED: 1 GND, 2 VCC (3.3 V), 3 SCL, 4 SDA. No LCD: its 5 V would reach the Pi |",
            "",
            f"{len(placed)} parts are placed by machine. In the config nothing changes: "
            "`ws2812_spi`, `gpio_matrix`, `oled` on their usual pins.",
            "",
        ]
    )
