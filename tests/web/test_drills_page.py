"""Practice positions in Chromium: two taps away, a right and a wrong answer, what is due."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from boardctl.bot.positions import answer
from tests.web.conftest import Daemon, Visit

DRILLS = json.loads(resources.files("boardctl.web").joinpath("static/drills.json").read_text())


def choices(theme: str, number: int) -> list[list[str]]:
    """The cards of every choice, the best first."""
    one = {k: v for k, v in DRILLS[theme][number].items() if k not in ("now", "series")}
    return [choice["cards"] for choice in answer(one)["choices"]]


def tap(page: Page, cards: list[str]) -> None:
    for card in cards:
        page.locator(f"#drill .hand-row [data-card='{card}']").click()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "language"), [((390, 844), "ja"), ((844, 390), "en"), ((1280, 900), "en")]
)
def test_right_wrong_and_what_comes_back(
    run: Callable[..., Daemon], visit: Visit, size: tuple[int, int], language: str
) -> None:
    daemon = run()
    page = visit(f"{daemon.url}/?lang={language}", width=size[0], height=size[1])
    page.goto(f"{daemon.url}/drill.html?lang={language}")
    page.locator("[data-focus=crib]").click()
    expect(page.locator("#drill .hand-row .target")).to_have_count(6)
    tap(page, choices("crib", 0)[0])
    expect(page.locator("#drill .why li")).to_have_count(3)
    page.locator("[data-focus=traps]").click()
    worst = choices("traps", 0)[-1]
    tap(page, worst)
    expect(page.locator("#drill .why li")).to_have_count(3)
    kept = json.loads(page.evaluate("localStorage.getItem('boardctl.drills')"))
    assert kept == {
        "asked": 2,
        "boxes": {"crib 0": {"box": 1, "due": 4}, "traps 0": {"box": 1, "due": 5}},
    }
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.locator("[data-focus=next]").click()
    expect(page.locator(f"#drill .hand-row [data-card='{worst[0]}']:disabled")).to_have_count(0)
    expect(page.locator("#drill .why")).to_have_count(0)


DUE: tuple[tuple[dict[str, Any], int, int], ...] = (
    ({}, 0, 0),
    ({"go 0": {"box": 1, "due": 3}}, 1, 1),
    ({"go 0": {"box": 1, "due": 3}}, 3, 0),
    ({"go 0": {"box": 2, "due": 9}, "go 1": {"box": 1, "due": 4}}, 9, 1),
    ({f"go {n}": {"box": 5, "due": 300 - n} for n in range(12)}, 12, 11),
)


def test_what_is_due_is_asked_two_taps_from_the_table(daemon: Daemon, visit: Visit) -> None:
    """Forgotten ones first, then new ones, then what is due first."""
    page = visit(daemon.url)
    page.goto(f"{daemon.url}/history.html")
    page.locator("nav a[href*='drill.html']").click()
    expect(page.locator("#themes button")).to_have_count(len(DRILLS))
    for boxes, asked, expected in DUE:
        told = json.dumps({"asked": asked, "boxes": boxes})
        page.evaluate("told => localStorage.setItem('boardctl.drills', told)", told)
        page.locator("[data-focus=go]").click()
        one = DRILLS["go"][expected]
        away = {*one["thrown"].split(), *one["played"].split()}
        held = set(one["hand"].split()) - away
        shown = page.locator("#drill .hand-row .target")
        expect(shown).to_have_count(len(held))
        assert {made.get_attribute("data-card") for made in shown.all()} == held
