"""What the page needs of a board. The daemon implements it, on copper and on virtual wires alike.

Everything here is called on the event loop's thread, and every callback must arrive on it.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

from boardctl.board.layout import Layout
from boardctl.console.keypad import Command
from boardctl.drivers.ports import Frame
from boardctl.games import Move, Prompt, Telling
from boardctl.table import Table

Unsubscribe = Callable[[], None]


class BoardView(Protocol):
    """A running board as the page sees it.

    The position and the moves are read from `table`, which also notifies its observers of
    every accepted move.
    """

    @property
    def data(self) -> Path:
        """The data directory, where the journal lies and paired phones are kept."""

    @property
    def layout(self) -> Layout:
        """The board that is lit."""

    @property
    def table(self) -> Table:
        """The single writer; the page submits with `by="page"`."""

    @property
    def prompt(self) -> Prompt:
        """What is due: the game's prompt, or between games the next one."""

    @property
    def language(self) -> str:
        """The table's language, `en` or `ja`, for browsers that ask for neither."""

    @property
    def telling(self) -> Telling:
        """How much this table tells: what is due follows from it."""

    @property
    def roster(self) -> tuple[str, ...]:
        """The players that the config knows."""

    def obey(self, command: Command) -> None:
        """Do what the keypad's menu does: `telling`, `language`, `light`, `voice`, `goodnight`."""

    def withdraw(self, move: Move) -> None:
        """Show no longer what `offer` was called with; nothing where it is not shown."""

    def announce(self, *lines: str, digits: str = "") -> None:
        """Show lines on the small display until the next key; on a board without one, the digits
        by light, so many holes a digit."""

    @property
    def pressed_here(self) -> bool:
        """Whether the last key was one of the board's own. A simulated board has no others than
        the page's; it shows a PIN in the terminal."""

    @property
    def legible(self) -> bool:
        """Whether digits are shown by a display, and not by light."""

    def offer(self, move: Move) -> None:
        """Show on the board what a hand told here would earn; `#` or its player's own key pegs
        it. Nothing happens while somebody types on the keypad."""

    def watch_commands(self, callback: Callable[[Command], None]) -> Unsubscribe:
        """Call with what the keypad asks of the page: `pair` with `pin` or `forget`."""

    def frame(self) -> Frame:
        """The LEDs as lit now: in simulation decoded from the waveform, on a board as sent.
        Empty before the first frame."""

    def watch_frames(self, callback: Callable[[Frame], None]) -> Unsubscribe:
        """Call with every frame from now on, until unsubscribed."""

    def display(self) -> tuple[str, ...]:
        """The lines of the small display."""

    def watch_display(self, callback: Callable[[tuple[str, ...]], None]) -> Unsubscribe:
        """Call with the display's lines whenever they change, until unsubscribed."""

    def press(self, key: str, down: bool) -> None:
        """A finger on a key of `ports.KEYS`, or off it: in simulation the contact of the virtual
        matrix, on a board a KeyEvent beside those of the real keys."""
