"""A disk that keeps no name before its directory is synced, and no content before its file is.

`disk.py` models the effect of a cut on the content of files, this module the effect on names: files
that are created, renamed, linked and removed, in directories that are new themselves. There are two
models: `strict` keeps only synced data (POSIX guarantees no more), `mixed` keeps some of the rest
at random.
"""

from __future__ import annotations

import random
from dataclasses import dataclass, field
from pathlib import Path

from tests.power.disk import Op, _apply


@dataclass(eq=False)
class _Node:
    """A file or directory: its state on disk, and in memory."""

    durable: bytearray = field(default_factory=bytearray)
    pending: list[Op] = field(default_factory=list)
    is_directory: bool = False
    entries: dict[str, _Node] = field(default_factory=dict)
    listed: dict[str, _Node] = field(default_factory=dict)


class Names:
    """A directory tree after some operations; `root` exists and is on disk."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._tree = _Node(is_directory=True)
        self.said: list[str] = []

    def happen(self, op: Op) -> None:
        """Apply one more operation."""
        if op.kind == "A":
            self.said += op.data.decode().split()
            return
        folder, name = self._place(op.path)
        if folder is None:  # the root itself
            if op.kind == "D":
                self._tree.listed = dict(self._tree.entries)
            return
        match op.kind:
            case "C" | "M":
                folder.entries[name] = _Node(is_directory=op.kind == "M")
            case "W" | "T":
                folder.entries[name].pending.append(op)
            case "S":
                node = folder.entries[name]
                for write in node.pending:
                    _apply(node.durable, write)
                node.pending = []
            case "D":
                node = folder.entries[name]
                node.listed = dict(node.entries)
            case "U":
                del folder.entries[name]
            case "R" | "L":
                other, new = self._place(op.data.decode())
                assert other is not None
                other.entries[new] = folder.entries[name]
                if op.kind == "R":
                    del folder.entries[name]
            case _:
                raise AssertionError(op.kind)

    def _place(self, path: str) -> tuple[_Node | None, str]:
        parts = Path(path).relative_to(self._root).parts
        if not parts:
            return None, ""
        node = self._tree
        for part in parts[:-1]:
            node = node.entries[part]
        return node, parts[-1]

    def write(self, target: Path, chance: random.Random, strict: bool) -> None:
        """Write the tree that a cut now could leave below another directory."""
        self._write(self._tree, target, chance, strict)

    def _write(self, node: _Node, target: Path, chance: random.Random, strict: bool) -> None:
        for name in {**node.listed, **node.entries}:
            kept = node.listed.get(name)
            if not strict and chance.random() < 0.5:
                kept = node.entries.get(name)
            if kept is None or name.endswith(".ack"):
                continue
            path = target / name
            if kept.is_directory:
                path.mkdir()
                self._write(kept, path, chance, strict)
                continue
            content = bytearray(kept.durable)
            for op in () if strict else kept.pending[: chance.randrange(len(kept.pending) + 1)]:
                _apply(content, op)
            path.write_bytes(content)
