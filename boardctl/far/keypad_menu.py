"""The other house on the keypad and the display: invitations, questions and answers."""

from __future__ import annotations

import asyncio
from functools import partial
from textwrap import wrap
from typing import TYPE_CHECKING, Any, Final

from boardctl import text
from boardctl.console.keypad import screen
from boardctl.console.keypad.mode import Mode
from boardctl.console.keypad.screen import COLUMNS
from boardctl.console.keypad.state import REST, Answer, Command, KeypadState, TableView
from boardctl.games import IllegalMove
from boardctl.message import Message
from boardctl.text import spoken

if TYPE_CHECKING:
    from boardctl.console.table_controller import TableController
    from boardctl.drivers.ports import Timer
    from boardctl.far.game_log import Question
    from boardctl.far.houses import Houses
    from boardctl.far.on_demand import OtherHouses

GONE: Final = 10.0
"""Seconds before the other house's absence is reported. Shorter interruptions are normal."""
PARTNERS: Final = 4
"""The number of seats in a game with two players in each house."""
ANSWERS: Final = {"#": "play", "A": "yes", "B": "no", "C": "stand"}
"""The answers: play with the other house, agree or disagree, or accept its claim."""
INVITATION: Final = 24
"""The number of digits of an invitation: four for each of six words."""


class FarMode(Mode):
    """The mode for entering the numbers of six words, or an answer to the other house."""

    name = "far"

    def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
        """Handle the numbers of an invitation's words and `#`, or an answer to the other house."""
        if key.isdigit() and len(state.keys) < INVITATION:
            return state._replace(keys=state.keys + key), None
        if not state.keys and key in ANSWERS:
            return REST, Command("far", ANSWERS[key])
        if key == "#" and len(state.keys) == INVITATION:
            return REST, Command("far", state.keys)
        return state, None

    def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
        """Show the number of the word being typed, and its digits."""
        if not state.keys:
            return screen.paged(screen.say("far", view), screen.say("far-keys", view).split())
        if len(state.keys) == INVITATION:
            return screen.say("far-all", view), screen.say("yes", view)
        typed = len(state.keys) // 4 * 4
        return screen.say("far-word", view, number=typed // 4 + 1), state.keys[typed:] + "_"

    def spoken(self, state: KeypadState, view: TableView) -> list[str]:
        if not state.keys:
            return [spoken.say("far", view.language)]
        typed = state.keys[-(len(state.keys) % 4) :] if len(state.keys) % 4 else ""
        return [
            *_word_due(state, view),
            *([spoken.key_names(typed, view.language)] if typed else []),
        ]

    def typing(self, state: KeypadState, view: TableView) -> frozenset[str] | None:
        return None

    def grown(self, state: KeypadState, view: TableView) -> list[str]:
        return [] if len(state.keys) % 4 else _word_due(state, view)


def _word_due(state: KeypadState, view: TableView) -> list[str]:
    """Return a text that says which word of the invitation is being typed, or that all words have
    been typed."""
    if len(state.keys) == INVITATION:
        return [spoken.say("press", view.language, what=spoken.say("do-far", view.language))]
    return [spoken.say("word", view.language, number=len(state.keys) // 4 + 1)]


class FarKeys:
    """The keypad commands for another house, and the display's messages about that house. Refusals
    by either house are shown there too."""

    def __init__(self, controller: TableController, far: OtherHouses) -> None:
        self._controller = controller
        self._far = far
        self._absence = ""
        """The words shown while the other house is away."""
        self._reported: tuple[Any, ...] = (None, "", "", "")
        """The question, the notice, the offer and the absence at the last update."""
        self._absence_timer: Timer | None = None
        self._notice: tuple[str, ...] = ()
        self._read: tuple[int, str] = -1, ""
        """The question that the display showed last, to which an answer refers."""
        self._accepting: asyncio.Future[None] | None = None
        controller.commanded.connect(self.command)
        far.changed.connect(self.report)

    def command(self, command: Command) -> None:
        """Carry out a menu command about another house."""
        if command.what != "far":
            return
        try:
            houses = self._far.open()
            match command.value:
                case "yes" | "no":
                    houses.answer(*self._read, command.value == "yes")
                case "stand":
                    houses.let_stand()
                case "play":
                    houses.play(houses.next)
                case numbers:
                    accepting = self._accept(houses, numbers)
                    self._accepting = asyncio.ensure_future(accepting)
        except IllegalMove as error:
            self._refuse(error)

    def report(self) -> None:
        """Update the display's message about the other house: a question, a refusal, a stopped
        game, an invitation, or a change of the house's presence. Each message is shown only once
        while it applies."""
        houses, language = self._far.houses, self._controller.display_language
        asks = None if houses is None else houses.asks
        notice = "" if houses is None else houses.notice(language)
        back = "" if houses is None else self._watch_presence(*houses.presence(language))
        wants = "" if houses is None else houses.invitation(language)
        reported = asks, notice, wants, self._absence
        if reported == self._reported:
            return
        self._reported = reported
        if self._notice:
            self._controller.retract(self._notice)
        self._notice, on_shown = (), None
        if notice:
            self._notice = tuple(wrap(notice, COLUMNS))
        elif houses is not None and asks is not None:
            answer = text.say(Message("far", "answer"), text.Reader(language))
            on_shown = partial(self._show, asks)
            self._notice = (*wrap(f"{houses.question(language)}.", COLUMNS), answer)
        elif wants:
            join = text.say(Message("far", "join"), text.Reader(language))
            self._notice = (*wrap(f"{wants}.", COLUMNS), join)
        elif self._absence or back:
            self._notice = tuple(wrap(self._absence or back, COLUMNS))
        if self._notice:
            self._controller.announce(self._notice, on_shown=on_shown)

    def _show(self, question: Question) -> None:
        """Record that the display is showing a question."""
        self._read = question

    def _watch_presence(self, is_here: bool, presence: str) -> str:
        """Watch the other house's presence, described by `presence`. The house counts as away if no
        message has arrived for a while. Return the words to show once it is back."""
        if not is_here and self._absence:
            self._absence = presence
        elif not is_here and self._absence_timer is None:
            clock = self._controller.clock
            self._absence_timer = clock.call_at(clock.time() + GONE, self._gone)
        elif is_here and self._absence_timer is not None:
            self._absence_timer.cancel()
            self._absence_timer = None
        elif is_here and self._absence:
            self._absence = ""
            return presence
        return ""

    def _gone(self) -> None:
        """Report that the other house has been away for a while."""
        self._absence_timer = None
        houses = self._far.houses
        if houses is not None:
            is_here, presence = houses.presence(self._controller.display_language)
            self._absence = "" if is_here else presence
            self.report()

    async def _accept(self, houses: Houses, numbers: str) -> None:
        language = self._controller.display_language
        seats = self._controller.table.position.seats
        name = seats.get(1) or text.say(Message("far", "somebody"), text.Reader(language))
        partner = seats.get(3, "") if len(seats) == PARTNERS else ""
        try:
            await houses.accept(numbers, name, partner)
        except IllegalMove as error:
            self._refuse(error)
        else:
            lines = text.two_lines("far", "accepted", {}, self._controller.display_language)
            self._controller.announce(lines)

    def _refuse(self, error: IllegalMove) -> None:
        sentence = text.refusal(error, text.Reader(self._controller.display_language))
        self._controller.announce(tuple(wrap(sentence, COLUMNS)))
