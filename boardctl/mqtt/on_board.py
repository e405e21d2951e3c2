"""The connection of one board to its broker."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from functools import partial
from typing import TYPE_CHECKING

from boardctl.features import Running, RunningBoard
from boardctl.mqtt import Options
from boardctl.record.position import Position
from boardctl.storage.journal import Post

if TYPE_CHECKING:
    from boardctl.table import Posts


class MqttOnBoard(Running):
    """The broker client of one board."""

    def __init__(self, board: RunningBoard, options: Options) -> None:
        self._board = board
        self._options = options
        self._post: Posts | None = None

    async def run(self) -> None:
        """Keep the board connected until cancelled, if a broker is configured."""
        if not self._options.enabled:
            return
        report = partial(self._board.controller.report, "mqtt")
        try:
            from boardctl.mqtt.client import linked
            from boardctl.mqtt.results import poster
        except ImportError as error:
            report(f"[mqtt] needs {error.name}: install boardctl with its extra [mqtt]")
            return
        self._post = poster(self._board.table)
        try:
            async with linked(self._board.controller, self._options, report=report):
                await asyncio.Event().wait()
        finally:
            self._post = None

    def outbox_for(self, session: int, before: Position, after: Position) -> Sequence[Post]:
        """Return the results of a finished game for the hub."""
        return () if self._post is None else self._post(session, before, after)
