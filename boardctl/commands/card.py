"""`boardctl card`: status, updates and factory reset of the SD card image."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import click

from boardctl.commands import Group


def _ask(do: str, **fields: Any) -> Any:
    from boardctl.app import card

    try:
        return card.ask(do, **fields)
    except card.CardError as error:
        raise click.ClickException(str(error)) from error


@click.group(cls=Group)
def command() -> None:
    """Manage the SD card image that this board runs from (docs/image.md).

    \b
    Example:
        boardctl card status
    """


@command.command()
def status() -> None:
    """Show which system runs, whether it is on trial, the network, and the free space.

    \b
    Example:
        boardctl card status
    """
    for name, value in _ask("status").items():
        click.echo(f"{name:<14} {value}")


@command.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--older", is_flag=True, help="Also a version before the installed one.")
def update(file: Path, older: bool) -> None:
    """Install a signed update next to the running system; the next start tries it.

    \b
    Example:
        boardctl card update boardctl-card.raucb
    """
    _ask("update", file=str(file.resolve()), older=older)
    click.echo(
        "installed; `boardctl card restart` starts it, and a bad one is rolled back automatically"
    )


@command.command()
@click.option("--games", type=click.Choice(["keep", "forget"]), required=True)
@click.confirmation_option(prompt="Forget configuration, Wi-Fi and paired phones, and restart?")
def reset(games: str) -> None:
    """Factory reset: restore the card's original state, keeping the games or not.

    \b
    Example:
        boardctl card reset --games keep
    """
    _ask("reset", games=games)


@command.command()
def restart() -> None:
    """Restart the machine.

    \b
    Example:
        boardctl card restart
    """
    _ask("restart")
