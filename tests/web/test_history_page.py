"""The history in Chromium: evenings, one game hole by hole, statistics, files."""

from __future__ import annotations

import json
import re
import socket
import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing
from itertools import combinations, pairwise
from pathlib import Path
from threading import Event

import pytest
from playwright.sync_api import expect

from boardctl.storage import archive, database
from boardctl.storage.journal import Journal, Writer
from boardctl.table import Table
from tests.tables import submit
from tests.web.conftest import Daemon, Visit, start

VECTORS = Path(__file__).parents[1] / "vectors" / "records-cribbage-2.jsonl"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A board with two finished games, and one that was begun and left."""
    data = tmp_path_factory.mktemp("played")
    with closing(Writer()) as writer:
        journal = Journal(data, writer)
        table = Table(journal, now=lambda: 1_700_000_000.0)
        submit(table, "session first", "test")
        submit(table, "game cribbage", "test")  # begun and left, so there is no game to show
        for row in VECTORS.read_text("utf-8").splitlines()[:2]:
            for line in json.loads(row)["record"].splitlines():
                submit(table, line, "test")
        journal.close()
    running = start(data)
    yield running
    assert running.end() == ""


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_history(daemon: Daemon, visit: Visit, width: int) -> None:
    page = visit(daemon.url, width=width)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="Evenings")).to_be_visible()
    rows = page.locator("[data-game]")
    expect(rows).to_have_count(2)
    expect(page.get_by_role("heading", name="Download")).to_be_visible()
    expect(page.get_by_role("button", name="Earlier games")).to_have_count(0)
    with daemon.client as client:
        answered = client.get("/history").json()
        game = client.get("/history/3").json()
        assert client.get("/history/99").status_code == 404
        record = client.get("/export/3.txt")
        assert record.headers["content-disposition"] == 'attachment; filename="game-3.txt"'
        assert record.text.splitlines() == [step["line"] for step in game["steps"]]
        assert client.get("/export/games.csv").text.count("\n") == 5
        assert len(client.get("/export/games.json").json()) == 3
    scores = answered["games"][1]["scores"]
    expect(page.locator("[data-game='3']")).to_contain_text(str(scores[0]))

    page.locator("[data-game='3']").click()
    slider = page.get_by_label("Hole by hole")
    expect(slider).to_have_value(str(len(game["steps"]) - 1))
    for line in page.locator("text.words").all():
        words, glass = line.bounding_box(), page.locator("rect.glass").bounding_box()
        assert words is not None and glass is not None
        assert glass["x"] <= words["x"]
        assert words["x"] + words["width"] <= glass["x"] + glass["width"]
    expect(page.locator(".chart text.name.side1")).to_contain_text(str(scores[0]))
    pegged = next(n for n, step in enumerate(game["steps"]) if step["awards"])
    slider.fill(str(pegged))
    award = game["steps"][pegged]["awards"][0]
    expect(page.locator(".told .combinations li").first).to_contain_text(str(award["points"]))
    for name, colour in game["steps"][pegged]["lit"].items():
        lamp = page.locator(f'[data-lamp="{name}"]')
        expect(lamp).to_have_attribute("data-lit", ",".join(map(str, colour)))
    assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.slow
@pytest.mark.parametrize("width", [360, 1280])
def test_a_game_is_stepped_through_by_buttons_and_keys(
    daemon: Daemon, visit: Visit, width: int
) -> None:
    page = visit(daemon.url, width=width, height=740, reduced_motion="reduce")
    page.get_by_role("link", name="History").click()
    page.locator("[data-game='3']").click()
    slider = page.get_by_label("Hole by hole")
    last = int(slider.get_attribute("max") or "")
    back, on = (page.get_by_role("button", name=name) for name in ("Previous move", "Next move"))
    expect(page.get_by_role("button", name="Save a picture")).to_be_in_viewport(ratio=1)
    expect(on).to_have_attribute("aria-disabled", "true")
    back.click()
    back.click()
    expect(slider).to_have_value(str(last - 2))
    on.click()
    expect(slider).to_have_value(str(last - 1))
    page.keyboard.press("Home")
    expect(slider).to_have_value("0")
    expect(back).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("ArrowRight")
    expect(page.locator(".told")).to_contain_text(f"Move 2 of {last + 1}")
    page.keyboard.press("End")
    expect(slider).to_have_value(str(last))


MANY = ("花子おばあちゃん", "Alexander von Hildebrandt", "たろう", "Zoë", "Ann", "Bob")


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("language", ["en", "ja"])
def test_six_people_are_told_apart_in_the_charts(
    tmp_path: Path, visit: Visit, width: int, language: str
) -> None:
    """No names overlap, every column is wide enough to see, and each person has a colour."""
    with closing(Writer()) as writer:
        journal = Journal(tmp_path, writer)
        now = [1_700_000_000.0]
        table = Table(journal, now=lambda: now[0])
        for evening in range(12):
            now[0] += 86_400
            one, two = MANY[evening % 6], MANY[(evening + 1) % 6]
            lines = ("game cribbage", f"seat 1 {one}", f"seat 2 {two}", "dealer 1", "deal")
            for line in (f"session {evening}", *lines, "1 peg 2", "1 resign"):
                submit(table, line, "test")
        journal.close()
    running = start(tmp_path)
    page = visit.blank(width)
    page.goto(f"{running.url}/history.html?lang={language}")
    page.wait_for_selector("#players .chart")
    boxes = page.evaluate(
        """[...document.querySelectorAll('#players .chart')].map((chart) => [
             [...chart.querySelectorAll('text.of')].map((t) => t.getBoundingClientRect().toJSON()),
             [...chart.querySelectorAll('rect.piece')].map(
               (r) => [r.getBoundingClientRect().width, getComputedStyle(r).fill])])"""
    )
    assert [len(names) for names, _ in boxes] == [4, 6]
    for names, _ in boxes:
        for one, other in combinations(names, 2):
            apart = one["right"] <= other["left"] or other["right"] <= one["left"]
            assert apart or one["bottom"] <= other["top"] or other["bottom"] <= one["top"]
        assert max(name["right"] for name in names) <= width
    colours = boxes[1][1]
    assert len({fill for _, fill in colours}) == 6
    assert min(thin for thin, _ in colours) >= 5
    assert running.end() == ""


@pytest.mark.parametrize("name", ["cribbage-3", "pinochle-3-4"])
def test_a_game_of_three_is_looked_at_on_a_board_for_two(
    tmp_path: Path, visit: Visit, name: str
) -> None:
    """A drawing of three tracks shows it. Scores below zero are in the chart, with their names
    apart."""
    with closing(Writer()) as writer:
        journal = Journal(tmp_path, writer)
        table = Table(journal, now=lambda: 1_700_000_000.0)
        submit(table, "session three", "test")
        rows = VECTORS.with_name(f"records-{name}.jsonl").read_text("utf-8").splitlines()
        for line in (*json.loads(rows[0])["record"].splitlines(), "session two", "game cribbage"):
            submit(table, line, "test")
        for line in ("seat 1 Ann", "seat 2 Bob"):
            submit(table, line, "test")
        journal.close()
    running = start(tmp_path)
    page = visit.blank(390, 844)
    page.goto(f"{running.url}/history.html")
    page.locator("[data-game='1']").click()
    expect(page.locator("#game .chart")).to_be_visible()
    if name == "pinochle-3-4":  # the last card of a deal counts for all
        expect(page.locator(".told .reason").last).to_have_text(re.compile(r"\(P\d\)$"))
    page.get_by_label("Hole by hole").fill("40")
    expect(page.locator("[data-lamp^='track3.']").first).to_be_attached()
    expect(page.locator("#game [data-lit]:not([data-lit='0,0,0'])").nth(2)).to_be_attached()
    chart = page.locator("#game .chart")
    room = chart.bounding_box()
    boxes = [text.bounding_box() for text in chart.locator("text").all()]
    names = [text.bounding_box() for text in chart.locator("text.name").all()]
    assert room is not None
    assert len(names) == 3
    for box in boxes:
        assert box is not None
        assert room["y"] <= box["y"] + 1
        assert box["y"] + box["height"] <= room["y"] + room["height"] + 1
    tops = sorted(box["y"] for box in names if box is not None)
    assert all(one + 12 <= other for one, other in pairwise(tops))
    assert running.end() == ""


GAMES = 120
"""The number of games in a long history: more than two pages, and more lines than are read before
an answer."""
GAME = (
    *("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"),
    *("1 adjust +1", "1 adjust -1") * 7,
    "1 adjust +121",
)


@pytest.fixture(scope="module")
def long_played(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A board with a hundred and twenty games, ten an evening."""
    data = tmp_path_factory.mktemp("long")
    database.create(data / database.NAME)
    assert GAMES * len(GAME) > archive.SOON
    with closing(sqlite3.connect(data / database.NAME)) as db:
        number = 0
        for evening in range(GAMES // 10):
            first = number + 1
            db.execute("INSERT INTO session VALUES (?, '')", (first,))
            for text in (f"session evening {evening}", *GAME * 10):
                number += 1
                at = 1_700_000_000.0 + 86_400 * evening
                db.execute(
                    "INSERT INTO line VALUES (?, ?, ?, ?, 'test')", (number, first, text, at)
                )
        db.commit()
    running = start(data)
    yield running
    assert running.end() == ""


@pytest.mark.slow
def test_a_long_history_is_read_in_the_background_and_shown_by_pages(
    long_played: Daemon, visit: Visit
) -> None:
    with long_played.client as client:
        answered = client.get("/history").json()
        lines = GAMES * len(GAME) + GAMES // 10
        reading = {"done": 0, "of": lines}
        assert answered == {"games": [], "earlier": False, "players": [], "reading": reading}
        answer = client.get("/history/3")
        assert answer.status_code in (200, 503), "it may have been read by now"
    page = visit(long_played.url, width=390)
    page.get_by_role("link", name="History").click()
    rows = page.locator("[data-game]")
    expect(rows).to_have_count(50)
    expect(page.locator(".reading")).to_have_count(0)
    expect(page.locator(f"[data-game='{GAMES}']")).to_be_visible()
    expect(page.get_by_role("button", name="Earlier games")).to_be_visible()
    page.get_by_role("button", name="Earlier games").click()
    expect(rows).to_have_count(100)
    expect(page.locator("[data-game='70']")).to_be_focused()
    page.get_by_role("button", name="Earlier games").click()
    expect(rows).to_have_count(GAMES)
    expect(page.get_by_role("button", name="Earlier games")).to_have_count(0)
    with long_played.client as client:
        answered = client.get("/history?before=51").json()
        assert [game["number"] for game in answered["games"]] == list(range(1, 51))
        (ann, bob) = answered["players"]
        assert (ann["games"], ann["won"], bob["won"]) == (GAMES, GAMES, 0)
        assert client.get("/history?before=1").json()["games"] == []
        for wrong in ("x", "-1", "9" * 20, "²"):
            assert client.get("/history", params={"before": wrong}).status_code == 404


@pytest.mark.slow
def test_who_reads_slowly_keeps_nobody_waiting(long_played: Daemon) -> None:
    """Some connections request pages, games and files, and never read them."""
    held = []
    with long_played.client as client:
        while client.get("/history").json()["reading"] is not None:
            time.sleep(0.1)  # the history is read in the background, at its own pace
        for _ in range(3):
            for path in ("/history", "/history/3", "/export/games.json"):
                connection = socket.create_connection(("127.0.0.1", long_played.port))
                connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 1)
                connection.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n".encode())
                held.append(connection)
                answer = client.get("/history", timeout=60)
                while answer.status_code == 503:  # eight others wait; the answer says to try again
                    answer = client.get("/history", timeout=60)
                assert len(answer.json()["games"]) == 50
        refused = client.get("/export/games.csv")
        assert refused.status_code in (200, 503), "one file at a time for an address"
    for connection in held:
        connection.close()


def test_a_game_is_kept_as_soon_as_it_is_over(long_played: Daemon) -> None:
    """It is stored before anybody requests the history."""
    long_played.say("session later", *GAME)
    path = long_played.data / archive.NAME

    def kept() -> int:
        with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True, timeout=10)) as db:
            won = "SELECT count(*) FROM game WHERE json_extract(game, '$.outcome.state') = 'won'"
            return int(db.execute(won).fetchone()[0])

    waited = Event()
    for _ in range(600):
        if kept() == GAMES + 1:
            return
        waited.wait(0.1)
    pytest.fail("it is not kept")


def test_it_fits_a_phone(daemon: Daemon, visit: Visit) -> None:
    """At 390 px no column of a table and no letter of a chart is cut off, and letters are as large
    as elsewhere."""
    page = visit.blank(390, 844)
    page.goto(f"{daemon.url}/history.html")
    page.locator("[data-game]").first.click()
    page.wait_for_selector("#game .chart")
    cut, small = page.evaluate(
        """() => {
             const cut = [...document.querySelectorAll('.wide td, .wide th, .chart text')]
               .filter((made) => made.checkVisibility())
               .filter((made) => {
                 const { left, right, width } = made.getBoundingClientRect();
                 const room = made.closest('.wide, .chart').getBoundingClientRect();
                 return width > 0 && (left < room.left - 1 || right > room.right + 1);
               });
             const small = [...document.querySelectorAll('.chart text')]
               .filter((made) => made.textContent && made.getBoundingClientRect().height < 12);
             return [cut.map((made) => made.textContent), small.map((made) => made.textContent)];
           }"""
    )
    assert cut == []
    assert small == []
    assert page.locator(".wide td").count()
    assert page.evaluate("document.documentElement.scrollWidth") == 390
