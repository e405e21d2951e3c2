"""`boardctl restore`: restore the journal from a backup."""

from __future__ import annotations

from pathlib import Path

import click

SHOWN = 20
"""Maximum number of lines listed one by one."""


@click.command()
@click.argument("file", type=click.Path(path_type=Path))
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
def command(file: Path, data: Path | None) -> None:
    """Replace the journal with FILE, made by `boardctl backup`.

    The board must not be running. The old journal is kept next to it.

    \b
    Example:
        boardctl restore ~/cribbage-2026-11.sqlite3
    """
    from boardctl import text
    from boardctl.commands.shared.data import board_data
    from boardctl.commands.shared.terminal import clear, percent
    from boardctl.commands.shared.user_language import say, spoken
    from boardctl.storage import backup

    try:
        found = backup.restore(file, board_data(data), percent("restoring"))
    finally:
        clear()
    lines, kept, doubtful = found
    click.echo(say("restored-kept" if kept else "restored", lines=lines, kept=kept))
    for doubt in doubtful[:SHOWN]:
        click.echo(f"  {text.words(doubt, spoken())}")
    if doubtful:
        click.echo(f"  {say('doubtful', lines=len(doubtful))}")
