"""Work that is counted instead of timed."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final
from unittest.mock import patch

import boardctl

_ROOT: Final = str(Path(boardctl.__file__).parent)


def calls(work: Callable[[], object]) -> int:
    """How many of the project's functions are entered, and generators resumed, on this thread; what
    the garbage collector calls meanwhile is not among them."""
    count = 0

    def entered(frame: FrameType, event: str, _argument: object) -> None:
        nonlocal count
        count += event == "call" and frame.f_code.co_filename.startswith(_ROOT)

    before = sys.getprofile()
    sys.setprofile(entered)
    try:
        work()
    finally:
        sys.setprofile(before)
    return count


@contextmanager
def turns_counted() -> Iterator[list[int]]:
    """Count the project's calls in each turn of an event loop while the block lasts: the list gets
    one number for each callback that a loop on this thread runs."""
    found: list[int] = []
    run = asyncio.Handle._run

    def counted(handle: asyncio.Handle) -> None:
        found.append(calls(lambda: run(handle)))

    with patch.object(asyncio.Handle, "_run", counted):
        yield found
