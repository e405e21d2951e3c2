"""The history in Chromium: evenings, one game hole by hole, figures, files."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from playwright.sync_api import expect

from boardctl.storage.journal import Journal, Writer
from boardctl.table import Table
from tests.tables import submit
from tests.web.conftest import Daemon, Visit, start

VECTORS = Path(__file__).parents[1] / "vectors" / "records-cribbage-2.jsonl"


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A board on which two games were played."""
    data = tmp_path_factory.mktemp("played")
    with closing(Writer()) as writer:
        journal = Journal(data, writer)
        table = Table(journal, now=lambda: 1_700_000_000.0)
        submit(table, "session first", "test")
        for row in VECTORS.read_text("utf-8").splitlines()[:2]:
            for line in json.loads(row)["record"].splitlines():
                submit(table, line, "test")
        journal.close()
    running = start(data)
    yield running
    assert running.end() == ""


@pytest.mark.parametrize("width", [360, 1280])
def test_history(daemon: Daemon, visit: Visit, width: int) -> None:
    page = visit(daemon.url, width=width)
    page.get_by_role("link", name="History").click()
    expect(page.get_by_role("heading", name="Evenings")).to_be_visible()
    rows = page.locator("[data-game]")
    expect(rows).to_have_count(2)
    with daemon.client as client:
        told = client.get("/history").json()
        game = client.get("/history/2").json()
        assert client.get("/history/99").status_code == 404
        record = client.get("/export/2.txt")
        assert record.headers["content-disposition"] == 'attachment; filename="game-2.txt"'
        assert record.text.splitlines() == [step["line"] for step in game["steps"]]
        assert client.get("/export/games.csv").text.count("\n") == 5
        assert len(client.get("/export/games.json").json()) == 2
    scores = told["games"][1]["scores"]
    expect(page.locator("[data-game='2']")).to_contain_text(str(scores[0]))

    page.locator("[data-game='2']").click()
    slider = page.get_by_label("Hole by hole")
    expect(slider).to_have_value(str(len(game["steps"]) - 1))
    for line in page.locator("text.words").all():
        words, glass = line.bounding_box(), page.locator("rect.glass").bounding_box()
        assert words is not None and glass is not None
        assert glass["x"] <= words["x"]
        assert words["x"] + words["width"] <= glass["x"] + glass["width"]
    names = page.locator(".chart text.name")
    expect(names.first).to_contain_text(str(scores[0]))
    pegged = next(n for n, step in enumerate(game["steps"]) if step["awards"])
    slider.fill(str(pegged))
    award = game["steps"][pegged]["awards"][0]
    expect(page.locator(".told .combinations li").first).to_contain_text(str(award["points"]))
    for name, colour in game["steps"][pegged]["lit"].items():
        lamp = page.locator(f'[data-lamp="{name}"]')
        expect(lamp).to_have_attribute("data-lit", ",".join(map(str, colour)))
    assert page.evaluate("document.documentElement.scrollWidth") <= width
