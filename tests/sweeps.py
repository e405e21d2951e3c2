"""Parameters of which a few run in every run, and the rest with the long tests."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import pytest


def sweep(name: str, every: Sequence[Any], ordinary: Sequence[Any]) -> pytest.MarkDecorator:
    """Parametrise a test; all but the ordinary values are marked `long`.

    Args:
        name: the parameter's name, or several with commas.
        every: its values; tuples of several names' values.
        ordinary: those of the ordinary run.

    Raises:
        ValueError: an ordinary value is none of them, so that it would never run.
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
