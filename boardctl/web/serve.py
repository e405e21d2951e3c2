"""The web server, running in the daemon's event loop."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import socket
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, NamedTuple

import uvicorn
from starlette.types import ASGIApp

from boardctl import __version__
from boardctl.drivers.ports import PortError, trouble
from boardctl.web import Options, invitation, limits, listen
from boardctl.web.announce import announced
from boardctl.web.app import make
from boardctl.web.board_view import BoardView

_log: Final = logging.getLogger(__name__)


class _Server(uvicorn.Server):
    """uvicorn without signal handlers (the daemon has its own) and without its 10 Hz tick, which
    would wake an idle board."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.end = asyncio.Event()

    @contextlib.contextmanager
    def capture_signals(self) -> Iterator[None]:
        yield

    async def main_loop(self) -> None:
        await self.end.wait()


class Served(NamedTuple):
    """A served page: the address for a browser on this machine, and the invitation for phones, None
    if phones cannot reach it."""

    url: str
    phones: Callable[[], invitation.Invitation | None]


@contextlib.asynccontextmanager
async def serve(board: BoardView, options: Options) -> AsyncIterator[Served]:
    """Serve the board's page while the context lasts, and write the file that `boardctl pin` needs.
    Raises as `serve_app`."""
    app = make(board, options)
    page = app.state.page
    async with serve_app(app, options) as url:
        try:
            invitation.write_key(board.data, url, page.phones.key)
        except OSError as error:
            _log.warning("`boardctl pin` will not find this board: %s", error)

        def phones() -> invitation.Invitation | None:
            if options.private:
                return None
            shown = page.phones.show_pin(invitation.address_for(url.removeprefix("http://")))
            return shown and invitation.Invitation(shown["url"], shown["pin"])

        try:
            invited = page.phones.invite()
            app.state.history.begin()
            async with _announced(options, url):
                yield Served(f"{url}/{invited}" if invited else url, phones)
        finally:
            with contextlib.suppress(OSError):
                (board.data / invitation.KEY).unlink(missing_ok=True)
            await app.state.history.close()


def _announced(options: Options, url: str) -> contextlib.AbstractAsyncContextManager[None]:
    if options.private or not options.announce:
        return contextlib.nullcontext()
    return announced(int(url.rpartition(":")[2]), __version__)


@contextlib.asynccontextmanager
async def serve_app(app: ASGIApp, options: Options) -> AsyncIterator[str]:
    """Serve an app while the context lasts; yield the address for a browser on this machine.

    Raises:
        PortError: if the port is in use, or the host is not an address of this machine.
    """
    listener = _listen(options)
    gate = limits.Gate()
    logging.getLogger("uvicorn.error").addFilter(limits.MALFORMED)  # added only once
    config = uvicorn.Config(
        gate.watch(app),
        http=limits.http(gate),
        ws=limits.socket(gate),
        lifespan="off",
        log_config=None,
        access_log=False,
        proxy_headers=False,
        server_header=False,
        date_header=False,  # the date header is set by the tick that `_Server` leaves out
        timeout_keep_alive=int(limits.HEADER),
        h11_max_incomplete_event_size=limits.HEAD,
        backlog=32,  # connections accepted between two iterations of the loop
        ws_max_size=4096,
        ws_per_message_deflate=False,  # small messages; compression takes a buffer per client
        timeout_graceful_shutdown=5,  # the gate has finished before that
    )
    server = _Server(config)
    task = asyncio.create_task(server.serve([listener]))
    try:
        while not server.started and not task.done():
            await asyncio.sleep(0)
        if task.done():
            task.result()
        host, port = listener.getsockname()[:2]
        yield f"http://{_here(host)}:{port}"
    finally:
        server.end.set()
        await gate.end()
        await task
        listener.close()


def _listen(options: Options) -> socket.socket:
    try:
        return listen(options)
    except OSError as error:
        raise PortError(
            "page",
            trouble("not-served", where=f"{options.host}:{options.port}", reason=error),
        ) from error


def _here(host: str) -> str:
    """Return the address to open on this machine for a bound address."""
    if host in ("0.0.0.0", "::"):  # every address of this machine, so any will do
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host
