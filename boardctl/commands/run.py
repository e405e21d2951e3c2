"""`boardctl run`: run the board."""

from __future__ import annotations

import gc
from dataclasses import replace
from pathlib import Path

import click

from boardctl.commands.shared.reading import Whole
from boardctl.text import LANGUAGES


@click.command()
@click.option("--config", type=click.Path(path_type=Path), help="The config file to use.")
@click.option("--sim", is_flag=True, help="Simulate the board: virtual wires below the drivers.")
@click.option("--port", type=Whole(1, 65535), help="The page's port (8121).")
@click.option("--data", type=click.Path(path_type=Path), help="Where the journal is kept.")
@click.option("--layout", metavar="NAME", help="The board's layout, e.g. classic-2.")
@click.option(
    "--phones", is_flag=True, help="Serve the page to the network and show a PIN for a phone."
)
@click.option("--lang", type=click.Choice(LANGUAGES), help="The board's language.")
@click.option("--no-browser", is_flag=True, help="Do not open the page.")
def command(
    config: Path | None,
    sim: bool,
    port: int | None,
    data: Path | None,
    layout: str | None,
    phones: bool,
    lang: str | None,
    no_browser: bool,
) -> None:
    """Run the board until Ctrl-C.

    \b
    Example:
        boardctl run --sim --phones
    """
    # the start makes no garbage; the daemon enables the collector once the board is lit
    gc.disable()
    import asyncio

    from boardctl import text
    from boardctl.app import config_file, daemon
    from boardctl.commands.shared.user_language import language, speak, spoken
    from boardctl.storage.files import data_directory

    def say(said: str) -> None:
        click.echo(text.words(said, spoken()), err=True)

    if lang is not None or config is not None:
        speak(lang or language(config))

    wanted = daemon.RunOptions(config, sim, port, layout, phones)
    try:
        while True:
            path = config or config_file.find()
            wished = lang or (language() if path is None else None)
            chosen, simulate = daemon.settle(replace(wanted, language=wished), say)
            where = data or data_directory()
            running = daemon.run(chosen, simulate, where, not no_browser, say, phones, path)
            again = asyncio.run(running)
            if again is None:
                return
            if path is None:
                wanted = replace(wanted, layout=again)
            no_browser = True  # by now it is open
    finally:
        gc.enable()
