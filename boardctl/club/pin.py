"""A player's PIN, stored as a hash.

Four digits are easy to guess, so the store counts attempts. After `TRIES` wrong attempts the PIN is
locked until the club sets a new one.
"""

from __future__ import annotations

import hashlib
import hmac
import re
import secrets
from typing import Final, NamedTuple

from boardctl.club.evening import ClubRefusal

TRIES: Final = 5
"""The number of consecutive wrong attempts after which a PIN is locked."""
COST: Final = 2**14
"""The scrypt cost parameter N. With r = 8 a hash takes 16 MiB and, on a PC, about 50 ms (RFC
7914)."""


class PinHash(NamedTuple):
    """The stored form of a PIN."""

    salt: bytes
    hashed: bytes


def fresh(chosen: str | None = None) -> tuple[str, PinHash]:
    """Return a new PIN, random or chosen, and its stored form.

    Raises:
        ClubRefusal: `pin-unfit` if a chosen PIN does not have 4 to 12 digits.
    """
    if chosen is not None and not re.fullmatch(r"[0-9]{4,12}", chosen):
        raise ClubRefusal("pin-unfit")
    pin = f"{secrets.randbelow(10_000):04}" if chosen is None else chosen
    salt = secrets.token_bytes(16)
    return pin, PinHash(salt, _hashed(pin, salt))


def fits(pin: str, mark: PinHash) -> bool:
    return hmac.compare_digest(_hashed(pin.strip(), mark.salt), mark.hashed)


def _hashed(pin: str, salt: bytes) -> bytes:
    return hashlib.scrypt(pin.encode(), salt=salt, n=COST, r=8, p=1, dklen=32)
