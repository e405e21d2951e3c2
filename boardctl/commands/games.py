"""`boardctl games`: list games and their options, or games already played."""

from __future__ import annotations

import time
from contextlib import closing
from pathlib import Path

import click

from boardctl import games, text
from boardctl.commands.shared.data import board_data
from boardctl.commands.shared.user_language import advised, say, spoken
from boardctl.text import options


@click.command()
@click.argument("names", nargs=-1, metavar="[GAME]...")
@click.option("--played", is_flag=True, help="List the games in the journal instead.")
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def command(names: tuple[str, ...], played: bool, data: Path | None) -> None:
    """List the games, their options and tables, or the games already played.

    \b
    Examples:
        boardctl games
        boardctl games cribbage
        boardctl games --played
    """
    if played:
        _list_played(data)
        return
    for name in map(games.canonical, names or games.names()):
        try:
            game = games.find(name)
        except games.IllegalMove as error:
            raise click.ClickException(text.refusal(error, text.Reader(spoken()))) from error
        fields = {
            "name": name,
            "seats": text.listed(map(str, game.seats), spoken()),
            "source": text.words(game.source, spoken()),
        }
        click.echo(say("game-sourced" if game.source else "game", **fields))
        if names:
            for option in game.options:
                click.echo(f"  {option.name} {option.default}   ({option.allowed})")
            for table in game.tables:
                click.echo(f"  {options.table(table.name, spoken())}   ({table.source})")
                usual = {option.name: option.default for option in game.options}
                for option_name, value in table.options.items():
                    if value != usual[option_name]:
                        click.echo(f"    set {option_name} {value}")


def _list_played(data: Path | None) -> None:
    from boardctl import __version__
    from boardctl.storage.archive import Archive

    width = max(map(len, games.names()))
    with advised(), closing(Archive(board_data(data), __version__)) as archive:
        for game in archive.games():
            day = time.strftime("%Y-%m-%d %H:%M", time.localtime(game.began))
            players = text.listed((text.called(name, spoken()) for name in game.seats), spoken())
            click.echo(f"{game.number:>4}  {day}  {game.game:<{width}}  {players}")
