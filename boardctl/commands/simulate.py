"""`boardctl simulate`: play a file of key presses in virtual time."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Iterator
from pathlib import Path

import click

from boardctl.commands._input import Lines


@click.command()
@click.argument("keys_file", type=Lines())
@click.option("--json", "as_json", is_flag=True, help="One JSON object per key.")
@click.option("--config", type=click.Path(path_type=Path), help="The config file to use.")
@click.option("--layout", help="The board's layout, e.g. classic-2.")
def command(
    keys_file: Iterator[str], as_json: bool, config: Path | None, layout: str | None
) -> None:
    """Play a file of keys on a simulated board and print what is seen after each.

    Keys are separated by blanks; `hold D 1s` holds one, `wait 2s` waits, `//` begins a comment.

    \b
    Example:
        echo 'A 8 #   B 1 2 #' | boardctl simulate -
    """
    from boardctl.app import daemon, simulation
    from boardctl.app.config import ConfigError
    from boardctl.board.layout import LayoutError

    wanted = daemon.RunOptions(config=config, simulate=True, layout=layout)
    try:
        chosen, _ = daemon.settle(wanted, click.echo)
        strokes = tuple(simulation.strokes(keys_file))
        with (
            tempfile.TemporaryDirectory() as data,
            simulation.Simulation(chosen, Path(data)) as board,
        ):
            for stroke in strokes:
                board.press(stroke)
                if stroke.key is not None:
                    board.settle()
                    seen = board.seen(str(stroke))
                    click.echo(json.dumps(seen) if as_json else simulation.as_line(seen))
    except (ConfigError, LayoutError, simulation.KeysError) as error:
        raise click.ClickException(str(error)) from error
