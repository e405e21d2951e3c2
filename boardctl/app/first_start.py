"""The card image's network messages on the board's display and status light.

At startup, the messages show that the board is looking for a network. If it does not find one, they
show the name and password of the board's own Wi-Fi, also as a QR code. After a network has been
chosen on a phone, they show the address of the board's page. A board that nobody has set up then
shows a PIN automatically. Otherwise a board with a number pad, an Arduino or a WLED controller
could never be set up, because it has no known keys until a phone has been paired.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, Final, Protocol

from boardctl import text
from boardctl.app import card
from boardctl.board.render import Waiting
from boardctl.web import PHONES

SOON: Final = 5.0
"""Seconds between the first two checks of a changed network. Each later interval is twice the
previous one, because each check starts programs …"""
LOOKING: Final = 120.0
"""… and once the interval is longer than this, the board no longer says that it is looking for a
network."""
HOTSPOT: Final = 60.0
"""The maximum seconds between checks while the board has a hotspot."""
SELDOM: Final = 900.0
"""The maximum seconds between checks without a hotspot, and the interval while the board is on a
network."""
INVITED: Final = 170.0
"""Seconds between two PINs that a new board shows. Each PIN is valid slightly longer."""
NOTICE: Final = 20.0
"""Seconds for which the display lists unused settings from the card's files."""
PAGE: Final = "cribbage.local"


def is_new(knows_its_keys: bool, data: Path) -> bool:
    """Return whether nobody has set up the board: no key on the board has ever been pressed, and no
    phone has ever been paired. Only a factory reset makes an old board new again; a network
    message does not."""
    return not (knows_its_keys or (data / PHONES).exists())


class Speaks(Protocol):
    """The part of a table controller that this module uses."""

    @property
    def language(self) -> str:
        """The board's language."""

    def announce(
        self,
        lines: tuple[str, ...],
        digits: str = "",
        link: str = "",
        waiting: Waiting | None = None,
    ) -> None:
        """Show lines until the next key press, as `TableController.announce` does.

        Args:
            lines: the display's lines.
            digits: digits that are also shown as light, or an empty string.
            link: a link shown beside the lines if there is room for its code, or an empty string.
            waiting: the reason why the board waits, for the status light.
        """

    def retract(self, lines: tuple[str, ...]) -> None:
        """Stop showing these lines, if they are still shown."""


class FirstStart:
    """Shows each change in the network status."""

    def __init__(self, board: Speaks, invite: Callable[[], bool] = lambda: False) -> None:
        """Args:
        invite: shows a PIN for a phone and returns True if nobody has set up the board yet;
            otherwise returns False."""
        self._board = board
        self._invite = invite
        self._network = ("", "")
        self._wait = SOON
        self._invited = False
        self._message: tuple[str, ...] = ()
        self._told_unused = False

    def _show_connected(self, status: Mapping[str, Any], *, is_new: bool) -> float:
        """Show that the board is on a network: first in words, then with the invitation."""
        if self._invited:
            self._invited = False
            self._say("connected", page=str(status.get("page") or PAGE))
            return SOON
        if is_new:
            self._board.retract(self._message)
        return INVITED if self._invite() else SELDOM

    def show(self, status: Mapping[str, Any]) -> float:
        """Show the card's status (`card.ask("status")`) if it has changed. Return the seconds until
        the next check."""
        if status.get("unused_now") and not self._told_unused:
            self._told_unused = True
            names = ", ".join(name for name, _ in status.get("unused", ()))
            self._say("unused", names=names)
            return NOTICE
        kind, name = found = str(status.get("network")), str(status.get("hotspot") or "")
        before, self._network = self._network, found
        self._wait = SOON if found != before else 2 * self._wait
        if kind == "connected":
            return self._show_connected(status, is_new=found != before)
        if kind == "hotspot":
            if found != before:
                self._join(name, str(status.get("password") or ""))
            self._invited = True
            if status.get("joined") and self._invite():
                return INVITED
            return min(self._wait, HOTSPOT)
        if found != before and before[0] != "connected":
            self._say("looking", "", "network")
        elif self._wait > LOOKING:
            self._board.retract(self._message)
        return min(self._wait, SELDOM)

    def _join(self, name: str, password: str) -> None:
        link = card.hotspot_code(name, password)
        if password:
            self._say("locked", link, "phone", name=name, password=password)
        else:
            self._say("hotspot", link, "phone", name=name)

    def _say(
        self, code: str, link: str = "", waiting: Waiting | None = None, **fields: str
    ) -> None:
        self._message = text.two_lines("card", code, fields, self._board.language)
        self._board.announce(self._message, link=link, waiting=waiting)

    async def watch(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Check the status until cancelled."""
        while True:
            try:
                wait = self.show(await asyncio.to_thread(card.ask, "status"))
            except card.CardError:
                wait = SELDOM
            await sleep(wait)
