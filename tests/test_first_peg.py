"""One key lights one peg, end to end.

The path is virtual pins, scan, entry, table, journal, render, the WS2812 waveform, and the LED
decoded from it.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boardctl.board import layout
from boardctl.console.table_controller import TableController
from boardctl.drivers import gpio_matrix, ws2812_spi
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.drivers.virtual.pins import KeyMatrix
from boardctl.storage.journal import Journal
from boardctl.table import Table
from tests.tables import Later, submit


def test_one_key_lights_one_peg(tmp_path: Path) -> None:
    clock = VirtualClock()
    options = gpio_matrix.Options()
    wires = VirtualWires(clock)
    matrix = wires.keypad
    assert isinstance(matrix, KeyMatrix)
    (strip,) = ws2812_spi.open_ports(ws2812_spi.Options(), wires)
    (keys,) = gpio_matrix.open_ports(options, wires)
    disk = Later()
    journal = Journal(tmp_path, disk)
    table = Table(journal, now=lambda: 1.0)
    board = layout.load("classic-2")
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob"):
        submit(table, line, "test")
    disk.work()
    controller = TableController(table, board, strip, clock)
    keys.start(controller.on_key)

    for key in "A8#":
        matrix.press(key)
        clock.run(0.05)
        matrix.release(key)
        clock.run(0.05)

    assert wires.bus is not None
    peg = 3 * board.index()["track1.8"]
    seen = set()
    for _ in range(50):
        clock.run(0.02)
        seen.add(wires.bus.leds[peg : peg + 3])
    assert seen == {bytes(3), bytes((255, 96, 0))}, "an unsaved peg blinks"

    disk.work()
    clock.run(0.1)
    frames = wires.bus.transfers
    clock.run(10)
    assert wires.bus.leds[peg : peg + 3] == bytes((255, 96, 0)), "a saved peg is steady"
    assert wires.bus.transfers == frames, "and nothing moves"
    assert matrix.shorts == 0
    assert clock.idle
    disk.healed = True
    journal.close()


@pytest.mark.parametrize("bits", [3, 4])
def test_the_waveform_is_read_back(bits: Any) -> None:
    from boardctl.drivers.virtual.spi import decode

    frame = bytes(range(256)) + b"\x00\xff"
    wire = bytes(ws2812_spi.encode(frame, ws2812_spi.tables(bits)))
    assert decode(wire, ws2812_spi.HERTZ[bits]) == frame
