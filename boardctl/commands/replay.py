"""`boardctl replay`: read a record and say what the referee makes of it."""

from __future__ import annotations

from typing import TextIO

import click


@click.command()
@click.argument("file", type=click.File(encoding="utf-8", errors="replace"))
@click.option("--json", "as_json", is_flag=True, help="One JSON object a line.")
@click.option("--keep-going", is_flag=True, help="Skip refused lines instead of stopping.")
@click.pass_context
def command(ctx: click.Context, file: TextIO, as_json: bool, keep_going: bool) -> None:
    """Read a record in the table notation (`-` is the standard input).

    Exits with status 1 where a line was refused.

    \b
    Example:
        boardctl replay our-third-game.txt --json
    """
    import sys

    from boardctl.record import replay

    ctx.exit(replay.run(file, as_json, keep_going, sys.stdout))
