"""A computer player that sees only its own cards, winning chances, and game analysis."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

LEVELS: Final = range(-1, 6)
"""The levels of the player; 0 and -1 are for children."""
SLIPS: Final = {3: 0.7, 4: 0.35, 5: 0.0}
"""The share of decisions made as at level 2, by level. A search makes the remaining decisions."""
CHOICE: Final = "player.json"
"""The file in the data directory that names the seat of the computer player."""
GAME: Final = "cribbage"
"""The game in which the computer plays two-handed at full strength, deals from a sealed shuffle,
and judges play."""


def judges(game: str, players: int, options: Mapping[str, str] = MappingProxyType({})) -> bool:
    """Return whether the player can judge a game with this number of players and these options. Its
    tables are for hands of six cards, and for games that any points can win."""
    if game != GAME or players != 2:
        return False
    return options.get("crib_cards") != "two_dealt" and options.get("stinkhole", "off") == "off"
