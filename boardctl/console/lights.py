"""A table's output: the lights on its strip, and the pages on its displays.

The scores come from a position. `Lights` adds the other inputs to a picture: the moving pegs, the
pegs not yet saved to disk, the last answer, a win to celebrate, and the brightness. `board.render`
draws the picture until every animation has ended.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Final, Literal, NamedTuple, get_args

from boardctl import text
from boardctl.board.layout import Layout
from boardctl.board.palette import Frame
from boardctl.board.render import (
    Event,
    Picture,
    Preview,
    Spelled,
    Waiting,
    Walk,
    render,
    settled,
)
from boardctl.drivers.ports import Clock, Display, PortError, Strip, Timer, reason_of
from boardctl.record.position import Position
from boardctl.record.record import Record, Report

_log: Final = logging.getLogger(__name__)
FULL: Final = 1.0
Light = Literal["night", "dim", "bright"]
LIGHTS: Final[Mapping[str, float]] = {"night": 0.08, "dim": 0.35, "bright": FULL}
"""The fraction of full brightness for each choice in the keypad's menu."""
LESSON: Final = 600.0
"""Seconds before the LEDs return from an abandoned lesson to the table."""
NOTICING: Final = 0.5
"""Seconds that a reader needs to notice that a page has turned."""
READING: Final = 12.0
"""The number of letters read in a second. An ideogram or kana counts as two letters. The value is
three quarters of the slowest speed of television subtitles, 160 words a minute (Ofcom, "Guidelines
on the provision of television access services")."""
LOOK_BACK: Final = 64
"""The number of lines to search back for the last moved peg. All these positions are kept."""


class Lights:
    """The strip of one table.

    `light` is the chosen fraction of full brightness, and `brightness` the fraction shown now.
    `preview` is the hand about to be pegged. `waiting` is the input for which the board is waiting.
    `spelled` contains digits to show with the LEDs. `asleep` turns every LED off. `odds` returns
    side 1's winning probability for the status light, or None if it must stay hidden. `report` is
    called with the reason when the strip or a drawing fails, and with None when it works again.
    """

    def __init__(
        self,
        position: Position,
        layout: Layout,
        strip: Strip,
        clock: Clock,
        report: Callable[[str | None], None],
        odds: Callable[[Position], float | None] = lambda position: None,
    ) -> None:
        self.layout = layout
        self.light = self.brightness = FULL
        self.preview: Preview | None = None
        self.waiting: Waiting | None = None
        self.spelled: Spelled | None = None
        self.asleep = False
        self._odds = odds
        self.lesson: Position | None = None
        """The position of a lesson, shown instead of the table's until a line is played there."""
        self._lesson_ends: Timer | None = None
        self._position = position
        self._strip = strip
        self._clock = clock
        self._report = report
        self._wrong: str | None = None
        self._walks: dict[int, Walk] = {}
        self._unsaved: dict[int, frozenset[int]] = {}
        self._event: Event | None = None
        self._celebrate: float | None = None
        self._animation: Timer | None = None

    def show_lesson(self, position: Position | None) -> None:
        """Show a lesson's pegs until a line is played, or for `LESSON` seconds. None ends the
        lesson."""
        if self._lesson_ends is not None:
            self._lesson_ends.cancel()
            self._lesson_ends = None
        if position is not None:
            end = partial(self.show_lesson, None)
            self._lesson_ends = self._clock.call_at(self._clock.time() + LESSON, end)
        self.lesson = position
        self.draw()

    @property
    def name(self) -> Light | None:
        """The name of the chosen brightness in `LIGHTS`, or None if it has no name."""
        names: tuple[Light, ...] = get_args(Light)
        return next((name for name in names if LIGHTS[name] == self.light), None)

    def walk_again(self, record: Record) -> None:
        """Animate the last moved peg again, to show its path."""
        scores = record.position.scores
        for count in range(len(record.moves) - 1, max(0, len(record.moves) - LOOK_BACK), -1):
            before = record.position_at(count).scores
            if before != scores:
                if len(before) == len(scores):
                    self._walks = _walks(before, scores, self._clock.time())
                return

    def accepted(self, number: int, report: Report) -> None:
        """Handle an accepted line. Its pegs move, and they blink until `saved` is called with the
        line's number."""
        self.lesson = None
        before, self._position = self._position, report.position
        self._unsaved[number] = frozenset()
        old, new = before.scores, self._position.scores
        now = self._clock.time()
        walks = {}
        if _game(before) != _game(self._position):
            self._walks.clear()
            self._unsaved = {line: frozenset() for line in self._unsaved}
        elif report.move.verb != "game":
            walks = _walks(old, new, now)
            self._walks |= walks
        self._unsaved[number] = frozenset(walks)
        self._event = Event("accepted", now)
        if not self._position.over:
            self._celebrate = None
        elif not before.over:
            self._celebrate = now

    def saved(self, number: int) -> None:
        """Handle a line that has been saved to disk."""
        self._unsaved.pop(number, None)

    def refused(self) -> None:
        """Show that a line was rejected."""
        self._event = Event("refused", self._clock.time())

    def picture(self) -> Picture | None:
        """Return the strip's current picture, or None before the first game or while the board is
        asleep."""
        position = self._position if self.lesson is None else self.lesson
        board = position.scoreboard
        if board is None or self.asleep:
            return None
        if self.lesson is not None:
            return Picture(board, brightness=self.brightness)
        return Picture(
            board,
            unsaved=frozenset().union(*self._unsaved.values()),
            won=position.won_here,
            preview=self.preview,
            walks=tuple(self._walks.values()),
            event=self._event,
            spelled=self.spelled,
            celebrate=self._celebrate,
            brightness=self.brightness,
            odds=self._odds(position),
            waiting=self.waiting,
        )

    def draw(self) -> None:
        """Show the table, and draw again when an animation changes the picture. A change of
        brightness is delayed until no peg is moving and no hand is being counted.

        If the picture cannot be drawn, or the strip has an unexpected error, everything but the
        position is discarded, so that the next drawing starts afresh. The error is logged only
        once.
        """
        if self._animation is not None:
            self._animation.cancel()
            self._animation = None
        now = self._clock.time()
        reason = None
        try:
            frame, next_change = self._drawn(now)
            try:
                self._strip.show(frame)
            except PortError as error:
                reason = error.reason
        except Exception as error:  # noqa: BLE001 - no failed picture may keep the lights dark
            wrong = reason_of(error)
            if wrong != self._wrong:
                _log.exception("the lights could not be drawn")
            self._wrong = wrong
            self.forget()
            self._report(wrong)
            return
        self._wrong = None
        self._report(reason)
        if next_change is not None:
            self._animation = self._clock.call_at(next_change, self.draw)

    def _drawn(self, now: float) -> tuple[Frame, float | None]:
        """Return the current frame, and the time of its next change. The frame is dark if there are
        more sides than tracks. The board also reports this in words (`BoardApp`)."""
        picture = self.picture()
        if picture is None or len(picture.scoreboard.standings) > self.layout.tracks:
            return bytes(3 * self.layout.leds), None
        if (
            self.brightness != self.light
            and picture.preview is None
            and settled(picture._replace(waiting=None), now) is None
        ):
            self.brightness = self.light
            picture = picture._replace(brightness=self.light)
        return render(self.layout, picture, now), settled(picture, now)

    def forget(self) -> None:
        """Forget all movements, blinking and answers. Only the position remains."""
        self._walks.clear()
        self._unsaved.clear()
        self._event = self._celebrate = self.spelled = self.preview = self.waiting = None


def _game(position: Position) -> tuple[object, ...]:
    """Return the values that are constant during a game. Peg movements are shown only within one
    game, on its tracks."""
    board = position.scoreboard
    place = position.session, len(position.finished), len(position.scores)
    return place if board is None else (*place, board.unit, board.goal)


def _walks(before: tuple[int, ...], after: tuple[int, ...], now: float) -> dict[int, Walk]:
    """Return the peg moves between two sets of scores, by side."""
    walks = {}
    for side, old in enumerate(before, 1):
        if old != after[side - 1]:
            walks[side] = Walk(side, old, now)
    return walks


class Announced(NamedTuple):
    """An announcement: its lines, digits to show with the LEDs, a link, and the reason why the
    board is waiting. `since` is the time from which the announcement is shown."""

    lines: tuple[str, ...] = ()
    digits: str = ""
    link: str = ""
    waiting: Waiting | None = None
    on_shown: Callable[[], None] | None = None
    since: float = 0.0

    @property
    def spelled(self) -> Spelled | None:
        return Spelled(self.digits, self.since) if self.digits else None


def reading_time(page: Sequence[str], before: Sequence[str] = ()) -> float:
    """Return the number of seconds for which a page stays on the display.

    Args:
        page: its rows.
        before: the rows of the page before it. An unchanged row is not read again.
    """
    new = [row for n, row in enumerate(page) if list(before[n : n + 1]) != [row]]
    return NOTICING + _letters("".join(new)) / READING


def _letters(text: str) -> int:
    if text.isascii():
        return len(text)
    from unicodedata import east_asian_width

    return sum(2 if east_asian_width(letter) in "WFH" else 1 for letter in text)


class Pager:
    """The lines of one display, and the turning of their pages.

    Args:
        display: the display, or None, in which case no lines are shown.
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
        self._reason: str | None = None
        self.displayed_rows: tuple[str, ...] = ()
        """The rows on the display now, or an empty tuple if they must be shown again."""

    @property
    def languages(self) -> tuple[str, ...]:
        """The languages that the display can show."""
        return self._display.languages if self._display is not None else ("en",)

    def begin(self) -> None:
        """Go back to the first page."""
        self._page = 0
        self._stay()

    def show(self, lines: tuple[str, ...], link: str = "") -> None:
        """Show lines. If there is room, show a link beside them as a QR code."""
        self._lines, self._link = lines, link
        self._draw()

    @property
    def pages(self) -> tuple[tuple[str, ...], ...]:
        """The rows of every page, or an empty tuple if there is no display."""
        if self._display is None:
            return ()
        rows = self._display.rows
        starts = range(0, max(1, len(self._lines)), rows)
        return tuple((self._lines[first : first + rows] + ("",) * rows)[:rows] for first in starts)

    def _draw(self) -> None:
        pages = self.pages
        if self._display is None:
            return
        page = pages[self._page % len(pages)]
        if len(pages) == 1:
            self._stay()
        elif self._turning is None:
            before = pages[(self._page - 1) % len(pages)] if self._page else ()
            there = self._clock.time() + reading_time(page, before)
            self._turning = self._clock.call_at(there, self._turn)
        if page != self.displayed_rows:
            self.displayed_rows = page
            reason = None
            try:
                if self._link:
                    self._display.show_link(self._link, page)
                else:
                    self._display.show(page)
            except Exception as error:  # noqa: BLE001 - a failed display must not stop the others
                reason = reason_of(error)
                if not isinstance(error, PortError) and reason != self._reason:
                    _log.exception("the display could not be shown")
            self._reason = reason
            self._report(reason)

    def _stay(self) -> None:
        """Stop turning pages until there are several pages again."""
        if self._turning is not None:
            self._turning.cancel()
            self._turning = None

    def _turn(self) -> None:
        self._turning = None
        self._page += 1
        self._draw()


class Displays(Display):
    """Several displays with the same content. The limits are those of the smallest display. If a
    display cannot be opened, the others show the reason."""

    def __init__(self, first: Display) -> None:
        self._displays: tuple[Display, ...] = ()
        self.reason: str | None = None
        self.replace((first,))

    def replace(self, displays: tuple[Display, ...]) -> None:
        """Replace the set of displays."""
        self._displays = displays
        self.columns = min(display.columns for display in displays)
        self.rows = min(display.rows for display in displays)
        self.languages = tuple(
            language
            for language in text.LANGUAGES
            if all(language in display.languages for display in displays)
        )

    def add(self, display: Display) -> None:
        """Add a display."""
        self.replace((*self._displays, display))
        self.reason = None

    def remove(self, display: Display) -> None:
        """Remove a display."""
        self.replace(tuple(one for one in self._displays if one is not display))

    def show(self, lines: tuple[str, ...]) -> None:
        self.show_link("", lines)

    def show_link(self, link: str, lines: tuple[str, ...]) -> None:
        for display in self._displays:
            if link:
                display.show_link(link, lines)
            else:
                display.show(lines)
        if self.reason is not None:
            raise PortError("display", self.reason)

    def close(self) -> None:
        """Do nothing, because each display is closed by the code that opened it."""
