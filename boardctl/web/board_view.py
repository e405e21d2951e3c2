"""The page's interface to a board, real or simulated.

All methods are called on the event loop's thread, and so must all callbacks.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from boardctl.board.layout import Layout
from boardctl.board.palette import Frame
from boardctl.bot.board_player import BoardPlayer
from boardctl.console.keypad import Command, Preset, Request
from boardctl.games import Move, Prompt, Telling
from boardctl.record.position import Position
from boardctl.table import Table
from boardctl.web.setup_view import SetupView

if TYPE_CHECKING:
    from boardctl.far.houses import Houses

Unsubscribe = Callable[[], None]


class BoardView(Protocol):
    """A running board as the page sees it.

    The position and the moves are read from `table`, which also notifies observers of every
    accepted move.
    """

    @property
    def data(self) -> Path:
        """The data directory with the journal and the paired phones."""

    @property
    def player(self) -> BoardPlayer:
        """The computer player of this board, which may have no seat."""

    @property
    def houses(self) -> Houses | None:
        """The other houses, None while nobody has played with one."""

    def open_houses(self) -> Houses:
        """The other houses, opened at the first call. Raises IllegalMove if that is not possible:
        `far-missing`, `far-no-broker`, `far-unreadable`."""

    @property
    def house_page(self) -> str:
        """What the link of an invitation to another house begins with."""

    def watch_houses(self, callback: Callable[[], None]) -> Unsubscribe:
        """Call back whenever something changes between the houses, until unsubscribed."""

    @property
    def layout(self) -> Layout:
        """The layout of the board. A simulated board takes another one by itself where its players
        need more tracks."""

    @property
    def most_tracks(self) -> int:
        """The most tracks that it can have."""

    @property
    def table(self) -> Table:
        """The single writer; the page submits with `by="page"`."""

    def prompt(self, seat: int | None) -> Prompt:
        """The game's prompts as far as a seat knows the cards (None: an onlooker), or between games
        that for the next one."""

    @property
    def language(self) -> str:
        """The table's language, `en` or `ja`, for browsers that request neither."""

    @property
    def telling(self) -> Telling:
        """How much is entered at this table; the prompts depend on it."""

    @property
    def roster(self) -> tuple[str, ...]:
        """The players in the config."""

    @property
    def presets(self) -> tuple[Preset, ...]:
        """The rule presets in the config."""

    def setup(self) -> SetupView | None:
        """How it is set up, None if it cannot be from a page."""

    def odds(self) -> float | None:
        """Seat 1's chance of winning as an onlooker sees it; None if it is not known, or is not
        to be shown at this table."""

    @property
    def no_hints(self) -> str:
        """The code of the reason why nobody gets a hint at this table, empty if they do."""

    def lend_lamps(self, position: Position | None) -> None:
        """Have the lamps show the pegs of a lesson's position until a line is played at the table;
        None gives them back."""

    def obey(self, command: Command) -> None:
        """Carry out a command of the keypad's menu: `telling`, `language`, `light`, `voice`,
        `goodnight`. Raises IllegalMove if somebody is typing at the board and it cannot be now."""

    def withdraw(self, move: Move) -> None:
        """Stop showing an offered move; does nothing if it is not shown."""

    def announce(self, *lines: str, digits: str = "", link: str = "") -> None:
        """Show lines on the small display until the next key, with `link` as a QR code where there
        is room; a board without a display shows the digits as light, one hole per count."""

    @property
    def pressed_here(self) -> bool:
        """Whether the last key was pressed on the board itself. A simulated board has only the
        page's keys; it shows a PIN in the terminal."""

    @property
    def has_own_keys(self) -> bool:
        """Whether the board has real keys; a simulated board has only those of the page."""

    @property
    def knows_its_keys(self) -> bool:
        """Whether one of its real keys was ever pressed since they are configured as they are; on
        a board that is being set up they may not be wired yet."""

    @property
    def is_typing(self) -> bool:
        """Whether somebody at the board is in the middle of an entry."""

    def show_requests(self, source: Callable[[], tuple[Request, ...]]) -> None:
        """Let the keypad's menu allow what `source` returns then, with the command `allow`."""

    @property
    def legible(self) -> bool:
        """Whether digits are shown on a display rather than as light."""

    def offer(self, move: Move) -> None:
        """Show on the board what a hand entered on the page would earn; the keypad's menu can take
        it."""

    def watch_commands(self, callback: Callable[[Command], None]) -> Unsubscribe:
        """Call back with the keypad's commands for the page: `pair` with `pin` or `forget`, and
        `allow` with the identity of a request."""

    def frame(self) -> Frame:
        """The LEDs' current colours: in simulation decoded from the waveform, on a real board as
        sent. Empty before the first frame."""

    def watch_frames(self, callback: Callable[[Frame], None]) -> Unsubscribe:
        """Call back with every frame until unsubscribed."""

    def display(self) -> tuple[str, ...]:
        """The lines of the small display."""

    def spoken(self) -> str:
        """The same as a sentence to be heard."""

    def watch_display(self, callback: Callable[[tuple[str, ...]], None]) -> Unsubscribe:
        """Call back with the display's lines whenever they change, until unsubscribed."""

    @property
    def light(self) -> str | None:
        """How bright the board is, `night`, `dim` or `bright`; None if something else was
        chosen."""

    def watch_light(self, callback: Callable[[], None]) -> Unsubscribe:
        """Call back whenever that changes, until unsubscribed."""

    def press(self, key: str, down: bool) -> None:
        """Press or release a key of `ports.KEYS`: in simulation a contact of the virtual matrix, on
        a real board an additional KeyEvent."""
