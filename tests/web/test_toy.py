"""The page plays a game from one file without any code for it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.laws.test_toy import TOYS
from tests.web.conftest import Daemon, Visit, start

WITH_THE_TOY = f"""
import boardctl.games
boardctl.games.__path__.append({str(TOYS)!r})
from boardctl.commands import main
main()
"""


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[Daemon]:
    daemon = start(tmp_path / "data", program=("-c", WITH_THE_TOY))
    yield daemon
    assert daemon.end() == ""


@pytest.mark.slow
def test_it_is_played_on_the_page(toy: Daemon, visit: Visit) -> None:
    toy.say("game toy", "seat 1 Ann", "seat 2 Bob", "dealer 2")
    page = visit(toy.url, width=360, height=740)
    page.get_by_role("button", name=re.compile("Deal")).first.click()
    expect(page.locator(".move").first).to_have_text(re.compile("deal", re.IGNORECASE))
    page.locator("#due").get_by_role("button", name="6", exact=True).click()
    expect(page.locator(".side1 .score")).to_have_text("6")
    assert [move["line"] for move in toy.state()["moves"]] == ["deal", "1 take 6"]
