"""`boardctl journal`: is it whole, and what can be saved of one that is not."""

from __future__ import annotations

from pathlib import Path

import click


@click.group()
def command() -> None:
    """Look after the journal, the record of every evening."""


def _path(data: Path | None) -> Path:
    from boardctl.app import daemon
    from boardctl.storage.journal import NAME

    return (data or daemon.data_directory()) / NAME


@command.command()
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def check(data: Path | None) -> None:
    """Read the whole journal and tell what is wrong with it.

    \b
    Example:
        boardctl journal check
    """
    from boardctl.storage import repair
    from boardctl.storage.journal import JournalError

    path = _path(data)
    try:
        health = repair.check(path)
    except JournalError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{path}: {health.sessions} evenings, {health.lines} lines")
    for trouble in health.troubles:
        click.echo(f"  {trouble}")
    if health.troubles:
        raise click.ClickException("`boardctl journal repair` saves what can be saved")
    click.echo("  all is well")


@command.command()
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def repair(data: Path | None) -> None:
    """Save every readable line into a new file beside the old one, which is kept.

    \b
    Example:
        boardctl journal repair
    """
    from boardctl.storage import repair
    from boardctl.storage.journal import JournalError

    path = _path(data)
    target = path.with_name("journal-repaired.sqlite3")
    try:
        health = repair.salvage(path, target)
    except JournalError as error:
        raise click.ClickException(str(error)) from error
    click.echo(f"{target}: {health.sessions} evenings, {health.lines} lines saved")
    for trouble in health.troubles:
        click.echo(f"  {trouble}")
    click.echo(f"To use it, stop the board, move {path} away and rename the new file to it.")
