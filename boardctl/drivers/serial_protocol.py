"""The serial protocol of the microcontroller: frames, answers, retransmission. Pure.

This is the host's side of `firmware/protocol.md`. The inputs are received bytes and the time. The
outputs are frames to send and decoded messages. `drivers.serial_board` does the I/O. A frame
consists of a type, a number, a payload and a CRC-16. It is encoded with COBS (Cheshire and Baker,
1997) and terminated by a zero. One command is sent at a time and repeated until the board answers.
The board's key events are numbered, so that a repeated event is handled only once.
"""

from __future__ import annotations

from binascii import crc_hqx
from collections import deque
from dataclasses import dataclass, replace
from typing import Final, NamedTuple

# The numbers from here to the end mark are shared with the firmware: `make protocol` writes
# firmware/protocol.h from them, one per line, including the comments.

PROTOCOL_VERSION: Final = 1
BAUD: Final = 500000
MAX_PAYLOAD: Final = 61

# Messages from the host.
HELLO: Final = 0x01
PALETTE: Final = 0x02
LIGHTS: Final = 0x03
PING: Final = 0x04
KEY_SEEN: Final = 0x05
GOODBYE: Final = 0x06

# Messages from the board.
GREETING: Final = 0x81
DONE: Final = 0x82
KEY: Final = 0x83

# The code in DONE.
CODE_DONE: Final = 0
CODE_UNGREETED: Final = 1
CODE_MALFORMED: Final = 2

# The flags of LIGHTS.
LIGHTS_CLEAR: Final = 0x01
LIGHTS_SHOW: Final = 0x02

# The byte of GREETING after the version: the reason of the last start, and whether the host has
# sent only HELLO since.
RESET_POWER: Final = 0x01
RESET_BUTTON: Final = 0x02
RESET_BROWNOUT: Final = 0x04
RESET_WATCHDOG: Final = 0x08
RESET_SINCE_HELLO: Final = 0x80

MAX_LEDS: Final = 600
PALETTE_COLOURS: Final = 128

# Keys: those of the matrix, then the single buttons; the maximum of queued events, how long a
# contact must be stable, and how often an event is repeated.
MATRIX_KEYS: Final = 16
BUTTON_KEYS: Final = 6
KEY_OVERFLOW: Final = 0xFF
KEY_QUEUE: Final = 16
KEY_SETTLE_MS: Final = 8
KEY_REPEAT_MS: Final = 50

HOST_GONE_MS: Final = 3000

# End of the numbers.

REPEAT: Final = 0.06
"""Seconds without an answer before a command is repeated. Refreshing 600 LEDs takes 18 ms."""
HELLO_REPEAT: Final = 0.25
"""Seconds between HELLOs. An Uno spends a second in its boot loader after its port is opened."""
HEARTBEAT: Final = 1.0
"""Seconds without a command before a PING, because the board reports a lost host after
HOST_GONE_MS."""
GONE: Final = 3.0
"""Seconds without a valid frame before the board counts as gone."""
_CRC_START: Final = 0xFFFF
_LONGEST: Final = 256


def pack(kind: int, number: int, payload: bytes = b"") -> bytes:
    """Encode a frame for the line. `payload` has at most MAX_PAYLOAD bytes."""
    body = bytes((kind, number)) + payload
    body += crc_hqx(body, _CRC_START).to_bytes(2, "big")
    return b"".join(bytes((len(run) + 1,)) + run for run in body.split(b"\0")) + b"\0"


class Frame(NamedTuple):
    """A valid frame."""

    kind: int
    number: int
    payload: bytes


def unpack(stuffed: bytes) -> Frame | None:
    """Decode the bytes before a zero on the line, or return None if they are corrupt."""
    runs = []
    place = 0
    while place < len(stuffed):
        end = place + stuffed[place]
        if end > len(stuffed):
            return None
        runs.append(stuffed[place + 1 : end])
        place = end
    body = b"\0".join(runs)
    if len(body) < 4 or crc_hqx(body, _CRC_START):
        return None
    return Frame(body[0], body[1], body[2:-2])


class Deframer:
    """A decoder that splits received bytes into valid frames."""

    def __init__(self) -> None:
        self._begun = b""
        self.corrupt = 0

    def feed(self, data: bytes) -> list[Frame]:
        """Return the frames that are completed by `data`. Corrupt frames are counted and
        dropped."""
        *ended, self._begun = (self._begun + data).split(b"\0")
        self._begun = self._begun[-_LONGEST:]
        frames = []
        for stuffed in filter(None, ended):
            frame = unpack(stuffed)
            if frame is None:
                self.corrupt += 1
            else:
                frames.append(frame)
        return frames


@dataclass(frozen=True, slots=True)
class Greeting:
    """The board's answer to HELLO.

    `reset` is the reason for the board's last start (RESET_* flags). RESET_SINCE_HELLO is set as
    long as the host has sent only HELLO since that start, which means that unreported keys are
    lost. `milliamps` is the current budget in force. `keys_down` are the keys reported as down (bit
    n is key n). `corrupt` is the number of corrupt frames since the start.
    """

    version: int
    reset: int
    leds: int
    milliamps: int
    next_key: int
    keys_down: int
    corrupt: int


@dataclass(frozen=True, slots=True)
class KeyChange:
    """A key that went down (`value` 1) or up (0) `age` seconds ago. With KEY_OVERFLOW, `value`
    edges were lost because no host read them for too long."""

    key: int
    value: int
    age: float


@dataclass(frozen=True, slots=True)
class Answered:
    """The message that the last command has been carried out and no other command is pending."""


@dataclass(frozen=True, slots=True)
class Refused:
    """The message that the board does not understand a command, because the host and the board run
    different versions."""

    kind: int


@dataclass(frozen=True, slots=True)
class Gone:
    """The message that no data was received from the board for GONE seconds. Greetings continue."""


Event = Greeting | KeyChange | Answered | Refused | Gone


@dataclass(slots=True)
class _Command:
    kind: int
    number: int
    payload: bytes
    sent_at: float | None = None
    """The time when the command was last sent, or None before that."""


class Link:
    """The host's end of the line, silent until `greet`. All times are in seconds on one clock."""

    def __init__(self) -> None:
        self._deframer = Deframer()
        self._number = 0
        self._waiting: deque[_Command] = deque()
        self._urgent = b""
        self._hello: bytes | None = None
        self._greeted = False
        self._gone = False
        self._next_key = 0
        self._last_key = KEY_OVERFLOW
        self._spoke = 0.0
        self._received_at = 0.0

    @property
    def open(self) -> bool:
        """Whether the link is in use, because a board is connected or being greeted."""
        return self._hello is not None

    @property
    def idle(self) -> bool:
        """Whether the board has been greeted and has replied to every command."""
        return self._greeted and not self._waiting

    def greet(self, leds: int, milliamps: int, now: float) -> None:
        """Start communicating with a board whose state is unknown. `leds` is the number of LEDs on
        its strip (0: unchanged), and `milliamps` its current budget (0: the board's own)."""
        self._hello = (
            bytes((PROTOCOL_VERSION,))
            + leds.to_bytes(2, "little")
            + milliamps.to_bytes(2, "little")
        )
        self._received_at = now
        self._gone = False
        self._restart()

    def _restart(self) -> None:
        assert self._hello is not None
        self._greeted = False
        self._waiting.clear()
        self._command(HELLO, self._hello)

    def _command(self, kind: int, payload: bytes) -> None:
        self._number = (self._number + 1) % 256
        self._waiting.append(_Command(kind, self._number, payload))

    def send(self, kind: int, payload: bytes) -> None:
        """Queue a command, which is dropped if the board must be greeted again."""
        self._command(kind, payload)

    def hang_up(self) -> None:
        """Handle a disconnected line. Do not send data again until `greet`."""
        self._greeted = False
        self._hello = None
        self._waiting.clear()
        self._urgent = b""

    def farewell(self) -> bytes:
        """Return all pending commands and a GOODBYE, to be written without waiting for answers."""
        if not self._greeted:
            return b""
        self._command(GOODBYE, b"")
        parting = b"".join(pack(c.kind, c.number, c.payload) for c in self._waiting)
        self.hang_up()
        return parting

    def next_call(self) -> float | None:
        """Return the time at which to call `outgoing` next if no data is received, or None for
        never."""
        if self._hello is None:
            return None
        if not self._waiting:
            return self._spoke + HEARTBEAT
        command = self._waiting[0]
        if command.sent_at is None:
            return self._spoke
        again = command.sent_at + (REPEAT if self._greeted else HELLO_REPEAT)
        return again if self._gone else min(again, self._received_at + GONE)

    def outgoing(self, now: float) -> bytes:
        """Return the bytes to write now: new frames, and frames that were not answered in time."""
        data, self._urgent = self._urgent, b""
        if self._hello is None:
            return b""
        if not self._waiting and now >= self._spoke + HEARTBEAT:
            self._command(PING, b"")
        if self._waiting:
            command = self._waiting[0]
            repeat = REPEAT if self._greeted else HELLO_REPEAT
            if command.sent_at is None or now >= command.sent_at + repeat:
                command.sent_at = now
                data += pack(command.kind, command.number, command.payload)
        if data:
            self._spoke = now
        return data

    def missed(self, now: float) -> Gone | None:
        """Return a single Gone if the board was greeted and has been silent for GONE seconds."""
        if self._gone or self._hello is None or not self._waiting:
            return None
        if now < self._received_at + GONE or self._waiting[0].sent_at is None:
            return None
        self._gone = True
        self._restart()
        return Gone()

    def receive(self, data: bytes, now: float) -> list[Event]:
        """Take bytes from the board, and return the decoded messages in order."""
        events: list[Event] = []
        for frame in self._deframer.feed(data):
            if self._hello is None:
                break
            self._received_at = now
            if frame.kind == GREETING:
                events += self._on_greeting(frame)
            elif frame.kind == DONE:
                events += self._on_done(frame)
            elif frame.kind == KEY and self._greeted:
                events += self._on_key(frame)
        return events

    def _on_greeting(self, frame: Frame) -> list[Event]:
        if not self._answers(frame, HELLO) or len(frame.payload) != 12:
            return []
        payload = frame.payload
        greeting = Greeting(
            version=payload[0],
            reset=payload[1],
            leds=int.from_bytes(payload[2:4], "little"),
            milliamps=int.from_bytes(payload[4:6], "little"),
            next_key=payload[6],
            keys_down=int.from_bytes(payload[7:10], "little"),
            corrupt=int.from_bytes(payload[10:12], "little"),
        )
        self._waiting.popleft()
        self._gone = False
        self._greeted = greeting.version == PROTOCOL_VERSION
        if (
            greeting.reset & RESET_SINCE_HELLO == 0
            and (self._next_key - greeting.next_key) % 256 == 1
        ):  # our acknowledgement of the last key was lost; the board repeats the key
            if self._last_key != KEY_OVERFLOW:
                known = greeting.keys_down ^ 1 << self._last_key
                greeting = replace(greeting, keys_down=known)
        else:
            self._next_key = greeting.next_key
        if not self._greeted:
            self.hang_up()
        return [greeting]

    def _on_done(self, frame: Frame) -> list[Event]:
        if len(frame.payload) != 1 or not self._greeted:
            return []
        (code,) = frame.payload
        if code == CODE_UNGREETED:  # as an answer, or unsolicited after a start
            self._restart()
            return []
        if not self._waiting or not self._answers(frame, self._waiting[0].kind):
            return []
        command = self._waiting.popleft()
        if code != CODE_DONE:
            return [Refused(command.kind)]
        return [] if self._waiting or command.kind == PING else [Answered()]

    def _answers(self, frame: Frame, kind: int) -> bool:
        if not self._waiting:
            return False
        command = self._waiting[0]
        return (
            command.kind == kind and command.number == frame.number and command.sent_at is not None
        )

    def _on_key(self, frame: Frame) -> list[Event]:
        if len(frame.payload) != 4:
            return []
        missed = (frame.number - self._next_key) % 256
        if 0 < missed < 128:
            return []
        self._urgent += pack(KEY_SEEN, frame.number)
        if missed:
            return []
        self._next_key = (self._next_key + 1) % 256
        key, value = frame.payload[:2]
        self._last_key = key
        return [KeyChange(key, value, int.from_bytes(frame.payload[2:], "little") / 1000)]
