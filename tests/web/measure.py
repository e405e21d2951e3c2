"""The cost of a visit to the page of a release, for docs/performance.md.

    python -m tests.web.measure

The page shows a game against the board, at phone size. Its files are bundled as in a release, which
needs npx. A warm visit has the files of an earlier one. The page is usable once it shows the table
and its link to the board is open. Times are the minimum of several visits.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final, NamedTuple

from playwright.sync_api import CDPSession, Page, sync_playwright

from boardctl.web.files import BUNDLE
from tests.web.conftest import ARGUMENTS, CHROMIUM, start
from tools import bundle

ROUNDS: Final = 5
SLOW: Final = {"latency": 300, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
"""A network of 400 kbit/s: milliseconds, and bytes per second."""
FREE: Final = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
WATCH: Final = """
const look = () => {
  if (document.body?.dataset.link === 'open' && document.body.dataset.number) {
    window.usable = performance.now();
  } else {
    requestAnimationFrame(look);
  }
};
look();
"""


class Visit(NamedTuple):
    """The cost of a visit."""

    requests: int
    """The requests that the browser's cache does not answer, with the link's."""
    kilobytes: float
    """The bytes received for them, divided by 1000."""
    seconds: float
    """From the beginning until the page is usable."""


class Meter:
    """Visits a page and counts its requests."""

    def __init__(self, page: Page, url: str) -> None:
        self._page, self._url = page, url
        self._asked: set[str] = set()
        self._bytes = 0
        page.add_init_script(WATCH)
        self.session: CDPSession = page.context.new_cdp_session(page)
        self.session.send("Network.enable")
        self.session.on("Network.requestWillBeSent", self._ask)
        self.session.on("Network.webSocketCreated", self._ask)
        self.session.on("Network.requestServedFromCache", self._is_kept)
        self.session.on("Network.responseReceived", self._answer)
        self.session.on("Network.loadingFinished", self._finish)

    def _ask(self, event: dict[str, Any]) -> None:
        url = event["request"]["url"] if "request" in event else event["url"]
        if not url.startswith("data:"):
            self._asked.add(event["requestId"])

    def _is_kept(self, event: dict[str, Any]) -> None:
        self._asked.discard(event["requestId"])

    def _answer(self, event: dict[str, Any]) -> None:
        if event["response"].get("fromDiskCache"):
            self._asked.discard(event["requestId"])

    def _finish(self, event: dict[str, Any]) -> None:
        self._bytes += event["encodedDataLength"]

    def visit(self) -> Visit:
        """Open the page until nothing is asked for."""
        self._asked.clear()
        self._bytes = 0
        self._page.goto(self._url)
        self._page.wait_for_selector("body[data-link=open][data-number]")
        self._page.wait_for_load_state("networkidle")
        seconds = self._page.evaluate("window.usable") / 1000
        return Visit(len(self._asked), self._bytes / 1000, seconds)

    def fastest(self) -> Visit:
        """Return the visit of several that was usable first."""
        return min((self.visit() for _ in range(ROUNDS)), key=lambda visit: visit.seconds)


@contextmanager
def bundled() -> Iterator[None]:
    """Bundle the page's files as for a release, unless they are bundled."""
    folder = bundle.STATIC / BUNDLE
    if folder.exists():
        yield
        return
    bundle.make(folder)
    try:
        yield
    finally:
        for file in folder.iterdir():
            file.unlink()
        folder.rmdir()


def main() -> None:
    """Print each figure."""
    with bundled(), TemporaryDirectory() as data, sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        daemon = start(Path(data))
        with daemon.client as client:
            number = client.get("/state").json()["number"]
            game = {"name": "Ann", "level": 2, "expect": number}
            client.post("/player/game", json=game).raise_for_status()
        context = browser.new_context(viewport={"width": 390, "height": 844}, locale="en-GB")
        context.add_init_script("localStorage.setItem('boardctl.seat', '1')")
        meter = Meter(context.new_page(), daemon.url)
        tell("cold", meter.visit())
        tell("warm", meter.fastest())
        meter.session.send("Emulation.setCPUThrottlingRate", {"rate": 4})
        tell("warm, processor 4 times slower", meter.fastest())
        meter.session.send("Emulation.setCPUThrottlingRate", {"rate": 1})
        meter.session.send("Network.emulateNetworkConditions", {"offline": False, **SLOW})
        tell("warm, 400 kbit/s and 300 ms", meter.fastest())
        meter.session.send("Network.emulateNetworkConditions", {"offline": False, **FREE})
        context.close()
        browser.close()
        daemon.end()


def tell(name: str, visit: Visit) -> None:
    print(f"{name}: {visit.requests} requests, {visit.kilobytes:.0f} kB, {visit.seconds:.2f} s")


if __name__ == "__main__":
    main()
