"""Virtual serial lines, UDP, input devices and programs: far ends that can be pulled out.

Everything happens on the caller's thread or by the clock, so a test or a simulation sees it in
order.
"""

from __future__ import annotations

import errno
from collections.abc import Callable
from typing import Protocol

from boardctl.drivers.ports import Clock


class FarEnd(Protocol):
    """What is plugged in at the other end of a serial line."""

    def take(self, data: bytes) -> bytes:
        """Bytes that arrive there, and what it answers."""


class VirtualLine:
    """A serial line to a far end. `sent` counts the bytes; `unplug` and `plug` are the hand that
    pulls the cable."""

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
        """The cable goes in."""
        self._there = True
        self._clock.call_soon_threadsafe(lambda: self._changed(None))

    def unplug(self) -> None:
        """The cable comes out."""
        self._there = False
        self._clock.call_soon_threadsafe(lambda: self._changed("it went away"))

    def write(self, data: bytes) -> None:
        if not self._there:
            raise OSError(errno.ENODEV, "No such device")
        self.sent += len(data)
        answer = self._far.take(data)
        if answer:
            self.say(answer)

    def say(self, data: bytes) -> None:
        """The far end sends by itself."""
        if self._there:
            self._clock.call_soon_threadsafe(lambda: self._received(data))

    def close(self) -> None:
        self._there = False


class VirtualDatagrams:
    """UDP to a far end that may be switched off (`away`)."""

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
        """Nothing to let go of."""


class VirtualKeyboard:
    """An input device whose keys are pressed by code."""

    def __init__(
        self,
        clock: Clock,
        received: Callable[[int, int], None],
        changed: Callable[[str | None], None],
    ) -> None:
        self._clock = clock
        self._received = received
        self._changed = changed
        self._there = False
        self.plug()

    def plug(self) -> None:
        """The receiver goes in."""
        self._there = True
        self._clock.call_soon_threadsafe(lambda: self._changed(None))

    def unplug(self) -> None:
        """The receiver comes out."""
        self._there = False
        self._clock.call_soon_threadsafe(lambda: self._changed("it went away"))

    def alive(self) -> bool:
        return True

    def put(self, code: int, value: int) -> None:
        """A key event as the kernel tells it."""
        if self._there:
            self._clock.call_soon_threadsafe(lambda: self._received(code, value))

    def close(self) -> None:
        self._there = False


class VirtualProcess:
    """A program that ended as soon as it began."""

    def wait(self, timeout: float | None = None) -> int:
        return 0

    def terminate(self) -> None:
        """Nothing to end."""
