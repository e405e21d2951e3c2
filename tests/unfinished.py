"""Parts that a release needs and a change does not: translations, golden digests."""

from __future__ import annotations

import os
import warnings
from typing import Final

import pytest

RELEASE: Final = "RELEASE"
"""The environment variable set by the release's workflow."""


class UnfinishedWarning(UserWarning):
    """A part that must be finished before a release."""


def unfinished(what: str) -> None:
    """Warn of a missing part; fail instead if a release is being made.

    Args:
        what: the part, and how to make it.
    """
    if os.environ.get(RELEASE):
        pytest.fail(what)
    with warnings.catch_warnings():
        warnings.simplefilter("always", UnfinishedWarning)
        warnings.warn(what, UnfinishedWarning, stacklevel=2)
