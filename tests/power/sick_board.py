"""A board on a disk that fails now and then, and then works again; prints what it lost as JSON.

Run by `test_sick` with the interposer preloaded: `sick_board.py DATA SICK SEED ROUNDS`. In each
round lines are entered while some of the disk's calls fail with EIO; some rounds begin with a start
on that disk. Then the errors end, and the board has a few tries. What is printed is, by round, the
fault that remained and the lines that another program does not read from the file.
"""

from __future__ import annotations

import json
import random
import shutil
import sys
from contextlib import suppress
from pathlib import Path

from boardctl.console.faults import RETRY
from boardctl.storage.journal import AtOnce, Journal, JournalError, read_sessions
from tests.tables import KeyedTable, submit

CALLS = ("s", "w", "o", "r", "sw", "swo", "swor")
TRIES = 5
"""How often the board may try again once the errors have ended."""
OPENING = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob")


def main() -> None:
    place, sick_file, seed, rounds = sys.argv[1:]
    sick = Path(sick_file)
    failed = []
    for number in range(int(rounds)):
        chance = random.Random(f"{seed}-{number}")
        data = Path(place, str(number))
        wrong = one(data, sick, chance)
        if wrong is not None:
            failed.append(f"round {number}: {wrong}")
        shutil.rmtree(data, ignore_errors=True)
    print(json.dumps(failed))


def _within(said: list[str], kept: list[str]) -> bool:
    """Whether all lines are there in their order; an evening that could not be read at the start is
    followed by what was played then."""
    rest = iter(kept)
    return all(line in rest for line in said)


def one(data: Path, sick: Path, chance: random.Random) -> str | None:
    journal = Journal(data, AtOnce())
    table = KeyedTable(journal)
    said = [*OPENING] if table.table.number == 0 else []
    said += [entry.text for _, entries in read_sessions(data) for entry in entries]
    receipts = []
    if table.table.number == 0:
        receipts = [submit(table.table, line, "test") for line in OPENING]
    if chance.random() < 0.5:
        journal._db.execute("PRAGMA wal_autocheckpoint=3")
    sick.write_text(f"{chance.choice((1, 1, 2, 3, 5))} {chance.choice(CALLS)}")
    if chance.random() < 0.5:  # the board is started on the sick disk
        with suppress(Exception):
            journal.close()
        try:
            journal = Journal(data, AtOnce(), patient=True)
        except JournalError:  # it says what to do and changes nothing; the service starts it again
            sick.unlink()
            journal = Journal(data, AtOnce(), patient=True)
        table = KeyedTable(journal)
    for line in chance.sample(("1 adjust +1", "2 adjust +1", "1 adjust +2", "2 adjust +3"), 3):
        receipts.append(submit(table.table, line, "test"))
        said.append(line)
        table.clock.run(RETRY + 0.1)
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
