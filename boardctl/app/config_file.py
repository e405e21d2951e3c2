"""The location of this machine's configuration, found before anything is read from it."""

from __future__ import annotations

from pathlib import Path
from typing import Final

DEFAULT_PATHS: Final = (Path("~/.config/boardctl/config.toml"), Path("/etc/boardctl/config.toml"))


def find() -> Path | None:
    """Return the path of this machine's config file, None if there is none."""
    paths = (path.expanduser() for path in DEFAULT_PATHS)
    return next((path for path in paths if path.is_file()), None)
