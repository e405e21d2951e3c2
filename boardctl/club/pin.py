"""A player's word: a PIN that only she knows, kept as a hash.

Four figures are few, so guessing is counted by the store: `TRIES` wrong ones, and a PIN is good no
more until the club gives a new one.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import Final, NamedTuple

TRIES: Final = 5
"""Wrong PINs in a row that a player has."""


class PinHash(NamedTuple):
    """What the club's file keeps of a PIN."""

    salt: bytes
    hashed: bytes


def fresh() -> tuple[str, PinHash]:
    """A new PIN and what is kept of it."""
    pin = f"{secrets.randbelow(10_000):04}"
    salt = secrets.token_bytes(16)
    return pin, PinHash(salt, _hashed(pin, salt))


def fits(pin: str, mark: PinHash) -> bool:
    return hmac.compare_digest(_hashed(pin.strip(), mark.salt), mark.hashed)


def _hashed(pin: str, salt: bytes) -> bytes:
    """scrypt with the cost that RFC 7914 names for who waits: some 50 ms and 16 MiB."""
    return hashlib.scrypt(pin.encode(), salt=salt, n=2**14, r=8, p=1, dklen=32)
