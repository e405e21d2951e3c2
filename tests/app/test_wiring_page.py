"""`wiring.md`: its tables and pictures match configs that the daemon reads, and its figures match
the code."""

from __future__ import annotations

import os
import re
from pathlib import Path

import pytest

from boardctl.app import config as configuration
from boardctl.app import doctor, selftest
from boardctl.board import layout as layouts
from boardctl.board import svg
from boardctl.drawings import breakouts
from boardctl.drawings.parts import currents, feeds
from boardctl.drawings.wires import HEADER, devices, table
from boardctl.drawings.wiring import wiring
from boardctl.drivers import budget, gpio_buttons, gpio_matrix, ws2812_spi
from boardctl.drivers.virtual.spi import CONTROLLERS

ROOT = Path(__file__).parents[2]
CONFIGS = sorted((ROOT / "hardware" / "wiring").glob("*.toml"))
PAGE = ROOT / "wiring.md"


def parts(config: configuration.Config) -> dict[str, configuration.Part]:
    found = {name: getattr(config, name) for name in configuration.PARTS}
    return {name: part for name, part in found.items() if part is not None}


def update(path: Path, wanted: bytes) -> None:
    """With BOARDCTL_DRAW=1 in the environment, regenerate the files instead of comparing them."""
    if os.environ.get("BOARDCTL_DRAW"):
        path.write_bytes(wanted)
    assert path.read_bytes() == wanted, f"{path.name}: BOARDCTL_DRAW=1 pytest {__file__} mends it"


def drawn(folder: Path, written: str) -> dict[str, list[tuple[str, str]]]:
    """Return the start and the end of each device's wires in the drawing for a config."""
    path = folder / "config.toml"
    path.write_text(f'layout = "classic-2"\n{written}', "utf-8")
    found = devices(parts(configuration.load(path)))
    return {one.name: [(wire.start, wire.end) for wire in one.wires] for one in found}


def test_a_microcontroller_is_drawn_with_what_it_has(tmp_path: Path) -> None:
    """The drawing used to show a keypad that the board would not read, or a second strip."""
    leds, keys = '[leds]\ndriver = "{}"\n', '[keys]\ndriver = "{}"\n'
    lights = drawn(tmp_path, leds.format("serial_board") + keys.format("gpio_matrix"))
    assert lights["Keypad 4 × 4"][0][1] == "row 1"
    lights = drawn(tmp_path, leds.format("serial_board") + keys.format("gpio_buttons"))
    assert "Keypad 4 × 4" not in lights
    typed = drawn(tmp_path, leds.format("ws2812_spi") + keys.format("serial_board"))
    assert typed["Strip, piece 1 (WS2812B)"][0][0] == "level shifter 3 (Y)"
    assert typed["Keypad 4 × 4"][0][0] == "microcontroller, rows"
    single = leds.format("serial_board") + 'buttons = ["*", "#"]\n' + keys.format("serial_board")
    assert drawn(tmp_path, single)["Push buttons"] == [
        ("microcontroller, D2 or GP10", "key *"),
        ("microcontroller, D3 or GP11", "key #"),
        ("microcontroller, GND", "other side of all"),
    ]


def test_the_level_shifter_of_an_lcd_is_drawn_with_both_its_supplies(tmp_path: Path) -> None:
    """The drawing used to show only the two signals, but without its supply the shifter does not
    pass anything."""
    found = drawn(tmp_path, '[leds]\ndriver = "ws2812_spi"\n[display]\ndriver = "lcd"\n')
    assert found["I2C level shifter BSS138"] == [
        ("pin 1  3.3 V", "LV"),
        ("pin 2  5 V", "HV"),
        ("pin 9  GND", "GND"),
        ("pin 3  GPIO2", "LV1"),
        ("pin 5  GPIO3", "LV2"),
    ]
    starts = {start for start, _ in found["LCD with PCF8574"]}
    assert starts == {f"I2C level shifter, {name}" for name in ("HV", "GND", "HV1", "HV2")}


def test_the_pins_of_a_microcontroller_are_those_of_its_firmware(tmp_path: Path) -> None:
    """Both wiring.md and the drawing are checked."""
    arduino, pico = (
        dict(
            re.findall(
                r"^#define (ROWS?|COLUMNS?|BUTTON\w*|STRIP) (?:\(1 << PB)?(\w+)",
                (ROOT / "firmware" / f"chip_{chip}.c").read_text("utf-8"),
                re.MULTILINE,
            )
        )
        for chip in ("atmega328p", "rp2040")
    )
    bits = {
        name: [bit for bit in range(8) if int(mask, 0) >> bit & 1] for name, mask in arduino.items()
    }
    rows = [f"A{bit}" for bit in bits["ROWS"]]
    columns = [f"D{bit}" for bit in bits["COLUMNS"]]
    buttons = [f"D{b}" for b in bits["BUTTONS_D"]] + [f"D{8 + b}" for b in bits["BUTTONS_B"]]
    strip = f"D{8 + int(arduino['STRIP'])}"
    of = {name: int(number) for name, number in pico.items()}
    fours = {name: [f"GP{of[name] + n}" for n in range(4)] for name in ("ROW", "COLUMN")}
    page = PAGE.read_text("utf-8")
    for pins in (rows, columns, buttons, fours["ROW"], fours["COLUMN"]):
        assert f" {' '.join(pins)} " in page, pins
    assert f" {strip} " in page
    assert f" GP{of['STRIP']} " in page
    both = "".join(f'[{one}]\ndriver = "serial_board"\n' for one in ("leds", "keys"))
    both = both.replace("\n[keys]", '\nbuttons = ["0", "1", "2", "3", "4", "5"]\n[keys]')
    found = drawn(tmp_path, both)
    shown = [end for _, end in found["Keypad 4 × 4"]]
    for end, first, other in (
        (shown[0], rows, fours["ROW"]),
        (shown[1], columns, fours["COLUMN"]),
    ):
        assert f"({first[0]} to {first[3]}, or {other[0]} to {other[3]})" in end
    assert [start for start, _ in found["Push buttons"]][:6] == [
        f"microcontroller, {one} or GP{of['BUTTON'] + n}" for n, one in enumerate(buttons)
    ]
    assert f"({strip}; from GP{of['STRIP']} " in found["Strip, piece 1 (WS2812B)"][0][1]
    assert breakouts.PINS[breakouts.NANO.name] == {
        "data": (strip,), "rows": tuple(rows), "columns": tuple(columns),
    }  # fmt: skip
    assert breakouts.PINS[breakouts.PICO.name] == {
        "data": (f"GP{of['STRIP']}",),
        "rows": tuple(fours["ROW"]),
        "columns": tuple(fours["COLUMN"]),
    }


def test_the_page_says_where_the_buttons_go() -> None:
    page = " ".join(PAGE.read_text("utf-8").split())
    at = (f"`{key}` at pin {HEADER[pin]} (GPIO{pin})" for key, pin in gpio_buttons.USUAL.items())
    assert ", ".join(at) in page


@pytest.mark.parametrize("keys", ["gpio_matrix", "gpio_buttons"])
@pytest.mark.parametrize("display", ["oled", "lcd"])
@pytest.mark.parametrize("leds", ["ws2812_spi", "apa102_spi", "serial_board", "wled", "adalight"])
def test_no_pin_of_the_header_has_two_wires(
    leds: str, display: str, keys: str, tmp_path: Path
) -> None:
    """The buttons and the display used to share a pin, but only one socket fits on a pin."""
    written = "".join(
        f'[{name}]\ndriver = "{driver}"\n'
        for name, driver in (("leds", leds), ("keys", keys), ("display", display))
    )
    if leds == "wled":
        written = written.replace('"wled"\n', '"wled"\nhost = "wled.local"\n')
    starts = [start for wires in drawn(tmp_path, written).values() for start, _ in wires]
    pins = [start for start in starts if start.startswith("pin ")]
    assert len(pins) == len(set(pins)), pins


@pytest.mark.parametrize("path", CONFIGS, ids=lambda path: path.stem)
def test_tables_and_pictures_are_those_of_the_config(path: Path) -> None:
    config = configuration.load(path)
    board = layouts.load(config.layout)
    figures = currents(board, config.power)
    page = PAGE.read_text("utf-8")
    made = re.sub(
        rf"<!-- {path.stem} -->\n(\|.*\n)*",
        f"<!-- {path.stem} -->\n{table(parts(config), figures.fuse)}",
        page,
    )
    assert f"<!-- {path.stem} -->" in page
    update(PAGE, made.encode())
    sheet = wiring(board, parts(config), feeds(board, config.power), figures)
    update(path.with_suffix(".svg"), svg.write(sheet))


def test_the_first_wiring_is_the_default_of_every_driver() -> None:
    config = configuration.load(ROOT / "hardware" / "wiring" / "pi-strip.toml")
    for part in parts(config).values():
        assert part.options == configuration.driver(part.driver).Options()
    assert config.power == budget.Options()
    starts = {wire.start for device in devices(parts(config)) for wire in device.wires}
    for number in (*gpio_matrix.Options().rows, *gpio_matrix.Options().columns):
        assert any(start.endswith(f"GPIO{number}") for start in starts)


def test_the_pins_that_are_not_free_are_named() -> None:
    config = configuration.load(ROOT / "hardware" / "wiring" / "pi-strip.toml")
    keypad = gpio_matrix.Options()
    taken = doctor.pins(config).keys() - {*keypad.rows, *keypad.columns}
    named = re.search(r"except (\d+), (\d+) and\s+(\d+) to (\d+)", PAGE.read_text("utf-8"))
    assert named
    one, other, first, last = map(int, named.groups())
    assert taken == {one, other, *range(first, last + 1)}


def test_every_wiring_is_on_the_page_and_no_pin_is_used_twice() -> None:
    for path in CONFIGS:
        assert f"hardware/wiring/{path.name}" in PAGE.read_text("utf-8")
        config = configuration.load(path)
        pins = [
            wire.start.split()[-1]
            for device in devices(parts(config))
            for wire in device.wires
            if "GPIO" in wire.start
        ]
        assert len(pins) == len(set(pins))


def test_the_figures_of_the_page_are_those_of_the_code() -> None:
    page = PAGE.read_text("utf-8")
    for bits, highs in {3: (1, 2), 4: (1, 3)}.items():
        most = (4096 - ws2812_spi.LEAST_LEAD - ws2812_spi.latch(bits)) // bits // 3
        reset = (4096 - 2 * ws2812_spi.latch(bits)) // bits // 3
        assert str(most) in page
        assert str(reset) in page
        ticks = {1e9 / c.rounded(ws2812_spi.HERTZ[bits]) for c in CONTROLLERS}
        spans = [
            " to ".join(sorted({f"{n * min(ticks):.0f}", f"{n * max(ticks):.0f}"})) for n in highs
        ]
        assert f"{' and '.join(spans)} ns" in page.replace(" long", "")
    power = budget.Options()
    assert f"{power.red:.0f}, {power.green:.0f} and {power.blue:.0f} mA" in page
    assert f"(default {power.milliamps})" in page


def test_the_currents_to_measure_are_those_of_the_selftest() -> None:
    """These are the steps of every layout that light the whole strip."""
    power = budget.Options()
    boards = [layouts.load(name) for name in layouts.names()]
    steps = {board.name: selftest.steps(board.leds, power) for board in boards}
    colours = [step.colour for step in steps[boards[0].name]]
    lines = [f"| | {' | '.join(colours)} |", "|---" * (len(colours) + 1) + "|"]
    lines += [
        f"| {name} | {' | '.join(f'{step.milliamps:.0f}' for step in some)} |"
        for name, some in steps.items()
    ]
    made = re.sub(
        r"<!-- currents -->\n(\|.*\n)*",
        "<!-- currents -->\n" + "\n".join(lines) + "\n",
        PAGE.read_text("utf-8"),
    )
    update(PAGE, made.encode())


def test_links_lead_somewhere() -> None:
    page = PAGE.read_text("utf-8")
    for link in re.findall(r"\]\(([^)#:]+)\)", page):
        assert (ROOT / link).exists(), link
    heads = {
        head.lower().replace(" ", "-") for head in re.findall(r"^#+ (.+)$", page, re.MULTILINE)
    }
    for anchor in re.findall(r"\]\(#([^)]+)\)", page):
        assert anchor in heads
