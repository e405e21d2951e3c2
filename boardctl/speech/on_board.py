"""The voice and the microphone of one board. Both are created when a speaker is opened."""

from __future__ import annotations

from collections.abc import Callable
from functools import cached_property
from typing import TYPE_CHECKING

from boardctl.drivers.ports import KeyEvent, Speaker
from boardctl.features import Running, RunningBoard

if TYPE_CHECKING:
    from boardctl.speech.listening import Listening
    from boardctl.speech.voice import Voice


class SpeechOnBoard(Running):
    """The voice and the microphone of one board."""

    def __init__(self, board: RunningBoard) -> None:
        self._board = board
        self.listening: Listening | None = None
        if board.options("voice") is not None:
            self.voice  # noqa: B018 - it follows the game from its start

    @cached_property
    def voice(self) -> Voice:
        """The voice of this board."""
        from boardctl.speech.voice import Voice

        return Voice(self._board.controller, spoken=self._board.spoken)

    def speak(self, speaker: Speaker) -> Callable[[], None]:
        """Start speaking through a speaker, and listen if the speaker has a microphone."""
        self.voice.settings = self._board.chosen_voice(speaker)
        if speaker.microphone is not None:
            from boardctl.speech.listening import Listening

            self.listening = Listening(self._board.controller, self.voice, speaker.microphone)
        return self.voice.join(speaker)

    def take(self, event: KeyEvent) -> bool:
        """Handle the key that is held to speak."""
        return self.listening is not None and self.listening.take(event)

    def close(self) -> None:
        """Stop listening."""
        if self.listening is not None:
            self.listening.close()
