"""Strips: the sent data is decoded again, in exactly one transfer, within the budget."""

from __future__ import annotations

from typing import Literal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.drivers import budget, ws2812_spi
from boardctl.drivers.budget import Budgeted
from boardctl.drivers.ports import PortError, Strip
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.drivers.virtual.spi import (
    CONTROLLERS,
    PERIOD,
    SHEETS,
    Controller,
    Gap,
    LedBus,
    WaveformError,
    decode,
)

frames = st.integers(1, 40).flatmap(lambda n: st.binary(min_size=3 * n, max_size=3 * n))


def ws2812(bits: Literal[3, 4] = 3, limit: int = 4096) -> tuple[ws2812_spi.Ws2812, LedBus]:
    bus = LedBus(ws2812_spi.HERTZ[bits], lambda leds: None, limit=limit)
    return ws2812_spi.Ws2812(bus, bits), bus


@given(st.sampled_from([3, 4]), st.data())
def test_patched_or_whole_the_strip_shows_the_frame(
    bits: Literal[3, 4], data: st.DataObject
) -> None:
    strip, bus = ws2812(bits)
    length = 3 * data.draw(st.integers(1, 30))
    shown = data.draw(st.lists(st.binary(min_size=length, max_size=length), min_size=1, max_size=5))
    for number, frame in enumerate(shown, 1):
        strip.show(frame)
        assert bus.leds == frame
        assert bus.transfers == number


def test_one_moved_peg_encodes_only_the_leds_it_passes() -> None:
    strip, bus = ws2812()
    frame = bytearray(3 * 400)
    strip.show(bytes(frame))
    assert strip.encoded == 400
    frame[3 * 100 : 3 * 100 + 3] = b"\x10\x20\x30"
    frame[3 * 104 : 3 * 104 + 3] = b"\x01\x02\x03"
    strip.show(bytes(frame))
    assert strip.encoded == 405
    strip.show(bytes(frame))
    assert strip.encoded == 405
    assert bus.leds == bytes(frame)
    assert bus.transfers == 3


def test_a_frame_that_would_be_split_is_refused_by_name() -> None:
    strip, bus = ws2812(bits=4)
    with pytest.raises(PortError, match=r"spidev\.bufsiz=8192") as refused:
        strip.show(bytes(3 * 400))
    assert f"400 LEDs need {1 + 3 * 400 * 4 + ws2812_spi.latch(4)} bytes" in str(refused.value)
    assert bus.transfers == 0
    most = (4096 - 1 - ws2812_spi.latch(4)) // 12
    strip.show(bytes(3 * most))
    assert bus.transfers == 1
    with pytest.raises(PortError, match=rf"\({most} LEDs\)"):
        strip.show(bytes(3 * most + 3))


def test_a_write_that_fails_is_told_and_heals() -> None:
    strip, bus = ws2812()
    strip.show(bytes(30))
    bus.broken = "Input/output error"
    with pytest.raises(PortError, match="Input/output error"):
        strip.show(b"\xff" * 30)
    bus.broken = None
    strip.show(b"\xff" * 30)
    assert bus.leds == b"\xff" * 30


@pytest.mark.parametrize(
    "wave",
    [b"\xfe" * 24 + bytes(100), b"\x92\x49" + bytes(100), b"\x92\x49\x24" * 3],
    ids=["pulse too long", "not whole LEDs", "no pause"],
)
def test_a_waveform_no_led_would_read_is_not_read(wave: bytes) -> None:
    with pytest.raises(WaveformError):
        decode(wave, 2_800_000)


@pytest.mark.parametrize("bits", [3, 4])
@pytest.mark.parametrize("controller", CONTROLLERS, ids=lambda controller: str(controller.name))
@given(frame=frames, idle=st.sampled_from([0, 1]), stretch=st.floats(0, 20e-6))
def test_every_bit_is_within_both_sheets_on_every_pi(
    bits: Literal[3, 4], controller: Controller, frame: bytes, idle: Literal[0, 1], stretch: float
) -> None:
    """After the divider's rounding, whatever the line's previous level and however long the first
    bit is; `decode` rejects everything outside the datasheets."""
    hertz = controller.rounded(ws2812_spi.HERTZ[bits])
    wire = ws2812_spi.encode(frame, ws2812_spi.tables(bits))
    assert decode(bytes(wire), hertz, idle, stretch) == frame


GAPS = [Gap(1, holds_level=False), Gap(1, holds_level=True)]
"""A controller without DMA; whether its data line keeps its level in the gap is not documented."""


@pytest.mark.parametrize("gap", GAPS)
@pytest.mark.parametrize("controller", CONTROLLERS, ids=lambda controller: str(controller.name))
@given(frame=frames)
def test_the_usual_spelling_survives_an_idle_clock_after_each_byte(
    controller: Controller, gap: Gap, frame: bytes
) -> None:
    bits = ws2812_spi.Options().bits
    hertz = controller.rounded(ws2812_spi.HERTZ[bits])
    wire = ws2812_spi.encode(frame, ws2812_spi.tables(bits))
    assert decode(bytes(wire), hertz, gap=gap) == frame


@pytest.mark.parametrize("gap", GAPS)
def test_three_bits_are_misread_with_an_idle_clock_after_each_byte(gap: Gap) -> None:
    """Every second and third byte ends within a pulse, so four bits are the default."""
    hertz = CONTROLLERS[0].rounded(ws2812_spi.HERTZ[3])
    wire = ws2812_spi.encode(b"\xff" * 3, ws2812_spi.tables(3))
    with pytest.raises(WaveformError, match="neither a 0 nor a 1"):
        decode(bytes(wire), hertz, gap=gap)


def test_a_gap_may_not_lengthen_a_bit_beyond_the_sheet() -> None:
    wire = bytes(ws2812_spi.encode(b"\x55" * 3, ws2812_spi.tables(4)))
    hertz = CONTROLLERS[0].rounded(ws2812_spi.HERTZ[4])
    longest = int((PERIOD - 4 / hertz) * hertz)
    assert decode(wire, hertz, gap=Gap(longest, holds_level=False)) == b"\x55" * 3
    with pytest.raises(WaveformError, match="ns low"):
        decode(wire, hertz, gap=Gap(longest + 1, holds_level=False))


def test_the_margins_are_those_of_the_docstring() -> None:
    """It is the smallest margin between any time and any limit, on any Pi, in nanoseconds."""
    least = {}
    for bits, (zero, one) in {3: (1, 2), 4: (1, 3)}.items():
        gaps = []
        for controller in CONTROLLERS:
            tick = 1e9 / controller.rounded(ws2812_spi.HERTZ[bits])
            for sheet in SHEETS:
                for high, limits in ((zero, sheet.zero), (one, sheet.one)):
                    for ticks, (low, most) in zip((high, bits - high), limits, strict=True):
                        gaps += [ticks * tick - low * 1e9, most * 1e9 - ticks * tick]
        least[bits] = round(min(gaps), 1)
    assert least == {3: 20.0, 4: 10.0}
    for gap in least.values():
        assert f"{gap:.0f} ns from any limit" in (ws2812_spi.__doc__ or "")


@pytest.mark.parametrize(
    ("bits", "hertz"), [(3, 2_400_000), (4, 3_200_000)], ids=["417 ns", "RP1 at 3.2 MHz"]
)
def test_spellings_that_one_led_may_misread_are_not_read(bits: Literal[3, 4], hertz: int) -> None:
    wire = ws2812_spi.encode(b"\x55" * 3, ws2812_spi.tables(bits))
    with pytest.raises(WaveformError, match="neither a 0 nor a 1 to every LED"):
        decode(bytes(wire), CONTROLLERS[-1].rounded(hertz))


def test_a_first_bit_that_is_too_long_or_one_too_many_is_seen() -> None:
    """The strip shows a frame without leading zeros on a line that idles high, or whose first bit
    waits for the clock. One zero byte is enough to remove the second fault, but only a reset
    removes the first."""
    tables = ws2812_spi.tables(3)
    hertz = CONTROLLERS[0].rounded(ws2812_spi.HERTZ[3])
    bare = bytes(ws2812_spi.encode(bytes(3), tables, 0))
    with pytest.raises(WaveformError, match="neither"):
        decode(bare, hertz, stretch=200e-9)
    short = bytes(ws2812_spi.encode(bytes(3), tables, 1))
    assert decode(short, hertz, stretch=5e-6) == bytes(3)
    with pytest.raises(WaveformError, match="idled high"):
        decode(short, hertz, idle=1)
    assert decode(bytes(ws2812_spi.encode(bytes(3), tables)), hertz, idle=1) == bytes(3)


def test_where_the_buffer_is_small_a_frame_begins_with_what_fits() -> None:
    reset = ws2812_spi.latch(3)
    most = (4096 - 1 - reset) // 9
    assert ws2812_spi.lead(300, 3, 4096) == reset
    assert 1 <= ws2812_spi.lead(most, 3, 4096) < reset
    strip, bus = ws2812()
    strip.show(b"\x80" * (3 * most))
    strip.show(b"\x01" * (3 * most))
    assert bus.leds == b"\x01" * (3 * most)


class Sink(Strip):
    """Keeps the last frame."""

    def __init__(self) -> None:
        self.frame = b""

    def show(self, frame: bytes) -> None:
        self.frame = frame

    def close(self) -> None:
        pass


@given(
    frames,
    st.integers(50, 3000),
    st.tuples(*[st.floats(0, 60)] * 3),
)
def test_no_frame_ever_draws_more_than_the_budget(
    frame: bytes, milliamps: int, colours: tuple[float, float, float]
) -> None:
    options = budget.Options(milliamps, *colours)
    sink = Sink()
    Budgeted(sink, options).show(frame)
    assert budget.draw(sink.frame, options) <= milliamps + 1e-6
    assert all(new <= old for new, old in zip(sink.frame, frame, strict=True))
    if budget.draw(frame, options) <= milliamps:
        assert sink.frame == frame


def test_the_usual_budget_holds_a_board_at_full_white() -> None:
    white = b"\xff" * (3 * 400)
    options = budget.Options()
    assert options.milliamps == 3000
    assert budget.draw(white, options) == 400 * (16 + 11 + 15 + 1)
    fitted = budget.fit(white, options)
    assert 0.95 * 3000 < budget.draw(fitted, options) <= 3000
    assert len(set(fitted)) == 1, "dimmed as a whole"


def test_chips_that_draw_the_budget_while_dark_are_refused() -> None:
    with pytest.raises(
        PortError,
        match=r"400 dark LEDs draw 400 mA.*power\.milliamps in the config allows only 300",
    ):
        budget.fit(bytes(3 * 400), budget.Options(milliamps=300))


def test_opened_by_the_config_on_virtual_wires() -> None:
    wires = VirtualWires(VirtualClock())
    (strip,) = ws2812_spi.open_ports(ws2812_spi.Options(bits=4), wires)
    strip.show(b"\x01\x02\x03")
    assert wires.bus is not None
    assert wires.bus.leds == b"\x01\x02\x03"
