"""docs/notes/lights.md, "On the wire": the LEDs that read each Pi's pulses, the length of a strip,
and the voltages that an LED reads, as computed here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, Literal

import pytest

from boardctl.drivers import ws2812_spi
from boardctl.drivers.virtual.spi import (
    CONTROLLERS,
    LATCH,
    NO_GAP,
    OTHERS,
    RP1,
    SHEETS,
    Controller,
    Gap,
    Sheet,
    WaveformError,
    decode,
)
from tests.image.building import ROOT

PAGE = ROOT / "docs/notes/lights.md"
FRAME = bytes(range(256)) + b"\x00\xff"
"""Every byte, so all pairs of neighbouring bits occur."""
GAPS = [Gap(1, held=False), Gap(1, held=True)]
BITS: tuple[Literal[3, 4], ...] = (4, 3)
LENGTHS: Final = (60, 144, 300, 331, 443, 450)
USUAL: Final = 4096
"""Bytes of a transfer unless spidev.bufsiz is set (Linux, spidev.c)."""
FIFO: Final = 64
"""Bytes in the send FIFO of a BCM2835's SPI (Linux, spi-bcm2835.c, BCM2835_SPI_FIFO_SIZE)."""
SUPPLIED: Final = (4.5, 5.0, 5.2)
"""Volts at the first LED and at the level shifter: the minimum that wiring.md allows at the far
end, the nominal, and the maximum that it allows at the supply."""
READS_ONE: Final = 0.7
"""The share of its supply above which a WS2812B reads a 1 (its datasheet, VIH)."""
PI: Final = 3.3
SHIFTERS: Final = {
    "74AHCT125": (2.0, 0.1),  # SN74AHCT125 datasheet, VIH and VOH at -50 µA
    "74HC125": (None, 0.1),  # SN74HC125 datasheet: VIH 0.7 of the supply (3.15 V at 4.5 V)
}
"""By name: the volts above which its input reads a 1, and the voltage of its 1 below its supply."""
LEAST_MARGIN: Final = 0.3
"""The volts of margin for `right`: a choice, for noise on 30 cm of wire."""


def judged(
    controller: Controller,
    bits: Literal[3, 4],
    gaps: list[Gap],
    sheets: Sequence[Sheet] = SHEETS,
) -> str:
    """Return `right` if every time is within the limits of the sheets, `marginal` if only a low
    time is longer than its limit but within a bit's whole time, otherwise `wrong`."""
    hertz = controller.rounded(ws2812_spi.HERTZ[bits])
    wire = bytes(ws2812_spi.encode(FRAME, ws2812_spi.tables(bits)))
    try:
        same = all(decode(wire, hertz, gap=gap, sheets=sheets) == FRAME for gap in gaps)
    except WaveformError:
        return "wrong"
    assert same
    return "right" if gaps == [NO_GAP] else "marginal"


def controllers() -> list[str]:
    out = [
        "| SPI controller | | `bits = 4` | `bits = 3` |",
        "|---|---|---|---|",
    ]
    for controller in CONTROLLERS:
        kinds = {"no gap": [NO_GAP], "a gap after each byte": GAPS}
        if controller is RP1:
            kinds = {"mode 1, no gap": [NO_GAP], "mode 0, a gap after each byte": GAPS}
        for kind, gaps in kinds.items():
            judgements = " | ".join(judged(controller, bits, gaps) for bits in BITS)
            out.append(f"| {controller.name} | {kind} | {judgements} |")
    return out


def kinds() -> list[str]:
    """Return the rows of each kind of LED, over all controllers without a gap."""
    out = ["| LED | `bits = 4` | `bits = 3` |", "|---|---|---|"]
    for sheet in (*SHEETS, *OTHERS):
        found = []
        for bits in BITS:
            (judgement,) = {judged(one, bits, [NO_GAP], [sheet]) for one in CONTROLLERS}
            found.append(judgement.replace("wrong", "outside"))
        out.append(f"| {sheet.name} | {' | '.join(found)} |")
    return out


def slowest(bits: Literal[3, 4]) -> float:
    return min(one.rounded(ws2812_spi.HERTZ[bits]) for one in CONTROLLERS)


def lengths() -> list[str]:
    out = [
        "| LEDs | bytes, `bits = 4` | `bits = 3` | longest time of a frame | `spidev.bufsiz` |",
        "|---|---|---|---|---|",
    ]
    for leds in LENGTHS:
        least = {bits: ws2812_spi.least(leds, bits) for bits in BITS}
        frame = ws2812_spi.encode(bytes(3 * leds), ws2812_spi.tables(4))
        milliseconds = 8000 * len(frame) / slowest(4)
        needs = "must be set" if least[4] > USUAL else "the usual 4096 is enough"
        if least[4] > USUAL >= least[3]:
            needs += "; enough for `bits = 3`"
        out.append(f"| {leds} | {least[4]} | {least[3]} | {milliseconds:.1f} ms | {needs} |")
    return out


def level(margin: float) -> str:
    named = "wrong" if margin < 0 else "marginal" if margin < LEAST_MARGIN else "right"
    return f"{named}, {margin:+.2f} V".replace("-", "−")


def levels() -> list[str]:
    """Return the rows with the smallest margin on the path of the data to the first LED."""
    out = [
        "| data from the Pi | " + " | ".join(f"at {volts:g} V" for volts in SUPPLIED) + " |",
        "|---|" + "---|" * len(SUPPLIED),
    ]
    direct = [level(PI - READS_ONE * volts) for volts in SUPPLIED]
    out.append(f"| straight to DIN | {' | '.join(direct)} |")
    for name, (reads, below) in SHIFTERS.items():
        found = []
        for volts in SUPPLIED:
            into = PI - (READS_ONE * volts if reads is None else reads)
            found.append(level(min(into, volts - below - READS_ONE * volts)))
        out.append(f"| through a {name} | {' | '.join(found)} |")
    return out


TABLES: Final = {"wire": controllers, "leds": kinds, "lengths": lengths, "levels": levels}


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_the_one_computed(name: str) -> None:
    rows = "\n".join(TABLES[name]())
    page = PAGE.read_text("utf-8")
    made = re.sub(rf"<!-- {name} -->\n(\|.*\n)*", f"<!-- {name} -->\n{rows}\n", page)
    assert f"<!-- {name} -->" in page
    assert page == made, f"docs/notes/lights.md should have\n{rows}"


def test_a_fifo_that_runs_dry_shows_half_a_frame() -> None:
    """These are figures of docs/notes/lights.md: the time that the FIFO lasts, and the latest time
    to refill it.
    """
    fastest = max(one.rounded(ws2812_spi.HERTZ[4]) for one in CONTROLLERS)
    lasts = 8e6 * FIFO / fastest
    page = " ".join(PAGE.read_text("utf-8").split())
    assert f"a FIFO of {FIFO} bytes lasts {lasts:.0f} µs" in page
    for sheet in SHEETS:
        assert f"{sheet.reset * 1e6:.0f} µs" in page


@pytest.mark.parametrize("bits", BITS)
def test_every_sheets_reset_is_kept_between_frames(bits: Literal[3, 4]) -> None:
    for controller in CONTROLLERS:
        low = 8 * ws2812_spi.latch(bits) / controller.rounded(ws2812_spi.HERTZ[bits])
        assert low >= LATCH == max(sheet.reset for sheet in SHEETS)
        assert low >= max(sheet.reset for sheet in OTHERS)
