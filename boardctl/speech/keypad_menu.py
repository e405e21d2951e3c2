"""The keypad menu's items for the voice, its language, and a spoken first lesson."""

from __future__ import annotations

from typing import Final

from boardctl.console.keypad import screen
from boardctl.console.keypad.menu import Setting
from boardctl.console.keypad.mode import Mode
from boardctl.console.keypad.state import REST, Answer, Command, KeypadState, TableView
from boardctl.text import spoken

VALUES: Final = {
    "1": Command("voice", "on"), "2": Command("voice", "off"),
    "3": Command("language", "en"), "4": Command("language", "ja"),
    "5": Command("voice", "counts"), "6": Command("voice", "questions"),
    "7": Command("voice", "everything"), "8": Command("voice", "slower"),
    "9": Command("voice", "faster"), "A": Command("sounds", "on"),
    "B": Command("sounds", "off"), "C": Command("sounds", "meaning"),
}  # fmt: skip


class VoiceMode(Setting):
    """The mode for the voice settings: how much and how fast it speaks, and in which language."""

    name = "voice"
    values = VALUES

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        if key == LESSON_KEY:
            return REST._replace(mode=Lesson.name), None
        return super().press(state, view, key)

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        return screen.paged(screen.say("voice", view), screen.say("voice-keys", view).split())


LESSON_KEY: Final = "0"
LESSON: Final = "#A8#*#"
"""The keys of the lesson, in order."""


class Lesson(Mode):
    """A spoken first lesson: each step names one key. Key presses do not enter anything."""

    name = "lesson"

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        if key != LESSON[state.place]:
            return state, None
        if state.place + 1 == len(LESSON):
            return REST, None
        return state._replace(place=state.place + 1), None

    def cleared(self, state: KeypadState, view: TableView) -> KeypadState:
        """Return the next step if the current step asks for `*`. Otherwise, `*` ends the lesson."""
        if LESSON[state.place] == "*":
            return state._replace(place=state.place + 1)
        return REST

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        step = state.place + 1
        fields = {"step": step, "of": len(LESSON), "key": LESSON[state.place]}
        return screen.say("lesson", view, **fields), screen.say("lesson-key", view, **fields)

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        return [spoken.say(f"lesson-{state.place + 1}", view.language)]
