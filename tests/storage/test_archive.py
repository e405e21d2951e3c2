"""The history is computed once, extended as the journal grows, and rebuilt if anything differs."""

from __future__ import annotations

import shutil
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.record import history
from boardctl.storage import archive, database
from boardctl.storage.archive import Archive
from boardctl.storage.journal import AtOnce, Journal, JournalError, read_sessions
from boardctl.table import Table
from tests.tables import keyed, submit

OPENING = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1")
DEAL = (
    *("deal", "starter 3H", "2 peg 2 play", "1 peg 1 play"),
    *("2 show 5C 6D 7S 8H", "1 show 4C 4D 9S TH", "1 crib 2C 2D QS KH"),
)


class Evenings:
    """A table that keeps playing, and its journal."""

    def __init__(self, data: Path) -> None:
        self.data = data
        self.journal = Journal(data, AtOnce())
        self.table = Table(self.journal, now=lambda: 1e9)

    def play(self, name: str, games: int = 2) -> None:
        submit(self.table, f"session {name}", "test")
        for _ in range(games):
            for line in (*OPENING, *DEAL):
                submit(self.table, line, "test")


def asked(data: Path) -> tuple[list[history.PlayedGame], list[dict[str, Any]]]:
    with closing(Archive(data, "1.0")) as kept:
        return list(kept.games()), kept.players()


def anew(data: Path) -> list[history.PlayedGame]:
    return list(history.played(read_sessions(data)))


@pytest.fixture
def evenings(tmp_path: Path) -> Any:
    found = Evenings(tmp_path)
    yield found
    found.journal.close()


def test_it_says_what_the_journal_says_and_reads_only_what_is_new(
    evenings: Evenings, monkeypatch: pytest.MonkeyPatch
) -> None:
    read: list[int] = []

    def counted(directory: Path, since: int = 0) -> Any:
        read.append(since)
        return read_sessions(directory, since)

    monkeypatch.setattr(archive, "read_sessions", counted)
    evenings.play("friday")
    games, players = asked(evenings.data)
    assert games == anew(evenings.data)
    assert [player["name"] for player in players] == ["Ann", "Bob"]
    evenings.play("saturday")
    assert asked(evenings.data)[0] == anew(evenings.data)
    submit(evenings.table, "1 adjust +1", "test")
    assert asked(evenings.data)[0] == anew(evenings.data)
    asked(evenings.data)
    assert read == [0, 1, evenings.table.session], "and nothing where nothing is new"
    with closing(Archive(evenings.data, "1.0")) as kept:
        assert kept.game(3) == anew(evenings.data)[2]
        assert kept.game(9) is None


def test_figures_are_those_of_all_games_together(evenings: Evenings) -> None:
    evenings.play("friday", games=3)
    submit(evenings.table, "1 adjust +115", "test")
    games, players = asked(evenings.data)
    for figures, found in zip(history.figures(games), players, strict=True):
        assert (found["games"], found["won"]) == (figures.games, figures.won)
        assert found["points"] == figures.points
        assert found["hands"] == len(figures.hands)
        if figures.hands:
            assert found["hand"] == pytest.approx(sum(figures.hands) / len(figures.hands), abs=0.01)


@pytest.mark.parametrize("doubt", ["noise", "empty", "format", "other journal", "other line"])
def test_it_is_rebuilt_when_it_is_doubted(evenings: Evenings, doubt: str, tmp_path: Path) -> None:
    evenings.play("friday")
    asked(evenings.data)
    path = evenings.data / archive.NAME
    if doubt in ("noise", "empty"):
        path.write_bytes(b"\xa5" * 5000 if doubt == "noise" else b"")
    else:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            db.execute("UPDATE game SET game = replace(game, 'Ann', 'Eve')")
            if doubt != "nothing":
                column = {"format": "format", "other journal": "identity", "other line": "text"}
                db.execute(f"UPDATE known SET {column[doubt]} = 'x'")
    assert asked(evenings.data)[0] == anew(evenings.data)


def test_where_it_cannot_be_written_it_is_worked_out_in_memory(
    evenings: Evenings, monkeypatch: pytest.MonkeyPatch
) -> None:
    evenings.play("friday")
    (evenings.data / archive.NAME).mkdir()
    monkeypatch.setattr(Path, "unlink", lambda path, missing_ok=False: None)
    assert asked(evenings.data)[0] == anew(evenings.data)


def test_without_a_journal_it_says_so(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal here yet"):
        Archive(tmp_path / "none", "1.0")


def test_a_journal_that_cannot_be_read_is_said_in_a_sentence(tmp_path: Path) -> None:
    """Its last line is not text, so no archive can be made of it, in a file or in memory."""
    with keyed(tmp_path) as table:
        table.press("#")
    with closing(sqlite3.connect(tmp_path / database.NAME, isolation_level=None)) as db:
        db.execute("UPDATE line SET text = CAST(x'ff' AS TEXT)")
    for command in ("export", "session"):
        said = CliRunner().invoke(main, (command, "--data", str(tmp_path)))
        assert said.exit_code == 1
        assert "Could not decode" in said.output
        assert said.output.startswith("Error: ")


def test_one_broken_evening_hides_no_other(evenings: Evenings) -> None:
    for name in ("friday", "saturday", "sunday"):
        evenings.play(name)
    evenings.journal.close()
    data = evenings.data.with_name("copy")
    shutil.copytree(evenings.data, data)
    with closing(sqlite3.connect(data / "journal.sqlite3")) as db:
        first = db.execute("SELECT first FROM session ORDER BY first LIMIT 1 OFFSET 1").fetchone()
        db.execute("UPDATE line SET text = '1 show 9Z' WHERE session = ?", first)
        db.commit()
    games, _ = asked(data)
    assert [game.session for game in games].count("friday") == 2
    assert [game.session for game in games].count("sunday") == 2
    evenings.journal = Journal(evenings.data, AtOnce())


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("games", "--played"), "   4  "),
        (("session",), "second"),
        (("session", "--all"), "first"),
        (("export", "4"), "game cribbage"),
        (("export", "--as", "json"), '"number": 4'),
    ],
)
def test_commands_read_what_is_kept(
    words: tuple[str, ...], sentence: str, evenings: Evenings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """They do not read the whole journal again."""
    evenings.play("first")
    evenings.play("second")
    command = [*words, "--data", str(evenings.data)]
    first = CliRunner().invoke(main, command, catch_exceptions=False)
    assert first.exit_code == 0, first.output
    assert sentence in first.output
    monkeypatch.setattr(history, "played", lambda *_: pytest.fail("the journal is read again"))
    assert CliRunner().invoke(main, command, catch_exceptions=False).output == first.output


def test_where_there_is_no_journal_nothing_is_made(tmp_path: Path) -> None:
    with pytest.raises(JournalError, match="no journal"):
        Archive(tmp_path, "1.0")
    assert list(tmp_path.iterdir()) == []


@pytest.fixture
def many(evenings: Evenings) -> Evenings:
    """Six evenings with twelve games."""
    for name in ("one", "two", "three", "four", "five", "six"):
        evenings.play(name)
    return evenings


def test_what_is_too_much_to_read_now_is_said_and_read_in_the_background(many: Evenings) -> None:
    with closing(Archive(many.data, "1.0", most=10)) as kept:
        assert (len(kept), kept.page(), kept.players()) == (0, [], [])
        assert kept.reading == (0, many.table.number)
    assert archive.reply([str(many.data), "1.0"], b"") == (0, b"")
    with closing(Archive(many.data, "1.0", most=10)) as kept:
        assert kept.reading is None
        assert list(kept.games()) == anew(many.data)
    for _ in range(20):
        submit(many.table, "1 adjust +1", "test")
    with closing(Archive(many.data, "1.0", most=10)) as kept:
        assert kept.reading == (many.table.number - 20, many.table.number)
        assert kept.page() == list(kept.games()), "what is known is shown"


def test_figures_are_the_same_read_at_once_or_evening_by_evening(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(archive, "_BATCH", 10)
    played = Evenings(tmp_path / "data")
    for name in ("one", "two", "three"):
        played.play(name)
        submit(played.table, "1 adjust +115", "test")
        asked(played.data)
    by_evening = asked(played.data)
    (played.data / archive.NAME).unlink()
    assert asked(played.data) == by_evening
    assert by_evening[1][0]["games"] == 3
    # An older evening is read again if its times are corrected.
    played.journal.correct_clock(1, 5, 3600.0).result()
    games, players = asked(played.data)
    assert games == anew(played.data)
    assert players == by_evening[1]
    played.journal.close()


def test_an_evening_is_read_again_only_if_its_times_are_mended(
    many: Evenings, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked(many.data)
    read: list[int] = []

    def counted(directory: Path, since: int = 0) -> Any:
        read.append(since)
        return read_sessions(directory, since)

    monkeypatch.setattr(archive, "read_sessions", counted)
    last = many.table.session
    many.journal.correct_clock(last, last + 3, 3600.0).result()
    assert asked(many.data)[0] == anew(many.data)
    assert read == [last]


def test_two_that_read_at_once_agree(many: Evenings, monkeypatch: pytest.MonkeyPatch) -> None:
    """The second begins between two transactions of the first."""
    monkeypatch.setattr(archive, "_BATCH", 10)
    say, others = Archive._remember, [True]

    def said(kept: Archive, db: sqlite3.Connection, now: Any, last: int) -> Any:
        known = say(kept, db, now, last)
        if others and others.pop():
            db.execute("COMMIT")
            assert asked(many.data)[0] == anew(many.data)
            db.execute("BEGIN IMMEDIATE")
        return known

    monkeypatch.setattr(Archive, "_remember", said)
    games, players = asked(many.data)
    assert games == anew(many.data)
    assert [player["name"] for player in players] == ["Ann", "Bob"]


class Counting(Archive):
    """An archive that counts the instructions of SQLite's machine, and the rows that it reads."""

    def __init__(self, directory: Path) -> None:
        self.instructions = 0
        super().__init__(directory, "1.0", most=archive.SOON)

    def _open(self, name: str) -> sqlite3.Connection:
        connect = sqlite3.connect

        def counted(*place: Any, **more: Any) -> sqlite3.Connection:
            db: sqlite3.Connection = connect(*place, **more)
            db.set_progress_handler(self._count, 1)
            return db

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(sqlite3, "connect", counted)
            return super()._open(name)

    def _count(self) -> int:
        self.instructions += 1
        return 0


def test_an_answer_costs_the_same_with_50_000_games(many: Evenings) -> None:
    """The newest page, one in the middle, one game, and everybody's statistics; counted in
    instructions, because the time depends on the machine."""

    def work() -> list[int]:
        with closing(Counting(many.data)) as kept:
            found = []
            for ask in (
                kept.page,
                lambda: kept.page(60),
                lambda: kept.game(20),
                kept.players,
                kept.last_evening,
                lambda: len(kept),
            ):
                before = kept.instructions
                ask()
                found.append(kept.instructions - before)
            assert kept.reading is None
            return [kept.instructions, *found]

    asked(many.data)
    path = many.data / archive.NAME

    def fill(games: int) -> None:
        with closing(sqlite3.connect(path, isolation_level=None)) as db:
            (count,) = db.execute("SELECT max(number) FROM game").fetchone()
            last = db.execute("SELECT max(session) FROM evening").fetchone()
            db.execute("BEGIN")
            rows = db.execute("SELECT game, figures FROM game WHERE session = ?", last).fetchall()
            db.execute("DELETE FROM game WHERE session = ?", last)
            db.executemany(
                "INSERT INTO game VALUES (?, 1, ?, ?)",
                ((number, *rows[0]) for number in range(count - 1, games - 1)),
            )
            db.executemany(
                "INSERT INTO game VALUES (?, ?, ?, ?)",
                ((games - 1 + n, *last, *row) for n, row in enumerate(rows)),
            )
            db.execute("COMMIT")

    fill(200)
    few = work()
    fill(50_000)
    assert path.stat().st_size > 10_000_000
    assert work() == pytest.approx(few, rel=0.1)


@pytest.mark.parametrize("number", [0, -1, 9, 1 << 63, 10**20])
def test_a_number_that_no_game_has_is_none(number: int, tmp_path: Path) -> None:
    """`boardctl export` with more digits than SQLite's integers ended with a traceback."""
    evenings = Evenings(tmp_path)
    evenings.play("friday", 1)
    evenings.journal.close()
    with closing(Archive(tmp_path, "1.0")) as kept:
        assert kept.game(1) is not None
        assert kept.game(number) is None
