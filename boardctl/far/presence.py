"""Signed messages that say whether a board is connected.

Because anybody who can list the broker's topics can find this topic, the messages are signed, and
numbered by connection. Each "here" message has a larger number than the previous one, and "over"
repeats the number of its "here". The connection's last will is its "over" message. A repeated older
message is ignored. Pure.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from nacl.bindings import crypto_sign_seed_keypair

from boardctl.far import TREE, group
from boardctl.far.channel import is_signed, sign

_NUMBER: Final = 8
_HEAD: Final = 1 + _NUMBER
_LENGTH: Final = _HEAD + 64


class Heard(NamedTuple):
    """A presence message of a board. Messages are ordered by connection."""

    number: int
    """The number of the connection."""
    is_over: bool


NOTHING: Final = Heard(0, True)


def topic(public: bytes) -> str:
    """Return the topic on which the board with this public key reports whether it is connected."""
    return f"{TREE}/{group.digest('presence', public)[:16].hex()}/online"


def client(seed: bytes) -> str:
    """Return the client identifier of the board with this signing key. The identifier cannot be
    guessed. This is necessary because a broker disconnects a client when another one connects with
    the same identifier."""
    return f"far-{group.digest('client', seed)[:16].hex()}"


def say(seed: bytes, heard: Heard) -> bytes:
    """Return the presence message of the board with this signing key."""
    public, _ = crypto_sign_seed_keypair(seed)
    head = bytes([heard.is_over]) + heard.number.to_bytes(_NUMBER, "big")
    return head + sign(seed, _signed(public, head))


def read(public: bytes, packet: bytes) -> Heard | None:
    """Return the presence message of the board with this public key, or None if the message is not
    from that board."""
    head, signature = packet[:_HEAD], packet[_HEAD:]
    if len(packet) != _LENGTH or head[0] > 1:
        return None
    if not is_signed(public, _signed(public, head), signature):
        return None
    return Heard(int.from_bytes(head[1:], "big"), bool(head[0]))


def _signed(public: bytes, head: bytes) -> bytes:
    return group.digest("presence of", public, head)
