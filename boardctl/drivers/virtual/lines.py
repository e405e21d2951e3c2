"""Virtual serial lines, UDP, input devices and programs that can be unplugged.

All code runs on the caller's thread or is called by the clock, so the order is deterministic.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Protocol

from boardctl.drivers.ports import Clock


class FarEnd(Protocol):
    """The device at the other end of a serial line."""

    def take(self, data: bytes) -> bytes:
        """Take bytes from the line, and return the device's answer."""


class VirtualLine:
    """A serial line to a device, which `plug` and `unplug` connect and disconnect. `sent` counts
    the bytes sent."""

    def __init__(
        self,
        clock: Clock,
        far: FarEnd,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
    ) -> None:
        self._clock = clock
        self._far = far
        self._received = received
        self._changed = changed
        self._there = False
        self.sent = 0
        self.plug()

    def plug(self) -> None:
        """Connect the cable."""
        self._there = True
        self._clock.call_soon_threadsafe(lambda: self._changed(None))

    def unplug(self) -> None:
        """Disconnect the cable."""
        self._there = False
        self._clock.call_soon_threadsafe(lambda: self._changed("it was disconnected"))

    def write(self, data: bytes) -> None:
        if not self._there:
            raise OSError(errno.ENODEV, "No such device")
        self.sent += len(data)
        answer = self._far.take(data)
        if answer:
            self.say(answer)

    def say(self, data: bytes) -> None:
        """Send data from the device."""
        if self._there:
            self._clock.call_soon_threadsafe(lambda: self._received(data))

    def close(self) -> None:
        self._there = False


class VirtualDatagrams:
    """A UDP socket that sends to a device, which may be switched off (`away`)."""

    def __init__(self, take: Callable[[bytes], None]) -> None:
        self._take = take
        self.away = False
        self.sent = 0

    def send(self, data: bytes) -> None:
        if self.away:
            raise OSError(errno.EHOSTUNREACH, "No route to host")
        self.sent += 1
        self._take(data)

    def close(self) -> None:
        """Do nothing, because no resource must be closed."""


class VirtualKeyboard:
    """An input device whose keys are pressed by a program."""

    def __init__(
        self,
        clock: Clock,
        received: Callable[[str, int, int], None],
        changed: Callable[[str | None], None],
    ) -> None:
        self._clock = clock
        self._received = received
        self._changed = changed
        self._there = False
        self.plug()

    def plug(self) -> None:
        """Connect the receiver."""
        self._there = True
        self._clock.call_soon_threadsafe(lambda: self._changed(None))

    def unplug(self) -> None:
        """Disconnect the receiver."""
        self._there = False
        self._clock.call_soon_threadsafe(lambda: self._changed("it was disconnected"))

    def alive(self) -> bool:
        return True

    def put(self, code: int, value: int, source: str = "") -> None:
        """Deliver a key event from one of several devices, as the kernel does."""
        if self._there:
            self._clock.call_soon_threadsafe(lambda: self._received(source, code, value))

    def close(self) -> None:
        self._there = False


class VirtualProcess:
    """A program that ends immediately."""

    def wait(self, timeout: float | None = None) -> int:
        return 0

    def terminate(self) -> None:
        """Do nothing, because the program has already ended."""
