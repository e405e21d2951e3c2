"""`boardctl export`: write played games as notation, CSV or JSON."""

from __future__ import annotations

import json
from contextlib import closing
from pathlib import Path
from typing import Literal

import click


@click.command()
@click.argument("game", type=click.IntRange(1), required=False)
@click.option(
    "--as",
    "form",
    type=click.Choice(["notation", "csv", "json"]),
    default="notation",
    show_default=True,
    help="The output format.",
)
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def command(game: int | None, form: Literal["notation", "csv", "json"], data: Path | None) -> None:
    """Print one game by its number in `boardctl games --played`, or all games.

    \b
    Examples:
        boardctl export 3 > our-third-game.txt
        boardctl export --as csv > all-our-games.csv
    """
    from boardctl import __version__
    from boardctl.record import history
    from boardctl.storage.archive import Archive
    from boardctl.storage.files import data_directory
    from boardctl.storage.journal import JournalError

    try:
        with closing(Archive(data or data_directory(), __version__)) as archive:
            if game is None:
                games = tuple(archive.games())
            elif (found := archive.game(game)) is not None:
                games = (found,)
            else:
                raise click.ClickException(
                    f"there is no game {game}; the journal has 1 to {len(archive)}"
                )
    except JournalError as error:
        raise click.ClickException(str(error)) from error
    if form == "csv":
        click.echo(history.to_csv(games), nl=False)
    elif form == "json":
        exported = [history.to_json(each) for each in games]
        click.echo(
            json.dumps(exported[0] if game is not None else exported, ensure_ascii=False, indent=1)
        )
    else:
        for each in games:
            click.echo("\n".join(each.lines))
