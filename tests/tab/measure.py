"""`python -m tests.tab.measure`: the cost of a visit to a tab, for docs/performance.md."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from time import monotonic

from playwright.sync_api import sync_playwright

from tests.tab.conftest import Site, Tab
from tests.web.conftest import ARGUMENTS, CHROMIUM
from tools import tab

_PAINT = "performance.getEntriesByName('first-contentful-paint')[0].startTime"
_READY = "performance.getEntriesByName('board-ready')[0].startTime"
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
    ticks = 0
    for process in renderers():
        fields = (process / "stat").read_text().rpartition(")")[2].split()
        ticks += int(fields[11]) + int(fields[12])
    return ticks / os.sysconf("SC_CLK_TCK")


def visit(page: Tab, url: str) -> str:
    """Make one visit, to the first saved peg."""
    began, used = monotonic(), cpu()
    page.open(url)
    page.say(["1 peg 8"])
    peg, spent = monotonic() - began, cpu() - used
    paint, ready = page.page.evaluate(_PAINT) / 1000, page.page.evaluate(_READY) / 1000
    heap = page.page.evaluate(_MEMORY) / 1e6
    return (
        f"first screen {paint:.2f} s, board ready {ready:.1f} s, first peg saved {peg:.1f} s "
        f"({spent:.1f} s of processor time), "
        f"Python's memory {heap:.0f} MB, renderers {resident():.0f} MB"
    )


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


def main() -> None:
    with TemporaryDirectory() as name, sync_playwright() as playwright:
        folder = Path(name) / "board"
        tab.make(folder, tab.installed())
        site = Site(folder)
        sys.stdout.write(f"a first visit fetches {tab.fetched(folder) / 1e6:.1f} MB\n")
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        context = browser.new_context(viewport={"width": 1280, "height": 900})
        page = Tab(context.new_page())
        for which in ("first visit", "second visit"):
            load = os.getloadavg()[0]
            sys.stdout.write(f"{which} (load {load:.1f}): {visit(page, site.url)}\n")
            page.installed()
        sys.stdout.write(f"{line(page)}\n{rest(page)}\n")
        browser.close()
        site.end()


if __name__ == "__main__":
    main()
