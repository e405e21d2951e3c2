"""`boardctl journal`: check the journal, and repair a damaged one."""

from __future__ import annotations

from pathlib import Path

import click

from boardctl.commands import Group


@click.group(cls=Group)
def command() -> None:
    """Check and repair the journal, the record of every evening."""


def _path(data: Path | None) -> Path:
    from boardctl.storage.files import data_directory
    from boardctl.storage.journal import NAME

    return (data or data_directory()) / NAME


@command.command()
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def check(data: Path | None) -> None:
    """Read the whole journal and report any damage.

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
    if health.damaged:
        raise click.ClickException("`boardctl journal repair` recovers everything readable")
    if health.doubtful:
        click.echo("  these lines are kept; the game continues without them")
    else:
        click.echo("  all is well")


@command.command()
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def repair(data: Path | None) -> None:
    """Replace a damaged journal by one with everything readable; the damaged file is kept.

    The board must not be running. (A board that starts on a damaged journal does the same.)

    \b
    Example:
        sudo boardctl journal repair
    """
    from boardctl.storage import repair
    from boardctl.storage.journal import JournalError

    directory = _path(data).parent
    try:
        health, done = repair.repair(directory)
    except JournalError as error:
        raise click.ClickException(str(error)) from error
    click.echo(done or f"{_path(data)}: is not damaged; nothing was changed")
    click.echo(f"  {health.sessions} evenings, {health.lines} lines")
    for trouble in health.troubles:
        click.echo(f"  {trouble}")
