"""A log of a machine's disk writes, and the disk as a power cut would leave it.

QEMU's `blklogwrites` keeps the log, in the format of the kernel's dm-log-writes
(Documentation/admin-guide/device-mapper/log-writes.rst): a header sector, then for each request a
sector that describes it and its data. A flush makes all earlier writes durable. A cut keeps those,
and each later sector at random.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

SECTOR: Final = 512
_MAGIC: Final = 0x6A736677736872
_FLUSH, _FUA, _DISCARD = 1, 2, 4


class Request(NamedTuple):
    """One request: its offset and length on the disk in bytes; the position of its data in the log;
    whether it is a flush, and whether it alone is durable."""

    start: int
    length: int
    data: int
    flush: bool
    lasts: bool


class WriteLog:
    """A log, read from its file."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self.requests = tuple(self._read())

    def _read(self) -> Iterator[Request]:
        size = self._path.stat().st_size
        with self._path.open("rb") as log:
            magic, version, count, sector = struct.unpack("<QQQI", log.read(28))
            assert (magic, version, sector) == (_MAGIC, 1, SECTOR)
            at = SECTOR
            for _ in range(count):
                if at + SECTOR > size:
                    return
                log.seek(at)
                start, sectors, flags, _ = struct.unpack("<QQQQ", log.read(32))
                at += SECTOR
                length = 0 if flags & _DISCARD else sectors * SECTOR
                if length or flags & _FLUSH:
                    last = bool(flags & _FUA)
                    yield Request(start * SECTOR, length, at, bool(flags & _FLUSH), last)
                at += length

    def content(self, request: Request) -> bytes:
        """Return the data that a request wrote."""
        with self._path.open("rb") as log:
            log.seek(request.data)
            return log.read(request.length)

    def marks(self, sector: int) -> list[tuple[int, bytes]]:
        """Return the requests that wrote only this one sector: their numbers and data."""
        return [
            (number, self.content(request))
            for number, request in enumerate(self.requests)
            if request.start == sector * SECTOR and request.length == SECTOR
        ]


class Disk:
    """A disk onto which the log is replayed: durable writes, and the additions of a cut."""

    def __init__(self, log: WriteLog, disk: Path) -> None:
        """`disk` is the image at the beginning of the log; it is modified."""
        self._log = log
        self._disk = disk
        self._next = 0
        self._waiting: list[Request] = []

    def advance(self, number: int) -> None:
        """Advance to just after this request."""
        with self._disk.open("r+b") as disk:
            for request in self._log.requests[self._next : number + 1]:
                if request.flush:
                    for earlier in self._waiting:
                        self._write(disk, earlier)
                    self._waiting.clear()
                if request.length and request.lasts:
                    self._write(disk, request)
                elif request.length:
                    self._waiting.append(request)
        self._next = max(self._next, number + 1)

    def _write(self, disk: object, request: Request) -> None:
        disk.seek(request.start)  # type: ignore[attr-defined]  # a binary file
        disk.write(self._log.content(request))  # type: ignore[attr-defined]  # a binary file

    def lost_by(self, chance: Random) -> list[tuple[int, bytes]]:
        """Return writes that were not durable but reached the disk anyway: pieces and their
        offsets."""
        kept = []
        for request in self._waiting:
            fate = chance.random()
            content = self._log.content(request)
            if fate < 0.4:  # whole
                kept.append((request.start, content))
            elif fate < 0.6:  # torn: some sectors of it
                sectors = chance.randrange(0, request.length // SECTOR + 1)
                kept.append((request.start, content[: sectors * SECTOR]))
        return kept
