"""The data directory that a command uses."""

from __future__ import annotations

import os
from pathlib import Path

import click

from boardctl.commands.shared.user_language import refused, say


def board_data(given: Path | None) -> Path:
    """Return the given data directory, or by default that of this machine's board.

    If the service's directory is used, standard error names it, so that the user knows whose games
    these are.

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
