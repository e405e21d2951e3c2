"""The voice and its language on the keypad."""

from __future__ import annotations

from typing import Final

from boardctl.console.keypad import screen
from boardctl.console.keypad.menu import Setting
from boardctl.console.keypad.state import Command, KeypadState, TableView

VALUES: Final = {
    "1": Command("voice", "on"), "2": Command("voice", "off"),
    "3": Command("language", "en"), "4": Command("language", "ja"),
    "5": Command("voice", "counts"), "6": Command("voice", "questions"),
    "7": Command("voice", "everything"), "8": Command("voice", "slower"),
    "9": Command("voice", "faster"), "A": Command("sounds", "on"),
    "B": Command("sounds", "off"), "C": Command("sounds", "meaning"),
}  # fmt: skip


class VoiceMode(Setting):
    """The voice's settings: how much it says, how fast, and in which language."""

    name = "voice"
    values = VALUES

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        return screen.paged(screen.say("voice", view), screen.say("voice-keys", view).split())
