"""The location of this machine's configuration, which must be known before the file is read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

DEFAULT_PATHS: Final = (Path("~/.config/boardctl/config.toml"), Path("/etc/boardctl/config.toml"))


def find() -> Path | None:
    """Return the path of this machine's config file, or None if there is none."""
    for path in DEFAULT_PATHS:
        try:
            found = path.expanduser()
            if found.is_file():
                return found
        except OSError:
            if path.parts[0] != "~":
                raise
            # The service cannot look into homes (ProtectHome).
    return None
