"""Play lines on a real journal until they end, acknowledging each once it is reported as saved.

`test_power` and `test_fsync` run this in a separate process with the interposer preloaded:
`player.py DATA LINES LAST WAY`. WAY is `FULL`, the journal's own mode, or a mode that verifies the
test: `NORMAL`, which syncs no commit, or `TRUSTING`, which trusts its reads after a restart. While
the file named by POWER_SICK exists, syncs fail occasionally, and at the end permanently.
"""

from __future__ import annotations

import os
import sqlite3
import sys
from collections import deque
from pathlib import Path

from boardctl.storage import database
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Receipt, Table
from tests.tables import submit

PLAN = {0.2: "3", 0.4: "", 0.5: "1", 0.6: "", 0.7: "2", 0.8: "", 0.9: "1"}
"""The fraction of the lines after which one sync in this many fails."""


def main() -> None:
    data, lines, last, way = sys.argv[1:]
    sick = os.environ.get("POWER_SICK")
    if way == "TRUSTING":
        database.write_again = lambda log: None
    opened = database.writable

    def writable(path: Path) -> sqlite3.Connection:
        db = opened(path)
        if way == "NORMAL":
            db.execute("PRAGMA synchronous=NORMAL")
        # The log is often transferred into the database, so that this step is cut, or fails, too.
        db.execute(f"PRAGMA wal_autocheckpoint={20 if sick else 100}")
        return db

    database.writable = writable
    journal = Journal(Path(data), AtOnce())
    table = Table(journal, now=lambda: 0.0)
    acknowledge = os.open(f"{data}/lines.ack", os.O_WRONLY | os.O_CREAT, 0o600)
    if table.number:  # this state is shown as steady
        os.write(acknowledge, str(table.number).encode())
    waiting: deque[Receipt] = deque()
    text = Path(lines).read_text("utf-8").splitlines()[table.number : int(last)]
    changes = {int(len(text) * part): odds for part, odds in PLAN.items()}
    for number, line in enumerate(text):
        if sick and number in changes:
            Path(sick).write_text(changes[number])
        waiting.append(submit(table, line, "test"))
        assert sick or waiting[0].saved.done()
        while waiting and waiting[0].saved.done():
            os.write(acknowledge, str(waiting.popleft().number).encode())
    os._exit(0)  # no clean shutdown: the next run opens this one's remains


main()
