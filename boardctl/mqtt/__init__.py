"""The MQTT client, which publishes the table's state and results, and receives lines and checks
them. It is off by default.

`client.linked(controller, options)` is the entry point; the modules here are loaded only if
`[mqtt]` has `enabled = true`. `results` creates the messages to a hub, `payloads` those about the
game, and `discovery` those to Home Assistant. `connection` connects to a broker.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Annotated, Final

from boardctl.options import Between, SchemaError

TREE: Final = "boardctl"
"""The first level of all topics: `boardctl/BOARD/…`."""
NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,32}")
"""The allowed names of a board in a topic."""
LARGEST: Final = 65_536
"""The maximum packet size in bytes, in both directions (MQTT 5, 3.1.2.11.4). Our largest packet,
the discovery message to Home Assistant, is a tenth of this size."""


@dataclass(frozen=True)
class Options:
    """The `[mqtt]` section of the configuration.

    `board` is the board's name on the broker, and also its user name unless `user` is given.
    `password_file` contains the password. `ca` contains the certificate that verifies the broker
    (by default the system's). `commands` accepts lines from the broker. `home_assistant` announces
    the board to Home Assistant or, if false, removes it from there.
    """

    enabled: bool = False
    host: str = "localhost"
    port: Annotated[int, Between(1, 65535)] = 8883
    tls: bool = True
    ca: str | None = None
    board: str = "board"
    user: str | None = None
    password_file: str | None = None
    commands: bool = False
    home_assistant: bool = True
    discovery: str = "homeassistant"

    def __post_init__(self) -> None:
        if not NAME.fullmatch(self.board):
            raise SchemaError("board-name", value=self.board)
