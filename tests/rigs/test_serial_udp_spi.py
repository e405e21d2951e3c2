"""Rig 3: Adalight, WLED and spidev on real interfaces: a real serial port with pyserial, real UDP,
and the errors of py-spidev."""

from __future__ import annotations

import asyncio
import errno
import os
import pty
import socket
import tty
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boardctl.drivers import adalight, apa102_spi, wled, ws2812_spi
from boardctl.drivers.ports import PortError
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.drivers.virtual.controllers import Adalight, Wled
from boardctl.drivers.wires import CopperWires, SerialLine, Spi, locate
from tests.waiting import until


class Adapter:
    """A serial adapter with a stand-in behind it: a pty, with a new name each time."""

    def __init__(self, far: Adalight) -> None:
        self.far = far
        self.controller, self._port = pty.openpty()
        tty.setraw(self._port)
        os.set_blocking(self.controller, False)
        self.name = os.ttyname(self._port)
        asyncio.get_running_loop().add_reader(self.controller, self._read)

    def _read(self) -> None:
        self.far.take(os.read(self.controller, 65536))

    def pull(self) -> None:
        asyncio.get_running_loop().remove_reader(self.controller)
        os.close(self.controller)
        os.close(self._port)


class Bench(CopperWires):
    """Copper wires that list one adapter under its current name."""

    def __init__(self) -> None:
        super().__init__(asyncio.get_running_loop())
        self.adapter: Adapter | None = None

    def attached(self) -> list[Any]:
        if self.adapter is None:
            return []
        return [
            SimpleNamespace(
                device=self.adapter.name, vid=0x1A86, pid=0x7523, serial_number="7", location="1-1"
            )
        ]

    def serial(
        self,
        port: str,
        baud: int,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
    ) -> SerialLine:
        return SerialLine(self.clock, port, baud, received, changed, self.attached)


@asynccontextmanager
async def strip_at(bench: Bench, port: str) -> AsyncIterator[tuple[Any, list[str | None]]]:
    (strip,) = adalight.open_ports(adalight.Options(port=port, baud=115200), bench)
    found: list[str | None] = []
    strip.reported.connect(found.append)
    try:
        yield strip, found
    finally:
        strip.close()


@pytest.mark.parametrize("by", ["name", "usb"])
def test_a_serial_port_that_vanishes_and_returns_under_another_name(by: str) -> None:
    async def walk() -> None:
        far = Adalight(lambda leds: None)
        bench = Bench()
        bench.adapter = first = Adapter(far)
        port = first.name if by == "name" else "usb:1a86:7523:7"
        async with strip_at(bench, port) as (strip, found):
            await until(lambda: found[-1:] == [None])
            strip.show(b"\x01\x02\x03" * 300)
            await until(lambda: far.leds == b"\x01\x02\x03" * 300)
            bench.adapter = None
            first.pull()
            await until(lambda: found[-1] is not None)
            with pytest.raises(PortError):
                strip.show(b"\x04\x05\x06" * 300)
            taken = pty.openpty()  # another device takes the old name
            bench.adapter = second = Adapter(far)
            assert second.name != first.name
            await until(lambda: far.leds == b"\x04\x05\x06" * 300)
            assert found[-1] is None
        second.pull()
        for descriptor in taken:
            os.close(descriptor)

    asyncio.run(walk())


def test_a_port_is_found_by_what_it_is() -> None:
    def port(device: str, vid: int | None, serial: str) -> Any:
        return SimpleNamespace(device=device, vid=vid, pid=0x7523, serial_number=serial)

    one, other = port("/dev/null", 0x1A86, "1"), port("/dev/zero", 0x1A86, "2")
    assert locate("usb:1a86:7523", [one, other])[0] == "/dev/null"
    assert locate("usb:1A86:7523:2", [one, other])[0] == "/dev/zero"
    assert locate("/dev/null", [other], known=other)[0] == "/dev/zero"
    assert locate("/dev/null", []) == ("/dev/null", None)
    with pytest.raises(OSError, match="no serial port usb:1a86:9999 is attached"):
        locate("usb:1a86:9999", [one, other])
    with pytest.raises(OSError, match="there is no /dev/boardctl-none"):
        locate("/dev/boardctl-none", [one])


def test_wled_over_real_datagrams_and_a_box_switched_off() -> None:
    async def walk() -> None:
        loop = asyncio.get_running_loop()
        box = Wled(0, lambda leds: None)

        def on() -> tuple[socket.socket, int]:
            listener = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
            listener.bind(("127.0.0.1", port))
            listener.setblocking(False)
            loop.add_reader(listener, lambda: box.take(listener.recv(2000)))
            return listener, listener.getsockname()[1]

        port = 0
        listener, port = on()
        options = wled.Options(host="127.0.0.1", port=port)
        (strip,) = wled.open_ports(options, CopperWires(loop))
        found: list[str | None] = []
        strip.reported.connect(found.append)
        strip.show(b"\x01\x02\x03" * 600)
        await until(lambda: box.leds == b"\x01\x02\x03" * 600)
        loop.remove_reader(listener)
        listener.close()
        await until(
            lambda: any(found),
        )
        assert "127.0.0.1 does not answer (Connection refused)" in found
        listener, _ = on()
        shown = box.frames
        await until(lambda: box.frames > shown and found[-1] is None)
        strip.close()
        loop.remove_reader(listener)
        listener.close()

    asyncio.run(walk())


class Spidev:
    """py-spidev with a device that accepts at most `bufsiz` bytes."""

    bufsiz = 4096
    sick = False
    opened = 0
    sent: list[bytes] = []  # noqa: RUF012  # one for all, like a device

    class SpiDev:
        def open(self, bus: int, device: int) -> None:
            Spidev.opened += 1

        def writebytes2(self, data: bytes | bytearray) -> None:
            if Spidev.sick:
                raise OSError(errno.EIO, "Input/output error")
            if len(data) > Spidev.bufsiz:
                raise OSError(errno.EMSGSIZE, "Message too long")
            Spidev.sent.append(bytes(data))

        def close(self) -> None:
            Spidev.opened -= 1


@pytest.mark.parametrize(
    ("driver", "designware", "mode"),
    [(ws2812_spi, True, 1), (ws2812_spi, False, 0), (apa102_spi, True, 0), (apa102_spi, False, 0)],
)
def test_a_strip_without_a_clock_wire_is_sent_without_pauses_on_a_pi_5(
    driver: Any, designware: bool, mode: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = []

    class Noted(Spidev.SpiDev):
        def open(self, bus: int, device: int) -> None:
            super().open(bus, device)
            opened.append(self)

    monkeypatch.setattr("boardctl.drivers.wires.need", lambda *names: SimpleNamespace(SpiDev=Noted))
    monkeypatch.setattr("boardctl.drivers.header.is_designware", lambda *where: designware)
    wires = CopperWires(VirtualClock())
    (strip,) = driver.open_ports(driver.Options(), wires)
    strip.close()
    assert [device.mode for device in opened] == [mode]  # type: ignore[attr-defined]  # set by Spi


def test_a_spidev_that_refuses_over_its_buffer(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    bufsiz = tmp_path / "bufsiz"
    bufsiz.write_text("4096\n", "ascii")
    monkeypatch.setattr("boardctl.drivers.wires.BUFSIZ", bufsiz)
    monkeypatch.setattr("boardctl.drivers.wires.need", lambda *names: Spidev)
    bus = Spi(0, 0, ws2812_spi.HERTZ[3])
    assert bus.limit == 4096
    strip = ws2812_spi.Ws2812(bus, 3)
    most = (4096 - 1 - ws2812_spi.latch(3)) // 9
    with pytest.raises(PortError, match=rf"spidev\.bufsiz allows 4096 \({most} LEDs\)"):
        strip.show(bytes(3 * (most + 1)))
    assert Spidev.sent == [], "not even a part of it"
    strip.show(bytes(3 * most))
    zeros = ws2812_spi.lead(most, 3, 4096) + ws2812_spi.latch(3)
    assert [len(data) for data in Spidev.sent] == [9 * most + zeros]
    Spidev.sick = True
    with pytest.raises(PortError, match="Input/output error"):
        strip.show(bytes(3 * most))
    assert Spidev.opened == 0
    Spidev.sick = False
    strip.show(b"\x01" * (3 * most))
    assert Spidev.opened == 1, "opened anew"
    assert len(Spidev.sent) == 2
    strip.close()
    strip.close()
    assert Spidev.opened == 0


def test_what_is_not_there_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("spidev", reason="compiled where it is installed")
    if Path("/dev/spidev7.7").exists():
        pytest.skip("this machine has a /dev/spidev7.7")
    with pytest.raises(PortError, match=r"/dev/spidev7\.7 cannot be opened.*is SPI on\?"):
        Spi(7, 7, 1_000_000)
