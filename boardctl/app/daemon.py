"""The daemon: one asyncio event loop with a board and, if configured, its page and its broker.

`settle` chooses the configuration; `run` opens everything and runs until it is stopped.
"""

from __future__ import annotations

import asyncio
import gc
import signal
import sys
from collections.abc import Callable
from contextlib import AsyncExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardctl.app import card, config_file
from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config, ConfigError
from boardctl.app.page import serving
from boardctl.drivers.ports import Clock, Wires
from boardctl.storage import backup
from boardctl.text import Sentence, SpokenError

if TYPE_CHECKING:
    from boardctl.web.board_view import SetupView
    from boardctl.web.serve import Served

LAST_WORD: Final = 0.5
"""Seconds between a page's request to restart and the end of the process, so that the request is
answered."""
_MODEL: Final = Path("/proc/device-tree/model")


class NotConfiguredError(SpokenError):
    """The error for a Raspberry Pi without a configuration."""


def is_pi() -> bool:
    """Return whether this machine is a Raspberry Pi."""
    return _MODEL.is_file() and "Raspberry Pi" in _MODEL.read_text("utf-8", "replace")


def simulated(config: Config) -> Config:
    """Return a copy of the configuration with drivers for all the parts of a simulated board."""
    return replace(
        config,
        leds=config.leds or configuration.part("ws2812_spi"),
        keys=config.keys or configuration.part("gpio_matrix"),
    )


@dataclass(frozen=True, slots=True)
class RunOptions:
    """The options of `boardctl run` that determine the configuration."""

    config: Path | None = None
    simulate: bool = False
    port: int | None = None
    layout: str | None = None
    phones: bool = False
    language: str | None = None


def settle(options: RunOptions, say: Callable[[str], None]) -> tuple[Config, bool]:
    """Decide which configuration to run and whether the board is simulated.

    Simulation is never a silent fallback: it is either chosen, or announced on a machine that
    has no config and is not a Raspberry Pi.

    Raises:
        ConfigError: if the config is not valid.
        NotConfiguredError: on a Pi without a config.
    """
    path = options.config or config_file.find()
    config = configuration.load(path) if path is not None else Config()
    simulate = options.simulate
    if path is None and not simulate:
        if is_pi():
            raise NotConfiguredError("pi-not-configured")
        simulate = True
        say(Sentence("command", "simulated"))
    if options.layout is not None:
        config = replace(config, layout=options.layout)
    if options.port is not None:
        config = replace(config, page=replace(config.page, port=options.port))
    if options.language is not None:
        config = replace(config, language=options.language)
    if options.phones and config.page.private:
        config = replace(config, page=replace(config.page, host="0.0.0.0"))
    if simulate:
        config = simulated(config)
    elif config.leds is None or config.keys is None:
        raise ConfigError("both-drivers", str(path))
    return config, simulate


async def run(
    config: Config,
    simulate: bool,
    data: Path,
    browser: bool,
    say: Callable[[str], None],
    phones: bool,
    path: Path | None,
) -> str | None:
    """Run a board until SIGINT or SIGTERM, or until it must restart with another configuration.

    Args:
        config: the board's configuration (`settle`).
        simulate: whether to use virtual wires.
        data: the data directory.
        browser: whether to open the page in a browser.
        say: shows a sentence to the person who started the daemon.
        phones: whether to show a PIN for a first phone.
        path: the configuration file, which the setup page writes, or None without a file.

    Returns:
        The current layout if the board must restart; otherwise None.

    Raises:
        PortError: if the page cannot be served. The exceptions of `BoardApp` are also raised.
    """
    loop = asyncio.get_running_loop()
    stop = asyncio.Event()
    again = ended = False

    def end() -> None:
        nonlocal ended
        ended = True
        stop.set()

    def begin_anew() -> None:
        nonlocal again
        again = True
        loop.call_later(LAST_WORD, stop.set)

    for number in (signal.SIGINT, signal.SIGTERM):
        loop.add_signal_handler(number, end)

    backup.take_waiting(data)
    async with AsyncExitStack() as closing:
        wires: Wires | None = None
        if not simulate:
            from boardctl.drivers.wires import CopperWires

            wires = CopperWires(loop)
        board = BoardApp(
            config,
            data,
            loop,
            wires,
            open_setup=lambda board: _setup(board, config, path, loop, begin_anew),
        )
        gc.enable()  # disabled by `boardctl run` for the start
        closing.callback(board.close)
        board.ready()
        if simulate and config.page.enabled:
            config = _on_free_port(config, say)
        await closing.enter_async_context(board.features.running())
        served: Served | None = None
        if config.page.enabled:
            served = await closing.enter_async_context(serving(board, config.page, simulate))
        if served is not None:
            # The link contains a secret, which a system log must not have.
            url = served.link if sys.stderr.isatty() else served.address
            say(Sentence("command", "board-at", url=url))
            if phones and (invited := served.phones()) is not None:
                say(invited.lines(config.language))
            if browser:
                import webbrowser

                webbrowser.open(served.link)
        if card.present():
            closing.callback(_tell_of_card(board, served).cancel)
        await stop.wait()
    return board.own_layout.name if again and not ended else None


def _on_free_port(config: Config, say: Callable[[str], None]) -> Config:
    """Return the page options for a simulated board, with a free port if another program uses the
    configured one."""
    from boardctl.web import on_free_port

    page = on_free_port(config.page)
    if page.port != config.page.port:
        say(Sentence("command", "port-in-use", port=config.page.port, free=page.port))
    return replace(config, page=page)


def _tell_of_card(board: BoardApp, served: Served | None) -> asyncio.Task[None]:
    """Explain the next steps at the first start from an SD card."""
    from boardctl.app.first_start import FirstStart, is_new

    def invite() -> bool:
        new = is_new(board.knows_its_keys, board.data)
        return new and served is not None and served.phones() is not None

    return asyncio.create_task(FirstStart(board.controller, invite).watch(), name="card")


def _setup(
    board: BoardApp, config: Config, path: Path | None, clock: Clock, again: Callable[[], None]
) -> SetupView:
    from boardctl.app.setup import Setup

    return Setup(board, config, path, clock, again)
