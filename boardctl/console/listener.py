"""What the table controller tells those who say what it shows."""

from __future__ import annotations

from typing import Protocol

from boardctl.console.keypad import Command, KeypadState, Submit


class Listener(Protocol):
    """Somebody who says what the table shows."""

    @property
    def answers(self) -> bool:
        """Whether it answers the keys of `keypad.ANSWERED` when they are held."""

    def hush(self) -> None:
        """A key goes down."""

    def pressed(self, key: str, before: KeypadState, effect: Submit | Command | None) -> None:
        """A key has acted on a state."""

    def point(self, what: str) -> None:
        """One of the things that can be done is pointed at; empty if none is any more."""

    def changed(self) -> None:
        """Something that is shown may have changed."""

    def answer(self, what: str) -> None:
        """A key of `keypad.ANSWERED` is held."""
