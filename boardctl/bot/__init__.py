"""A computer player that sees only its own cards, winning chances, and game analysis."""

from typing import Final

LEVELS: Final = range(-1, 6)
"""The levels of the player; 0 and -1 are for children."""
CHOICE: Final = "player.json"
"""The file in the data directory that names the seat the board plays."""
GAME: Final = "cribbage"
"""The game in which the computer plays two-handed at full strength, deals from a sealed shuffle,
and judges play."""


def judges(game: str, players: int) -> bool:
    """Return whether the player can judge a game with this number of players."""
    return game == GAME and players == 2
