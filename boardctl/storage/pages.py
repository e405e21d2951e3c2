"""Read the rows of a journal directly from its pages, without SQLite.

If the path to a page through the tree is damaged, the page itself is usually intact.

The format of table leaf pages and records is that of sqlite.org/fileformat2.html (1.6 "B-tree
Pages", 2.1 "Record Format", 4.1 "WAL File Format").
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, BinaryIO, Final

PAGE: Final = 4096
"""Bytes per page: SQLite's default, which the journal uses."""
_LEAF: Final = 0x0D
_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_SMALLEST: Final = 512
"""The size in bytes of SQLite's smallest page."""
_LITTLE_ENDIAN: Final = 0x82
"""The last byte of a log's magic number if its checksums use little-endian words."""
_WIDTHS: Final = (0, 1, 2, 3, 4, 6, 8)
"""The size in bytes of an integer, by its serial type."""
Row = tuple[Any, ...]


def rows(path: Path) -> Iterator[Row]:
    """Yield every row in the table leaf pages of a database and its log, the oldest copy first. The
    first column is the row id.

    Raises:
        OSError: if the file cannot be opened. Unreadable parts are skipped.
    """
    yield from _file(path, 0, 0)
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        yield from _file(log, _LOG_HEADER, _FRAME_HEADER)


def unread_commits(path: Path) -> int:
    """Return the maximum number of consecutive commits in a database's log after the frame at which
    SQLite stops reading.

    SQLite reads a log up to the first frame whose checksum is wrong. A power cut leaves at most one
    commit after that frame, because each commit is on disk before the next begins. A failed write
    may also leave a commit there if a shorter write has replaced its beginning, but two such
    commits are never consecutive. Several consecutive commits therefore mean that they were written
    after an intact frame, which was damaged later.

    The log's index (`-shm`) also shows how far SQLite has read, but this function never opens it.
    Closing the index would drop SQLite's own locks on it (sqlite.org/howtocorrupt.html, 2.2).
    Another process could then rebuild the index, and this process would end with a bus error.
    """
    log = path.with_name(f"{path.name}-wal")
    try:
        with log.open("rb") as file:
            header = file.read(_LOG_HEADER)
            size = int.from_bytes(header[8:12], "big")
            if len(header) < _LOG_HEADER or size < _SMALLEST:
                return 0
            found = _most_in_a_row(header, _frames(file, _FRAME_HEADER + size))
            file.seek(0)
            if file.read(_LOG_HEADER) != header:  # a running board has restarted the log
                return 0
            return found
    except OSError:
        return 0


def _frames(file: BinaryIO, size: int) -> Iterator[bytes]:
    """Yield the complete frames in a log, each of this size, from the file's current position
    on."""
    while len(frame := file.read(size)) == size:
        yield frame


def _most_in_a_row(header: bytes, frames: Iterable[bytes]) -> int:
    """Return the maximum number of consecutive commits after the first frame with a wrong checksum.

    Args:
        header: the log's 32-byte header.
        frames: the log's frames, each with a header of 24 bytes and a page.
    """
    words = "<" if header[3] == _LITTLE_ENDIAN else ">"
    salts, last = header[16:24], _sums(header[24:32])
    is_read = _checksum(words, (0, 0), header[:24]) == last
    row = most = 0
    for frame in frames:
        stored = _sums(frame[16:24])
        is_ours = frame[8:16] == salts
        follows = is_ours and _checksum(words, last, frame[:8] + frame[_FRAME_HEADER:]) == stored
        is_read = is_read and follows
        row = (row if follows else 0) + (is_ours and any(frame[4:8]))
        if is_read:
            row = 0
        most, last = max(most, row), stored
    return most


def _sums(stored: bytes) -> tuple[int, int]:
    return int.from_bytes(stored[:4], "big"), int.from_bytes(stored[4:], "big")


def _checksum(words: str, begin: tuple[int, int], data: bytes) -> tuple[int, int]:
    """Return the checksum of a log's content (sqlite.org/fileformat2.html, 4.2).

    Args:
        words: the byte order of its words, as for `struct`.
        begin: the checksum of the preceding content.
        data: a multiple of 8 bytes.
    """
    one, two = begin
    values = iter(struct.unpack(f"{words}{len(data) // 4}I", data))
    for first, second in zip(values, values, strict=True):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def _file(path: Path, start: int, skip: int) -> Iterator[Row]:
    with path.open("rb", buffering=0) as file:
        size = path.stat().st_size
        for place in range(start, size, skip + PAGE):
            try:
                file.seek(place + skip)
                page = file.read(PAGE)
            except OSError:  # an unreadable block of the SD card
                continue
            if page[:1] == bytes((_LEAF,)):
                yield from _leaf(page)


def _leaf(page: bytes) -> Iterator[Row]:
    (count,) = struct.unpack_from(">H", page, 3)
    for cell in range(min(count, (len(page) - 8) // 2)):
        try:
            (place,) = struct.unpack_from(">H", page, 8 + 2 * cell)
            yield _row(page, place)
        except (IndexError, ValueError, struct.error):
            continue  # this cell is damaged; its neighbours may be intact


def _row(page: bytes, place: int) -> Row:
    length, place = _varint(page, place)
    number, place = _varint(page, place)
    end = place + length
    if place < 8 or end > len(page):
        raise ValueError("a cell outside its page")
    header, at = _varint(page, place)
    kinds = []
    while at < place + header:
        kind, at = _varint(page, at)
        kinds.append(kind)
    values: list[Any] = []
    at = place + header
    for kind in kinds:
        value, at = _value(page, kind, at)
        values.append(value)
    if at != end or not values or values[0] is not None:
        raise ValueError("not a row of a table whose first column is the row id")
    return (number, *values[1:])


def _value(page: bytes, kind: int, at: int) -> tuple[Any, int]:
    if kind == 0:
        return None, at
    if kind <= 6:
        width = _WIDTHS[kind]
        return int.from_bytes(page[at : at + width], "big", signed=True), at + width
    if kind == 7:
        (real,) = struct.unpack_from(">d", page, at)
        return real, at + 8
    if kind in (8, 9):
        return kind - 8, at
    if kind >= 13 and kind % 2:
        length = (kind - 13) // 2
        return page[at : at + length].decode(), at + length
    raise ValueError(f"serial type {kind}")


def _varint(page: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place in range(8):
        byte = page[at + place]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + place + 1
    return value << 8 | page[at + 8], at + 9
