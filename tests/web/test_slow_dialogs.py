"""Every dialog on a network with 2.5 s of latency and 400 kbit/s, on one that loses requests, and
offline: it says that it loads or sends, tells a failure in words, can be tried again, and sends
nothing twice."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web.conftest import Daemon, Visit, until
from tests.web.test_against_the_board import Phone, begin

pytestmark = pytest.mark.slow
FAILED: Final = "The board is not responding; try again."
DEAL: Final = ("seat 1 Ann", "seat 2 Bob", "dealer 2", "deal", "1 peg 2")
HAND: Final = ("dealer 1", "deal", "starter TD")


def sheet(page: Page) -> Locator:
    return page.locator("dialog[open]")


def tap(*names: str) -> Callable[[Page], None]:
    """Return what taps buttons by their names."""

    def act(page: Page) -> None:
        for name in names:
            page.get_by_role("button", name=name, exact=True).first.click()

    return act


def correct(page: Page) -> None:
    page.locator(".move", has_text="Ann").first.click()


def enter_a_hand(page: Page) -> None:
    tap("Enter the cards")(page)
    for rank in ("two", "four", "six", "eight"):
        sheet(page).get_by_role("button", name=rank, exact=True).click()


def another_level(page: Page) -> None:
    begin(Phone(page))
    page.locator("[data-focus=level]").click()


def rename(page: Page) -> None:
    page.click("#table")
    sheet(page).locator("[data-focus=name0]").fill("Zoe")


class Loaded(NamedTuple):
    """A dialog whose contents the board sends."""

    path: str
    """The request for its contents."""
    open: Callable[[Page], None]
    shows: str
    """A sentence or label that it shows."""
    before: Callable[[Page], object] = lambda page: None


LOADED: Final = {
    "table": Loaded("/games?", lambda page: page.locator("#table").click(), "Who is playing"),
    "other house": Loaded(
        "/far?", tap("Play with another house"), "Invite", lambda page: page.click("#table")
    ),
    "correction": Loaded("/amend?", correct, "Take out"),
    "pack": Loaded(
        "/packs?", tap("Photograph our own pack once"), "one suit at a time", tap("More …")
    ),
    "fair": Loaded(
        "/player/fair?", tap("Was it fair?"), "shuffle", lambda page: begin(Phone(page))
    ),
}


def prepared(daemon: Daemon, visit: Visit, lines: tuple[str, ...]) -> Page:
    visit.forgiven += ["Failed to load resource", "ERR_"]
    page = visit(daemon.url, 390, 844, reduced_motion="reduce")
    if lines:
        number = daemon.say(*lines)["number"]
        page.wait_for_selector(f"body[data-number='{number}']")
    return page


@pytest.mark.parametrize("name", LOADED)
def test_a_dialog_says_that_it_loads_and_can_be_tried_again(
    daemon: Daemon, visit: Visit, name: str
) -> None:
    """On a slow network, then on one that loses the request, then offline."""
    path, opens, shows, before = LOADED[name]
    page = prepared(daemon, visit, () if name == "fair" else DEAL)
    before(page)
    slow = page.context.new_cdp_session(page)
    slow.send("Network.enable")
    conditions = {"latency": 2500, "downloadThroughput": 50_000, "uploadThroughput": 50_000}
    slow.send("Network.emulateNetworkConditions", {"offline": False, **conditions})
    opens(page)
    expect(sheet(page).get_by_text("Loading …")).to_be_visible()
    expect(sheet(page)).to_contain_text(shows)
    expect(sheet(page).get_by_text("Loading …")).to_have_count(0)
    page.keyboard.press("Escape")
    conditions = {"latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    slow.send("Network.emulateNetworkConditions", {"offline": False, **conditions})
    again = sheet(page).get_by_role("button", name="Try again")
    if name != "fair":
        before(page)
    page.route(f"**{path}*", lambda route: route.abort("timedout"))
    opens(page)
    expect(sheet(page)).to_contain_text(FAILED)
    page.unroute(f"**{path}*")
    page.context.set_offline(True)
    refused = sheet(page).locator(".refused")
    refused.evaluate("failed => { failed.dataset.before = 'yes' }")
    again.click()
    expect(refused.and_(page.locator(":not([data-before])"))).to_contain_text(FAILED)
    page.context.set_offline(False)
    again.click()
    expect(sheet(page)).to_contain_text(shows)


class Entry(NamedTuple):
    """A dialog in which something is entered."""

    path: str
    open: Callable[[Page], None]
    tap: Callable[[Page], Locator]
    """The button that sends the entry."""
    lines: tuple[str, ...] = DEAL


def named(name: str) -> Callable[[Page], Locator]:
    return lambda page: sheet(page).get_by_role("button", name=name, exact=True).first


ENTRIES: Final = {
    "opponent": Entry("player/game", tap("Play against the board"), named("easy"), ()),
    "level": Entry("player/level", another_level, named("strong"), ()),
    "players": Entry("table", rename, named("Use these names and rules"), ()),
    "light": Entry("commands", lambda page: page.click("#table"), named("Dim")),
    "points": Entry("lines", tap("Points: Ann"), named("4")),
    "misdeal": Entry("lines", tap("More …", "Misdeal: deal again"), named("Misdeal: deal again")),
    "resignation": Entry("lines", tap("More …", "Bob gives up"), named("Bob gives up")),
    "hand": Entry(
        "lines", enter_a_hand, lambda page: sheet(page).locator(".count .act.first"), HAND
    ),
    "correction": Entry("lines", correct, named("Take out")),
}


@pytest.mark.parametrize("name", ENTRIES)
def test_an_entry_in_a_dialog_is_sent_once_and_can_be_tried_again(
    daemon: Daemon, visit: Visit, name: str
) -> None:
    path, opens, button, lines = ENTRIES[name]
    page = prepared(daemon, visit, lines)
    opens(page)
    place = button(page)
    number = daemon.state()["number"]
    held: list[Route] = []
    page.route(f"**/{path}?*", lambda route: held.append(route))
    place.click()
    until(lambda: held, page)
    expect(sheet(page).get_by_text("Sending …")).to_be_visible()
    place.click()
    page.wait_for_timeout(300)
    held[0].abort("timedout")
    expect(page.get_by_text(FAILED).first).to_be_visible()
    assert len(held) == 1, "sent once"
    assert daemon.state()["number"] == number
    page.unroute(f"**/{path}?*")
    sent: list[str] = []
    page.on("request", lambda asked: sent.append(asked.url) if f"/{path}?" in asked.url else None)
    place.click()
    expect(page.get_by_text(FAILED)).to_have_count(0)
    until(lambda: sent, page)
    if name not in ("level", "light"):
        until(lambda: daemon.state()["number"] > number, page)
    assert len(sent) == 1
