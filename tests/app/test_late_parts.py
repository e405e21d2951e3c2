"""A part that cannot be opened at the start: the board works without it, reports it, and uses it
later."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.parts import AGAIN
from boardctl.drivers.ports import PortError
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce


class Missing(VirtualWires):
    """Virtual wires on which one kind of part is missing at first; `tried` counts the attempts."""

    def __init__(self, clock: VirtualClock, kind: str) -> None:
        self.frames: list[bytes] = []
        super().__init__(clock, self.frames.append)
        self.kind = kind
        self.tried = 0
        self.error: Exception | None = None

    def _ask(self, kind: str, part: str) -> None:
        if kind == self.kind:
            self.tried += 1
            if self.error is not None:
                raise self.error
            raise PortError(part, f"there is no {kind}")

    def spi(self, *args: Any, **kinds: Any) -> Any:
        self._ask("spi", "leds")
        return super().spi(*args, **kinds)

    def pins(self, *args: Any) -> Any:
        self._ask("pins", "keys")
        return super().pins(*args)

    def i2c(self, *args: Any) -> Any:
        self._ask("i2c", "display")
        return super().i2c(*args)


PARTS = {"leds": "ws2812_spi", "keys": "gpio_matrix", "display": "lcd"}


@pytest.mark.parametrize(("kind", "part"), [("spi", "leds"), ("pins", "keys"), ("i2c", "display")])
def test_a_part_that_does_not_open_is_reported_and_comes_later(
    tmp_path: Path, kind: str, part: str
) -> None:
    clock = VirtualClock()
    wires = Missing(clock, kind)
    chosen: dict[str, Any] = {n: configuration.part(driver) for n, driver in PARTS.items()}
    board = BoardApp(Config(**chosen), tmp_path, clock, wires, AtOnce())
    try:
        clock.run(8)
        assert board.controller.faults == {part: f"there is no {kind}"}
        assert wires.tried == 1
        before = board.table.number
        board.table.submit(board.table.parse("1 peg 5"), "page", before)
        clock.run(1)
        if part != "keys":
            press(wires, clock, "B4#")
            assert board.table.position.scores == (5, 4), "keys and journal go on"
        wires.kind = ""
        clock.run(AGAIN + 2)
        assert board.controller.faults == {}
        press(wires, clock, "B6#")
        assert board.table.position.scores[1] >= 6
        assert any(wires.frames[-1])
        assert wires.frames[-1] == board.frame()
    finally:
        board.close()


@pytest.mark.parametrize(("kind", "part"), [("spi", "leds"), ("pins", "keys"), ("i2c", "display")])
def test_a_part_that_does_not_open_for_a_reason_that_nobody_thought_of_comes_later_too(
    tmp_path: Path, kind: str, part: str, caplog: pytest.LogCaptureFixture
) -> None:
    """Such an error used to prevent the board from starting."""
    clock = VirtualClock()
    wires = Missing(clock, kind)
    wires.error = AttributeError("the library is another one")
    chosen: dict[str, Any] = {n: configuration.part(driver) for n, driver in PARTS.items()}
    board = BoardApp(Config(**chosen), tmp_path, clock, wires, AtOnce())
    try:
        clock.run(3 * AGAIN)
        assert board.controller.faults == {part: "AttributeError: the library is another one"}
        assert len([record for record in caplog.records if record.exc_info]) == 1
        board.table.submit(board.table.parse("1 peg 5"), "page")
        clock.run(1)
        wires.kind = ""
        clock.run(AGAIN + 2)
        assert board.controller.faults == {}
        press(wires, clock, "B4#")
        assert board.table.position.scores == (5, 4)
        assert wires.frames[-1] == board.frame()
    finally:
        board.close()


def test_it_is_tried_at_an_even_pace_and_no_longer_once_the_board_is_closed(tmp_path: Path) -> None:
    clock = VirtualClock()
    wires = Missing(clock, "spi")
    chosen: dict[str, Any] = {n: configuration.part(driver) for n, driver in PARTS.items()}
    board = BoardApp(Config(**chosen), tmp_path, clock, wires, AtOnce())
    clock.run(5.5 * AGAIN)
    assert wires.tried == 6
    board.close()
    clock.run(5 * AGAIN)
    assert wires.tried == 6


def press(wires: VirtualWires, clock: VirtualClock, keys: str) -> None:
    for key in keys:
        wires.keypad.press(key)
        clock.run(0.06)
        wires.keypad.release(key)
        clock.run(0.5)
