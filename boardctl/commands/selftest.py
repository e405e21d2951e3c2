"""`boardctl selftest`: test every LED by name, every key and the display."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from boardctl.commands.shared.reading import Number
from boardctl.commands.shared.user_language import language, refused, speak, spoken
from boardctl.message import Message

if TYPE_CHECKING:
    from boardctl.app.config import Config
    from boardctl.app.selftest import Report


@click.command()
@click.option("--config", type=click.Path(path_type=Path), help="The configuration to test.")
@click.option("--no-keys", is_flag=True, help="Skip the keys.")
@click.option(
    "--hold",
    type=Number(0.1, 3600),
    default=0.6,
    show_default=True,
    help="Seconds to hold each colour of the whole strip, for measuring.",
)
@click.pass_context
def command(ctx: click.Context, config: Path | None, no_keys: bool, hold: float) -> None:
    """Light every LED and print its name, show a text, and ask for every key. For each colour of
    the whole strip, print the current that it should draw.

    Stop the service first: `sudo systemctl stop boardctl`. Parts that cannot be opened are
    reported, and the rest is tested. The exit status is 1 if something failed.

    \b
    Examples:
        boardctl selftest
        boardctl selftest --no-keys --hold 20
    """
    import asyncio

    from boardctl.app import config as configuration
    from boardctl.app import config_file, selftest

    path = config or config_file.find()
    if path is None:
        raise refused("nothing-configured")
    speak(language(path))
    report = asyncio.run(_walk(configuration.load(path), not no_keys, hold))
    click.echo(selftest.verdict(report, spoken()))
    ctx.exit(int(bool(report.faults or report.missing)))


async def _walk(config: Config, with_keys: bool, hold: float) -> Report:
    import asyncio
    from contextlib import ExitStack

    from boardctl import text
    from boardctl.app import config as configuration
    from boardctl.app import selftest
    from boardctl.board import layout
    from boardctl.drivers.budget import Budgeted
    from boardctl.drivers.ports import Display, Keys, PortError, Strip
    from boardctl.drivers.wires import CopperWires

    language = spoken()  # no command wraps a callback of the loop
    loop = asyncio.get_running_loop()
    done: asyncio.Future[Report] = loop.create_future()
    strip: Strip | None = None
    keys: Keys | None = None
    display: Display | None = None
    with ExitStack() as closing:
        wires = CopperWires(loop)
        closing.callback(wires.close)
        failed = []
        for part, names in configuration.roles(config).items():
            tested = {"leds", "display", "keys"} if with_keys else {"leds", "display"}
            if not tested & {*names}:
                continue
            try:
                ports = configuration.driver(part.driver).open_ports(part.options, wires)
            except PortError as error:
                failed.append(error)
                continue
            for port in ports:
                closing.callback(port.close)
                if isinstance(port, Strip) and "leds" in names:
                    strip = Budgeted(port, config.power)
                if isinstance(port, Keys) and "keys" in names:
                    keys = port
                if isinstance(port, Display):
                    display = port
        wanted = selftest.expected(config.keys.options if config.keys else None)
        walk = selftest.Walk(
            layout.load(config.layout),
            loop,
            lambda code, fields: click.echo(
                text.say(Message("selftest", code, fields), text.Reader(language))
            ),
            done.set_result,
            strip,
            keys if with_keys else None,
            display,
            wanted,
            config.power,
            hold,
        )
        for fault in failed:
            walk.fault(fault)
        walk.start()
        return await done
