"""Hands that play: keys for what is due, out of chance, by what the prompt offers alone."""

from __future__ import annotations

import random

from boardctl.cards import Rank
from boardctl.entry import Conversation, Scene
from boardctl.games import Ask

_KEYS = dict(zip(Rank, "1234567890ABC", strict=True))


class RandomHands:
    """Somebody who plays cribbage by ranks on the keypad and always has a card to play.

    The cards are dealt as they are needed: any rank that the referee says could be played.
    """

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def keys(self, talk: Conversation, scene: Scene) -> str:
        """The next key."""
        match talk.mode:
            case "rest":
                return self._due(scene)
            case "question" | "preview" | "choice":
                return "1" if talk.mode == "choice" else "#"
            case "cards":
                assert talk.ask is not None
                return self._rank(talk.ask, talk.cards)
            case _:
                return "*"

    def _due(self, scene: Scene) -> str:
        first = scene.asks[0]
        if first.code != "play":
            return "#"
        if any(ask.code == "go" for ask in scene.asks) and self._chance.random() < 0.25:
            return "D"
        return self._rank(first, ())

    def _rank(self, ask: Ask, told: tuple[object, ...]) -> str:
        ranks = sorted({card.rank for card in ask.cards or () if card.rank is not None})
        return _KEYS[self._chance.choice(ranks)]
