"""`boardctl session`: print an evening's games."""

from __future__ import annotations

import time
from contextlib import closing
from itertools import groupby
from pathlib import Path

import click

from boardctl import __version__
from boardctl.record import history
from boardctl.storage.archive import Archive


@click.command()
@click.option("--all", "every", is_flag=True, help="Print every evening, not only the last.")
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def command(every: bool, data: Path | None) -> None:
    """Print the last evening: its games, how they ended, and the games won by each player.

    \b
    Example:
        boardctl session
    """
    from boardctl.storage.files import data_directory
    from boardctl.storage.journal import JournalError

    try:
        with closing(Archive(data or data_directory(), __version__)) as archive:
            games = archive.games() if every else iter(archive.last_evening())
            for _, evening in groupby(games, key=lambda game: game.evening):
                _print(tuple(evening))
    except JournalError as error:
        raise click.ClickException(str(error)) from error


def _print(evening: tuple[history.PlayedGame, ...]) -> None:
    began = time.strftime("%A %d %B %Y, %H:%M", time.localtime(evening[0].began))
    click.echo(f"{evening[0].session or 'An evening'}  ({began})")
    tally = history.won_by(evening)
    for number, game in enumerate(evening, 1):
        outcome = game.outcome
        if outcome is None or game.is_nought:
            continue
        sides = "  ".join(
            f"{side} {score}" for side, score in zip(game.sides, game.shown_scores, strict=True)
        )
        end = outcome.state if outcome.margin is None else f"{outcome.margin} for "
        if outcome.winner is not None:
            end += game.sides[outcome.winner - 1]
        click.echo(f"  {number:>2}  {game.lines[0][5:]:<10}  {sides}   {end}")
    click.echo("  games won: " + "  ".join(f"{name} {count}" for name, count in tally.items()))
