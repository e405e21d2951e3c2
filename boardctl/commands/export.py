"""`boardctl export`: a played game as a file of the notation."""

from __future__ import annotations

from pathlib import Path

import click


@click.command()
@click.argument("game", type=click.IntRange(1))
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def command(game: int, data: Path | None) -> None:
    """Print a game from the journal, by the number that `boardctl games --played` lists.

    \b
    Example:
        boardctl export 3 > our-third-game.txt
    """
    from boardctl import daemon, history
    from boardctl.journal import JournalError

    try:
        games = tuple(history.played(data or daemon.data_directory()))
    except JournalError as error:
        raise click.ClickException(str(error)) from error
    if game > len(games):
        raise click.ClickException(f"there is no game {game}; the journal has 1 to {len(games)}")
    for line in games[game - 1].lines:
        click.echo(line)
