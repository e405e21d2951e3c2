"""The page's interface to a board, real or simulated.

All methods are called on the event loop's thread, and so must all callbacks.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, Protocol

from starlette.requests import Request

from boardctl.board.layout import Layout
from boardctl.board.palette import Frame
from boardctl.features import RunningBoard
from boardctl.signals import Signal
from boardctl.web.move_list import Viewer
from boardctl.web.setup_view import SetupView


class BoardView(RunningBoard, Protocol):
    """A running board in the page's view: its table and controller, and the data of the whole
    board.

    The position and the moves are read from `table`, which also notifies observers of every
    accepted move.
    """

    @property
    def layout(self) -> Layout:
        """The layout of the board. A simulated board changes its layout automatically if its
        players need more tracks."""

    @property
    def most_tracks(self) -> int:
        """The maximum number of tracks that it can have."""

    def setup(self) -> SetupView | None:
        """Return its set-up, None if it cannot be set up from a page."""

    def announce(self, *lines: str, digits: str = "", link: str = "") -> None:
        """Show lines on the small display until the next key, with `link` as a QR code if there is
        room; a board without a display shows the digits as light, one hole per count."""

    @property
    def has_own_keys(self) -> bool:
        """Whether the board has real keys; a simulated board has only those of the page."""

    @property
    def knows_its_keys(self) -> bool:
        """Whether one of its real keys has been pressed since the last change of their
        configuration; on a new board they may not be wired yet."""

    @property
    def legible(self) -> bool:
        """Whether digits are shown on a display rather than as light."""

    def frame(self) -> Frame:
        """Return the LEDs' current colours: in simulation decoded from the waveform, on a real
        board as sent. Empty before the first frame."""

    @property
    def frames(self) -> Signal[Frame]:
        """Sent with every frame."""

    @property
    def lines(self) -> Signal[tuple[str, ...]]:
        """Sent with the display's lines when they change."""

    def press(self, key: str, down: bool) -> None:
        """Press or release a key of `ports.KEYS`: in simulation a contact of the virtual matrix, on
        a real board an additional KeyEvent."""


class Page(NamedTuple):
    """The part of the page that a feature's routes can use."""

    board: BoardView
    """The board of the page."""
    check: Callable[[Request], None]
    """Raises Refused for a request without permission to play."""
    may_play: Callable[[Request], bool]
    """Returns whether a request has permission to play."""
    viewer: Callable[[Request], Viewer]
    """Returns the language and the seat of a request."""
    changed: Callable[[], None]
    """Makes every open page refresh its state."""
