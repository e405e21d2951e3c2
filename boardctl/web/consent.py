"""Requests from the network that only the board's own keys can allow.

Each request has a two-digit number, which only the requesting page shows. Somebody at the board
opens the keypad menu, chooses "let in" or "allow", types the number, reads the request's purpose,
and presses `#`. Before that, the board does not show the request. A request therefore does not
affect the keys or the display, and cannot be allowed by accident. docs/security.md lists the
requests.
"""

from __future__ import annotations

import secrets
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Final, Literal

from boardctl.console.keypad import Request
from boardctl.console.requests import KEPT
from boardctl.web.board_view import BoardView
from boardctl.web.guard import Allowance
from boardctl.web.pairing import ADDRESSES, network

OPEN: Final = 4
"""The maximum number of open requests from guests. The same number applies to paired phones."""
EACH: Final = 2
"""The maximum number of open requests from one address. One more request replaces the oldest."""
A_MINUTE: Final = 6
"""The maximum number of new requests per minute from one address."""
IN_ALL: Final = 30
"""The maximum number of new requests per minute from all guests, or from all paired phones."""
_NUMBERS: Final = range(10, 100)

Kind = Literal["let-in", "allow"]


class NoConsent(Exception):
    """The error for a request to which nobody at the board has agreed yet or can agree.

    `code` is a sentence's code (`refusal.CODE`). `needs-consent` and `not-granted` mean that the
    `number` must be typed at the board. `nobody-agreed` means that nobody agreed in time.
    `asked-too-soon` means that there were too many requests. `too-many-guests` means that there
    were too many requests from guests, who can use a PIN instead. `needs-phone` waits for player
    `name`'s phone; `needs-phone-or-board` waits for that phone or for someone at the board.
    """

    def __init__(self, code: str, number: str = "", name: str = "") -> None:
        super().__init__(code)
        self.code = code
        self.number = number
        self.name = name


class Consent:
    """The requests at one board."""

    def __init__(
        self,
        board: BoardView,
        private: bool,
        random: Callable[[int], int] = secrets.randbelow,
    ) -> None:
        """
        Args:
            private: whether only this machine is served.
            random: returns an unpredictable number below its argument.
        """
        self._board = board
        self._private = private
        self._random = random
        self.requests = board.controller.requests
        self._paces: OrderedDict[str | bool, Allowance] = OrderedDict()

    @property
    def is_needed(self) -> bool:
        """Whether the setup page must ask for consent, because phones can be paired and the board
        has working keys. Until the keys are wired, nobody can give consent."""
        return not self._private and self._board.has_own_keys and self._board.knows_its_keys

    def obtain(self, what: str, key: Hashable, address: str) -> None:
        """Return normally if somebody at the board has allowed this request, which is then used up,
        or if no consent is needed.

        Args:
            what: the purpose shown at the board (`consent.WHAT`).
            key: the whole request with its sender. The permission applies only to this request.
            address: the network address of the requesting paired phone.

        Raises:
            NoConsent: the request has not been allowed yet. Ask again with the same arguments.
        """
        if self.is_needed and not self.is_allowed(key):
            raise NoConsent("needs-consent", self.ask("allow", what, key, address).number)

    def ask(
        self, kind: Kind, what: str, key: Hashable, address: str, guest: bool = False
    ) -> Request:
        """Return the open request with this key, or open a new one.

        Args:
            kind: the displayed kind of request.
            what: the purpose shown at the board (`consent.WHAT`).
            key: the whole request with its sender.
            address: the sender's network address.
            guest: whether the phone is not paired. Guests have a separate allowance.

        Raises:
            NoConsent: if nobody has agreed in time, or there are too many requests.
        """
        asked = self.requests.find(key)
        if asked is not None and not asked.closed:
            return asked.request
        if asked is not None:  # a request that waited in vain is reported once
            asked.key = None
            raise NoConsent("nobody-agreed")
        self._make_room(network(address), guest)
        request = Request(self.requests.next_identity(), kind, self._number(), what)
        self.requests.add(request, key, network(address), guest)
        return request

    def number_of(self, key: Hashable) -> str:
        """Return the number of the open request with this key. Raises NoConsent if nobody has
        answered in time."""
        asked = self.requests.find(key)
        if asked is None or asked.closed:
            raise NoConsent("nobody-agreed")
        return asked.request.number

    def is_allowed(self, key: Hashable) -> bool:
        """Return whether a request has been allowed. If so, forget it."""
        asked = self.requests.find(key)
        if asked is None or not asked.allowed:
            return False
        asked.key = None
        return True

    def allow(self, identity: int) -> Request | None:
        """Allow an open request on behalf of the board, or return None if it is no longer open."""
        for asked in self.requests.remembered():
            if asked.request.identity == identity and not asked.closed:
                asked.allowed = asked.closed = True
                asked.until = self.requests.steady() + KEPT
                return asked.request
        return None

    def refuse(self, identity: int) -> None:
        """Close an open request as refused."""
        for asked in self.requests.remembered():
            if asked.request.identity == identity and not asked.closed:
                self.requests.close(asked)

    def end(self) -> None:
        """Forget every request."""
        for asked in self.requests.remembered():
            self.requests.close(asked)
            asked.key = None

    def _make_room(self, address: str, guest: bool) -> None:
        """Count a new request. Raises NoConsent if there are too many."""
        refused = NoConsent("too-many-guests" if guest else "asked-too-soon")
        alike = [
            asked
            for asked in self.requests.remembered()
            if not asked.closed and asked.guest == guest
        ]
        mine = [asked for asked in alike if asked.address == address]
        if len(mine) < EACH and len(alike) >= OPEN:
            raise refused
        waits = self._pace(address, A_MINUTE), self._pace(guest, IN_ALL)
        if any(allowance.remaining < 1 for allowance in waits):
            raise refused
        for allowance in waits:
            allowance.take(1, self.requests.steady())
        if len(mine) >= EACH:
            self.requests.close(mine[0])
            mine[0].key = None

    def _pace(self, whose: str | bool, most: int) -> Allowance:
        """Return the remaining allowance for an address, or for all guests or phones."""
        now = self.requests.steady()
        pace = self._paces.pop(whose, None) or Allowance(most / 60, most, most, now)
        self._paces[whose] = pace
        while len(self._paces) > ADDRESSES:
            self._paces.popitem(last=False)
        pace.take(0, now)
        return pace

    def _number(self) -> str:
        """Return a number that was not used recently. One mistyped digit or two swapped digits
        cannot turn it into another open number."""
        used = {asked.request.number for asked in self.requests.remembered()}
        others = [request.number for request in self.requests.open()]
        free = [str(number) for number in _NUMBERS if str(number) not in used]
        unlike = [number for number in free if not any(_alike(number, one) for one in others)]
        if not free:
            raise NoConsent("asked-too-soon")
        choice = unlike or free
        return choice[self._random(len(choice))]


def _alike(one: str, other: str) -> bool:
    return one == other[::-1] or any(a == b for a, b in zip(one, other, strict=True))
