"""A table for the tests of the voice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tables import KeyedTable, keyed, submit


@pytest.fixture
def table(tmp_path: Path) -> Iterator[KeyedTable]:
    with keyed(tmp_path) as made:
        for line in ("dealer 1", "deal"):
            submit(made.table, line, "test")
        yield made
