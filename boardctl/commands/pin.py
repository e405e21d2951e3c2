"""`boardctl pin`: get a PIN to pair a phone, from a running board."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.option("--data", type=click.Path(path_type=Path), help="The board's data directory.")
def command(data: Path | None) -> None:
    """Show a PIN for a phone, here and on the running board, with the address to open.

    \b
    Example:
        boardctl pin
    """
    from boardctl.commands.shared.data import board_data
    from boardctl.commands.shared.user_language import spoken
    from boardctl.web import invitation

    click.echo(invitation.ask_for_pin(board_data(data)).lines(spoken()))
