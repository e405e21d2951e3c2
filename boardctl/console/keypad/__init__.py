"""The keypad as a small pure state machine.

`press` takes what has been typed so far, what there is to see at the table and one key, and returns
what is typed now and, when something is complete, what is to be done: moves to submit, or a command
(light, voice, goodnight). `revise` looks at the state again after another surface's move. No game
is known by name: everything that can be entered comes from `Game.prompt`. docs/keypad.md is the map
of the keys.

Keys are those of `ports.KEYS`; a key held for a second arrives as `hold #`, `hold *` or `hold D`
instead of as itself.
"""

from boardctl.console.keypad.machine import press, revise
from boardctl.console.keypad.screen import lines
from boardctl.console.keypad.state import (
    HOLDS,
    REST,
    Command,
    KeypadState,
    Preset,
    Submit,
    TableView,
    refuse,
    seating,
)

__all__ = [
    "HOLDS",
    "REST",
    "Command",
    "KeypadState",
    "Preset",
    "Submit",
    "TableView",
    "lines",
    "press",
    "refuse",
    "revise",
    "seating",
]
