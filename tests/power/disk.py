"""A disk that loses power: the images that a cut can leave, from a log of writes and syncs.

Synced data is present. Other data may be present or not, completely or partly, in any order: each
unsynced write is torn at the edges of its 512-byte sectors, and a file's creation or removal may or
may not have reached its directory. After a failed sync the kernel may treat the writes as done and
drop
them: no later sync guarantees them, and they may be present or missing from then on (A. Rebello et
al., "Can Applications Recover from fsync Failures?", USENIX ATC 2020). Called by `test_power` and
`test_fsync`.
"""

from __future__ import annotations

import random
import struct
from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from typing import Final

SECTOR: Final = 512
_HEAD: Final = struct.Struct("<cIQI")
WAYS: Final = ("nothing", "everything", "prefix", "sectors")
"""The share of unsynced data that survives a cut."""


@dataclass(frozen=True, slots=True)
class Op:
    """One operation on a file; `kind` is a letter of interpose.c."""

    kind: str
    path: str
    offset: int
    data: bytes


def read_log(path: Path) -> list[Op]:
    """Return all operations, in order."""
    raw = path.read_bytes()
    names: dict[int, str] = {}
    ops = []
    at = 0
    while at < len(raw):
        kind, number, offset, length = _HEAD.unpack_from(raw, at)
        at += _HEAD.size
        data = raw[at : at + length]
        at += length
        if kind == b"N":
            names[number] = data.decode()
        else:
            ops.append(Op(kind.decode(), names[number], offset, data))
    return ops


@dataclass(slots=True)
class _Write:
    """A write or truncation, with its state: on disk, not yet, or unknown (None)."""

    op: Op
    synced: bool | None = False


@dataclass(slots=True)
class _File:
    durable: bytearray = field(default_factory=bytearray)
    writes: list[_Write] = field(default_factory=list)
    listed: bool = False
    exists: bool = False


class Disk:
    """The files after some operations: durable contents, and what is not synced yet."""

    def __init__(self) -> None:
        self._files: dict[str, _File] = {}
        self.acknowledged = 0

    def happen(self, op: Op) -> None:
        """Apply one more operation."""
        file = self._files.setdefault(op.path, _File())
        match op.kind:
            case "A":
                self.acknowledged = int(op.data)
            case "C":
                self._files[op.path] = _File(exists=True)
            case "W" | "T":
                file.exists = True
                file.writes.append(_Write(op))
            case "S":
                for write in file.writes:
                    if write.synced is False:
                        write.synced = True
                while file.writes and file.writes[0].synced:
                    _apply(file.durable, file.writes.pop(0).op)
                file.listed = True
            case "F":
                for write in file.writes:
                    if write.synced is False:
                        write.synced = None
            case "D":
                for path, other in list(self._files.items()):
                    if path.startswith(f"{op.path.rstrip('/')}/"):
                        other.listed = other.exists
            case "U":
                file.exists = False
                if not file.listed:
                    del self._files[op.path]
            case "R" | "L":
                self._move(op)
            case "M":
                pass
            case _:
                raise AssertionError(op.kind)

    def _move(self, op: Op) -> None:
        """Give a file another or an additional name. Both count as on disk at once here; `names`
        covers cuts in between."""
        target = op.data.decode()
        file = self._files.pop(op.path) if op.kind == "R" else self._files[op.path]
        self._files[target] = file

    def image(self, chance: random.Random, way: str) -> Iterator[tuple[str, bytes]]:
        """Return the files that a cut now could leave, with their contents."""
        for path, file in self._files.items():
            unsure = file.listed != file.exists
            there = file.exists if not unsure else _survives(chance, way, file.exists)
            if not there or path.endswith(".ack"):
                continue
            content = bytearray(file.durable)
            for synced, writes in groupby(file.writes, lambda write: bool(write.synced)):
                ops = [write.op for write in writes]
                for op in ops if synced else _surviving(ops, chance, way):
                    _apply(content, op)
            yield path, bytes(content)


def _survives(chance: random.Random, way: str, newest: bool) -> bool:
    if way in ("nothing", "everything"):
        return newest if way == "everything" else not newest
    return chance.random() < 0.5


def _surviving(pending: list[Op], chance: random.Random, way: str) -> Iterator[Op]:
    if way == "nothing":
        return
    if way in ("everything", "prefix"):
        end = len(pending) if way == "everything" else chance.randrange(len(pending) + 1)
        yield from pending[:end]
        return
    pieces = [piece for op in pending for piece in _sectors(op) if chance.random() < 0.5]
    chance.shuffle(pieces)
    yield from pieces


def _sectors(op: Op) -> Iterator[Op]:
    """Return a write as the sectors that it touches."""
    if op.kind == "T":
        yield op
        return
    at = 0
    while at < len(op.data):
        end = at + SECTOR - (op.offset + at) % SECTOR
        yield Op("W", op.path, op.offset + at, op.data[at:end])
        at = end


def _apply(content: bytearray, op: Op) -> None:
    if op.kind == "T":
        del content[op.offset :]
        content.extend(bytes(op.offset - len(content)))
        return
    if len(content) < op.offset:
        content.extend(bytes(op.offset - len(content)))
    content[op.offset : op.offset + len(op.data)] = op.data
