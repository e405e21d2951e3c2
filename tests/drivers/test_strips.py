"""Strips: what is sent is read back, in exactly one transfer, within the budget."""

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
from boardctl.drivers.virtual.spi import LedBus, WaveformError, decode

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
    assert f"400 LEDs need {3 * 400 * 4 + ws2812_spi.latch(4)} bytes" in str(refused.value)
    assert bus.transfers == 0
    most = 331
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
        decode(wave, 2_400_000)


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
    with pytest.raises(PortError, match=r"400 dark LEDs draw 400 mA.*power\.milliamps of 300"):
        budget.fit(bytes(3 * 400), budget.Options(milliamps=300))


def test_opened_by_the_config_on_virtual_wires() -> None:
    wires = VirtualWires(VirtualClock())
    (strip,) = ws2812_spi.open_ports(ws2812_spi.Options(bits=4), wires)
    strip.show(b"\x01\x02\x03")
    assert wires.bus is not None
    assert wires.bus.leds == b"\x01\x02\x03"
