"""Work in a separate low-priority process, which never outlives its caller.

The module that such a process runs defines a function `reply` of type `Reply`, which converts
standard input to standard output. In a browser tab, which cannot start processes, the function is
called directly.

Work that takes seconds of CPU time (the history, an analysis, a photo, the computer player) never
runs in the daemon's process, which handles keys and LEDs. A process never runs longer than its
caller: `running` ends the process at the end of the block.
"""

from __future__ import annotations

import asyncio
import os
import signal
import sys
from asyncio.subprocess import DEVNULL, PIPE, Process
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from pathlib import Path
from typing import Final, Protocol

PIECE: Final = 65_536
"""The number of bytes read at a time."""
Reply = Callable[[Sequence[str], bytes], tuple[int, bytes]]
"""A function that returns a program's exit status and output, given its arguments and its input."""


class Input(Protocol):
    """The standard input of a child."""

    def write(self, data: bytes) -> None:
        """Write bytes."""

    async def drain(self) -> None:
        """Wait until more may be written."""

    def close(self) -> None:
        """End the input."""


class Output(Protocol):
    """The standard output of a child."""

    async def read(self, n: int = -1) -> bytes:
        """Read bytes, or return an empty result at the end of the output."""

    async def readline(self) -> bytes:
        """Read a line, or return an empty result at the end of the output."""


class Child(Protocol):
    """A child program: a process, or its replacement in a browser tab."""

    @property
    def returncode(self) -> int | None:
        """The exit status, or None while the program is running."""

    @property
    def stdin(self) -> Input | None:
        """The standard input."""

    @property
    def stdout(self) -> Output | None:
        """The standard output."""

    async def communicate(self, given: bytes | None = None, /) -> tuple[bytes, bytes]:
        """Send the complete input, and return the complete output."""

    async def wait(self) -> int:
        """Wait until the program ends."""


class Starter(Protocol):
    """A function that starts a child for the duration of a `with` block: `running`, or a version
    without processes."""

    def __call__(
        self, *command: str, errors: int | None = DEVNULL, memory: int = 0, nice: int = 10
    ) -> AbstractAsyncContextManager[Child]:
        """Start one of boardctl's programs, as `running` does."""


_reaping: Final[set[asyncio.Task[None]]] = set()
"""Strong references to tasks, because an event loop keeps only weak references."""


@asynccontextmanager
async def running(
    *command: str, errors: int | None = DEVNULL, memory: int = 0, nice: int = 10
) -> AsyncIterator[Process]:
    """Run a process with pipes for its input and output for the duration of a `with` block.

    Args:
        command: the arguments for this Python: `-m`, a module, and the module's arguments.
        errors: the standard error, as for `asyncio.subprocess`; None to inherit it.
        memory: the limit of its address space in bytes, or 0 for no limit.
        nice: the niceness, if the system allows changing it.

    Raises:
        OSError: if the process could not be started.
    """
    # A separate session: Ctrl-C in the terminal goes to the board, which ends the process itself.
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
            # Not `process.kill()`: it polls the process first and thereby takes its exit status
            # away from asyncio, which then warns.
            with suppress(ProcessLookupError):
                os.kill(process.pid, signal.SIGKILL)
        reaping = asyncio.create_task(_reap(process))
        _reaping.add(reaping)
        reaping.add_done_callback(_reaping.discard)
        await asyncio.shield(reaping)


def _restrain(process: int, memory: int, nice: int) -> None:
    """Lower the process's priority and limit its memory, if the system supports and allows this.
    The systemd filter of the service forbids changing the priority."""
    with suppress(OSError):
        os.setpriority(os.PRIO_PROCESS, process, nice)
    with suppress(OSError):  # if memory runs out, this process is killed and the board survives
        Path(f"/proc/{process}/oom_score_adj").write_text("1000")
    if memory and sys.platform == "linux":
        import resource

        with suppress(OSError):
            resource.prlimit(process, resource.RLIMIT_AS, (memory, memory))


async def _reap(process: Process) -> None:
    """Drain the process's pipe (a paused pipe never reports its end), and wait for the process to
    end."""
    assert process.stdin is not None
    assert process.stdout is not None
    process.stdin.close()
    while await process.stdout.read(PIECE):
        pass
    await process.wait()
