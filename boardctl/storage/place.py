"""The data directory for a command that runs on the board's machine: the service's, or the user's
own."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final, NamedTuple

from boardctl.storage.database import NAME
from boardctl.storage.files import SERVICE, data_directory

STATE: Final = Path("/var/lib") / SERVICE
"""The service's state directory (systemd.exec(5), `StateDirectory`)."""
RUNNING: Final = Path("/run") / SERVICE
"""The service's runtime directory, which systemd removes when the service stops."""


class Place(NamedTuple):
    """A data directory. `of_service` says whether it belongs to the service."""

    path: Path
    of_service: bool


def find(state: Path = STATE, running: Path = RUNNING) -> Place:
    """Return the data directory of this machine's board.

    It is the first of these that applies: the directory named in the environment; that of the
    running service; the user's own, if a board has run there; that of an installed service;
    otherwise the user's own.
    """
    own = data_directory()
    if os.environ.get("STATE_DIRECTORY") or os.environ.get("XDG_STATE_HOME"):
        return Place(own, of_service=False)
    if running.is_dir() or (state.is_dir() and not (own / NAME).exists()):
        return Place(state, of_service=True)
    return Place(own, of_service=False)
