"""Opening stores: old files are migrated; foreign and newer ones are not changed."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest
import sqlalchemy as sa
from alembic.autogenerate import compare_metadata
from alembic.config import Config
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from click.testing import CliRunner

from boardctl.club import database, pin, schema
from boardctl.club.database import Database, StoreError
from boardctl.club.evening import Result
from boardctl.club.store import Game, Store
from boardctl.commands import main

OLD: Final = """
CREATE TABLE evening (number INTEGER PRIMARY KEY, name TEXT NOT NULL, rounds INTEGER NOT NULL)
STRICT;
CREATE TABLE player (evening INTEGER NOT NULL, place INTEGER NOT NULL, name TEXT NOT NULL,
PRIMARY KEY (evening, name)) STRICT;
CREATE TABLE meeting (evening INTEGER NOT NULL, round INTEGER NOT NULL, place INTEGER NOT NULL,
one TEXT NOT NULL, two TEXT NOT NULL, PRIMARY KEY (evening, round, place)) STRICT;
CREATE TABLE entry (number INTEGER PRIMARY KEY, evening INTEGER NOT NULL, round INTEGER NOT NULL,
place INTEGER NOT NULL, winner TEXT NOT NULL, spread INTEGER NOT NULL, skunk INTEGER NOT NULL,
said TEXT NOT NULL, at REAL NOT NULL) STRICT;
CREATE TABLE game (board TEXT NOT NULL, game TEXT NOT NULL, version INTEGER NOT NULL,
result TEXT NOT NULL, at REAL NOT NULL, PRIMARY KEY (board, game)) STRICT;
INSERT INTO evening VALUES (1, 'Friday', 9);
INSERT INTO player VALUES (1, 0, 'Ann'), (1, 1, 'Bob'), (1, 2, 'Cleo');
INSERT INTO meeting VALUES (1, 1, 0, 'Cleo', ''), (1, 1, 1, 'Ann', 'Bob'), (1, 2, 0, 'Bob', ''),
(1, 2, 1, 'Ann', 'Cleo');
INSERT INTO game VALUES ('t1', 'g-1-1', 7, '{"state": "won", "seats": ["ann", "Bob"],
"scores": [121, 100], "winner": 1, "margin": "game"}', 5.0);
INSERT INTO entry VALUES (1, 1, 1, 1, 'Ann', 21, 0, 't1 g-1-1', 5.0),
(2, 1, 2, 1, 'Ann', 3, 0, 't1 g-1-2', 6.0), (3, 1, 2, 1, '', 0, 0, 't1 g-1-2', 7.0),
(4, 1, 2, 1, 'Cleo', 40, 1, 'hand', 8.0);
PRAGMA application_id=0x434C5542;
"""
"""Write a file like versions 1 and 2; version 1 had no members."""


def old(path: Path, version: int) -> None:
    db = sqlite3.connect(path)
    db.executescript(OLD + f"PRAGMA user_version={version};")
    if version == 2:
        db.execute(
            "CREATE TABLE member (name TEXT PRIMARY KEY, salt BLOB NOT NULL, hashed BLOB NOT NULL, "
            "wrong INTEGER NOT NULL) STRICT"
        )
        for name, digits in (("ann", "1111"), ("bob", "2222")):
            _, kept = pin.fresh(digits)
            db.execute("INSERT INTO member VALUES (?, ?, ?, 0)", (name, *kept))
        db.commit()
    db.close()


@pytest.mark.parametrize("version", [1, 2])
def test_an_old_file_keeps_everything(tmp_path: Path, version: int) -> None:
    path = tmp_path / "club.sqlite3"
    old(path, version)
    for _ in range(2):  # the second time it is already up to date
        store = Store(path)
        assert store.about()[:3] == (1, "Friday", 9)
        assert store.players(1) == ("Ann", "Bob", "Cleo")
        assert [(d.pairs, d.bye) for d in store.draws(1)] == [
            ((("Ann", "Bob"),), "Cleo"),
            ((("Ann", "Cleo"),), "Bob"),
        ]
        assert [met.result for met in store.meetings(1)] == [
            Result("Ann", "Bob", 21, skunk=False),
            Result("Cleo", "Ann", 40, skunk=True, corrected=True),
        ]
        assert {s.name: (s.points, s.net) for s in store.standings(1)} == {
            "Cleo": (3, 40),
            "Ann": (2, -19),
            "Bob": (0, -21),
        }
        assert [game.version for game in store.games()] == [7]
        assert store.evenings()[0].standings == store.standings(1)
        store.close()
    store = Store(path)
    pins = {"Ann": "1111", "Bob": "2222"} if version == 2 else {}
    pins |= store.give_pins(("Ann", "Bob", "Cleo"))
    assert len(pins) == 3
    withdrawn = {"state": "withdrawn", "seats": ["Ann", "Bob"], "scores": [], "winner": None}
    assert store.keep(Game("t1", "g-1-1", 8, withdrawn | {"margin": None}, 9.0))
    assert store.meetings(1)[0].result is None, "the game is known as the one that counted"
    store.correct(1, 1, "Bob", "Ann", 5, (pins["Bob"], pins["Ann"]), 10.0)
    store.close()


def test_the_tables_are_those_of_the_revisions(url: str) -> None:
    opened = Database(url)
    with opened.read() as connection:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        assert compare_metadata(context, schema.metadata) == []
    opened.close()
    config = Config()
    config.set_main_option("script_location", str(Path(database.__file__).parent / "migrations"))
    assert ScriptDirectory.from_config(config).get_heads() == [schema.HEAD]


def test_a_store_of_a_newer_boardctl_is_left_alone(url: str) -> None:
    opened = Database(url)
    with opened.write() as connection:
        connection.execute(sa.text("UPDATE alembic_version SET version_num = '9999'"))
    opened.close()
    with pytest.raises(StoreError, match="by a newer boardctl"):
        Database(url)


def test_a_foreign_database_is_left_alone(url: str) -> None:
    opened = Database(url)
    with opened.write() as connection:
        connection.execute(sa.text("DROP TABLE alembic_version"))
        if opened.path:
            connection.exec_driver_sql("PRAGMA application_id=1")
    opened.close()
    with pytest.raises(StoreError, match="is not a club’s store"):
        Database(url)


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("mysql://localhost/x", "a store is sqlite:///… or postgresql://…"),
        ("postgresql://league@/x?host=/nonexistent", "/nonexistent"),
        ("nonsense://", "a store is sqlite:///… or postgresql://…"),
        ("/dev/null/club.sqlite3", "/dev/null: File exists"),
    ],
)
def test_what_cannot_be_opened_is_told_in_a_sentence(url: str, said: str) -> None:
    done = CliRunner().invoke(main, ["club", "standings", "--store", url])
    assert done.exit_code == 1
    assert said in done.output
    assert len(done.output.splitlines()) == 1


def test_a_password_is_not_told() -> None:
    with pytest.raises(StoreError) as refused:
        Database("postgresql://league:secret@/x?host=/nonexistent")
    assert "secret" not in str(refused.value)


@pytest.mark.parametrize("kind", ["text", "another database"])
def test_a_file_that_is_no_store_keeps_its_permissions(tmp_path: Path, kind: str) -> None:
    """Root passes `--store /etc/hosts` by mistake."""
    path = tmp_path / "hosts"
    if kind == "text":
        path.write_bytes(b"127.0.0.1 localhost\n" * 100)
    else:
        other = sqlite3.connect(path)
        other.execute("CREATE TABLE hosts (name TEXT)")
        other.close()
    content = path.read_bytes()
    path.chmod(0o644)
    with pytest.raises(StoreError):
        Store(str(path))
    assert path.stat().st_mode & 0o777 == 0o644
    assert path.read_bytes() == content


def test_a_device_is_no_store(monkeypatch: pytest.MonkeyPatch) -> None:
    changed: list[int] = []
    monkeypatch.setattr(os, "fchmod", lambda number, mode: changed.append(mode))
    with pytest.raises(StoreError, match="is not a file"):
        Store("/dev/null")
    assert changed == []


def test_a_command_beside_an_open_store_leaves_it_its_log(tmp_path: Path) -> None:
    """Closing any other handle on the file would drop the process's locks (sqlite.org,
    howtocorrupt, 2.2); the next command would then delete the log that the hub still writes to."""
    path = tmp_path / "club.sqlite3"
    Store(path).close()
    store = Store(path)  # like a hub that opens an existing club

    def standings() -> str:
        words = (sys.executable, "-m", "boardctl", "club", "standings", "--store", str(path))
        return subprocess.run(words, capture_output=True, text=True, check=True).stdout

    number = store.new("Friday", ["Ann", "Bob"])
    store.draw(number)
    standings()
    log = path.with_name(f"{path.name}-wal")
    assert log.exists(), "deleted under an open store"
    result = {
        "state": "won",
        "seats": ["Ann", "Bob"],
        "scores": [121, 60],
        "winner": 1,
        "margin": "skunk",
    }
    assert store.keep(Game("t1", "1", 1, result, 1.0))
    assert "+61" in standings(), "what the hub has acknowledged is there for everybody"
    store.close()
