"""The answer to the key that pegs, worked out while nobody waits for it.

`press` is pure, so that what it would say to that key can be known before a finger is on it. Called
by `sitting` after every key.
"""

from __future__ import annotations

from contextlib import suppress
from typing import Any, Final

from boardctl import notation
from boardctl.entry.keypad import press
from boardctl.entry.talk import Answer, Conversation, Say, Scene
from boardctl.games import Game, IllegalMove

PEGS: Final = "#"


class Ahead:
    """The conversation, with the memory of one answer."""

    def __init__(self) -> None:
        self._known: tuple[Conversation, Scene, Answer] | None = None

    def press(self, talk: Conversation, scene: Scene, key: str) -> Answer:
        """As `entry.press`."""
        known = self._known
        if key == PEGS and known is not None and known[0] is talk and known[1] is scene:
            return known[2]
        return press(talk, scene, key)

    def look(self, talk: Conversation, scene: Scene, game: Game[Any] | None) -> None:
        """Work out what the key that pegs would do. The line it would say is tried as well: the
        record keeps what was tried last, and its position what the game says of it."""
        answer = press(talk, scene, PEGS)
        self._known = talk, scene, answer
        effect = answer[1]
        if isinstance(effect, Say):
            with suppress(IllegalMove):
                move = notation.parse(effect.lines[0], game)
                if move is not None:
                    after = scene.attempt(move).state
                    _ = after.scoreboard, after.tally
