"""Parameters of which a few run in every run, and the rest in the long tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def sweep(name: str, every: Sequence[Any], ordinary: Sequence[Any]) -> pytest.MarkDecorator:
    """Parametrize a test; all but the ordinary values are marked `long`.

    Args:
        name: the parameter's name, or several separated by commas.
        every: its values; for several names, tuples of values.
        ordinary: the values of the ordinary run.

    Raises:
        ValueError: if an ordinary value is not among them and would never run.
    """
    if unknown := [value for value in ordinary if value not in every]:
        raise ValueError(f"{unknown} is not in {every}")
    several = "," in name
    return pytest.mark.parametrize(
        name,
        [
            pytest.param(
                *(value if several else (value,)),
                marks=() if value in ordinary else pytest.mark.long,
            )
            for value in every
        ],
    )
