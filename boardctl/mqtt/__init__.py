"""This board on a broker: state out, checked lines in, results by outbox. Off by default.

`client.linked(controller, options)` is all that the daemon calls; nothing below is loaded where
`[mqtt]` does not say `enabled = true`. `results` decides what is sent to a hub, `payloads` what a
broker hears of the game, `discovery` what Home Assistant does, `connection` reaches a broker.
"""

from __future__ import annotations

import re
from typing import Final

import attrs

from boardctl.schema import Between

TREE: Final = "boardctl"
"""All topics begin so: `boardctl/BOARD/…`."""
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""What a board may be called in a topic."""
LARGEST: Final = 65_536
"""Bytes of the largest packet that a broker takes and sends: it drops what is larger (MQTT 5,
3.1.2.11.4). The largest of ours, what Home Assistant is told of a board, is a tenth of that."""


def _named(instance: object, attribute: object, value: str) -> None:
    if not NAME.fullmatch(value):
        raise ValueError(f"{value!r} cannot name a board: use 1 to 32 letters, digits, - or _")


@attrs.frozen
class Options:
    """`[mqtt]` of the config.

    `board` is its name on the broker, and its user's unless `user` is given; `password_file`
    holds the password, `ca` the certificate that the broker's is checked by (else the system's).
    `commands` lets lines come in; `home_assistant` tells Home Assistant of the board, or where it
    is false makes it forget.
    """

    enabled: bool = False
    host: str = "localhost"
    port: int = attrs.field(default=8883, validator=Between(1, 65535))
    tls: bool = True
    ca: str | None = None
    board: str = attrs.field(default="board", validator=_named)
    user: str | None = None
    password_file: str | None = None
    commands: bool = False
    home_assistant: bool = True
    discovery: str = "homeassistant"
