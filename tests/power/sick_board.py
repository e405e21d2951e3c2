"""A board on a disk that fails now and then, and then works again; prints its losses as JSON.

`test_sick` runs this with the interposer preloaded: `sick_board.py DATA SICK SEED ROUNDS`. In each
round, lines are entered while some of the disk's calls fail with EIO or ENOSPC; some rounds begin
with a start on that disk. In between, another process reads the journal from the same disk, like
the page's history. Then the errors end, and the board has a few tries. The output has, by round,
the fault that remained and the lines that another program does not find in the file.
"""

from __future__ import annotations

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from boardctl.console.faults import RETRY
from boardctl.storage.journal import AtOnce, Journal, JournalError, read_sessions
from tests.tables import KeyedTable, submit

CALLS = ("s", "w", "o", "r", "sw", "swo", "swor", "wf", "swf")
ONE_IN = (1, 1, 2, 3, 5, 10)
"""The number of such calls for each one that fails."""
LINES = ("1 adjust +1", "2 adjust +1", "1 adjust +2", "2 adjust +3")
READER = """
import sys
from contextlib import suppress
from pathlib import Path
from boardctl.storage.journal import JournalError, read_sessions
for data in sys.stdin:
    with suppress(JournalError):
        for _ in read_sessions(Path(data.rstrip())):
            pass
    print(flush=True)
"""
TRIES = 5
"""The number of attempts that the board has once the errors have ended."""
OPENING = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob")


def main() -> None:
    place, sick_file, seed, rounds = sys.argv[1:]
    sick = Path(sick_file)
    failed = []
    with reader() as read:
        for number in range(int(rounds)):
            chance = random.Random(f"{seed}-{number}")
            data = Path(place, str(number))
            wrong = one(data, sick, chance, read)
            if wrong is not None:
                failed.append(f"round {number}: {wrong}")
            shutil.rmtree(data, ignore_errors=True)
    print(json.dumps(failed))


@contextmanager
def reader() -> Iterator[Callable[[Path], None]]:
    """A second process that opens, reads and closes the journal of a data directory."""
    command = [sys.executable, "-c", READER]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True) as process:
        assert process.stdin is not None
        assert process.stdout is not None

        def read(data: Path) -> None:
            print(data, file=process.stdin, flush=True)
            assert process.stdout is not None
            assert process.stdout.readline()

        yield read
        process.stdin.close()


def _within(said: list[str], kept: list[str]) -> bool:
    """Return whether all lines exist in their order. An evening that could not be read at the start
    is followed by the lines entered then."""
    rest = iter(kept)
    return all(line in rest for line in said)


def one(data: Path, sick: Path, chance: random.Random, read: Callable[[Path], None]) -> str | None:
    journal = Journal(data, AtOnce())
    table = KeyedTable(journal)
    said = [*OPENING] if table.table.number == 0 else []
    said += [entry.text for _, entries in read_sessions(data) for entry in entries]
    receipts = []
    if table.table.number == 0:
        receipts = [submit(table.table, line, "test") for line in OPENING]
    if chance.random() < 0.5:
        journal._db.execute("PRAGMA wal_autocheckpoint=3")
    sick.write_text(f"{chance.choice(ONE_IN)} {chance.choice(CALLS)}")
    if chance.random() < 0.5:  # the board starts on the sick disk
        with suppress(Exception):
            journal.close()
        try:
            journal = Journal(data, AtOnce(), patient=True)
            table = KeyedTable(journal)
        except JournalError:  # it states the remedy and changes nothing; the service restarts it
            sick.unlink()
            with suppress(JournalError):
                journal.close()
            journal = Journal(data, AtOnce(), patient=True)
            table = KeyedTable(journal)
    reads = chance.random() < 0.5
    for line in chance.choices(LINES, k=chance.choice((3, 12))):
        receipts.append(submit(table.table, line, "test"))
        said.append(line)
        table.clock.run(RETRY + 0.1)
        if reads:
            read(data)
    sick.unlink(missing_ok=True)
    table.clock.run(TRIES * (RETRY + 0.1))
    fault = table.controller.faults.get("journal")
    if fault is not None:
        return f"did not heal: {fault}"
    if not all(receipt.saved.done() for receipt in receipts):
        return "a line is still not saved"
    kept = [entry.text for _, entries in read_sessions(data) for entry in entries]
    journal.close()
    if not _within(said, kept):
        return f"{kept} is there, {said} was entered"
    return None


main()
