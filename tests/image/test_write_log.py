"""The log of writes and the cuts made from it, on a disk of a few sectors."""

from __future__ import annotations

import struct
from pathlib import Path
from random import Random

from tests.image.write_log import SECTOR, Disk, WriteLog

FLUSH, FUA = 1, 2


def entry(start: int, content: bytes, flags: int = 0) -> bytes:
    head = struct.pack("<QQQQ", start, len(content) // SECTOR, flags, 0)
    return head.ljust(SECTOR, b"\0") + content


def sector(letter: str) -> bytes:
    return letter.encode() * SECTOR


def logged(folder: Path, *entries: bytes) -> tuple[WriteLog, Path]:
    head = struct.pack("<QQQI", 0x6A736677736872, 1, len(entries), SECTOR)
    (folder / "log").write_bytes(head.ljust(SECTOR, b"\0") + b"".join(entries))
    (folder / "disk").write_bytes(bytes(8 * SECTOR))
    return WriteLog(folder / "log"), folder / "disk"


def test_a_flush_makes_what_came_before_it_last(tmp_path: Path) -> None:
    log, path = logged(
        tmp_path,
        entry(0, sector("a")),
        entry(1, sector("b") + sector("c")),
        entry(0, b"", FLUSH),
        entry(2, sector("d")),
        entry(5, sector("e"), FUA),
    )
    disk = Disk(log, path)
    disk.advance(1)
    assert path.read_bytes() == bytes(8 * SECTOR)
    disk.advance(4)
    assert path.read_bytes()[: 3 * SECTOR] == sector("a") + sector("b") + sector("c")
    assert path.read_bytes()[5 * SECTOR : 6 * SECTOR] == sector("e"), "it lasts by itself"


def test_what_was_not_flushed_is_there_or_not_or_torn(tmp_path: Path) -> None:
    log, path = logged(tmp_path, entry(0, sector("a")), entry(4, sector("b") + sector("c")))
    disk = Disk(log, path)
    disk.advance(1)
    fates = [tuple(disk.lost_by(Random(seed))) for seed in range(200)]
    assert () in fates
    assert ((0, sector("a")), (4 * SECTOR, sector("b") + sector("c"))) in fates
    assert ((4 * SECTOR, sector("b")),) in fates, "torn"
    assert path.read_bytes() == bytes(8 * SECTOR)


def test_marks_are_found_by_their_sector(tmp_path: Path) -> None:
    log, _ = logged(
        tmp_path,
        entry(3, b"lines 7".ljust(SECTOR)),
        entry(3, sector("x") * 2),
        entry(0, b"", FLUSH),
        entry(3, b"lines 8".ljust(SECTOR)),
    )
    assert [(n, text.strip()) for n, text in log.marks(3)] == [(0, b"lines 7"), (3, b"lines 8")]
