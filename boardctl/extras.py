"""Optional packages: reports which extra provides a missing package."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager


class MissingPackageError(Exception):
    """A missing package of an optional part; the message is one sentence."""


@contextmanager
def needs(what: str, extra: str) -> Iterator[None]:
    """A context manager for importing an optional part.

    Args:
        what: the part, as the sentence's subject: `a PDF`.
        extra: the extra of pyproject.toml with its packages: `drawings`.

    Raises:
        MissingPackageError: if a package cannot be imported.
    """
    try:
        yield
    except ImportError as error:
        raise MissingPackageError(
            f"{what} needs the Python package {error.name}, which is not installed: "
            f"install boardctl with its extra [{extra}]"
        ) from error
