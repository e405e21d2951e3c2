"""The table controller, which connects all parts of one table, from keys to lights.

Key events become moves, moves are submitted to the table, and the result is shown on the strip and
the display. All times come from the given clock, which is the daemon's event loop or a virtual
clock.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping
from concurrent.futures import Future
from functools import partial
from typing import Final

from boardctl import text
from boardctl.board.layout import Layout
from boardctl.board.render import Preview, Waiting
from boardctl.console import keypad
from boardctl.console.evening import Evening, with_next_deal, with_next_game
from boardctl.console.faults import Faults
from boardctl.console.keypad import (
    Command,
    Item,
    KeypadState,
    Offer,
    Preset,
    Submit,
    TableView,
)
from boardctl.console.keys import PAGE, HeldKeys, table_view
from boardctl.console.lights import LIGHTS, Announced, Lights, Pager
from boardctl.console.requests import Requests
from boardctl.console.settings import TIMINGS, KeyTiming, TableSettings, VoiceSettings
from boardctl.drivers.ports import Clock, Display, KeyEvent, Strip, reason_of
from boardctl.games import Ask, IllegalMove, Move, Prompt, Telling
from boardctl.games.cards import Card
from boardctl.message import Message
from boardctl.record.names import name_key
from boardctl.record.position import Position
from boardctl.signals import Signal
from boardctl.table import Receipt, Table
from boardctl.text import spoken

_log: Final = logging.getLogger(__name__)
MOST_RULES: Final = 20
"""The maximum number of rule sets that people can save at a board."""


class TableController:
    """One table with its keys, lights and display.

    Args:
        today: returns the name of a new evening (a date).
        odds: returns side 1's winning probability, for the status light.
        items: returns the items that features add to the keypad's menu.
        seat_of: returns the seat of a device's holder, or None for the shared keypad. A player's
            device types only that player's entries.
        requests: the requests that the menu can allow.
    """

    def __init__(
        self,
        table: Table,
        layout: Layout,
        strip: Strip,
        clock: Clock,
        settings: TableSettings | None = None,
        display: Display | None = None,
        today: Callable[[], str] = lambda: "evening",
        odds: Callable[[Position], float | None] = lambda position: None,
        items: Callable[[], tuple[Item, ...]] = tuple,
        seat_of: Callable[[str], int | None] = lambda source: None,
        requests: Requests | None = None,
    ) -> None:
        self.table = table
        self.settings = settings or TableSettings()
        self._configured = self.settings.presets
        self.own_rules: tuple[Preset, ...] = ()
        """The rule sets that people have saved at this board."""
        self.telling: Telling = self.settings.telling
        self.chosen_telling: Telling = self.telling
        """The level of entry that people chose. The board may ask for more while the computer
        player or another house plays."""
        self.language = self.settings.language
        self.keypad_state = KeypadState()
        self.pressed_here = True
        """Whether the last key was pressed on the board itself rather than on a page."""
        self.requests = requests or Requests()
        """The requests that the menu can allow."""
        self._began: TableView | None = None
        self._offer: Offer | None = None
        self._queued: Announced | None = None
        self.commanded: Signal[Command] = Signal()
        """A signal sent with each menu command that the table does not carry out itself."""
        self.key_down: Signal[[]] = Signal()
        """A signal sent when a key goes down."""
        self.acted: Signal[str, KeypadState, Submit | Command | None] = Signal()
        """A signal sent when a key has acted, with the previous state and the effect."""
        self.answered: Signal[str] = Signal()
        """A signal sent with its request when a key of `keypad.ANSWERED` is held."""
        self.pointed: Signal[str] = Signal()
        """A signal sent when the pointer moves to a choice, with empty values when the pointer
        stops."""
        self.drawn: Signal[[]] = Signal()
        """A signal sent when displayed content may have changed."""
        self.clock = clock
        self._faults = Faults(clock, self._draw_lines, self.drawn.send, self._draw_again)
        self._items = items
        self._today = today
        self._evening = Evening(table, self.settings, today)
        self._view: tuple[Position, tuple[str, ...], TableView] | None = None
        report = partial(self.report, "leds")
        self.lights = Lights(table.position, layout, strip, clock, report, odds)
        self.adjusted: Signal[[]] = Signal()
        """A signal sent when the voice, the light, the language, the key timing, the level of entry
        or the saved rules have been set."""
        self.voice: VoiceSettings | None = None
        """The voice settings, or None for a board without a voice."""
        self.timing = KeyTiming()
        """The timing of the board's own keys."""
        self._keys = HeldKeys(
            clock,
            self._press,
            lambda: self.view.asks[:1],
            lambda: self.timing,
            lambda: self.voice is not None and self.voice.is_on,
            self.answered,
        )
        self._seat_of = seat_of
        self.hand: int | None = None
        """The seat on whose own pad the last key was pressed, or None for the shared keypad."""
        self._entries: dict[int | None, tuple[KeypadState, TableView | None]] = {}
        self._pointed = ""
        self._pager = Pager(display, clock, partial(self.report, "display"))
        self._message: tuple[str, ...] | None = None
        self._aloud: tuple[tuple[str, ...], tuple[str, ...]] = ((), ())
        self._announced = Announced()
        table.accepted.connect(self._accepted)
        table.journal.failed.connect(self._on_fault)
        table.journal.recovered.connect(self._on_well)

    def open(self) -> None:
        """Resume the last evening or start a new one, and show its state."""
        if self.table.position.game is None:
            self._evening.begin()
        else:
            self.lights.walk_again(self.table.record)
        self.draw()

    def _next_evening(self) -> None:
        """Start the first game of a new evening after a match."""
        if self._evening.begin_after_match():
            self.draw()

    # Keys

    def on_key(self, event: KeyEvent, here: bool = True) -> None:
        """Handle a debounced key edge from the board's own keypad (`here`) or from a page. A key
        that can be held acts on release, with its meaning at the time of the press."""
        place = event.source if here else PAGE
        if event.pressed:
            self.key_down.send()
            self._keys.type_waiting(place)
        if not self.lights.asleep:
            self._keys.edge(event, place)
        elif event.pressed:
            self._wake()

    def forget_keys(self) -> None:
        """Ignore the release of keys that are currently down."""
        self._keys.forget()

    def _take_hand(self, seat: int | None) -> None:
        """Continue the entry on a player's own pad, or on the shared keypad (None)."""
        if seat != self.hand:
            self._entries[self.hand] = self.keypad_state, self._began
            self.keypad_state, self._began = self._entries.pop(seat, (KeypadState(), None))
            if self._began is not None:
                self.keypad_state = keypad.revise(self.keypad_state, self.view)
            self.hand = seat

    def _press(self, key: str, place: str = "", asks: tuple[Ask, ...] | None = None) -> None:
        """Act on a key press from a device. A key on a page does not affect an entry at the board.
        `asks` is the entry that was expected when the key went down, or None if it has just gone
        down."""
        here = place != PAGE
        if self.pressed_here != here and self.keypad_state.is_open:
            if not here:
                return
            self.keypad_state = KeypadState()
        seat = self._seat_of(place) if place and here else None
        self._take_hand(seat)
        self.pressed_here = here
        self._message = None
        self._pointed = ""
        self._pager.begin()
        view = self.view
        if self.keypad_state.is_open and self._began is not None:
            view = view._replace(prompt=self._began.prompt, telling=self._began.telling)
        elif asks is not None and asks != view.asks[:1]:
            self.keypad_state = keypad.refuse(IllegalMove("overtaken"))
            self.draw()
            return
        self._began = view
        before = self.keypad_state
        if seat is None:
            self.keypad_state, effect = keypad.press(before, view, key)
        else:
            self.keypad_state, effect = keypad.press_as(before, view, key, seat)
        self.acted.send(key, before, effect)
        if not (isinstance(effect, Submit) and self._submit(effect.moves)):
            if isinstance(effect, Command):
                self._run_command(effect)
            self.draw()  # otherwise the board was drawn after each accepted move
        if not self.keypad_state.is_open:
            self._announce_queued()

    def _announce_queued(self) -> None:
        """Show the message that was waiting until an entry was finished."""
        if self._queued is not None:
            later, self._queued = self._queued, None
            self.announce(*later[:4], on_shown=later.on_shown)

    @property
    def is_typing(self) -> bool:
        """Whether somebody at the board itself is in the middle of an entry, or is holding the
        first key of one."""
        return (self.pressed_here and self.keypad_state.is_open) or self._keys.are_down

    def offer(self, move: Move) -> None:
        """Show the value of a hand entered on a page, which can then be taken over from the keypad
        menu. Raises IllegalMove if the hand is rejected."""
        awards = self.table.attempt(move).awards
        self._offer = Offer(move, sum(award.points for award in awards))
        self._view = None
        self.draw()

    def enter_cards(self, cards: tuple[Card, ...]) -> None:
        """Show the value of these cards as a hand, which can then be pegged with `#`. Do nothing
        during another entry."""
        if self.keypad_state.mode in ("rest", "refused", "cards"):
            self._message = None
            if not self.keypad_state.is_open:
                self._began = self.view
            self.keypad_state = keypad.enter(self.keypad_state, self.view, cards)
            self.draw()

    def speak(self, move: Move) -> None:
        """Submit a spoken move. If the referee needs more details, the keypad asks for them. Raises
        IllegalMove if the move is rejected."""
        self.keypad_state, effect = keypad.spoken_move(self.view, move)
        if isinstance(effect, Submit):
            self.table.submit_all(effect.moves, "voice")
        elif self.keypad_state.refused is not None:
            raise self.keypad_state.refused
        else:
            self._began = self.view
        self.draw()

    def leave_question(self) -> None:
        """End the referee's question about a hand, if it is being asked."""
        if self.keypad_state.mode == "question":
            self.keypad_state = keypad.REST
            self.draw()

    def withdraw(self, move: Move) -> None:
        """Stop showing an offered move, if it is still shown."""
        if self._offer is not None and self._offer.move == move:
            self._offer = self._view = None
            self.draw()

    def obey(self, command: Command) -> None:
        """Carry out a keypad menu command given on another surface. Raises IllegalMove if the
        command would end the evening during an entry."""
        if command.what == "goodnight" and self.is_typing:
            raise IllegalMove("somebody-types")
        before = self._message
        self._run_command(command)
        if self.keypad_state.is_open:
            self._message = before
        self.draw()

    def _submit(self, moves: tuple[Move, ...]) -> bool:
        """Submit moves together, and return whether they were accepted."""
        return self._enter(partial(self.table.submit_all, moves, "keypad"))

    def _enter(self, submit: Callable[[], object]) -> bool:
        """Submit moves, and show a refusal. Return whether the moves were accepted."""
        try:
            submit()
        except IllegalMove as error:
            self.keypad_state = keypad.refuse(error)
            self.lights.refused()
            return False
        return True

    def _run_command(self, command: Command) -> None:
        if command.what == "telling":
            self.telling = command.value  # type: ignore[assignment]  # the menu offers no other value
            self.chosen_telling = self.telling
            self._adjusted()
        elif command.what == "light":
            self.set_light(command.value)
        elif command.what == "timing":
            name, seconds = TIMINGS[command.value]
            self.timing = self.timing._replace(**{name: seconds})
            self._adjusted()
        elif command.what == "language":
            self.language = command.value
            if self.display_language != command.value:
                self._message = (self._words("only-english"), "")
            self._adjusted()
        elif command.what == "evening":
            code, fields = self._evening.played()
            self._sum_up(code, self._evening.won(), **fields)
        elif command.what == "go-on":
            self._go_on()
        elif command.what == "goodnight":
            self._goodnight()
        else:
            self.commanded.send(command)

    def _go_on(self) -> None:
        """Continue the unfinished game of the previous evening."""
        self._enter(partial(self.table.resume, "keypad"))

    def ask_for_every_card(self) -> None:
        """Ask for every card while the computer player or another house plays, because both need to
        know the cards."""
        self._ask_for("cards")

    def ask_as_chosen(self) -> None:
        """Return to the chosen level of entry, because neither the computer player nor another
        house is playing now."""
        self._ask_for(self.chosen_telling)

    def _ask_for(self, telling: Telling) -> None:
        self.telling = telling
        self._adjusted()
        self.draw()

    def point(self, what: str) -> None:
        """Point at a possible action, on the display and aloud. An empty string ends the
        pointing."""
        self._pointed = what
        self._draw_lines()
        self.pointed.send(what)

    @property
    def display_language(self) -> str:
        """The table's language, or English if the display lacks its characters."""
        return self.language if self.language in self._pager.languages else "en"

    def set_light(self, name: str) -> None:
        """Set the brightness to one of the levels in `LIGHTS`."""
        self.set_brightness(LIGHTS[name])

    @property
    def light(self) -> float:
        """The chosen fraction of full brightness, 0 to 1."""
        return self.lights.light

    def set_brightness(self, share: float) -> None:
        """Set the brightness to a fraction of full brightness, and send `adjusted` immediately."""
        self.lights.light = share
        self.draw()
        self._adjusted()

    def show_voice(self, settings: VoiceSettings | None) -> None:
        """Show the new voice settings, and send `adjusted` immediately."""
        self.voice = settings
        self._adjusted()

    def show_rules(self, own: tuple[Preset, ...]) -> None:
        """Offer these saved sets of rules, listed after the configured ones."""
        self.own_rules = own
        self.settings = self.settings._replace(presets=(*self._configured, *own))
        self._view = None

    def save_rules(self, preset: Preset) -> None:
        """Save a set of rules, replacing any saved set with this name, and send `adjusted`
        immediately.

        Raises:
            IllegalMove: `too-many-rules` if there would be more than MOST_RULES.
        """
        others = self._rules_without(preset.name)
        if len(others) >= MOST_RULES:
            raise IllegalMove("too-many-rules", most=MOST_RULES)
        self.show_rules((*others, preset))
        self._adjusted()

    def remove_rules(self, name: str) -> None:
        """Remove the saved set of rules with this name, if any, and send `adjusted` immediately."""
        self.show_rules(self._rules_without(name))
        self._adjusted()

    def _rules_without(self, name: str) -> tuple[Preset, ...]:
        return tuple(one for one in self.own_rules if name_key(one.name) != name_key(name))

    def _adjusted(self) -> None:
        self.adjusted.send()

    # Displayed content

    def prompt(self, position: Position) -> Prompt:
        """Return the prompt for the latest position, as one viewer sees it: the game's own prompt,
        with the next deal in points-only entry, and with the next game after a game."""
        if position.game is not None and position.over:
            return with_next_game(position, self.settings.match, self._today())
        if self.telling == "points":
            return with_next_deal(position, self.table.record.deal)
        return position.prompt

    @property
    def view(self) -> TableView:
        """The keypad's view of the table, computed once per position."""
        position = self.table.position
        today = self._today() if position.over else ""
        made_of = self.telling, self.language, today
        if self._view is None or self._view[0] is not position or self._view[1] != made_of:
            seen = self.table.visible_to(None).record
            view = table_view(
                self.table,
                seen,
                self.prompt(seen.position),
                self.settings,
                self.telling,
                self.display_language,
                self._offer,
                self.requests.open,
                self._items(),
            )
            self._view = position, made_of, view
        return self._view[2]

    def _words(self, code: str, **fields: object) -> str:
        return text.say(Message("keypad", code, fields), text.Reader(self.display_language))

    def _sum_up(self, code: str, won: dict[str, int], **fields: object) -> None:
        """Show a line, and the number of games that each player has won."""
        self._message = keypad.tally(self._words(code, **fields), won, self.display_language)
        aloud = spoken.head(code, self.language, **fields), *spoken.won(won, self.language)
        self._aloud = self._message, aloud

    @property
    def displayed_rows(self) -> tuple[str, ...]:
        """The rows on the display now."""
        return self._pager.displayed_rows

    @property
    def pages(self) -> tuple[tuple[str, ...], ...]:
        """The rows of every page of the display."""
        return self._pager.pages

    def lines(self) -> tuple[str, ...]:
        """Return the display's current lines, page by page. Lines that are too long continue on the
        next page."""
        return tuple(row for line in self._unwrapped_lines() for row in keypad.rows(line))

    def _unwrapped_lines(self) -> tuple[str, ...]:
        if self._message is not None:
            return self._message
        lines = keypad.lines(self.keypad_state, self.view)
        if self._pointed:
            pointed = tuple(keypad.rows(f">{self._pointed}"))
            return (lines[0], *pointed) if len(pointed) == 1 else pointed[:2]
        return self._faults.lines(lines, self.display_language)

    def announce(
        self,
        lines: tuple[str, ...],
        digits: str = "",
        link: str = "",
        waiting: Waiting | None = None,
        aloud: tuple[str, ...] | None = None,
        on_shown: Callable[[], None] | None = None,
    ) -> None:
        """Show lines on the display until the next key. If there is room, a link appears beside
        them as a QR code. Digits are shown with the LEDs, and the status light shows why the board
        is waiting. If an entry is in progress, the lines appear after it is finished. The voice
        speaks the lines, or `aloud` instead. `on_shown` is called when the display shows the
        lines."""
        if aloud is not None:
            self._aloud = lines, aloud
        announced = Announced(lines, digits, link, waiting, on_shown, self.clock.time())
        if self.keypad_state.is_open:
            self._queued = announced
            return
        self._message, self._announced = lines, announced
        if on_shown is not None:
            on_shown()
        self.draw()

    def retract(self, lines: tuple[str, ...]) -> None:
        """Withdraw these announced lines, whether they are shown or still waiting."""
        if self._queued is not None and self._queued.lines == lines:
            self._queued = None
        if self._message == lines:
            self._message = None
            self.draw()

    @property
    def announced(self) -> tuple[str, ...]:
        """The announced lines, or another message, shown now."""
        return self._message or ()

    @property
    def announced_aloud(self) -> tuple[str, ...]:
        """The announced lines as phrases to speak. All rows of a sentence form one phrase."""
        rows, phrases = self._aloud
        return phrases if self.announced is rows else (" ".join(self.announced),)

    @property
    def _extras(self) -> Announced:
        """The digits, link and waiting reason of the message that is shown."""
        shown = self._message is not None and self._message is self._announced.lines
        return self._announced if shown else Announced()

    def draw(self) -> None:
        """Show the current state on the strip and the display."""
        self.lights.preview = self._preview()
        beside = self._extras
        self.lights.waiting, self.lights.spelled = beside.waiting, beside.spelled
        self.lights.draw()
        self._draw_lines()
        self.drawn.send()

    def _preview(self) -> Preview | None:
        state = self.keypad_state
        move, points = state.move, state.points
        if self._offer is not None and not state.is_open:
            move, points = self._offer
        elif state.mode not in ("preview", "question"):
            return None
        if move is None or move.seat is None:
            return None
        return Preview(self.view.side(move.seat) + 1, points)

    def _draw_lines(self) -> None:
        try:
            lines = self.lines()
        except Exception as error:  # noqa: BLE001 - no failed text may keep the display dark
            _log.exception("the display could not be drawn")
            self._forget()
            self.report("display", reason_of(error))
            return
        self._pager.show(lines, self._extras.link)

    def _draw_again(self) -> None:
        """Draw everything again, including text that the display should already show."""
        self._pager.displayed_rows = ()
        self.draw()

    @property
    def faults(self) -> Mapping[str, str]:
        """The failed parts, each with its reason."""
        return self._faults.reasons

    def report(self, part: str, reason: str | None) -> None:
        """Report that a part has failed, with the reason, or that it works again (None)."""
        self._faults.report(part, reason)

    def _forget(self) -> None:
        """Forget all entries and messages, so that the next drawing shows only the table."""
        self.lights.forget()
        self.keypad_state = KeypadState()
        self._entries.clear()
        self._pointed = ""
        self._message = self._view = self._offer = self._queued = None
        self._pager.begin()
        self._pager.displayed_rows = ()

    # Saving

    def _accepted(self, receipt: Receipt) -> None:
        """Handle an accepted move from any surface."""
        position = receipt.report.position
        # a phone continues playing after goodnight
        if position.game is not None and self.lights.asleep:
            self._light_up()
        self._offer = None  # the page itself notices changes of the table
        try:
            self.lights.accepted(receipt.number, receipt.report)
            # otherwise the light would come before the next view
            if self.keypad_state != keypad.REST:
                self.keypad_state = keypad.revise(self.keypad_state, self.view)
        except Exception:  # noqa: BLE001 - failed cleanup must not keep a line from showing
            _log.exception("the table could not show line %d in what it showed", receipt.number)
            self._forget()
        if position.game is None and position.session is not None:
            self.clock.call_soon_threadsafe(self._next_evening)
        if not receipt.saved.done():
            self.draw()
        receipt.saved.add_done_callback(partial(self._on_saved, receipt.number))

    def _on_saved(self, number: int, saved: Future[None]) -> None:
        """Handle a saved line, on the journal's thread."""
        self.clock.call_soon_threadsafe(partial(self._saved, number))

    def _saved(self, number: int) -> None:
        self.lights.saved(number)
        if self.faults:
            self.report("journal", None)
        self.draw()

    def _on_fault(self, reason: str) -> None:
        """Handle a failed write, which will be retried. This is called on the journal's thread."""
        self.clock.call_soon_threadsafe(partial(self._not_saved, reason))

    def _on_well(self) -> None:
        """Handle a recovered write, on the journal's thread."""
        self.clock.call_soon_threadsafe(partial(self.report, "journal", None))

    def _not_saved(self, reason: str) -> None:
        self._faults.not_saved(reason, self.table.journal.retry)
        self.draw()

    # The end of the evening

    def _goodnight(self) -> None:
        """Show the evening's summary, close the session, wait until it is saved, and turn off the
        lights."""
        won = self._evening.won()
        self._sum_up("saving", won)
        self._evening.end(lambda saved: self.clock.call_soon_threadsafe(partial(self._sleep, won)))

    def _sleep(self, won: dict[str, int]) -> None:
        self.lights.asleep = True
        self._keys.forget()
        self._sum_up("safe", won)
        self.draw()

    def _light_up(self) -> None:
        """Turn the lights on again after goodnight, and remove the goodnight message."""
        self.lights.asleep = False
        self._message = None

    def _wake(self) -> None:
        self._light_up()
        self._evening.begin()
        self.draw()
