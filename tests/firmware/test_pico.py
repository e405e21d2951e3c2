"""Features that only the Pico has: USB and its errata, its clocks, its UF2 file, and its return to
the ROM's drive.

The other files test the features shared with the Arduino, on both chips.
"""

from __future__ import annotations

import shutil
import struct
import subprocess
from collections.abc import Iterator
from contextlib import closing
from importlib.util import module_from_spec, spec_from_file_location
from pathlib import Path
from random import Random
from types import ModuleType

import pytest

from boardctl.drivers.serial_protocol import KEY_SEEN, LIGHTS, LIGHTS_SHOW, MAX_LEDS
from boardctl.drivers.virtual.spi import SHEETS
from tests.firmware.pico import NUMBER, Pico
from tests.firmware.rig import HERTZ, Bench, Emulator
from tests.firmware.talk import Talk, greeted, hear, run, show
from tests.firmware.test_figures import compare
from tests.parts import need

FIRMWARE = Path(__file__).parents[2] / "firmware"


def make_uf2() -> ModuleType:
    """The program that makes the file; `firmware/` is not a package."""
    spec = spec_from_file_location("make_uf2", FIRMWARE / "make_uf2.py")
    assert spec is not None and spec.loader is not None
    module = module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.fixture
def pico(built_pico: tuple[Path, Path], tmp_path: Path) -> Iterator[Pico]:
    """A Pico that has just been powered on, with a host connected."""
    machine = Pico(*built_pico, tmp_path / "tty")
    machine.command("run 1600000 0")
    yield machine
    machine.close()


def ask(pico: Pico, setup: str, data: str = "") -> str:
    """Send one request to endpoint 0, with setup packet and data in hexadecimal. Return the
    answer."""
    found: str = pico.command(f"control {setup} {data}")["control"]
    return found


def test_it_runs_at_96_megahertz_and_touches_nothing_unknown(pico: Pico) -> None:
    pico.command("run 16000000 0")
    found = pico.stats()
    system, usb, usb_control, counted = found["clocks"]
    assert system == counted == 96_000_000
    assert usb == 48_000_000
    assert system >= 1.1 * usb, "erratum RP2040-E16"
    assert usb_control == 1 << 11, "clk_usb is on, from the PLL"
    assert found["complaints"] == []
    assert found["resets"] == 0


def test_a_host_is_told_that_it_is_a_serial_port(pico: Pico) -> None:
    eight, device, head, whole, languages, maker, product, serial = map(
        bytes.fromhex, pico.stats()["descriptors"]
    )
    assert eight == device
    length, kind, usb, *classes, packet, vendor, number = struct.unpack_from("<BBHBBBBHH", device)
    assert (length, kind, usb, packet) == (18, 1, 0x200, 64)
    assert classes == [0xEF, 2, 1], "several interfaces of one function"
    assert (vendor, number) == (0x2E8A, 0x000A)
    assert whole.startswith(head)
    assert struct.unpack_from("<BBHBBBBB", whole) == (9, 2, len(whole), 2, 1, 0, 0x80, 50)
    parts = []
    rest = whole
    while rest:
        parts.append(rest[: rest[0]])
        rest = rest[rest[0] :]
    assert [(p[1], p[5]) for p in parts if p[1] == 4] == [(4, 2), (4, 10)]
    ends = {p[2]: (p[3] & 3, int.from_bytes(p[4:6], "little")) for p in parts if p[1] == 5}
    assert ends == {0x81: (3, 8), 0x02: (2, 64), 0x82: (2, 64)}
    assert languages == b"\x04\x03\x09\x04"
    assert struct.unpack_from("<4B", device, 14) == (1, 2, 3, 1), "its strings, one configuration"
    for text, said in (
        (maker, "boardctl"),
        (product, "boardctl keys and LEDs"),
        (serial, NUMBER),
    ):
        assert text[:2] == bytes((len(text), 3))
        assert text[2:].decode("utf-16-le") == said


def test_its_serial_number_is_its_flash_chips(
    built_pico: tuple[Path, Path], tmp_path: Path
) -> None:
    """Two Picos on one machine have different names. The name is the same after a reset by the
    watchdog."""
    (tmp_path / "other").mkdir()
    with closing(Pico(*built_pico, tmp_path / "other" / "tty", "DF6050788B1A9C37")) as other:
        other.command("run 1600000 0")
        assert bytes.fromhex(ask(other, "800603030904ff00"))[2:].decode("utf-16-le") == (
            "DF6050788B1A9C37"
        )
        other.command("hang")
        other.command("run 16000000 0")
        found = other.stats()
        assert found["resets"] == 1
        assert bytes.fromhex(found["descriptors"][-1])[2:].decode("utf-16-le") == "DF6050788B1A9C37"
        assert found["complaints"] == []


@pytest.mark.parametrize("silence", ["FF", "00", ""])
def test_a_flash_chip_without_a_number_gives_none(
    built_pico: tuple[Path, Path], tmp_path: Path, silence: str
) -> None:
    """A chip that does not drive the line provides none either, because the pad pulls the line
    up."""
    with closing(Pico(*built_pico, tmp_path / "tty", 8 * silence)) as pico:
        pico.command("run 1600000 0")
        assert bytes.fromhex(ask(pico, "8006000100001200"))[16] == 0
        assert ask(pico, "800603030904ff00") == "stall"
        assert ask(pico, "8008000000000100") == "01", "and it works all the same"


@pytest.mark.slow
def test_the_rig_would_see_a_chip_that_is_let_go_between_two_bytes(
    built_pico: tuple[Path, Path], tmp_path: Path
) -> None:
    changes = ("    FLASH_SELECT_CTRL = OUTPUT_LOW;", "    ")
    with closing(changed(built_pico, tmp_path, *changes)) as pico:
        pico.command("run 1600000 0")
        assert bytes.fromhex(ask(pico, "8006000100001200"))[16] == 0


REQUESTS = (
    ("8000000000000200", "", "0000"),  # GET_STATUS
    ("8008000000000100", "", "01"),  # GET_CONFIGURATION
    ("810a000000000100", "", "00"),  # GET_INTERFACE
    ("0201000082000000", "", ""),  # CLEAR_FEATURE, the halt of an endpoint
    ("a121000000000700", "", "20a10700000008"),  # GET_LINE_CODING, as it was set
    ("2123000000000000", "", ""),  # SEND_BREAK
    ("8006000600000a00", "", "stall"),  # a descriptor that only faster devices have
    ("8006040300000a00", "", "stall"),  # a string that does not exist
    ("0009020000000000", "", "stall"),  # another configuration
    ("2120000000000300", "010203", "stall"),  # an invalid line coding
    ("4001000000000000", "", "stall"),  # a vendor's request
    ("80ff000000000100", "", "stall"),
)


def test_requests(pico: Pico) -> None:
    for setup, data, answer in REQUESTS:
        assert ask(pico, setup, data) == answer
        assert ask(pico, "8008000000000100") == "01", f"and it goes on after {setup}"
    found = pico.stats()
    assert not found["drive"]
    assert found["complaints"] == []


def test_a_port_closed_at_1200_baud_asks_for_the_drive(pico: Pico) -> None:
    assert ask(pico, "2120000000000700", "b0040000000008") == ""
    pico.command("run 1600 0")
    assert not pico.stats()["drive"], "the port is still open"
    pico.command("control 2122000000000000")
    pico.command("run 160000 0")
    assert pico.stats()["drive"]


def test_a_port_closed_at_our_rate_does_not(pico: Pico) -> None:
    assert ask(pico, "2122000000000000") == ""
    pico.command("run 160000 0")
    assert not pico.stats()["drive"]


def test_after_a_reset_of_a_busy_bus_it_is_shown_an_idle_one(pico: Pico) -> None:
    """Erratum RP2040-E5: after a bus reset, the controller waits for 800 µs of idle (J), which the
    emulated bus never shows. The firmware forces J for a millisecond, beginning within two ticks of
    the end of the reset, and then restores everything."""
    before = pico.stats()
    ((begins, lasts),) = before["forced"]
    assert 0 < begins / HERTZ < 520e-6
    assert 1e-3 <= lasts / HERTZ < 1.3e-3
    sio, input_schmitt_pulled_up = 5, 0b1011010
    assert before["pin"] == [sio, input_schmitt_pulled_up]
    assert before["phy"][1] == 0, "the pull-up is the controller's again"
    assert ask(pico, "8008000000000100") == "01"
    Emulator.command(pico, "plug")
    pico.command("run 640000 0")
    after = pico.stats()
    assert len(after["forced"]) == 2
    assert after["pin"] == before["pin"]
    assert ask(pico, "8008000000000100") == "01"


@pytest.mark.slow
def test_without_that_it_is_not_found(built_pico: tuple[Path, Path], tmp_path: Path) -> None:
    changes = ("        force_j();", "        (void)force_j;", "usb_rp2040.c")
    with closing(changed(built_pico, tmp_path, *changes)) as pico:
        pico.command("run 1600000 0")
        found = pico.stats()
        assert found["descriptors"] == []
        assert found["forced"] == []


@pytest.mark.parametrize("chip", ["rp2040"])
def test_a_button_held_on_that_pin_is_not_let_go(talk: Talk, bench: Bench, chip: str) -> None:
    """GP15 is the sixth button. It reads as open for a millisecond after a reset of the bus."""
    greeted(talk, 8)
    bench.emulator.key(21, True)
    hear(talk, bench, 0.1)
    (event,) = talk.received()
    assert event.payload[:2] == bytes((21, 1))
    talk.say(KEY_SEEN, b"", event.number)
    resets = len(bench.emulator.stats()["forced"])
    Emulator.command(bench.emulator, "plug")
    hear(talk, bench, 0.1)
    assert len(bench.emulator.stats()["forced"]) == resets + 1
    assert talk.received() == [event]


def packets(bench: Bench) -> tuple[int, int]:
    """Return how many packets were sent on the line, and how many of them late in a frame, after
    requests at various times within the frame."""
    talk, chance = Talk(bench), Random(15)
    talk.hello()
    for _ in range(100):
        bench.run(0.001 + chance.random() / 1000)
        talk.ask(LIGHTS, bytes((LIGHTS_SHOW,)))
    found = bench.emulator.stats()
    return found["packets"], found["late"]


@pytest.mark.slow
@pytest.mark.parametrize("chip", ["rp2040"])
def test_no_packet_is_handed_over_late_in_a_frame(bench: Bench, chip: str) -> None:
    """Erratum RP2040-E15: no packet may be sent in the last 200 µs of a frame."""
    given, late = packets(bench)
    assert given > 100
    assert late == 0


@pytest.mark.slow
def test_the_rig_would_see_one(built_pico: tuple[Path, Path], tmp_path: Path) -> None:
    changes = ("since >= 780", "since >= 990", "usb_rp2040.c")
    with closing(changed(built_pico, tmp_path, *changes)) as pico:
        host = Bench(pico)
        given, late = packets(host)
        host.kill()
        assert given > 100
        assert late > 7


@pytest.mark.parametrize("chip", ["rp2040"])
def test_keys_are_heard_while_the_strip_is_written(talk: Talk, bench: Bench, chip: str) -> None:
    """The timer scans them: a key settles after 8 ms, during 19 ms of refresh. Neither this nor
    received bytes lengthen a bit of the strip."""
    greeted(talk, MAX_LEDS)
    hear(talk, bench, 0.1)
    pico = bench.emulator
    talk.heard.clear()
    pico.key(3, True)
    talk.say(LIGHTS, show(run(0, 255, 1)))
    talk.write(bytes(range(1, 200)))
    bench.run(0.05)
    (event, *_) = talk.received()
    held = int.from_bytes(event.payload[2:], "little")
    assert held >= 17, "told once the strip had latched, by a timer that had not waited for it"
    assert {refresh.bit for refresh in pico.refreshes} == {(20, 20)}
    high = {"zero": {r.zero for r in pico.refreshes}, "one": {r.one for r in pico.refreshes}}
    assert high == {"zero": {(6, 6)}, "one": {(0, 0), (14, 14)}}
    for sheet in SHEETS:
        for width, (highs, lows) in ((6, sheet.zero), (14, sheet.one)):
            assert highs[0] <= width / HERTZ <= highs[1], sheet.name
            assert lows[0] <= (20 - width) / HERTZ <= lows[1], sheet.name
    assert pico.stats()["delivered"] > 199


def changed(
    built: tuple[Path, Path], tmp_path: Path, old: str, new: str, file: str = "chip_rp2040.c"
) -> Pico:
    """A Pico with one line of its program replaced."""
    source = tmp_path / "firmware"
    shutil.copytree(FIRMWARE, source, ignore=shutil.ignore_patterns("build"))
    program = source / file
    text = program.read_text("utf-8")
    assert old in text
    program.write_text(text.replace(old, new), "utf-8")
    subprocess.run(["make", "-s", "-C", str(source), "pico"], check=True)
    return Pico(built[0], source / "build" / "boardctl.uf2", tmp_path / "tty")


@pytest.mark.slow
def test_the_rig_would_see_another_timing(built_pico: tuple[Path, Path], tmp_path: Path) -> None:
    changes = ("define PIO_DIVIDER 12", "define PIO_DIVIDER 14")
    with closing(changed(built_pico, tmp_path, *changes)) as pico:
        pico.command("run 1600000 0")
        assert [(r.zero, r.bit) for r in pico.refreshes] == [((7, 7), (70 / 3, 70 / 3))]


@pytest.mark.slow
def test_the_rig_would_see_a_bit_that_is_stretched(
    built_pico: tuple[Path, Path], tmp_path: Path
) -> None:
    """The same test runs with a program that fills the FIFO and sleeps in between."""
    begin = "    DMA_READ = (uintptr_t)words;"
    badly = (
        "    for (uint16_t n = 0; n < count; n++) {\n        REG(PIO_TXF) = words[n];\n"
        "        if (n % 4 == 3)\n            wait_for_interrupt();\n    }\n"
        "    count = 0;\n"
    )
    with closing(changed(built_pico, tmp_path, begin, badly + begin)) as pico:
        pico.command("run 1600000 0")
        (refresh,) = pico.refreshes
        assert refresh.bit[1] > 20


@pytest.mark.slow
def test_the_same_sources_make_the_same_file(tmp_path: Path) -> None:
    need("arm-none-eabi-gcc", "newlib", "avr-gcc", "avr-libc", "make")
    made = []
    for name in ("one", "another place"):
        source = tmp_path / name.replace(" ", "-")
        shutil.copytree(FIRMWARE, source, ignore=shutil.ignore_patterns("build"))
        subprocess.run(["make", "-s", "-C", str(source), "all", "pico"], check=True)
        build = source / "build"
        subprocess.run(
            ["avr-objcopy", "-O", "ihex", build / "boardctl.elf", build / "boardctl.hex"],
            check=True,
        )
        made.append([(build / n).read_bytes() for n in ("boardctl.uf2", "boardctl.hex")])
    assert made[0] == made[1]


def test_the_boot_block_has_the_sum_that_the_rom_computes() -> None:
    """The checksum is CRC-32/MPEG-2, whose published check value is of these nine digits."""
    made = make_uf2()
    assert made.crc(b"123456789") == 0x0376E6E7
    image = made.with_crc(b"\x01" * 252 + bytes(4) + b"\x02" * 10)
    assert len(image) == 512
    assert image[252:256] == struct.pack("<I", made.crc(b"\x01" * 252))
    with pytest.raises(ValueError, match="more than 252"):
        made.with_crc(b"\x01" * 256)


def test_size(built_pico: tuple[Path, Path]) -> None:
    done = subprocess.run(
        ["arm-none-eabi-size", "-A", built_pico[1].parent / "boardctl-pico.elf"],
        capture_output=True,
        text=True,
        check=True,
    )
    sizes = {
        w[0]: int(w[1]) for w in map(str.split, done.stdout.splitlines()) if w and w[0][0] == "."
    }
    version = subprocess.run(
        ["arm-none-eabi-gcc", "-dumpversion"], capture_output=True, text=True, check=True
    ).stdout.strip()
    built_with = f"(arm-none-eabi-gcc {version})"
    ram = sizes[".image"] + sizes[".bss"]
    assert ram < 64 * 1024
    if built_with in (FIRMWARE / "README.md").read_text("utf-8"):
        compare(
            [
                ("flash", f"{256 + sizes['.image']} of the Pico's 2097152 bytes {built_with}"),
                ("RAM", f"{ram} of the RP2040's 270336 bytes {built_with}"),
            ]
        )
