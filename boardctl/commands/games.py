"""`boardctl games`: what can be played, with its options."""

from __future__ import annotations

import click

from boardctl import games


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
def command(names: tuple[str, ...]) -> None:
    """List the games, or the options of some.

    \b
    Example:
        boardctl games cribbage
    """
    for name in names or games.names():
        try:
            game = games.find(name)
        except games.IllegalMove as error:
            from boardctl import text

            raise click.ClickException(text.refusal(error)) from error
        seats = ", ".join(map(str, game.seats))
        click.echo(f"{name}: {seats} players")
        if names:
            for option in game.options:
                click.echo(f"  {option.name} {option.default}   ({option.allowed})")
