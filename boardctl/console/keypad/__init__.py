"""Keys -> lines: the conversation on the keypad, a small pure state machine.

`press` takes what has been typed so far, what there is to see at the table and one key, and gives
back what is typed now and, when something is complete, what is to be done: lines for the table,
or a wish of the house (light, voice, goodnight). It knows no game by name: everything that can be
told comes from `Game.prompt`. docs/keypad.md is the map of the keys.

Keys are those of `ports.KEYS`; a key held for a second arrives as `hold #`, `hold *` or `hold D`
instead of as itself.
"""

from boardctl.console.keypad.machine import press
from boardctl.console.keypad.screen import lines
from boardctl.console.keypad.state import (
    HOLDS,
    REST,
    Command,
    KeypadState,
    Preset,
    Say,
    TableView,
    refuse,
)

__all__ = [
    "HOLDS",
    "REST",
    "Command",
    "KeypadState",
    "Preset",
    "Say",
    "TableView",
    "lines",
    "press",
    "refuse",
]
