"""The web server, running in the daemon's event loop, and its announcement on the local network.

Browsers and apps on phones find the page without knowing its address, through DNS-SD over multicast
DNS (RFC 6763, RFC 6762). Avahi's own program answers their queries, even while the daemon sleeps.
Without Avahi, the page can be reached only by its address.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import shutil
import signal
import socket
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator, Callable, Iterator
from typing import Final, NamedTuple

import uvicorn
from starlette.types import ASGIApp

from boardctl import __version__
from boardctl.drivers.ports import PortError, trouble
from boardctl.web import Options, invitation, limits, listen
from boardctl.web.app import make
from boardctl.web.board_view import BoardView

_log: Final = logging.getLogger(__name__)
PROGRAM: Final = "avahi-publish-service"
"""The program that announces the page."""
KINDS: Final = ("_http._tcp", "_boardctl._tcp")
"""The announced services: a page for any browser, and a board for programs that know the interface
(`/openapi.json`)."""
AGAIN: Final = 60.0
"""Seconds before the announcing program is restarted after it has ended."""


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
    """A served page: its address, the link that pairs the browser on this machine, and the
    invitation for phones. The invitation is None if phones cannot reach the page."""

    address: str
    link: str
    phones: Callable[[], invitation.Invitation | None]


@contextlib.asynccontextmanager
async def serve(board: BoardView, options: Options) -> AsyncIterator[Served]:
    """Serve the board's page for the duration of the context, and write the file that `boardctl
    pin` needs. Raises the exceptions of `serve_app`."""
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
                yield Served(url, f"{url}/{invited}" if invited else url, phones)
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
    """Serve an app for the duration of the context, and yield the address for a browser on this
    machine.

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
        date_header=False,  # the tick that `_Server` omits would set the date header
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
    """Return the address to open on this machine, given the address to which the server is
    bound."""
    if host in ("0.0.0.0", "::"):  # every address of this machine, so any will do
        return "127.0.0.1"
    return f"[{host}]" if ":" in host else host


@contextlib.asynccontextmanager
async def announced(port: int, version: str) -> AsyncIterator[None]:
    """Announce a page for the duration of the context. If that fails, log the failure and continue.

    Args:
        port: the page's port.
        version: the program's version, which becomes a TXT record.
    """
    if shutil.which(PROGRAM) is None:
        yield
        return
    name = f"Cribbage board on {socket.gethostname()}"
    records = ("path=/", f"version={version}")
    tasks = [asyncio.create_task(_announce(name, kind, port, records)) for kind in KINDS]
    try:
        yield
    finally:
        for task in tasks:
            task.cancel()
        await asyncio.wait(tasks)


async def _announce(name: str, kind: str, port: int, records: tuple[str, ...]) -> None:
    """Run the announcing program, and restart it whenever it ends. If Avahi is stopped, the program
    waits."""
    logged = ""
    while True:
        try:
            why = await _run(PROGRAM, "--no-fail", name, kind, str(port), *records)
        except OSError as error:
            why = str(error)
        if why != logged:
            logged = why
            # No warning: many machines have the program, but Avahi is not running.
            _log.info("the page is not announced as %s: %s", kind, why)
        await asyncio.sleep(AGAIN)


async def _run(*command: str) -> str:
    """Run a program to its end, or stop it at once if this call is cancelled. Return the last line
    of its error output. Raises OSError if the program cannot be started."""
    starting = asyncio.ensure_future(
        asyncio.create_subprocess_exec(
            # If the board is killed, its announcement ends too (PR_SET_PDEATHSIG).
            *("setpriv", "--pdeathsig", "TERM", *command),
            stdin=DEVNULL,
            stdout=DEVNULL,
            stderr=PIPE,
            start_new_session=True,  # Ctrl-C in the terminal is for the board
        )
    )
    try:
        return await _last_line(await asyncio.shield(starting))
    except asyncio.CancelledError:
        process = await starting  # a program that has just been started must also end
        # Not `process.terminate()`: it polls first and takes the exit status away from asyncio.
        with contextlib.suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
        await process.wait()
        raise


async def _last_line(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None
    last = ""
    async for line in process.stderr:
        last = line.decode("utf-8", "replace").strip() or last
    return last or f"it ended with status {await process.wait()}"
