"""The main tasks on the page in Firefox and in WebKit, the iPhone's engine."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.web.conftest import Daemon
from tests.web.engines import Engine, firefox, tap, tap_first, wait, webkit

pytestmark = pytest.mark.slow
LIVE = "return document.body.dataset.link === 'open'"
WIDTHS = (390, 1280)


@pytest.fixture(params=["firefox", "webkit"])
def engine(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Engine]:
    profile = tmp_path / "profile"
    profile.mkdir()
    with firefox(profile) if request.param == "firefox" else webkit() as started:
        yield started


def visit(engine: Engine, url: str, width: int = 390) -> None:
    engine.open(url, width, 844)
    wait(engine, LIVE, "live page")


def reads(engine: Engine, words: str, inside: str = "body") -> None:
    """Wait until the page shows these words."""
    said = f"document.querySelector({inside!r}).innerText.replace(/\\s+/g, ' ')"
    wait(engine, f"return {said}.includes({words!r})", f"“{words}” in {inside}")


def fits(engine: Engine) -> None:
    """Check that nothing is wider than the window."""
    wide = engine.ask("return document.documentElement.scrollWidth - innerWidth")
    assert wide <= 0, wide


def test_points_are_pegged_and_taken_back(engine: Engine, daemon: Daemon) -> None:
    visit(engine, daemon.url)
    tap(engine, "Points: Ann")
    tap(engine, "8", "dialog[open]")
    reads(engine, "113 to go", "#sides")
    assert daemon.state()["sides"][0]["score"] == 8
    tap(engine, "Undo")
    reads(engine, "121 to go", "#sides")
    assert daemon.state()["sides"][0]["score"] == 0
    fits(engine)


def test_a_hand_is_counted_by_its_cards(engine: Engine, daemon: Daemon) -> None:
    daemon.say("dealer 2", "deal", "starter 5H")
    visit(engine, daemon.url)
    tap(engine, "Enter the cards", "#due")
    for rank in ("five", "five", "six", "jack"):
        tap(engine, rank, "dialog[open]")
    reads(engine, "pair royal is fourteen", "dialog[open]")
    fits(engine)
    tap(engine, "Peg 14", "dialog[open]")
    reads(engine, "107 to go", "#sides")
    assert daemon.state()["sides"][0]["score"] == 14


@pytest.mark.parametrize("width", WIDTHS)
def test_a_game_against_the_board_begins(engine: Engine, daemon: Daemon, width: int) -> None:
    visit(engine, daemon.url, width)
    tap(engine, "Play against the board")
    tap(engine, "fair", "dialog[open]")
    reads(engine, "highest card deals", "#due")  # the cut, and who deals first
    fits(engine)
    tap(engine, "Go on", "#due")
    for _ in range(2):
        tap_first(engine, "#due .target[aria-pressed=false]")
    tap_first(engine, "#due .act.first")
    wait(engine, "return !document.querySelector('#due [aria-pressed=true]')", "end of the discard")
    moves = [(move["verb"], move["seat"]) for move in daemon.state()["moves"]]
    assert ("discard", 1) in moves
    fits(engine)


def test_a_line_said_elsewhere_arrives(engine: Engine, daemon: Daemon) -> None:
    visit(engine, daemon.url)
    daemon.say("2 peg 12")
    reads(engine, "109 to go", "#sides")
    engine.open(daemon.url + "/history.html", 390, 844)
    reads(engine, "Bob")
    fits(engine)
