"""`boardctl backup`: copy the journal, even while the board is running."""

from __future__ import annotations

from pathlib import Path

import click

from boardctl.message import Message


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def command(file: Path, data: Path | None) -> None:
    """Copy every evening into FILE, which must not exist yet. Keys to other houses are left out.

    \b
    Example:
        boardctl backup ~/cribbage-2026-11.sqlite3
    """
    from boardctl import features, text
    from boardctl.commands.shared.data import board_data
    from boardctl.commands.shared.user_language import say, spoken
    from boardctl.storage import backup

    data = board_data(data)
    click.echo(say("backed-up", file=file, lines=backup.save(data, file)))
    for feature in features.installed():
        if any((data / name).exists() for name in feature.data_files):
            click.echo(
                text.say(Message("page", f"{feature.name}-backup"), text.Reader(spoken())), err=True
            )
