"""The page's interface to a board, real or simulated, and to its setup.

All methods and all callbacks must be called on the event loop's thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

from boardctl import text
from boardctl.board.layout import Layout
from boardctl.board.palette import Frame
from boardctl.features import RunningBoard
from boardctl.message import Message
from boardctl.signals import Signal

if TYPE_CHECKING:
    from starlette.requests import Request

    from boardctl.storage.backup import Summary
    from boardctl.web.move_list import Viewer


class SetupRefused(Exception):
    """The error for a request that was refused or failed."""

    def __init__(self, why: str | Callable[[str], str]) -> None:
        """Args:
        why: one sentence, or a function that returns it in a language.
        """
        super().__init__(why if isinstance(why, str) else why("en"))
        self._why = why

    def sentence(self, language: str) -> str:
        """Return the reason, in this language if possible."""
        return self._why if isinstance(self._why, str) else self._why(language)


def refused(code: str, **fields: object) -> SetupRefused:
    """Return a refusal with the sentence `refusal.CODE`."""
    return SetupRefused(
        lambda language: text.say(Message("refusal", code, fields), text.Reader(language))
    )


class SetupView(Protocol):
    """The setup of a running board. Slow methods run on the caller's thread, which must not be the
    event loop's thread. The self-test runs on the event loop's thread."""

    def questions(self, answers: Mapping[str, str], language: str) -> list[dict[str, Any]]:
        """Return the wizard's questions that follow from these answers. Each has `name`, `text`,
        `usual`, `choices` (`value`, `text`) or None, and `refused`: the reason for refusing the
        answer, or None."""

    def configure(self, answers: Mapping[str, str], language: str) -> None:
        """Write the configuration from these answers. Raises SetupRefused, in this language."""

    def restart(self) -> None:
        """Restart with the current configuration and journal."""

    def backup(self, file: Path) -> None:
        """Copy the journal to a new file. Raises SetupRefused."""

    @property
    def restoring(self) -> int | None:
        """The percentage of a backup that has been read, or None if no backup is being restored."""

    def summary(self, file: Path | None) -> Summary | None:
        """Return a summary of a backup, or of the board's own journal if `file` is None. Return
        None if there is no readable journal."""

    def earlier(self) -> Path | None:
        """Return the journal replaced by the latest restore, or None if it no longer exists."""

    async def restore(self, file: Path) -> int:
        """Arrange for this backup to replace the journal at the next start, and return its number
        of lines. Raises SetupRefused unless the backup is a complete journal."""

    def card(self) -> Mapping[str, Any] | None:
        """Return the state of the SD card from which the machine was started (`app.card`), or None
        if it does not run a card image. Raises SetupRefused."""

    def ask_card(self, do: str, **fields: Any) -> None:
        """Request a task from the SD card image. Raises SetupRefused."""

    def test(self, begin: bool) -> None:
        """Restart the self-test, or end it. Afterwards, the lights show the game again."""

    def tested(self) -> tuple[tuple[str, Mapping[str, Any]], ...]:
        """Return the self-test's messages since its start, as codes and fields of sentences."""

    def testing(self) -> bool:
        """Return whether the self-test is running."""


class BoardView(RunningBoard, Protocol):
    """A running board, as the page sees it: its table and controller, and the data of the whole
    board.

    The page reads the position and the moves from `table`, which also notifies observers of every
    accepted move.
    """

    @property
    def layout(self) -> Layout:
        """The layout of the board. A simulated board changes its layout automatically if its
        players need more tracks."""

    @property
    def most_tracks(self) -> int:
        """The maximum number of tracks of the board."""

    def setup(self) -> SetupView | None:
        """Return the board's setup, or None if the board cannot be set up from a page."""

    def announce(self, *lines: str, digits: str = "", link: str = "") -> None:
        """Show lines on the small display until the next key, with `link` as a QR code if there is
        room. A board without a display shows the digits with its LEDs, by the number of lit
        holes."""

    @property
    def has_own_keys(self) -> bool:
        """Whether the board has real keys. A simulated board has only the page's keys."""

    @property
    def knows_its_keys(self) -> bool:
        """Whether a real key has been pressed since the configuration of the keys last changed. On
        a new board, the keys may not have been wired yet."""

    @property
    def legible(self) -> bool:
        """Whether digits are shown on a display rather than with LEDs."""

    def frame(self) -> Frame:
        """Return the LEDs' current colours. In the simulation, they are decoded from the waveform;
        on a real board, they are the colours sent. The result is empty before the first frame."""

    @property
    def frames(self) -> Signal[Frame]:
        """A signal sent with every frame."""

    @property
    def lines(self) -> Signal[tuple[str, ...]]:
        """A signal sent with the display's lines whenever they change."""

    def press(self, key: str, down: bool) -> None:
        """Press or release a key of `ports.KEYS`. In the simulation, this operates a contact of the
        virtual matrix; on a real board, it produces an additional KeyEvent."""


class Page(NamedTuple):
    """The part of the page that a feature's routes can use."""

    board: BoardView
    """The page's board."""
    check: Callable[[Request], None]
    """Raises Refused for a request without permission to play."""
    may_play: Callable[[Request], bool]
    """Returns whether a request has permission to play."""
    viewer: Callable[[Request], Viewer]
    """Returns the language and the seat of a request."""
    changed: Callable[[], None]
    """Makes every open page refresh its state."""
