"""Hints given at a board.

A separate process makes each hint. It receives only what the seat knows. Before showing the hint,
the board writes `N hint` into the record, once per decision. Hints may be ruled out by the
configuration, by a match or by muggins.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from textwrap import wrap
from typing import Any, Final, Protocol

from boardctl.bot import seated
from boardctl.bot.board_player import BoardPlayer
from boardctl.bot.habits import is_decision
from boardctl.bot.seated import own_cards
from boardctl.console.keypad.screen import COLUMNS
from boardctl.console.table_controller import TableController
from boardctl.games import COUNTS, IllegalMove, Move, Prompt
from boardctl.games.cards import Card, pictured
from boardctl.record.position import Position
from boardctl.record.record import Record
from boardctl.record.visibility import GameLines, attempt
from boardctl.storage.child import Starter
from boardctl.table import Table
from boardctl.text import hints as words
from boardctl.text import moves, spoken

PATIENCE: Final = 30.0
"""The time limit for a hint, in seconds. A Raspberry Pi Zero 2 W needs several seconds to start the
process."""


class HintedBoard(Protocol):
    """The interface that a board must provide for hints."""

    @property
    def table(self) -> Table:
        """The table, which is the only writer of the record."""

    @property
    def child(self) -> Starter:
        """Starts the computer player's process."""

    @property
    def controller(self) -> TableController:
        """Shows and speaks a hint."""

    @property
    def player(self) -> BoardPlayer:
        """The computer player, which does not receive hints."""

    @property
    def no_hints(self) -> str:
        """The code for the reason why hints are not given at this table, or an empty string if they
        are allowed."""


def hint_kind(position: Position, prompt: Prompt, seat: int | None) -> str:
    """Return the kind of decision for which a seat may receive a hint now: `count`, `decision` or
    an empty string."""
    asks = [ask for ask in prompt.asks if seat is not None and ask.seat == seat]
    if any(position.kind(ask.move) in COUNTS and ask.kind == "confirm" for ask in asks):
        return "count"
    return "decision" if any(is_decision(position, ask.move) for ask in asks) else ""


class BoardHints:
    """The hints of one board. It makes one hint at a time."""

    def __init__(self, board: HintedBoard) -> None:
        self._board = board
        self._working = asyncio.Lock()

    def offered(self, prompt: Prompt, record: Record, seat: int) -> bool:
        """Return whether to offer a hint to a seat: hints must be allowed, and the seat's cards
        known.

        Args:
            prompt: the expected entries, as the seat knows them.
            record: the game, as the seat knows it.
            seat: from 1.
        """
        if self.refused(prompt, seat):
            return False
        return (
            hint_kind(record.position, prompt, seat) == "count"
            or own_cards(record, seat) is not None
        )

    def refused(self, prompt: Prompt, seat: int | None) -> str:
        """Return the code for the reason why a seat cannot receive a hint now, or an empty string
        if it can."""
        board, position = self._board, self._board.table.position
        what = hint_kind(position, prompt, seat)
        if seat is None:
            return "hint-no-seat"
        if board.no_hints:
            return board.no_hints
        if not what or position.over or board.player.seat == seat:
            return "hint-not-due"
        setup = position.setup
        if what == "count" and setup is not None and setup.options.get("muggins", "off") != "off":
            return "hints-muggins"
        return ""

    def _stands(self, expect: int) -> Table:
        """Return the table. Raises IllegalMove (`stale`) if it has changed since the caller saw
        it."""
        self._board.table.check_newest(expect)
        return self._board.table

    async def find(self, seat: int | None, expect: int) -> dict[str, Any]:
        """Find the hint for a seat, and return it as data (`bot.hints.Hint.as_data`).

        Args:
            seat: from 1.
            expect: the number of the newest line that the caller has seen.

        Raises:
            IllegalMove: if no hint can be given.
        """
        table = self._stands(expect)
        why = self.refused(
            self._board.controller.prompt(table.visible_to(seat).record.position), seat
        )
        if why or seat is None:
            raise IllegalMove(why)
        lines = seated.visible_lines(table.record, GameLines(seat))
        played_for = seated.objective_of(
            table.position, seat, self._board.controller.settings.match
        )
        asked = {"seat": seat, "hint": True, "objective": played_for, "lines": lines}
        try:
            async with asyncio.timeout(PATIENCE), self._working:
                output = await self._answer(json.dumps(asked))
            answer = json.loads(output)
        except (TimeoutError, OSError, ValueError) as error:
            raise IllegalMove("hint-failed") from error
        if answer.get("hint") is None:
            raise IllegalMove("hint-unknown")
        found: dict[str, Any] = answer["hint"]
        return found

    async def _answer(self, request: str) -> bytes:
        """Return the computer player's answer to one request."""
        program = self._board.child("-m", "boardctl.bot.worker", errors=None, nice=5)
        async with program as process:
            output, _ = await process.communicate(request.encode() + b"\n")
        return output

    def give(
        self,
        found: dict[str, Any],
        seat: int,
        language: str,
        expect: int,
        by: str,
        spell: Callable[[tuple[Card, ...], str], str] = lambda cards, language: pictured(cards),
    ) -> dict[str, Any]:
        """Record that a hint is given, and return the hint in words.

        Args:
            found: the result of `find`.
            expect: as for `find`.
            by: the surface that asked for the hint.
            spell: converts cards to words in a language.

        Raises:
            IllegalMove: `stale` if the table has changed.
        """
        table = self._stands(expect)
        visible = table.visible_to(seat).record
        best = table.parse(found["best"]["line"])
        awards = attempt(visible, table.record, best).awards if found["kind"] == "count" else ()
        names = tuple(table.position.seats.values())
        said = words.hint(found, best, awards, names, language, spell)
        if not table.record.was_helped(seat):
            table.submit(Move("hint", seat), by, expect)
        return said


class KeypadHints:
    """Hints that are requested in the keypad's menu, shown on the display and spoken: first a
    nudge, then the move, then the reason.

    Everybody can see the display and hear the voice, and a hint can reveal the player's cards.
    Hints are therefore given only if a single person is at the table.
    """

    def __init__(self, board: HintedBoard, hints: BoardHints) -> None:
        self._board = board
        self._hints = hints
        self._steps: list[str] = []
        """The part of the last hint that has not been shown yet."""
        self._for: tuple[int, int] | None = None
        """The seat that got the last hint, and the number of the newest line after the hint."""
        self._asking: asyncio.Task[None] | None = None

    def ask(self) -> None:
        """Show a hint for the pending decision, or the next part of the hint already shown."""
        if self._asking is None or self._asking.done():
            self._asking = asyncio.get_running_loop().create_task(self._ask(), name="hint")

    async def _ask(self) -> None:
        board = self._board
        language = board.controller.language
        try:
            seat = self._seat()
            if self._for != (seat, board.table.number) or not self._steps:
                await self._renew(seat, language)
        except IllegalMove as error:
            self._show(moves.refusal(error, tuple(board.table.position.seats.values()), language))
        else:
            self._show(self._steps.pop(0))

    async def _renew(self, seat: int, language: str) -> None:
        number = self._board.table.number
        found = await self._hints.find(seat, number)
        hint = self._hints.give(found, seat, language, number, "keypad", spoken.cards)
        self._steps = [hint["nudge"], hint["move"], *filter(None, [" ".join(hint["why"])])]
        self._for = seat, self._board.table.number

    def _seat(self) -> int:
        """Return the seat to which the hint is given. Raises IllegalMove if other players would see
        the hint."""
        position = self._board.table.position
        people = [seat for seat in position.seats if seat != self._board.player.seat]
        if len(people) != 1:
            raise IllegalMove("hint-seen")
        return people[0]

    def _show(self, sentence: str) -> None:
        self._board.controller.announce(tuple(wrap(sentence, COLUMNS)), aloud=(sentence,))
