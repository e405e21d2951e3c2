"""The data directory that a command uses."""

from __future__ import annotations

import os
from pathlib import Path

import click

from boardctl.commands.shared.user_language import refused, say


def board_data(given: Path | None) -> Path:
    """Return the data directory: the given one, otherwise that of this machine's board.

    Standard error names the service's directory, so that the user knows the games' origin.

    Raises:
        click.ClickException: this user may not read the service's directory.
    """
    from boardctl.storage import place

    if given is not None:
        return given
    found = place.find()
    if found.of_service:
        if not os.access(found.path, os.R_OK | os.X_OK):
            raise refused("service-data", found.path)
        click.echo(say("service-data", path=found.path), err=True)
    return found.path
