"""The long-run page keeps its handwritten text, and one row per test."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.report import HEAD, ROOT, Place, Row, entered

PLACE = Place("123456789", "2026-11-21")
PAGE = "\n".join(["# Above", "", *HEAD, "", "Below.", ""])


def row(test: str, result: str = "passed", **figures: str) -> Row:
    return Row(test, result, figures, 75.0)


def test_a_row_is_entered_in_order_and_replaced_by_its_own_test_alone() -> None:
    page = entered(PAGE, row("b.py::test_two", games="10000", grown_bytes="-7"), PLACE)
    page = entered(page, row("a.py::test_one", seed="4711", ways="1 | 2"), PLACE)
    page = entered(page, row("b.py::test_two_more"), PLACE)
    page = entered(page, row("b.py::test_two", "failed", games="20000"), PLACE)
    above, first, more, second, *below = page.splitlines()[3:]
    assert above == HEAD[1]
    assert first.startswith(r"| `a.py::test_one` | passed | seed 4711, ways 1 \| 2 | 1.2 min | ")
    assert second.startswith("| `b.py::test_two` | failed | games 20,000 |")
    assert second.endswith("| 123456789 | 2026-11-21 |")
    assert more.startswith("| `b.py::test_two_more` |")
    assert below == ["", "Below."]


def test_a_page_without_the_table_is_refused() -> None:
    with pytest.raises(ValueError, match="no table"):
        entered("# Another page\n", row("a.py::test_one"), PLACE)


def test_each_row_of_the_page_names_a_test_that_is_there() -> None:
    page = (ROOT / "docs" / "long-run.md").read_text("utf-8")
    named = re.findall(r"^\| `(.+?)::(\w+)", page, re.MULTILINE)
    missing = [
        (path, test)
        for path, test in named
        if f"def {test}(" not in (Path(ROOT) / path).read_text("utf-8")
    ]
    assert missing == []
