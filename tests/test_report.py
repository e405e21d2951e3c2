"""The log of the long tests keeps one row per test, and the page summarizes it."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.report import LOG, PAGE, ROOT, Place, Row, entered, readable, rows, summarized, write

PLACE = Place("123456789", "2026-11-21")


def row(test: str, result: str = "passed", **figures: str) -> Row:
    return Row(test, result, figures, 75.0)


def test_a_row_is_entered_in_order_and_replaced_by_its_own_test_alone() -> None:
    log = entered("", row("b.py::test_two", games="10000", grown_bytes="-7"), PLACE)
    log = entered(log, row("a.py::test_one", seed="4711", ways="1 | 2"), PLACE)
    log = entered(log, row("b.py::test_two_more"), PLACE)
    log = entered(log, row("b.py::test_two", "failed", games="20000"), PLACE)
    first, second, more = rows(log)
    assert first["figures"] == {"seed": "4711", "ways": "1 | 2"}
    assert readable(second).startswith("b.py::test_two failed, 75 s of CPU, games 20,000 (3.")
    assert readable(second).endswith(", 123456789, 2026-11-21)")
    assert more["test"] == "b.py::test_two_more"
    assert len(log.splitlines()) == 3


def test_the_page_sums_the_log_up_by_folder() -> None:
    log = entered("", row("tests/a/test_a.py::test_one"), PLACE)
    log = entered(log, row("tests/a/test_b.py::test_two", "failed"), Place("1", "2026-11-19"))
    log = entered(log, row("tests/test_c.py::test_three"), PLACE)
    page = "# Above\n\n<!-- summary: x -->\n| old |\n<!-- end of summary -->\nBelow.\n"
    assert summarized(page, log).splitlines()[5:] == [
        "| `tests/a` | 2 | 1 | 2.5 min | 2026-11-19 to 2026-11-21 |",
        "| `tests/test_c.py` | 1 | 1 | 1.2 min | 2026-11-21 |",
        "<!-- end of summary -->",
        "Below.",
    ]
    with pytest.raises(ValueError, match="no place"):
        summarized("# Another page\n", log)


def test_a_log_that_is_not_there_is_begun(tmp_path: Path) -> None:
    log = tmp_path / "log.jsonl"
    write(log, row("a.py::test_one"), PLACE)
    write(log, row("a.py::test_two"), PLACE)
    assert [each["test"] for each in rows(log.read_text("utf-8"))] == [
        "a.py::test_one",
        "a.py::test_two",
    ]


def test_the_page_follows_its_log() -> None:
    page = PAGE.read_text("utf-8")
    assert page == summarized(page, LOG.read_text("utf-8"))


def test_each_row_of_the_log_names_a_test_that_is_there() -> None:
    missing = [
        row["test"]
        for row in rows(LOG.read_text("utf-8"))
        for path, _, test in [row["test"].partition("[")[0].partition("::")]
        if f"def {test}(" not in (Path(ROOT) / path).read_text("utf-8")
    ]
    assert missing == []
