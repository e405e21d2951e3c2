"""Random players: keys for the current prompt."""

from __future__ import annotations

import random

from boardctl.console.keypad import KeypadState, TableView
from boardctl.games import Ask
from boardctl.games.cards import Rank

_KEYS = dict(zip(Rank, "1234567890ABC", strict=True))


class RandomHands:
    """A random player who enters cribbage by ranks on the keypad and always has a card to play.

    Cards are dealt as needed: any rank that the referee would accept.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def keys(self, keypad_state: KeypadState, view: TableView) -> str:
        """Return the next key."""
        match keypad_state.mode:
            case "rest":
                return self._due(view)
            case "question" | "preview" | "choice":
                return "1" if keypad_state.mode == "choice" else "#"
            case "cards":
                assert keypad_state.ask is not None
                return self._rank(keypad_state.ask, keypad_state.cards)
            case _:
                return "*"

    def _due(self, view: TableView) -> str:
        first = view.asks[0]
        if first.code != "play":
            return "#"
        if any(ask.code == "go" for ask in view.asks) and self._chance.random() < 0.25:
            return "D"
        return self._rank(first, ())

    def _rank(self, ask: Ask, args: tuple[object, ...]) -> str:
        ranks = sorted({card.rank for card in ask.cards or () if card.rank is not None})
        return _KEYS[self._chance.choice(ranks)]
