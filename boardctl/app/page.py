"""The page of a board, served beside it.

If the page cannot be served, the board reports this on the display and in the log, and tries again.
The keys and the lights never wait for the page.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, Final

from boardctl.drivers.ports import PortError

if TYPE_CHECKING:
    from boardctl.web import Options
    from boardctl.web.board_view import BoardView
    from boardctl.web.serve import Served

_log: Final = logging.getLogger(__name__)
AGAIN: Final = 30.0
"""Seconds between attempts to serve the page."""


@asynccontextmanager
async def serving(
    board: BoardView, options: Options, is_only_way: bool
) -> AsyncIterator[Served | None]:
    """Serve the page for the duration of the context. Yield the server, or None if it starts later.

    Args:
        is_only_way: whether the board can only be used by its page (simulation).

    Raises:
        PortError: if the page cannot be served and is the only way to use the board.
    """
    from boardctl.web.serve import serve

    page = serve(board, options)
    try:
        served = await page.__aenter__()
    except Exception as error:  # after any error of the page, the board continues without it
        if is_only_way:
            raise
        task = asyncio.create_task(_serve_later(board, options, error), name="page")
        try:
            yield None
        finally:
            task.cancel()
            await asyncio.wait((task,))
        return
    try:
        yield served
    finally:
        await page.__aexit__(None, None, None)


async def _serve_later(board: BoardView, options: Options, error: Exception) -> None:
    from boardctl.web.serve import serve

    report = board.controller.report
    while True:
        known = isinstance(error, PortError)
        report("page", str(error) if known else f"the page failed: {error}")
        await asyncio.sleep(AGAIN)
        try:
            async with serve(board, options) as served:
                report("page", None)
                _log.warning("The page is served at %s", served.address)
                await asyncio.Event().wait()
        except Exception as again:  # noqa: BLE001 - as above
            error = again
