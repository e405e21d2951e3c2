"""The serial board's driver without a board: its commands to change one picture into another.

tests/firmware tests it with the real firmware.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.app import board_app, config
from boardctl.app.config import Config, ConfigError
from boardctl.drivers import serial_board, serial_protocol
from boardctl.drivers.ports import KeyEvent, PortError
from boardctl.drivers.serial_board import Options, Palette, changes
from boardctl.drivers.serial_protocol import Deframer, pack
from boardctl.drivers.virtual.clock import VirtualClock
from tests.tables import Later

colours = st.sampled_from([bytes((n, 255 - n, n // 2)) for n in range(0, 256, 2)] + [bytes(3)] * 60)
frames = st.lists(colours, min_size=50, max_size=50).map(b"".join)


class Board:
    """The firmware's handling of PALETTE and LIGHTS (protocol.md)."""

    def __init__(self, leds: int) -> None:
        self.colours: dict[int, bytes] = {0: bytes(3)}
        self.picture = bytearray(leds)
        self.lit = b""

    def obey(self, kind: int, payload: bytes) -> None:
        assert len(payload) <= serial_protocol.MAX_PAYLOAD
        if kind == serial_protocol.PALETTE:
            assert len(payload) % 3 == 1
            for n in range(len(payload) // 3):
                number = payload[0] + n
                assert 0 < number < serial_protocol.PALETTE_COLOURS
                self.colours[number] = payload[1 + 3 * n : 4 + 3 * n]
            return
        assert kind == serial_protocol.LIGHTS
        if payload[0] & serial_protocol.LIGHTS_CLEAR:
            self.picture = bytearray(len(self.picture))
        for n in range(1, len(payload), 4):
            start = int.from_bytes(payload[n : n + 2], "little")
            assert start + payload[n + 2] <= len(self.picture)
            self.picture[start : start + payload[n + 2]] = bytes((payload[n + 3],)) * payload[n + 2]
        if payload[0] & serial_protocol.LIGHTS_SHOW:
            self.lit = b"".join(self.colours[number] for number in self.picture)


@given(st.lists(frames, min_size=1, max_size=8))
def test_the_board_ends_up_with_the_picture(pictures: list[bytes]) -> None:
    palette, board = Palette(), Board(50)
    shown = None
    for picture in pictures:
        numbers, learn = palette.number(picture)
        commands = list(changes(shown, numbers, learn))
        for kind, payload in commands:
            board.obey(kind, payload)
        assert board.lit == picture
        assert (
            sum(
                payload[0] & serial_protocol.LIGHTS_SHOW > 0
                for k, payload in commands
                if k == serial_protocol.LIGHTS
            )
            == 1
        )
        shown = numbers


def test_more_colours_than_numbers_are_shown_in_fewer() -> None:
    picture = b"".join(bytes((n % 256, n // 3, 255 - n // 4)) for n in range(600))
    palette, board = Palette(), Board(600)
    numbers, learn = palette.number(picture)
    for kind, payload in changes(None, numbers, learn):
        board.obey(kind, payload)
    assert len(set(numbers)) > 40
    assert max(abs(a - b) for a, b in zip(board.lit, picture, strict=True)) < 32


def test_a_moved_peg_is_one_small_frame() -> None:
    palette = Palette()
    peg = bytes((255, 96, 0))
    before, _ = palette.number(peg + bytes(3 * 399))
    after, learn = palette.number(bytes(3) + peg + bytes(3 * 398))
    (moved,) = changes(before, after, learn)
    assert moved == (
        serial_protocol.LIGHTS,
        bytes((serial_protocol.LIGHTS_SHOW, 0, 0, 1, 0, 1, 0, 1, 1)),
    )


class Line:
    """A serial line controlled by the test."""

    def __init__(self) -> None:
        self.deframer = Deframer()
        self.said: list[serial_protocol.Frame] = []
        self.away = False
        self.closed = False

    def write(self, data: bytes) -> None:
        if self.away:
            raise OSError("it is away")
        self.said += self.deframer.feed(data)

    def close(self) -> None:
        self.closed = True


class Wires:
    """The subset of wires that the driver uses."""

    def __init__(self) -> None:
        self.clock = VirtualClock()
        self.line = Line()

    def serial(
        self,
        port: str,
        baud: int,
        received: Callable[[bytes], None],
        changed: Callable[[str | None], None],
    ) -> Line:
        self.received, self.changed = received, changed
        return self.line

    def greet(
        self, reset: int = 0, known: int = 0, version: int = serial_protocol.PROTOCOL_VERSION
    ) -> None:
        hello = self.line.said[-1]
        assert hello.kind == serial_protocol.HELLO
        payload = bytes((version, reset)) + hello.payload[1:3] + bytes((160, 15, 0))
        payload += known.to_bytes(3, "little") + bytes(2)
        self.received(pack(serial_protocol.GREETING, hello.number, payload))

    def key(self, number: int, key: int, value: int, age: int = 0) -> None:
        payload = bytes((key, value)) + age.to_bytes(2, "little")
        self.received(pack(serial_protocol.KEY, number, payload))

    def answer(self) -> None:
        self.received(
            pack(
                serial_protocol.DONE, self.line.said[-1].number, bytes((serial_protocol.CODE_DONE,))
            )
        )


@pytest.fixture
def wires() -> Wires:
    return Wires()


def opened(wires: Wires, options: Options | None = None) -> serial_board.SerialBoard:
    (board,) = serial_board.open_ports(options or Options(), wires)  # type: ignore[arg-type]  # as much as it uses
    return board


def test_the_newest_picture_follows_the_one_under_way(wires: Wires) -> None:
    board = opened(wires)
    wires.changed(None)
    board.show(bytes(9))
    wires.greet()
    wires.answer()
    wires.line.said.clear()
    for value in (1, 2, 3):
        board.show(bytes((value, 0, 0)) + bytes(6))
    while wires.line.said[-1].kind == serial_protocol.PALETTE or len(wires.line.said) < 4:
        wires.answer()
    learnt = [f.payload[1] for f in wires.line.said if f.kind == serial_protocol.PALETTE]
    assert learnt == [1, 3], "2 was never sent: 3 had come by then"


def test_trouble_is_told_and_forgotten(wires: Wires) -> None:
    board = opened(wires)
    wires.changed("there is no /dev/ttyUSB0")
    with pytest.raises(PortError, match="there is no /dev/ttyUSB0"):
        board.show(bytes(9))
    wires.changed(None)
    with pytest.raises(PortError, match="there is no /dev/ttyUSB0"):
        board.show(bytes(9))
    wires.greet()
    board.show(bytes(9))
    wires.line.away = True
    wires.clock.run(1.0)
    with pytest.raises(PortError, match="it is away"):
        board.show(bytes(9))
    with pytest.raises(PortError, match="at most 600 LEDs, got 601"):
        board.show(bytes(3 * 601))


def test_a_board_for_fewer_leds_is_in_trouble_with_the_lights_alone(wires: Wires) -> None:
    board = opened(wires)
    told: list[str | None] = []
    board.reported.connect(told.append)
    wires.changed(None)
    board.show(bytes(9))
    hello = wires.line.said[-1]
    payload = bytes((serial_protocol.PROTOCOL_VERSION, 0, 2, 0)) + bytes(8)
    wires.received(pack(serial_protocol.GREETING, hello.number, payload))
    with pytest.raises(PortError, match="built for 2 LEDs, not 3"):
        board.show(bytes(9))
    assert not told, "its keys work"


def test_a_silent_board_is_told_of(wires: Wires) -> None:
    board = opened(wires)
    wires.changed(None)
    board.show(bytes(9))
    wires.clock.run(serial_protocol.GONE + 0.1)
    with pytest.raises(PortError, match="has not answered for 3 s"):
        board.show(bytes(9))
    wires.greet()
    board.show(bytes(9))


def test_another_firmware_is_told_of(wires: Wires) -> None:
    board = opened(wires)
    wires.changed(None)
    wires.greet(version=7)
    with pytest.raises(
        PortError, match=r"version 7 .* this program uses version 1: run `boardctl flash`"
    ):
        board.show(bytes(9))


def test_a_board_that_is_away_holds_no_key(wires: Wires) -> None:
    board = opened(wires, Options(buttons=("A", "B")))
    events: list[KeyEvent] = []
    board.start(events.append)
    wires.changed(None)
    wires.greet()
    wires.clock.run(0.5)
    wires.key(0, 0, 1, age=20)
    wires.key(1, 17, 1)
    wires.key(2, 21, 1)
    assert events == [KeyEvent("1", True, 0.48), KeyEvent("B", True, 0.5)], "21 has no name here"
    wires.changed("gone")
    assert events[2:] == [KeyEvent("1", False, 0.5), KeyEvent("B", False, 0.5)]
    wires.changed(None)
    wires.greet(known=1 << 17)
    wires.key(0, 17, 0)
    wires.key(1, 17, 1)
    assert events[4:] == [KeyEvent("B", True, 0.5)], "it was released already"
    wires.clock.run(serial_protocol.GONE + 2)
    assert [(event.key, event.pressed) for event in events[5:]] == [("B", False)]


def test_keys_are_let_go_that_went_up_while_the_board_was_greeted(wires: Wires) -> None:
    board = opened(wires)
    events: list[KeyEvent] = []
    board.start(events.append)
    wires.changed(None)
    board.show(bytes(9))
    wires.greet()
    wires.key(0, 0, 1)
    wires.key(1, 1, 1)
    board.show(bytes(12))
    wires.greet(known=1 << 1)
    assert [(event.key, event.pressed) for event in events[2:]] == [("1", False)]


def test_lost_keys_are_logged(wires: Wires, caplog: pytest.LogCaptureFixture) -> None:
    board = opened(wires)
    board.start(lambda event: pytest.fail("no key"))
    wires.changed(None)
    wires.greet()
    wires.key(0, serial_protocol.KEY_OVERFLOW, 5)
    assert "5 key edges are lost" in caplog.text


def test_close_says_goodbye(wires: Wires) -> None:
    board = opened(wires)
    wires.changed(None)
    board.show(bytes(9))
    wires.greet()
    wires.answer()
    board.show(bytes((9, 9, 9)) * 3)
    board.close()
    board.close()
    assert wires.line.said[-1].kind == serial_protocol.GOODBYE
    assert wires.line.closed
    wires.clock.run(60)
    assert wires.clock.idle


def test_an_idle_board_is_asked_once_a_second(wires: Wires) -> None:
    board = opened(wires)
    wires.changed(None)
    board.show(bytes(9))
    wires.greet()
    wires.answer()
    wires.line.said.clear()
    for _ in range(100):
        wires.clock.run(0.1)
        if wires.line.said:
            wires.answer()
    assert len(wires.line.said) == 10
    assert wires.clock.calls < 30


@pytest.mark.parametrize("value", [-1, 65536])
def test_a_budget_that_no_board_could_have(value: int) -> None:
    with pytest.raises(ValueError, match="board-milliamps 65535"):
        Options(milliamps=value)


def test_a_simulated_board_that_is_configured_so(tmp_path: Path) -> None:
    part = config.part("serial_board")
    clock = VirtualClock()
    chosen = Config(telling="points", leds=part, keys=part)
    disk = Later()
    disk.healed = True
    board = board_app.BoardApp(chosen, tmp_path, clock, None, disk)
    clock.run(1.0)
    for key in "A8#":
        board.press(key, True)
        clock.run(0.05)
        board.press(key, False)
        clock.run(0.05)
    clock.run(3.0)
    assert board.table.position.scores == (8, 0)
    place = 3 * board.layout.index()["track1.8"]
    assert any(board.frame()[place : place + 3])
    board.close()


def test_the_config_describes_the_board_once() -> None:
    found = {"driver": "serial_board", "port": "/dev/ttyACM0", "buttons": ["*"]}
    once = config.parse({"leds": found, "keys": {"driver": "serial_board"}})
    assert once.keys == once.leds == config.part("serial_board", port="/dev/ttyACM0", buttons=["*"])
    assert config.parse({"leds": found, "keys": found}).keys == once.leds
    with pytest.raises(
        ConfigError, match=r"\[leds\] and \[keys\] use the same serial_board: describe"
    ):
        config.parse({"leds": found, "keys": found | {"milliamps": 900}})


@pytest.mark.parametrize(
    ("buttons", "why"),
    [(["Z"], "'Z' is not a key; the keys are 0 1 2"), (["*"] * 7, "at most 6 buttons")],
)
def test_buttons_that_no_board_has(buttons: list[str], why: str) -> None:
    with pytest.raises(ConfigError, match=why):
        config.parse({"leds": {"driver": "serial_board", "buttons": buttons}})


def test_keys_are_let_go_whatever_is_wrong_with_the_lights(wires: Wires) -> None:
    board = opened(wires)
    events: list[KeyEvent] = []
    board.start(events.append)
    wires.changed(None)
    wires.greet()
    wires.key(0, 0, 1)
    wires.changed("it was disconnected")
    with pytest.raises(PortError, match="disconnected"):
        board.show(bytes(9))
    wires.changed(None)
    hello = wires.line.said[-1]
    payload = bytes((serial_protocol.PROTOCOL_VERSION, 0, 7, 0, 160, 15, 0)) + bytes(5)
    wires.received(pack(serial_protocol.GREETING, hello.number, payload))
    with pytest.raises(PortError, match="built for 7 LEDs, not 3"):
        board.show(bytes(9))
    wires.key(1, 0, 1)
    wires.key(2, 0, 0)
    assert [event.pressed for event in events] == [True, False, True, False]


def test_a_key_whose_acknowledgement_was_lost_is_pressed_once(wires: Wires) -> None:
    """The board has not restarted: it reports the same key again after the greeting."""
    board = opened(wires)
    events: list[KeyEvent] = []
    board.start(events.append)
    wires.changed(None)
    wires.greet()
    wires.line.away = True
    wires.key(0, 3, 1)
    wires.changed("it was disconnected")
    wires.line.away = False
    wires.changed(None)
    wires.greet()
    wires.key(0, 3, 1)
    wires.key(1, 3, 0)
    assert [(event.key, event.pressed) for event in events] == [("A", True), ("A", False)]
