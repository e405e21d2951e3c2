"""A board as its users have it: `boardctl run` as a process, with `[mqtt]` on."""

from __future__ import annotations

from pathlib import Path

from boardctl.mqtt import Options
from tests.mqtt.broker import Mosquitto
from tests.web.conftest import Daemon, start


def run(broker: Mosquitto, board: str, data: Path, **more: bool) -> Daemon:
    """Start a simulated board on this broker, and wait until it serves its page; whether it has
    reached the broker is for the caller to see."""
    data.mkdir(parents=True, exist_ok=True)
    config = data / "config.toml"
    config.write_text(table(broker.options(board, **more)), "utf-8")
    return start(data, "--config", str(config))


def table(options: Options) -> str:
    """`[mqtt]` as a user writes it."""
    return "\n".join(
        (
            "[mqtt]",
            f"enabled = {_flag(options.enabled)}",
            f'host = "{options.host}"',
            f"port = {options.port}",
            f'board = "{options.board}"',
            f'ca = "{options.ca}"',
            f'password_file = "{options.password_file}"',
            f"commands = {_flag(options.commands)}",
            f"home_assistant = {_flag(options.home_assistant)}",
            "",
        )
    )


def _flag(value: bool) -> str:
    return "true" if value else "false"
