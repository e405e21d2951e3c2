"""The doctor on simulated machines: each has one fault, and gets its remedy."""

from __future__ import annotations

import threading
from collections.abc import Callable
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest

from boardctl.app import doctor
from boardctl.app.config import Config, part
from boardctl.app.doctor import Finding, Machine, as_text, examine, pins
from boardctl.text import LANGUAGES, columns

CONFIG = """
layout = "classic-2"
[leds]
driver = "ws2812_spi"
[keys]
driver = "gpio_matrix"
[display]
driver = "oled"
"""


@pytest.fixture
def pi(tmp_path: Path) -> Path:
    """Return a Pi without faults."""
    for name, text in (
        ("proc/device-tree/model", "Raspberry Pi Zero 2 W Rev 1.0\0"),
        ("sys/module/spidev/parameters/bufsiz", "4096\n"),
        ("sys/kernel/debug/gpio", " gpio-517 (GPIO5     |lg                  ) out lo\n"),
        ("run/systemd/timesync/synchronized", ""),
        ("boot/firmware/config.txt", "dtparam=spi=on\ncore_freq=250 # for the strip\n"),
        ("dev/spidev0.0", ""),
        ("dev/gpiochip0", ""),
        ("dev/i2c-1", ""),
        ("etc/board.toml", CONFIG),
    ):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return tmp_path


def findings(
    root: Path,
    groups: tuple[str, ...] = ("gpio", "i2c", "spi"),
    power: str = "0x0",
    missing: tuple[str, ...] = (),
) -> dict[str, Finding]:
    machine = Machine(
        root, False, groups, lambda: f"throttled={power}", lambda name: name not in missing
    )
    return {f.what: f for f in examine(machine, root / "etc/board.toml")}


def test_a_pi_on_which_all_is_well(pi: Path) -> None:
    found = findings(pi)
    assert {f.state for f in found.values()} == {"good"}, as_text(list(found.values()))
    assert found["model"].found == "Raspberry Pi Zero 2 W Rev 1.0"
    assert not any(f.remedy for f in found.values())


def _wide(root: Path) -> None:
    text = CONFIG.replace('driver = "ws2812_spi"', 'driver = "ws2812_spi"\nbits = 4')
    (root / "etc/board.toml").write_text(text.replace("classic-2", "classic-3"), "utf-8")


def _free(root: Path) -> None:
    (root / "boot/firmware/config.txt").write_text("#core_freq=250\n", "utf-8")


def _four(root: Path) -> None:
    (root / "proc/device-tree/model").write_text("Raspberry Pi 4 Model B Rev 1.4\0", "utf-8")


def _held(root: Path) -> None:
    (root / "sys/kernel/debug/gpio").write_text(" gpio-524 (GPIO12    |fan  ) out lo\n", "utf-8")


@pytest.mark.parametrize(
    ("spoil", "what", "state", "remedy"),
    [
        (lambda r: (r / "dev/spidev0.0").unlink(), "SPI", "bad", "raspi-config nonint do_spi 0"),
        (lambda r: (r / "dev/i2c-1").unlink(), "I2C", "bad", "do_i2c 0"),
        (lambda r: (r / "dev/gpiochip0").unlink(), "GPIO", "bad", "kernel"),
        (_wide, "spidev.bufsiz", "bad", "spidev.bufsiz=65536"),
        (_free, "core_freq", "bad", "core_freq=250"),
        (_four, "core_freq", "bad", "core_freq_min=500"),
        (lambda r: (r / "boot/firmware/config.txt").unlink(), "core_freq", "unknown", "wiring.md"),
        (_held, "pins", "bad", "choose other pins"),
        (lambda r: (r / "sys/kernel/debug/gpio").unlink(), "pins", "unknown", "sudo"),
        (lambda r: (r / "proc/device-tree/model").unlink(), "model", "unknown", "--sim"),
        (lambda r: (r / "run/systemd/timesync/synchronized").unlink(), "clock", "unknown", "clock"),
        (lambda r: (r / "etc/board.toml").write_text("leds = 3"), "config", "bad", "setup"),
    ],
)
def test_each_thing_that_is_wrong_is_reported_with_its_remedy(
    pi: Path, spoil: Callable[[Path], object], what: str, state: str, remedy: str
) -> None:
    spoil(pi)
    found = findings(pi)
    assert found[what].state == state
    assert remedy in found[what].remedy
    assert f"-> {found[what].remedy}" in as_text(list(found.values()))


def test_the_modules_that_talk_to_the_pins(pi: Path) -> None:
    """Debian 12 has python3-spidev but not python3-lgpio."""
    found = findings(pi, missing=("lgpio",))
    assert found["spidev"].state == "good"
    assert found["lgpio"].state == "bad"
    assert "sudo apt install python3-lgpio" in found["lgpio"].remedy
    assert "python3-lgpio is in Raspberry Pi OS, not in Debian" in found["lgpio"].remedy
    assert "Debian 12" not in findings(pi, missing=("spidev",))["spidev"].remedy
    config = (pi / "etc/board.toml").read_text("utf-8")
    assert "[keys]" in config
    (pi / "etc/board.toml").write_text(config.replace("[keys]", '[keys]\npins = "rpigpio"'))
    found = findings(pi, missing=("RPi.GPIO", "lgpio"))
    assert "lgpio" not in found
    assert "python3-rpi.gpio" in found["RPi.GPIO"].remedy
    (pi / "etc/board.toml").write_text(config.replace("[keys]", '[keys]\npins = "native"'))
    assert not {"lgpio", "RPi.GPIO"} & set(findings(pi))
    assert not Machine(pi).has("no_such.module")


@pytest.mark.parametrize(
    ("driver", "module", "remedy"),
    [
        ("oled", "luma.oled", "sudo apt install python3-luma.oled"),
        ("lcd", "RPLCD", "install boardctl with its extra [lcd]"),
    ],
)
def test_the_modules_of_a_display(pi: Path, driver: str, module: str, remedy: str) -> None:
    """The doctor used not to check these modules, so a display could stay dark on a machine without
    findings."""
    path = pi / "etc/board.toml"
    before = path.read_text("utf-8").partition("[display]")[0]
    path.write_text(f'{before}\n[display]\ndriver = "{driver}"\n', "utf-8")
    assert findings(pi)[module].state == "good"
    found = findings(pi, missing=(module,))[module]
    assert found.state == "bad"
    assert remedy in found.remedy


def test_groups_and_power(pi: Path) -> None:
    assert "usermod -aG gpio,spi" in findings(pi, groups=("i2c",))["groups"].remedy
    weak = findings(pi, power="0x50005")["power"]
    assert weak.state == "bad"
    assert weak.found == (
        "the supply is too weak right now, the processor is throttled right now, "
        "the supply has been too weak at least once since boot, "
        "the processor has been throttled at least once since boot"
    )


def test_a_serial_port_that_is_not_there(pi: Path) -> None:
    config = pi / "etc/board.toml"
    text = '[leds]\ndriver = "serial_board"\nport = "{}"\n[keys]\ndriver = "serial_board"\n'
    config.write_text(text.format("/dev/ttyUSB0"), "utf-8")
    (pi / "dev/ttyACM0").touch()
    found = findings(pi, groups=("dialout",))
    assert found["serial"].state == "bad"
    assert "found: /dev/ttyACM0" in found["serial"].found
    config.write_text(text.format("/dev/ttyACM0"), "utf-8")
    assert findings(pi, groups=("dialout",))["serial"].state == "good"
    config.write_text(text.format("usb:1a86:7523"), "utf-8")
    assert findings(pi, groups=("dialout",))["serial"].found == "found by its USB identity"


def test_a_pin_that_a_bus_and_the_keypad_need(pi: Path) -> None:
    config = (pi / "etc/board.toml").read_text("utf-8")
    rows = config.replace("[keys]", "[keys]\nrows = [10, 6, 13, 19]\ncolumns = [3, 16, 20, 21]")
    (pi / "etc/board.toml").write_text(rows, "utf-8")
    found = findings(pi)["pins"]
    assert found.state == "bad"
    assert found.found == (
        "needed twice: GPIO3 (column of the keypad) by I2C clock, "
        "GPIO10 (row of the keypad) by SPI data"
    )
    assert found.remedy == "choose other pins for the keys"


def test_a_wled_controller_is_asked_for_its_leds(pi: Path) -> None:
    """The answers are those of real controllers (WLED documentation, "JSON API")."""
    config = 'layout = "classic-2"\n[leds]\ndriver = "wled"\nhost = "10.0.0.9"\n'
    (pi / "etc/board.toml").write_text(config, "utf-8")

    def found(answer: object) -> Finding:
        def wled(host: str) -> object:
            assert host == "10.0.0.9"
            if isinstance(answer, Exception):
                raise answer
            return answer

        machine = Machine(pi, False, (), lambda: "throttled=0x0", wled=wled)
        return {f.what: f for f in examine(machine, pi / "etc/board.toml")}["WLED"]

    assert found({"ver": "0.15.0", "leds": {"count": 329}}).state == "good"
    few = found({"ver": "0.15.0", "leds": {"count": 30}})
    assert few.state == "bad"
    assert few.remedy == "set the number of LEDs in WLED to 329"
    away = found(ConnectionRefusedError(111, "Connection refused"))
    assert away.found == "10.0.0.9 does not answer (Connection refused)"
    others: tuple[object, ...] = ({"leds": 3}, [], ValueError("Expecting value"))
    for other in others:
        assert found(other).found == "10.0.0.9 answers, but not as a WLED controller"


def test_what_answers_as_a_wled_controller() -> None:
    """The test uses a real connection."""

    class Answering(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            self.send_response(200 if self.path == "/json/info" else 404)
            self.end_headers()
            self.wfile.write(b'{"ver": "0.15.0", "leds": {"count": 329}}')

        def log_message(self, *said: object) -> None:
            """Print nothing."""

    with ThreadingHTTPServer(("127.0.0.1", 0), Answering) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        host = f"127.0.0.1:{server.server_port}"
        assert Machine().wled(host) == {"ver": "0.15.0", "leds": {"count": 329}}
        with pytest.raises(ValueError, match="404"):
            Machine().wled(f"{host}/elsewhere")
        server.shutdown()
    with pytest.raises(OSError, match="refused"):
        Machine().wled(host)


def test_a_layout_that_is_not_there_is_a_finding_like_others(pi: Path) -> None:
    (pi / "etc/board.toml").write_text(CONFIG.replace("classic-2", "nowhere-2"), "utf-8")
    found = findings(pi)
    assert found["config"].state == "bad"
    assert "there is no such layout" in found["config"].found
    assert found["power"].state == "good", "the rest is looked at"


def test_root_is_not_sent_to_root(pi: Path) -> None:
    (pi / "sys/kernel/debug/gpio").unlink()
    machine = Machine(pi, True, (), lambda: "throttled=0x0", lambda _: True)
    found = {f.what: f for f in examine(machine, pi / "etc/board.toml")}["pins"]
    assert (found.state, "sudo" in found.remedy) == ("unknown", False)


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("width", [36, 44, 60, 80])
def test_no_line_is_wider_than_the_terminal(pi: Path, language: str, width: int) -> None:
    """Only a single word may be wider."""
    for name in ("dev/spidev0.0", "dev/i2c-1", "dev/gpiochip0", "proc/device-tree/model"):
        (pi / name).unlink()
    found = list(findings(pi, groups=(), missing=("spidev", "lgpio")).values())
    for line in as_text(found, language, width).splitlines():
        *_, last = line.split()
        room = width - (20 if width >= 50 else 8)
        assert columns(line) <= width or columns(last) > room, line


def test_nothing_configured(tmp_path: Path) -> None:
    found = {f.what: f for f in examine(Machine(tmp_path, False, (), lambda: ""), None)}
    assert found["config"].remedy == "run `boardctl setup`"
    assert found["power"].state == "unknown"


def test_the_pins_that_a_config_uses() -> None:
    config = Config(leds=part("ws2812_spi"), keys=part("gpio_buttons"), display=part("lcd"))
    assert pins(config)[10] == "SPI data"
    assert pins(config)[17] == "button A"
    assert pins(config)[2] == "I2C data"
    assert doctor.uses(config) == {"spi", "gpio", "i2c"}
    assert pins(config)[7] == "SPI select 1", "the kernel holds both"


def test_a_pi_5_needs_no_fixed_core_clock_and_may_have_its_header_at_chip_4(pi: Path) -> None:
    (pi / "proc/device-tree/model").write_text("Raspberry Pi 5 Model B Rev 1.0\0", "utf-8")
    (pi / "dev/gpiochip0").rename(pi / "dev/gpiochip4")
    found = findings(pi)
    assert found["core_freq"].state == found["GPIO"].state == "good"
    assert found["GPIO"].found == "/dev/gpiochip4 is there"
