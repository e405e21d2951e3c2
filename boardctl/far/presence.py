"""Whether a board is there, as its board says under its signature.

The topic is known to anybody who can list the broker's topics, so what is said there is signed, and
numbered by connection: "here" with a number that is larger than those before, "over" with the same.
The last will of the connection is its "over". Whoever repeats an older one is not heard. Pure.
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
    """What a board says, in the order in which it does."""

    number: int
    """That of the connection."""
    is_over: bool


NOTHING: Final = Heard(0, True)


def topic(public: bytes) -> str:
    """Return the topic where the board with this public key says whether it is there."""
    return f"{TREE}/{group.digest('presence', public)[:16].hex()}/online"


def client(seed: bytes) -> str:
    """Return the client identifier of the board with this signing key, which nobody else can guess:
    a broker ends the connection of a client when another comes with its identifier."""
    return f"far-{group.digest('client', seed)[:16].hex()}"


def say(seed: bytes, said: Heard) -> bytes:
    """Return what the board with this signing key says."""
    public, _ = crypto_sign_seed_keypair(seed)
    head = bytes([said.is_over]) + said.number.to_bytes(_NUMBER, "big")
    return head + sign(seed, _signed(public, head))


def read(public: bytes, packet: bytes) -> Heard | None:
    """Return what the board with this public key says, None if it is not from that board."""
    head, signature = packet[:_HEAD], packet[_HEAD:]
    if len(packet) != _LENGTH or head[0] > 1:
        return None
    if not is_signed(public, _signed(public, head), signature):
        return None
    return Heard(int.from_bytes(head[1:], "big"), bool(head[0]))


def _signed(public: bytes, head: bytes) -> bytes:
    return group.digest("presence of", public, head)
