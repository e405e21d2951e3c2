"""Parametrized tests whose cases do nearly the same work: the ordinary run takes some of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest


def spread(ordinary: int, values: Iterable[Any]) -> list[Any]:
    """Return values for `pytest.mark.parametrize`, most of them for the slow run.

    Args:
        ordinary: the number of values for the ordinary run, spread evenly over all of them.
        values: one for each case; a tuple contains several arguments. Marked ones stay as they are.
    """
    cases = [_case(value) for value in values]
    unmarked = [number for number, case in enumerate(cases) if not case.marks]
    kept = {unmarked[number * len(unmarked) // ordinary] for number in range(ordinary)}
    return [
        pytest.param(*case.values, marks=pytest.mark.slow, id=case.id)
        if number in set(unmarked) - kept
        else case
        for number, case in enumerate(cases)
    ]


def _case(value: Any) -> Any:
    if isinstance(value, type(pytest.param())):
        return value
    return pytest.param(*value) if isinstance(value, tuple) else pytest.param(value)
