"""The board in a browser's tab: the folder of `make tab`, served by a plain file server."""

from __future__ import annotations

import functools
import json
import ssl
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import BrowserContext, Frame, Page

from tests.parts import need
from tests.web.conftest import Visit, browser_and_loop, chromium, visit
from tools import tab

__all__ = ["browser_and_loop", "chromium", "visit"]

PATIENCE: Final = 240
"""Seconds before a test gives up waiting for Python; a busy machine needs many."""
_SAY: Final = """async (lines) => {
  const headers = { 'content-type': 'application/json' };
  for (const line of lines) {
    const { number } = await (await fetch('state')).json();
    const body = JSON.stringify({ line, expect: number });
    const answer = await (await fetch('lines', { method: 'POST', headers, body })).json();
    if (!answer.state) return `${line}: ${JSON.stringify(answer)}`;
  }
  return '';
}"""
_GET: Final = "async (path) => (await fetch(path)).text()"
_POST: Final = """async ([path, bytes]) =>
  (await fetch(path, { method: 'POST', body: new Uint8Array(bytes) })).text()"""
_ASK: Final = """async ([path, body]) => (await fetch(path, {
  method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify(body),
})).text()"""
START: Final = """(async () => {
  const root = await navigator.storage.getDirectory();
  const folder = await root.getDirectoryHandle(`boardctl${encodeURIComponent(location.pathname)}`);
  const file = await folder.getFileHandle('start', { create: true });
  const kept = await file.getFile();
  const head = kept.size < 12 ? [0, 0, 0] : new Uint32Array(await kept.slice(0, 12).arrayBuffer());
  const [mark, unfinished, text] = head;
  %s
})()"""
"""A script that reads or changes the kept memory's file (`packaging/tab/snapshot.js`)."""
COMPLETE: Final = """
  if (mark === 0 || unfinished > 0) return false;
  const to = await file.createWritable({ keepExistingData: true }).catch(() => null);
  await to?.abort();
  return to !== null;"""
_CHANGE: Final = """
  const to = await file.createWritable({ keepExistingData: true });
  await to.write({ type: 'write', position: %s, data: Uint32Array.of(%d) });
  await to.close();"""
_COPY: Final = """async () => [...new Uint8Array(await (await fetch('tab/copy')).arrayBuffer())]"""


class _Files(SimpleHTTPRequestHandler):
    extensions_map = {  # noqa: RUF012 - as in the base class
        **SimpleHTTPRequestHandler.extensions_map,
        ".mjs": "text/javascript",
        ".wasm": "application/wasm",
    }

    def log_message(self, *_: object) -> None: ...


class Site:
    """A folder that is served below a sub-path."""

    def __init__(self, folder: Path, certificate: Path | None = None, name: str = "") -> None:
        """Args:
        folder: the result of `make tab`.
        certificate: the folder of a certificate with its key, for `https://`.
        name: the name in the certificate.
        """
        self.folder = folder
        make = functools.partial(_Files, directory=str(folder.parent))
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), make)
        scheme, host = ("http", "127.0.0.1") if certificate is None else ("https", name)
        if certificate is not None:
            context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            context.load_cert_chain(certificate / "server.crt", certificate / "server.key")
            # a handshake in the thread of its connection: browsers open some that they do not use
            self._server.socket = context.wrap_socket(
                self._server.socket, server_side=True, do_handshake_on_connect=False
            )
        self.url = f"{scheme}://{host}:{self._server.server_port}/{folder.name}/"
        threading.Thread(target=self._server.serve_forever, daemon=True).start()

    def end(self) -> None:
        """Cut the network: nothing is served any more."""
        self._server.shutdown()
        self._server.server_close()


@pytest.fixture(scope="session")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The result of `make tab`, in this run."""
    need("pyodide")
    target = tmp_path_factory.mktemp("site") / "board"
    tab.make(target, tab.installed())
    return target


@pytest.fixture
def site(folder: Path) -> Iterator[Site]:
    site = Site(folder)
    yield site
    site.end()


class Tab:
    """A tab with the board, and a person's actions in it."""

    def __init__(self, page: Page) -> None:
        self.page = page

    @property
    def context(self) -> BrowserContext:
        return self.page.context

    def open(self, url: str) -> Tab:
        """Open the address, and wait until the board can be played."""
        self.page.goto(url)
        button = self.page.locator("#play")
        if button.is_visible():
            button.click()
        self.live()
        return self

    def live(self) -> None:
        """Wait until the frame shows the board's state."""
        frame = self.page.frame_locator("#page")
        shown = frame.locator("body[data-number]")
        shown.wait_for(state="attached", timeout=1000 * PATIENCE)

    def reload(self) -> None:
        self.page.reload()
        self.live()

    def until(self, script: str) -> None:
        """Wait until an expression of the shell is true, or its promise fulfilled with true.
        Playwright's `wait_for_function` takes a promise itself for true."""
        end = time.monotonic() + PATIENCE
        while not self.page.evaluate(script):
            assert time.monotonic() < end, script
            self.page.wait_for_timeout(100)

    def installed(self) -> None:
        """Wait until the service worker has the files, so that no network is needed."""
        self.until("navigator.serviceWorker.getRegistration().then((one) => Boolean(one?.active))")

    def start_kept(self) -> None:
        """Wait until the browser has kept Python's memory for the next start."""
        self.until(START % COMPLETE)

    def change_start(self, at: str, word: int) -> None:
        """Change one word of 32 bits of that file, at a byte."""
        self.start_kept()
        self.page.evaluate(START % (_CHANGE % (at, word)))

    def start_forgotten(self) -> None:
        """Wait until the browser keeps no memory of Python."""
        self.until(START % "return mark === 0;")

    def is_resumed(self) -> bool:
        """Whether Python has started from the memory of an earlier visit."""
        mark = "performance.getEntriesByName('board-ready')[0].detail.isResumed"
        return bool(self.page.evaluate(mark))

    @property
    def frame(self) -> Frame:
        """The page of the board."""
        return self.page.frames[1]

    def say(self, lines: Sequence[str]) -> None:
        """Play lines like the page; each must be accepted."""
        assert self.frame.evaluate(_SAY, list(lines)) == ""

    def get(self, path: str) -> str:
        text: str = self.frame.evaluate(_GET, path)
        return text

    def post(self, path: str, body: object) -> str:
        """Send a request of the page, and return the answer."""
        text: str = self.frame.evaluate(_ASK, [path, body])
        return text

    def state(self) -> dict[str, Any]:
        state: dict[str, Any] = json.loads(self.get("state"))
        return state

    @property
    def scores(self) -> list[int]:
        return [side["score"] for side in self.state()["sides"]]

    def copy(self) -> bytes:
        """Return a copy of all games."""
        return bytes(self.frame.evaluate(_COPY))

    def restore(self, copy: bytes) -> dict[str, Any]:
        answer: dict[str, Any] = json.loads(
            self.frame.evaluate(_POST, ["tab/copy", list(copy)]),
        )
        return answer


@pytest.fixture
def opened(site: Site, visit: Visit) -> Callable[..., Tab]:
    """Open a tab in a separate browser."""

    def opened(url: str = "", **options: Any) -> Tab:
        return Tab(visit.blank(**options)).open(url or site.url)

    return opened
