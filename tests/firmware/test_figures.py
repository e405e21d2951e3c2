"""The figures of firmware/README.md, measured here.

If one has changed, the test prints the correct table.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from random import Random

import pytest

from boardctl.drivers import serial_board
from boardctl.drivers.serial_board import Options
from boardctl.drivers.serial_protocol import LIGHTS, LIGHTS_SHOW, MAX_LEDS, PALETTE
from tests.firmware.rig import HERTZ, Bench, Emulator
from tests.firmware.talk import Talk

README = Path(__file__).parents[2] / "firmware" / "README.md"


def milliseconds(cycles: int) -> str:
    return f"{1000 * cycles / HERTZ:.1f} ms"


def compiler() -> str:
    done = subprocess.run(["avr-gcc", "-dumpversion"], capture_output=True, text=True, check=True)
    return done.stdout.strip()


def compare(rows: list[tuple[str, str]]) -> None:
    table = "\n".join(f"| {what} | {value} |" for what, value in rows)
    assert table in README.read_text("utf-8"), f"firmware/README.md should have\n\n{table}\n"


@pytest.mark.parametrize("chip", ["atmega328p"])
def test_size(built: tuple[Path, Path, str], bench: Bench, emulator: Emulator) -> None:
    flash, ram = re.findall(r"(\d+) bytes", built[2])
    talk = Talk(bench)
    talk.hello()
    talk.ask(LIGHTS, bytes((LIGHTS_SHOW,)) + bytes((0, 0, 9, 1)) * 15)
    emulator.key(3, True, 5000)
    bench.run(4)
    left = emulator.stats()["stack_left"]
    built_with = f" of the ATmega328P's %d bytes (avr-gcc {compiler()})"
    rows = [
        ("flash", flash + built_with % (32 * 1024)),
        ("RAM", ram + built_with % 2048),
        ("RAM that the stack has never touched", f"{left} bytes"),
    ]
    if f"(avr-gcc {compiler()})" in README.read_text("utf-8"):
        compare(rows)
    assert int(flash) < 30 * 1024, "a boot loader needs up to 2 KiB"
    assert left > 256


def test_no_heap(built: tuple[Path, Path, str]) -> None:
    done = subprocess.run(["avr-nm", built[1]], capture_output=True, text=True, check=True)
    symbols = {line.split()[-1] for line in done.stdout.splitlines()}
    assert "main" in symbols
    assert not symbols & {"malloc", "calloc", "realloc", "free", "__brkval"}


def test_time(bench: Bench, emulator: Emulator) -> None:
    talk = Talk(bench)
    talk.hello()
    talk.ask(PALETTE, bytes((1, 255, 96, 0)))
    talk.ask(LIGHTS, bytes((LIGHTS_SHOW,)) + bytes((56, 0, 1, 1)))
    latencies = []
    chance = Random(328)
    for key in range(22):
        bench.run(0.05 + chance.random() / 100)
        emulator.key(key, True)
        closed = emulator.cycle
        bench.run(0.02)
        latencies.append(emulator.spoke - closed)
        emulator.key(key, False)
        found = talk.received()[-1]
        assert found.payload[:2] == bytes((key, 1))
        talk.say(5, b"", found.number)
        bench.run(0.05)
        talk.say(5, b"", talk.received()[-1].number)
    bench.run(0.1)
    talk.ask(LIGHTS, bytes((LIGHTS_SHOW,)) + bytes((56, 0, 1, 0)) + bytes((57, 0, 1, 1)))
    bench.run(0.01)
    moved = emulator.refreshes[-1]
    talk.hello(MAX_LEDS)
    talk.ask(LIGHTS, bytes((LIGHTS_SHOW,)) + bytes((0, 0, 255, 1, 255, 0, 255, 1)))
    before = emulator.stats()
    talk.write(Random(1).randbytes(4000))
    talk.say(LIGHTS, bytes((LIGHTS_SHOW,)))
    talk.write(bytes((1,)) * 1000 + b"\0")
    bench.run(0.3)
    after = emulator.stats()
    sent = after["delivered"] - before["delivered"]
    spans = {(r.zero, r.one, r.bit) for r in emulator.refreshes if any(r.leds)}
    ((zero, one, bit),) = spans
    assert zero[0] == zero[1]
    assert one[0] == one[1]
    assert bit[0] == bit[1]
    compare(
        [
            ("bit, in cycles of 62.5 ns", f"0 high for {zero[0]}, 1 for {one[0]}, all {bit[0]}"),
            (
                "key closed for good to its event's first byte, strip at rest",
                f"{milliseconds(max(latencies))} at most",
            ),
            (
                "one moved peg on 400 LEDs, first byte to latch",
                milliseconds(moved.latched - moved.first_byte),
            ),
            ("of it, the strip's own 400 × 24 bits", milliseconds(400 * 24 * 20)),
            (
                "bytes that overran the port, of those that came back to back, refreshes included",
                f"{after['lost']} of {sent}",
            ),
        ]
    )


@pytest.mark.parametrize("steps", [5, pytest.param(20, marks=pytest.mark.long)])
def test_recovery(bench: Bench, emulator: Emulator, steps: int) -> None:
    """The time runs from the first moment at which the chip can receive a frame until the whole
    picture is lit. The figure is the worst of twenty, and the first few are within it."""
    (board,) = serial_board.open_ports(Options(port=str(emulator.port)), bench.wires)
    board.start(lambda event: None)
    picture = bytes((255, 96, 0)) * 30 + bytes(3 * 370)
    board.show(picture)

    def lit() -> bool:
        return bool(emulator.refreshes) and emulator.refreshes[-1].leds == picture

    bench.until(lit, 1.0)
    worst = 0.0
    for step in range(steps):
        bench.run(0.1 * step)
        emulator.reset(2)
        bench.run(0.03)
        assert not lit()
        worst = max(worst, bench.until(lit, 2.0) + 0.03)
    board.close()
    what = "chip reset to the whole picture lit again"
    if steps == 20:
        compare([(what, f"{1000 * worst:.0f} ms at most")])
    text = re.findall(rf"\| {what} \| (\d+) ms", README.read_text("utf-8"))
    assert text
    assert 1000 * worst <= max(map(int, text)) + 0.5
