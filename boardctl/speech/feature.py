"""The voice and the microphone as a feature."""

from __future__ import annotations

from boardctl.console.keypad import Item
from boardctl.features import Feature, Running, RunningBoard


def _start(board: RunningBoard) -> Running:
    from boardctl.speech.on_board import SpeechOnBoard

    return SpeechOnBoard(board)


def _mode() -> type:
    from boardctl.speech.keypad_menu import VoiceMode

    return VoiceMode


FEATURE = Feature(
    name="speech", start=_start, menu=(Item("voice", "6", load=_mode, modes=("lesson",)),)
)
