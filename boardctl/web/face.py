"""What the page needs of a board. The daemon implements it, on copper and on virtual wires alike.

Everything here is called on the event loop's thread, and every callback must arrive on it.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from boardctl.board.layout import Layout
from boardctl.ports import Frame
from boardctl.table import Table

Unsubscribe = Callable[[], None]


class Face(Protocol):
    """A running board as the page sees it.

    The position, the prompt and the moves are read from `table`, which also tells its `watchers`
    of every accepted line.
    """

    @property
    def layout(self) -> Layout:
        """The board that is lit."""

    @property
    def table(self) -> Table:
        """The single writer; the page submits with `by="page"`."""

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
