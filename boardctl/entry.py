"""Keys -> lines: the conversation on the keypad, a small pure state machine.

Called by `sitting` with every press.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from boardctl.games import Prompt


@dataclass(frozen=True, slots=True)
class Conversation:
    """What has been typed: the seat whose key was pressed, and the digits after it."""

    seat: int | None = None
    typed: str = ""


def press(talk: Conversation, prompt: Prompt, key: str) -> tuple[Conversation, str | None]:
    """The conversation after a key, and the line that it said, if any."""
    if key in "ABCD":
        seat = "ABCD".index(key) + 1
        return (Conversation(seat) if seat in prompt.pegs else talk), None
    if key == "*":
        return Conversation(), None
    if talk.seat is None:
        return talk, None
    if key == "#":
        if not talk.typed:
            return talk, None
        return Conversation(), f"{talk.seat} peg {int(talk.typed)}"
    return replace(talk, typed=(talk.typed + key)[-2:]), None
