"""`boardctl journal`: check the journal, and repair a damaged one."""

from __future__ import annotations

from pathlib import Path

import click

from boardctl import text
from boardctl.commands import Group
from boardctl.commands.shared.data import board_data
from boardctl.commands.shared.user_language import refused, say, spoken


@click.group(cls=Group)
def command() -> None:
    """Check and repair the journal, the record of every evening.

    \b
    Examples:
        boardctl journal check
        sudo boardctl journal repair
    """


def _path(data: Path | None) -> Path:
    from boardctl.storage.journal import NAME

    return board_data(data) / NAME


@command.command()
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def check(data: Path | None) -> None:
    """Read the whole journal and report any damage.

    \b
    Example:
        boardctl journal check
    """
    from boardctl.storage import repair

    path = _path(data)
    health = repair.check(path)
    click.echo(f"{path}: {say('extent', evenings=health.sessions, lines=health.lines)}")
    for trouble in health.troubles:
        click.echo(f"  {text.words(trouble, spoken())}")
    if health.damaged:
        raise refused("repair-recovers")
    click.echo(f"  {say('doubtful-kept' if health.doubtful else 'all-well')}")


@command.command()
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def repair(data: Path | None) -> None:
    """Replace a damaged journal with one that contains everything readable; the damaged file is
    kept.

    The board must not be running. (A board that starts on a damaged journal does the same.)

    \b
    Example:
        sudo boardctl journal repair
    """
    from boardctl.storage import repair

    path = _path(data)
    health, done = repair.repair(path.parent)
    undamaged = f"{path}: {say('not-damaged')}"
    click.echo(undamaged if done is None else text.words(done, spoken()))
    click.echo(f"  {say('extent', evenings=health.sessions, lines=health.lines)}")
    for trouble in health.troubles:
        click.echo(f"  {text.words(trouble, spoken())}")
