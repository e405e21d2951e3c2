"""The page that judges any position: tapped cards, a table of chances, or one sentence."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Daemon, Visit


def tap(page: Page, cards: str) -> None:
    for card in cards.split():
        page.locator(f".pack .target[data-card='{card}']").click()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "language"),
    [((390, 844), "en"), ((844, 390), "en"), ((820, 1180), "ja"), ((1280, 900), "ja")],
)
def test_a_throw_and_a_card(
    run: Callable[..., Daemon], visit: Visit, size: tuple[int, int], language: str
) -> None:
    daemon = run()
    page = visit(f"{daemon.url}/?lang={language}", width=size[0], height=size[1])
    page.goto(f"{daemon.url}/position.html?lang={language}")
    page.locator("[data-focus=judge]").click()
    expect(page.locator("#judged .refused")).to_be_visible()
    tap(page, "5H 6S 7D 8C JH QS")
    page.locator("[data-focus=deals]").click()
    page.locator("[data-focus=mine]").fill("100")
    page.locator("[data-focus=judge]").click()
    expect(page.locator(".judged tbody tr")).to_have_count(15)
    expect(page.locator(".judged tbody tr").first).to_contain_text("±")
    tap(page, "JH QS")
    tap(page, "2C")
    tap(page, "9S")
    page.locator("[data-focus=judge]").click()
    expect(page.locator(".judged tbody tr")).to_have_count(4)
    expect(page.locator("#judged .lesson-row span").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


def test_a_question_that_is_none(daemon: Daemon) -> None:
    with daemon.client as client:
        assert client.get("/position?hand=5H&score=x").status_code == 400
        told = client.get("/position?hand=5H&score=1 2").json()
    assert told["problem"].endswith(".")
    assert told["choices"] == []
