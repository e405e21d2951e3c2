"""What a command reads: text line by line within limits, from a file, a pipe or standard input, and
the journal's games. What it writes: a file."""

from __future__ import annotations

import io
import os
import stat
from collections.abc import Generator, Iterable
from contextlib import closing
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from boardctl.commands._language import advised, no_such_game, refused, say

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from boardctl.record.history import PlayedGame

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
    ) -> Generator[str]:
        try:
            return lines(value, self._errors)
        except click.ClickException as error:
            self.fail(error.message, param, ctx)


def lines(path: str, errors: str = "strict") -> Generator[str]:
    """The lines of a UTF-8 text file, or of standard input (`-`), with their ends.

    A file is checked before it is opened: a device may never end, a folder has no lines, and a
    named pipe into which nobody writes would be waited for. What comes through a pipe is counted
    while it comes.

    Args:
        path: as the user wrote it.
        errors: what happens to bytes that are not UTF-8, as for `open`.

    Raises:
        click.ClickException: it cannot be read, or is too long; also while it is read.
    """
    if path == "-":
        stdin = click.open_file("-", encoding="utf-8", errors=errors)
        return _counted(stdin, say("standard-input"))
    try:
        found = Path(path).stat()
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode)):
            raise refused("not-a-stream", path)
        if found.st_size > MOST:
            raise refused("too-large", path, most=f"{MOST:,}")
        if Path(path).resolve().is_fifo():  # a shell's `<(…)` has no name, and always a writer
            return _counted(io.TextIOWrapper(_written(path), "utf-8", errors), path)
        return _counted(Path(path).open(encoding="utf-8", errors=errors), path)
    except OSError as error:
        raise refused("unreadable", path, reason=error) from error


def _written(path: str) -> io.BufferedReader:
    """A named pipe, opened without waiting. Raises ClickException if nobody writes into it."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        first = os.read(number, 1)
    except BlockingIOError:  # somebody writes, and has not begun
        first = b""
    else:
        if not first:
            os.close(number)
            raise refused("no-writer", path)
    os.set_blocking(number, True)
    return io.BufferedReader(_Begun(number, first))


class _Begun(io.FileIO):
    """A file whose first bytes have been read already."""

    def __init__(self, number: int, first: bytes) -> None:
        super().__init__(number)
        self._first = first

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        first, self._first = self._first, b""
        if not first:
            return super().readinto(buffer)
        memoryview(buffer)[: len(first)] = first
        return len(first)


def _counted(stream: IO[str], name: str) -> Generator[str]:
    """The lines of a stream, which is closed at their end, as far as they are not too long."""
    number, total = 0, 0
    with stream:
        try:
            while line := stream.readline(LINE + 1):
                if number == 0:
                    line = line.removeprefix("\ufeff")  # a byte order mark
                number += 1
                total += len(line)
                if len(line) > LINE:
                    raise refused("long-line", name, number=number, most=f"{LINE:,}")
                if total > MOST:
                    raise refused("too-long", name, most=f"{MOST:,}")
                yield line
        except UnicodeDecodeError as error:
            raise refused("line-not-utf-8", name, number=number + 1) from error
        except OSError as error:
            raise refused("unreadable", name, reason=error) from error


def save(path: Path, data: bytes) -> None:
    """Write a file that the user has named. Raises click.ClickException if it cannot be written."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise refused("unwritable", path, reason=error) from error


def journal_games(data: Path | None, number: int | None = None) -> tuple[PlayedGame, ...]:
    """The games of the journal, oldest first.

    Args:
        data: the data directory, None for the usual one.
        number: of the one game that is wanted, None for all.

    Raises:
        click.ClickException: there is no journal or no such game, or it cannot be read.
    """
    from boardctl import __version__
    from boardctl.storage.archive import Archive
    from boardctl.storage.files import data_directory

    with advised(), closing(Archive(data or data_directory(), __version__)) as archive:
        if number is None:
            return tuple(archive.games())
        found = archive.game(number)
        if found is None:
            raise no_such_game(number, len(archive))
        return (found,)


def for_all_to_see(games: Iterable[PlayedGame]) -> tuple[PlayedGame, ...]:
    """Games without cards that their players may still hold in secret; says on standard error of
    which games a deal is left out."""
    from boardctl.record.history import without_secrets

    whole = tuple(games)
    shown = tuple(map(without_secrets, whole))
    cut = [str(one.number) for one, kept in zip(whole, shown, strict=True) if kept is not one]
    if cut:
        click.echo(say("deal-left-out", games=", ".join(cut)), err=True)
    return shown
