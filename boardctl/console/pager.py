"""Lines on a display with few rows: what does not fit is shown page by page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from boardctl.board.render import Waiting
from boardctl.drivers.ports import Clock, Display, PortError, Timer

PAGE: Final = 2.0
"""Seconds between the pages of a message longer than the display."""


class Announced(NamedTuple):
    """An announcement: its lines, digits to show as light, its link, and what the board waits for
    meanwhile."""

    lines: tuple[str, ...] = ()
    digits: str = ""
    link: str = ""
    waiting: Waiting | None = None


class Pager:
    """Shows lines on one display and turns its pages.

    Args:
        display: None if there is none; then nothing is ever shown.
        report: called with the reason when the display fails, and with None when it works again.
    """

    def __init__(
        self, display: Display | None, clock: Clock, report: Callable[[str | None], None]
    ) -> None:
        self._display = display
        self._clock = clock
        self._report = report
        self._lines: tuple[str, ...] = ()
        self._link = ""
        self._page = 0
        self._turning: Timer | None = None
        self.shown: tuple[str, ...] = ()
        """The rows on the display now, empty if they have to be shown again."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages whose characters the display has."""
        return self._display.languages if self._display is not None else ("en",)

    def begin(self) -> None:
        """Show the first page from now on."""
        self._page = 0
        self._stay()

    def show(self, lines: tuple[str, ...], link: str = "") -> None:
        """Show lines, with a link beside them where there is room to photograph it."""
        self._lines, self._link = lines, link
        self._draw()

    def _draw(self) -> None:
        if self._display is None:
            return
        rows = self._display.rows
        first = self._page * rows % max(1, len(self._lines))
        page = (self._lines[first : first + rows] + ("",) * rows)[:rows]
        if len(self._lines) <= rows:
            self._stay()
        elif self._turning is None:
            self._turning = self._clock.call_at(self._clock.time() + PAGE, self._turn)
        if page != self.shown:
            self.shown = page
            try:
                if self._link:
                    self._display.show_link(self._link, page)
                else:
                    self._display.show(page)
            except PortError as error:
                self._report(error.reason)
            else:
                self._report(None)

    def _stay(self) -> None:
        """Stop turning pages until there are several again."""
        if self._turning is not None:
            self._turning.cancel()
            self._turning = None

    def _turn(self) -> None:
        self._turning = None
        self._page += 1
        self._draw()
