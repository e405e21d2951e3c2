"""A board's other houses, whose data is loaded when somebody first plays with another house."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardctl import text
from boardctl.far import BROKER, KEPT, Options, TabOptions
from boardctl.features import Running, RunningBoard
from boardctl.games import IllegalMove, Move
from boardctl.signals import Signal
from boardctl.storage import files
from boardctl.websocket import address

if TYPE_CHECKING:
    from boardctl import mqtt
    from boardctl.far.houses import Houses
    from boardctl.mqtt.connection import Broker

_log: Final = logging.getLogger(__name__)


class OtherHouses(Running):
    """The board's access to other houses. Until it is opened, it is empty and does not import any
    packages."""

    def __init__(
        self, board: RunningBoard, options: Options, broker: mqtt.Options | None = None
    ) -> None:
        """Args:
        broker: the broker of `[mqtt]`, used if `[far]` names none.
        """
        self._board = board
        self._options = options
        self._broker = broker
        self.houses: Houses | None = None
        """The other houses, or None if nobody has played with another house."""
        self.changed: Signal[[]] = Signal()
        """A signal sent after a change between the houses."""
        board.features.connect("far", self.changed, lambda: board.features.changed.send("far"))

    @property
    def is_in_tab(self) -> bool:
        """Whether this board runs in a browser tab."""
        return isinstance(self._options, TabOptions)

    def link(self, spelled: Sequence[str]) -> str:
        """Return the link for an invitation with these words, for a house with a board. If this
        board runs in a browser tab, the link is for anybody with a browser."""
        if self.is_in_tab:
            return self.tab_link(spelled)
        from boardctl.far import invitation_words

        return invitation_words.link(f"{self._options.page}/", spelled)

    def tab_link(self, spelled: Sequence[str]) -> str:
        """Return the link for inviting a house without a board, or an empty string if browsers
        cannot reach the broker."""
        if not self.websocket:
            return ""
        from boardctl.far import invitation_words

        return invitation_words.link(self._options.tab, spelled, self.websocket)

    @property
    def code(self) -> str:
        """The code with which the other house joins this board's own broker, or an empty string if
        it has no broker."""
        if not self._options.own:
            return ""
        from boardctl.far import own_broker

        return own_broker.code(self._board.data)

    @property
    def websocket(self) -> str:
        """The broker's address for browsers, or an empty string if it is not known."""
        if not self.is_in_tab:
            return self._options.websocket
        kept = self._board.data / BROKER
        return kept.read_text("utf-8") if kept.exists() else ""

    @property
    def host(self) -> str:
        """In a browser tab, the broker's host, or an empty string if there is no broker."""
        where = address(self.websocket) if self.is_in_tab else None
        return "" if where is None else where.host

    async def use(self, broker: str) -> None:
        """If this board runs in a browser tab, use this broker to reach the other houses from now
        on. Otherwise do nothing.

        Raises:
            IllegalMove: `far-broker-address` if browsers cannot use the address, `far-other-broker`
            if the listed houses use another broker.
        """
        if not self.is_in_tab or broker == self.websocket:
            return
        where, before = address(broker), address(self.websocket)
        if where is None:
            raise IllegalMove("far-broker-address", value=broker)
        if self.houses is not None:
            if self.houses.contacts.peers and before is not None and before.url != where.url:
                raise IllegalMove("far-other-broker", here=before.host, there=where.host)
            await self.houses.close()
            self.houses = None
        files.replace(self._board.data / BROKER, broker.encode())

    @property
    def is_on(self) -> bool:
        """Whether a game with another house is in progress at the table."""
        return self.houses is not None and self.houses.is_on

    def open(self) -> Houses:
        """Return the other houses. The first call loads their data.

        Raises:
            IllegalMove: `far-missing` without the required packages, `far-unsafe` with a libsodium
                that accepts points outside the group, `far-no-broker` without a broker,
                `far-unreadable` if the stored state cannot be read.
        """
        if self.houses is None:
            try:
                from boardctl.far import group
                from boardctl.far.houses import Houses
            except ImportError as error:
                _log.warning("no game with another house: %s", error)
                raise IllegalMove("far-missing") from error
            try:
                group.self_test()
            except group.UnsafeLibrary as error:
                _log.error("no game with another house: libsodium takes a false point: %s", error)
                raise IllegalMove("far-unsafe") from error
            broker = self._reached()
            try:
                self.houses = Houses(self._board, broker)
            except (OSError, KeyError, TypeError, ValueError) as error:
                _log.error("the games with other houses cannot be read: %s", error)
                raise IllegalMove("far-unreadable") from error
            self.houses.changed.connect(self.changed.send)
        return self.houses

    def _reached(self) -> Broker:
        """Return the broker. Raises IllegalMove if there is none."""
        from boardctl.mqtt import in_browser
        from boardctl.mqtt.connection import Broker

        if self.is_in_tab:
            websocket = address(self.websocket)
            if websocket is None:
                raise IllegalMove("far-tab-broker")
            return in_browser.broker(websocket)
        far, own = self._options, self._broker
        if far.own:
            from boardctl.far import own_broker

            return own_broker.reached(self._board.data, far.port)
        if not far.host and (own is None or not own.enabled):
            raise IllegalMove("far-no-broker")
        where = far if far.host or own is None else own
        return Broker(
            where.host,
            where.port,
            where.tls,
            Path(where.ca) if where.ca else None,
            where.user or getattr(where, "board", "") or None,
            Path(where.password_file) if where.password_file else None,
        )

    @property
    def is_elsewhere(self) -> bool:
        return self.is_on

    async def run(self) -> None:
        """Resume the work that was interrupted by the last restart, and run until cancelled. Run
        the broker too, if this board is the broker for both houses."""
        if (self._board.data / KEPT).exists():
            try:
                self.open()
            except IllegalMove as error:
                controller = self._board.controller
                controller.report("far", text.refusal(error, text.Reader(controller.language)))
        try:
            await self._serve()
        finally:
            await self.end()

    async def _serve(self) -> None:
        """If this board is the broker for both houses, run the broker until cancelled."""
        far = self._options
        if not far.own:
            await asyncio.Event().wait()
        from boardctl.far import own_broker

        report = partial(self._board.controller.report, "far")
        await own_broker.serve(self._board.data, far.own, far.port, report)

    def authorize(self, moves: Sequence[Move], by: str, seat: int | None) -> None:
        """Refuse a line that this house may not enter."""
        if self.houses is not None:
            self.houses.authorize(moves, by, seat)

    async def end(self) -> None:
        """Stop talking to the other houses."""
        if self.houses is not None:
            await self.houses.close()
