"""A running board: its table, its drivers, and what the page can see of both."""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Iterable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from boardctl import text
from boardctl.app import config as configuration
from boardctl.app.choices import Choices
from boardctl.app.config import Config
from boardctl.app.hands import Hands
from boardctl.app.night import Night
from boardctl.app.parts import Parts
from boardctl.app.watchdog import Watchdog, interval, notify
from boardctl.board import layout as layouts
from boardctl.board.layout import Layout
from boardctl.board.palette import Frame
from boardctl.board.render import Waiting
from boardctl.console.keypad import Preset
from boardctl.console.keypad.screen import COLUMNS
from boardctl.console.keys import SteadyKeys
from boardctl.console.settings import TableSettings, VoiceSettings
from boardctl.console.table_controller import TableController
from boardctl.drivers.background_display import BackgroundDisplay
from boardctl.drivers.budget import Budgeted
from boardctl.drivers.ports import (
    Clock,
    Display,
    KeyEvent,
    Keys,
    Speaker,
    Wires,
    Worker,
)
from boardctl.features import Feature, Features
from boardctl.games import IllegalMove
from boardctl.message import Message
from boardctl.options import LONGEST, read_file
from boardctl.signals import Signal
from boardctl.storage import child, files
from boardctl.storage.journal import Journal, Writer
from boardctl.table import Receipt, Table, since_boot

if TYPE_CHECKING:
    from boardctl.web.board_view import SetupView

_log: Final = logging.getLogger(__name__)
KEYS: Final = "own-keys"
"""The file in the data directory with the key configuration at the time of the last key press."""


def table_settings(config: Config) -> TableSettings:
    """Return a configuration's table settings."""
    return TableSettings(
        config.game,
        config.players[: config.seats],
        config.players,
        tuple(Preset(p.name, p.game, p.options) for p in config.preset),
        config.telling,
        config.match,
        config.language,
    )


class BoardApp:
    """A running board: table controller, drivers, observers, and what the page can see of them."""

    def __init__(
        self,
        config: Config,
        data: Path,
        clock: Clock,
        wires: Wires | None,
        writer: Worker | None = None,
        features: Iterable[Feature] | None = None,
        open_setup: Callable[[BoardApp], SetupView] | None = None,
        starter: child.Starter | None = None,
    ) -> None:
        """Open everything on the given wires, virtual or real.

        Args:
            writer: runs slow work, such as writing the journal and the display. By default, each
                gets a thread.
            features: the board's features, by default every installed one.
            open_setup: returns this board's setup for a page, if it has one.
            starter: starts programs beside the board, by default as processes.

        Raises:
            LayoutError, JournalError, ConfigError, PortError: with a message of one sentence.
        """
        self._closing = ExitStack()
        self._matrix: Any = None
        self._clock = clock
        self.data = data
        self._frame: Frame = b""
        self.frames: Signal[Frame] = Signal()
        """A signal sent with every frame."""
        self.lines: Signal[tuple[str, ...]] = Signal()
        """A signal sent with the display's lines when they change."""
        self.spoken: Signal[str] = Signal()
        """A signal sent with each spoken text."""
        self.tested: Signal[KeyEvent] = Signal()
        """A signal sent with each of the board's own keys. While a test is connected, the keys do
        not reach the game."""
        self.child: child.Starter = starter or child.running
        """Starts one of boardctl's programs next to this board."""
        self._new_worker: Callable[[str], Worker] = Writer if writer is None else lambda _: writer
        self._config = config
        self._open_setup = open_setup
        self._setup: SetupView | None = None
        self.features = Features(self, features)
        self._keys = repr(config.keys)
        self.knows_its_keys = _read_keys(data) == self._keys
        self.layout: Layout = layouts.load(config.layout)
        self.own_layout = self.layout
        """The board's layout as long as the players fit on it. A simulated board may now use
        another layout."""
        self._is_open = False
        configuration.check_layout(config, self.layout)
        try:
            self._open(config, data, wires)
        except BaseException:
            self._closing.close()
            raise

    def _open(self, config: Config, data: Path, wires: Wires | None) -> None:
        self._writer = self._new_worker("journal")
        self._closing.callback(self._writer.close)
        journal = Journal(data, self._writer, patient=True)
        self._closing.callback(journal.close)
        self.table = Table(
            journal,
            time.time,
            self.layout.tracks,
            since_boot,
            self.features.authorize,
            self.features.outbox_for,
            self._make_room if wires is None else None,
        )
        self._closing.callback(self.table.correct_times)
        if wires is None:
            self._make_room(len(self.table.position.scores))
            wires = self._simulated_wires(config)
        self._closing.callback(wires.close)
        self.legible = self._matrix is not None or config.display is not None
        self.parts = self._parts(config, wires)
        self._closing.callback(self.parts.close)
        self.controller = TableController(
            self.table,
            self.layout,
            self.parts.strip,
            self._clock,
            table_settings(config),
            self.parts.display,
            partial(time.strftime, "%Y-%m-%d"),
            self.features.odds,
            self.features.menu,
            self._seat_of,
        )
        self._choices = Choices(self.controller, data, self._writer)
        self._choices.recall(config)
        if self._matrix is not None:
            self.table.accepted.connect(self._fit)
        self.hands = Hands(self.controller, data, self._writer, self.features.take)
        self._steady = SteadyKeys(self._clock, self._take, lambda: self.controller.timing)
        self._closing.callback(self.features.close)
        self.features.start()
        self._is_open = True
        self.controller.open()
        self._say_if_crowded()
        if journal.is_provisional:
            journal.retry()  # and its failure was reported
        if journal.notice is not None:
            self.controller.report("damaged journal", journal.notice)
        if self.table.rejected_lines:
            self.controller.report("doubtful lines", "; ".join(self.table.rejected_lines))
        self.parts.begin()
        if config.night.begins:
            night = Night(self._clock, config.night, _minute_of_day, self.controller.set_light)
            self._closing.callback(night.close)

    def _seat_of(self, source: str) -> int | None:
        return self.hands.pads.seat_of(source)

    def _simulated_wires(self, config: Config) -> Wires:
        from boardctl.drivers.virtual import VirtualWires

        assert config.leds is not None
        assert config.keys is not None
        virtual = VirtualWires(self._clock, self.lit, config.leds.driver, config.keys.options)
        self._matrix = virtual.keypad
        return virtual

    def _parts(self, config: Config, wires: Wires) -> Parts:
        """Open the parts on the wires."""
        # A virtual strip shows its own frames.
        watch = self.lit if self._matrix is None else lambda frame: None
        parts = Parts(
            self._clock,
            lambda part, reason: self.controller.report(part, reason),
            self._pressed,
            Screen(self.lines.send),
            lambda display: BackgroundDisplay(display, self._clock, self._new_worker("display")),
            self.features.speak,
            Budgeted(None, config.power, watch),
        )
        for part, names in configuration.roles(config).items():
            opened = configuration.driver(part.driver).open_ports
            parts.add(names, partial(opened, part.options, wires))
        return parts

    def _say_if_crowded(self) -> None:
        """Report a game that began on another board and has more sides than this board has tracks.
        Points still count, but the lights stay dark.
        """
        sides, tracks = len(self.table.position.scores), self.layout.tracks
        if sides > tracks:
            language = self.controller.display_language
            fields = {"sides": sides, "tracks": tracks}
            said = text.say(Message("refusal", "too-few-tracks", fields), text.Reader(language))
            _log.warning("%s", said)
            self.controller.announce(tuple(wrap(said, COLUMNS)), aloud=(said,))

    def ready(self) -> None:
        """If systemd started this process, report that the board is ready, and start the
        watchdog."""
        notify("READY=1")
        if not self.table.journal.is_checked:
            checker = self._new_worker("check")
            self._closing.callback(checker.close)
            checker.put(self._check)
        every = interval()
        if every is not None:
            watchdog = Watchdog(
                self._clock,
                self._writer,
                self.parts.alive,
                partial(notify, "WATCHDOG=1"),
                every,
            )
            self._closing.callback(watchdog.close)

    def _check(self) -> None:
        """Check a large journal completely, on a separate thread."""
        wrong = self.table.journal.check()
        if wrong is not None:
            self._clock.call_soon_threadsafe(
                partial(self.controller.report, "damaged journal", wrong)
            )

    def close(self) -> None:
        """Save pending lines and close every part."""
        self._closing.close()

    # The layout of a simulated board

    @property
    def most_tracks(self) -> int:
        """The maximum number of tracks on this board. A simulated board changes its layout
        automatically."""
        if self._matrix is None:
            return self.layout.tracks
        return max(self.own_layout.tracks, layouts.most_tracks())

    def use_layout(self, layout: Layout) -> None:
        """Give this simulated board a layout of its own. Raises IllegalMove if the players at the
        table do not fit on the layout.
        """
        sides = len(self.table.position.scores)
        if sides > layout.tracks:
            raise IllegalMove("too-few-tracks", sides=sides, tracks=layout.tracks)
        self.own_layout = layout
        self._show_on(layout)

    def _make_room(self, sides: int) -> int:
        """Use a layout with enough tracks for these sides; the board's own if possible."""
        layout = layouts.fitting(self.own_layout, sides)
        if self.layout.tracks < sides <= layout.tracks:
            self._show_on(layout)
        return self.layout.tracks

    def _fit(self, receipt: Receipt) -> None:
        """Return to the board's own layout once the players fit on it."""
        sides = len(receipt.report.position.scores)
        last = receipt.number == self.table.number  # not in the middle of seating players
        if last and self.layout is not self.own_layout and 0 < sides <= self.own_layout.tracks:
            self._show_on(self.own_layout)

    def _show_on(self, layout: Layout) -> None:
        self.layout = layout
        self.table.tracks = layout.tracks
        if self._is_open:
            self.controller.lights.layout = layout
            self.controller.draw()

    # The page's view of the board

    def options(self, key: str) -> Any:
        return getattr(self._config, key)

    def chosen_voice(self, speaker: Speaker) -> VoiceSettings:
        return self._choices.voice(speaker)

    def setup(self) -> SetupView | None:
        if self._setup is None and self._open_setup is not None:
            self._setup = self._open_setup(self)
        return self._setup

    @property
    def has_own_keys(self) -> bool:
        return self._matrix is None

    def announce(
        self, *lines: str, digits: str = "", link: str = "", waiting: Waiting | None = None
    ) -> None:
        if digits and self._matrix is not None:
            _log.warning("The board shows the PIN %s", digits)
        self.controller.announce(lines, "" if self.legible else digits, link, waiting)

    def frame(self) -> Frame:
        return self._frame

    def press(self, key: str, down: bool) -> None:
        if self._matrix is not None:
            (self._matrix.press if down else self._matrix.release)(key)
        else:
            self.controller.on_key(KeyEvent(key, down, self._clock.time()), here=False)

    def _pressed(self, port: Keys, event: KeyEvent) -> None:
        """Handle each key in a separate call, so that a failed call or a removed keypad does not
        affect other keys."""
        self._clock.call_soon_threadsafe(
            lambda: self._on_key(event) if port in self.parts.keys else None
        )

    def _on_key(self, event: KeyEvent) -> None:
        """Handle a press on the board's own keypad."""
        if not self.knows_its_keys and self.has_own_keys:
            self.knows_its_keys = True
            self._writer.put(partial(files.keep, self.data / KEYS, self._keys.encode()))
        if self.tested:
            self.tested.send(event)
        else:
            self._steady.take(event)

    def _take(self, event: KeyEvent) -> None:
        if not self.hands.take(event):
            self.controller.on_key(event)

    def lit(self, frame: Frame) -> None:
        """Pass a sent frame on to the page."""
        self._frame = frame
        self.frames.send(frame)


def _read_keys(data: Path) -> str | None:
    """Return the key configuration at the time of the last key press, or None before the first
    press."""
    try:
        return read_file(data / KEYS, LONGEST).decode()
    except (OSError, ValueError):
        return None


def _minute_of_day() -> float:
    now = time.localtime()
    return now.tm_hour * 60 + now.tm_min + now.tm_sec / 60


class Screen(Display):
    """A display shown on the page."""

    languages = text.LANGUAGES

    def __init__(self, show: Callable[[tuple[str, ...]], None]) -> None:
        self._show = show

    def show(self, lines: tuple[str, ...]) -> None:
        self._show(lines)

    def close(self) -> None:
        """Do nothing, because no resource must be closed."""
