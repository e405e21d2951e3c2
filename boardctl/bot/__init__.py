"""A computer player that sees only its own cards, winning chances, and game analysis."""

from typing import Final

LEVELS: Final = range(-1, 6)
"""The levels of the player; 0 and -1 are for children."""
CHOICE: Final = "player.json"
"""The file in the data directory that says which seat the board plays."""
