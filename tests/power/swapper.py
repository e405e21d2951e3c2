"""First start, play, backup, restore, pairing, setup, repair and update, reported step by step.

`test_names` runs this in a separate process with the interposer preloaded: `swapper.py ROOT WAY`.
WAY is `synced`, the normal code, or `careless`, in which our code syncs nothing, which verifies the
test. Each completed step is written to a file `*.ack`, whose position the interposer records.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

from boardctl.app import service, wizard
from boardctl.storage import backup, files, repair
from boardctl.storage.journal import NAME, AtOnce, Journal
from boardctl.table import Table
from boardctl.web.pairing import Paired, Pairing
from tests.tables import submit

LINES = 12
GAMES = ("bezique", "pinochle")
"""The configured game, first and later."""


def main() -> None:
    root, way = Path(sys.argv[1]), sys.argv[2]
    logging.disable()
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
        assert isinstance(pairing.answer(pairing.begin()), Paired)
        say(f"phones={number}")
    say("forgetting")
    pairing.forget()
    say("phones=0")
    configure(root / "etc" / "config.toml", say)
    service.install(
        "/usr/bin/boardctl", root / "etc" / "config.toml", (), lambda _: None, root / "unit"
    )
    say("unit")
    for mend in (lambda: repair.repair(data), lambda: play([])):
        say("damaging")
        damage(data / NAME)
        say("damaged")
        mend()
        say("repaired")
        play(["1 adjust +1"])
    say("updating")
    as_version_1(data / NAME)
    play(["2 adjust +1"] * 3)
    say("updated")
    os._exit(0)


def configure(path: Path, say: Callable[[str], None]) -> None:
    """Configure like `boardctl setup`, twice."""
    for game in GAMES:
        wizard.write(path, f'game = "{game}"\n')
        say(f"config={game}")


def damage(path: Path) -> None:
    """Let a card lose the page of an index, without any line, and report that it is on disk."""
    with closing(sqlite3.connect(path)) as db:
        (page,) = db.execute(
            "SELECT rootpage FROM sqlite_schema WHERE name = 'line_by_session'"
        ).fetchone()
        (size,) = db.execute("PRAGMA page_size").fetchone()
    number = os.open(path, os.O_WRONLY)
    os.pwrite(number, b"\xff" * size, (page - 1) * size)
    os.fdatasync(number)
    os.close(number)


def as_version_1(path: Path) -> None:
    """Turn the journal into one of the first version, as on a board that is upgraded."""
    with closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.execute("PRAGMA synchronous=FULL")
        db.executescript(
            "BEGIN; DROP TABLE outbox; DROP TABLE identity; PRAGMA user_version=1; COMMIT;"
        )


main()
