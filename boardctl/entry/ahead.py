"""The answers to the keys that peg, worked out while nobody waits for them.

`press` is pure, so that what it would say to a key can be known before a finger is on it. Called by
`sitting` after every key.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from boardctl import notation
from boardctl.entry.keypad import press
from boardctl.entry.talk import RANKS, Answer, Conversation, Say, Scene
from boardctl.games import Game, IllegalMove

PEGS: Final = "#"
"""What pegs in whatever mode; at rest so do go and the cards of the play."""
AT_REST: Final = (PEGS, "D", *RANKS)


class Ahead:
    """The conversation, with the memory of what it would answer next."""

    def __init__(self) -> None:
        self._seen: tuple[Conversation, Scene] | None = None
        self._known: dict[str, Answer] = {}

    def press(self, talk: Conversation, scene: Scene, key: str) -> Answer:
        """As `entry.press`."""
        seen = self._seen
        if seen is not None and seen[0] is talk and seen[1] is scene and key in self._known:
            return self._known[key]
        return press(talk, scene, key)

    def look(self, talk: Conversation, scene: Scene, game: Game[Any] | None) -> None:
        """Work out what the keys that peg would do. The lines they would say are tried as well:
        the record keeps what was tried where it stands, and each position what its game says."""
        keys = AT_REST if talk.mode == "rest" else PEGS
        self._seen = talk, scene
        self._known = {key: press(talk, scene, key) for key in keys}
        for _, effect in self._known.values():
            if isinstance(effect, Say):
                with suppress(IllegalMove):
                    move = notation.parse(effect.lines[0], game)
                    if move is not None:
                        after = scene.attempt(move).state
                        _ = after.scoreboard, after.tally, after.scores, after.over
