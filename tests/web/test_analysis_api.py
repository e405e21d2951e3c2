"""A game analysed for the page, in a separate process; the odds of the current game."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager, closing
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from boardctl.bot.analysis_api import AnalysisApi
from boardctl.bot.tables import start as chance
from boardctl.record import history
from boardctl.record.record import Entry
from boardctl.storage.journal import Journal, Writer
from boardctl.table import Table
from boardctl.web import history_worker
from tests.bot.test_analysis import PEGS_OUT
from tests.tables import submit
from tests.web.conftest import Daemon, start


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A board with one finished game and another one in progress."""
    data = tmp_path_factory.mktemp("judged")
    with closing(Writer()) as writer:
        journal = Journal(data, writer)
        table = Table(journal, now=lambda: 1_700_000_000.0)
        against = PEGS_OUT.replace("seat 2 Bob", "seat 2 The board")
        for line in (*against.splitlines(), "game cribbage", "dealer 2", "deal"):
            submit(table, line, "test")
        journal.close()
    config = data / "config.toml"
    config.write_text('[odds]\nshow = "board"\n')
    running = start(data, "--config", str(config))
    yield running
    assert running.end() == ""


def test_a_game_is_judged(daemon: Daemon) -> None:
    with daemon.client as client:
        answer = client.get("/analysis/1", timeout=60).json()
        assert (answer["judged"], answer["winner"]) == (True, 2)
        assert "blunder" in {one["verdict"] for one in answer["decisions"]}
        assert client.get("/analysis/1").json() == answer, "kept"
        for language, name in (("en", "The board"), ("ja", "盤")):
            shown = client.get("/analysis/1", params={"lang": language}).json()
            assert shown["players"][1] == name
            assert {one["player"] for one in shown["decisions"]} == {*shown["players"]}
            assert [one["player"] for one in shown["totals"]] == shown["players"]
        assert client.get("/analysis/2").json() == {"judged": False, "why": "unfinished"}
        assert client.get("/analysis/9").status_code == 404


def test_an_analysis_shows_its_stages_while_it_is_made() -> None:
    """Each stage has the whole curve and the errors found so far. Afterwards there are no
    stages."""

    class Process:
        """A program that writes two stages, and its result once the first was looked at."""

        def __init__(self) -> None:
            self.stdin, self.stdout, self.returncode = self, self, 0
            self.looked = asyncio.Event()
            self.pieces = [b'{"done": 1, "of": 2, "pla', b'yers": []}\n{"done": 2, "of": 2}\n']

        def write(self, data: bytes) -> None:
            self.given = data

        def close(self) -> None:
            pass

        async def read(self, n: int = -1) -> bytes:
            if self.pieces:
                return self.pieces.pop(0)
            if not self.looked.is_set():
                await self.looked.wait()
                return b'{"winner": 1}\n'
            return b""

        async def wait(self) -> int:
            return 0

    async def watch() -> None:
        process = Process()

        @asynccontextmanager
        async def child(*command: str, **more: Any) -> AsyncIterator[Process]:
            yield process

        api = AnalysisApi(cast(Any, SimpleNamespace(child=child)), lambda: None)
        judging = asyncio.ensure_future(api._judged(7, ["game cribbage"]))
        while 7 not in api._so_far or json.loads(api._so_far[7])["done"] < 2:
            await asyncio.sleep(0)
        assert process.given == b"game cribbage\n"
        process.looked.set()
        assert await judging == {"judged": True, "winner": 1}
        assert api._so_far == {}

    asyncio.run(watch())


def test_no_stage_where_nothing_is_analysed(daemon: Daemon) -> None:
    with daemon.client as client:
        assert client.get("/analysis/1/so-far").json() == {"stage": None}


def test_the_odds_of_the_game_at_hand(daemon: Daemon) -> None:
    with daemon.client as client:
        assert client.get("/odds").json()["odds"] == pytest.approx(chance(False, 0, 0))


@pytest.mark.parametrize("settings", ["", 'match = 3\n[odds]\nshow = "board"\n'])
def test_no_odds_where_they_are_not_wanted(
    run: Callable[..., Daemon], tmp_path: Path, settings: str
) -> None:
    """The default hides the odds, and so does a match that does not allow them."""
    config = tmp_path / "config.toml"
    config.write_text(settings)
    daemon = run("--config", str(config))
    daemon.say("dealer 1", "deal")
    with daemon.client as client:
        assert client.get("/odds").json() == {"odds": None}


def test_a_game_for_four_is_offered_for_analysis_by_points_and_lines() -> None:
    """Four players of cribbage are two sides, and are not judged as two players."""
    opening = ("game cribbage", *(f"seat {seat} {'ABCD'[seat - 1]}" for seat in range(1, 5)))
    lines = (*opening, "start 120 120", "dealer 1", "deal", "2 peg 1")
    entries = [Entry(number, line, float(number), "test") for number, line in enumerate(lines, 1)]
    (game,) = history.played([("", entries)])
    titled = history_worker._titled(game, "en")
    assert (titled["judged"], titled["weighed"]) == (False, True)
    (unfinished,) = history.played([("", entries[:-1])])
    assert not history_worker._titled(unfinished, "en")["weighed"]


@pytest.mark.parametrize(
    ("option", "judged"), [("skunk off", True), ("crib_cards two_dealt", False)]
)
def test_a_game_is_offered_for_analysis_only_under_rules_that_can_be_judged(
    option: str, judged: bool
) -> None:
    opening = ("game cribbage", "seat 1 Ann", "seat 2 Bob", f"set {option}", "start 120 120")
    lines = (*opening, "dealer 1", "deal", "2 peg 1")
    entries = [Entry(number, line, float(number), "test") for number, line in enumerate(lines, 1)]
    (game,) = history.played([("", entries)])
    assert history_worker._titled(game, "en")["judged"] is judged
