"""`boardctl export`: write played games as notation, CSV or JSON, or one game as a page or a
picture."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Final, Literal

import click

from boardctl.commands.shared.reading import Whole, for_all_to_see, journal_games
from boardctl.commands.shared.terminal import is_shown
from boardctl.commands.shared.user_language import language_option, refused

if TYPE_CHECKING:
    from boardctl.record.history import PlayedGame

_DRAWN: Final = {"html": "html", "svg": "picture", "png": "picture"}
"""The drawn formats for a single game, by the kind of drawing."""


@click.command()
@click.argument("game", type=Whole(1), required=False)
@click.option(
    "--as",
    "form",
    type=click.Choice(["notation", "csv", "json", *_DRAWN]),
    default="notation",
    show_default=True,
    help="The output format; html is a page that replays one game, svg and png are its picture.",
)
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
@click.option(
    "--layout",
    metavar="NAME",
    default="classic-2",
    show_default=True,
    help="The board drawn in html, svg and png.",
)
@language_option("--lang", "The first language of html, and the language of svg and png.")
def command(
    game: int | None,
    form: Literal["notation", "csv", "json", "html", "svg", "png"],
    data: Path | None,
    layout: str,
    lang: str,
) -> None:
    """Print one game by its number in `boardctl games --played`, or all games.

    An unfinished deal is left out if some of its cards are known to only one player. `boardctl
    backup` copies every line.

    \b
    Examples:
        boardctl export 3 > our-third-game.txt
        boardctl export 3 --as html > our-third-game.html
        boardctl export 3 --as png > our-third-game.png
        boardctl export --as csv > all-our-games.csv
    """
    if form in _DRAWN and game is None:
        raise refused("drawn-one-game", form=form)
    if form == "png" and is_shown():
        raise refused("png-terminal", game=game)
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
    elif form in _DRAWN:
        click.echo(_drawn(form, games[0], layout, lang), nl=False)
    else:
        for each in games:
            click.echo("\n".join(each.lines))


def _drawn(form: str, game: PlayedGame, layout: str, language: str) -> str | bytes:
    """Return a game as an HTML, SVG or PNG file."""
    from subprocess import CalledProcessError

    from boardctl.board import layout as layouts
    from boardctl.web.history_worker import drawn
    from boardctl.web.viewer import png

    made = drawn(_DRAWN[form], game, layouts.load(layout), language)
    if form != "png":
        return made
    try:
        return png.convert(made)
    except FileNotFoundError as error:
        raise refused("apt-install", packages=png.PACKAGE) from error
    except CalledProcessError as error:
        reason = error.stderr.decode(errors="replace").strip()
        raise refused("program-failed", program=png.PROGRAM, reason=reason) from error
