"""Network messages of the card image on the board's display.

While no Wi-Fi is known, they show the name of the board's own Wi-Fi, also as a QR code; once the
board is connected, they show where its page is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Protocol

from boardctl import text
from boardctl.app import card

SOON: Final = 20.0
"""Seconds between checks until the board is in a network or has a hotspot."""
HOTSPOT: Final = 60.0
"""Seconds between checks while it has a hotspot."""
SELDOM: Final = 900.0
"""Seconds between checks while it is in a network; each check starts a program."""
PAGE: Final = "cribbage.local"


class Speaks(Protocol):
    """The methods of a board that are needed here."""

    @property
    def language(self) -> str:
        """The table's language."""

    def announce(self, *lines: str, digits: str = "", link: str = "") -> None:
        """Show lines until the next key."""


class FirstStart:
    """Shows each change of the network status once."""

    def __init__(self, board: Speaks) -> None:
        self._board = board
        self._told = ("", "")

    def tell(self, status: Mapping[str, Any]) -> float:
        """Show the state of the card (`card.ask("status")`) if it has changed; returns the seconds
        until the next check."""
        network, name = str(status.get("network")), str(status.get("hotspot") or "")
        if network == "hotspot" and (network, name) != self._told:
            self._say("hotspot", card.hotspot_code(name), name=name)
            self._told = (network, name)
        if network == "connected":
            if self._told[0]:
                self._say("connected", "", page=PAGE)
                self._told = ("", "")
            return SELDOM
        return HOTSPOT if self._told[0] else SOON

    def _say(self, code: str, link: str, **fields: str) -> None:
        language = self._board.language
        lines = (text.say("card", f"{code}-{n}", fields, (), language) for n in (1, 2))
        self._board.announce(*lines, link=link)

    async def watch(self, sleep: Callable[[float], Awaitable[None]] = asyncio.sleep) -> None:
        """Check the status until cancelled."""
        while True:
            try:
                wait = self.tell(await asyncio.to_thread(card.ask, "status"))
            except card.CardError:
                wait = SELDOM
            await sleep(wait)
