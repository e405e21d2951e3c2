"""First start, play, backup, restore and pairing, told as they are done.

Run by `test_names` in a process of its own with the interposer preloaded: `swapper.py ROOT WAY`,
where WAY is `synced` as the code is, or `careless`: our own code syncs nothing, which proves the
test. What is done is written to a file `*.ack`, which the interposer notes in its place.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from boardctl.storage import backup, files
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Table
from boardctl.web.pairing import Paired, Pairing
from tests.tables import submit

LINES = 12


def main() -> None:
    root, way = Path(sys.argv[1]), sys.argv[2]
    if way == "careless":
        files.sync_directory = lambda path: None
        vars(os)["fsync"] = lambda number: None
    tell = os.open(root / "done.ack", os.O_WRONLY | os.O_CREAT, 0o600)

    def say(what: str) -> None:
        os.write(tell, f"{what} ".encode())

    data = root / "var" / "lib" / "boardctl"

    def play(lines: list[str]) -> None:
        journal = Journal(data, AtOnce())
        table = Table(journal, now=lambda: 0.0)
        for line in lines:
            submit(table, line, "test")
            say(f"lines={table.number}")
        journal.close()

    opening = ["session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob"]
    play([*opening, *["1 adjust +1"] * LINES])
    backup.save(data, root / "copy.sqlite3")
    say(f"copied={4 + LINES}")
    play(["2 adjust +1"] * LINES)
    say("restoring")
    backup.restore(root / "copy.sqlite3", data)
    say(f"restored lines={4 + LINES}")
    play(["2 adjust +2"] * LINES)
    pairing = Pairing(data / "phones.json", lambda: 0.0, lambda: 7)
    for number in (1, 2):
        assert isinstance(pairing.tell(pairing.begin()), Paired)
        say(f"phones={number}")
    say("forgetting")
    pairing.forget()
    say("phones=0")
    os._exit(0)


main()
