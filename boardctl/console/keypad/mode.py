"""A keypad mode: the effects of its keys, and its texts for the display and the voice."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from functools import partial
from typing import ClassVar, Final, TypeVar

from boardctl import text
from boardctl.console.keypad.state import REST, Answer, Command, Item, KeypadState, TableView
from boardctl.games import IllegalMove, Move
from boardctl.text import spoken

T = TypeVar("T")
MODES: Final[dict[str, Mode]] = {}
"""Every mode by name. Each class registers its modes."""


class Mode(ABC):
    """A keypad mode. It stores no data, because the state contains everything that has been
    typed."""

    name: ClassVar[str]
    only_hash: ClassVar[bool] = False
    """Whether every key other than `#` means no."""
    is_listed: ClassVar[bool] = False
    """Whether the mode's question is empty without the answers."""
    submits_typed: ClassVar[bool] = False
    """Whether `#` submits the entry."""

    def __init_subclass__(cls) -> None:
        if "name" in vars(cls):
            MODES[cls.name] = cls()

    @abstractmethod
    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Return the state after a key, and an action if one is complete."""

    @abstractmethod
    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        """Return the display's lines."""

    @abstractmethod
    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        """Return the question and the answer typed so far as phrases."""

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        """Return the keys that type one more digit, rank or suit, or None if they must be found by
        trying."""
        return frozenset()

    def is_stale(self, state: KeypadState, view: TableView) -> bool:
        """Return whether a move on another surface has invalidated the entry."""
        return False

    def revised(self, state: KeypadState, view: TableView) -> KeypadState:
        """Return the state after a move on another surface."""
        stale = self.is_stale(state, view)
        return state._replace(refused=IllegalMove("overtaken")) if stale else state

    def cleared(self, state: KeypadState, view: TableView) -> KeypadState:
        """Return the state after `*`."""
        return REST

    def grown(self, state: KeypadState, view: TableView) -> list[str]:
        """Return the words to speak after a typed key, in addition to the key itself."""
        return []

    def submits(
        self, state: KeypadState, key: str, moves: tuple[Move, ...], view: TableView
    ) -> str:
        """Return the words for the entry that a key submits."""
        said = (spoken.move(move, view.seats, view.language) for move in moves)
        return text.listed(said, view.language)


def mode_of(state: KeypadState) -> Mode:
    """Return the mode of a state."""
    return MODES[state.mode]


def ask(state: KeypadState, view: TableView, part: str, call: Callable[[Mode], T], default: T) -> T:
    """Call a method of a state's mode, and return the result.

    Args:
        part: the name of the answer, for the log.
        call: returns the answer of a mode.
        default: the answer if the mode belongs to a feature and fails.
    """
    mode, name = mode_of(state), state.mode
    item = next((one for one in view.items if name == one.opens or name in one.modes), None)
    return call(mode) if item is None else item.guard(part, partial(call, mode), default)


def open_item(item: Item) -> Answer:
    """Return the effect of a feature's menu item, which opens a mode or carries out a command."""
    if item.load is not None and item.guard("load", item.load, None) is None:
        return REST, None
    if item.opens in MODES:
        return REST._replace(mode=item.opens), None
    return REST, Command(item.opens)
