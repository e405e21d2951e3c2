"""On a slow network, the page shows that a tap was sent, and does not treat a second tap as
somebody else's."""

from __future__ import annotations

from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Daemon, Visit, until
from tests.web.test_against_the_board import Phone, begin
from tests.web.test_shown_hands import play_to_the_count

SENT = "Already sent; the answer is on its way."


def held(page: Page) -> list[Route]:
    """Hold the page's lines back until they are released."""
    routes: list[Route] = []
    page.route("**/lines?*", lambda route: routes.append(route))
    return routes


def test_a_second_tap_says_that_the_first_was_sent(daemon: Daemon, visit: Visit) -> None:
    """The page said that somebody else had played meanwhile, and to try again."""
    page = visit(daemon.url, 390, 844)
    lines = held(page)
    ann = page.locator("#due").get_by_role("button", name="Ann", exact=True)
    ann.click()
    expect(page.locator("#due .sent")).to_have_text("Ann")
    ann.click()
    expect(page.locator("#happened")).to_have_text(SENT)
    until(lambda: lines, page)
    assert len(lines) == 1
    lines[0].continue_()
    expect(page.locator("#due").get_by_role("button", name="Deal", exact=True)).to_be_visible()
    assert daemon.state()["dealer"] == 1
    expect(page.locator("#due .sent")).to_have_count(0)


def test_open_hands_stay_until_the_answer_has_arrived(daemon: Daemon, visit: Visit) -> None:
    """The panel closed at the tap, and showed the question that had just been answered."""
    page = visit(daemon.url, 390, 844, reduced_motion="reduce")
    phone = Phone(page)
    begin(phone)
    play_to_the_count(phone, daemon)
    panel, go_on = page.locator("#due.counts"), page.locator("#due [data-focus=go-on]")
    if go_on.inner_text() != "Deal":  # the own hand and crib are counted first
        go_on.click()
    expect(go_on).to_have_text("Deal")
    expect(page.locator("#due .sent")).to_have_count(0)
    lines = held(page)
    go_on.click()
    expect(page.locator("#due .sent")).to_have_text("Deal")
    expect(panel).to_have_count(1)
    until(lambda: lines, page)
    lines[0].continue_()
    expect(panel).to_have_count(0)
    expect(page.locator("#due .hand-row .target")).to_have_count(6)


def test_another_tap_waits_for_the_first(daemon: Daemon, visit: Visit) -> None:
    """Two lines in a row from one phone are both played."""
    page = visit(daemon.url, 390, 844)
    number = daemon.say("dealer 1", "deal")["number"]
    page.wait_for_selector(f"body[data-number='{number}']")
    lines = held(page)
    sheet = page.get_by_role("dialog")
    for name, points in (("Ann", "2"), ("Bob", "3")):
        page.get_by_role("button", name=f"Points: {name}").click()
        sheet.get_by_role("button", name=points, exact=True).click()
        page.keyboard.press("Escape")
    until(lambda: lines, page)
    assert len(lines) == 1
    lines[0].continue_()
    expect(page.locator(".side1 .score")).to_have_text("2")
    until(lambda: len(lines) == 2, page)
    lines[1].continue_()
    expect(page.locator(".side2 .score")).to_have_text("3")
    assert "try again" not in page.locator("#happened").inner_text()
