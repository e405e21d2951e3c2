"""A table without lights for the MQTT client, with the interface of `mqtt.client.Controller`."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from pathlib import Path

from boardctl.mqtt.results import poster
from boardctl.signals import Signal
from boardctl.storage.journal import Journal, Writer
from boardctl.table import Table
from tests.tables import submit


class Seated:
    """Ann and Bob playing cribbage, on a journal with a separate thread."""

    language = "en"

    def __init__(self, data: Path) -> None:
        self._writer = Writer()
        self.table = Table(
            Journal(data, self._writer),
            now=time.time,
            outbox_for=lambda *said: poster(self.table)(*said),
        )
        self.light = 1.0
        self.adjusted: Signal[[]] = Signal()
        if self.table.position.game is None:
            for line in ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob"):
                submit(self.table, line, "test")

    def set_brightness(self, share: float) -> None:
        self.light = share
        self.adjusted.send()

    def win(self, seat: int, behind: int) -> None:
        """Play a whole game."""
        if self.table.position.over:
            submit(self.table, "game cribbage", "test")
        if behind:
            submit(self.table, f"{3 - seat} adjust +{behind}", "test")
        submit(self.table, f"{seat} adjust +121", "test")

    def hold(self, until: threading.Event) -> None:
        """Slow the disk down from the return of this function on. Earlier writes are complete by
        then."""
        begun = threading.Event()

        def wait() -> None:
            begun.set()
            until.wait()

        self._writer.put(wait)
        begun.wait()

    def close(self) -> None:
        self.table.journal.close()
        self._writer.close()


def soon() -> Iterator[float]:
    """A waiting time without patience."""
    while True:
        yield 0.2
