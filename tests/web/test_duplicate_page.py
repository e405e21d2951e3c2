"""The page of an evening with the same deals: two people play, the deals are shown and printed."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Daemon, Visit
from tests.web.test_against_the_board import Phone, act, look_on_once, moved, play_to_61, settle


def evening(page: Page, daemon: Daemon, language: str) -> None:
    """Open the page from the sheet of the table."""
    page.goto(f"{daemon.url}/?lang={language}")
    page.wait_for_selector("body[data-link=open]")
    page.locator("#table").click()
    page.get_by_role("dialog").locator("[data-focus=duplicate]").click()
    expect(page.locator("#evening > *").first).to_be_visible()


def play_on(page: Page, daemon: Daemon, language: str) -> None:
    """Play a game to its end by taps."""
    phone = Phone(page, language)
    for _ in range(300):
        settle(page, daemon)
        if daemon.state()["over"]:
            return
        number = daemon.state()["number"]
        act(phone, phone.hand)
        moved(page, daemon, number)
    raise AssertionError("the game does not end")


def no_wider_than_the_screen(page: Page) -> None:
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.slow
@pytest.mark.parametrize(("width", "language"), [(390, "en"), (360, "ja"), (1280, "en")])
def test_two_people_play_the_same_deals(
    run: Callable[..., Daemon], visit: Visit, width: int, language: str
) -> None:
    daemon = run()
    page = visit(f"{daemon.url}/?lang={language}", width, 844)
    if page.locator("dialog[open] [data-focus='1']").count():
        page.locator("dialog[open] [data-focus='1']").click()
    play_to_61(page)
    evening(page, daemon, language)
    no_wider_than_the_screen(page)
    page.locator("[data-focus=rounds]").select_option("1")
    page.locator("[data-focus=level]").select_option("2")
    page.locator("[data-focus=begin]").click()
    dealt = []
    for name in ("next1", "next2"):
        no_wider_than_the_screen(page)
        page.locator(f"[data-focus={name}]").click()
        expect(page.locator("#due.counts, #due .hand-row").first).to_be_visible()
        look_on_once(page)
        dealt.append(Phone(page, language).hand)
        play_on(page, daemon, language)
        evening(page, daemon, language)
    assert sorted(dealt[0]) == sorted(dealt[1]), "the same six cards"
    expect(page.locator("#standings tbody tr")).to_have_count(2)
    expect(page.locator("#travellers")).to_be_hidden()
    page.locator("[data-focus=code]").click()
    expect(page.locator("[role=status]", has_text="-")).to_be_visible()
    page.locator("[data-focus=end]").click()
    page.locator("[data-focus=yes]").click()
    expect(page.locator(".traveller").first).to_be_visible()
    for sheet in page.locator(".traveller").all():
        expect(sheet.locator("tbody tr")).to_have_count(2)
        expect(sheet.locator("dd .card")).to_have_count(13)
    no_wider_than_the_screen(page)
    expect(page.locator("[data-focus=begin]")).to_be_visible()
    page.emulate_media(media="print")
    expect(page.locator("[data-focus=print]")).to_be_hidden()
    expect(page.locator("[data-focus=begin]")).to_be_hidden()
    expect(page.locator(".traveller").first).to_be_visible()
    assert page.pdf().startswith(b"%PDF")
