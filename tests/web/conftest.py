"""The page as users see it: the daemon as a separate process, and Debian's Chromium."""

from __future__ import annotations

import asyncio
import atexit
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from tests import chance
from tests.forked import Forked, Nursery
from tests.parts import installed_browser, need
from tests.ports import free_port
from tests.web.slow_pages import SlowPages

PATIENCE = int(os.environ.get("PATIENCE", "120"))
"""Seconds before a test gives up waiting. They only ensure that a failing test ends, because a busy
machine takes many times as long as an idle one."""
expect.set_options(timeout=1000 * PATIENCE)
CHROMIUM = installed_browser()
ROOT = Path(__file__).parents[2]
ARGUMENTS = (
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--font-render-hinting=none",  # letters are as wide as in a browser with windows
)
PARTS: Final = frozenset({
    "test_page", "test_setup_page", "test_table",
})  # fmt: skip
"""The files whose first browser test is an ordinary one."""


@dataclass
class Daemon:
    """A running `boardctl run --sim`."""

    port: int
    data: Path
    process: subprocess.Popen[str] | Forked
    url: str = field(init=False)

    def __post_init__(self) -> None:
        self.url = f"http://127.0.0.1:{self.port}"

    @property
    def client(self) -> httpx.Client:
        """Return a client with the headers that the page itself would send, including its own
        Origin."""
        return httpx.Client(
            base_url=self.url,
            headers={"origin": self.url},
            trust_env=False,
            verify=False,
            timeout=PATIENCE,
        )

    def state(self) -> dict[str, Any]:
        with self.client as client:
            state: dict[str, Any] = client.get("/state").raise_for_status().json()
            return state

    def say(self, *lines: str) -> dict[str, Any]:
        """Play lines as a player would, looking again if somebody else has just played."""
        for line in lines:
            answer = self.post("/lines", {"line": line})
            assert "state" in answer, answer
        state: dict[str, Any] = answer["state"]
        return state

    def post(self, path: str, body: dict[str, Any], **seen: str) -> dict[str, Any]:
        """Request a change of the current table, and repeat the request if somebody else has just
        played.

        Args:
            path: of the request.
            body: without `expect`.
            seen: the sender's `seat` and `lang`.
        """
        with self.client as client:
            while True:
                number = client.get("/state").json()["number"]
                sent = {**body, "expect": number}
                answer: dict[str, Any] = client.post(path, json=sent, params=seen).json()
                if answer.get("refused", {}).get("code") != "stale":
                    return answer

    def end(self, how: signal.Signals = signal.SIGTERM) -> str:
        """Stop the daemon, and return its output other than its address."""
        self.process.send_signal(how)
        return self.process.communicate(timeout=PATIENCE)[1]


PROGRAM = ("-m", "boardctl")


@cache
def nursery() -> Nursery:
    """This worker's process server, which ends with the worker."""
    made = Nursery()
    atexit.register(made.close)
    return made


def start(
    data: Path, *arguments: str, port: int | None = None, program: tuple[str, ...] | None = None
) -> Daemon:
    """Start a simulated board, and wait until it serves its page.

    Args:
        data: its data directory.
        arguments: further arguments of `boardctl run`.
        port: of its page; a free one by default.
        program: the arguments with which a new Python runs the board; by default, the board is
            forked.
    """
    port = port or free_port()
    words = ["run", "--sim", "--no-browser", "--port", str(port), "--data", str(data), *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    process: subprocess.Popen[str] | Forked
    if program is None:
        process = nursery().start(words, environment)
    else:
        process = subprocess.Popen(
            [sys.executable, "-W", "error", *program, *words],
            cwd=ROOT,
            env=environment,
            stderr=subprocess.PIPE,
            text=True,
        )
    assert process.stderr is not None
    said = process.stderr.readline()
    assert "http://" in said, said + process.communicate(timeout=PATIENCE)[1]
    return Daemon(port, data, process)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[Callable[..., Daemon]]:
    """Start daemons on this test's own data and end them; they must print nothing unexpected."""
    running: list[Daemon] = []

    def run(*arguments: str, port: int | None = None) -> Daemon:
        running.append(start(tmp_path / "data", *arguments, port=port))
        return running[-1]

    yield run
    for daemon in running:
        if daemon.process.poll() is None:
            assert daemon.end() == ""


@pytest.fixture
def daemon(run: Callable[..., Daemon]) -> Daemon:
    return run()


@pytest.fixture(scope="session")
def browser_and_loop() -> Iterator[tuple[Browser, asyncio.AbstractEventLoop]]:
    """This worker's Chromium, and the event loop that Playwright leaves running in its thread."""
    need("chromium")
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(
            executable_path=CHROMIUM, args=list(ARGUMENTS), headless=True
        )
        loop = asyncio.get_running_loop()
        asyncio._set_running_loop(None)
        yield browser, loop
        asyncio._set_running_loop(loop)
        browser.close()


@pytest.fixture
def chromium(
    browser_and_loop: tuple[Browser, asyncio.AbstractEventLoop],
) -> Iterator[Browser]:
    """Debian's Chromium. Playwright's event loop is in this thread only while a test uses the
    browser, because the other tests have their own loops."""
    browser, loop = browser_and_loop
    asyncio._set_running_loop(loop)
    yield browser
    asyncio._set_running_loop(None)


@pytest.hookimpl(tryfirst=True)  # before the marks select tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Make the first browser test of each part of the page an ordinary test and the others slow,
    because a page costs a second of CPU time."""
    seen = set()
    for item in items:
        if not isinstance(item, pytest.Function) or "chromium" not in item.fixturenames:
            continue
        if item.get_closest_marker("long") or item.get_closest_marker("slow"):
            continue
        if item.path in seen or item.path.stem not in PARTS:
            item.add_marker(pytest.mark.slow)
        seen.add(item.path)


def until(true: Callable[[], object], page: Page | None = None) -> None:
    """Wait until something is true. The events of `page` are handled in the meantime."""
    end = time.monotonic() + PATIENCE
    while not true():
        if time.monotonic() > end:
            raise AssertionError(page.locator("body").aria_snapshot() if page else "not so yet")
        if page is None:
            time.sleep(0.025)
        else:
            page.wait_for_timeout(25)


def shows(page: Page, number: int) -> bool:
    """Return whether the page shows the table after a line."""
    shown = page.locator("body").get_attribute("data-number")
    return shown == str(number)


def boxes(page: Page, *parts: str) -> list[dict[str, float]]:
    """Return the box (`x`, `y`, `width`, `height`, in pixels) of each part, all at one moment: the
    page replaces its questions whenever something changes."""
    box = "part => document.querySelector(part).getBoundingClientRect().toJSON()"
    found: list[dict[str, float]] = page.evaluate(f"parts => parts.map({box})", list(parts))
    return found


TALL: Final = 1000
"""The height of a window in which the keypad is visible beside the expected entries."""


class Visit:
    """Opens pages, each in its own browser, and records what they write to the console.

    `forgiven` are parts of expected messages of the browser in this test. Browsers complain of a
    preloaded file that waits for seconds, which depends on the machine's load.
    """

    def __init__(self, browser: Browser, slow: SlowPages | None = None) -> None:
        self._browser = browser
        self._slow = slow or SlowPages()
        self.contexts: list[BrowserContext] = []
        self.complaints: list[str] = []
        self.forgiven: list[str] = ["was preloaded using link preload but not used within"]

    def __call__(self, url: str, width: int = 1280, height: int = 900, **options: Any) -> Page:
        """Open a page, and wait until it shows the board."""
        page = self.blank(width, height, **options)
        page.goto(url)
        page.wait_for_selector("body[data-link=open]")
        return page

    def blank(self, width: int = 1280, height: int = 900, **options: Any) -> Page:
        """Open a blank page."""
        context = self._browser.new_context(
            viewport={"width": width, "height": height}, locale="en-GB", **options
        )
        context.set_default_timeout(1000 * PATIENCE)
        self.contexts.append(context)
        self._slow.prepare(context)
        page = context.new_page()
        self._slow.slow(page)
        page.on("console", lambda said: self.complaints.append(f"{said.type}: {said.text}"))
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        return page


@pytest.fixture
def visit(chromium: Browser, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Opens pages; no page may write to its console."""
    seed = f"{chance.explored() or chance.ORDINARY} {request.node.nodeid}"
    visit = Visit(chromium, SlowPages(request.config.getoption("slow_pages"), seed))
    yield visit
    for context in visit.contexts:
        context.close()
    assert [c for c in visit.complaints if not any(f in c for f in visit.forgiven)] == []
