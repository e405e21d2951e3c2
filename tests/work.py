"""Work that is counted instead of timed."""

from __future__ import annotations

import asyncio
import gc
import sys
import types
import weakref
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Final
from unittest.mock import patch

import boardctl

_ROOT: Final = str(Path(boardctl.__file__).parent)


def calls(work: Callable[[], object]) -> int:
    """Count how many of the project's functions are entered, and generators resumed, on this
    thread. Calls by the garbage collector do not count."""
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


_ALIEN: Final = (type, types.ModuleType, types.FunctionType, types.CodeType, weakref.ref)
"""Types of the objects that belong to the program, and weak references: a connection of sqlite3
drops those to closed cursors only now and then."""


def reachable(*roots: object) -> Counter[str]:
    """Count the objects that these refer to, directly or through others, by their types' names."""
    seen = {id(root): root for root in roots}
    waiting = list(roots)
    while waiting:
        for found in gc.get_referents(waiting.pop()):
            if id(found) not in seen and not isinstance(found, _ALIEN):
                seen[id(found)] = found
                waiting.append(found)
    return Counter(type(found).__qualname__ for found in seen.values())


@contextmanager
def turns_counted() -> Iterator[list[int]]:
    """Count the project's calls in each turn of an event loop while the block lasts. The list gets
    one number for each callback that a loop on this thread runs."""
    found: list[int] = []
    run = asyncio.Handle._run

    def counted(handle: asyncio.Handle) -> None:
        found.append(calls(lambda: run(handle)))

    with patch.object(asyncio.Handle, "_run", counted):
        yield found
