"""What the board of a card image says about its network: the name of its own Wi-Fi, as a QR code
too, while it knows no other; and where its page is once it is in one."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from typing import Any, Final, Protocol

from boardctl import text
from boardctl.app import card

SOON: Final = 20.0
"""Seconds between two looks until the board is in a network or has one of its own."""
HOTSPOT: Final = 60.0
"""Seconds between two looks while it has one of its own."""
SELDOM: Final = 900.0
"""Seconds between two looks while it is in one: looking starts a program."""
PAGE: Final = "cribbage.local"


class Speaks(Protocol):
    """As much of a board as is needed."""

    @property
    def language(self) -> str:
        """The table's language."""

    def announce(self, *lines: str, digits: str = "", link: str = "") -> None:
        """Show lines until the next key."""


class FirstStart:
    """Tells what becomes of the network, each change once."""

    def __init__(self, board: Speaks) -> None:
        self._board = board
        self._told = ("", "")

    def tell(self, status: Mapping[str, Any]) -> float:
        """Tell the state of the card (`card.ask("status")`), if it is news; seconds until the next
        look."""
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
        """Look for as long as the board runs."""
        while True:
            try:
                wait = self.tell(await asyncio.to_thread(card.ask, "status"))
            except card.CardError:
                wait = SELDOM
            await sleep(wait)
