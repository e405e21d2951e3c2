"""The other houses of a board, opened when somebody first plays with one."""

from __future__ import annotations

import logging
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardctl import mqtt
from boardctl.far import Options
from boardctl.games import IllegalMove
from boardctl.table import notify

if TYPE_CHECKING:
    from boardctl.console.board import Board
    from boardctl.far.houses import Houses

_log: Final = logging.getLogger(__name__)


class OtherHouses:
    """What a board has of other houses: nothing, and no package for it, until it is opened."""

    def __init__(self, board: Board, options: Options, broker: mqtt.Options) -> None:
        """`broker` is the one of `[mqtt]`, used where `[far]` names none."""
        self._board = board
        self._options = options
        self._broker = broker
        self.houses: Houses | None = None
        """The other houses, None while nobody has played with one."""
        self.changed: list[Callable[[], None]] = []
        """Called when something has changed between the houses."""

    @property
    def page(self) -> str:
        """What the link of an invitation begins with."""
        return self._options.page

    @property
    def is_on(self) -> bool:
        """Whether a game with another house is going on at the table."""
        return self.houses is not None and self.houses.is_on

    def open(self) -> Houses:
        """The other houses, opened at the first call.

        Raises:
            IllegalMove: `far-missing` without the packages for it, `far-no-broker` without a
            broker, `far-unreadable` if what was kept cannot be read.
        """
        if self.houses is None:
            try:
                from boardctl.far.houses import Houses
                from boardctl.mqtt.connection import Broker
            except ImportError as error:
                _log.warning("no game with another house: %s", error)
                raise IllegalMove("far-missing") from error
            far, own = self._options, self._broker
            if not far.host and not own.enabled:
                raise IllegalMove("far-no-broker")
            where = far if far.host else own
            broker = Broker(
                where.host,
                where.port,
                where.tls,
                Path(where.ca) if where.ca else None,
                where.user or ("" if where is far else own.board) or None,
                Path(where.password_file) if where.password_file else None,
            )
            try:
                self.houses = Houses(self._board, broker)
            except (OSError, KeyError, TypeError, ValueError) as error:
                _log.error("the games with other houses cannot be read: %s", error)
                raise IllegalMove("far-unreadable") from error
            self.houses.changed.append(self._happened)
        return self.houses

    def _happened(self) -> None:
        notify(self.changed, lambda call: call())

    async def close(self) -> None:
        """Stop talking to the other houses."""
        if self.houses is not None:
            await self.houses.close()
