"""Locks on cards: the prime-order subgroup of edwards25519 (RFC 7748, RFC 8032), by libsodium.

A card is a point, a key a scalar, and locking multiplies the one by the other. Locks commute: what
two houses have locked may be unlocked in any order (Shamir, Rivest and Adleman, "Mental Poker",
1979, with a group in which it is hard to tell whether two points were multiplied by the same
scalar). Points have 32 bytes, scalars too. Pure.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from hashlib import sha512
from typing import Final

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_scalar_invert,
    crypto_core_ed25519_scalar_mul,
    crypto_core_ed25519_scalar_reduce,
    crypto_scalarmult_ed25519_noclamp,
)

POINT: Final = 32
"""Bytes of a point, and of a scalar."""
_NAME: Final = b"boardctl far 1 "
_ORDER: Final = (1 << 252) + 27742317777372353535851937790883648493


def digest(label: str, *parts: bytes) -> bytes:
    """The SHA-512 of a label and some parts, each with its length, so that no two lists of parts
    are the same text."""
    text = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return sha512(_NAME + label.encode() + b"\0" + text).digest()


def scalar(label: str, *parts: bytes) -> bytes:
    """A key that follows from a label and some parts, uniform to within 2^-256."""
    return crypto_core_ed25519_scalar_reduce(digest(label, *parts))


def is_key(key: bytes) -> bool:
    """Whether these are the bytes of a key: canonical, and not zero, which would erase a card."""
    return len(key) == POINT and 0 < int.from_bytes(key, "little") < _ORDER


def are_points(points: Sequence[bytes]) -> bool:
    """Whether all are points of the subgroup, in their only encoding, none of them the neutral one:
    a point of small order would mark a card through every lock."""
    return all(len(one) == POINT and crypto_core_ed25519_is_valid_point(one) for one in points)


def lock(key: bytes, point: bytes) -> bytes:
    """A point under a lock."""
    return crypto_scalarmult_ed25519_noclamp(key, point)


def inverse(key: bytes) -> bytes:
    """The key that takes a lock off."""
    return crypto_core_ed25519_scalar_invert(key)


def both(one: bytes, other: bytes) -> bytes:
    """The key that locks as two keys do, one after the other."""
    return crypto_core_ed25519_scalar_mul(one, other)


@lru_cache(maxsize=4)
def cards(game: bytes, number: int, count: int) -> tuple[bytes, ...]:
    """The points of the cards of one deal, by index: hashed to the group, so that nobody knows how
    one is a multiple of another. Every deal has points of its own: nothing locked in one means
    anything in another."""
    parts = game, number.to_bytes(4, "big"), count.to_bytes(2, "big")
    return tuple(_hashed(*parts, index.to_bytes(2, "big")) for index in range(count))


def _hashed(*parts: bytes) -> bytes:
    """A point of the subgroup: hash until the hash is a point of the curve (one in two is), and
    multiply it by the cofactor eight. Its time tells nothing: the parts are public."""
    for attempt in range(1 << 16):
        point = digest("card", *parts, attempt.to_bytes(2, "big"))[:POINT]
        try:
            for _ in range(3):
                point = crypto_core_ed25519_add(point, point)
        except RuntimeError:  # not on the curve
            continue
        if crypto_core_ed25519_is_valid_point(point):
            return point
    raise AssertionError("65,536 hashes in a row are no point")
