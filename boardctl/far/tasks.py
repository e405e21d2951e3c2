"""The background tasks and timers of a board."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Coroutine
from typing import Any, Final

from boardctl.mqtt.connection import end_task

_log: Final = logging.getLogger(__name__)
AGAIN: Final = 10.0
"""Seconds before a failed task is tried again."""


class Tasks:
    """A group of background tasks that are ended together."""

    def __init__(self) -> None:
        self._tasks: set[asyncio.Task[None]] = set()
        self._timers: dict[str, asyncio.TimerHandle] = {}
        self.is_closed = False

    def start(self, work: Coroutine[Any, Any, None], name: str) -> None:
        task = asyncio.get_running_loop().create_task(work, name=name)
        self._tasks.add(task)
        task.add_done_callback(self._ended)

    def _ended(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        if not task.cancelled() and (error := task.exception()) and not self.is_closed:
            _log.error("%s: the next event tries again", task.get_name(), exc_info=error)

    def always(
        self, part: Callable[[], Coroutine[Any, Any, None]], again: Callable[[], None], name: str
    ) -> None:
        """Keep a part running. If it fails, log the failure, call `again` and restart the part."""
        self.start(self._always(part, again), name)

    async def _always(
        self, part: Callable[[], Coroutine[Any, Any, None]], again: Callable[[], None]
    ) -> None:
        while True:
            try:
                await part()
            except Exception:  # noqa: BLE001 - keys and lights must keep working
                _log.exception("the games with other houses: a part has failed and begins again")
            await asyncio.sleep(AGAIN)
            again()

    def later(self, name: str, seconds: float, act: Callable[[], None]) -> None:
        """Call a function later. Repeated requests result in a single call."""

        def due() -> None:
            del self._timers[name]
            act()

        if name not in self._timers:
            loop = asyncio.get_running_loop()
            self._timers[name] = loop.call_later(max(seconds, 0.05), due)

    async def close(self) -> None:
        """End all tasks and timers."""
        self.is_closed = True
        for timer in self._timers.values():
            timer.cancel()
        tasks = tuple(self._tasks)
        for task in tasks:
            task.cancel()
        for task in tasks:
            await end_task(task)
