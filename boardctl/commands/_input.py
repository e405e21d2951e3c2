"""Text that a command reads line by line, from a file, a pipe or standard input, within limits."""

from __future__ import annotations

import stat
from collections.abc import Iterator
from pathlib import Path
from typing import IO, Final

import click

LINE: Final = 10_000
"""Characters of the longest line that is read."""
MOST: Final = 100_000_000
"""Characters that are read in all: the games of ten thousand evenings have fewer."""


class Lines(click.ParamType):  # type: ignore[type-arg]  # generic only for the type checker
    """A parameter whose value is the lines of a UTF-8 text file, as `lines` gives them."""

    name = "file"

    def __init__(self, errors: str = "strict") -> None:
        """`errors` is what happens to bytes that are not UTF-8, as for `open`."""
        self._errors = errors

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Iterator[str]:
        try:
            return lines(value, self._errors)
        except click.ClickException as error:
            self.fail(error.message, param, ctx)


def lines(path: str, errors: str = "strict") -> Iterator[str]:
    """The lines of a UTF-8 text file, or of standard input (`-`), with their ends.

    A file is checked before it is opened: a device may never end, and a folder has no lines. What
    comes through a pipe is counted while it comes.

    Args:
        path: as the user wrote it.
        errors: what happens to bytes that are not UTF-8, as for `open`.

    Raises:
        click.ClickException: it cannot be read, or is too long; also while it is read.
    """
    if path == "-":
        stdin = click.open_file("-", encoding="utf-8", errors=errors)
        return _counted(stdin, "standard input")
    try:
        found = Path(path).stat()
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode)):
            raise click.ClickException(f"{path} cannot be read: it is neither a file nor a pipe")
        if found.st_size > MOST:
            raise click.ClickException(f"{path} cannot be read: it is larger than {MOST:,} bytes")
        return _counted(Path(path).open(encoding="utf-8", errors=errors), path)
    except OSError as error:
        raise click.ClickException(f"{path} cannot be read: {error.strerror}") from error


def _counted(stream: IO[str], name: str) -> Iterator[str]:
    """The lines of a stream, which is closed at their end, as far as they are not too long."""
    number, total = 0, 0
    with stream:
        try:
            while line := stream.readline(LINE + 1):
                number += 1
                total += len(line)
                if len(line) > LINE:
                    raise click.ClickException(
                        f"{name} cannot be read: line {number} is longer than {LINE:,} characters"
                    )
                if total > MOST:
                    raise click.ClickException(
                        f"{name} cannot be read: it is longer than {MOST:,} characters"
                    )
                yield line
        except UnicodeDecodeError as error:
            raise click.ClickException(f"{name} cannot be read: {error}") from error
        except OSError as error:
            raise click.ClickException(f"{name} cannot be read: {error.strerror}") from error
