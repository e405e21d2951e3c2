"""Read the rows of a journal directly from its pages, without SQLite.

If the path to a page through the tree is damaged, the page itself is usually intact.

The format of table leaf pages and records is that of sqlite.org/fileformat2.html (1.6 "B-tree
Pages", 2.1 "Record Format", 4.1 "WAL File Format"), that of a log's index is that of
sqlite.org/walformat.html (2.1).
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

PAGE: Final = 4096
"""Bytes per page: SQLite's default, which the journal uses."""
_LEAF: Final = 0x0D
_LOG_HEADER: Final = 32
_FRAME_HEADER: Final = 24
_SMALLEST: Final = 512
"""Bytes of SQLite's smallest page."""
_WIDTHS: Final = (0, 1, 2, 3, 4, 6, 8)
"""Bytes of an integer by its serial type."""
Row = tuple[Any, ...]


def rows(path: Path) -> Iterator[Row]:
    """Every row in the table leaf pages of a database and its log, the oldest copy first: its row
    id as the first column, then the others.

    Raises:
        OSError: if the file cannot be opened; unreadable parts are skipped.
    """
    yield from _file(path, 0, 0)
    log = path.with_name(f"{path.name}-wal")
    if log.exists():
        yield from _file(log, _LOG_HEADER, _FRAME_HEADER)


def unread_commits(path: Path) -> int:
    """How many committed writes lie in a database's log behind where SQLite stopped reading it.

    A commit is on disk before the next begins, so a power cut leaves one such write at most; more
    than one says that a frame before them was damaged later. A connection has read from the
    database, so that the index of its log (`-shm`) says how far SQLite came.
    """
    log, index = (path.with_name(f"{path.name}-{end}") for end in ("wal", "shm"))
    try:
        with log.open("rb", buffering=0) as file:
            header = file.read(_LOG_HEADER)
            size = int.from_bytes(header[8:12], "big")
            if len(header) < _LOG_HEADER or size < _SMALLEST:
                return 0
            frames = (log.stat().st_size - _LOG_HEADER) // (_FRAME_HEADER + size)
            commits = []
            for frame in range(frames):
                file.seek(_LOG_HEADER + frame * (_FRAME_HEADER + size))
                frame_header = file.read(_FRAME_HEADER)
                if frame_header[8:16] == header[16:24] and any(frame_header[4:8]):
                    commits.append(frame + 1)
            (read,) = struct.unpack_from("=I", index.read_bytes(), 16)
            file.seek(0)
            if file.read(_LOG_HEADER) != header:  # a board that is running began the log again
                return 0
    except (OSError, struct.error):
        return 0
    return sum(frame > read for frame in commits)


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
