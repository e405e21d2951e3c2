"""The computer player, the hints and the odds at one board. Each part is created when it is first
used."""

from __future__ import annotations

import asyncio
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any

from boardctl.bot import CHOICE
from boardctl.console.keypad import Command
from boardctl.console.table_controller import TableController
from boardctl.features import Features, Running, RunningBoard
from boardctl.games import Game
from boardctl.record.position import Position
from boardctl.table import Table

if TYPE_CHECKING:
    from boardctl.bot.board_hints import BoardHints, KeypadHints
    from boardctl.bot.board_player import BoardPlayer
    from boardctl.bot.learners import Learners
    from boardctl.storage.child import Starter


class BotOnBoard(Running):
    """The computer player at one board, and its parts."""

    def __init__(self, board: RunningBoard) -> None:
        self._board = board
        match = board.options("match") is not None
        hints, odds = board.options("hints"), board.options("odds")
        self._no_hints = (
            "hints-match" if match and not hints.matches else "" if hints.allowed else "hints-off"
        )
        allowed = odds.matches or not match
        self._on_page = odds.show != "off" and allowed
        self._on_light = odds.show == "board" and allowed
        self._odds: tuple[Position, float | None] | None = None
        board.features.connect("bot", board.controller.commanded, self.command)

    # Properties that the parts need

    @property
    def data(self) -> Path:
        return self._board.data

    @property
    def table(self) -> Table:
        return self._board.table

    @property
    def child(self) -> Starter:
        return self._board.child

    @property
    def controller(self) -> TableController:
        return self._board.controller

    @property
    def features(self) -> Features:
        return self._board.features

    @property
    def no_hints(self) -> str:
        """The code for the reason why hints are not given at this table, or an empty string if they
        are allowed."""
        if self.features.is_elsewhere:
            return "hints-match"
        return "hints-evening" if self.player.plays_evening else self._no_hints

    # The parts

    @cached_property
    def player(self) -> BoardPlayer:
        """The computer player, which need not have a seat."""
        from boardctl.bot.board_player import BoardPlayer

        return BoardPlayer(self._board)

    @cached_property
    def hints(self) -> BoardHints:
        """The hints of this board."""
        from boardctl.bot.board_hints import BoardHints

        return BoardHints(self)

    @cached_property
    def learners(self) -> Learners:
        """The learners stored on this board."""
        from boardctl.bot.learners import FILE, Learners

        return Learners(self.data / FILE)

    @cached_property
    def _keypad_hints(self) -> KeypadHints:
        from boardctl.bot.board_hints import KeypadHints

        return KeypadHints(self, self.hints)

    def command(self, command: Command) -> None:
        """Give a hint when the menu requests one."""
        if command.what == "hint":
            self._keypad_hints.ask()

    # Hooks

    async def run(self) -> None:
        """Play until cancelled. Return at once if neither a page nor a stored choice can give the
        player a seat."""
        if not (self._board.options("page").enabled or (self.data / CHOICE).exists()):
            return
        self.player.begin()
        try:
            await asyncio.Event().wait()
        finally:
            await self.player.close()

    def obstacle(self, game: Game[Any], language: str) -> str:
        """Return the reason why the player cannot play a game. Return an empty string if it can, or
        if it has no seat."""
        return self.player.obstacle(game, language) if self.player.seat else ""

    def odds(self, position: Position) -> float | None:
        """Return the odds for the status light, or None if they are not shown there."""
        return self._computed(position) if self._on_light else None

    def shown_odds(self) -> float | None:
        """Return the odds for the page, or None if they are not shown there."""
        return self._computed(self.table.position) if self._on_page else None

    def _computed(self, position: Position) -> float | None:
        """Return the odds of a position, and cache them."""
        if self._odds is None or self._odds[0] is not position:
            from boardctl.bot.odds import odds

            self._odds = position, odds(position)
        return self._odds[1]
