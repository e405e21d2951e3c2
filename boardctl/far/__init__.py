"""A game between two houses, each with its own board, and with cards that nobody dealt.

`group` does the arithmetic of locks on cards, `shuffle` and `shares` prove that a house used them
correctly, and `deal` deals one pack between two houses. `proof` checks a finished game, and
`earlier` the deals of version 1.0. `cards` finds the cards that a game asks for; `game_log` and
`game` are one house's side of a game. With `invitation_words`, `meeting` and `channel`, two houses
find each other and exchange messages. `session` is their shared state, `feed` is an onlooker's
view, and `game_file` writes games to disk. All of these are pure (docs/far-protocol.md). `on_table`
connects a game to the board's table, `link` talks to the `peers` over a broker, and `store` keeps
the data of `known` on disk. `houses` combines these three modules and performs the actions that
people choose; `keypad_menu` serves the keypad. All modules except `on_demand` and `keypad_menu`
need PyNaCl (extra `far`) and are imported only when a house plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from boardctl.options import Between, SchemaError
from boardctl.websocket import address

GAMES: Final = {
    "cribbage": (2, 4),
    "five-card-cribbage": (2,),
    "noddy": (2, 4),
    "bezique": (2,),
    "rubicon-bezique": (2,),
    "six-pack-bezique": (2,),
    "pinochle": (2,),
}
"""The games whose cards two houses can deal, with the numbers of players."""
TREE: Final = "boardctl-far"
"""The first level of all topics: `boardctl-far/NAME/…`. The name reveals nothing about a house."""
KEPT: Final = "far.json"
"""This board's key and its list of houses, in the data directory."""
DIRECTORY: Final = "far"
"""A directory with a file for each house, including its current game."""
BROKER: Final = "far-broker"
"""In a browser's tab: the file with its broker's address."""


@dataclass(frozen=True)
class Options:
    """Options: `[far]` of the config: the broker over which houses reach each other; without a
    `host`, the broker of `[mqtt]`. `page` is the beginning of an invitation's link: the address at
    which a house reaches its own board.

    `websocket` is the same broker's address for browsers, with a user for guests:
    `wss://USER:PASSWORD@HOST:PORT`. With it an invitation also has a link that contains this
    address and opens at `tab`, the address of a board in a browser's tab.
    """

    host: str = ""
    port: Annotated[int, Between(1, 65535)] = 8883
    tls: bool = True
    ca: str | None = None
    user: str | None = None
    password_file: str | None = None
    page: str = "http://board.local"
    tab: str = "https://boardctl.github.io/boardctl/tab/"
    websocket: str = ""

    def __post_init__(self) -> None:
        if self.websocket and address(self.websocket) is None:
            raise SchemaError("broker-address", value=self.websocket)


@dataclass(frozen=True)
class TabOptions(Options):
    """Options of a board in a browser's tab, at `tab`: it reaches a broker only by WebSocket, the
    one of the link that was opened or of its set-up (`BROKER`)."""
