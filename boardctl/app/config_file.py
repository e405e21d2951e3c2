"""Where this machine's configuration is: asked before anything of it is read."""

from __future__ import annotations

from pathlib import Path
from typing import Final

DEFAULT_PATHS: Final = (Path("~/.config/boardctl/config.toml"), Path("/etc/boardctl/config.toml"))


def find() -> Path | None:
    """The path of this machine's config file, None if there is none."""
    paths = (path.expanduser() for path in DEFAULT_PATHS)
    return next((path for path in paths if path.is_file()), None)
