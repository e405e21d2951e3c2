"""Work in a separate process: at a low priority, and ended however the work ends.

What takes seconds of a processor (the history, an analysis, a photo) never runs in the process of
keys and light. A process lives no longer than who asked for it: `running` ends it when its block
ends, and `unless_gone` ends the block when the client hangs up.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Coroutine
from contextlib import asynccontextmanager, suppress
from pathlib import Path
from typing import Any, Final, TypeVar

from starlette.requests import ClientDisconnect, Request

T = TypeVar("T")
PIECE: Final = 65_536
"""Bytes that are read at a time."""
_reaping: Final[set[asyncio.Task[None]]] = set()
"""A loop keeps only a weak reference to a task."""


@asynccontextmanager
async def running(
    *command: str, errors: int | None = DEVNULL, memory: int = 0, nice: int = 10
) -> AsyncIterator[Process]:
    """A process with pipes to its input and from its output while the block lasts.

    Args:
        command: the arguments for this Python: `-m`, a module, and its own.
        errors: what becomes of the standard error, as `asyncio.subprocess` says it; None for ours.
        memory: bytes of address space that it may use, 0 for no limit.
        nice: how far it stands back from the processor, where the system allows that.

    Raises:
        OSError: it could not be started.
    """
    # A separate session: Ctrl-C in the terminal is for the board, which ends the process itself.
    process = await asyncio.create_subprocess_exec(
        *(sys.executable, *command),
        stdin=PIPE,
        stdout=PIPE,
        stderr=errors,
        limit=PIECE,
        start_new_session=True,
    )
    _restrain(process.pid, memory, nice)
    try:
        yield process
    finally:
        assert process.stdout is not None
        if process.returncode is None and not process.stdout.at_eof():
            # Not `process.kill()`: it looks first whether the process lives, and so takes its exit
            # status away from asyncio, which then warns.
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        reaping = asyncio.create_task(_reap(process))
        _reaping.add(reaping)
        reaping.add_done_callback(_reaping.discard)
        await asyncio.shield(reaping)


def _restrain(process: int, memory: int, nice: int) -> None:
    """It gets the processor last, and may not grow; where the system knows how and allows it
    (systemd's filter of the service refuses priorities)."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, nice)
    with suppress(OSError):  # where memory is short, it goes and the board stays
        Path(f"/proc/{process}/oom_score_adj").write_text("1000")
    if memory and sys.platform == "linux":
        import resource

        with suppress(OSError):
            resource.prlimit(process, resource.RLIMIT_AS, (memory, memory))


async def _reap(process: Process) -> None:
    """Wait for the end: the pipe is read out first, since one that is paused never ends."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    while await process.stdout.read(PIECE):
        pass
    await process.wait()


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """What some work comes to, while the client waits for it.

    Args:
        request: its body is not read by the work.

    Raises:
        ClientDisconnect: the client has gone; the work was cancelled.
    """
    working = asyncio.ensure_future(work)
    leaving = asyncio.ensure_future(_gone(request))
    try:
        await asyncio.wait((working, leaving), return_when=asyncio.FIRST_COMPLETED)
        if not working.done():
            raise ClientDisconnect
        return await working
    finally:
        for task in (working, leaving):
            task.cancel()
        await asyncio.gather(working, leaving, return_exceptions=True)


async def _gone(request: Request) -> None:
    while (await request.receive())["type"] != "http.disconnect":
        pass
