"""The sentences in `hardware/README.md`: each figure agrees with the drawings and lists.

The figures of each board's own pages are generated; `test_files` and `test_circuit_board` compare
them.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

import pytest

from boardctl.app import config
from boardctl.drawings import case, parts, pdf
from boardctl.drawings.commands.draw import wired
from boardctl.drawings.pcb import footprints, orders
from boardctl.drawings.wires import HEADER, POWER_BUTTON, devices, fused
from boardctl.drivers.budget import Options as Power
from tests.drawings.drawn import EVERY, HARDWARE, LAYOUTS
from tests.drawings.test_supply_path import SMALLEST, flat, of

PAGE = " ".join((HARDWARE / "README.md").read_text("utf-8").split())


def says(sentence: str) -> None:
    assert sentence in PAGE, f"hardware/README.md should say: {sentence}"


def figures(page: str, pattern: str) -> list[float]:
    """Return a figure of each board's page."""
    found = [re.search(pattern, (HARDWARE / name / page).read_text("utf-8")) for name in LAYOUTS]
    assert all(found), pattern
    return [float(match[1]) for match in found if match]


def around(values: Iterable[float], low: float, high: float, step: float) -> None:
    """Check that low and high are the values' ends, rounded outwards to a step at most."""
    least, most = min(values), max(values)
    assert low <= least < low + step, least
    assert high - step < most <= high, most


def test_every_layout_is_in_the_table_with_its_players() -> None:
    rows = re.findall(r"\| \[([\w-]+)\]\([\w-]+/README\.md\) \| ([\w ]+) players \|", PAGE)
    wanted = {name: layout.tracks for name, layout in LAYOUTS.items()}
    assert {name: 3 if "three" in players else 2 for name, players in rows} == wanted


def test_the_two_ways_to_build_have_the_figures_of_the_boards() -> None:
    number = r"(\d+)"
    joints = figures("board/README.md", r"\((\d+) joints; ")
    says(f"{min(joints):.0f} to {max(joints):.0f} joints")
    (low, high) = map(float, re.findall(f"{number} to {number} ends of wire", PAGE)[0])
    around(figures("README.md", r"with (\d+) wire ends to solder"), low, high, 10)
    (low, high) = map(float, re.findall(f"a weekend: {number} to {number} hours", PAGE)[0])
    around(figures("README.md", r"takes about (\d+) hours"), low, high, 1)
    (low, high) = map(float, re.findall(f"{number} to {number} US dollars for one", PAGE)[0])
    around(figures("board/README.md", r"(\d+) for 1,"), low, high, 10)


def test_the_layers_have_the_thickness_of_the_case() -> None:
    says(f"**Front plate**, {case.FRONT:g} mm plywood or acrylic")
    says(f"**Light guide**, {case.GUIDE:g} mm black MDF or printed")
    says(f"{case.LIGHTS:g} mm above the carrier")
    says(f"{case.LIGHTS:g} mm washers")
    says(f"**Carrier plate**, {case.CARRIER:g} mm plywood")
    says(f"{case.ROOM:g} mm of space")
    says(f"{case.KEYPAD_DEPTH:g} mm deep")
    says(f"M3 × {case.screw_length()} screws")
    says(f"{case.SPLICE_SCREW} screws")
    says(f"gland ({case.GLAND})")
    assert case.GUIDE + case.LIGHTS < case.STACK


def test_the_tray_is_printed_in_pieces_of_the_usual_bed() -> None:
    says("`[200, 200]`")
    drawn = (HARDWARE / "enclosure.scad").read_text("utf-8")
    assert re.search(r"^bed = \[200, 200\];", drawn, re.M)
    for part in re.findall(r"part=\"(\w+)\"", PAGE):
        assert f'"{part}"' in drawn, part


def test_the_prices_of_the_assembly_are_those_of_the_estimate() -> None:
    assert pytest.approx(8 + 1.5) == orders.SETUP
    says("8 dollars for setup, 1.50")
    says(f"{orders.JOINT:g} per joint")
    says(f"{orders.KIND:g} dollars for each kind of part")
    with_number = {
        part.lcsc
        for part in vars(footprints).values()
        if isinstance(part, footprints.Part) and part.lcsc
    }
    assert len(with_number) == 3
    says("Three parts have LCSC")


def test_the_connectors_have_their_pins() -> None:
    by = of(flat(SMALLEST))
    says("J1 | 1 +5 V, 2 GND")
    assert by["J1"].nets["2"] == "GND"
    says("+5 V pins (2, 4)")
    assert not {"2", "4"} & set(by["J2"].nets)
    says("1 to 4 its rows, 5 to 8 its columns")
    assert list(by["J3"].nets.values()) == [
        f"{kind}{n}" for kind in ("ROW", "COLUMN") for n in range(1, 5)
    ]
    says("J4 | OLED: 1 GND, 2 VCC (3.3 V), 3 SCL, 4 SDA")
    assert by["J4"].nets == {"1": "GND", "2": "+3V3", "3": "SCL", "4": "SDA"}
    pin = HEADER[POWER_BUTTON]
    says(f"1 GPIO{POWER_BUTTON} (pin {pin}), 2 GND")
    assert by["J7"].nets == {"1": by["J2"].nets[str(pin)], "2": "GND"}


@EVERY
def test_the_parts_for_a_circuit_board_are_in_the_list(name: str) -> None:
    listed = " ".join(
        f"{part.part} {part.note}".lower() for part in parts.parts(LAYOUTS[name], Power())
    )
    (said,) = re.findall(r"buy these parts from `parts.csv`: (.*?), and two metres", PAGE)
    for part in re.sub(r" \(.*?\)", "", said).split(", "):
        assert part.lower() in listed, part


def test_the_pages_overlap_as_the_step_says() -> None:
    says(f"by {pdf.OVERLAP:g} mm")
    says("100 mm long")  # test_templates measures the bar


@pytest.mark.parametrize("path", sorted((HARDWARE / "wiring").glob("*.toml")), ids=lambda p: p.stem)
def test_every_part_of_a_wiring_is_on_its_list_as_often_as_it_is_wired(path: Path) -> None:
    """The picture's and table's parts, and the jumper wires that end at the Pi's header."""
    settings = config.load(path)
    layout = LAYOUTS[settings.layout]
    figures = parts.currents(layout, settings.power)
    joined = [fused(one, figures.fuse) for one in devices(wired(settings, layout))]
    for_wiring = [one for one in parts.WIRINGS if WIRED[path.stem] in one.name]
    for wiring in for_wiring or [parts.Wiring("Pi to strip", (), ())]:
        listed = [
            *(one for one in parts.parts(layout, settings.power) if one.part not in wiring.without),
            *wiring.more,
        ]
        names = " ".join(f"{one.part} {one.note}".lower() for one in listed)
        for device in joined:
            (word,) = [word for name, word in BOUGHT.items() if device.name.startswith(name)]
            assert (word or wiring.name.rpartition(": ")[2].lower()) in names, device.name
            for wire in device.wires:
                through = wire.through.partition(",")[0]
                assert through.lower() in names, (wiring.name, through)
        (jumpers,) = [one.note for one in listed if one.part == parts.JUMPERS]
        counted = {
            name: sum(wire.start.startswith("pin ") for wire in device.wires)
            for device in joined
            for name in JUMPED
            if device.name.lower().startswith(name)
        }
        said = {name: int(n) for name, n in re.findall(r"(keypad|display) (\d+)", jumpers)}
        wanted = {JUMPED[name]: n for name, n in counted.items() if n}
        if "microcontroller" in wiring.name:  # its keypad is joined to it, by as many
            wanted["keypad"] = 8
        assert said == wanted, wiring.name


WIRED = {"pi-strip": "no other", "pi-microcontroller": "microcontroller", "pi-wled": "WLED"}
"""By config: the word in the names of its wirings in the parts list."""
JUMPED = {"keypad": "keypad", "oled": "display"}
BOUGHT = {
    "The Pi's own supply": "the pi's own usb supply",
    "Supply 5 V": "power supply 5 v",
    "Level shifter": "level shifter 74ahct125",
    "Strip": "ws2812b strip",
    "Keypad": "keypad 4 × 4",
    "OLED": "oled 0.96",
    "Microcontroller": "",  # in the wiring's name
    "WLED": "wled controller",
    "USB number pad": "usb number pad",
}
"""By the start of a device's name in the drawing: its name in the parts list."""
