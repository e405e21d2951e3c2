"""The host's end of the serial link, without a serial port: frames, retransmission and
numbering."""

from __future__ import annotations

import binascii
import random

from hypothesis import assume, given
from hypothesis import strategies as st

from boardctl.drivers import serial_protocol
from boardctl.drivers.serial_protocol import (
    Answered,
    Deframer,
    Frame,
    Gone,
    Greeting,
    KeyChange,
    Link,
    Refused,
    pack,
)

payloads = st.binary(max_size=serial_protocol.MAX_PAYLOAD)
bytes_of_one = st.integers(0, 255)


def greeting(
    number: int, next_key: int = 0, reset: int = 0, version: int = serial_protocol.PROTOCOL_VERSION
) -> bytes:
    payload = bytes((version, reset, 144, 1, 160, 15, next_key, 0, 0, 0, 0, 0))
    return pack(serial_protocol.GREETING, number, payload)


def done(number: int, code: int = serial_protocol.CODE_DONE) -> bytes:
    return pack(serial_protocol.DONE, number, bytes((code,)))


def said(data: bytes) -> list[Frame]:
    return Deframer().feed(data)


def greeted() -> Link:
    end = Link()
    end.greet(400, 0, 0.0)
    (hello,) = said(end.outgoing(0.0))
    assert isinstance(end.receive(greeting(hello.number), 0.01)[0], Greeting)
    return end


def test_the_crc_is_that_of_the_standard() -> None:
    assert binascii.crc_hqx(b"123456789", 0xFFFF) == 0x29B1  # CRC-16/CCITT-FALSE, check value


@given(bytes_of_one, bytes_of_one, payloads)
def test_what_is_packed_is_unpacked(kind: int, number: int, payload: bytes) -> None:
    packed = pack(kind, number, payload)
    assert packed.index(0) == len(packed) - 1
    assert len(packed) == 2 + len(payload) + 2 + 2
    assert said(packed) == [Frame(kind, number, payload)]


@given(st.lists(st.tuples(bytes_of_one, payloads), max_size=5), st.data())
def test_frames_come_through_however_they_are_cut(
    sent: list[tuple[int, bytes]], data: st.DataObject
) -> None:
    stream = b"".join(pack(kind, n, payload) for n, (kind, payload) in enumerate(sent))
    deframer, heard = Deframer(), []
    while stream:
        cut = data.draw(st.integers(1, len(stream)))
        heard += deframer.feed(stream[:cut])
        stream = stream[cut:]
    assert heard == [Frame(kind, n, payload) for n, (kind, payload) in enumerate(sent)]
    assert deframer.corrupt == 0


def codes(packed: bytes) -> set[int]:
    """Return the positions in a packed frame of the bytes that encode the places of its zeros."""
    found, place = set(), 0
    while place < len(packed) - 1:
        found.add(place)
        place += packed[place]
    return found


@given(payloads, st.data())
def test_one_corrupt_bit_never_passes_and_never_hurts_the_next(
    payload: bytes, data: st.DataObject
) -> None:
    packed = pack(serial_protocol.LIGHTS, 7, payload)
    places = [n for n in range(len(packed) - 1) if n not in codes(packed)]
    place = data.draw(st.sampled_from(places))
    bit = data.draw(st.integers(0, 7))
    byte = packed[place] ^ 1 << bit
    assume(byte)  # a zero ends the frame: the next test
    corrupt = packed[:place] + bytes((byte,)) + packed[place + 1 :]
    assert said(corrupt + pack(serial_protocol.PING, 8)) == [Frame(serial_protocol.PING, 8, b"")]


def test_a_frame_that_is_cut_or_joined_hardly_ever_passes() -> None:
    """If the corrupt byte determines the frame's shape, a CRC-16 matches by chance once in
    65,536."""
    chance = random.Random(3)
    tried = passed = 0
    for _ in range(100):
        packed = pack(
            serial_protocol.LIGHTS,
            7,
            chance.randbytes(chance.randrange(serial_protocol.MAX_PAYLOAD)),
        )
        for place in range(len(packed) - 1):
            for byte in (0, packed[place] ^ 1):
                corrupt = packed[:place] + bytes((byte,)) + packed[place + 1 :]
                tried += 1
                passed += said(corrupt + pack(serial_protocol.PING, 8)) != [
                    Frame(serial_protocol.PING, 8, b"")
                ]
    assert passed * 2000 < tried


def test_any_bytes_are_borne() -> None:
    @given(st.lists(st.binary(max_size=700), max_size=6))
    def feed(chunks: list[bytes]) -> None:
        end = greeted()
        for n, chunk in enumerate(chunks):
            end.receive(chunk, 0.1 + n)
            end.outgoing(0.1 + n)

    feed()


def test_a_command_is_said_until_it_is_answered_and_only_then_the_next() -> None:
    end = greeted()
    end.send(serial_protocol.LIGHTS, b"\1")
    end.send(serial_protocol.LIGHTS, b"\2")
    (first,) = said(end.outgoing(0.1))
    assert first.payload == b"\1"
    assert end.outgoing(0.1 + serial_protocol.REPEAT / 2) == b""
    assert end.next_call() == 0.1 + serial_protocol.REPEAT
    assert said(end.outgoing(0.1 + serial_protocol.REPEAT)) == [first]
    assert end.receive(done(first.number - 1), 0.2) == [], "an old answer"
    assert end.receive(done(first.number), 0.2) == []
    (second,) = said(end.outgoing(0.2))
    assert second.payload == b"\2"
    assert second.number != first.number
    assert end.receive(done(second.number) * 2, 0.2) == [Answered()]
    assert end.idle
    assert end.outgoing(0.2) == b""


def test_silence_is_broken_by_a_heartbeat() -> None:
    end = greeted()
    due = end.next_call()
    assert due is not None
    assert due <= serial_protocol.HEARTBEAT
    (ping,) = said(end.outgoing(due))
    assert ping.kind == serial_protocol.PING
    assert end.receive(done(ping.number), due) == []
    assert end.next_call() == due + serial_protocol.HEARTBEAT


def test_the_heartbeat_comes_before_the_board_misses_the_host() -> None:
    assert (
        serial_protocol.HEARTBEAT + 5 * serial_protocol.REPEAT < serial_protocol.HOST_GONE_MS / 1000
    )


def test_a_board_that_is_silent_is_gone_once_and_asked_for_still() -> None:
    end = greeted()
    end.send(serial_protocol.LIGHTS, b"\1")
    end.outgoing(0.1)
    assert end.missed(serial_protocol.GONE) is None
    assert end.missed(serial_protocol.GONE + 0.02) == Gone()
    assert end.missed(serial_protocol.GONE + 5) is None
    assert [frame.kind for frame in said(end.outgoing(9.0))] == [serial_protocol.HELLO]
    assert end.farewell() == b"", "nobody is there to be told"


def test_a_board_that_was_reset_is_greeted_anew() -> None:
    end = greeted()
    end.send(serial_protocol.LIGHTS, b"\1")
    end.send(serial_protocol.LIGHTS, b"\2")
    (first,) = said(end.outgoing(0.1))
    assert end.receive(done(first.number, serial_protocol.CODE_UNGREETED), 0.2) == []
    (hello,) = said(end.outgoing(0.2))
    assert hello.kind == serial_protocol.HELLO
    (found,) = end.receive(greeting(hello.number, reset=serial_protocol.RESET_SINCE_HELLO), 0.3)
    assert isinstance(found, Greeting)
    assert end.idle, "what was under way is for the driver to begin again"


def test_a_board_that_says_it_has_started_is_greeted_at_once() -> None:
    end = greeted()
    assert end.receive(done(0, serial_protocol.CODE_UNGREETED), 0.2) == []
    assert [frame.kind for frame in said(end.outgoing(0.2))] == [serial_protocol.HELLO]
    assert end.receive(done(0, serial_protocol.CODE_UNGREETED), 0.3) == []
    assert end.outgoing(0.3) == b"", "and not twice"


def test_another_version_is_heard_and_then_silence() -> None:
    end = Link()
    end.greet(400, 0, 0.0)
    (hello,) = said(end.outgoing(0.0))
    (found,) = end.receive(greeting(hello.number, version=9), 0.1)
    assert isinstance(found, Greeting)
    assert found.version == 9
    assert end.farewell() == b"", "nobody is there to be told"
    assert end.next_call() is None
    assert end.outgoing(5.0) == b""


def test_nonsense_is_told() -> None:
    end = greeted()
    end.send(serial_protocol.PALETTE, b"")
    (command,) = said(end.outgoing(0.1))
    answer = done(command.number, serial_protocol.CODE_MALFORMED)
    assert end.receive(answer, 0.2) == [Refused(serial_protocol.PALETTE)]


def test_each_key_is_heard_once_and_always_acknowledged() -> None:
    end = Link()
    end.greet(400, 0, 0.0)
    (hello,) = said(end.outgoing(0.0))
    event = pack(serial_protocol.KEY, 254, bytes((11, 1, 0x2C, 1)))
    assert end.receive(event, 0.0) == [], "not before the greeting"
    assert end.outgoing(0.0) == b""
    end.receive(greeting(hello.number, next_key=254), 0.1)
    assert end.receive(event + event, 0.2) == [KeyChange(11, 1, 0.3)]
    assert said(end.outgoing(0.2)) == [Frame(serial_protocol.KEY_SEEN, 254, b"")] * 2
    for number in (255, 0, 1):
        found = pack(serial_protocol.KEY, number, bytes((11, number % 2, 0, 0)))
        assert end.receive(found, 0.3) == [KeyChange(11, number % 2, 0.0)]
        assert end.receive(found, 0.3) == []
    ahead = pack(serial_protocol.KEY, 9, bytes((1, 1, 0, 0)))
    end.outgoing(0.3)
    assert end.receive(ahead, 0.4) == []
    assert end.outgoing(0.4) == b"", "one that comes too early is not acknowledged"


def test_a_farewell_says_all_that_waits() -> None:
    end = greeted()
    end.send(serial_protocol.LIGHTS, b"\1")
    end.outgoing(0.1)
    end.send(serial_protocol.LIGHTS, b"\2")
    parting = said(end.farewell())
    assert [frame.kind for frame in parting] == [
        serial_protocol.LIGHTS,
        serial_protocol.LIGHTS,
        serial_protocol.GOODBYE,
    ]
    assert end.next_call() is None
    assert Link().farewell() == b""
