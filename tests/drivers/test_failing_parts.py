"""A part fails during a game.

The game continues with the others, display and page report the fault, and the part recovers
automatically. The whole board runs on virtual wires.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.board import layout as layouts
from boardctl.board.reading import reading
from boardctl.console.faults import SLOWEST, WELL
from boardctl.drivers import adalight, lcd
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.drivers.virtual.controllers import Adalight
from boardctl.drivers.virtual.i2c import Lcd, Oled
from boardctl.storage.journal import AtOnce


class Evening:
    """A complete board: its wires, its clock, and the data received by the page."""

    def __init__(
        self, data: Path, leds: str = "ws2812_spi", keys: str = "gpio_matrix", display: str = ""
    ) -> None:
        self.clock = VirtualClock()
        self.far = Adalight(lambda frame: None)
        config = Config(
            leds=configuration.part(leds),
            keys=configuration.part(keys),
            display=configuration.part(display) if display else None,
        )
        assert config.keys is not None
        serial = "serial_board" in (leds, keys)
        self.frames: list[bytes] = []
        """The lights of the microcontroller, if there is one."""
        self.wires = VirtualWires(
            self.clock,
            self.frames.append,
            leds=leds,
            keys=config.keys.options,
            far=None if serial else self.far,
        )
        self.board = BoardApp(config, data, self.clock, self.wires, writer=AtOnce())
        self.page: list[tuple[str, ...]] = []
        self.board.lines.connect(self.page.append)
        self.clock.run(8)

    def close(self) -> None:
        self.board.close()

    def type(self, keys: str, wait: float = 0.06) -> None:
        for key in keys:
            self.wires.keypad.press(key)
            self.clock.run(0.06)
            self.wires.keypad.release(key)
            self.clock.run(wait)

    @property
    def scores(self) -> tuple[int, ...]:
        return self.board.table.position.scores

    def said(self, seconds: float) -> str:
        """Return everything that display and page show within a number of seconds."""
        self.page.clear()
        self.clock.run(seconds)
        return " ".join(
            line for lines in (*self.page, self.board.controller.displayed_rows) for line in lines
        )

    def lit(self, frame: bytes) -> dict[str, Any]:
        return dict(reading(layouts.load("classic-2"), frame))


Evenings = Callable[..., Evening]


@pytest.fixture
def evenings(tmp_path: Path) -> Iterator[Evenings]:
    """Open evenings on one journal and close them."""
    with ExitStack() as closing:

        def begin(**parts: str) -> Evening:
            evening = Evening(tmp_path, **parts)
            closing.callback(evening.close)
            return evening

        yield begin


def test_an_spi_write_that_fails(evenings: Evenings, caplog: pytest.LogCaptureFixture) -> None:
    evening = evenings()
    bus = evening.wires.bus
    assert bus is not None
    bus.broken = "Input/output error"
    evening.type("A8#")
    evening.type("B5#")
    assert evening.scores == (8, 5), "the game goes on"
    assert "Trouble with the lights" in evening.said(5)
    assert len(caplog.messages) == 1, "once, however often it is tried"
    assert caplog.messages[0].startswith("leds: "), "the display has only the part's name"
    assert "Input/output error" in caplog.messages[0]
    assert evening.lit(evening.board.frame())["track1.front"] == 8, "the page shows it"
    sent = bus.transfers
    bus.broken = None
    evening.clock.run(10)
    assert bus.transfers > sent
    assert evening.lit(bus.leds)["track1.front"] == 8
    assert evening.lit(bus.leds)["track2.front"] == 5
    assert "Trouble" not in evening.said(5)
    assert evening.clock.idle


def test_a_strip_unplugged(evenings: Evenings) -> None:
    evening = evenings(leds="adalight")
    line = evening.wires.line
    assert line is not None
    line.unplug()
    assert "Trouble with the lights" in evening.said(5), "though nothing was to be shown"
    evening.type("A8#")
    evening.clock.run(5)
    assert evening.scores == (8, 0)
    line.plug()
    evening.clock.run(5)
    assert evening.lit(evening.far.leds)["track1.front"] == 8
    assert "Trouble" not in evening.said(5)
    shown = evening.far.frames
    evening.clock.run(10 * adalight.AGAIN)
    assert evening.far.frames - shown <= 11, "and no faster than before"


def test_a_wled_box_switched_off(evenings: Evenings) -> None:
    evening = evenings(leds="wled")
    network, box = evening.wires.network, evening.wires.box
    assert network is not None
    assert box is not None
    network.away = True
    assert "Trouble with the lights" in evening.said(6)
    evening.type("B7#")
    evening.clock.run(5)
    network.away = False
    evening.clock.run(8)
    assert evening.lit(box.leds)["track2.front"] == 7
    assert "Trouble" not in evening.said(5)


def test_a_key_held_for_ever(evenings: Evenings) -> None:
    evening = evenings()
    evening.wires.keypad.press("9")
    evening.clock.run(12)
    assert "Trouble with the keys" in evening.said(5)
    evening.type("A6#")
    assert evening.scores == (6, 0)
    evening.wires.keypad.release("9")
    evening.clock.run(5)
    assert "Trouble" not in evening.said(5)
    evening.clock.run(WELL)
    assert evening.clock.idle


def test_a_number_pad_out_of_reach(evenings: Evenings) -> None:
    evening = evenings(keys="usb_numpad")
    evening.type("A8#")
    assert evening.scores == (8, 0)
    pad = evening.wires.keyboards[0]
    evening.wires.keypad.press("A")
    pad.unplug()
    assert "Trouble with the keys" in evening.said(5)
    pad.plug()
    assert "Trouble" not in evening.said(5)
    evening.type("*B5#")
    assert evening.scores == (8, 5)


def test_a_display_that_stops_answering(evenings: Evenings) -> None:
    pytest.importorskip("RPLCD", reason="the optional extra `lcd`")
    evening = evenings(display="lcd")
    before = evening.wires.lcd.lines()
    assert any(line.strip() for line in before)
    evening.wires.glass.away.add(0x27)
    evening.type("A8#")
    assert evening.scores == (8, 0)
    assert "Trouble with the display" in evening.said(6), "the page says so"
    evening.wires.lcd = evening.wires.glass.devices[0x27] = Lcd()
    evening.wires.glass.away.clear()
    evening.clock.run(10)
    assert evening.wires.lcd.lines() == tuple(
        line.ljust(16) for line in evening.board.controller.displayed_rows
    ), "and once it is back it says what the page says"
    assert "Trouble" not in evening.said(5)
    assert evening.clock.idle


@pytest.mark.filterwarnings("ignore:Image.Image.getdata is deprecated")  # as in test_displays
@pytest.mark.parametrize("driver", ["oled", "lcd"])
def test_a_display_that_lost_its_power_at_rest_shows_the_next_text(
    driver: str, evenings: Evenings
) -> None:
    """The display was unplugged while nothing was being written, so nobody noticed, and it used to
    stay dark forever."""
    pytest.importorskip("RPLCD", reason="the optional extra `lcd`")
    pytest.importorskip("luma.oled", reason="the optional extra `oled`")
    evening = evenings(display=driver)
    wires = evening.wires
    evening.clock.run(2 * lcd.REST)
    wires.oled, wires.lcd = Oled(), Lcd()
    wires.glass.devices.update({0x3C: wires.oled, 0x27: wires.lcd})
    evening.type("A8")
    glass = wires.oled if driver == "oled" else wires.lcd
    assert glass.is_on
    if driver == "oled":
        assert wires.oled.lit()
    else:
        shown = evening.board.controller.displayed_rows
        assert wires.lcd.lines() == tuple(line.ljust(16) for line in shown)


def test_a_microcontroller_unplugged_at_rest(
    evenings: Evenings, caplog: pytest.LogCaptureFixture
) -> None:
    """The microcontroller has lights and keys. Its absence used not to be reported before the next
    picture, and never for the keys."""
    evening = evenings(leds="serial_board", keys="serial_board")
    evening.type("A8#", 0.3)
    line = evening.wires.line
    assert line is not None
    evening.clock.run(60)
    line.unplug()
    said = evening.said(6)
    assert "Trouble with" in said
    assert "the lights, the keys" in said
    assert [message.partition(":")[0] for message in caplog.messages] == ["leds", "keys"]
    evening.board.table.submit(evening.board.table.parse("2 peg 5"), "page")
    evening.clock.run(60)
    line.plug()
    assert "the lights, the keys" in evening.said(6)
    assert "Trouble" not in evening.said(3)
    assert evening.lit(evening.frames[-1]) == evening.lit(evening.board.frame())
    assert evening.lit(evening.frames[-1])["track2.front"] == 5
    evening.type("A2#", 0.3)
    assert evening.scores == (10, 5)


def test_a_microcontroller_away_at_the_start(evenings: Evenings) -> None:
    evening = evenings(leds="serial_board", keys="serial_board")
    line = evening.wires.line
    assert line is not None
    line.unplug()
    evening.clock.run(90)
    assert set(evening.board.controller.faults) == {"leds", "keys"}
    line.plug()
    evening.clock.run(2)
    assert not evening.board.controller.faults


def test_a_microcontroller_whose_line_takes_nothing_is_greeted_again(evenings: Evenings) -> None:
    """A write timed out while the cable was plugged in. The microcontroller used to stay silent
    until it was unplugged, and a pressed key counted as held."""
    evening = evenings(leds="serial_board", keys="serial_board")
    line = evening.wires.line
    assert line is not None
    works, tries = line.write, list[float]()

    def write(data: bytes) -> None:
        tries.append(evening.clock.time())
        raise OSError(110, "Write timeout")

    evening.wires.keypad.press("*")
    evening.clock.run(0.2)
    line.write = write  # type: ignore[method-assign]
    assert "the lights, the keys" in evening.said(10)
    assert not evening.board.controller.is_typing
    evening.wires.keypad.release("*")
    evening.clock.run(SLOWEST)
    tries.clear()
    evening.clock.run(600)
    assert len(tries) <= 25
    line.write = works  # type: ignore[method-assign]
    evening.clock.run(SLOWEST + 1)
    assert not evening.board.controller.faults
    evening.type("A8#", 0.3)
    assert evening.scores == (8, 0)
    evening.clock.run(5)
    assert evening.lit(evening.frames[-1])["track1.front"] == 8


def test_a_microcontroller_with_only_the_keys_takes_no_lights(evenings: Evenings) -> None:
    """The strip next to it used to stay dark, because every picture was sent to the
    microcontroller."""
    evening = evenings(leds="wled", keys="serial_board")
    box, line = evening.wires.box, evening.wires.line
    assert box is not None
    assert line is not None
    evening.type("A8#", 0.3)
    evening.clock.run(5)
    assert evening.lit(box.leds)["track1.front"] == 8
    line.unplug()
    evening.clock.run(5)
    assert set(evening.board.controller.faults) == {"keys"}, "though nothing is drawn there"


def test_two_parts_away_at_once(evenings: Evenings) -> None:
    evening = evenings(leds="adalight", keys="usb_numpad")
    line, pad = evening.wires.line, evening.wires.keyboards[0]
    assert line is not None
    line.unplug()
    evening.clock.run(3)
    pad.unplug()
    said = evening.said(6)
    assert "the lights, the keys" in said
    line.plug()
    said = evening.said(6)
    assert "Working again" in said
    assert "Trouble with" in said
    pad.plug()
    evening.clock.run(5)
    assert not evening.board.controller.faults
    evening.type("A8#")
    evening.clock.run(5)
    assert evening.lit(evening.far.leds)["track1.front"] == 8


def test_a_clock_that_jumps(evenings: Evenings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The time of day is recorded but never waited for: everything that waits uses a monotonic
    clock."""
    evening = evenings()
    evening.type("A8#")
    for seconds in (0.0, 4e9, -1.0):
        monkeypatch.setattr("boardctl.app.board_app.time.time", lambda seconds=seconds: seconds)
        evening.type("A1#")
    assert evening.scores == (11, 0)
    evening.close()
    again = evenings()
    assert again.scores == (11, 0)


def test_a_strip_that_stays_away_is_tried_ever_more_seldom(evenings: Evenings) -> None:
    evening = evenings()
    bus = evening.wires.bus
    assert bus is not None
    tries: list[float] = []

    def write(data: bytes | bytearray) -> None:
        tries.append(evening.clock.time())
        raise OSError(5, "Input/output error")

    works, bus.write = bus.write, write  # type: ignore[method-assign]
    evening.type("A8#")
    evening.clock.run(20)
    tries.clear()
    evening.clock.run(600)
    assert len(tries) <= 25
    bus.write = works  # type: ignore[method-assign]
    evening.clock.run(SLOWEST)
    assert evening.lit(bus.leds)["track1.front"] == 8
    assert "Trouble" not in evening.said(5)
    assert evening.clock.idle


def test_a_game_with_more_sides_than_tracks_is_said_in_a_sentence_and_not_logged_as_a_fault(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The game began on another board. Points count and the lights stay dark, until two play
    again."""
    three = BoardApp(simulated(Config()), tmp_path, VirtualClock(), None, writer=AtOnce())
    table = three.table
    for line in ("seat 1 Ann", "seat 2 Bob", "seat 3 Cleo", "dealer 1", "deal", "3 peg 8"):
        table.submit(table.parse(line), "test")
    three.close()
    evening = Evening(tmp_path)
    said = evening.said(10)
    assert "This board has 2" in said
    assert "3 sides do not" in said
    evening.type("A8#")
    evening.clock.run(60)
    assert evening.scores == (8, 0, 8)
    assert not any(evening.board.frame())
    assert [record.getMessage() for record in caplog.records] == [
        "This board has 2 tracks; 3 sides do not fit on it."
    ]
    assert evening.clock.idle
    evening.close()
