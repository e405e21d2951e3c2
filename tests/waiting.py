"""Waiting for other tasks, threads and processes in tests on a real event loop."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Final

PATIENCE: Final = 120.0
"""Seconds after which a wait fails. This limit only ensures that a failing test ends."""


async def until(true: Callable[[], object], why: str = "not so yet") -> None:
    """Wait until something is true, while the loop's other tasks go on."""
    try:
        async with asyncio.timeout(PATIENCE):
            while not true():
                await asyncio.sleep(0.005)
    except TimeoutError:
        raise AssertionError(why) from None
