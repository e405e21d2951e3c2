"""Plays lines on a real journal until they end, acknowledging each once it is said to be saved.

Run by `test_power` in a process of its own with the interposer preloaded:
`player.py DATA LINES FIRST LAST SYNCHRONOUS`.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from boardctl.journal import AtOnce, Journal
from boardctl.table import Table


def main() -> None:
    data, lines, first, last, synchronous = sys.argv[1:]
    journal = Journal(Path(data), AtOnce())
    if synchronous != "FULL":  # the test that proves the test
        journal._db.execute(f"PRAGMA synchronous={synchronous}")
    table = Table(journal, now=lambda: 0.0)
    acknowledge = os.open(f"{data}/lines.ack", os.O_WRONLY | os.O_CREAT, 0o600)
    for line in Path(lines).read_text("utf-8").splitlines()[int(first) : int(last)]:
        receipt = table.submit(line, "test")
        assert receipt.saved.done()
        os.write(acknowledge, str(receipt.number).encode())
    os._exit(0)  # no goodbye: the next opens what this one left


main()
