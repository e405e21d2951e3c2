"""The lights of a table: what happened to it lately, drawn on its strip until all has settled.

A position says where the pegs stand. This keeps what a picture needs besides: which pegs walk and
which are not on disk yet, the last answer, a win to celebrate, and how bright the board is. How
all that looks is `board.render`'s; when something happens is told by `controller`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from boardctl.board.layout import Layout
from boardctl.board.render import Event, Picture, Preview, Spelled, Walk, render, settled
from boardctl.drivers.ports import Clock, PortError, Strip, Timer
from boardctl.record.position import Position
from boardctl.record.record import Record, Report

FULL: Final = 1.0
LOOK_BACK: Final = 64
"""How many lines back the last walk is looked for: all of these are kept as positions."""


class Lights:
    """The strip of one table.

    `light` is the share of full light that was chosen, `brightness` what is lit; `preview` is the
    hand that somebody is about to peg, and `asleep` leaves every LED dark. `report` is told why
    the strip fails, None when it does not.
    """

    def __init__(
        self,
        position: Position,
        layout: Layout,
        strip: Strip,
        clock: Clock,
        report: Callable[[str | None], None],
    ) -> None:
        self.layout = layout
        self.light = self.brightness = FULL
        self.preview: Preview | None = None
        self.asleep = False
        self._position = position
        self._strip = strip
        self._clock = clock
        self._report = report
        self._walks: dict[int, Walk] = {}
        self._unsaved: dict[int, frozenset[int]] = {}
        self._event: Event | None = None
        self._celebrate: float | None = None
        self._spelled: Spelled | None = None
        self._animation: Timer | None = None

    def walk_again(self, record: Record) -> None:
        """The last peg that moved walks once more, so that a table sees where it stood."""
        scores = record.position.scores
        for count in range(len(record.moves) - 1, max(0, len(record.moves) - LOOK_BACK), -1):
            before = record.position_at(count).scores
            if before != scores:
                if len(before) == len(scores):
                    self._walks = _walks(before, scores, self._clock.time())
                return

    def accepted(self, number: int, report: Report) -> None:
        """A line was accepted: its pegs walk, and blink until `saved` tells of its number."""
        before, self._position = self._position, report.position
        self._unsaved[number] = frozenset()
        old, new = before.scores, self._position.scores
        now = self._clock.time()
        walks = {}
        if len(old) == len(new) and report.move.verb != "game":
            walks = _walks(old, new, now)
            self._walks |= walks
        self._unsaved[number] = frozenset(walks)
        self._event = Event("accepted", now)
        if not self._position.over:
            self._celebrate = None
        elif not before.over:
            self._celebrate = now

    def saved(self, number: int) -> None:
        """A line is on disk."""
        self._unsaved.pop(number, None)

    def refused(self) -> None:
        """A line was refused."""
        self._event = Event("refused", self._clock.time())

    def spell(self, digits: str) -> None:
        """Tell digits by light; none end it."""
        self._spelled = Spelled(digits, self._clock.time()) if digits else None

    def picture(self) -> Picture | None:
        """What the strip should show now, None before there is a game or while it is asleep."""
        position = self._position
        board = position.scoreboard
        if board is None or self.asleep:
            return None
        return Picture(
            board,
            unsaved=frozenset().union(*self._unsaved.values()),
            won=position.tally.won,
            preview=self.preview,
            walks=tuple(self._walks.values()),
            event=self._event,
            spelled=self._spelled,
            celebrate=self._celebrate,
            brightness=self.brightness,
        )

    def draw(self) -> None:
        """Show the table as it stands now, and again when that changes by itself. Another light
        than before waits until no peg walks and no hand is being counted."""
        now = self._clock.time()
        picture = self.picture()
        if picture is None:
            frame = bytes(3 * self.layout.leds)
        else:
            if (
                self.brightness != self.light
                and picture.preview is None
                and settled(picture, now) is None
            ):
                self.brightness = self.light
                picture = picture._replace(brightness=self.light)
            frame = render(self.layout, picture, now)
        try:
            self._strip.show(frame)
        except PortError as error:
            self._report(error.reason)
        else:
            self._report(None)
        if self._animation is not None:
            self._animation.cancel()
        due = None if picture is None else settled(picture, now)
        self._animation = None if due is None else self._clock.call_at(due, self.draw)


def _walks(before: tuple[int, ...], after: tuple[int, ...], now: float) -> dict[int, Walk]:
    """By side, the pegs that moved from some scores to others."""
    walks = {}
    for side, old in enumerate(before, 1):
        if old != after[side - 1]:
            walks[side] = Walk(side, old, now)
    return walks
