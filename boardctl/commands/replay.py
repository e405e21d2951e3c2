"""`boardctl replay`: referee a recorded game."""

from __future__ import annotations

from typing import TextIO

import click


@click.command()
@click.argument("file", type=click.File(encoding="utf-8", errors="replace"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--keep-going", is_flag=True, help="Skip rejected lines instead of stopping.")
@click.pass_context
def command(ctx: click.Context, file: TextIO, as_json: bool, keep_going: bool) -> None:
    """Referee a record in the table notation (`-` is standard input).

    Exits with status 1 if a line was rejected.

    \b
    Example:
        boardctl replay our-third-game.txt --json
    """
    import sys

    from boardctl.record import replay

    ctx.exit(replay.run(file, as_json, keep_going, sys.stdout))
