"""The input and output of commands. Commands read text line by line within limits, from a file, a
pipe or standard input, or read games from the journal. They also write files."""

from __future__ import annotations

import codecs
import io
import os
import stat
from collections.abc import Callable, Generator, Iterable, Iterator
from contextlib import AbstractContextManager, closing
from pathlib import Path
from typing import IO, TYPE_CHECKING, Final

import click

from boardctl.commands.shared.data import board_data
from boardctl.commands.shared.user_language import advised, no_such_game, refused, say

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

    from boardctl.record.history import PlayedGame
    from boardctl.record.record import Record

LINE: Final = 10_000
"""The maximum number of characters in a line."""
MOST: Final = 100_000_000
"""The maximum number of characters in total. Even the games of ten thousand evenings stay below
it."""


_CHUNK: Final = 1 << 16
"""The number of bytes read at a time."""


class Whole(click.IntRange):
    """A whole number within bounds. Any other value is rejected because it is not an integer."""

    name = "integer"


class Number(click.FloatRange):
    """A number within bounds. Any other value is rejected because it is not a number."""

    name = "number"


class Lines(click.ParamType):  # type: ignore[type-arg]  # generic only for the type checker
    """A parameter that yields the lines of a text file (`lines`)."""

    name = "file"

    def convert(
        self, value: str, param: click.Parameter | None, ctx: click.Context | None
    ) -> Generator[str]:
        try:
            return lines(value)
        except click.ClickException as error:
            self.fail(error.message, param, ctx)


def lines(path: str) -> Generator[str]:
    """Yield the lines of a text file, or of standard input (`-`), each ending with a newline.

    The text is UTF-8, with or without a byte order mark, or UTF-16 with one. A file is checked
    before it is opened, because a device may never end and a named pipe without a writer would
    block. The length of a pipe is checked while the pipe is read. The file is opened when the first
    line is requested. It is closed at its end, or when the running command ends.

    Args:
        path: the path as the user wrote it.

    Raises:
        click.ClickException: the file cannot be read, is in another encoding, or is too long. Also
            raised while the lines are read.
    """
    read = _read(path)
    if context := click.get_current_context(silent=True):
        context.call_on_close(read.close)
    if path != "-":
        try:
            found = Path(path).stat()
        except OSError as error:
            raise refused("unreadable", path, reason=error) from error
        if not (stat.S_ISREG(found.st_mode) or stat.S_ISFIFO(found.st_mode)):
            raise refused("not-a-stream", path)
        if found.st_size > MOST:
            raise refused("too-large", path, most=f"{MOST:,}")
    return read


def _open(path: str) -> AbstractContextManager[IO[bytes]]:
    """Open a file to read its bytes. Standard input is left open afterwards."""
    if path == "-":
        return click.open_file("-", "rb")
    if Path(path).resolve().is_fifo():  # a shell's `<(…)` has no name, but always a writer
        return _written(path)
    return Path(path).open("rb")


def _written(path: str) -> io.BufferedReader:
    """Open a named pipe without waiting for a writer. Raises ClickException if no program is
    writing to it."""
    number = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    try:
        first = os.read(number, 1)
    except BlockingIOError:  # a program is connected, but has not written yet
        first = b""
    else:
        if not first:
            os.close(number)
            raise refused("no-writer", path)
    os.set_blocking(number, True)
    return io.BufferedReader(_Begun(number, first))


class _Begun(io.FileIO):
    """A file whose first bytes have already been read."""

    def __init__(self, number: int, first: bytes) -> None:
        super().__init__(number)
        self._first = first

    def readinto(self, buffer: WriteableBuffer, /) -> int | None:
        first, self._first = self._first, b""
        if not first:
            return super().readinto(buffer)
        memoryview(buffer)[: len(first)] = first
        return len(first)


def _read(path: str) -> Generator[str]:
    """Yield the lines of a file within the limits, and close the file at its end."""
    name = say("standard-input") if path == "-" else path
    number, total = 0, 0
    try:
        with _open(path) as stream:
            for line in _decoded(stream, name):
                number += 1
                total += len(line)
                if len(line) > LINE:
                    raise refused("long-line", name, number=number, most=f"{LINE:,}")
                if "\0" in line:  # UTF-16 without a mark
                    byte = len(line[: line.index("\0")].encode()) + 1
                    raise refused("line-not-text", name, number=number, byte=byte)
                if total > MOST:
                    raise refused("too-long", name, most=f"{MOST:,}")
                yield line
    except OSError as error:
        raise refused("unreadable", name, reason=error) from error


def _decoded(stream: IO[bytes], name: str) -> Generator[str]:
    """Yield the lines of a stream as soon as they are available. For a line that is too long, at
    least `LINE` + 1 characters are yielded."""
    head = b""
    while len(head) < 2 and (more := _available(stream)):
        head += more
    encoding = "utf-16" if head[:2] in (codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE) else "utf-8-sig"
    decoder = codecs.getincrementaldecoder(encoding)()
    newlines = io.IncrementalNewlineDecoder(decoder, translate=True)
    number, rest, chunk = 0, "", head
    while True:
        wrong: UnicodeDecodeError | None = None
        try:
            rest += newlines.decode(chunk, final=not chunk)
        except UnicodeDecodeError as error:  # the lines before the damage are readable
            wrong = error
            rest += io.IncrementalNewlineDecoder(None, translate=True).decode(
                error.object[: error.start].decode(error.encoding)
            )
        *whole, rest = rest.split("\n")
        for line in whole:
            yield line + "\n"
        number += len(whole)
        if wrong is not None:
            byte = len(rest.encode(wrong.encoding)) + 1
            raise refused("line-not-utf-8", name, number=number + 1, byte=byte) from wrong
        if len(rest) > LINE or not chunk:
            if rest:
                yield rest
            return
        chunk = _available(stream)


def _available(stream: IO[bytes]) -> bytes:
    """Return the next bytes of a stream, waiting for at most one byte. At its end, return no
    bytes."""
    read: Callable[[int], bytes] = getattr(stream, "read1", stream.read)
    return read(_CHUNK)


def save(path: Path, data: bytes) -> None:
    """Write a file named by the user. Raises click.ClickException if the file cannot be written."""
    try:
        path.write_bytes(data)
    except OSError as error:
        raise refused("unwritable", path, reason=error) from error


def journal_games(data: Path | None, number: int | None = None) -> tuple[PlayedGame, ...]:
    """Return the games of the journal, oldest first.

    Args:
        data: the data directory, or None for the usual one.
        number: the number of one game, or None for all.

    Raises:
        click.ClickException: there is no such game, or no readable journal.
    """
    from boardctl import __version__
    from boardctl.storage.archive import Archive

    with advised(), closing(Archive(board_data(data), __version__)) as archive:
        if number is None:
            return tuple(archive.games())
        found = archive.game(number)
        if found is None:
            raise no_such_game(number, len(archive))
        return (found,)


def evenings(lines: Iterable[str], file: str = "") -> Iterator[Record]:
    """Yield the record at the end of each evening in the notation. It is always the same object,
    which is cleared for the next evening.

    Args:
        lines: of the notation.
        file: the name for an error.

    Raises:
        click.ClickException: a line is rejected.
    """
    from boardctl.commands.shared.terminal import clear
    from boardctl.games import IllegalMove
    from boardctl.record.record import Record

    record = Record()
    for number, line in enumerate(lines, 1):
        if line.split()[:1] == ["session"]:
            yield record
        try:
            record.read(line.rstrip("\r\n"))
        except IllegalMove as error:
            clear()
            raise refused("at-line", file, number=number, said=error) from error
    yield record


def for_all_to_see(games: Iterable[PlayedGame]) -> tuple[PlayedGame, ...]:
    """Return games without the deals whose cards may still be secret. The games with such deals are
    listed on standard error."""
    from boardctl.record.history import without_secrets

    whole = tuple(games)
    shown = tuple(map(without_secrets, whole))
    cut = [str(one.number) for one, kept in zip(whole, shown, strict=True) if kept is not one]
    if cut:
        click.echo(say("deal-left-out", games=", ".join(cut)), err=True)
    return shown
