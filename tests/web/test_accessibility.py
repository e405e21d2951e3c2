"""Accessibility: axe finds no violations, in light and dark, narrow and wide, in both languages.
The keyboard alone is sufficient."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from boardctl import text
from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit


def complaints(page: Page) -> list[str]:
    """Return axe's violations of WCAG 2.1 A and AA and of its best practices, one per line."""
    return [
        f"{violation['id']}: {node['target']} {node['failureSummary']}"
        for violation in Axe().run(page).response["violations"]
        for node in violation["nodes"]
    ]


@pytest.mark.slow
@sweep(
    "scheme, width",
    [("light", 360), ("dark", 360), ("light", 1280), ("dark", 1280)],
    ordinary=[("dark", 360), ("light", 1280)],
)
def test_the_board(daemon: Daemon, visit: Visit, scheme: str, width: int) -> None:
    daemon.say("1 peg 8", "2 peg 12", "game cribbage", "dealer 1", "deal", "starter 5D")
    page = visit(daemon.url, width=width, color_scheme=scheme, reduced_motion="reduce")
    assert complaints(page) == []
    page.get_by_role("button", name="Enter the cards").click()
    for rank in ("four", "five", "five", "six"):
        page.get_by_role("button", name=rank, exact=True).click()
    expect(page.get_by_role("button", name="Peg 23")).to_be_visible()
    assert complaints(page) == []
    page.get_by_role("button", name="With suits", exact=True).click()
    assert complaints(page) == []
    page.keyboard.press("Escape")
    page.locator(".move").first.click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert complaints(page) == []
    page.keyboard.press("Escape")
    page.get_by_role("button", name="Table: Cribbage").click()
    expect(page.get_by_label("Player 1")).to_be_visible()
    assert complaints(page) == []
    page.keyboard.press("Escape")
    page.locator("#more").click()
    page.get_by_role("button", name="Hear your cards privately").click()
    expect(page.get_by_role("button", name="Watch with the camera")).to_be_visible()
    assert complaints(page) == []


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_the_history(daemon: Daemon, visit: Visit, scheme: str) -> None:
    record = Path(__file__).parents[1] / "vectors" / "records-cribbage-2.jsonl"
    lines = json.loads(record.read_text("utf-8").splitlines()[0])["record"].splitlines()
    daemon.say(*lines[:60])
    page = visit(daemon.url, color_scheme=scheme, reduced_motion="reduce")
    page.get_by_role("link", name="History").click()
    page.locator("[data-game]").first.click()
    expect(page.locator(".chart").first).to_be_visible()
    assert complaints(page) == []


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(844, 390), (360, 640), (1280, 720)])
def test_a_room_that_scrolls_is_reached_by_the_keyboard(
    daemon: Daemon, visit: Visit, width: int, height: int
) -> None:
    """A person who only watches used to have nothing to focus in the board's part of the page, and
    could not scroll it with the keys."""
    record = Path(__file__).parents[1] / "vectors" / "records-cribbage-2.jsonl"
    lines = json.loads(record.read_text("utf-8").splitlines()[0])["record"].splitlines()
    daemon.say(*lines[:60])
    page = visit(daemon.url, width, height, reduced_motion="reduce")
    scene = page.locator(".scene")
    page.evaluate("localStorage.setItem('boardctl.seat', 'watch')")
    page.reload()
    page.wait_for_selector("body[data-role=watcher] .move")
    if scene.evaluate("(node) => node.scrollHeight > node.clientHeight"):
        expect(scene).to_have_attribute("tabindex", "0")
        expect(scene).to_have_accessible_name("This deal")
    assert complaints(page) == []


def test_a_guest(run: Callable[..., Daemon], tmp_path: Path, visit: Visit) -> None:
    config = tmp_path / "config.toml"
    config.write_text('[page]\nnames = ["board.example"]\n')
    page = visit(run("--config", str(config)).url, width=360)
    expect(page.get_by_label("The board’s six digits")).to_be_visible()
    assert complaints(page) == []


def test_in_japanese(daemon: Daemon, visit: Visit) -> None:
    """The browser's language is used unless the address names one."""
    ja = text.catalogue("ja").gettext
    page = visit(f"{daemon.url}/?lang=ja", width=360)
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.get_by_role("heading", name=ja("Who deals?"))).to_be_visible()
    page.get_by_role("button", name=ja("Points: {name}").format(name="Ann")).click()
    page.get_by_role("dialog").get_by_role("button", name="8", exact=True).click()
    pegged = ja("{seat} pegs {numbers}").format(seat="Ann", numbers=8)
    expect(page.locator("#happened")).to_have_text(pegged)
    assert complaints(page) == []
    page.get_by_role("link", name=ja("History")).click()
    expect(page.get_by_role("heading", name=ja("Evenings"))).to_be_visible()
    with daemon.client as client:
        client.headers["accept-language"] = "ja-JP,ja;q=0.9,en;q=0.5"
        assert client.get("/words").json()["language"] == "ja"
        client.headers["accept-language"] = "fr,en;q=0.5"
        assert client.get("/words").json()["language"] == "en"
        client.headers["accept-language"] = "fr"
        assert client.get("/words").json()["language"] == "en"


@pytest.mark.slow
def test_the_keyboard_is_enough(daemon: Daemon, visit: Visit) -> None:
    """From the top of the page, Tab and Enter alone enter points and undo them."""
    page = visit(daemon.url)

    def walk_to(name: str) -> None:
        for _ in range(80):
            here = "(node) => node.ariaLabel ?? node.textContent"
            if page.evaluate(f"({here})(document.activeElement)") == name:
                return
            page.keyboard.press("Tab")
        raise AssertionError(f"Tab never comes to {name}")

    walk_to("Points: Ann")
    page.keyboard.press("Enter")
    expect(page.get_by_role("dialog")).to_be_visible()
    walk_to("8")
    page.keyboard.press("Enter")
    expect(page.locator(".side1 .score")).to_have_text("8")
    walk_to("Undo")
    page.keyboard.press("Enter")
    expect(page.locator(".side1 .score")).to_have_text("0")
