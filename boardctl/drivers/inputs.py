"""The kernel's input devices (evdev) on a real machine: all matching devices, which may be
connected at any time.

The kernel reports new devices in /dev/input (inotify), so no polling is needed.
"""

from __future__ import annotations

import ctypes
import os
import re
import select
from collections.abc import Iterable
from pathlib import Path
from types import ModuleType
from typing import Any, Final

INPUTS: Final = Path("/dev/input")
_NEW: Final = 0x100 | 0x4
"""The inotify(7) events for a file that was created or whose permissions have changed. (udev grants
permissions after creation.)"""
_NODE: Final = re.compile(r"/input\d+$")
HATS: Final = {16: (546, 547), 17: (544, 545)}
"""The axes of a gamepad's cross (ABS_HAT0X, ABS_HAT0Y), each with the codes of its two ends as keys
(BTN_DPAD_LEFT, _RIGHT, _UP, _DOWN)."""
GONE: Final = -1
"""The code received when a device has disappeared."""


def identity(device: Any) -> str:
    """Return an identity that distinguishes a device from others of the same model, even after
    sleep and restart. It consists of the serial number (`uniq`), if any, and the port (`phys`). All
    nodes of one device have the same identity."""
    phys = _NODE.sub("", device.phys or "")
    return "|".join(part for part in (device.uniq or "", phys) if part) or str(device.path)


class Group:
    """All open matching devices, combined into one object to wait for.

    Args:
        names: device files, or parts of names.
    """

    def __init__(self, evdev: ModuleType, names: tuple[str, ...], folder: Path = INPUTS) -> None:
        """Raises OSError if no such device is connected."""
        self._evdev = evdev
        self._names = names
        self._folder = folder
        self._devices: dict[int, Any] = {}
        self._hats: dict[tuple[int, int], int] = {}
        self._torn: set[int] = set()
        """The devices whose event queue has overflowed because it was not read in time. After the
        kernel's next report, the driver asks which keys are down."""
        self._poll = select.epoll()
        self._notice = _watch(folder)
        self._poll.register(self._notice, select.EPOLLIN)
        self.open_devices()
        if not self._devices:
            self.close()
            wanted = ", ".join(map(repr, names))
            raise OSError(f"no input device is called {wanted}")

    def fileno(self) -> int:
        return self._poll.fileno()

    def open_devices(self) -> None:
        """Open and grab every matching device that is not open yet."""
        known = {device.path for device in self._devices.values()}
        for device in inputs(self._evdev, self._folder):
            if device.path in known or not self._matches(device):
                device.close()
                continue
            try:
                device.grab()
            except OSError:
                device.close()  # another program uses the device, or it is gone again
                continue
            self._devices[device.fd] = device
            self._poll.register(device.fd, select.EPOLLIN)

    def _matches(self, device: Any) -> bool:
        return any(
            name == device.path if name.startswith("/") else name.lower() in device.name.lower()
            for name in self._names
        )

    def read(self) -> list[tuple[str, int, int]]:
        """Return the new events: a device's identity, key code and value. The code for a
        disconnected device is `GONE`. Raises OSError if no device is left."""
        found: list[tuple[str, int, int]] = []
        for ready, _ in self._poll.poll(0):
            if ready == self._notice:
                os.read(self._notice, 65536)
                self.open_devices()
                continue
            device = self._devices[ready]
            try:
                found += self._keys(device)
            except OSError:
                found.append((identity(device), GONE, 0))
                self._poll.unregister(ready)
                del self._devices[ready]
                device.close()
        if not self._devices:
            raise OSError("no device is left")
        return found

    def _keys(self, device: Any) -> Iterable[tuple[str, int, int]]:
        who, codes = identity(device), self._evdev.ecodes
        for event in device.read():
            if event.type == codes.EV_SYN and event.code == codes.SYN_DROPPED:
                self._torn.add(device.fd)
            elif device.fd in self._torn:
                if event.type == codes.EV_SYN and event.code == codes.SYN_REPORT:
                    self._torn.discard(device.fd)
                    down = device.active_keys()
                    for code in device.capabilities().get(codes.EV_KEY, ()):
                        yield who, code, int(code in down)
            elif event.type == codes.EV_KEY:
                yield who, event.code, event.value
            elif event.type == codes.EV_ABS and event.code in HATS:
                held = self._hats.pop((device.fd, event.code), None)
                if held is not None:
                    yield who, held, 0
                if event.value:
                    code = HATS[event.code][event.value > 0]
                    self._hats[device.fd, event.code] = code
                    yield who, code, 1

    def close(self) -> None:
        for device in self._devices.values():
            device.close()
        self._devices.clear()
        self._poll.close()
        os.close(self._notice)


def inputs(evdev: ModuleType, folder: Path = INPUTS) -> Iterable[Any]:
    """Open every readable input device. `evdev.list_devices` is not used because it omits devices
    without write permission, and the service has only read permission."""
    for path in sorted(folder.glob("event*")):
        try:
            yield evdev.InputDevice(str(path))
        except OSError:
            continue  # unplugged between listing and opening


def _watch(folder: Path) -> int:
    """Return a file descriptor that is ready when a device appears in a folder. Raises OSError."""
    libc = ctypes.CDLL(None, use_errno=True)
    notice = int(libc.inotify_init1(os.O_NONBLOCK | os.O_CLOEXEC))
    if notice < 0 or libc.inotify_add_watch(notice, os.fsencode(folder), _NEW) < 0:
        number = ctypes.get_errno()
        if notice >= 0:
            os.close(notice)
        raise OSError(number, os.strerror(number))
    return notice
