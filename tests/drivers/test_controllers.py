"""APA102, Adalight and WLED: stand-ins for the published formats read the sent data back."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.drivers import adalight, apa102_spi, wled
from boardctl.drivers.ports import PortError
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.drivers.virtual.controllers import Adalight, Wled
from boardctl.drivers.virtual.spi import WaveformError, decode_apa102

frames = st.integers(1, 700).flatmap(lambda n: st.binary(min_size=3 * n, max_size=3 * n))


@given(frames)
def test_apa102_reaches_the_last_led(frame: bytes) -> None:
    wire = bytes(apa102_spi.encode(frame))
    assert decode_apa102(wire) == frame
    leds = len(frame) // 3
    short = wire[: 4 + 4 * leds + (32 + leds // 2 - 1) // 8]
    with pytest.raises(WaveformError, match="do not reach"):
        decode_apa102(short)


def test_apa102_over_the_buffer_is_refused_by_name() -> None:
    wires = VirtualWires(VirtualClock(), leds="apa102_spi")
    (strip,) = apa102_spi.open_ports(apa102_spi.Options(), wires)
    strip.show(b"\x01\x02\x03" * 1000)
    assert wires.bus is not None
    assert wires.bus.leds == b"\x01\x02\x03" * 1000
    with pytest.raises(PortError, match=r"spidev\.bufsiz"):
        strip.show(bytes(3 * 17_000))
    wires.bus.broken = "Input/output error"
    with pytest.raises(PortError, match="Input/output error"):
        strip.show(bytes(3))
    wires.bus.broken = None
    strip.show(bytes(3))
    assert wires.bus.leds == bytes(3)


@given(st.lists(frames, min_size=1, max_size=3), st.binary(max_size=20))
def test_adalight_is_found_in_any_noise(shown: list[bytes], noise: bytes) -> None:
    seen: list[bytes] = []
    far = Adalight(seen.append)
    far.take(noise.replace(b"A", b"a"))
    for frame in shown:
        sent = adalight.encode(frame)
        far.take(sent[:7])
        far.take(sent[7:])
    assert seen == shown


def test_adalight_is_sent_again_before_the_controller_forgets_it() -> None:
    clock = VirtualClock()
    far = Adalight(lambda leds: None)
    wires = VirtualWires(clock, far=far)
    (strip,) = adalight.open_ports(adalight.Options(), wires)
    strip.show(b"\x01\x02\x03")
    assert far.frames == 1
    clock.run(10 * adalight.AGAIN)
    assert 10 <= far.frames <= 12
    strip.close()
    shown = far.frames
    clock.run(10)
    assert far.frames == shown
    assert clock.idle


def test_a_serial_line_that_was_away_shows_what_was_missed() -> None:
    clock = VirtualClock()
    far = Adalight(lambda leds: None)
    wires = VirtualWires(clock, far=far)
    (strip,) = adalight.open_ports(adalight.Options(), wires)
    found: list[str | None] = []
    strip.reported.connect(found.append)
    strip.show(b"\x01\x02\x03")
    assert wires.line is not None
    wires.line.unplug()
    clock.run(0.1)
    assert found[-1] == "it was disconnected"
    with pytest.raises(PortError, match="it was disconnected"):
        strip.show(b"\x07\x08\x09")
    assert far.leds == b"\x01\x02\x03"
    wires.line.plug()
    clock.run(0.1)
    assert far.leds == b"\x07\x08\x09"
    assert found[-1:] == [None]


@given(st.lists(frames, min_size=1, max_size=3))
def test_wled_shows_a_frame_once_it_is_whole(shown: list[bytes]) -> None:
    seen: list[bytes] = []
    box = Wled(0, seen.append)
    for number, frame in enumerate(shown, 1):
        for datagram in wled.encode(frame, number):
            assert len(datagram) <= 1500 - 28, "fits an Ethernet frame"
            box.take(datagram)
    assert [leds[: len(frame)] for leds, frame in zip(seen, shown, strict=True)] == shown


def test_a_wled_box_that_was_away_is_found_again_by_itself() -> None:
    clock = VirtualClock()
    wires = VirtualWires(clock)
    (strip,) = wled.open_ports(wled.Options(), wires)
    found: list[str | None] = []
    strip.reported.connect(found.append)
    strip.show(bytes(3 * 600))
    box, network = wires.box, wires.network
    assert box is not None
    assert network is not None
    assert box.sequences == [1, 1], "two datagrams of one frame"
    network.away = True
    with pytest.raises(PortError, match=r"wled\.local does not answer"):
        strip.show(b"\x05" * 1800)
    clock.run(3)
    assert found[-1] == "wled.local does not answer (No route to host)"
    network.away = False
    clock.run(2)
    assert box.leds == b"\x05" * 1800
    assert found[-1:] == [None]
    assert set(box.sequences) <= set(range(1, 16))
    strip.close()
    assert clock.idle


def test_a_wled_box_that_stays_away_is_tried_ever_more_seldom() -> None:
    """When there is something new to show, the box is tried again soon."""
    clock = VirtualClock()
    wires = VirtualWires(clock)
    (strip,) = wled.open_ports(wled.Options(), wires)
    network = wires.network
    assert network is not None
    tries: list[float] = []

    def send(data: bytes) -> None:
        tries.append(clock.time())
        raise OSError(113, "No route to host")

    works, network.send = network.send, send  # type: ignore[method-assign]
    with pytest.raises(PortError):
        strip.show(bytes(30))
    clock.run(600)
    assert len(tries) < 30
    assert max(b - a for a, b in pairwise(tries)) <= wled.SLOWEST
    with pytest.raises(PortError):
        strip.show(b"\x05" * 30)
    before = len(tries)
    clock.run(3)
    assert len(tries) >= before + 2
    network.send = works  # type: ignore[method-assign]
    clock.run(wled.SLOWEST)
    assert wires.box is not None
    assert wires.box.leds == b"\x05" * 30
    seen = len(wires.box.sequences)
    clock.run(5)
    assert len(wires.box.sequences) >= seen + 4, "and then every second"
    strip.close()
    assert clock.idle
