"""docs/board.md, "On the wire": which spelling every Pi's SPI sends rightly, as computed here."""

from __future__ import annotations

import re
from typing import Literal

import pytest

from boardctl.drivers import ws2812_spi
from boardctl.drivers.virtual.spi import (
    CONTROLLERS,
    LATCH,
    NO_GAP,
    RP1,
    SHEETS,
    Controller,
    Gap,
    WaveformError,
    decode,
)
from tests.image.building import ROOT

PAGE = ROOT / "docs/board.md"
FRAME = bytes(range(256)) + b"\x00\xff"
"""Every byte, so every pair of neighbouring bits."""
GAPS = [Gap(1, held=False), Gap(1, held=True)]
BITS: tuple[Literal[3, 4], ...] = (4, 3)


def judged(controller: Controller, bits: Literal[3, 4], gaps: list[Gap]) -> str:
    """Return `right` within every limit of both sheets, `marginal` where only a low time is longer
    than its limit within a bit's whole time, else `wrong`."""
    hertz = controller.rounded(ws2812_spi.HERTZ[bits])
    wire = bytes(ws2812_spi.encode(FRAME, ws2812_spi.tables(bits)))
    try:
        same = all(decode(wire, hertz, gap=gap) == FRAME for gap in gaps)
    except WaveformError:
        return "wrong"
    assert same
    return "right" if gaps == [NO_GAP] else "marginal"


def rows() -> list[str]:
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


def test_the_table_is_the_one_computed() -> None:
    made = re.sub(
        r"<!-- wire -->\n(\|.*\n)*",
        "<!-- wire -->\n" + "\n".join(rows()) + "\n",
        PAGE.read_text("utf-8"),
    )
    assert PAGE.read_text("utf-8") == made, f"docs/board.md should have\n{chr(10).join(rows())}"


@pytest.mark.parametrize("bits", BITS)
def test_every_sheets_reset_is_kept_between_frames(bits: Literal[3, 4]) -> None:
    for controller in CONTROLLERS:
        low = 8 * ws2812_spi.latch(bits) / controller.rounded(ws2812_spi.HERTZ[bits])
        assert low >= LATCH == max(sheet.reset for sheet in SHEETS)
