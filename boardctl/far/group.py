"""The group used for dealing: the prime-order subgroup of edwards25519, with libsodium.

Points and numbers are encoded in 32 bytes, each in its only valid encoding (RFC 8032 section 5.1).
A number is an integer from 1 to `ORDER` - 1. Every point from another house is multiplied before it
is used, and libsodium multiplies only points of the subgroup, which `self_test` verifies. Every
hash includes a label and the length of each part, so no two hashes cover the same text. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import lru_cache
from hashlib import sha512
from typing import Final

from nacl.bindings import (
    crypto_core_ed25519_add,
    crypto_core_ed25519_from_uniform,
    crypto_core_ed25519_is_valid_point,
    crypto_core_ed25519_sub,
    crypto_scalarmult_ed25519_base_noclamp,
    crypto_scalarmult_ed25519_noclamp,
)
from nacl.exceptions import CryptoError

POINT: Final = 32
"""The size in bytes of a point, and of a number."""
ORDER: Final = (1 << 252) + 27742317777372353535851937790883648493
"""The order L of the group: a prime (RFC 8032 section 5.1)."""
PROTOCOL: Final = 3
"""The version of the deal protocol. Boards of version 1.0 use the first version, which is no longer
played because a house could choose cards and was detected only at the end. The second version used
a longer proof and was never published."""
_NAME: Final = b"boardctl far 1 "
_FIELD: Final = (1 << 255) - 19
_HASHED: Final = "590b5c10ba481c57621231fe69ea2f8e03b429fd0ea0c9c09db7d8ec910be28e"
"""The point `hashed("self-test")`, computed by the second verifier in the tests."""


class NotInGroup(ValueError):
    """The error for bytes that encode neither a number nor a point of the group."""


class UnsafeLibrary(RuntimeError):
    """The error for a libsodium that accepts points outside the group (CVE-2025-69277)."""


def digest(label: str, *parts: bytes) -> bytes:
    """Return the SHA-512 hash of a label (without zero bytes) and of parts, each with its
    length."""
    text = b"".join(len(part).to_bytes(4, "big") + part for part in parts)
    return sha512(_NAME + label.encode() + b"\0" + text).digest()


def step(name: str, *parts: bytes) -> bytes:
    """Return the 64-byte hash of a step of the deal, which is different for every step and
    version."""
    return digest(f"deal {PROTOCOL} {name}", *parts)


def number(name: str, *parts: bytes) -> int:
    """Return the number derived from a step. Its distribution is uniform to within 2^-256."""
    return int.from_bytes(step(name, *parts), "little") % (ORDER - 1) + 1


def index(value: int) -> bytes:
    """Return a position, a count or a house number as 4 bytes."""
    return value.to_bytes(4, "big")


def encoded(value: int) -> bytes:
    """Return a number as 32 bytes."""
    return (value % ORDER).to_bytes(POINT, "little")


def decoded(raw: bytes) -> int:
    """Decode a number from bytes.

    Raises:
        NotInGroup: unless the bytes are 32 bytes long and encode a number that is less than the
            order and not zero.
    """
    value = int.from_bytes(raw, "little")
    if len(raw) != POINT or not 0 < value < ORDER:
        raise NotInGroup("no number")
    return value


def multiple(value: int, point: bytes) -> bytes:
    """Return a number times a point.

    Raises:
        NotInGroup: if the point is not canonical, not on the curve, outside the subgroup, or
            neutral, or if the number is zero.
    """
    try:
        return crypto_scalarmult_ed25519_noclamp(encoded(value), point)
    except (CryptoError, TypeError) as error:
        raise NotInGroup("no point") from error


def generated(value: int) -> bytes:
    """Return a number times the base point G. Raises NotInGroup if the number is zero."""
    try:
        return crypto_scalarmult_ed25519_base_noclamp(encoded(value))
    except CryptoError as error:
        raise NotInGroup("zero") from error


def plus(one: bytes, other: bytes) -> bytes:
    """Return the sum of two points without checking that they belong to the subgroup. Raises
    NotInGroup if they are not points of the curve."""
    try:
        return crypto_core_ed25519_add(one, other)
    except (CryptoError, TypeError) as error:
        raise NotInGroup("no point") from error


def minus(one: bytes, other: bytes) -> bytes:
    """Return the difference of two points, with the same checks as in `plus`."""
    try:
        return crypto_core_ed25519_sub(one, other)
    except (CryptoError, TypeError) as error:
        raise NotInGroup("no point") from error


def total(points: Iterable[bytes]) -> bytes:
    """Return the sum of one or more points. Raises NotInGroup as `plus` does."""
    first, *rest = points
    for point in rest:
        first = plus(first, point)
    return first


def combination(values: Sequence[int], points: Sequence[bytes]) -> bytes:
    """Return the sum of the products of each number and its point. Raises NotInGroup as `multiple`
    does."""
    return total(multiple(*pair) for pair in zip(values, points, strict=True))


def hashed(name: str, *parts: bytes) -> bytes:
    """Return a point whose discrete logarithm nobody knows. The hash is mapped to the curve with
    Elligator 2 (RFC 9380 section 6.8.2), and the point is multiplied by the cofactor, eight. Unlike
    in RFC 9380, the highest bit of the hash determines the sign of x before the multiplication."""
    return crypto_core_ed25519_from_uniform(step(name, *parts)[:POINT])


@lru_cache(maxsize=1024)
def generator(number: int) -> bytes:
    """Return the commitment generator H (number 0) or H_number, which is the same in every deal.
    Nobody knows a relation between these generators, the base point and the cards."""
    return hashed("generator", index(number))


def self_test() -> None:
    """Check that this libsodium refuses points outside the group.

    Until the end of 2025, libsodium accepted P + (0, -1) as a point of the subgroup
    (CVE-2025-69277), so a house could have marked cards. PyNaCl 1.6.2 and later contain a corrected
    libsodium. A system's libsodium may be older.

    Raises:
        UnsafeLibrary: if libsodium accepts a point that is outside the subgroup, of small order or
            not canonical.
    """
    point = generated(7)
    order_two = (_FIELD - 1).to_bytes(POINT, "little")
    order_four = bytes(POINT)
    refused = {
        "P + (0, -1)": crypto_core_ed25519_add(point, order_two),
        "outside the subgroup": crypto_core_ed25519_add(point, order_four),
        "order 1": (1).to_bytes(POINT, "little"),
        "order 2": order_two,
        "order 4": order_four,
        "not canonical": (_FIELD + 1).to_bytes(POINT, "little"),
        "not canonical, outside the subgroup": (_FIELD + 3).to_bytes(POINT, "little"),
        "not on the curve": (2).to_bytes(POINT, "little"),
    }
    for what, bad in refused.items():
        try:
            multiple(3, bad)
        except NotInGroup:
            if not crypto_core_ed25519_is_valid_point(bad):
                continue
        raise UnsafeLibrary(what)
    if multiple(3, point) != generated(21):
        raise UnsafeLibrary("multiplication")
    if hashed("self-test").hex() != _HASHED:
        raise UnsafeLibrary("hash to a point")
