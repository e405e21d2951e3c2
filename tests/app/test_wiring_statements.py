"""The sentences in `wiring.md`: each figure and each setting agrees with the code.

`test_wiring_page` checks the tables and pictures, and `tests/test_docs.py` the commands.
"""

from __future__ import annotations

import re
import tomllib

import pytest

from boardctl.app import config as configuration
from boardctl.app import doctor, selftest
from boardctl.app.service import SYSTEM_FILES
from boardctl.board import layout as layouts
from boardctl.drawings import case, parts
from boardctl.drawings.wires import GATES, HEADER, POWER_BUTTON, SCL, SDA
from boardctl.drivers import adalight, budget, wires, ws2812_spi
from boardctl.drivers.wled import Options as Wled
from tests.drivers.test_light_table import PI, READS_ONE, SHIFTERS, SUPPLIED, USUAL
from tests.image.building import IMAGE, ROOT

PAGE = " ".join((ROOT / "wiring.md").read_text("utf-8").split())
NOMINAL = 5.0


def says(sentence: str) -> None:
    assert sentence in PAGE, f"wiring.md should say: {sentence}"


def test_the_budget_is_three_quarters_of_the_supply_and_the_fuse() -> None:
    power = budget.Options()
    amperes = power.milliamps / 1000
    assert budget.from_supply(4000) == power.milliamps == 3000
    says("three quarters")
    says("3000 mA on 4 A")
    says(f"at least {budget.supply(amperes):g} A for {power.milliamps} mA")
    says(f": {budget.fuse(amperes):g} A for {power.milliamps} mA")
    says(f" {power.idle:g} mA for each LED")


def test_the_wires_after_the_fuse_carry_it() -> None:
    says(f"{parts.rated(4):g} mm² (IEC 60335-1, table 11)")
    says(f"Above {parts.ONE_FUSE:g} A")


def test_the_voltages_are_those_of_the_tables() -> None:
    least, _, most = SUPPLIED
    says(f"at least {least:g} V")
    says(f"{NOMINAL:.1f} to {most:g} V")
    says(f"{READS_ONE * NOMINAL:g} V or more as a 1 ({READS_ONE:g} ×")
    says(f"only {PI:g} V")
    says(f"threshold is {READS_ONE * NOMINAL:g} V")
    reads, below = SHIFTERS["74AHCT125"]
    assert reads is not None
    assert reads < PI, "A 74AHCT125 … reads 3.3 V as a 1"
    assert NOMINAL - below > READS_ONE * NOMINAL, "… and outputs 5 V"


def test_the_first_gates_enable_input_is_the_one_that_is_named() -> None:
    enable, _, output = GATES[0]
    assert (enable, output) == (1, 3), "1OE"
    says("1OE of a 74AHCT125")


def test_the_boards_whose_frame_is_larger_than_the_usual_buffer_are_named() -> None:
    """A full reset must also fit, in case the line idles high."""
    bits = ws2812_spi.Options().bits
    names = [
        name
        for name in sorted(layouts.names())
        if 3 * layouts.load(name).leds * bits + 2 * ws2812_spi.latch(bits) > USUAL
    ]
    (setting,) = set(re.findall(r"spidev\.bufsiz=\d+", PAGE))
    says(" and ".join(f"`{name}`" for name in names))
    assert setting in (IMAGE / "boot/cmdline.txt").read_text("ascii").split()
    assert setting.partition(".")[2] in SYSTEM_FILES["modprobe.d/boardctl.conf"]


def test_the_core_clock_is_fixed_as_the_doctor_wants_it() -> None:
    pi_3, pi_4 = doctor._CORE["Pi 3"], doctor._CORE["Pi 4"]
    assert doctor._CORE["Zero"] == pi_3
    says(f"`{pi_3}`")
    says(f"`{pi_4}`")
    lines = (IMAGE / "boot/config.txt").read_text("ascii").splitlines()
    assert {pi_3, pi_4} <= set(lines), "The card image sets both"


def test_the_power_button_is_that_of_the_card() -> None:
    says(f"pin {HEADER[POWER_BUTTON]} (GPIO{POWER_BUTTON})")
    says(f"`dtoverlay=gpio-shutdown,gpio_pin={POWER_BUTTON}`")
    overlay = (IMAGE / "boot/raspberry.dts").read_text("utf-8")
    assert f"gpios = <&gpio {POWER_BUTTON} 1>" in overlay


def test_the_displays_pins_are_those_of_the_card() -> None:
    assert {HEADER[SDA], HEADER[SCL]} == {3, 5}
    assert "i2c1_gpio2" in (IMAGE / "boot/raspberry.dts").read_text("utf-8")


def test_the_written_settings_are_accepted() -> None:
    (buttons,) = re.findall(r"`(buttons = \{[^`]*\})` under `\[keys\]`", PAGE)
    settings = tomllib.loads(f'[keys]\ndriver = "gpio_buttons"\n{buttons}')
    keys = configuration.parse(settings).keys
    assert keys is not None
    assert keys.options.buttons == {"A": 17, "D": 24}
    says("`red`, `green` and `blue` to 20")
    old = dict.fromkeys(("red", "green", "blue"), 20)
    assert configuration.parse({"power": old}).power.green == 20


def test_the_ports_are_read_as_written() -> None:
    ports = re.findall(r"`(?:port = \")?(usb:[\w:]+)\"?`", PAGE)
    assert ports == ["usb:1a86:7523", "usb:2e8a:000a", "usb:2e8a:000a:NUMBER"]
    found = [wires.USB_PORT.fullmatch(port) for port in ports]
    assert [match and match[3] for match in found] == [None, None, "NUMBER"]
    firmware = (ROOT / "firmware/usb_rp2040.c").read_text("utf-8")
    vendor, product = re.findall(r"#define (?:VENDOR|PRODUCT) 0x(\w+)", firmware)
    assert f"usb:{vendor}:{product}".lower() == ports[1]


def test_the_other_controllers_have_their_usual_settings() -> None:
    says(f"{adalight.Options(port='x').baud} baud")
    assert Wled(host="wled.local").host == "wled.local"


@pytest.mark.parametrize("name", layouts.names())
def test_the_lcd_does_not_fit_the_travel_board(name: str) -> None:
    fits = case.display(layouts.load(name)) is case.LCD
    assert fits == (name != "travel-2")
    says("fit travel-2")


def test_the_colours_come_in_the_order_of_the_selftest() -> None:
    colours = [step.colour for step in selftest.steps(10, budget.Options())]
    says(f"{colours[0]}, then {', '.join(colours[1:-1])} and {colours[-1]}")
    assert len(colours) == 5


def test_an_older_or_newer_led_shows_in_the_current() -> None:
    """The difference is a third: the mean over red, green, blue and white for an LED with 20 mA for
    each colour."""
    usual, old = budget.Options(), budget.Options(red=20, green=20, blue=20)
    steps = selftest.steps(329, usual)[1:]
    shares = [budget.draw(step.frame, old) / step.milliamps for step in steps]
    assert sum(shares) / len(shares) == pytest.approx(4 / 3, abs=0.1)
    says("a third higher, they are 20 mA LEDs")
