"""What a release must have and a change need not: translations, golden digests."""

from __future__ import annotations

import os
import warnings
from typing import Final

import pytest

RELEASE: Final = "RELEASE"
"""The environment variable that the release's workflow sets."""


class UnfinishedWarning(UserWarning):
    """A part that has to follow before a release."""


def unfinished(what: str) -> None:
    """Warn of a part that is missing; fail instead where a release is made.

    Args:
        what: the part, and how to make it.
    """
    if os.environ.get(RELEASE):
        pytest.fail(what)
    with warnings.catch_warnings():
        warnings.simplefilter("always", UnfinishedWarning)
        warnings.warn(what, UnfinishedWarning, stacklevel=2)
