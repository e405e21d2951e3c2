"""The pairing of phones with a PIN that only the board itself shows.

If the page is served only to this machine, no pairing is needed. Otherwise a phone can only watch
until it sends a six-digit PIN that somebody has requested with the board's own keys (hold `#`, `8`,
`1`), or a ticket granted at the board (`consent`). It then receives a random token in a cookie that
scripts cannot read. The board stores only the token's hash and expiry time. No page shows the PIN,
and no response reveals whether one is shown. docs/security.md lists the limits of this protection.
"""

from __future__ import annotations

import json
import logging
import secrets
from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from hashlib import sha256
from hmac import compare_digest
from ipaddress import IPv6Address, ip_address
from pathlib import Path
from typing import Final, Literal

from boardctl.options import read_file
from boardctl.storage import files
from boardctl.table import JUMP, since_boot

_log: Final = logging.getLogger(__name__)

TRIES: Final = 5
"""The number of wrong PINs after which an address must wait."""
PAUSE: Final = 60.0
"""Seconds for which such an address is ignored."""
WRONG: Final = 100
"""The number of wrong PINs from all addresses that invalidate a PIN. An attacker with twenty
addresses guesses a PIN with a chance of one in 10,000, and one address alone cannot invalidate a
PIN."""
ADDRESSES: Final = 256
"""The maximum number of addresses whose failed attempts are counted. Beyond it, the oldest is
forgotten."""
SHOWN: Final = 180.0
"""Seconds for which a PIN is valid."""
LASTS: Final = 30 * 86400.0
"""Seconds for which a phone stays paired."""
MOST: Final = 32
"""The maximum number of paired phones. One more phone replaces the oldest."""

COOKIE: Final = "boardctl"
"""The cookie with the token of a paired phone."""
LARGEST: Final = 1 << 16
"""The maximum size in bytes of the file of paired phones."""
TICKETS: Final = 64
"""The maximum number of tickets. Beyond it, the oldest is forgotten."""

Refusal = Literal["wrong-pin", "pause", "not-granted"]
_NEVER: Final = 1e12
"""A time that no clock reaches (seconds since 1970). A file with a later time is damaged."""
_AT: Final = "at"
_WALL: Final = "wall"
"""Additional keys of the file of hashes: the time of `Clock`, and the wall clock at that moment."""


@dataclass(frozen=True, slots=True)
class Paired:
    """The token for a newly paired phone."""

    token: str
    lasts: float = LASTS


@dataclass(eq=False)
class _Ticket:
    """A secret that works like a PIN once it has been granted. It is stored with its expiry time
    and the hash of the inviting phone, so that the new pairing ends no later than that phone's."""

    until: float
    granted: bool
    typed: bool
    inviting: str | None = None


class Clock:
    """A clock that never goes back, even if the machine's clock is set back. A Pi without a
    real-time clock starts with an old time, which is corrected later.

    The clock follows the wall clock forward, and advances at least as fast as real time while this
    program runs.
    """

    def __init__(self, wall: Callable[[], float], steady: Callable[[], float]) -> None:
        self._wall = wall
        self._steady = steady
        self._time = self._wall_read = wall()
        self._ran = steady()
        self._jumped = 0.0

    def go_on(self, time: float, wall: float) -> None:
        """Continue from a stored time that was taken when the wall clock showed `wall`."""
        now = self._wall()
        self._time = time + max(0.0, now - wall)
        self._wall_read = now
        self._ran = self._steady()

    def time(self) -> float:
        """Return the seconds since a fixed time, about 1970."""
        wall, ran = self._wall(), self._steady()
        shown, passed = wall - self._wall_read, max(ran - self._ran, 0.0)
        self._time += max(shown, passed)
        if shown - passed >= JUMP:
            self._jumped += shown - passed
        self._wall_read, self._ran = wall, ran
        return self._time

    def take_jump(self) -> float:
        """Return the seconds by which the wall clock has been set ahead since the last call."""
        jumped, self._jumped = self._jumped, 0.0
        return jumped


class Pairing:
    """The current PIN, if any, and the paired phones."""

    def __init__(
        self,
        file: Path,
        now: Callable[[], float],
        digits: Callable[[], int] = lambda: secrets.randbelow(1_000_000),
        steady: Callable[[], float] = since_boot,
    ) -> None:
        """Args:
        file: stores the hashes across restarts.
        now: returns seconds since 1970.
        steady: returns monotonic seconds.
        """
        self._file = file
        self._now = now
        self._steady = steady
        self._digits = digits
        self._pin: str | None = None
        self._until = 0.0
        self._tickets: dict[str, _Ticket] = {}
        self._wrong = 0
        self._tries: OrderedDict[str, tuple[int, float]] = OrderedDict()
        self._clock = Clock(now, steady)
        self._phones = _read(file)
        self._new: set[str] = set()
        """The hashes of the phones that were paired since this program started."""
        if _AT in self._phones:
            self._clock.go_on(self._phones.pop(_AT), self._phones.pop(_WALL, now()))

    def begin(self) -> str:
        """Create a new PIN for the board to show."""
        self._pin = f"{self._digits():06d}"
        self._until = self._steady() + SHOWN
        self._wrong = 0
        return self._pin

    def invite(self, inviting: str, granted: bool) -> str:
        """Create six digits that work like a PIN, for a phone that a paired phone invites.
        `inviting` is the inviting phone's token. The new pairing ends no later than the inviting
        phone's own."""
        phone = hashed(inviting)
        known = phone if phone in self._phones else None
        digits = f"{self._digits():06d}"
        return self._keep(digits, _Ticket(self._steady() + SHOWN, granted, True, known))

    def ticket(self, granted: bool = False) -> str:
        """Create a secret that works like a PIN once it has been granted. It is for a browser
        opened on this machine, or for a guest who asks to play."""
        secret = secrets.token_urlsafe(16)
        return self._keep(secret, _Ticket(self._steady() + SHOWN, granted, False))

    def _keep(self, secret: str, ticket: _Ticket) -> str:
        now = self._steady()
        self._tickets = {key: one for key, one in self._tickets.items() if one.until > now}
        while len(self._tickets) >= TICKETS:
            del self._tickets[next(iter(self._tickets))]
        self._tickets[hashed(secret)] = ticket
        return secret

    def grant(self, secret: str) -> None:
        """Grant this browser's or guest's ticket."""
        ticket = self._tickets.get(hashed(secret))
        if ticket is not None:
            ticket.granted = True
            ticket.until = self._steady() + SHOWN

    def answer(self, pin: str, who: str = "") -> Paired | Refusal:
        """Check a PIN sent by a phone. Each PIN pairs one phone.

        Args:
            pin: the typed digits.
            who: the sender's address, which must wait after too many wrong PINs, whether or not a
                PIN is shown.
        """
        who = network(who)
        tries, since = self._tries.get(who, (0, 0.0))
        if tries and self._steady() - since >= PAUSE:
            tries = 0
        ticket = self._tickets.get(hashed(pin))
        if ticket is not None and ticket.until <= self._steady():
            ticket = None
        if ticket is not None and (tries < TRIES or not ticket.typed):
            return self._use(pin, ticket)
        if tries >= TRIES:
            return "pause"
        if not self.is_shown or not compare_digest(pin.encode(), (self._pin or "").encode()):
            return self._wrong_try(who, tries + 1)
        self._pin = None
        self._tries.pop(who, None)
        return self._pair(None)

    def _use(self, secret: str, ticket: _Ticket) -> Paired | Refusal:
        """Pair a phone with a ticket, which works only once."""
        if not ticket.granted:
            return "not-granted"
        del self._tickets[hashed(secret)]
        return self._pair(ticket.inviting)

    def _pair(self, inviting: str | None) -> Paired:
        token = secrets.token_urlsafe(32)
        now = self._time()
        ends = now + LASTS if inviting is None else self._phones.get(inviting, now)
        self._phones = {h: until for h, until in self._phones.items() if until > now}
        while len(self._phones) >= MOST:
            del self._phones[min(self._phones, key=self._phones.__getitem__)]
        self._phones[hashed(token)] = ends
        if inviting is None or inviting in self._new:
            self._new.add(hashed(token))
        self._write()
        return Paired(token, ends - now)

    def _time(self) -> float:
        """Return the time of `Clock`. If the machine's clock has been set ahead, earlier pairings
        expire that much later, so that their duration does not change."""
        now = self._clock.time()
        jump = self._clock.take_jump()
        if jump and not self._new.isdisjoint(self._phones):
            self._phones |= {h: self._phones[h] + jump for h in self._new & self._phones.keys()}
            self._write()
        return now

    def _wrong_try(self, who: str, tries: int) -> Refusal:
        self._tries[who] = tries, self._steady()
        self._tries.move_to_end(who)
        while len(self._tries) > ADDRESSES:
            self._tries.popitem(last=False)
        self._wrong += 1
        if self._wrong >= WRONG:
            self._wrong = 0
            self._pin = None
            self._tickets = {key: one for key, one in self._tickets.items() if not one.typed}
        return "wrong-pin" if tries < TRIES else "pause"

    def knows(self, token: str | None) -> bool:
        """Return whether a token is valid: issued, not expired and not revoked."""
        now = self._time()
        return token is not None and self._phones.get(hashed(token), 0.0) > now

    @property
    def is_shown(self) -> bool:
        """Whether the board is showing a PIN, which must not appear on pages."""
        return self._pin is not None and self._steady() < self._until

    @property
    def phones(self) -> int:
        """The number of paired phones."""
        now = self._time()
        return sum(until > now for until in self._phones.values())

    def forget(self) -> bool:
        """Revoke every pairing. Return whether this is permanent. If the file cannot be written, it
        lasts only until the next start."""
        self._phones = {}
        self._pin = None
        self._tickets = {}
        if self._write():
            return True
        try:
            files.remove(self._file)  # possible on a full disk
        except OSError as error:
            _log.error("The paired phones cannot be forgotten for good: %s", error)
            return False
        return True

    def _write(self) -> bool:
        clock = {_AT: self._clock.time(), _WALL: self._now()}
        try:
            files.replace(self._file, json.dumps(self._phones | clock).encode())
        except OSError as error:
            _log.error("The paired phones cannot be written: %s", error)
            return False
        return True


def network(address: str) -> str:
    """Return the key under which attempts are counted: an IPv4 address, or the 64-bit prefix of an
    IPv6 address, which belongs to one household (RFC 6177). A page that listens on `::` also sees
    IPv4 addresses, in the form `::ffff:10.0.0.66`."""
    try:
        found = ip_address(address)
    except ValueError:
        return address
    if found.version == 4:
        return address
    if found.ipv4_mapped is not None:
        return str(found.ipv4_mapped)
    return str(IPv6Address(int(found) >> 64 << 64))


def hashed(token: str) -> str:
    """Return the hash under which a token is stored."""
    # Tokens are 256 random bits. Unlike a password, they cannot be found by searching, so a plain
    # hash is enough.
    return sha256(token.encode("utf-8", "surrogatepass")).hexdigest()


def _read(file: Path) -> dict[str, float]:
    """Return the phones stored in a file. If the file is damaged, all phones must pair again."""
    try:
        kept = json.loads(read_file(file, LARGEST))
        return {h: _seconds(until) for h, until in kept.items()}
    except FileNotFoundError:
        return {}
    except (OSError, ValueError, AttributeError, RecursionError) as error:
        _log.error("%s cannot be read, all phones must pair again: %s", file, error)
        return {}


def _seconds(until: object) -> float:
    """Return a time from the file, in seconds since 1970. Raises ValueError if it is invalid."""
    if isinstance(until, int | float) and not isinstance(until, bool) and 0 <= until < _NEVER:
        return float(until)
    raise ValueError("a value is no time")
