"""A table with keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.tables import KeyedTable, keyed


@pytest.fixture
def table(tmp_path: Path) -> Iterator[KeyedTable]:
    with keyed(tmp_path) as opened:
        yield opened
