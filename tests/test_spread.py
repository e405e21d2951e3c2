"""Some cases of a parametrized test are ordinary, and the others slow."""

from __future__ import annotations

import pytest

from tests.spread import spread


def test_the_ordinary_cases_are_spread_over_all_and_marked_ones_stay() -> None:
    long = pytest.param(9, marks=pytest.mark.long)
    cases = spread(2, [0, (1, "one"), 2, long, 3])
    assert [case.values for case in cases] == [(0,), (1, "one"), (2,), (9,), (3,)]
    assert [[mark.name for mark in case.marks] for case in cases] == [
        [], ["slow"], [], ["long"], ["slow"],
    ]  # fmt: skip
