"""Handle a keypad key, or a move entered on another surface during a keypad entry."""

from __future__ import annotations

from boardctl.console.keypad.mode import ask
from boardctl.console.keypad.state import (
    REST,
    Answer,
    Command,
    KeypadState,
    Submit,
    TableView,
    refuse,
    submit,
)
from boardctl.games import IllegalMove, Move


def press(state: KeypadState, view: TableView, key: str) -> Answer:
    """Return the state after a key, and an action if one is complete. `*` always leads back towards
    rest."""
    state = state._replace(refused=None)
    if key == "hold #":
        return REST._replace(mode="menu"), None
    if key == "hold *" and view.redoing is None and view.unfinished is not None:
        return REST, Command("go-on")
    if key == "hold *":
        return REST, Submit((view.redoing or Move("redo"),))
    if key == "hold D":
        return _muggins(view)
    if key == "*":
        return ask(state, view, "cleared", lambda mode: mode.cleared(state, view), REST), None
    at_rest: Answer = REST, None
    return ask(state, view, "press", lambda mode: mode.press(state, view, key), at_rest)


def revise(state: KeypadState, view: TableView) -> KeypadState:
    """Return the state after a move may have been entered on another surface. The keys of an entry
    in progress keep their meanings. If the entry has become stale, a message says so until the next
    key, and the referee judges the finished entry. If the move to be taken back is no longer the
    last one, the entry ends, and a message remains until the next key or move."""
    return ask(state, view, "revised", lambda mode: mode.revised(state, view), REST)


def _muggins(view: TableView) -> Answer:
    """Handle a held `D`: call muggins for the only seat that may call it, or ask for the seat if
    several may."""
    calls = tuple(ask.move for ask in view.prompt.asks if ask.code == "muggins")
    if len(calls) == 1:
        return submit(calls[0])
    if not calls:
        return refuse(IllegalMove("no-claim-open")), None
    return REST._replace(mode="choice", choices=calls), None
