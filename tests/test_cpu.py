"""`pytest --cpu` adds up a test's own CPU time and that of the processes it has started."""

from __future__ import annotations

import gc
from pathlib import Path

import pytest

from tests import cpu


def process(proc: Path, number: int, parent: int, ticks: int, name: str = "python") -> None:
    """Return a line like proc_pid_stat(5): ticks of the process, and none of its ended children."""
    (proc / str(number)).mkdir()
    fields = ["S", str(parent), *["0"] * 9, str(ticks), "0", "0", "0", "20"]
    (proc / str(number) / "stat").write_text(f"{number} ({name}) {' '.join(fields)}\n")


def test_descendants_count_and_others_do_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("os.sysconf", lambda _: 100)
    process(tmp_path, 7, 1, 150)
    process(tmp_path, 8, 7, 50, "a ) name")
    process(tmp_path, 9, 8, 25)
    process(tmp_path, 10, 1, 4000)
    (tmp_path / "self").mkdir()
    assert cpu.seconds(7, tmp_path) == 2.25


def test_the_table_names_folders_and_files() -> None:
    lines = list(cpu.table({"tests/web/test_a.py": 3.0, "tests/web/test_b.py": 4.0}, 10.0))
    assert lines == [
        "    10.0 s  everything, of it 7.0 s by the tests",
        "",
        "     7.0 s  tests/web",
        "",
        "     4.0 s  tests/web/test_b.py",
        "     3.0 s  tests/web/test_a.py",
    ]


def test_the_collector_reads_no_test_again() -> None:
    """The tests, and everything that they import, are frozen (`tests/conftest.py`)."""
    assert gc.isenabled()
    assert gc.get_freeze_count() > 10_000
