"""Drive Firefox and WebKit in the versions that families use; Playwright does not drive Debian's
packages.

Firefox itself speaks WebDriver BiDi over a WebSocket. WebKitGTK (the engine of the iPhone) speaks
WebDriver through Debian's `webkit2gtk-driver`, on a screen of Xvfb. Both accept the same actions:
https://www.w3.org/TR/webdriver-bidi/ and https://www.w3.org/TR/webdriver2/.
"""

from __future__ import annotations

import json
import os
import subprocess
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from itertools import count
from pathlib import Path
from threading import Thread
from typing import Any, Final, Protocol

import httpx
from websockets.sync.client import ClientConnection, connect

from tests.parts import MINIBROWSER, need
from tests.ports import free_port

PATIENCE: Final = 60.0
"""Seconds before a test gives up waiting."""
FIND: Final = """
const seen = (one) => one.checkVisibility({ visibilityProperty: true, opacityProperty: true })
  && !one.disabled;
const words = (one) => one.getAttribute('aria-label') ?? one.textContent;
const named = (name, inside) => [...document.querySelectorAll(`${inside} :is(button, a)`)]
  .filter((one) => seen(one) && words(one).replace(/\\s+/g, ' ').trim() === name);
const centre = (one) => {
  one.scrollIntoView({ block: 'nearest' });
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const at = [Math.round((left + right) / 2), Math.round((top + bottom) / 2)];
  return one.contains(document.elementFromPoint(...at)) ? at : null;
};
"""
"""Find what a person would press: by its name, visible, and covered by nothing."""


class Engine(Protocol):
    """A browser with one page open."""

    def open(self, url: str, width: int, height: int) -> None:
        """Open an address in a page of about this size in CSS pixels."""

    def ask(self, script: str) -> Any:
        """Return the result of a function's body in the page."""

    def act(self, actions: Sequence[dict[str, Any]]) -> None:
        """Perform actions like a finger or a keyboard."""


class Firefox:
    """Firefox ESR through WebDriver BiDi."""

    def __init__(self, socket: ClientConnection) -> None:
        self._socket = socket
        self._numbers = count(1)
        self._command("session.new", capabilities={})
        tree = self._command("browsingContext.getTree")
        self._page = tree["contexts"][0]["context"]

    def _command(self, method: str, **params: Any) -> Any:
        number = next(self._numbers)
        self._socket.send(json.dumps({"id": number, "method": method, "params": params}))
        while True:
            said = json.loads(self._socket.recv(timeout=PATIENCE))
            if said.get("id") == number:
                assert said["type"] == "success", said
                return said["result"]

    def open(self, url: str, width: int, height: int) -> None:
        viewport = {"width": width, "height": height}
        self._command("browsingContext.setViewport", context=self._page, viewport=viewport)
        self._command("browsingContext.navigate", context=self._page, url=url, wait="complete")

    def ask(self, script: str) -> Any:
        said = self._command(
            "script.evaluate",
            target={"context": self._page},
            awaitPromise=True,
            expression=f"(async () => JSON.stringify(await (() => {{ {script} }})() ?? null))()",
        )
        assert said["type"] == "success", said
        return json.loads(said["result"]["value"])

    def act(self, actions: Sequence[dict[str, Any]]) -> None:
        self._command("input.performActions", context=self._page, actions=list(actions))


class WebKit:
    """WebKitGTK's own browser through WebDriver."""

    def __init__(self, client: httpx.Client) -> None:
        self._client = client
        options = {"binary": str(MINIBROWSER), "args": ["--automation"]}
        asked = {"alwaysMatch": {"webkitgtk:browserOptions": options}}
        session = self._command("POST", "/session", capabilities=asked)["sessionId"]
        self._at = f"/session/{session}"

    def _command(self, method: str, path: str, **params: Any) -> Any:
        answer = self._client.request(method, path, json=params)
        assert answer.status_code == 200, answer.text
        return answer.json()["value"]

    def open(self, url: str, width: int, height: int) -> None:
        self._command("POST", f"{self._at}/window/rect", width=width, height=height)
        self._command("POST", f"{self._at}/url", url=url)

    def ask(self, script: str) -> Any:
        return self._command("POST", f"{self._at}/execute/sync", script=script, args=[])

    def act(self, actions: Sequence[dict[str, Any]]) -> None:
        self._command("POST", f"{self._at}/actions", actions=list(actions))


@contextmanager
def _ended(process: subprocess.Popen[Any]) -> Iterator[subprocess.Popen[Any]]:
    try:
        yield process
    finally:
        process.terminate()
        process.wait(PATIENCE)
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()


@contextmanager
def firefox(profile: Path) -> Iterator[Engine]:
    """Firefox without a window, with its own profile."""
    need("firefox")
    environment = {**os.environ, "HOME": str(profile)}
    address = ["--headless", "--no-remote", "--remote-debugging-port", str(free_port())]
    started = subprocess.Popen(
        ["firefox-esr", *address, "--profile", str(profile), "about:blank"],
        stderr=subprocess.PIPE,
        text=True,
        env=environment,
    )
    with _ended(started):
        assert started.stderr is not None
        listening = "WebDriver BiDi listening on "
        line = next((line for line in started.stderr if listening in line), "")
        assert line, "Firefox does not listen"
        # otherwise a full pipe would stop it
        Thread(target=started.stderr.read, daemon=True).start()
        url = line.partition(listening)[2].strip() + "/session"
        with connect(url, max_size=None, proxy=None) as socket:
            yield Firefox(socket)


@contextmanager
def webkit() -> Iterator[Engine]:
    """WebKitGTK on an invisible screen."""
    need("webkit", "xvfb")
    reading, writing = os.pipe()
    screen = ["-screen", "0", "1400x1000x24", "-nolisten", "tcp"]
    with ExitStack() as stack:
        started = subprocess.Popen(
            ["Xvfb", "-displayfd", str(writing), *screen],
            pass_fds=[writing],
            stderr=subprocess.DEVNULL,
        )
        stack.enter_context(_ended(started))
        os.close(writing)
        with os.fdopen(reading, encoding="ascii") as told:
            display = told.readline().strip()  # read completely, or Xvfb could not write the rest
        assert display, "Xvfb has not started"
        port = free_port()
        environment = {
            **os.environ,
            "DISPLAY": f":{display}",
            "LIBGL_ALWAYS_SOFTWARE": "1",
            "WEBKIT_DISABLE_COMPOSITING_MODE": "1",
        }
        driver = subprocess.Popen(
            ["WebKitWebDriver", f"--port={port}"], env=environment, stderr=subprocess.DEVNULL
        )
        stack.enter_context(_ended(driver))
        transport = httpx.HTTPTransport(retries=8)  # until it listens; each wait is twice as long
        client = stack.enter_context(
            httpx.Client(
                base_url=f"http://127.0.0.1:{port}",
                transport=transport,
                trust_env=False,
                timeout=PATIENCE,
            )
        )
        yield WebKit(client)


def tap(engine: Engine, name: str, inside: str = "body") -> None:
    """Press the element with a name as soon as it exists."""
    found = f"named({json.dumps(name)}, {json.dumps(inside)})"
    _press(engine, found, f"“{name}” in {inside}")


def tap_first(engine: Engine, selector: str) -> None:
    """Press the first element that a selector finds, as soon as it exists."""
    found = f"[...document.querySelectorAll({json.dumps(selector)})].filter(seen)"
    _press(engine, found, selector)


def _press(engine: Engine, found: str, what: str) -> None:
    place = wait(engine, f"{FIND} const [one] = {found}; return one && centre(one);", what)
    steps: list[dict[str, Any]] = [
        {"type": "pointerMove", "x": place[0], "y": place[1]},
        {"type": "pointerDown", "button": 0},
        {"type": "pointerUp", "button": 0},
    ]
    pointer = {"pointerType": "mouse"}
    engine.act([{"type": "pointer", "id": "finger", "parameters": pointer, "actions": steps}])


def wait(engine: Engine, script: str, what: str) -> Any:
    """Return what a script returns as soon as it is true."""
    asked = f"""return new Promise((done) => {{
      const end = performance.now() + {1000 * PATIENCE / 4};
      const look = () => {{
        const found = (() => {{ {script} }})();
        if (found || performance.now() > end) done(found ?? null);
        else requestAnimationFrame(look);
      }};
      look();
    }})"""
    found = engine.ask(asked)
    assert found, f"there is no {what}: {engine.ask('return document.body.innerText')}"
    return found
