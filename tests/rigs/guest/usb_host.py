"""Run in the guest, as root: the kernel's own USB host and its driver for serial ports examine a
device that answers like the firmware.

The device is behind the kernel's USB/IP controller (Linux, Documentation/usb/usbip_protocol.rst),
whose cable is a socket of this process. Its argument is a file with the answers to descriptor
requests. Prints one JSON object per line; `tests/firmware/test_usb_host.py` checks them.
"""

from __future__ import annotations

import json
import os
import socket
import struct
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import serial

from boardctl.drivers.serial_protocol import BAUD

HUB: Final = Path("/sys/devices/platform/vhci_hcd.0")
PORT: Final = Path("/dev/ttyACM0")
FULL_SPEED: Final = 2
SUBMIT, UNLINK = 1, 2
LINE: Final = 2
GET_DESCRIPTOR: Final = 6
PATIENCE: Final = 100.0


class Device(threading.Thread):
    """The other end of the cable. Data on the line is returned reversed."""

    def __init__(self, answers: dict[str, str], cable: socket.socket) -> None:
        super().__init__(daemon=True)
        self._answers = {name: bytes.fromhex(found) for name, found in answers.items()}
        self._cable = cable
        self._reading: list[int] = []
        self._to_say = b""
        self.requests: list[str] = []
        self.heard = b""

    def _take(self, size: int) -> bytes:
        found = b""
        while len(found) < size:
            part = self._cable.recv(size - len(found))
            if not part:
                raise EOFError
            found += part
        return found

    def run(self) -> None:
        try:
            while True:
                command, number, _, into, end = struct.unpack(">5I", self._take(20))
                rest = self._take(28)
                if command == SUBMIT:
                    self._submitted(number, into, end, rest)
                elif command == UNLINK:
                    (other,) = struct.unpack_from(">I", rest)
                    there = other in self._reading
                    if there:
                        self._reading.remove(other)
                    status = -104 if there else 0  # ECONNRESET
                    self._cable.sendall(struct.pack(">5Ii24x", 4, number, 0, 0, 0, status))
        except (EOFError, OSError):
            return  # the device is unplugged

    def _done(self, number: int, status: int, size: int, data: bytes = b"") -> None:
        found = struct.pack(">5Ii4I8x", 3, number, 0, 0, 0, status, size, 0, 0, 0)
        self._cable.sendall(found + data)

    def _submitted(self, number: int, into: int, end: int, rest: bytes) -> None:
        size = struct.unpack_from(">5I", rest)[1]
        data = b"" if into else self._take(size)
        if end == 0:
            self._asked(number, into, rest[20:], data)
        elif into and end == LINE:
            self._reading.append(number)
        elif end == LINE:
            self.heard += data
            self._to_say += data[::-1]
            self._done(number, 0, size)
        # otherwise it is a notice that the firmware never sends
        if self._reading and self._to_say:
            self._done(self._reading.pop(0), 0, len(self._to_say), self._to_say)
            self._to_say = b""

    def _asked(self, number: int, into: int, setup: bytes, data: bytes) -> None:
        self.requests.append((setup + data).hex())
        _, request, value, _, length = struct.unpack("<BBHHH", setup)
        if not into:
            self._done(number, 0, len(data))
        elif request == GET_DESCRIPTOR and f"{value:04x}" in self._answers:
            found = self._answers[f"{value:04x}"][:length]
            self._done(number, 0, len(found), found)
        elif request == 0:  # GET_STATUS
            self._done(number, 0, 2, bytes(2))
        else:
            self._done(number, -32, 0)  # EPIPE: a stall


def until(seen: Callable[[], object]) -> None:
    """Wait until a condition holds."""
    ends = time.monotonic() + PATIENCE
    while not seen():
        assert time.monotonic() < ends, "it never came"
        time.sleep(0.02)


def complaints() -> list[str]:
    """Return the kernel's warnings and errors about USB and this driver."""
    found = []
    log = os.open("/dev/kmsg", os.O_RDONLY | os.O_NONBLOCK)
    try:
        while True:
            head, _, text = os.read(log, 8192).decode("utf-8", "replace").partition(";")
            if int(head.partition(",")[0]) & 7 <= 4 and ("usb" in text or "acm" in text):
                found.append(text.strip())
    except BlockingIOError:
        return found
    finally:
        os.close(log)


def tell(what: str, **fields: Any) -> None:
    print(json.dumps({"what": what, **fields}), flush=True)


def main(file: str) -> None:
    ours, its = socket.socketpair()
    device = Device(json.loads(Path(file).read_text("utf-8")), ours)
    device.start()
    (HUB / "attach").write_text(f"0 {its.fileno()} 65537 {FULL_SPEED}", "ascii")
    its.close()
    until(PORT.exists)
    interface = Path(f"/sys/class/tty/{PORT.name}/device").resolve()
    place = interface.parent
    names = (
        *("idVendor", "idProduct", "manufacturer", "product", "speed", "bNumInterfaces"),
        *("bMaxPower", "bDeviceClass", "version", "serial"),
    )
    tell(
        "device",
        **{
            name: (place / name).read_text("ascii").strip() if (place / name).exists() else None
            for name in names
        },
    )
    parts = sorted(place.glob(f"{place.name}:*"))
    tell("drivers", drivers=[(part / "driver").resolve().name for part in parts])
    port = serial.Serial(str(PORT), BAUD, timeout=PATIENCE)
    port.write(b"boardctl")
    back = port.read(8)
    port.close()
    until(lambda: len([r for r in device.requests if r.startswith("2122")]) > 1)
    tell("line", heard=device.heard.decode(), back=back.decode(), requests=device.requests)
    (HUB / "detach").write_text("0", "ascii")
    until(lambda: not PORT.exists())
    tell("log", complaints=complaints())


if __name__ == "__main__":
    main(sys.argv[1])
