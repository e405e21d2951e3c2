"""The other house on the keypad: the words of its invitation, or the answer to its question."""

from __future__ import annotations

from typing import Final

from boardctl.console.keypad import screen
from boardctl.console.keypad.mode import Mode
from boardctl.console.keypad.state import REST, Answer, Command, KeypadState, TableView
from boardctl.text import spoken

ANSWERS: Final = {"#": "play", "A": "yes", "B": "no", "C": "stand"}
"""The answers: play with the other house, agree or disagree, accept its claim."""
INVITATION: Final = 24
"""The number of digits of an invitation: six words of four."""


class FarMode(Mode):
    """The numbers of six words, or an answer to the other house."""

    name = "far"

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Take the numbers of an invitation's words and `#`, or an answer to the other house."""
        if key.isdigit() and len(state.keys) < INVITATION:
            return state._replace(keys=state.keys + key), None
        if not state.keys and key in ANSWERS:
            return REST, Command("far", ANSWERS[key])
        if key == "#" and len(state.keys) == INVITATION:
            return REST, Command("far", state.keys)
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        """Show the number of the word being typed, and its digits."""
        if not state.keys:
            return screen.paged(screen.say("far", view), screen.say("far-keys", view).split())
        if len(state.keys) == INVITATION:
            return screen.say("far-all", view), screen.say("yes", view)
        typed = len(state.keys) // 4 * 4
        return screen.say("far-word", view, number=typed // 4 + 1), state.keys[typed:] + "_"

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        if not state.keys:
            return [spoken.say("far", view.language)]
        typed = state.keys[-(len(state.keys) % 4) :] if len(state.keys) % 4 else ""
        return [*_word_due(state, view), *([spoken.keys(typed, view.language)] if typed else [])]

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        return None

    def grown(self, state: KeypadState, view: TableView) -> list[str]:
        return [] if len(state.keys) % 4 else _word_due(state, view)


def _word_due(state: KeypadState, view: TableView) -> list[str]:
    """Return the number of the invitation's word being typed, or a note that all are typed."""
    if len(state.keys) == INVITATION:
        return [spoken.say("press", view.language, what=spoken.say("do-far", view.language))]
    return [spoken.say("word", view.language, number=len(state.keys) // 4 + 1)]
