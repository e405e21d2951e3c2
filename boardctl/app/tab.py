"""A board in a browser tab: the same board and page, without sockets, threads or processes.

The tab's worker (`packaging/tab`) starts Python, opens a `TabBoard` on a folder that the browser
keeps, and forwards the page's requests: each request and each WebSocket is one call to the page's
ASGI application. Programs that normally run beside the board are called as functions
(`child.Reply`). Those that read the folder run in this worker, the others in a second worker
(`Ask`).
"""

from __future__ import annotations

import asyncio
import gc
import json
import random
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable, Sequence
from contextlib import asynccontextmanager
from functools import partial
from importlib import import_module
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final
from urllib.parse import unquote

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.drivers.ports import Clock, Timer
from boardctl.features import Feature, from_each, installed
from boardctl.storage import backup, child
from boardctl.storage.database import JournalError
from boardctl.storage.journal import AtOnce
from boardctl.web.app import make

HOST: Final = "localhost:8121"
"""The address that the page's application uses as its own."""
COPY: Final = "copy.sqlite3"
"""The name of a backup file in the folder while the backup is made or read."""
_FIRST: Final = ("/state", "/layout", "/player", "/far")
"""The requests that a page makes first."""
Ask = Callable[[str, Sequence[str], bytes], Awaitable[tuple[int, bytes]]]
"""A function that runs a program elsewhere: its module, arguments and input -> exit status and
output."""


class TabClock(Clock):
    """The event loop as the board's clock. This class is needed because the event loop in a tab
    rejects times in the past, and outlives the board of a rehearsal."""

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._closed = False

    def time(self) -> float:
        return self._loop.time()

    def call_at(self, when: float, callback: Callable[[], object]) -> Timer:
        return self._loop.call_later(max(0.0, when - self._loop.time()), self._call, callback)

    def call_soon_threadsafe(self, callback: Callable[[], object]) -> object:
        return self._loop.call_soon(self._call, callback)

    def _call(self, callback: Callable[[], object]) -> None:
        if not self._closed:
            callback()

    def close(self) -> None:
        """Call nothing any more."""
        self._closed = True


class InTab:
    """A program called as a function, with the input and output of a process.

    `readline` returns the output for the lines written so far. The rest of the output follows when
    the input has ended.
    """

    def __init__(self, reply: Callable[[bytes], Awaitable[tuple[int, bytes]]]) -> None:
        self._reply = reply
        self._given = b""
        self._output = b""
        self.returncode: int | None = None

    @property
    def stdin(self) -> InTab:
        """The program's input."""
        return self

    @property
    def stdout(self) -> InTab:
        """The program's output."""
        return self

    def write(self, data: bytes) -> None:
        """Write to the program's input."""
        self._given += data

    async def drain(self) -> None:
        """Do nothing, because the input accepts any amount."""

    def close(self) -> None:
        """Do nothing, because the input ends when the output is read."""

    async def readline(self) -> bytes:
        """Read a line of the output, which answers the lines written so far."""
        if b"\n" not in self._output and self._given:
            given, self._given = self._given, b""
            _, output = await self._reply(given)
            self._output += output
        line, end, self._output = self._output.partition(b"\n")
        return line + end

    async def read(self, n: int = -1) -> bytes:
        """Read at most `n` bytes of the output, or no bytes at the end."""
        await self.wait()
        some = self._output if n < 0 else self._output[:n]
        self._output = self._output[len(some) :]
        return some

    async def communicate(self, given: bytes | None = None, /) -> tuple[bytes, bytes]:
        """Send the complete input, and return the complete output."""
        self._given += given or b""
        return await self.read(), b""

    async def wait(self) -> int:
        """End the input, and return the exit status."""
        if self.returncode is None:
            given, self._given = self._given, b""
            self.returncode, output = await self._reply(given)
            self._output += output
        return self.returncode


def starter(data: Path, ask: Ask) -> child.Starter:
    """Return the function that starts programs in a tab.

    Args:
        data: the board's folder. A program whose arguments name this folder is called here.
        ask: runs the other programs elsewhere.
    """

    @asynccontextmanager
    async def running(
        *command: str, errors: int | None = None, memory: int = 0, nice: int = 10
    ) -> AsyncIterator[InTab]:
        _, program, *arguments = command
        done = _here if str(data) in arguments else ask
        yield InTab(partial(done, program, arguments))

    return running


async def _here(program: str, arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    """Run a program in this worker, after the pending callbacks."""
    await asyncio.sleep(0)
    return reply(program, arguments, given)


def reply(program: str, arguments: Iterable[str], given: bytes) -> tuple[int, bytes]:
    """Run a program, and return its exit status and output. The second worker calls this."""
    answered: child.Reply = import_module(program).reply
    return answered(list(arguments), bytes(given))


def own_keys(address: str, features: Iterable[Feature]) -> dict[str, Any]:
    """Return the features' parts of the configuration for a tab at this address."""
    keys: dict[str, Any] = {}
    for own in from_each(
        "tab_options", lambda one: one.tab_options and one.tab_options(address), features
    ):
        keys |= own
    return keys


async def rehearse() -> None:
    """Open a board in a temporary folder, answer the page's first requests, and load the computer
    player. The browser keeps Python's memory after this for faster starts (`renew`)."""
    gc.disable()
    try:
        with TemporaryDirectory() as data:
            board = TabBoard(data, "en", _unasked)
            try:
                for path in _FIRST:
                    await board.request(1, "GET", path, [], b"")
            finally:
                await board.close()
        import_module("boardctl.bot.worker")
        gc.collect()
        gc.freeze()
    finally:
        gc.enable()


def renew() -> None:
    """Continue from kept memory: renew what must differ between starts, the random numbers."""
    random.seed()


async def opened(data: str, language: str, ask: Ask, address: str) -> TabBoard:
    """Open the board in the running event loop. Raises the errors of `TabBoard`."""
    return TabBoard(data, language, ask, address)


async def _unasked(program: str, arguments: Sequence[str], given: bytes) -> tuple[int, bytes]:
    raise AssertionError(program)


class TabBoard:
    """A tab's board, and its page."""

    def __init__(self, data: str, language: str, ask: Ask, address: str = "") -> None:
        """Open the board.

        Args:
            data: the board's folder.
            language: the table's language, if the board speaks it.
            ask: runs programs in another worker.
            address: the tab's address.

        Raises:
            LayoutError, JournalError, ConfigError, PortError: with a message of one sentence.
        """
        self._data = Path(data)
        self._waiting: dict[int, asyncio.Event] = {}
        backup.take_waiting(self._data)
        features = [feature for feature in installed() if feature.in_tab]
        keys: dict[str, Any] = {"language": "ja" if language.startswith("ja") else "en"}
        config = simulated(Config(**keys, **own_keys(address, features)))
        self._clock = TabClock(asyncio.get_running_loop())
        self.board = BoardApp(
            config,
            self._data,
            self._clock,
            None,
            AtOnce(),
            features,
            starter=starter(self._data, ask),
        )
        self._app = make(self.board)
        self._app.state.history.begin()
        self.board.ready()
        self._working = asyncio.ensure_future(self._work())

    async def close(self) -> None:
        """Save pending lines and close the board."""
        self._working.cancel()
        await asyncio.wait((self._working,))
        await self._app.state.history.close()
        self.board.close()
        self._clock.close()

    async def _work(self) -> None:
        async with self.board.features.running():
            await asyncio.Event().wait()

    # Requests of the page

    async def request(
        self, number: int, method: str, target: str, headers: Iterable[Sequence[str]], body: bytes
    ) -> tuple[int, str, bytes]:
        """Answer a request from the page.

        Args:
            number: identifies the request, for `leave`.
            method: the HTTP method.
            target: path and query.
            headers: names and values.
            body: the request's content.

        Returns:
            The status, the headers as JSON, and the content.
        """
        left = self._waiting[number] = asyncio.Event()
        given = [{"type": "http.request", "body": bytes(body), "more_body": False}]
        sent: list[dict[str, Any]] = []

        async def receive() -> dict[str, Any]:
            if given:
                return given.pop()
            await left.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            sent.append(message)

        scope = _scope("http", target, [*headers, ("content-length", str(len(body)))])
        scope["method"] = method
        try:
            await self._app(scope, receive, send)
        finally:
            left.set()
            del self._waiting[number]
        start, *pieces = sent
        named = [
            [key.decode("latin-1"), value.decode("latin-1")] for key, value in start["headers"]
        ]
        content = b"".join(piece.get("body", b"") for piece in pieces)
        return start["status"], json.dumps(named), content

    def leave(self, number: int) -> None:
        """Record that nobody is waiting for the response to a request any more."""
        if number in self._waiting:
            self._waiting[number].set()

    def connect(
        self, target: str, headers: Iterable[Sequence[str]], tell: Callable[[str, Any], object]
    ) -> Socket:
        """Open a WebSocket.

        Args:
            target: path and query.
            headers: names and values.
            tell: called with `accept`, with `message` and its text or bytes, and finally with
                `close`, code and reason.
        """
        scope = _scope("websocket", target, headers)
        scope["subprotocols"] = []
        return Socket(partial(self._app, scope), tell)

    # Its games as one file

    def save(self) -> bytes:
        """Return a backup of the journal. Raises JournalError."""
        copy = self._data / COPY
        copy.unlink(missing_ok=True)
        try:
            backup.save(self._data, copy)
            return copy.read_bytes()
        finally:
            copy.unlink(missing_ok=True)

    def restore(self, content: bytes) -> str:
        """Replace the journal with a backup at the next start. Return an empty string, or one
        sentence that states the reason for a refusal."""
        copy = self._data / COPY
        try:
            copy.write_bytes(bytes(content))
            backup.prepare(copy, self._data)
        except JournalError as error:
            return error.sentence(self.board.controller.language)
        finally:
            copy.unlink(missing_ok=True)
        return ""


class Socket:
    """A WebSocket that the page has opened."""

    def __init__(self, serve: Callable[..., Awaitable[None]], tell: Callable[[str, Any], object]):
        self._coming: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
        self._coming.put_nowait({"type": "websocket.connect"})
        self._tell = tell
        self._task = asyncio.ensure_future(self._run(serve))

    async def _run(self, serve: Callable[..., Awaitable[None]]) -> None:
        closed = (1006, "")

        async def send(message: Any) -> None:
            nonlocal closed
            kind = message["type"].removeprefix("websocket.")
            if kind == "close":
                closed = message.get("code", 1000), message.get("reason") or ""
            elif kind == "send":
                text = message.get("text")
                self._tell("message", message["bytes"] if text is None else text)
            else:
                self._tell(kind, "")

        try:
            await serve(self._coming.get, send)
        finally:
            self._tell("close", json.dumps(closed))

    def say(self, text: str) -> None:
        """Pass on a message from the page."""
        self._coming.put_nowait({"type": "websocket.receive", "text": text})

    def close(self) -> None:
        """Report that the page has closed the socket."""
        self._coming.put_nowait({"type": "websocket.disconnect", "code": 1001})


def _scope(kind: str, target: str, headers: Iterable[Sequence[str]]) -> dict[str, Any]:
    """Return the scope of a connection from this machine to the page's own address
    (asgi.readthedocs.io, "HTTP & WebSocket ASGI Message Format")."""
    path, _, query = target.partition("?")
    named = [("host", HOST), ("origin", f"http://{HOST}"), *headers]
    name, _, port = HOST.partition(":")
    return {
        "type": kind,
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "scheme": "http" if kind == "http" else "ws",
        "path": unquote(path),
        "raw_path": path.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": [(key.lower().encode(), value.encode()) for key, value in named],
        "client": ("127.0.0.1", 1),
        "server": (name, int(port)),
    }
