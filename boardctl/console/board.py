"""What every surface of a running board needs of it."""

from __future__ import annotations

from pathlib import Path
from typing import Protocol

from boardctl.console.table_controller import TableController
from boardctl.table import Table


class Board(Protocol):
    """A running board, real or simulated."""

    @property
    def data(self) -> Path:
        """The data directory: the journal, and what surfaces keep beside it."""

    @property
    def table(self) -> Table:
        """The single writer."""

    @property
    def controller(self) -> TableController:
        """The keypad, its commands, language and faults, what is shown and how it is lit."""
