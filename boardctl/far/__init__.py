"""A game between two houses, each with its own board, using cards that neither house deals alone.

`group` does the arithmetic of locks on cards, `shuffle` and `shares` prove that a house used them
correctly, and `deal` deals one pack between two houses. `proof` checks finished games, and
`earlier` checks deals of version 1.0. `cards` finds the cards that a game asks for; `game_log` and
`game` are one house's side of a game. With `invitation_words`, `meeting` and `channel`, two houses
find each other and exchange messages. `session` is the houses' shared state, `feed` is an
onlooker's view, and `game_file` writes games to disk. All these modules are pure
(docs/far-protocol.md). `on_table` connects a game to the board's table, `link` talks to the `peers`
over a broker, and `store` keeps the `contacts` on disk. `houses` combines `on_table`, `link` and
`store`, and performs the actions that people choose. `keypad_menu` does the same for the
keypad. All modules except `on_demand` and `keypad_menu` need PyNaCl (extra `far`) and are imported
only when a house plays.
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
"""The games whose cards two houses can deal, with the possible numbers of players."""
TREE: Final = "boardctl-far"
"""The first level of all topics: `boardctl-far/NAME/…`. The name reveals nothing about a house."""
KEPT: Final = "far.json"
"""The file in the data directory with this board's key and its list of houses."""
DIRECTORY: Final = "far"
"""The directory that contains a file for each house, including the current game."""
BROKER: Final = "far-broker"
"""In a browser tab: the file with the broker's address."""


@dataclass(frozen=True)
class Options:
    """The `[far]` section of the configuration: the broker over which houses reach each other.
    Without a `host`, this is the broker of `[mqtt]`. `page` is the beginning of an invitation link:
    the address at which people open their own board's page.

    If `own` is set, this board is the broker for both houses, and `own` is the name or address at
    which the other house reaches the board.

    `websocket` is the same broker's address for browsers, with a user for guests:
    `wss://USER:PASSWORD@HOST:PORT`. If it is set, an invitation has a second link, which contains
    this address and opens a board in a browser tab at the address `tab`.
    """

    host: str = ""
    own: str = ""
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


class TabOptions(Options):
    """The options of a board in a browser tab at the address `tab`. Such a board reaches a broker
    only by WebSocket. The broker is taken from the opened link or from the board's setup
    (`BROKER`)."""
