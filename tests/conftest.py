"""Settings for all tests.

Hypothesis has no deadline, since the machine may be busy with others; and the figures of long tests
are written where `--report` says (`report.py`; `make long` does).
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from pathlib import Path

import pytest
from hypothesis import Phase, settings

from tests import report

settings.register_profile("boardctl", deadline=None)
settings.register_profile(
    "mutants",
    deadline=None,
    derandomize=True,
    database=None,
    phases=(Phase.explicit, Phase.generate),
)
settings.load_profile("boardctl")

CPU = pytest.StashKey[float]()


@pytest.fixture
def long_run(record_property: Callable[[str, object], None]) -> report.LongRun:
    """Report a figure of a long test, as in `long_run(seed=7, games=10_000)`: counts and sizes."""

    def tell(**figures: int | str) -> None:
        for name, value in figures.items():
            record_property(name, value)

    return tell


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--report", type=Path, help="write what the long tests measured into this file"
    )


def pytest_configure(config: pytest.Config) -> None:
    path = config.getoption("report")
    if path is not None:
        config.pluginmanager.register(Reporter(path), "boardctl-report")


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
        told = yield
        if told.when == "call" and not told.skipped and item.get_closest_marker("long"):
            figures = {name: str(value) for name, value in told.user_properties}
            row = report.Row(item.nodeid, told.outcome, figures, item.stash[CPU])
            text = self._path.read_text("utf-8")
            self._path.write_text(report.entered(text, row, self._place), "utf-8")
        return told
