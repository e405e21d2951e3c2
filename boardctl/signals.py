"""Signals, which notify their receivers of events."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Final, Generic, ParamSpec

_log: Final = logging.getLogger(__name__)
P = ParamSpec("P")
Failed = Callable[[Exception], object]


class Signal(Generic[P]):
    """A signal, which calls its receivers in the order in which they were connected.

    If a receiver fails, the error is logged, and the sender and the other receivers continue.
    """

    def __init__(self) -> None:
        self._receivers: list[tuple[Callable[P, object], Failed | None]] = []

    def __bool__(self) -> bool:
        """Return whether anybody is connected."""
        return bool(self._receivers)

    def connect(
        self, receiver: Callable[P, object], failed: Failed | None = None
    ) -> Callable[[], None]:
        """Connect a receiver, and return a function that disconnects the receiver.

        Args:
            failed: called with each exception of the receiver, instead of the log.
        """
        entry = receiver, failed
        self._receivers.append(entry)
        return lambda: self._receivers.remove(entry) if entry in self._receivers else None

    def send(self, *args: P.args, **kwargs: P.kwargs) -> None:
        """Call every receiver."""
        for receiver, failed in tuple(self._receivers):
            try:
                receiver(*args, **kwargs)
            except Exception as error:  # noqa: BLE001 - page, voice and broker are optional
                if failed is None:
                    _log.exception("%s failed", getattr(receiver, "__qualname__", receiver))
                else:
                    failed(error)
