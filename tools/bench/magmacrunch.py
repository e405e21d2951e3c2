"""The opponent of magmacrunch-cribbage, a game from the Python Package Index, as a side of a match.

The package is not part of this project (its licence is PolyForm Noncommercial) and is used only if
installed: `pip install --no-deps magmacrunch-cribbage`.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from boardctl.bot import playing
from boardctl.bot.playing import View
from boardctl.bot.tables import PONE

_RANKS = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
_SUITS = ("spades", "hearts", "diamonds", "clubs")


def installed() -> bool:
    """Return whether the package is installed, without importing it."""
    return find_spec("cribbage") is not None and find_spec("cribbage.ai") is not None


class Magmacrunch:
    """The opponent's two decisions, requested in the same way as by its own game."""

    def __init__(self) -> None:
        """Raise ImportError if the package is not installed."""
        self._ai: Any = import_module("cribbage.ai")
        make = import_module("cribbage.cards").Card
        self._cards = [make(_SUITS[card // 13], _RANKS[card % 13]) for card in range(52)]

    def throw(
        self, six: Sequence[int], role: int, mine: int, theirs: int, place: object
    ) -> tuple[int, int]:
        one, two = self._ai.select_crib_cards([self._cards[c] for c in six], role == PONE)
        return self._cards.index(one), self._cards.index(two)

    def play(self, view: View, place: object) -> int | None:
        state = playing.now(view.role, view.events)
        own = [self._cards[card] for card in view.unplayed]
        series = [self._cards[rank] for rank in state.series]
        found = self._ai.select_pegging_card(own, 31 - state.room, series)
        return None if found is None else self._cards.index(found)
