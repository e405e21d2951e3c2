"""Slow work for the page's clients. Clients at different addresses take turns, and a client's work
ends when it disconnects.

Each request for slow work waits for a turn. A free turn goes to the address that has waited longest
since its last turn. A phone in the household therefore waits only for the work in progress, even if
a guest has sent many requests before.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncIterator, Awaitable, Callable, Coroutine
from contextlib import asynccontextmanager
from dataclasses import dataclass, field
from http import HTTPStatus
from typing import Any, Final, TypeVar

from starlette.requests import ClientDisconnect, Request
from starlette.responses import StreamingResponse
from starlette.types import Receive, Scope, Send

from boardctl.web.guard import Refused
from boardctl.web.pairing import network

EACH: Final = 10
"""The maximum number of one address's requests in progress or waiting. Further requests are
refused."""
ADDRESSES: Final = 64
"""The maximum number of addresses with waiting requests. Requests from other addresses are
refused."""


@dataclass(eq=False)
class _Address:
    """The requests from an address: its current turns, its waiting requests, and the order of its
    last turn."""

    having: int = 0
    waiting: deque[asyncio.Future[None]] = field(default_factory=deque)
    last: int = 0

    def next(self) -> asyncio.Future[None] | None:
        """Return the request that has waited longest, ignoring cancelled requests."""
        return next((waiter for waiter in self.waiting if not waiter.done()), None)


class Turns:
    """The turns for one kind of work.

    Args:
        at_once: the number of simultaneous turns.
        each: the maximum number of an address's requests that have or await a turn.
        addresses: the maximum number of addresses that have or await a turn.
    """

    def __init__(self, at_once: int = 1, each: int = EACH, addresses: int = ADDRESSES) -> None:
        self._free = at_once
        self._each = each
        self._most = addresses
        self._addresses: dict[str, _Address] = {}
        self._given = 0

    @asynccontextmanager
    async def of(self, address: str) -> AsyncIterator[None]:
        """Take a turn for the duration of the `with` block.

        Args:
            address: the requester's network address. A household has one IPv6 network.

        Raises:
            Refused: too many requests have or await a turn.
        """
        name = network(address)
        asking = self._addresses.get(name)
        if asking is None:
            if len(self._addresses) >= self._most:
                raise _busy()
            asking = self._addresses[name] = _Address()
        if asking.having + len(asking.waiting) >= self._each:
            raise _busy()
        waiter = asyncio.get_running_loop().create_future()
        asking.waiting.append(waiter)
        self._give()
        try:
            await waiter
            yield
        finally:
            if waiter.cancelled():
                asking.waiting.remove(waiter)
            else:
                asking.having -= 1
                self._free += 1
                self._give()
            if not asking.having and not asking.waiting:
                del self._addresses[name]

    def _give(self) -> None:
        """Assign free turns to waiting requests."""
        while self._free:
            waiting = [one for one in self._addresses.values() if one.next() is not None]
            if not waiting:
                return
            first = min(waiting, key=lambda one: one.last)
            waiter = first.next()
            assert waiter is not None
            first.waiting.remove(waiter)
            waiter.set_result(None)
            self._given += 1
            self._free -= 1
            first.having += 1
            first.last = self._given


def _busy() -> Refused:
    return Refused(HTTPStatus.SERVICE_UNAVAILABLE, "busy")


T = TypeVar("T")


async def unless_gone(request: Request, work: Coroutine[Any, Any, T]) -> T:
    """Return the result of some work, unless the client disconnects first.

    Args:
        request: the request, whose body the work must not read.

    Raises:
        ClientDisconnect: the client has disconnected, and the work was cancelled.
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


class Streamed(StreamingResponse):
    """A response that always closes its source. Otherwise, if the client disconnected before the
    first chunk, the generator would not have started, and its `finally` would not run."""

    def __init__(
        self, pieces: AsyncIterator[bytes], end: Callable[[], Awaitable[None]], **more: Any
    ) -> None:
        super().__init__(pieces, **more)
        self._end = end

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        try:
            await super().__call__(scope, receive, send)
        finally:
            await self._end()
