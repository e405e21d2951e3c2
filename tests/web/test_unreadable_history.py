"""An unreadable journal is not shown as an empty history: the page states the fault and the
remedy."""

from __future__ import annotations

import asyncio
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.storage.journal import NAME, AtOnce, Journal
from boardctl.table import Table
from boardctl.web import Options
from boardctl.web.app import make
from tests.spread import spread
from tests.tables import submit
from tests.web.test_live import Board

ORIGIN = "http://127.0.0.1:8121"
LINES = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob", "1 adjust +5")


def damage(path: Path) -> None:
    path.write_bytes(b"nothing of a journal" * 100)


def another_kind(path: Path) -> None:
    path.unlink()
    path.mkdir()


def another_program(path: Path) -> None:
    path.unlink()
    with closing(sqlite3.connect(path)) as db:
        db.execute("CREATE TABLE something (number)")


def newer(path: Path) -> None:
    with closing(sqlite3.connect(path)) as db:
        db.execute("PRAGMA user_version = 9")


CASES: dict[str, tuple[Callable[[Path], None], str, str]] = {
    "damaged": (damage, "boardctl journal repair", "boardctl journal repair"),
    "another kind": (another_kind, "is not a file; move it away", "別の場所へ移して"),
    "another program's": (
        another_program,
        "not a boardctl journal; move it",
        "別の場所へ移して",
    ),
    "newer": (newer, "version 9", "新しいboardctl"),
}


class Page:
    """The page of a board whose journal other programs damage."""

    def __init__(self, folder: Path) -> None:
        self.board = Board(folder)
        self.app = make(self.board, Options())
        self.path = self.board.data / NAME
        self.whole = folder / "whole"

    def get(self, path: str) -> httpx.Response:
        async def do() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=("127.0.0.1", 5))
            async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
                return await client.get(path)

        return asyncio.run(do())

    def spoil(self, how: Callable[[Path], None]) -> None:
        """Damage the journal behind the board's back; `mend` restores it."""
        with closing(sqlite3.connect(self.path)) as db:
            db.execute("VACUUM INTO ?", (str(self.whole),))
        self._clear()
        shutil.copyfile(self.whole, self.path)
        how(self.path)

    def _clear(self) -> None:
        for file in self.board.data.glob(f"{NAME}*"):
            shutil.rmtree(file) if file.is_dir() else file.unlink()

    def mend(self) -> None:
        self._clear()
        shutil.copyfile(self.whole, self.path)


@pytest.fixture
def page(tmp_path: Path) -> Iterator[Page]:
    found = Page(tmp_path)
    for line in LINES:
        submit(found.board.table, line, "test").saved.result()
    yield found
    found.board.close()


@pytest.mark.parametrize("case", spread(1, CASES))
def test_the_page_says_what_is_wrong_and_what_to_do_until_it_is_mended(
    page: Page, case: str
) -> None:
    how, english, japanese = CASES[case]
    page.spoil(how)
    paths = ["history", "history/1", "highlights/0", "export/1.txt", "export/games.csv",
             "export/games.json", "analysis/1"]  # fmt: skip
    if how is not damage:  # a separate process reads each answer
        paths = paths[:2]
    for place, path in enumerate(paths):
        language, said = ("en", english) if place % 2 else ("ja", japanese)
        answer = page.get(f"/{path}?lang={language}")
        assert answer.status_code == 500, path
        error: dict[str, Any] = answer.json()["error"]
        assert error["code"] == "no-history"
        assert said in error["message"], path
        assert str(page.path) not in error["message"], "a guest learns no path"
    page.mend()
    assert page.get("/history").json()["games"]
    assert page.get("/export/games.json").json()


def test_a_board_without_a_line_has_an_empty_history(tmp_path: Path) -> None:
    page = Page(tmp_path)
    page._clear()
    assert page.get("/history").json()["games"] == []
    assert page.get("/export/games.json").json() == []
    assert page.get("/history/1").status_code == 404
    page.board.close()


@pytest.mark.parametrize("case", CASES)
@pytest.mark.parametrize(
    "words", [("games", "--played"), ("session",), ("export",), ("review", "1")]
)
def test_commands_say_it_too(
    tmp_path: Path, case: str, words: tuple[str, ...], monkeypatch: pytest.MonkeyPatch
) -> None:
    how, english, japanese = CASES[case]
    journal = Journal(tmp_path, AtOnce())
    table = Table(journal, now=lambda: 1.0)
    for line in LINES:
        submit(table, line, "test")
    journal.close()
    how(tmp_path / NAME)
    for language, said in (("en_GB.UTF-8", english), ("ja_JP.UTF-8", japanese)):
        monkeypatch.setenv("LC_ALL", language)
        done = CliRunner().invoke(main, [*words, "--data", str(tmp_path)])
        assert done.exit_code == 1
        assert said in done.output
        assert str(tmp_path / NAME) in done.output


@pytest.mark.parametrize("shut", [NAME, "."])
def test_a_journal_that_this_user_may_not_read(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, shut: str
) -> None:
    """Root may read everything, unless it gives up that capability."""
    monkeypatch.setattr("boardctl.storage.files.SERVICE", "nobody is called so")
    data = tmp_path / "data"
    journal = Journal(data, AtOnce())
    submit(Table(journal, now=lambda: 1.0), "session friday", "test")
    journal.close()
    without = ("setpriv", "--bounding-set=-dac_override,-dac_read_search")
    (data / shut).chmod(0)
    try:
        for words in (
            ("boardctl", "games", "--played", "--data", data),
            ("boardctl.web.history_worker", data, "overview", "0", "en"),
        ):
            done = subprocess.run(
                [*(without if os.geteuid() == 0 else ()), sys.executable, "-m", *words],
                capture_output=True,
                text=True,
                check=False,
                env={**os.environ, "LC_ALL": "C"},
            )
            said = done.stdout + done.stderr
            if shut == NAME or words[0] != "boardctl":
                assert "may not be read by this user; make the board's user its owner again" in said
            assert "Traceback" not in said
            assert done.returncode
    finally:
        (data / shut).chmod(0o700)
