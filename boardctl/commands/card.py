"""`boardctl card`: status, updates and factory reset of the SD card image."""

from __future__ import annotations

from pathlib import Path

import click

from boardctl.commands import Group
from boardctl.commands.shared.user_language import say


@click.group(cls=Group)
def command() -> None:
    """Manage the SD card image that this board runs from (docs/image.md).

    \b
    Example:
        boardctl card status
    """


@command.command()
def status() -> None:
    """Show which system is running, whether it is on trial, the network and the free space.

    \b
    Example:
        boardctl card status
    """
    from boardctl.app import card

    for name, value in card.ask("status").items():
        click.echo(f"{name:<14} {value}")


@command.command()
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option("--older", is_flag=True, help="Also accept a version older than the installed one.")
def update(file: Path, older: bool) -> None:
    """Install a signed update next to the running system; the next start tries it.

    \b
    Example:
        boardctl card update boardctl-card.raucb
    """
    from boardctl.app import card

    card.ask("update", file=str(file.resolve()), older=older)
    click.echo(say("card-installed"))


@command.command()
@click.option(
    "--games",
    type=click.Choice(["keep", "forget"]),
    required=True,
    help="Whether to keep or forget the games.",
)
@click.confirmation_option(
    prompt="Forget configuration, Wi-Fi and paired phones, and restart?",
    help="Confirm the action without prompting.",
)
def reset(games: str) -> None:
    """Factory reset: restore the card's original state, with or without the games.

    \b
    Example:
        boardctl card reset --games keep
    """
    from boardctl.app import card

    card.ask("reset", games=games)


@command.command()
def restart() -> None:
    """Restart the machine.

    \b
    Example:
        boardctl card restart
    """
    from boardctl.app import card

    card.ask("restart")
