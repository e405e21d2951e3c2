"""The building instructions for a board, `hardware/NAME/README.md`, with pictures and all figures.

`hardware/README.md` covers all boards. This page covers only what depends on the layout.
"""

from __future__ import annotations

from boardctl.board import plan
from boardctl.board.layout import names
from boardctl.board.shape import Layout, Run
from boardctl.drawings.parts import cost, currents, feeds, name_pieces
from boardctl.drawings.template import STRIP, well
from boardctl.drivers.budget import Options as Power


def page(layout: Layout, power: Power) -> str:
    """Return the page as Markdown."""
    fed = feeds(layout, power)
    figures = currents(layout, power)
    lamps = {lamp.index: lamp.name for lamp in layout.lamps}
    given = layout.name if layout.name in names() else f"{layout.name}.toml"
    return "\n".join(
        [
            f"# {layout.title}",
            "",
            "![The board, lit](board.svg)",
            "",
            f"The board measures {layout.width:g} × {layout.height:g} mm and has {layout.tracks} "
            f"tracks. Of the {layout.leds} LEDs on the wire, {len(layout.lamps)} are in use. "
            f"`boardctl draw all --layout {given} "
            f"--out hardware/{layout.name}` generates the files in this folder. [Building a "
            "board](../README.md) explains each step.",
            "",
            f"[parts.csv](parts.csv) lists the parts to buy. {cost(layout, power)}",
            "",
            f"The front plate has {len(layout.lamps)} holes of {layout.hole:g} mm, windows of "
            f"{plan.GLASS[0]:g} × {plan.GLASS[1]:g} mm (OLED) and "
            f"{layout.keypad.width:g} × {layout.keypad.height:g} mm (keypad), and "
            f"{len(layout.mounting_holes)} mounting holes of {layout.mounting_hole_diameter:g} mm. "
            f"The light guide has {well(layout):.1f} mm wells. The carrier shows the "
            f"{len(layout.runs)} pieces, each {STRIP:g} mm wide.",
            "",
            "![Front plate](front.svg)",
            "",
            "## The pieces in data order",
            "",
            "| piece | LEDs | length | lights | |",
            "|---|---|---|---|---|",
            *(_row(number, run, lamps, number in fed) for number, run in enumerate(layout.runs, 1)),
            "",
            f"The strips draw at most {figures.budget:g} A (`power.milliamps` in the config). Feed "
            f"in +5 V and GND at {name_pieces(fed)} with AWG {figures.gauge} wire or thicker, "
            + (
                f"each through a separate {figures.own_fuse:g} A fuse."
                if figures.own_fuse
                else f"through a {figures.fuse:g} A fuse."
            ),
            "",
            "![Wiring](wiring.svg)",
            "",
            "## The case",
            "",
            "![The case, taken apart](exploded.svg)",
            "",
        ]
    )


def _row(number: int, run: Run, lamps: dict[int, str], fed: bool) -> str:
    last = run.first + len(run.places)
    named = [lamps[index] for index in range(run.first, last) if index in lamps]
    names = named[0] if len(named) == 1 else f"{named[0]} … {named[-1]}"
    if run.strip is None:
        length = "single pixels" if len(run.places) > 1 else "single pixel"
    else:
        length = f"{len(run.places) * run.every:.0f} mm"
    return f"| {number} | {len(run.places)} | {length} | {names} | {'power' if fed else ''} |"
