"""Settings for all tests: the sources of randomness (`chance.py`), and the report of the long tests
(`report.py`; `make long` says where it is written)."""

from __future__ import annotations

import gc
import logging
import os
import sqlite3
import sys
from collections.abc import Callable, Generator, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest

from boardctl.record import position, record
from tests import chance, cpu, report
from tests.parts import need, summary

if TYPE_CHECKING:
    from tests.mqtt.broker import Mosquitto

chance.begin(None)
# A program that a test starts reads its compiled modules, as on a user's machine: compiling them
# anew is half of what a start costs, and there are more than a thousand.
os.environ.pop("PYTHONDONTWRITEBYTECODE", None)

# A command speaks its terminal's language. Tests read English unless they ask for another one.
os.environ["LC_ALL"] = "C.UTF-8"

SLOW_ROOMS = ("web", "rigs", "firmware", "storage", "club", "camera", "drawings")
"""Folders whose tests start programs. They come first, so that no worker has a long file left at
the end."""

LONGEST_GAME = "six-pack-bezique"
"""Tests of every game leave this one to the slow run: its prompts try thousands of cards, and the
other great Bezique has the same modules."""

CPU = pytest.StashKey[float]()

databases: list[tuple[str, sqlite3.Connection]] = []
"""The databases opened in this process since the current test file began, with the tests that
opened them."""


def _note(event: str, arguments: tuple[Any, ...]) -> None:
    if event == "sqlite3.connect/handle":
        databases.append((os.environ.get("PYTEST_CURRENT_TEST", ""), arguments[0]))


sys.addaudithook(_note)


def is_open(database: sqlite3.Connection) -> bool:
    try:
        _ = database.in_transaction
    except sqlite3.ProgrammingError:
        return False
    return True


@pytest.fixture(scope="module", autouse=True)
def every_database_is_closed() -> Iterator[None]:
    """Check that every database is closed. Python 3.13 warns of an open one in whatever test its
    collector runs; this fails in its own file, with every Python."""
    databases.clear()
    yield
    left = [test for test, database in databases if is_open(database)]
    databases.clear()
    assert left == []


class Tracebacks(logging.Handler):
    """Collects records logged with a traceback."""

    def __init__(self) -> None:
        super().__init__()
        self.logged: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        if record.exc_info:
            self.logged.append(logging.Formatter().format(record))


@pytest.fixture(autouse=True)
def no_error_is_only_logged(request: pytest.FixtureRequest) -> Iterator[None]:
    """Fail a test in which an error was only logged: a board continues after an error in one of its
    parts. A test that reads the log (`caplog`) is exempt."""
    if "caplog" in request.fixturenames:
        yield
        return
    heard = Tracebacks()
    logger = logging.getLogger("boardctl")
    logger.addHandler(heard)
    yield
    logger.removeHandler(heard)
    assert not heard.logged, "\n".join(heard.logged)


@pytest.fixture
def long_run(record_property: Callable[[str, object], None]) -> report.LongRun:
    """Report a figure of a long test, as in `long_run(seed=7, games=10_000)`: counts and sizes."""

    def tell(**figures: int | str) -> None:
        for name, value in figures.items():
            record_property(name, value)

    return tell


@pytest.fixture
def seed(record_property: Callable[[str, object], None]) -> int:
    """The start of a random walk in a long test: new in each exploring run, and reported."""
    explored = chance.explored()
    value = chance.ORDINARY if explored is None else explored
    record_property("seed", value)
    return value


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    """A running Mosquitto with the boards `one`, `two` and `three`."""
    need("mosquitto")
    from tests.mqtt.broker import Mosquitto

    started = Mosquitto(tmp_path / "broker", ("one", "two", "three"))
    started.start()
    yield started
    started.kill()


@pytest.fixture
def played(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Return the number of moves played, as the only number."""
    count = [0]

    def counted(*arguments: object) -> object:
        count[0] += 1
        return position.step(*arguments)  # type: ignore[arg-type]

    monkeypatch.setattr(record, "step", counted)
    return count


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--seed", help=f"explore from this seed: a number, or `{chance.NEW}` for a new one"
    )
    parser.addoption("--report", type=Path, help="enter what the long tests measured in this log")
    parser.addoption(
        "--slow-pages", type=float, default=0, metavar="RATE", help="slow browsers' pages down"
    )
    parser.addoption("--cpu", action="store_true", help="show the CPU time of folders and files")


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Turn the garbage collector off while tests are collected, and let it skip their objects,
    which live until the end."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


@pytest.hookimpl(tryfirst=True)  # before the marks select tests
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if LONGEST_GAME in getattr(getattr(item, "callspec", None), "params", {}).values():
            item.add_marker(pytest.mark.slow)

    def room(item: pytest.Item) -> int:
        name = item.nodeid.removeprefix("tests/").partition("/")[0]
        return SLOW_ROOMS.index(name) if name in SLOW_ROOMS else len(SLOW_ROOMS)

    items.sort(key=room)


@pytest.hookimpl(tryfirst=True)  # before Hypothesis reads its own option
def pytest_configure(config: pytest.Config) -> None:
    try:
        chance.begin(config.getoption("seed"))
    except ValueError as error:
        raise pytest.UsageError(f"--seed: a number or `{chance.NEW}`, please") from error
    if chance.explored() is not None:
        config.option.hypothesis_seed = str(chance.explored())
    path = config.getoption("report")
    if path is not None:
        config.pluginmanager.register(Reporter(path), "boardctl-report")
    if config.getoption("cpu"):
        config.pluginmanager.register(cpu.Meter(), "boardctl-cpu")


def pytest_report_header() -> str:
    seed = chance.explored()
    if seed is None:
        return "chance: the ordinary run's fixed seeds"
    return f"chance: seed {seed}; `make long SEED={seed}` repeats this run"


@pytest.hookimpl(wrapper=True, tryfirst=True)  # below the reasons, so that people read it
def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> Generator[None]:
    yield
    skipped = terminalreporter.stats.get("skipped", ())
    for line in summary(one.longrepr[2] for one in skipped if isinstance(one.longrepr, tuple)):
        terminalreporter.write_line(line)
    if chance.explored() is not None:
        terminalreporter.write_line(pytest_report_header())


class Reporter:
    """Writes the row of each long test as soon as it has run, so that hours of work are not lost if
    a later one hangs."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._place = report.Place.here()

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_call(self, item: pytest.Item) -> Generator[None]:
        began = report.cpu()
        try:
            return (yield)
        finally:
            item.stash[CPU] = report.cpu() - began

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_makereport(
        self, item: pytest.Item
    ) -> Generator[None, pytest.TestReport, pytest.TestReport]:
        result = yield
        if result.when == "call" and not result.skipped and item.get_closest_marker("long"):
            figures = {name: str(value) for name, value in result.user_properties}
            row = report.Row(item.nodeid, result.outcome, figures, item.stash[CPU])
            report.write(self._path, row, self._place)
        return result
