"""A computer player that sees only its own cards, winning chances, and game analysis."""

from typing import Final

CHOICE: Final = "player.json"
"""The file in the data directory that says which seat the board plays."""
