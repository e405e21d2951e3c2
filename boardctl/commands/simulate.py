"""`boardctl simulate`: play a file of key presses in virtual time."""

from __future__ import annotations

import json
import tempfile
from collections.abc import Generator
from pathlib import Path

import click

from boardctl.commands.shared.reading import Lines


@click.command()
@click.argument("keys_file", type=Lines())
@click.option("--json", "as_json", is_flag=True, help="One JSON object per key.")
@click.option("--config", type=click.Path(path_type=Path), help="The config file to use.")
@click.option("--layout", metavar="NAME", help="The board's layout, e.g. classic-2.")
def command(
    keys_file: Generator[str], as_json: bool, config: Path | None, layout: str | None
) -> None:
    """Play a file of keys on a simulated board and print the lights and display after each key.

    Keys are separated by spaces. `hold D 1s` holds D for a second, `wait 2s` waits, and `//` begins
    a comment.

    \b
    Example:
        echo 'A 8 #   B 1 2 #' | boardctl simulate -
    """
    from boardctl import text
    from boardctl.app import daemon, simulation
    from boardctl.commands.shared.user_language import language, speak, spoken

    if config is not None:
        speak(language(config))
    shown = None if as_json else spoken()  # data is the same in every language
    wanted = daemon.RunOptions(config=config, simulate=True, layout=layout, language=shown)
    chosen, _ = daemon.settle(wanted, lambda said: click.echo(text.words(said, spoken())))
    strokes = tuple(simulation.strokes(tuple(keys_file)))
    with (
        tempfile.TemporaryDirectory() as data,
        simulation.Simulation(chosen, Path(data)) as board,
    ):
        for stroke in strokes:
            board.press(stroke)
            if stroke.key is not None:
                board.settle()
                seen = board.observe(str(stroke))
                click.echo(json.dumps(seen) if as_json else simulation.as_line(seen))
