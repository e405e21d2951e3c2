"""The players' own devices: paired pads and a switch."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, Final

from boardctl.console.pads import Pads
from boardctl.console.scanner import Scanner
from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import KEYS, KeyEvent, Worker
from boardctl.storage import files

PADS: Final = "pads.json"
"""The file in the data directory with the seats of the players' pads."""


class Hands:
    """The keys outside the board's own keypad."""

    def __init__(
        self,
        controller: TableController,
        data: Path,
        writer: Worker,
        others: Callable[[KeyEvent], bool],
    ) -> None:
        """Args:
        others: handles a key that belongs neither to the keypad nor to a player.
        """
        path = data / PADS
        seats = files.load(path, _seats) or {}
        self.pads = Pads(controller, seats, partial(_keep, writer, path))
        self.scanner = Scanner(controller)
        self._others = others

    def take(self, event: KeyEvent) -> bool:
        """Use a key to pair a pad or to point, or pass it to a feature. Return False if the key is
        for typing."""
        if self._others(event):
            return True
        idle = self.pads.asking is None and not self.scanner.items
        if idle and event.key in KEYS and not event.source:
            return False
        return self.pads.take(event) or self.scanner.take(event) or event.key not in KEYS


def _seats(stored: Any) -> dict[str, int]:
    """Return the content of the file: the seats by device."""
    return {str(source): int(seat) for source, seat in stored.items() if 1 <= int(seat) <= 4}


def _keep(writer: Worker, path: Path, seats: Mapping[str, int]) -> None:
    """Store the seats by device in the background."""
    import json

    content = json.dumps(dict(seats), ensure_ascii=False).encode()
    writer.put(partial(files.keep, path, content))
