"""`boardctl export`: write played games as notation, CSV or JSON."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import click

from boardctl.commands._input import for_all_to_see, journal_games
from boardctl.commands._language import language_option, refused

if TYPE_CHECKING:
    from boardctl.record.history import PlayedGame


@click.command()
@click.argument("game", type=click.IntRange(1), required=False)
@click.option(
    "--as",
    "form",
    type=click.Choice(["notation", "csv", "json", "html"]),
    default="notation",
    show_default=True,
    help="The output format; html is one game as a page that shows it move by move.",
)
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
@click.option("--layout", default="classic-2", show_default=True, help="The board of --as html.")
@language_option("--lang", "The language that --as html begins with.")
def command(
    game: int | None,
    form: Literal["notation", "csv", "json", "html"],
    data: Path | None,
    layout: str,
    lang: str,
) -> None:
    """Print one game by its number in `boardctl games --played`, or all games.

    A deal that is not over is left out if it has cards that only their player has seen; `boardctl
    backup` copies every line.

    \b
    Examples:
        boardctl export 3 > our-third-game.txt
        boardctl export 3 --as html > our-third-game.html
        boardctl export --as csv > all-our-games.csv
    """
    if form == "html" and game is None:
        raise refused("html-one-game")
    from boardctl.record import history

    games = journal_games(data, game)
    if form == "csv":
        click.echo(history.to_csv(games), nl=False)
        return
    games = for_all_to_see(games)
    if form == "json":
        exported = [history.to_json(each) for each in games]
        click.echo(
            json.dumps(exported[0] if game is not None else exported, ensure_ascii=False, indent=1)
        )
    elif form == "html":
        click.echo(_page(games[0], layout, lang), nl=False)
    else:
        for each in games:
            click.echo("\n".join(each.lines))


def _page(game: PlayedGame, layout: str, language: str) -> str:
    """A game as an HTML file."""
    from boardctl.board import layout as layouts
    from boardctl.web import viewer

    return viewer.page(game, layouts.load(layout), language)
