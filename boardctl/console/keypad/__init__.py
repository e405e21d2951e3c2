"""The keypad as a small pure state machine.

`press` takes the state (the typed entry), a view of the table and one key, and returns the new
state. When an entry is complete, it also returns moves to submit or a command (light, voice,
goodnight). `revise` updates the state after a move on another surface, and `enter` after a camera
has seen cards. The keypad does not contain code for particular games: all entries come from
`Game.prompt`. docs/keypad.md describes the keys.

The keys are those of `ports.KEYS`. A key held for a second arrives as `hold #`, `hold *` or `hold
D`.
"""

from boardctl.console.keypad import menu  # noqa: F401 - adds the modes of the menu
from boardctl.console.keypad.entry import enter, press_as, spoken_move
from boardctl.console.keypad.machine import press, revise
from boardctl.console.keypad.screen import COLUMNS, lines, rows, tally
from boardctl.console.keypad.state import (
    AMOUNTS,
    ANSWERED,
    HOLDS,
    LEVELS,
    REST,
    Command,
    Item,
    KeypadState,
    Level,
    Offer,
    Preset,
    Request,
    Submit,
    TableView,
    UnfinishedGame,
    refuse,
    seating,
)

__all__ = [
    "AMOUNTS",
    "ANSWERED",
    "COLUMNS",
    "HOLDS",
    "LEVELS",
    "REST",
    "Command",
    "Item",
    "KeypadState",
    "Level",
    "Offer",
    "Preset",
    "Request",
    "Submit",
    "TableView",
    "UnfinishedGame",
    "enter",
    "lines",
    "press",
    "press_as",
    "refuse",
    "revise",
    "rows",
    "seating",
    "spoken_move",
    "tally",
]
