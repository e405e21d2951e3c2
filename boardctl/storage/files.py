"""Write files with the correct owner, so that a power cut leaves either the old or the new content.

A write is safe only once the file, its directory entry and the entries of all new parent
directories are on disk. This module syncs them in this order (man 2 fsync: "Calling fsync() does
not necessarily ensure that the entry in the directory containing the file has also reached disk").
"""

from __future__ import annotations

import errno
import logging
import os
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, Final, TypeVar

from boardctl import text
from boardctl.options import LONGEST, read_file

_log: Final = logging.getLogger(__name__)
T = TypeVar("T")
PRIVATE: Final = 0o600
"""The permissions of files that only their owner may read."""
SERVICE: Final = "boardctl"
"""The user that the systemd service runs as."""
_COPY: Final = 1 << 20


def data_directory() -> Path:
    """Return the journal's folder: the state directory from systemd or, without systemd, the user's
    data directory."""
    state = os.environ.get("STATE_DIRECTORY")
    if state:
        return Path(state)
    home = os.environ.get("XDG_STATE_HOME")
    return (Path(home) if home else Path.home() / ".local" / "state") / "boardctl"


def sync_directory(path: Path) -> None:
    """Sync a directory's entries to disk. Raises OSError."""
    folder = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(folder)
    finally:
        os.close(folder)


def make_directory(path: Path, mode: int = 0o700) -> None:
    """Create a directory and its missing parents, and sync each one before creating the next.
    Raises OSError."""
    missing = [path, *path.parents]
    missing = missing[: next((n for n, one in enumerate(missing) if one.is_dir()), len(missing))]
    for folder in reversed(missing):
        folder.mkdir(mode, exist_ok=True)
        give(folder, owner(folder.parent))
        sync_directory(folder.parent)


def is_root() -> bool:
    """Return whether this process runs as root. Always False on a system without users."""
    return hasattr(os, "geteuid") and os.geteuid() == 0


def owner(directory: Path) -> tuple[int, int]:
    """Return the user and group for files in a directory. They are those of the directory or, if it
    belongs to root and the service's user exists, those of the service. Raises OSError."""
    found = directory.stat()
    if is_root() and found.st_uid == 0:
        import pwd  # missing if the system has no users

        with suppress(KeyError):
            service = pwd.getpwnam(SERVICE)
            return service.pw_uid, service.pw_gid
    return found.st_uid, found.st_gid


def give(file: Path | int, to: tuple[int, int]) -> None:
    """Change the owner of a file if running as root (`sudo boardctl …`). Raises OSError."""
    if not is_root():
        return
    if isinstance(file, int):
        os.fchown(file, *to)
    else:  # a link planted by the service's user must not give away another file
        os.chown(file, *to, follow_symlinks=False)


@contextmanager
def replacing(
    path: Path, mode: int = PRIVATE, user: tuple[int, int] | None = None
) -> Iterator[BinaryIO]:
    """Write a file that is synced and atomically replaces another when the block ends. If the block
    raises an exception, the old file is unchanged, and no other file is left behind.

    Args:
        path: the file to replace; its directory exists.
        mode: the permissions of the new file.
        user: the owner, by default that of its directory's files (`owner`).

    Raises:
        OSError: if it cannot be written.
    """
    fresh = part(path)
    with suppress(FileNotFoundError):
        fresh.unlink()
    # O_EXCL: do not follow a link planted under this name.
    number = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, mode)
    try:
        with os.fdopen(number, "wb") as file:
            os.fchmod(number, mode)
            give(number, user or owner(path.parent))
            yield file
            file.flush()
            os.fsync(number)
        fresh.rename(path)
    except BaseException:
        fresh.unlink(missing_ok=True)
        raise
    sync_directory(path.parent)


def replace(
    path: Path, content: bytes, mode: int = PRIVATE, user: tuple[int, int] | None = None
) -> None:
    """Replace a file's content, so that a power cut leaves either the old or the new content.

    Args:
        path: the file; its directory exists.
        content: the whole new content.
        mode: its permissions.
        user: the file's user and group, by default those of its directory's files (`owner`).

    Raises:
        OSError: if the file cannot be written. The old file then stays.
    """
    with replacing(path, mode, user) as file:
        file.write(content)


def load(path: Path, shape: Callable[[Any], T]) -> T | None:
    """Read a small JSON file that is not essential to a board. Return None if the file is missing
    or cannot be read. A read error is logged.

    Args:
        path: the file, of at most `LONGEST` bytes.
        shape: converts its content; raises AttributeError, TypeError or ValueError for unexpected
            content.
    """
    try:
        content = read_file(path, LONGEST)
        from json import loads  # a new board has no such file

        return shape(loads(content))
    except FileNotFoundError:
        return None
    except (OSError, AttributeError, RecursionError, TypeError, ValueError) as error:
        _log.error("%s cannot be read: %s", path, text.sentence(error))
        return None


def keep(path: Path, content: bytes) -> bool:
    """Replace a file that is not essential to a board, as `replace` does. Return whether the file
    could be written. A failure is logged."""
    try:
        replace(path, content)
    except OSError as error:
        _log.error("%s cannot be written: %s", path, error)
        return False
    return True


def install(fresh: Path, path: Path, user: tuple[int, int] | None = None) -> None:
    """Give a written and closed file its final name: sync the file, rename it, and sync its
    directory. `user` is the owner, by default the owner of the directory's files (`owner`). Raises
    OSError."""
    number = os.open(fresh, os.O_RDONLY | os.O_NOFOLLOW | os.O_CLOEXEC)
    try:
        give(number, user or owner(path.parent))
        os.fsync(number)
    finally:
        os.close(number)
    fresh.rename(path)
    sync_directory(path.parent)


def copy(source: Path, target: Path) -> None:
    """Copy a file and sync the copy, which replaces `target`. Raises OSError. If running as root, a
    symbolic link also raises OSError, because it could lead to a file that the target's owner may
    not read."""
    from shutil import copyfileobj  # imports all compression modules, and is seldom needed

    follow = os.O_NOFOLLOW if is_root() else 0
    number = os.open(source, os.O_RDONLY | os.O_CLOEXEC | follow)
    with os.fdopen(number, "rb") as old, replacing(target) as new:
        copyfileobj(old, new, _COPY)


def link(old: Path, new: Path) -> None:
    """Give a file a second name without following links (link(2) on Linux). Raises OSError, for
    example if the file system has no hard links."""
    if not hasattr(os, "link"):
        raise OSError(errno.ENOTSUP, os.strerror(errno.ENOTSUP), str(old))
    os.link(old, new)


def remove(*paths: Path) -> None:
    """Remove files from one directory and sync the directory. Raises OSError."""
    for path in paths:
        path.unlink(missing_ok=True)
    sync_directory(paths[0].parent)


def part(path: Path) -> Path:
    """Return the temporary name for a file that will be renamed to `path`."""
    return path.with_name(f".{path.name}.part")


def unused(path: Path, word: str) -> Path:
    """Return the first free name next to a file: `journal.sqlite3` -> `journal.WORD-1.sqlite3` …"""
    number = 1
    while (free := path.with_name(f"{path.stem}.{word}-{number}{path.suffix}")).exists():
        number += 1
    return free
