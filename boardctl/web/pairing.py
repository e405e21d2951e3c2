"""Phones that may play: paired once with a PIN that only the board itself shows.

Where only this machine is served nobody pairs. Otherwise a phone may look on until it has told
the six digits that somebody at the keypad asked for (hold `#`, `8`, `1`); then it holds a random
token in a cookie that no script can read. The board keeps only the token's hash and when it
expires. What this does not protect is told in docs/security.md.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from pathlib import Path
from typing import Final, Literal

from boardctl.storage import files

TRIES: Final = 5
PAUSE: Final = 60.0
"""Seconds in which no PIN is taken after so many wrong ones: a PIN in a million is then guessed
with a chance of one in 200,000 a minute, and only while somebody keeps asking for new ones."""
SHOWN: Final = 180.0
"""Seconds for which a PIN may be told."""
LASTS: Final = 30 * 86400.0
"""Seconds for which a phone stays paired."""
MOST: Final = 32
"""Phones that may be paired at once; one more makes the oldest be forgotten."""

Refusal = Literal["no-pin", "wrong-pin", "pause"]


@dataclass(frozen=True, slots=True)
class Paired:
    """A token for a phone to keep."""

    token: str
    lasts: float = LASTS


class Pairing:
    """The PIN that is shown now, if any, and the phones that are paired."""

    def __init__(
        self,
        file: Path,
        now: Callable[[], float],
        digits: Callable[[], int] = lambda: secrets.randbelow(1_000_000),
    ) -> None:
        """`file` keeps the hashes over restarts; `now` gives seconds since 1970."""
        self._file = file
        self._now = now
        self._digits = digits
        self._pin: str | None = None
        self._until = 0.0
        self._invited: dict[str, float] = {}
        self._wrong = 0
        self._paused = 0.0
        self._phones = _read(file)

    def begin(self) -> str | None:
        """A new PIN for the board to show, None while too many wrong ones are paid for."""
        if self._now() < self._paused:
            return None
        self._pin = f"{self._digits():06d}"
        self._until = self._now() + SHOWN
        self._wrong = 0
        return self._pin

    def invite(self) -> str:
        """A secret in place of a PIN, for the browser that is opened on this machine itself."""
        secret = secrets.token_urlsafe(16)
        self._invited[_hash(secret)] = self._now() + SHOWN
        return secret

    def tell(self, pin: str) -> Paired | Refusal:
        """A phone says the PIN. Each PIN pairs one phone; five wrong ones end it."""
        now = self._now()
        if self._invited.pop(_hash(pin), 0.0) > now:
            return self._pair(now)
        if now < self._paused:
            return "pause"
        if self._pin is None or now >= self._until:
            return "no-pin"
        if not compare_digest(pin.encode(), self._pin.encode()):
            self._wrong += 1
            if self._wrong < TRIES:
                return "wrong-pin"
            self._pin = None
            self._paused = now + PAUSE
            return "pause"
        self._pin = None
        return self._pair(now)

    def _pair(self, now: float) -> Paired:
        token = secrets.token_urlsafe(32)
        self._phones = {h: until for h, until in self._phones.items() if until > now}
        while len(self._phones) >= MOST:
            del self._phones[min(self._phones, key=self._phones.__getitem__)]
        self._phones[_hash(token)] = now + LASTS
        self._write()
        return Paired(token)

    def knows(self, token: str | None) -> bool:
        """Whether a token was given to a phone, has not expired and was not revoked."""
        return token is not None and self._phones.get(_hash(token), 0.0) > self._now()

    @property
    def shown(self) -> bool:
        """Whether a PIN is on the display now, which no guest may then see."""
        return self._pin is not None and self._now() < self._until

    @property
    def phones(self) -> int:
        """How many phones are paired."""
        return sum(until > self._now() for until in self._phones.values())

    def forget(self) -> None:
        """Every phone looks on again, until it is paired anew."""
        self._phones = {}
        self._pin = None
        self._write()

    def _write(self) -> None:
        files.replace(self._file, json.dumps(self._phones).encode())


def _hash(token: str) -> str:
    # Tokens are 256 random bits: a plain hash can not be searched, unlike that of a password.
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _read(file: Path) -> dict[str, float]:
    """The phones kept in a file. One that is damaged pairs nobody: all pair anew."""
    try:
        kept = json.loads(file.read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    if not isinstance(kept, dict):
        return {}
    return {h: float(u) for h, u in kept.items() if isinstance(u, int | float)}
