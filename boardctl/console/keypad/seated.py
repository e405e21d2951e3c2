"""A pad in one player's hand: its keys need no seat key, and do nothing for another player."""

from __future__ import annotations

from boardctl.console.keypad.machine import press
from boardctl.console.keypad.state import (
    RANKS,
    REST,
    Answer,
    KeypadState,
    TableView,
    refuse,
)
from boardctl.games import IllegalMove


def press_as(state: KeypadState, view: TableView, key: str, seat: int) -> Answer:
    """The state after a key on a seat's own pad. At rest digits and `A` to `D` are the seat's
    points, cards and go; `#` is what is due for the seat, or for nobody in particular."""
    if state.mode not in ("rest", "refused") or seat > len(view.seats):
        return press(state, view, key)
    mine = REST._replace(mode="seat", seat=seat)
    if key == "#" and view.asks:
        first = view.asks[0]
        if first.seat in (None, seat):
            return press(state, view, key)
        if any(ask.seat == seat for ask in view.asks):
            return press(mine, view, key)
        return refuse(IllegalMove("not-your-turn", turn=first.seat, seat=seat)), None
    if key not in RANKS and key != "D":
        return press(state, view, key)
    due = next((ask for ask in view.asks if ask.kind != "choice"), None)
    if due is None or (due.kind, due.telling) != ("cards", "cards"):
        return press(mine, view, key)
    if due.seat not in (None, seat):
        return refuse(IllegalMove("not-your-turn", turn=due.seat, seat=seat)), None
    return press(state, view, key)
