"""The cost of a visit to a tab, for docs/performance.md.

    python -m tests.tab.measure             # as this machine is
    python -m tests.tab.measure 1 4 6       # emulated: this many times slower, over 20 Mbit/s

The emulated network is a server that compresses its files as GitHub Pages does, answers 40 ms
late, and sends 20 Mbit/s to all connections together. A slower machine is Chromium with all its
processes stopped for most of each 20 ms: its threads still run beside each other.
"""

from __future__ import annotations

import gzip
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from mimetypes import guess_type
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event, Lock, Thread
from time import monotonic, sleep
from typing import Final

from playwright.sync_api import Playwright, sync_playwright

from tests.tab.conftest import Site, Tab, _Files
from tests.web.conftest import ARGUMENTS, CHROMIUM
from tools import tab
from tools.bench import processes

_RATE: Final = 20e6 / 8
"""Bytes a second of the emulated network."""
_LATE: Final = 0.04
"""Seconds before each answer of the emulated network."""
_PIECE: Final = 16384
_SLICE: Final = 0.02
"""Seconds in which a slower machine runs once."""
SETTLED: Final = 5000
"""Milliseconds in which the browser keeps Python's memory and its compiled code."""

_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_READY = "performance.getEntriesByName('board-ready')[0].startTime"
_RESUMED = "performance.getEntriesByName('board-ready')[0].detail.isResumed"
_MEMORY = """() => new Promise((yes) => {
  const port = boardPort();
  port.onmessage = ({ data }) => yes(JSON.parse(data.body).python);
  port.postMessage({ kind: 'memory', id: 1 });
})"""


def _parent(process: Path) -> int:
    return int((process / "stat").read_text().rpartition(")")[2].split()[1])


def renderers() -> Iterator[Path]:
    """Return the renderers of the Chromium that this process has started."""
    parents = {}
    for process in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):  # it has ended
            parents[int(process.name)] = _parent(process)
    for number in parents:
        above = number
        while above in parents and above != os.getpid():
            above = parents[above]
        with suppress(OSError):
            place = Path("/proc") / str(number)
            if above == os.getpid() and b"--type=renderer" in (place / "cmdline").read_bytes():
                yield place


def resident() -> float:
    """Return the renderers' memory in MB, with shared pages counted once (man 5 proc, `Pss`)."""
    found = [(process / "smaps_rollup").read_text() for process in renderers()]
    return sum(int(rollup.partition("\nPss:")[2].split()[0]) for rollup in found) / 1000


def cpu() -> float:
    """Return the renderers' processor time in seconds."""
    return sum(processes.cpu(int(process.name)) for process in renderers())


def visit(page: Tab, url: str) -> str:
    """Make one visit, to the first saved peg."""
    began, used = monotonic(), cpu()
    page.open(url)
    shown = monotonic() - began
    page.say(["1 peg 8"])
    peg, spent = monotonic() - began, cpu() - used
    paint, ready = page.page.evaluate(_PAINT) / 1000, page.page.evaluate(_READY) / 1000
    heap = page.page.evaluate(_MEMORY) / 1e6
    memory = "kept" if page.page.evaluate(_RESUMED) else "new"
    return (
        f"first screen {paint:.2f} s, board ready {ready:.1f} s, page shows it {shown:.1f} s, "
        f"first peg saved {peg:.1f} s "
        f"({spent:.1f} s of processor time), "
        f"Python's memory {heap:.0f} MB ({memory}), renderers {resident():.0f} MB"
    )


class Network:
    """A folder that is served over a slow network."""

    def __init__(self, folder: Path) -> None:
        files = [file for file in folder.rglob("*") if file.is_file()]
        found = {f"/board/{file.relative_to(folder).as_posix()}": file for file in files}
        found["/board/"] = folder / "index.html"
        content = {name: gzip.compress(file.read_bytes(), 6) for name, file in found.items()}
        free, lock = monotonic(), Lock()

        def wait(size: int) -> None:
            """Wait until the network has carried these bytes after all others."""
            nonlocal free
            with lock:
                free = max(free, monotonic()) + size / _RATE
                until = free
            sleep(max(0.0, until - monotonic()))

        def kind(file: Path) -> str:
            known = _Files.extensions_map.get(file.suffix)
            return known or guess_type(file.name)[0] or "application/octet-stream"

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                sleep(_LATE)
                path = self.path.partition("?")[0]
                if path not in content:
                    self.send_error(404)
                    return
                self.send_response(200)
                self.send_header("Content-Type", kind(found[path]))
                self.send_header("Content-Encoding", "gzip")
                self.send_header("Content-Length", str(len(content[path])))
                self.end_headers()
                for at in range(0, len(content[path]), _PIECE):
                    piece = content[path][at : at + _PIECE]
                    wait(len(piece))
                    self.wfile.write(piece)

            def log_message(self, *_: object) -> None: ...

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.url = f"http://127.0.0.1:{self._server.server_port}/board/"
        Thread(target=self._server.serve_forever, daemon=True).start()

    def end(self) -> None:
        self._server.shutdown()
        self._server.server_close()


@contextmanager
def slower(times: float) -> Iterator[None]:
    """Make this process's Chromium as many times slower."""
    (group, *others) = {os.getpgid(int(process.name)) for process in renderers()}
    assert not others
    assert group != os.getpgid(0)
    over = Event()

    def throttle() -> None:
        with suppress(PermissionError):  # then it is late on a busy machine
            os.sched_setscheduler(0, os.SCHED_RR, os.sched_param(2))
        while times > 1 and not over.is_set():
            os.killpg(group, signal.SIGSTOP)
            sleep(_SLICE * (1 - 1 / times))
            os.killpg(group, signal.SIGCONT)
            sleep(_SLICE / times)

    thread = Thread(target=throttle)
    thread.start()
    try:
        yield
    finally:
        over.set()
        thread.join()


def line(page: Tab, times: int = 20) -> str:
    """Return the median of some lines, from the request to its answer."""
    found = []
    used = cpu()
    for _ in range(times):
        began = monotonic()
        page.say(["1 peg 1"])
        found.append(monotonic() - began)
    each = 1000 * (cpu() - used) / times
    middle = 1000 * sorted(found)[times // 2]
    return f"a line and the question before it: {middle:.0f} ms, {each:.0f} ms of processor time"


def rest(page: Tab, seconds: int = 30) -> str:
    """Return the processor time of an open page that nobody touches."""
    page.page.wait_for_timeout(20_000)  # the browser compiles what it has run often
    used = cpu()
    page.page.wait_for_timeout(1000 * seconds)
    return f"at rest: {1000 * (cpu() - used) / seconds:.1f} ms of processor time a second"


@contextmanager
def browser(playwright: Playwright, width: int, height: int) -> Iterator[Tab]:
    """Open a browser that keeps its files on disk, as visitors' browsers do."""
    with TemporaryDirectory() as profile:
        context = playwright.chromium.launch_persistent_context(
            profile,
            executable_path=CHROMIUM,
            args=list(ARGUMENTS),
            viewport={"width": width, "height": height},
        )
        yield Tab(context.pages[0])
        context.close()


def emulated(playwright: Playwright, folder: Path, times: float) -> Iterator[str]:
    """Yield the cost of two visits by a machine that is as many times slower."""
    network = Network(folder)
    with browser(playwright, width=412, height=915) as page:
        for which in ("first visit", "second visit"):
            with slower(times):
                load = os.getloadavg()[0]
                said = visit(page, network.url)
                yield f"{times:g} times slower, {which} (load {load:.1f}): {said}"
            settle(page)
    network.end()


def settle(page: Tab) -> None:
    """Wait until the browser has kept all that makes the next visit faster."""
    page.installed()
    page.page.wait_for_timeout(SETTLED)


def main(times: list[float]) -> None:
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name) / "board"
        tab.make(folder, tab.installed())
        sys.stdout.write(f"a first visit fetches {tab.fetched(folder) / 1e6:.1f} MB\n")
        for one in times:
            for said in emulated(playwright, folder, one):
                sys.stdout.write(f"{said}\n")
        if times:
            return
        site = Site(folder)
        with browser(playwright, width=1280, height=900) as page:
            for which in ("first visit", "second visit"):
                load = os.getloadavg()[0]
                sys.stdout.write(f"{which} (load {load:.1f}): {visit(page, site.url)}\n")
                settle(page)
            sys.stdout.write(f"{line(page)}\n{rest(page)}\n")
        site.end()


if __name__ == "__main__":
    main([float(one) for one in sys.argv[1:]])
