"""Another house at the keypad's menu: its invitation, its questions and their answers."""

from __future__ import annotations

import asyncio
from textwrap import wrap
from typing import TYPE_CHECKING

from boardctl import text
from boardctl.console.keypad import Command
from boardctl.console.keypad.screen import COLUMNS
from boardctl.games import IllegalMove

if TYPE_CHECKING:
    from boardctl.app.board_app import BoardApp
    from boardctl.far.houses import Houses


class FarKeys:
    """What the keypad says to another house, and what the display says of it. A refusal is shown
    there too."""

    def __init__(self, board: BoardApp) -> None:
        self._board = board
        self._asked: tuple[str, int] | None = None
        self._accepting: asyncio.Future[None] | None = None
        board.controller.command_handlers.append(self.command)
        board.far.changed.append(self.told)

    def command(self, command: Command) -> None:
        """Do what the menu says to another house."""
        if command.what != "far":
            return
        try:
            houses = self._board.far.open()
            match command.value:
                case "yes" | "no":
                    houses.answer(command.value == "yes")
                case "stand":
                    houses.let_stand()
                case "play":
                    houses.play(len(houses.houses) - 1)
                case numbers:
                    accepting = self._accept(houses, numbers)
                    self._accepting = asyncio.ensure_future(accepting)
        except IllegalMove as error:
            self._refuse(error)

    def told(self) -> None:
        """The display says once when the other house asks for consent."""
        houses, board = self._board.far.houses, self._board
        asks = None if houses is None else houses.asks
        if asks is not None and asks != self._asked:
            fields = {"name": asks[0][: COLUMNS // 2]}
            board.announce(*text.two_lines("far", "asks", fields, board.controller.language))
        self._asked = asks

    async def _accept(self, houses: Houses, numbers: str) -> None:
        board = self._board
        name = next(iter(board.table.position.seats.values()), "")
        name = name or text.say("far", "somebody", {}, (), board.controller.language)
        try:
            await houses.accept(numbers, name)
        except IllegalMove as error:
            self._refuse(error)
        else:
            board.announce(*text.two_lines("far", "accepted", {}, board.controller.language))

    def _refuse(self, error: IllegalMove) -> None:
        told = text.refusal(error, (), self._board.controller.language)
        self._board.announce(*wrap(told, COLUMNS))
