"""What players hold in their hands: paired pads, a switch, and the key that is held to speak."""

from __future__ import annotations

import json
import logging
from collections.abc import Mapping
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Final

from boardctl.console.pads import Pads
from boardctl.console.scanner import Scanner
from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import KEYS, KeyEvent, Worker
from boardctl.options import LONGEST, read_file
from boardctl.storage import files

if TYPE_CHECKING:
    from boardctl.console.listening import Listening

_log: Final = logging.getLogger(__name__)
PADS: Final = "pads.json"
"""A file in the data directory: the seats of the pads in the players' hands."""


class Hands:
    """Keys that are more than the board's own keypad."""

    def __init__(self, controller: TableController, data: Path, writer: Worker) -> None:
        self.pads = Pads(controller, _read(data), partial(_keep, writer, data))
        self.scanner = Scanner(controller)
        self.listening: Listening | None = None

    def take(self, event: KeyEvent) -> bool:
        """Pair a pad, point, or listen; False for a key that types."""
        if self.listening is not None and self.listening.take(event):
            return True
        return self.pads.take(event) or self.scanner.take(event) or event.key not in KEYS

    def close(self) -> None:
        """Stop listening."""
        if self.listening is not None:
            self.listening.close()


def _read(data: Path) -> dict[str, int]:
    """The seats by device; none if there is no such file or it is damaged."""
    try:
        found = json.loads(read_file(data / PADS, LONGEST))
        return {str(source): int(seat) for source, seat in found.items() if 1 <= int(seat) <= 4}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}


def _keep(writer: Worker, data: Path, seats: Mapping[str, int]) -> None:
    """Keep the seats by device, without waiting for the disk."""
    writer.put(partial(_write, data, json.dumps(dict(seats), ensure_ascii=False).encode()))


def _write(data: Path, content: bytes) -> None:
    try:
        files.replace(data / PADS, content)
    except OSError as error:
        _log.error("%s: %s", data / PADS, error.strerror)
