"""docs/notes/lights.md, "On the wire": the LEDs that read each Pi's pulses, the length of a strip,
and the voltages that an LED reads, as computed here.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable, Sequence
from functools import partial
from typing import Final, Literal

import pytest

from boardctl.drivers import ws2812_spi
from boardctl.drivers.virtual.spi import (
    BCM2835,
    BCM2835_FIFO,
    CONTROLLERS,
    LATCH,
    NO_GAP,
    OTHERS,
    RP1,
    RP1_FIFO,
    SHEETS,
    Controller,
    Fifo,
    Gap,
    Sheet,
    WaveformError,
    decode,
)
from tests.image.building import ROOT

PAGE = ROOT / "docs/notes/lights.md"
FRAME = bytes(range(256)) + b"\x00\xff"
"""Every byte, so all pairs of neighbouring bits occur."""
MHZ: Final = 10**6
MODELS: Final = (
    ("1, 2, 3, CM3, Zero, Zero 2 W", (250 * MHZ, 400 * MHZ), (250 * MHZ, 400 * MHZ)),
    ("4 B, 400, CM4", (200 * MHZ, 500 * MHZ), (500 * MHZ,)),
)
"""By model: the core clock's range, and its values if fixed (Raspberry Pi documentation,
"Overclocking options"; raspberrypi/linux issue 3381)."""
RP1_MODELS: Final = "5, 500, CM5"
RESONATOR: Final = 0.005
"""The tolerance of an Arduino's ceramic resonator (Murata CSTCE-V, initial tolerance)."""
GAPS = [Gap(1, holds_level=False), Gap(1, holds_level=True)]
BITS: tuple[Literal[3, 4], ...] = (4, 3)
LENGTHS: Final = (60, 144, 300, 450)
USUAL: Final = 4096
"""Bytes of a transfer unless spidev.bufsiz is set (Linux, spidev.c)."""
LATEST: Final = 1000
"""Microseconds that a kernel may be late here."""
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


def changing(lowest: Controller, highest: Controller, bits: Literal[3, 4]) -> str:
    """Return the judgement if the core clock changes after the driver has chosen the divider."""
    asked = ws2812_spi.HERTZ[bits]
    wire = bytes(ws2812_spi.encode(FRAME, ws2812_spi.tables(bits)))
    for chosen, running in ((lowest, highest), (highest, lowest)):
        hertz = chosen.rounded(asked) * running.hertz / chosen.hertz
        with pytest.raises(WaveformError):
            decode(wire, hertz)
    return "wrong"


def models() -> list[str]:
    """Return the rows of each model of Pi, in each state of its SPI controller."""
    out = ["| Pi | SPI | `bits = 4` | `bits = 3` |", "|---|---|---|---|"]

    def row(pi: str, spi: str, judge: Callable[[Literal[3, 4]], str]) -> None:
        shown = "" if any(line.startswith(f"| {pi} |") for line in out) else pi
        out.append(f"| {shown} | {spi} | {' | '.join(judge(bits) for bits in BITS)} |")

    for pi, (lowest, highest), fixed in MODELS:
        known = [one for one in BCM2835 if one.hertz in fixed]
        assert len(known) == len(fixed)
        row(pi, "DMA", partial(judged_all, known, [NO_GAP]))
        row(pi, "no DMA", partial(judged_all, known, GAPS))
        ends = Controller("lowest", lowest), Controller("highest", highest)
        row(pi, "core clock not fixed", partial(changing, *ends))
    late = [Gap(1, holds_level=False, every=RP1_FIFO.size)]
    for spi, gaps in (("DMA, mode 1", [NO_GAP]), ("no DMA, mode 1, late", late), ("mode 0", GAPS)):
        row(RP1_MODELS, spi, partial(judged_all, [RP1], gaps))
    return out


def judged_all(kinds: Sequence[Controller], gaps: list[Gap], bits: Literal[3, 4]) -> str:
    (judgement,) = {judged(one, bits, gaps) for one in kinds}
    return judgement


def kinds() -> list[str]:
    """Return the rows of each kind of LED, over all controllers without a gap, and for the
    firmware's chips."""
    out = ["| LED | `bits = 4` | `bits = 3` | Arduino, Pico |", "|---|---|---|---|"]
    for sheet in (*SHEETS, *OTHERS):
        found = []
        for bits in BITS:
            (judgement,) = {judged(one, bits, [NO_GAP], [sheet]) for one in CONTROLLERS}
            found.append(judgement.replace("wrong", "outside"))
        found.append("right" if by_firmware(sheet) else "outside")
        out.append(f"| {sheet.name} | {' | '.join(found)} |")
    return out


def by_firmware(sheet: Sheet) -> bool:
    """Return whether every time of the firmware's pulses is within a sheet. The figures are those
    that the tests of the firmware measure."""
    page = (ROOT / "firmware/README.md").read_text("utf-8")
    figures = set(
        re.findall(r"in cycles of (62.5) ns \| 0 high for (\d+), 1 for (\d+), all (\d+)", page)
    )
    assert page.count("in cycles of 62.5 ns") == 2, "an Arduino and a Pico"
    ((cycle, *counted),) = figures
    zero, one, whole = (float(cycle) * 1e-9 * int(count) for count in counted)
    return all(
        highs[0] <= high * (1 + part) <= highs[1]
        and lows[0] <= (whole - high) * (1 + part) <= lows[1]
        for part in (-RESONATOR, RESONATOR)
        for (highs, lows), high in ((sheet.zero, zero), (sheet.one, one))
    )


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


def first(low: int, high: int, is_so: Callable[[int], bool]) -> int:
    """Return the smallest number from low to high from which on a condition is always true."""
    return low + bisect_left(range(low, high), True, key=is_so)


def late(fifo: Fifo, kinds: Sequence[Controller], sheet: Sheet) -> tuple[int, int]:
    """Return two times in microseconds: after the first, a FIFO is refilled too late for any
    datasheet; after the second, the LEDs show only a part of the frame."""

    def outcome(microseconds: int) -> str:
        told = set()
        for one in kinds:
            hertz = one.rounded(ws2812_spi.HERTZ[4])
            gap = fifo.late(hertz, microseconds / 1e6)
            wire = bytes(ws2812_spi.encode(FRAME, ws2812_spi.tables(4)))
            try:
                assert decode(wire, hertz, gap=gap, sheets=[sheet]) == FRAME
            except WaveformError as error:
                told.add("part" if "first part" in str(error) else "outside")
        return "part" if "part" in told else "outside" if told else "right"

    assert outcome(1) == "right"
    assert outcome(LATEST) == "part"
    return (
        first(1, LATEST, lambda us: outcome(us) != "right"),
        first(1, LATEST, lambda us: outcome(us) == "part"),
    )


def busy() -> list[str]:
    out = [
        "| without DMA | right before | part of a frame from | V5, from |",
        "|---|---|---|---|",
    ]
    for name, fifo, kinds in (("BCM2835", BCM2835_FIFO, BCM2835), ("RP1", RP1_FIFO, (RP1,))):
        found = [late(fifo, kinds, sheet) for sheet in SHEETS]
        assert len({outside for outside, _ in found}) == 1
        figures = [found[0][0], *(part for _, part in found)]
        out.append(f"| {name} | {' | '.join(f'{figure} µs' for figure in figures)} |")
    return out


TABLES: Final = {
    "wire": models, "busy": busy, "leds": kinds, "lengths": lengths, "levels": levels,
}  # fmt: skip


@pytest.mark.parametrize("name", TABLES)
def test_the_table_is_the_one_computed(name: str) -> None:
    rows = "\n".join(TABLES[name]())
    page = PAGE.read_text("utf-8")
    made = re.sub(rf"<!-- {name} -->\n(\|.*\n)*", f"<!-- {name} -->\n{rows}\n", page)
    assert f"<!-- {name} -->" in page
    assert page == made, f"docs/notes/lights.md should have\n{rows}"


def test_a_fifo_that_is_refilled_in_time_leaves_no_pause() -> None:
    hertz = 3.2e6
    assert RP1_FIFO.late(hertz, 80e-6) == Gap(0, holds_level=False, every=64)
    assert RP1_FIFO.late(hertz, 90e-6) == Gap(32, holds_level=False, every=64), "10 µs late"
    assert BCM2835_FIFO.late(hertz, 90e-6).clocks == 160, "it asks when a quarter is left"


@pytest.mark.parametrize("bits", BITS)
def test_every_sheets_reset_is_kept_between_frames(bits: Literal[3, 4]) -> None:
    for controller in CONTROLLERS:
        low = 8 * ws2812_spi.latch(bits) / controller.rounded(ws2812_spi.HERTZ[bits])
        assert low >= LATCH == max(sheet.reset for sheet in SHEETS)
        assert low >= max(sheet.reset for sheet in OTHERS)
