"""The modules in a folder. Games, drivers, commands and sentences are found by their names."""

from __future__ import annotations

import os
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path


def names(folders: Iterable[str]) -> list[str]:
    """Return the names of the modules and packages in folders, sorted.

    `pkgutil.iter_modules` does the same, but is slower and delays a board's first frame. A folder
    that cannot be read has no modules.
    """
    found = set()
    for folder in folders:
        with suppress(OSError), os.scandir(folder) as entries:
            for entry in entries:
                name, dot, suffix = entry.name.partition(".")
                if suffix == "py" or (not dot and Path(entry.path, "__init__.py").exists()):
                    found.add(name)
    return sorted(found - {"__init__"})
