"""The CPU time of each test file, including every process that it starts (`pytest --cpu`).

A worker reads its own process tree after each test. The work of a shared browser or board counts
for the test that causes it; reading the files and starting Python count for none.
"""

from __future__ import annotations

import os
from collections import Counter, defaultdict
from collections.abc import Generator, Iterable
from pathlib import Path
from typing import Final

import pytest

PROPERTY: Final = "cpu_seconds"
SHOWN: Final = 30
"""The number of files in the list."""


def seconds(root: int | None = None, proc: Path = Path("/proc")) -> float:
    """Return the CPU time of a process and its descendants, in seconds.

    Args:
        root: the number of the process; this one by default.
        proc: the kernel's folder of processes (proc_pid_stat(5), fields 4 and 14 to 17).
    """
    ticks = {}
    children = defaultdict(list)
    for place in proc.iterdir():
        if not place.name.isdigit():
            continue
        try:
            fields = (place / "stat").read_text("utf-8", "replace").rpartition(")")[2].split()
        except OSError:  # it has ended meanwhile
            continue
        number = int(place.name)
        children[int(fields[1])].append(number)
        ticks[number] = sum(map(int, fields[11:15]))
    total, waiting = 0, [os.getpid() if root is None else root]
    while waiting:
        one = waiting.pop()
        total += ticks.get(one, 0)
        waiting += children[one]
    return total / os.sysconf("SC_CLK_TCK")


def table(spent: dict[str, float], total: float) -> Iterable[str]:
    """Return lines about the folders, and the files that take the most.

    Args:
        spent: the seconds of each file, by its path.
        total: the seconds of the whole run.
    """
    folders: Counter[str] = Counter()
    for file, used in spent.items():
        folders[file.rpartition("/")[0]] += used  # type: ignore[assignment]
    # A process that was never waited for, such as a killed browser, is missing from the total.
    tests = sum(spent.values())
    yield f"{max(total, tests):8.1f} s  everything, of it {tests:.1f} s by the tests"
    for kind in (dict(folders), spent):
        yield ""
        for name, used in sorted(kind.items(), key=lambda one: -one[1])[:SHOWN]:
            yield f"{used:8.1f} s  {name}"


class Meter:
    """Records the CPU time of each test, and shows it at the end."""

    def __init__(self) -> None:
        self._last = seconds()
        self._spent: defaultdict[str, float] = defaultdict(float)

    def pytest_collection_finish(self) -> None:
        self._last = seconds()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, call: pytest.CallInfo[None]
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        result = yield
        if call.when == "teardown":
            now = seconds()
            # Processes that ended without being waited for are missing from the tree.
            result.user_properties.append((PROPERTY, max(0.0, now - self._last)))
            self._last = now
        return result

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        used = dict(report.user_properties).get(PROPERTY)
        if isinstance(used, float) and report.when == "teardown":
            self._spent[report.nodeid.partition("::")[0]] += used

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        terminalreporter.section("CPU")
        for line in table(self._spent, seconds()):
            terminalreporter.write_line(line)
