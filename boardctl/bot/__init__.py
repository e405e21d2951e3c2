"""A computer player that sees only its own cards, chances of winning, and game analysis."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LEVELS: Final = range(-1, 6)
"""The levels of the computer player. Levels 0 and -1 are for children."""
SLIPS: Final = {3: 0.7, 4: 0.35, 5: 0.0}
"""The share of decisions that each level makes as level 2 would. The level makes the other
decisions by a search."""
CHOICE: Final = "player.json"
"""The file in the data directory that stores the seat of the computer player."""
GAME: Final = "cribbage"
"""The two-player game that the computer can play at full strength, deal from a sealed shuffle and
judge."""


def judges(game: str, players: int, options: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Return whether the computer player can judge a game with this number of players and these
    options. The player's tables assume six-card hands, and a game that can be won by points of any
    kind."""
    if game != GAME or players != 2:
        return False
    return options.get("crib_cards") != "two_dealt" and options.get("stinkhole", "off") == "off"
