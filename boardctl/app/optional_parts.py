"""The optional parts of a board: its page and its broker client.

A part that fails is reported on the display and in the log, and retried; keys and lights never
wait for it.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from typing import TYPE_CHECKING, Final

from boardctl.app.config import Config
from boardctl.drivers.ports import PortError

if TYPE_CHECKING:
    from boardctl.console.table_controller import TableController as Controller
    from boardctl.web.board_view import BoardView
    from boardctl.web.serve import Served

_log: Final = logging.getLogger(__name__)
AGAIN: Final = 30.0
"""Seconds between attempts to serve the page."""


class OptionalParts:
    """The page and the broker's client of one board."""

    def __init__(
        self,
        board: BoardView,
        controller: Controller,
        config: Config,
        report: Callable[[str, str | None], None],
    ) -> None:
        """`report` shows on the display which part failed and why, or that it works again."""
        self._board = board
        self._controller = controller
        self._config = config
        self._report = report

    @asynccontextmanager
    async def page(self, is_only_way: bool) -> AsyncIterator[Served | None]:
        """Serve the page while the context lasts; yields the server, None if it starts later.

        Raises:
            PortError: if it cannot be served and is the only way to use the board (simulation).
        """
        from boardctl.web.serve import serve

        serving = serve(self._board, self._config.page)
        try:
            served = await serving.__aenter__()
        except Exception as error:  # whatever is wrong with the page, the board goes on without it
            if is_only_way:
                raise
            task = asyncio.create_task(self._serve_later(error), name="page")
            try:
                yield None
            finally:
                task.cancel()
                await asyncio.wait((task,))
            return
        try:
            yield served
        finally:
            await serving.__aexit__(None, None, None)

    async def _serve_later(self, error: Exception) -> None:
        from boardctl.web.serve import serve

        while True:
            known = isinstance(error, PortError)
            self._report("page", str(error) if known else f"the page failed: {error}")
            await asyncio.sleep(AGAIN)
            try:
                async with serve(self._board, self._config.page) as served:
                    self._report("page", None)
                    _log.warning("The page is served at %s", served.url)
                    await asyncio.Event().wait()
            except Exception as again:  # noqa: BLE001 - as above
                error = again

    @asynccontextmanager
    async def mqtt(self) -> AsyncIterator[None]:
        """Keep the board connected to its broker while the context lasts."""
        try:
            from boardctl.mqtt.client import linked
        except ImportError as error:
            self._report(
                "mqtt", f"[mqtt] needs {error.name}: install boardctl with its extra [mqtt]"
            )
            yield
            return
        report = partial(self._report, "mqtt")
        async with linked(self._controller, self._config.mqtt, report=report):
            yield
