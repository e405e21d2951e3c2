"""A game between two houses: a board here, a board there, and cards that nobody dealt.

`group` is the arithmetic of locks on cards, `shuffle` and `shares` are the proofs of what a house
does with them, and `deal` is the deal of one pack by two houses. `proof` checks a finished game,
and `earlier` the deals of version 1.0. `cards` is how a game asks for its cards, `side` and `game`
a house's side of a game; `words`, `meeting` and `channel` are how two houses find each other and
talk, `session` what they have with each other, `look` what an onlooker sees, and `keeping` how that
is written down: all pure (docs/far.md).
`houses` is what people do with it and `on_table` what a board's table has of it, over a broker
(`courier`) to those at the other `ends`, and `keys` what the keypad says.
But for `opening` and `keys` the modules need PyNaCl (extra `far`), and are not imported until a
house plays.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Final

from boardctl.options import Between

GAMES: Final = {
    "cribbage": (2, 4),
    "five-card-cribbage": (2,),
    "noddy": (2, 4),
    "bezique": (2,),
    "rubicon-bezique": (2,),
    "six-pack-bezique": (2,),
    "pinochle": (2,),
}
"""The games whose cards two houses can deal, and for how many players."""
TREE: Final = "boardctl-far"
"""The first level of all topics: `boardctl-far/NAME/…`, where a name tells nothing of a house."""
KEPT: Final = "far.json"
"""This board's key and its list of houses, in the data directory."""
DIRECTORY: Final = "far"
"""Its directory with a file for each house, with the game that goes on."""


@dataclass(frozen=True)
class Options:
    """`[far]` of the config: the broker over which another house is reached; without a `host` it
    is that of `[mqtt]`. `page` is what the link of an invitation begins with: the address at which
    a house reaches its own board."""

    host: str = ""
    port: Annotated[int, Between(1, 65535)] = 8883
    tls: bool = True
    ca: str | None = None
    user: str | None = None
    password_file: str | None = None
    page: str = "http://board.local"
