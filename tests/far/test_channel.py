"""Six words, a meeting, and messages that nobody between the houses can read, change or repeat."""

from __future__ import annotations

import json
from base64 import b64encode
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.far import channel, invitation_words
from boardctl.far.channel import Channel, Taken, decrypt, sign
from boardctl.far.meeting import Meeting, Met
from boardctl.games import IllegalMove

SECRETS = st.integers(0, 2**invitation_words.BITS - 1)


@given(SECRETS)
def test_six_words_are_read_in_every_way_that_they_are_told(secret: int) -> None:
    spelled = invitation_words.spell(secret)
    assert len(spelled) == invitation_words.COUNT
    link = f"http://board.local/#far={'-'.join(spelled)}"
    numbers = invitation_words.numbers(spelled)
    for text in (
        " ".join(spelled), ", ".join(spelled).upper(), " ".join(word[:4] for word in spelled), link,
        " ".join(numbers), "".join(numbers),
    ):  # fmt: skip
        assert invitation_words.read(text) == secret


@given(SECRETS, st.integers(0, 5), st.integers(1, 2047))
def test_a_word_heard_wrong_is_mostly_noticed(secret: int, place: int, other: int) -> None:
    spelled = list(invitation_words.spell(secret))
    number = (int(invitation_words.numbers(spelled)[place]) - 1 + other) % 2048 + 1
    text = " ".join([*spelled[:place], str(number), *spelled[place + 1 :]])
    try:
        assert invitation_words.read(text) != secret
    except IllegalMove as error:
        assert error.code == "far-other-words"


@pytest.mark.parametrize(
    ("text", "code"),
    [
        ("", "far-six-words"),
        ("abandon ability", "far-six-words"),
        ("abandon " * 7, "far-six-words"),
        ("xyzzy " * 6, "far-no-word"),
        ("2049 " * 6, "far-no-word"),
        ("0 " * 6, "far-no-word"),
        ("aba " * 6, "far-no-word"),
        ("zoo " * 6, "far-other-words"),
        ("é" * 1000, "far-six-words"),
    ],
)
def test_other_words_are_refused(text: str, code: str) -> None:
    with pytest.raises(IllegalMove, match=code):
        invitation_words.read(text)


def test_the_list_is_one_of_words_with_different_beginnings() -> None:
    found = invitation_words._words()
    assert len(found) == len({word[:4] for word in found}) == 2048
    assert all(word.isascii() and word.islower() for word in found)


def met(chance: Random, secrets: tuple[int, int] = (7, 7)) -> tuple[Met, Met] | None:
    one = Meeting(secrets[0], 1, chance.randbytes(32), "Ann", chance.randbytes)
    two = Meeting(secrets[1], 2, chance.randbytes(32), "Bob", chance.randbytes)
    if secrets[0] == secrets[1]:
        assert one.topic == two.topic
    first = one.take(two.greet())
    second = two.take(one.greet())
    if first is None or second is None:
        assert first is second
        return None
    return first, second


def pair(seed: int = 1) -> tuple[Channel, Channel]:
    both = met(Random(seed))
    assert both is not None
    return both[0].channel, both[1].channel


def test_two_houses_with_the_same_words_meet_and_others_do_not() -> None:
    both = met(Random(1))
    assert both is not None
    assert [one.name for one in both] == ["Bob", "Ann"]
    assert both[0].channel.topic == both[1].channel.topic
    assert met(Random(2), (7, 8)) is None
    again = met(Random(3))
    assert again is not None
    assert again[0].channel.ident != both[0].channel.ident


def test_a_greeting_is_nobody_elses() -> None:
    chance = Random(4)
    one = Meeting(7, 1, chance.randbytes(32), "Ann", chance.randbytes)
    two = Meeting(7, 2, chance.randbytes(32), "Bob", chance.randbytes)
    for at in range(0, len(two.greet()), 7):
        changed = bytearray(two.greet())
        changed[at] ^= 1
        assert one.take(bytes(changed)) is None
    assert one.take(b"") is None
    kept = json.loads(json.dumps(one.to_json()))
    restored = Meeting.from_json(kept, one._seed, chance.randbytes)
    first, again = one.take(two.greet()), restored.take(two.greet())
    assert one.take(one.greet()) is None, "its own, sent back"
    assert first is not None
    assert again is not None
    assert first.channel.ident == again.channel.ident


def test_a_greeting_has_a_key_of_32_bytes() -> None:
    """libsodium reads 32 bytes of a key, whatever its length. A longer key would be another name
    for the same house, and behind a shorter key it would read foreign memory."""
    chance = Random(6)
    one = Meeting(7, 1, chance.randbytes(32), "Ann", chance.randbytes)
    two = Meeting(7, 2, chance.randbytes(32), "Bob", chance.randbytes)
    text = decrypt(two._key(), bytes([2]), two.greet())
    assert text is not None
    hello = json.loads(text[64:])

    def greeted(said: bytes) -> Met | None:
        return one.take(two._encrypted(sign(two._seed, two._signed(2, said)) + said))

    assert greeted(json.dumps(hello).encode()) is not None
    for key in (hello["house"] + "00", hello["house"][:-2], ""):
        assert greeted(json.dumps({**hello, "house": key}).encode()) is None
    deep = b"[" * 20_000
    assert greeted(deep) is None
    assert two.take(one._encrypted(sign(one._seed, one._signed(1, deep)) + deep)) is None


def test_a_greeting_is_for_the_house_that_it_answers() -> None:
    """A house that enters the same words later, or after their withdrawal, learns the reason."""
    chance = Random(5)
    one = Meeting(7, 1, chance.randbytes(32), "Ann", chance.randbytes)
    two, three, four = (
        Meeting(secret, 2, chance.randbytes(32), name, chance.randbytes)
        for secret, name in ((7, "Bob"), (7, "Cy"), (8, "Di"))
    )
    assert one.take(two.greet()) is not None
    assert three.take(one.greet()) is None
    assert [each.is_over(one.greet()) for each in (two, three, four)] == [False, True, False]
    assert [each.is_over(one.over()) for each in (two, three, four)] == [True, True, False]
    assert two.take(one.over()) is None
    assert two.take(one.greet()) is not None
    for packet in (b"", b"over", two.greet(), two.over()):
        assert not two.is_over(packet)


@pytest.mark.slow
def test_messages_come_once_in_order_whatever_the_broker_does() -> None:
    for seed in range(30):
        chance = Random(seed)
        ends = pair(seed % 3)
        said: tuple[list[int], list[int]] = ([], [])
        got: tuple[list[int], list[int]] = ([], [])
        wire: list[tuple[int, bytes]] = []
        for step in range(120):
            side = chance.randrange(2)
            end = ends[side]
            if step < 60 and chance.random() < 0.5:
                said[side].append(step)
                end.post({"n": step})
                wire.append((1 - side, end.outbox[end.sent]))
            elif chance.random() < 0.3:
                wire.append((1 - side, end.have(again=chance.random() < 0.5)))
            if chance.random() < 0.2:  # restarted
                seed_of_key = end._seed
                kept = json.loads(json.dumps(end.to_json()))
                ends = (
                    (Channel.from_json(kept, seed_of_key, chance.randbytes), ends[1])
                    if side == 0
                    else (ends[0], Channel.from_json(kept, seed_of_key, chance.randbytes))
                )
            chance.shuffle(wire)
            for _ in range(chance.randrange(3)):
                if wire:
                    to, packet = wire.pop()
                    _deliver(ends, got, wire, to, packet, chance)
        for _ in range(4):  # a quiet end: everybody reports the messages received
            for side in (0, 1):
                for packet in (ends[1 - side].have(again=True), *ends[1 - side].outbox.values()):
                    _deliver(ends, got, [], side, packet, None)
        assert got == (said[1], said[0])
        assert not ends[0].outbox
        assert not ends[1].outbox


def _deliver(
    ends: tuple[Channel, Channel],
    got: tuple[list[int], list[int]],
    wire: list[tuple[int, bytes]],
    to: int,
    packet: bytes,
    chance: Random | None,
) -> None:
    if chance is not None:
        drawn = chance.random()
        if drawn < 0.2:
            return  # lost
        if drawn < 0.4:
            wire.append((to, packet))  # and delivered again later
        elif drawn < 0.5:
            changed = bytearray(packet)
            changed[chance.randrange(len(changed))] ^= 1 << chance.randrange(8)
            packet = bytes(changed)
        elif drawn < 0.55:
            to = 1 - to  # reflected to the sender
    taken = ends[to].take(packet)
    if taken.message is not None:
        got[to].append(taken.message["n"])
    wire.extend((1 - to, one) for one in taken.resent)


def odd() -> Iterator[bytes]:
    yield from (b"", b"\1", bytes(10), b"\1\1" + bytes(8), b"\1\2" + b"\xff" * 60, b"x" * 40_000)


def test_what_is_no_packet_is_dropped() -> None:
    one, two = pair()
    one.post({"n": 1})
    for packet in odd():
        assert not two.take(packet).is_genuine
    other, _ = pair(2)
    other.post({"n": 1})
    assert not two.take(other.outbox[1]).is_genuine, "another channel's"
    assert two.taken == 0
    assert two.take(one.outbox[1]).message == {"n": 1}


def test_a_house_cannot_speak_for_the_other() -> None:
    """Each house knows both keys, but messages are signed."""
    one, two = pair()
    forged = Channel(
        one.ident, 1, one.channel_keys, Random(5).randbytes(32), two.other, Random(6).randbytes
    )
    forged.post({"n": 1})
    assert two.take(forged.outbox[1]) == Taken(is_genuine=False)


def test_a_tap_finds_no_word_of_what_is_said() -> None:
    one, _ = pair()
    one.post({"t": "line", "line": "1 play 5H", "keys": {"3": "ab" * 32}})
    for secret_part in (b"line", b"play", b"5H", b"keys", b"abab", one.ident, *one.channel_keys):
        assert secret_part not in one.outbox[1]
        assert secret_part.hex().encode() not in one.outbox[1]
    assert one.ident.hex() not in one.topic


def test_a_piece_is_sent_as_bytes_and_any_message_comes_as_it_was() -> None:
    piece = b64encode(bytes(range(256)) * 90).decode()
    shuffle = {"g": 1, "m": {"t": "shuffle", "deal": 1, "at": 0, "piece": piece}}
    assert len(channel.packed(shuffle)) < 256 * 90 + 100
    odd: list[object] = ["", "A", "QQ", "QR==", "QQ==", "é", None, 7, []]
    messages: list[dict[str, Any]] = [
        shuffle, {"m": []}, {"piece": piece}, {"m": {"t": "line"}},
        *({"g": 1, "m": {"piece": one}} for one in odd),
    ]  # fmt: skip
    for message in messages:
        assert channel.unpacked(channel.packed(message)) == message
    for bad in (b"", b"\0", b"[]\0x", b"7", b'{"m":7}\0x', b"{" * 10_000):
        assert "piece" not in str(channel.unpacked(bad))


@pytest.mark.usefixtures("real_words")
def test_words_lead_to_where_they_led_before() -> None:
    """Boards of every version with the same words meet, by the same effort of Argon2id."""
    met = Meeting(12345, 1, bytes(32), "Ann", lambda size: bytes(size))
    assert met.topic == "7b62d88ac58e928e3bf79b2b943c3cbc"
