"""Announces the page on the local network: a phone's browser or app finds it without an address.

DNS-SD over multicast DNS (RFC 6763, RFC 6762), by Avahi's own program: it answers while the daemon
sleeps. Without Avahi, the page is reached by its address.
"""

from __future__ import annotations

import asyncio
import logging
import os
import shutil
import signal
import socket
from asyncio.subprocess import DEVNULL, PIPE
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, suppress
from typing import Final

PROGRAM: Final = "avahi-publish-service"
KINDS: Final = ("_http._tcp", "_boardctl._tcp")
"""The announced services: a page for any browser, and a board for programs that know its interface
(`/openapi.json`)."""
AGAIN: Final = 60.0
"""Seconds before the next attempt after a program ended."""
_log: Final = logging.getLogger(__name__)


@asynccontextmanager
async def announced(port: int, version: str) -> AsyncIterator[None]:
    """Announce a page while the context lasts; if that fails, log it and continue.

    Args:
        port: of the page.
        version: the program's, as a TXT record.
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
    """Run the program, and restart it if it ends. It waits for a stopped Avahi automatically."""
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
    """Run a program to its end, or stop it at once if this is cancelled; return its last line of
    errors. Raises OSError if it cannot be started."""
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
        with suppress(ProcessLookupError):
            os.kill(process.pid, signal.SIGTERM)
        await process.wait()
        raise


async def _last_line(process: asyncio.subprocess.Process) -> str:
    assert process.stderr is not None
    last = ""
    async for line in process.stderr:
        last = line.decode("utf-8", "replace").strip() or last
    return last or f"it ended with status {await process.wait()}"
