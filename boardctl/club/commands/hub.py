"""`boardctl hub`: collect the results of many boards and show them."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import click

from boardctl.club.command_store import open_store
from boardctl.commands.shared.reading import Whole
from boardctl.commands.shared.user_language import language_option, say
from boardctl.options import needs

if TYPE_CHECKING:
    from boardctl.club.store import Store
    from boardctl.mqtt.connection import Broker
    from boardctl.web import Options


@click.command()
@click.option("--broker", required=True, metavar="HOST[:PORT]", help="Host of the MQTT broker.")
@click.option("--ca", type=click.Path(path_type=Path), help="The broker's CA certificate.")
@click.option(
    "--user", metavar="NAME", default="hub", show_default=True, help="User name at the broker."
)
@click.option("--password-file", type=click.Path(path_type=Path), help="File with the password.")
@click.option(
    "--no-tls", is_flag=True, help="Connect without encryption; only for a broker on this machine."
)
@click.option(
    "--store",
    metavar="STORE",
    help="The club's file, or postgresql://…; several hubs may share it.",
)
@click.option("--club", "club_name", metavar="NAME", help="The club whose evening the page shows.")
@click.option("--season", metavar="NAME", help="The season shown on the page; by default the last.")
@click.option(
    "--host",
    metavar="ADDRESS",
    default="127.0.0.1",
    show_default=True,
    help="Address the page is served at.",
)
@click.option(
    "--port",
    type=Whole(1, 65535),
    default=8122,
    show_default=True,
    help="The page's port.",
)
@click.option(
    "--name", "names", metavar="HOST", multiple=True, help="Another host name of the page."
)
@language_option("--language", "The language of the page.")
@click.option(
    "--log",
    type=click.Choice(["text", "json"]),
    default="text",
    show_default=True,
    help="The log format.",
)
@click.option("--unit", is_flag=True, help="Print a systemd unit with these options and exit.")
@click.pass_context
def command(
    context: click.Context,
    broker: str,
    ca: Path | None,
    user: str,
    password_file: Path | None,
    no_tls: bool,
    store: str | None,
    club_name: str | None,
    season: str | None,
    host: str,
    port: int,
    names: tuple[str, ...],
    language: str,
    log: str,
    unit: bool,
) -> None:
    """Collect results from all boards of a broker and serve a page, until Ctrl-C.

    \b
    Example:
        boardctl hub --broker broker.local --ca server.crt --password-file hub.password
    """
    if unit:
        click.echo(_unit(context), nl=False)
        return
    with needs("hub", "club"):
        import boardctl.club.hub
        import boardctl.club.page  # noqa: F401  # reports a missing package
    import asyncio
    import logging

    from boardctl.mqtt.connection import Broker
    from boardctl.web import Options

    logging.basicConfig(format="%(message)s")
    if log == "json":
        from boardctl.club.metrics import JsonLines

        logging.getLogger().handlers[0].setFormatter(JsonLines())
    name, _, number = broker.partition(":")
    if number and not (number.isascii() and number.isdecimal() and 1 <= int(number) <= 65535):
        raise click.BadParameter(say("not-a-port", value=number), param_hint="--broker")
    where = Broker(name, int(number or (1883 if no_tls else 8883)), not no_tls, ca)
    if password_file is not None:
        from dataclasses import replace

        where = replace(where, user=user, password_file=password_file)
    with open_store(store, club_name, season, begins=True) as kept:
        asyncio.run(_run(kept, where, Options(host=host, port=port, names=names), language))


def _unit(context: click.Context) -> str:
    """Return a systemd unit that starts a hub with the options of this call."""
    import shutil

    from boardctl.club import service

    given = []
    for option in context.command.params:
        value = context.params[option.name or ""]
        if option.name in ("unit", "password_file") or value is None:
            continue
        # A service has no terminal that could determine its language.
        if option.name != "language" and value == option.get_default(context):
            continue
        if value is True:
            given.append(option.opts[0])
            continue
        for one in value if option.multiple else (value,):
            whole = one.resolve() if isinstance(one, Path) else one
            given += [option.opts[0], str(whole)]
    password = context.params["password_file"]
    program = shutil.which("boardctl") or "/usr/bin/boardctl"
    return service.unit(program, given, password and str(password.resolve()))


async def _run(store: Store, where: Broker, options: Options, language: str) -> None:
    import asyncio
    import signal

    from boardctl.club import page
    from boardctl.club.hub import Hub
    from boardctl.web.serve import serve_app

    hub = Hub(store, where)
    async with serve_app(page.make(hub, options, language), options) as url:
        running = asyncio.create_task(hub.run())
        for number in (signal.SIGINT, signal.SIGTERM):
            asyncio.get_running_loop().add_signal_handler(number, running.cancel)
        click.echo(say("club-at", url=url), err=True)
        try:
            await running
        except asyncio.CancelledError:
            return
