"""Optional packages: the one place that says which extra brings a package that is missing."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class MissingPackageError(Exception):
    """A package that an optional part needs is not installed; the message is one sentence."""


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """Import an optional part inside this.

    Args:
        what: the part, as the sentence's subject: `a PDF`.
        extra: the extra of pyproject.toml that brings its packages: `drawings`.

    Raises:
        MissingPackageError: a package cannot be imported.
    """
    try:
        yield
    except ImportError as error:
        raise MissingPackageError(
            f"{what} needs the Python package {error.name}, which is not installed: "
            f"install boardctl with its extra [{extra}]"
        ) from error
