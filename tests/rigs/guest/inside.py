"""Run in the guest, as root, on real kernel interfaces: first the keypad driver, then the daemon.

Prints one JSON object per line; `test_real_linux` checks them.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import struct
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Final

from boardctl.drivers import gpio_matrix, usb_numpad
from boardctl.drivers.debounce import SETTLE
from boardctl.drivers.gpio_matrix import POLL, Matrix
from boardctl.drivers.ports import KEYS, LEGEND, KeyEvent
from boardctl.drivers.virtual.spi import decode
from boardctl.drivers.wires import CopperWires

HEADER: Final = Path("/sys/kernel/debug/boardctl_header")
SPI: Final = Path("/sys/kernel/debug/boardctl_spi")
TAP: Final = 0.03
PATIENCE: Final = 2.0
SCANS: Final = 1 + round(SETTLE / POLL)
"""The number of scans needed to accept a contact."""
DEAL: Final = "A 8 # B 1 2 # A 2 #"
"""The keys typed on the daemon's keypad."""
CONFIG: Final = """
layout = "classic-2"
[leds]
driver = "ws2812_spi"
[keys]
driver = "gpio_matrix"
[page]
enabled = false
"""


def tell(what: str, **fields: Any) -> None:
    print(json.dumps({"what": what, "at": round(time.monotonic(), 1), **fields}), flush=True)


def key(name: str, down: bool) -> None:
    row = next(n for n, names in enumerate(LEGEND) if name in names)
    (HEADER / "key").write_text(f"{row} {LEGEND[row].index(name)} {int(down)}", "ascii")


def number(path: Path) -> int:
    return int(path.read_text("ascii"))


def recorded() -> Iterator[tuple[int, bytes]]:
    """Return every transfer since the last reset: hertz, bytes."""
    tape = (SPI / "mosi").read_bytes()
    at = 0
    while at < len(tape):
        length, hertz = struct.unpack_from("=II", tape, at)
        at += 8
        yield hertz, tape[at : at + length]
        at += length


class Bench:
    """The keypad's driver on real pins."""

    def __init__(self) -> None:
        self.events: list[KeyEvent] = []
        self.wires = CopperWires(asyncio.get_running_loop())
        (port,) = gpio_matrix.open_ports(gpio_matrix.Options(), self.wires)
        assert isinstance(port, Matrix)
        self.keys = port
        port.start(self.events.append)

    async def tap(self, name: str, chatter: bool = False) -> None:
        """Press and release, each until the driver has accepted it. A press that it does not accept
        in `PATIENCE` seconds is missing from its events."""
        for down in (True, False):
            if chatter:
                await self._chatter(name)
            before, end = len(self.events), time.monotonic() + PATIENCE
            key(name, down)
            while len(self.events) == before and time.monotonic() < end:
                await asyncio.sleep(POLL)

    async def _chatter(self, name: str) -> None:
        end = time.monotonic() + 0.005
        down = True
        while time.monotonic() < end:
            key(name, down)
            down = not down
            await asyncio.sleep(0.0003)

    async def quiet(self) -> list[str]:
        """Wait until no key event has arrived for a while, and return those since the last call."""
        seen = -1
        while seen != len(self.events):
            seen = len(self.events)
            await asyncio.sleep(0.2)
        said = [("+" if e.pressed else "-") + e.key for e in self.events]
        self.events.clear()
        return said


async def probe() -> None:
    bench = Bench()
    await bench.quiet()
    for name in KEYS:
        await bench.tap(name)
    tell("sixteen", events=await bench.quiet())
    key("2", True)
    await asyncio.sleep(TAP)
    key("8", True)
    await asyncio.sleep(TAP)
    key("2", False)
    await asyncio.sleep(TAP)
    key("8", False)
    tell("column", events=await bench.quiet())
    for name in "145":
        key(name, True)
        await asyncio.sleep(TAP)
    for name in "145":
        key(name, False)
        await asyncio.sleep(TAP)
    tell("ghost", events=await bench.quiet())
    for _ in range(200):
        await bench.tap("6")
    tell("presses", events=await bench.quiet())
    for name in "5#":
        await bench.tap(name, chatter=True)
    tell("chatter", events=await bench.quiet())
    wakeups, edges = bench.keys.wakeups, number(HEADER / "edges")
    await asyncio.sleep(3)
    tell("rest", wakeups=bench.keys.wakeups - wakeups, edges=number(HEADER / "edges") - edges)
    tell("shorts", shorts=number(HEADER / "shorts"), state=(HEADER / "state").read_text("ascii"))
    bench.keys.close()
    bench.wires.close()


async def pad() -> None:
    """A kernel number pad (uinput), unplugged with a key down and plugged in again."""
    from evdev import UInput, ecodes

    def plug() -> Any:
        return UInput({ecodes.EV_KEY: list(usb_numpad.CODES)}, name="Cheap USB Keypad")

    def strike(device: Any, code: int, value: int) -> None:
        device.write(ecodes.EV_KEY, code, value)
        device.syn()

    async def until(true: Callable[[], bool]) -> None:
        end = time.monotonic() + 30
        while not true() and time.monotonic() < end:
            await asyncio.sleep(0.02)

    events: list[str] = []
    found: list[str | None] = ["not yet"]
    device = plug()
    wires = CopperWires(asyncio.get_running_loop())
    (keys,) = usb_numpad.open_ports(usb_numpad.Options("usb keypad"), wires)
    keys.reported.connect(found.append)
    keys.start(lambda event: events.append(("+" if event.pressed else "-") + event.key))
    await until(lambda: found[-1] is None)
    for count, code in enumerate(usb_numpad.CODES, 1):  # the kernel keeps 64 for a slow reader
        strike(device, code, 1)
        strike(device, code, 0)
        await until(partial(lambda wanted: len(events) == wanted, 2 * count))
    tell("pad", events=events, codes=list(usb_numpad.CODES.values()))
    events.clear()
    strike(device, ecodes.KEY_KP7, 1)
    await until(lambda: bool(events))
    device.close()
    await until(lambda: found[-1] is not None)
    device = plug()
    await until(lambda: found[-1] is None)
    strike(device, ecodes.KEY_KP8, 1)
    await until(lambda: len(events) == 3)
    tell("pad-again", events=events, found=found)
    events.clear()
    source: list[str] = []
    keys.close()
    device.close()

    def alike(phys: str) -> Any:
        return UInput({ecodes.EV_KEY: list(usb_numpad.CODES)}, name="Cheap USB Keypad", phys=phys)

    two = [alike("usb-1.1/input0"), alike("usb-1.2/input0")]
    (keys,) = usb_numpad.open_ports(usb_numpad.Options("usb keypad"), wires)
    keys.reported.connect(found.append)
    found.append("not yet")
    keys.start(lambda event: source.append(f"{event.source} {event.key} {event.pressed}"))
    await until(lambda: found[-1] is None)
    for _ in range(100):  # access to the second may be granted slightly later
        strike(two[1], ecodes.KEY_KP1, 1)
        strike(two[1], ecodes.KEY_KP1, 0)
        await asyncio.sleep(0.1)
        if source:
            break
    await until(lambda: len(source) % 2 == 0)
    source.clear()
    for one, code in ((two[0], ecodes.KEY_KP4), (two[1], ecodes.KEY_KP5)):
        strike(one, code, 1)
    await until(lambda: len(source) == 2)
    two[1].close()  # in the middle of a hand, with a key down
    await until(lambda: len(source) == 3)
    strike(two[0], ecodes.KEY_KP4, 0)
    await until(lambda: len(source) == 4)
    two[1] = alike("usb-1.2/input0")
    for _ in range(100):
        strike(two[1], ecodes.KEY_KP6, 1)
        strike(two[1], ecodes.KEY_KP6, 0)
        await asyncio.sleep(0.1)
        if len(source) > 4:
            break
    tell("two-pads", events=source[:6])
    keys.close()
    for one in two:
        one.close()
    wires.close()


class Daemon:
    """The daemon itself, started like `boardctl run`."""

    def __init__(self) -> None:
        config = Path("/run/config.toml")  # the guest's own Python
        config.write_text(CONFIG, "utf-8")
        (SPI / "reset").write_text("1", "ascii")
        self.process = subprocess.Popen(
            [sys.executable, "-m", "boardctl", "run", "--no-browser", "--config", config,
             "--data", "/run/data"],
            stdout=sys.stderr,
        )  # fmt: skip

    def type(self, keys: str) -> None:
        """Hold each key until it has been scanned often enough (a scan makes two edges), and
        release it until the daemon sleeps. An emulated machine is slow, especially on a busy
        host."""
        for name in keys.split():
            edges = number(HEADER / "edges")
            key(name, True)
            while number(HEADER / "edges") < edges + 4 * SCANS:
                time.sleep(0.02)
            key(name, False)
            self.sleeps()

    def sleeps(self) -> None:
        """Wait until the daemon has slept for a while."""
        seen = -1
        while seen != self.switches():
            seen = self.switches()
            time.sleep(0.2)

    def frames(self) -> int:
        return number(SPI / "transfers")

    def settle(self, least: int = 0) -> None:
        """Wait until no frame has arrived for a while, after at least `least` frames."""
        seen = -1
        end = time.monotonic() + 60
        while seen != self.frames() or seen < least:
            assert time.monotonic() < end, f"{self.frames()} frames and no rest, or too few"
            seen = self.frames()
            assert self.process.poll() is None, "the daemon ended"
            time.sleep(0.7)

    def switches(self) -> int:
        """Return how often the loop's thread has woken; lgpio has a separate thread that polls."""
        status = Path(f"/proc/{self.process.pid}/status").read_text("ascii")
        return next(
            int(line.split()[1])
            for line in status.splitlines()
            if line.startswith("voluntary_ctxt_switches")
        )

    def stop(self) -> int:
        self.process.send_signal(signal.SIGTERM)
        return self.process.wait()


def play() -> None:
    daemon = Daemon()
    daemon.settle(least=1)
    tell("started", uptime=Path("/proc/uptime").read_text("ascii").split()[0])
    daemon.type(DEAL)
    daemon.settle()
    transfers = list(recorded())
    leds = [decode(data, hertz) for hertz, data in transfers]
    tell(
        "deal",
        frame=leds[-1].hex(),
        sizes=sorted({(hertz, len(data)) for hertz, data in transfers}),
        pictures=len(set(leds)),
    )
    edges, frames, switches = number(HEADER / "edges"), daemon.frames(), daemon.switches()
    time.sleep(3)
    tell(
        "rest-daemon",
        edges=number(HEADER / "edges") - edges,
        frames=daemon.frames() - frames,
        switches=daemon.switches() - switches,
    )
    (SPI / "broken").write_text("1", "ascii")
    daemon.type("A 1 #")
    missed = daemon.frames()
    (SPI / "broken").write_text("0", "ascii")
    daemon.settle(least=missed + 1)
    hertz, data = list(recorded())[-1]
    tell("healed", frame=decode(data, hertz).hex())
    tell("ended", status=daemon.stop(), shorts=number(HEADER / "shorts"))


def main() -> None:
    os.chdir("/run")  # lgpio creates its pipes in the working directory
    asyncio.run(probe())
    asyncio.run(pad())
    play()


if __name__ == "__main__":
    main()
