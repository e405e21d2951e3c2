"""The modules in a folder. Games, drivers, commands and sentences are found by module name."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import Final

_SUFFIXES: Final = ("py", "pyc")


def names(folders: Iterable[str]) -> list[str]:
    """Return the names of the modules and packages in folders, sorted.

    `pkgutil.iter_modules` does the same, but is slower and delays a board's first frame. A folder
    that cannot be read counts as empty. Compiled modules count, because a browser tab has no
    others.
    """
    found = set()
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                name, dot, suffix = entry.name.partition(".")
                if suffix in _SUFFIXES or (not dot and _is_package(entry.path)):
                    found.add(name)
    return sorted(found - {"__init__"})


def _is_package(folder: str) -> bool:
    return any(Path(folder, f"__init__.{suffix}").exists() for suffix in _SUFFIXES)
