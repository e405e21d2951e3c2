"""A virtual microcontroller on a serial line: the behaviour of `firmware/` in Python.

A simulated board with the driver `serial_board` uses this chip. It follows `firmware/protocol.md`
exactly. A test compares it with the real firmware binary in an emulator. Its contacts do not
bounce, and its strip updates instantly.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Final

from boardctl.drivers import serial_protocol
from boardctl.drivers.budget import Options as Power
from boardctl.drivers.ports import LEGEND, Clock, Timer
from boardctl.drivers.serial_protocol import Deframer, Frame, pack

_POWER: Final = Power()
BUDGET: Final = _POWER.milliamps
"""The firmware's default current budget in mA."""
_KEY_REPEAT: Final = serial_protocol.KEY_REPEAT_MS / 1000
_GONE: Final = serial_protocol.HOST_GONE_MS / 1000
_STEP: Final = 0.5
_MARK: Final = bytes((128, 128, 128))
_MILLIAMPS: Final = (int(_POWER.red), int(_POWER.green), int(_POWER.blue))
_DARK: Final = int(_POWER.idle)


class Chip:
    """The microcontroller with its strip and its keys. `say` is called with data that the chip
    sends unprompted, and `watch` with the strip's colours (red, green, blue per LED)."""

    def __init__(
        self, clock: Clock, watch: Callable[[bytes], None], buttons: tuple[str, ...] = ()
    ) -> None:
        self.say: Callable[[bytes], None] = lambda data: None
        self._clock = clock
        self._watch = watch
        self._keys = (*"".join(LEGEND), *buttons)
        self._deframer = Deframer()
        self._greeted = False
        self._went_on = False
        self._last: tuple[int, int] | None = None
        self._colours = [bytes(3)] * serial_protocol.PALETTE_COLOURS
        self._picture = bytearray()
        self._has_part = False
        """Whether part of a picture has arrived but is not yet shown."""
        self._budget = BUDGET
        self._down: set[int] = set()
        self._reported: set[int] = set()
        self._events: deque[tuple[int, int, float]] = deque()
        self._number = 0
        self._lost = 0
        self._alone = 0
        self._silence: Timer | None = None
        self._sending: Timer | None = None

    # The line

    def take(self, data: bytes) -> bytes:
        """Take bytes from the host, and return the chip's answer."""
        return b"".join(self._handle(frame) for frame in self._deframer.feed(data))

    def _handle(self, frame: Frame) -> bytes:
        self._listen(_GONE)
        if self._alone:
            self._alone = 0
            self._light()
        if frame.kind == serial_protocol.HELLO:
            return self._greet(frame)
        self._went_on = self._went_on or self._greeted
        match frame.kind:
            case serial_protocol.KEY_SEEN:
                if self._greeted:
                    self._acknowledge(frame.number)
                return b""
            case serial_protocol.GOODBYE:
                self._greeted = False
                return b""
        code = serial_protocol.CODE_UNGREETED
        if self._greeted and self._last is not None and self._last[0] == frame.number:
            code = self._last[1]
        elif self._greeted:
            code = (
                serial_protocol.CODE_DONE if self._obey(frame) else serial_protocol.CODE_MALFORMED
            )
            self._last = (frame.number, code)
        self._send_event()
        return pack(serial_protocol.DONE, frame.number, bytes((code,)))

    def _greet(self, frame: Frame) -> bytes:
        if len(frame.payload) < 5:
            return b""
        self._greeted = frame.payload[0] == serial_protocol.PROTOCOL_VERSION
        budget = 0
        if self._greeted:
            leds = min(int.from_bytes(frame.payload[1:3], "little"), serial_protocol.MAX_LEDS)
            if leds and leds != len(self._picture):
                self._picture = bytearray(leds)
                self._watch(bytes(3 * leds))
            asked = int.from_bytes(frame.payload[3:5], "little")
            budget = self._budget = asked if 0 < asked < BUDGET else BUDGET
        self._last = (frame.number, serial_protocol.CODE_DONE)
        reset = serial_protocol.RESET_POWER | (
            0 if self._went_on else serial_protocol.RESET_SINCE_HELLO
        )
        self._send_event()
        payload = b"".join(
            (
                bytes((serial_protocol.PROTOCOL_VERSION, reset)),
                len(self._picture).to_bytes(2, "little"),
                budget.to_bytes(2, "little"),
                bytes((self._number,)),
                sum(1 << key for key in self._reported).to_bytes(3, "little"),
                min(self._deframer.corrupt, 0xFFFF).to_bytes(2, "little"),
            )
        )
        return pack(serial_protocol.GREETING, frame.number, payload)

    def _listen(self, seconds: float) -> None:
        if self._silence is not None:
            self._silence.cancel()
        self._silence = self._clock.call_at(self._clock.time() + seconds, self._missed)

    def _missed(self) -> None:
        """Handle a lost connection to the host: dim the strip to show the loss."""
        self._silence = None
        if not self._greeted and not self._alone:
            return
        if self._has_part:
            self._picture = bytearray(len(self._picture))
            self._has_part = self._greeted = False
        self._light(self._alone)
        self._alone += 1
        self._listen(_STEP)

    # The strip

    def _obey(self, frame: Frame) -> bool:
        match frame.kind:
            case serial_protocol.PALETTE:
                return self._learn(frame.payload)
            case serial_protocol.LIGHTS:
                return self._change(frame.payload)
            case serial_protocol.PING:
                return not frame.payload
        return False

    def _learn(self, payload: bytes) -> bool:
        many = len(payload) // 3
        if len(payload) < 4 or len(payload) % 3 != 1:
            return False
        first = payload[0]
        if first == 0 or first + many > serial_protocol.PALETTE_COLOURS:
            return False
        self._has_part = True
        self._colours[first : first + many] = [
            payload[n : n + 3] for n in range(1, len(payload), 3)
        ]
        return True

    def _change(self, payload: bytes) -> bool:
        if len(payload) % 4 != 1:
            return False
        runs = [
            (int.from_bytes(payload[n : n + 2], "little"), payload[n + 2], payload[n + 3])
            for n in range(1, len(payload), 4)
        ]
        leds = len(self._picture)
        for start, length, colour in runs:
            if start >= leds or length > leds - start or colour >= serial_protocol.PALETTE_COLOURS:
                return False
        self._has_part = True
        if payload[0] & serial_protocol.LIGHTS_CLEAR:
            self._picture = bytearray(leds)
        for start, length, colour in runs:
            self._picture[start : start + length] = bytes((colour,)) * length
        if payload[0] & serial_protocol.LIGHTS_SHOW:
            self._has_part = False
            self._light()
        return True

    def _light(self, phase: int | None = None) -> None:
        """Light the picture within the budget or, with `phase`, the pattern shown by a board
        without a host."""
        leds = [self._colours[number] for number in self._picture]
        if phase is not None:
            leds[phase % 8 :: 8] = [_MARK] * len(leds[phase % 8 :: 8])
        drawn = sum(
            value * milliamps
            for colour in leds
            for value, milliamps in zip(colour, _MILLIAMPS, strict=True)
        )
        allowed = max(0, self._budget - len(leds) * _DARK) * 255
        scale = 255 if drawn <= allowed else max(1, allowed * 256 // drawn) - 1
        if phase is not None:
            scale //= 8
        self._watch(b"".join(leds).translate(bytes(v * (scale + 1) >> 8 for v in range(256))))

    # The keys

    def press(self, key: str) -> None:
        """Press a key of `ports.KEYS`."""
        self._edge(self._keys.index(key), 1)

    def release(self, key: str) -> None:
        """Release a key."""
        self._edge(self._keys.index(key), 0)

    def _edge(self, key: int, value: int) -> None:
        if (key in self._down) == value:
            return
        self._down ^= {key}
        if len(self._events) == serial_protocol.KEY_QUEUE:
            self._lost = min(255, self._lost + 1)
        else:
            self._queue()
        self._send_event()

    def _queue(self) -> None:
        """Queue key edges as long as there is room, and count the lost edges."""
        now = self._clock.time()
        if self._lost and len(self._events) < serial_protocol.KEY_QUEUE:
            self._events.append((serial_protocol.KEY_OVERFLOW, self._lost, now))
            self._lost = 0
        reported = set(self._reported)
        for key, _, _ in self._events:
            reported ^= {key} - {serial_protocol.KEY_OVERFLOW}
        for key in sorted(self._down ^ reported):
            if len(self._events) < serial_protocol.KEY_QUEUE:
                self._events.append((key, int(key in self._down), now))

    def _send_event(self) -> None:
        """Send the oldest event, repeatedly until it is acknowledged."""
        if self._sending is not None:
            self._sending.cancel()
            self._sending = None
        if not self._greeted or self._alone or not self._events:
            return
        key, value, at = self._events[0]
        age = min(0xFFFF, int(1000 * (self._clock.time() - at)))
        self._sending = self._clock.call_at(self._clock.time() + _KEY_REPEAT, self._send_event)
        self.say(
            pack(serial_protocol.KEY, self._number, bytes((key, value)) + age.to_bytes(2, "little"))
        )

    def _acknowledge(self, number: int) -> None:
        if not self._events or number != self._number:
            return
        key, _, _ = self._events.popleft()
        self._reported ^= {key} - {serial_protocol.KEY_OVERFLOW}
        self._number = (self._number + 1) % 256
        self._queue()
        self._send_event()
