"""Install the packages of a lock file into .venv, and report the progress every two seconds.

    python3 tools/install.py LOCK PURPOSE [--each]

The Makefile starts it with any Python, so it uses only the standard library. Packages that are
already installed are not changed. With `--each`, a package that cannot be built does not stop the
others: its name is printed, and the exit status is 1.
"""

from __future__ import annotations

import argparse
import queue
import re
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path

VENV = Path(".venv")
NEEDS = (3, 11)
SILENCE = 1.0
"""Seconds after which a line reports that the work continues."""
PINNED = re.compile(r"^([A-Za-z0-9_.-]+)==", re.MULTILINE)
DOWNLOADS = re.compile(r"Downloading (\S+) (\(.* MB\))")
BUILDS = re.compile(r"Building wheel for (\S+) .*: started|Building wheel.* for (\S+) .*\.\.\.$")


class Progress:
    """Reports the progress of a long command, in short lines.

    Args:
        write: prints one line.
        clock: seconds from any start.
        doing: the beginning work.
        count: returns how many packages are installed, called when a line is due.
        total: the number of packages to install; 0 if they are not counted.
    """

    def __init__(
        self,
        write: Callable[[str], None],
        clock: Callable[[], float],
        doing: str,
        count: Callable[[], int] = int,
        total: int = 0,
    ) -> None:
        self._write = write
        self._clock = clock
        self._count = count
        self._total = total
        self._began = self._last = clock()
        self._doing = doing

    def say(self, line: str) -> None:
        """Write a line."""
        self._write(line)
        self._last = self._clock()

    def heard(self, line: str) -> None:
        """Handle a line of pip output. Builds, and downloads of several megabytes, are shown
        immediately."""
        words = line.split()
        if found := DOWNLOADS.search(line):
            self._doing = f"downloading {found[1].rpartition('/')[2]} {found[2]}"
            self.say(f"pip: {self._doing}")
        elif found := BUILDS.search(line):
            self._doing = f"building {found[1] or found[2]}"
            self.say(f"pip: {self._doing}")
        elif words[:1] == ["Collecting"]:
            self._doing = f"finding {words[1].partition('=')[0]}"
        elif words[:2] == ["Installing", "collected"]:
            self._doing = f"writing packages to {VENV}"
            self.say(f"pip: {self._doing}")

    @property
    def wait(self) -> float:
        """Return the seconds until the next line is due."""
        return max(0.0, self._last + SILENCE - self._clock())

    def tick(self) -> None:
        """Report the current work if nothing has been reported for a while."""
        if self.wait <= 0:
            spent = round(self._clock() - self._began)
            done = f"; {self._count()} of {self._total} installed" if self._total else ""
            self.say(f"pip: {self._doing}{done}, {spent} s")


def run(command: Sequence[str], progress: Progress) -> tuple[int, list[str]]:
    """Run a command and report its progress. Return its exit status and its output lines."""
    arriving: queue.Queue[str | None] = queue.Queue()

    def read(lines: Iterable[str]) -> None:
        for line in lines:
            arriving.put(line)
        arriving.put(None)

    said: list[str] = []
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, errors="replace"
    ) as process:
        assert process.stdout is not None
        threading.Thread(target=read, args=(process.stdout,), daemon=True).start()
        while True:
            try:
                line = arriving.get(timeout=progress.wait + 0.01)
            except queue.Empty:
                line = ""
            if line is None:
                return process.wait(), said
            if line:
                said.append(line)
                progress.heard(line)
            progress.tick()


def pins(lock: str) -> list[str]:
    """Return the names that a lock file pins."""
    return PINNED.findall(lock)


def entries(lock: str) -> Iterator[tuple[str, str]]:
    """Return each name in a lock file with the lines that belong to it."""
    found = list(PINNED.finditer(lock))
    for one, after in zip(found, [*found[1:], None], strict=True):
        yield one[1], lock[one.start() : after.start() if after else len(lock)]


def installed(names: Iterable[str]) -> int:
    """Return how many of these packages are installed in .venv."""
    there = {
        re.sub(r"[-_.]+", "-", place.name.partition("-")[0]).lower()
        for place in VENV.glob("lib/python3*/site-packages/*.dist-info")
    }
    return len(there & {re.sub(r"[-_.]+", "-", name).lower() for name in names})


def pip(*words: str) -> list[str]:
    options = ("--disable-pip-version-check", "--no-color", "--progress-bar", "off")
    return [str(VENV / "bin" / "python"), "-m", "pip", "install", *options, *words]


def main(arguments: Sequence[str]) -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("lock", type=Path)
    parser.add_argument("purpose")
    parser.add_argument("--each", action="store_true")
    chosen = parser.parse_args(arguments)
    here = ".".join(map(str, sys.version_info[:3]))
    if sys.version_info[:2] < NEEDS:
        print(f"boardctl needs Python 3.11 or newer; this is {here}: make PYTHON=python3.11 …")
        return 1
    text = chosen.lock.read_text("utf-8")
    names = pins(text)

    def write(line: str) -> None:
        print(line, flush=True)

    if not (VENV / "bin" / "pip").exists():
        write(f"pip: a virtual environment in {VENV}, by Python {here}")
        making = Progress(write, time.monotonic, f"making {VENV}")
        status, said = run([sys.executable, "-m", "venv", str(VENV)], making)
        if status:
            print("".join(said[-25:]), file=sys.stderr)
            return status
    progress = Progress(
        write, time.monotonic, "reading the list", lambda: installed(names), len(names)
    )
    progress.say(f"pip: up to {len(names)} packages for {chosen.purpose} ({chosen.lock})")
    status, said = run(pip("--require-hashes", "-r", str(chosen.lock)), progress)
    if not status:
        return 0
    print("".join(said[-25:]), file=sys.stderr)
    if not chosen.each:
        return 1
    progress.say("pip: one by one, since not all can be installed together")
    with tempfile.TemporaryDirectory() as folder:
        alone = Path(folder) / "one.lock"
        for name, lines in entries(text):
            alone.write_text(lines, "utf-8")
            status, _ = run(pip("--no-deps", "--require-hashes", "-r", str(alone)), progress)
            if status:
                progress.say(f"pip: cannot install {name}")
    return 1


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
