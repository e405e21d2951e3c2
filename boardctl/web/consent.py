"""Questions to whoever is at the board, answered with the board's own keys.

A short press of `#` is a yes, any other key a no. A question counts only while the board shows it,
and for the first second not at all: a key that was on its way when it appeared answers nothing.
docs/security.md lists what is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Final

from boardctl import text
from boardctl.drivers.ports import KeyEvent
from boardctl.web.board_view import BoardView

WAITS: Final = 60.0
"""Seconds for which a question of the setup page waits."""
UNREAD: Final = 1.0
"""Seconds for which a new question cannot be answered with yes: nobody has read it."""
HOLD: Final = 1.0
"""Seconds after which `#` counts as held, which opens the menu and is a no here."""
PAUSE: Final = 60.0
"""Seconds after a no in which the setup page may ask nothing more."""
_YES: Final = "#"
_AS_LIGHT: Final = "0" * 12
"""A question on a board without a display: all ten holes light up, for as long as it waits."""


class NoConsent(Exception):
    """Nobody at the board has agreed; `code` is that of a sentence (`refusal.CODE`)."""

    def __init__(self, code: str) -> None:
        super().__init__(code)
        self.code = code


@dataclass(eq=False)
class _Question:
    """An open question: what is shown for it, since when, and who is told the answer."""

    lines: tuple[str, ...]
    since: float
    answered: Callable[[bool], None]
    pressed: float | None = None


class Consent:
    """The one open question of a board, if any."""

    def __init__(
        self, board: BoardView, private: bool, steady: Callable[[], float] = monotonic
    ) -> None:
        """`private` is whether only this machine is served; `steady` returns seconds of a
        monotonic clock."""
        self._board = board
        self._private = private
        self._steady = steady
        self._open: _Question | None = None
        self._no_until = 0.0
        board.watch_own_keys(self._key)

    @property
    def is_needed(self) -> bool:
        """Whether the setup page has to ask: if phones can be paired, and the board has keys that
        work. Nobody could answer before they are wired."""
        return not self._private and self._board.has_own_keys and self._board.knows_its_keys

    @property
    def is_open(self) -> bool:
        """Whether a question waits for its answer."""
        return self._open is not None

    def ask(
        self, lines: tuple[str, ...], answered: Callable[[bool], None], digits: str, link: str = ""
    ) -> None:
        """Show a question; it replaces an open one, whose answer is no.

        Args:
            lines: what is shown.
            answered: is called once with the answer.
            digits: are shown as light by a board without a display.
            link: is shown beside the lines where there is room.
        """
        self.end()
        self._open = _Question(lines, self._steady(), answered)
        self._board.announce(*lines, digits=digits, link=link)

    async def obtain(self, what: str) -> None:
        """Ask if it is needed (`consent.WHAT-1`, `-2`), and wait for the yes.

        Raises:
            NoConsent: `asking` if the board asks already, `said-no`, `nobody-agreed` if no key is
            pressed in time, `asked-too-soon` after a no.
        """
        if not self.is_needed:
            return
        if self._open is not None:
            raise NoConsent("asking")
        if self._steady() < self._no_until:
            raise NoConsent("asked-too-soon")
        answer: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        lines = text.two_lines("consent", what, {}, self._board.language)

        def answered(yes: bool) -> None:
            if not answer.done():
                answer.set_result(yes)

        self.ask(lines, answered, _AS_LIGHT)
        mine = self._open
        try:
            async with asyncio.timeout(WAITS):
                agreed = await answer
        except TimeoutError:
            raise NoConsent("nobody-agreed") from None
        finally:
            if self._open is mine:
                self._open = None
                self._board.retract(*lines)
        if not agreed:
            self._no_until = self._steady() + PAUSE
            raise NoConsent("said-no")

    def end(self) -> None:
        """Answer an open question with no."""
        self._answer(False)

    def _answer(self, yes: bool) -> None:
        question, self._open = self._open, None
        if question is not None:
            question.answered(yes)

    def _key(self, event: KeyEvent) -> bool:
        """A key of the board's own; whether it was the answer and not for the game."""
        question = self._open
        if question is None:
            return False
        if self._board.announced != question.lines:  # something else is on the display
            self.end()
            return False
        if event.key != _YES:
            if event.pressed:
                self.end()
            return False
        if event.pressed:
            if self._steady() - question.since >= UNREAD:
                question.pressed = event.at
            return True
        if question.pressed is not None:
            self._answer(event.at - question.pressed < HOLD)
        return True
