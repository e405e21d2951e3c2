"""Phones that may play: paired once with a PIN that only the board itself shows.

Where only this machine is served nobody pairs. Otherwise a phone may look on until it sends the six
digits that somebody at the board's own keys asked for (hold `#`, `8`, `1`); then it holds a random
token in a cookie that no script can read. The board keeps only the token's hash and when it
expires. No page shows the PIN, and no answer says whether one is shown. What this does not protect
is in docs/security.md.
"""

from __future__ import annotations

import json
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from time import monotonic
from typing import Final, Literal

from boardctl.storage import files

TRIES: Final = 5
"""Wrong PINs from one address, after which it has to wait."""
PAUSE: Final = 60.0
"""Seconds in which an address that guessed is not heard."""
WRONG: Final = 100
"""Wrong PINs from all addresses that end a PIN: a PIN in a million is guessed with a chance of one
in 10,000, by somebody with twenty addresses, and one address alone ends no PIN."""
ADDRESSES: Final = 256
"""Addresses whose wrong tries are counted; the oldest is forgotten."""
SHOWN: Final = 180.0
"""Seconds for which a PIN may be told."""
LASTS: Final = 30 * 86400.0
"""Seconds for which a phone stays paired."""
MOST: Final = 32
"""Phones that may be paired at once; one more makes the oldest be forgotten."""

Refusal = Literal["wrong-pin", "pause"]
_AT: Final = "at"
_WALL: Final = "wall"
"""Keys of the file beside the phones' hashes: the time of `Clock`, and the wall clock's then."""


@dataclass(frozen=True, slots=True)
class Paired:
    """A token for a phone to keep."""

    token: str
    lasts: float = LASTS


class Clock:
    """Seconds that never go back, whatever is done to the machine's clock: a Pi without a clock of
    its own starts with an old time and is set later.

    It goes on with the wall clock where that goes forward, and at least with the time that passes
    while this program runs.
    """

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall = wall
        self._steady = steady
        self._time = self._seen = wall()
        self._ran = steady()

    def go_on(self, time: float, wall: float) -> None:
        """Go on from a time that was kept when the wall clock said `wall`."""
        now = self._wall()
        self._time = time + max(0.0, now - wall)
        self._seen = now
        self._ran = self._steady()

    def time(self) -> float:
        """Seconds since some beginning, about 1970."""
        wall, ran = self._wall(), self._steady()
        self._time += max(wall - self._seen, ran - self._ran, 0.0)
        self._seen, self._ran = wall, ran
        return self._time


class Pairing:
    """The PIN that is shown now, if any, and the phones that are paired."""

    def __init__(
        self,
        file: Path,
        now: Callable[[], float],
        digits: Callable[[], int] = lambda: secrets.randbelow(1_000_000),
        steady: Callable[[], float] = monotonic,
    ) -> None:
        """`file` keeps the hashes over restarts; `now` gives seconds since 1970, `steady` seconds
        that no setting of the clock changes."""
        self._file = file
        self._now = now
        self._steady = steady
        self._digits = digits
        self._pin: str | None = None
        self._until = 0.0
        self._invited: dict[str, float] = {}
        self._ends: float | None = None
        self._wrong = 0
        self._tries: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._clock = Clock(now, steady)
        self._phones = _read(file)
        if _AT in self._phones:
            self._clock.go_on(self._phones.pop(_AT), self._phones.pop(_WALL, now()))

    def begin(self, inviting: str | None = None) -> str:
        """A new PIN for the board to show. `inviting` is the token of the phone that asks for it:
        whom it invites is paired no longer than itself."""
        self._ends = self._phones.get(_hash(inviting)) if inviting is not None else None
        self._pin = f"{self._digits():06d}"
        self._until = self._steady() + SHOWN
        self._wrong = 0
        return self._pin

    def invite(self) -> str:
        """A secret in place of a PIN, for the browser that is opened on this machine itself."""
        secret = secrets.token_urlsafe(16)
        self._invited[_hash(secret)] = self._steady() + SHOWN
        return secret

    def tell(self, pin: str, who: str = "") -> Paired | Refusal:
        """A phone sends the PIN. Each PIN pairs one phone.

        Args:
            pin: what was typed.
            who: the address it comes from; who was wrong too often has to wait, whether a PIN is
                shown or not.
        """
        if self._invited.pop(_hash(pin), 0.0) > self._steady():
            self._ends = None
            return self._pair()
        who = network(who)
        tries, since = self._tries.get(who, (0, 0.0))
        if tries and self._steady() - since >= PAUSE:
            tries = 0
        if tries >= TRIES:
            return "pause"
        if not self.shown or not compare_digest(pin.encode(), (self._pin or "").encode()):
            return self._wrong_try(who, tries + 1)
        self._pin = None
        self._tries.pop(who, None)
        return self._pair()

    def _pair(self) -> Paired:
        token = secrets.token_urlsafe(32)
        now = self._clock.time()
        self._phones = {h: until for h, until in self._phones.items() if until > now}
        while len(self._phones) >= MOST:
            del self._phones[min(self._phones, key=self._phones.__getitem__)]
        ends = now + LASTS if self._ends is None else self._ends
        self._phones[_hash(token)] = ends
        self._write()
        return Paired(token, ends - now)

    def _wrong_try(self, who: str, tries: int) -> Refusal:
        self._tries[who] = tries, self._steady()
        self._tries.move_to_end(who)
        while len(self._tries) > ADDRESSES:
            self._tries.popitem(last=False)
        self._wrong += 1
        if self._wrong >= WRONG:
            self._pin = None
        return "wrong-pin" if tries < TRIES else "pause"

    def knows(self, token: str | None) -> bool:
        """Whether a token was given to a phone, has not expired and was not revoked."""
        return token is not None and self._phones.get(_hash(token), 0.0) > self._clock.time()

    @property
    def shown(self) -> bool:
        """Whether the board shows a PIN now, which no page may show."""
        return self._pin is not None and self._steady() < self._until

    @property
    def phones(self) -> int:
        """How many phones are paired."""
        return sum(until > self._clock.time() for until in self._phones.values())

    def forget(self) -> None:
        """Every phone looks on again, until it is paired anew."""
        self._phones = {}
        self._pin = None
        self._write()

    def _write(self) -> None:
        clock = {_AT: self._clock.time(), _WALL: self._now()}
        files.replace(self._file, json.dumps(self._phones | clock).encode())


def network(address: str) -> str:
    """What tries are counted for: an IPv4 address, or the 64 bits of an IPv6 address that one
    household has (RFC 6177)."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    return str(IPv6Address(int(found) >> 64 << 64))


def _hash(token: str) -> str:
    # Tokens are 256 random bits: a plain hash cannot be searched, unlike that of a password.
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
