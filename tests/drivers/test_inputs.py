"""Input devices that come and go, below the driver: pipes for devices, the kernel's notice about a
real folder."""

from __future__ import annotations

import errno
import os
import select
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import pytest

from boardctl.drivers import wires
from boardctl.drivers.inputs import GONE, Group, identity
from boardctl.drivers.virtual.clock import VirtualClock


class Device:
    """A device of evdev, with the used methods only."""

    def __init__(self, house: House, path: str) -> None:
        self._pad = house.pads[path]
        self.path, self.name = path, self._pad.name
        self.phys, self.uniq = self._pad.phys, self._pad.uniq
        self.fd = os.dup(self._pad.reads)
        self.grabbed = False

    def grab(self) -> None:
        self._pad.grabs += 1

    def read(self) -> list[Any]:
        if self._pad.gone:
            raise OSError(errno.ENODEV, "No such device")
        os.read(self.fd, 1)
        return [self._pad.events.pop(0)]

    def capabilities(self) -> dict[int, list[int]]:
        return {1: [79, 80, 81]}

    def active_keys(self) -> list[int]:
        found: list[int] = self._pad.down
        return found

    def close(self) -> None:
        os.close(self.fd)


class House:
    """A folder of input devices, and the module `evdev` that reads it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.pads: dict[str, Any] = {}
        self.evdev = ModuleType("evdev")
        self.evdev.InputDevice = lambda path: Device(self, path)  # type: ignore[attr-defined]
        names = {"EV_SYN": 0, "EV_KEY": 1, "EV_ABS": 3, "SYN_REPORT": 0, "SYN_DROPPED": 3}
        self.evdev.ecodes = SimpleNamespace(**names)  # type: ignore[attr-defined]

    def plug(self, number: int, name: str, phys: str, uniq: str = "") -> Any:
        reads, writes = os.pipe()
        path = self.folder / f"event{number}"
        pad = SimpleNamespace(
            name=name, phys=phys, uniq=uniq, reads=reads, writes=writes, events=[], gone=False,
            grabs=0, path=path, down=[],
        )  # fmt: skip
        self.pads[str(path)] = pad
        path.touch()
        return pad

    def press(self, pad: Any, code: int, value: int, kind: int = 1) -> None:
        pad.events.append(SimpleNamespace(type=kind, code=code, value=value))
        os.write(pad.writes, b".")

    def unplug(self, pad: Any) -> None:
        pad.gone = True
        pad.path.unlink()
        os.write(pad.writes, b".")

    def close(self) -> None:
        for pad in self.pads.values():
            os.close(pad.reads)
            os.close(pad.writes)


@pytest.fixture
def house(tmp_path: Path) -> Iterator[House]:
    made = House(tmp_path)
    yield made
    made.close()


def test_two_of_one_model_are_told_apart_and_come_and_go(house: House) -> None:
    left = house.plug(0, "Cheap USB Keypad", "usb-1.1/input0")
    house.plug(1, "A mouse", "usb-1.4/input0")
    group = Group(house.evdev, ("keypad",), house.folder)
    try:
        ready = select.epoll()
        ready.register(group.fileno())
        assert ready.poll(0) == [], "at rest nothing wakes it"
        right = house.plug(2, "Cheap USB Keypad", "usb-1.2/input0")
        assert ready.poll(0), "the kernel says that one has come"
        assert group.read() == []
        house.press(left, 79, 1)
        house.press(right, 79, 1)
        assert sorted(group.read()) == [("usb-1.1", 79, 1), ("usb-1.2", 79, 1)]
        house.unplug(right)
        assert ("usb-1.2", GONE, 0) in group.read()
        house.press(left, 79, 0)
        assert group.read() == [("usb-1.1", 79, 0)], "the other plays on"
        back = house.plug(3, "Cheap USB Keypad", "usb-1.2/input1")
        group.read()
        house.press(back, 80, 1)
        assert group.read() == [("usb-1.2", 80, 1)], "back under another name, the same pad"
        assert left.grabs == 1
        house.unplug(back)
        group.read()
        house.unplug(left)
        with pytest.raises(OSError, match="no device is left"):
            group.read()
        ready.close()
    finally:
        group.close()


def test_a_gamepads_cross_is_keys(house: House) -> None:
    pad = house.plug(0, "Gamepad", "", "aa:bb")
    group = Group(house.evdev, ("keypad", "gamepad"), house.folder)
    found = []
    for value in (1, 0, -1, 0):
        house.press(pad, 16, value, kind=3)
        found += group.read()
    group.close()
    assert [(code, value) for _, code, value in found] == [(547, 1), (547, 0), (546, 1), (546, 0)]
    assert {who for who, _, _ in found} == {"aa:bb"}


def test_no_device_is_told_by_its_names(house: House) -> None:
    with pytest.raises(OSError, match="no input device is called 'keypad', 'button'"):
        Group(house.evdev, ("keypad", "button"), house.folder)


def test_nodes_of_one_device_are_one() -> None:
    def node(n: int) -> Any:
        return SimpleNamespace(uniq="", phys=f"usb-1.3/input{n}", path="/dev/input/event9")

    assert identity(node(0)) == identity(node(1)) == "usb-1.3"
    bare = SimpleNamespace(uniq=None, phys=None, path="/dev/input/event9")
    assert identity(bare) == "/dev/input/event9"


def test_a_pad_that_is_not_there_is_looked_for_ever_more_seldom(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """After it has been present once, it is looked for again soon."""
    waits: list[float] = []
    there = iter([False] * 6 + [True] + [False] * 3)

    class Closed(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            if timeout is not None:
                waits.append(timeout)
                if len(waits) == 9:
                    self.set()
                return self.is_set()
            return super().wait(timeout)

    class Pad:
        def fileno(self) -> int:
            raise OSError("it went to sleep")

        def close(self) -> None:
            """Do nothing."""

    class Looked(wires._Listener):
        def _open(self) -> Pad:
            if not next(there):
                raise OSError("no such device")
            return Pad()

        def _take(self, device: Any) -> Callable[[], None] | None:
            return None

    monkeypatch.setattr(threading, "Event", Closed)
    listener = Looked(VirtualClock(), lambda reason: None, "pad")
    listener._thread.join()
    listener.close()
    assert waits == [0.5, 1, 2, 3, 3, 3, 0.5, 1, 2]


def test_edges_that_the_kernel_has_dropped_are_asked_for(house: House) -> None:
    """The events after SYN_DROPPED, up to its SYN_REPORT, are incomplete."""
    pad = house.plug(0, "Cheap USB Keypad", "usb-1.1/input0")
    group = Group(house.evdev, ("keypad",), house.folder)
    found = []
    for kind, code, value in ((1, 79, 1), (0, 3, 0), (1, 80, 1), (0, 0, 0), (1, 81, 1)):
        pad.down = [80]
        house.press(pad, code, value, kind)
        found += group.read()
    group.close()
    assert found == [("usb-1.1", *edge) for edge in ((79, 1), (79, 0), (80, 1), (81, 0), (81, 1))]
