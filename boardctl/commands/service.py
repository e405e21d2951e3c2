"""`boardctl service`: start the board when the machine starts."""

from __future__ import annotations

from pathlib import Path

import click

from boardctl.commands import Group
from boardctl.commands.shared.user_language import say


@click.group(cls=Group)
def command() -> None:
    """Start the board with the machine, using systemd.

    \b
    Example:
        sudo boardctl service install
    """


def _program() -> str:
    import shutil
    import sys

    return str(Path(shutil.which(sys.argv[0]) or sys.argv[0]).absolute())


_config = click.option(
    "--config",
    type=click.Path(path_type=Path),
    default=Path("/etc/boardctl/config.toml"),
    show_default=True,
    help="The config file that the service reads.",
)


@command.command()
@_config
def install(config: Path) -> None:
    """Create a user for the board, write the unit and start it.

    \b
    Example:
        sudo boardctl service install
    """
    import grp

    from boardctl.app import service

    service.allow()
    groups = [group.gr_name for group in grp.getgrall()]
    service.install(_program(), config, groups, service.run)
    if not service.PACKAGED.exists():
        service.widen()
    click.echo(say("service-installed"))


@command.command()
@_config
def follow(config: Path) -> None:
    """Let the service reach the brokers of the config file. `setup` and `install` do this too.

    \b
    Example:
        sudo boardctl service follow
    """
    from boardctl.app import service
    from boardctl.app.config import load

    service.follow(config, service.run)
    found = service.allowed(service.brokers(load(config))) if config.exists() else ()
    click.echo(say("service-reaches", addresses=", ".join(found)) if found else say("service-near"))


@command.command()
def remove() -> None:
    """Stop and remove the service; the games are kept.

    \b
    Example:
        sudo boardctl service remove
    """
    from boardctl.app import service

    service.allow()
    service.remove(service.run)
    service.narrow()
    click.echo(say("service-removed"))


@command.command()
@_config
def show(config: Path) -> None:
    """Print the unit that would be written.

    \b
    Example:
        boardctl service show
    """
    from boardctl.app import service

    click.echo(service.unit(_program(), config), nl=False)
