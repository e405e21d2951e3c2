"""After Goodnight, the first page offers last evening's game, and one tap continues it."""

from __future__ import annotations

import re
import time
from collections.abc import Callable

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Daemon, Visit


@pytest.mark.parametrize("restarted", [True, False])
def test_last_evenings_game_goes_on(
    run: Callable[..., Daemon], visit: Visit, restarted: bool
) -> None:
    daemon = run()
    daemon.say("dealer 2", "deal", "1 peg 17", "2 peg 6")
    with daemon.client as client:
        client.post("/commands", json={"what": "goodnight", "value": ""})
    if restarted:
        assert daemon.end() == ""
        daemon = run()
    page = visit(daemon.url, width=390, height=844)
    page.get_by_role("button", name="Continue last evening’s game: Ann 17, Bob 6").click()
    expect(page.locator(".side1 .score")).to_have_text("17")
    expect(page.locator(".side2 .score")).to_have_text("6")
    expect(page.get_by_role("button", name="Continue")).to_have_count(0)
    state = daemon.say("2 peg 4")
    assert [side["score"] for side in state["sides"]] == [17, 10]
    page.get_by_role("link", name="History").click()
    games = page.locator("#evenings :is(li, td) button")
    expect(games).to_have_text(re.compile("^Ann 17 ?Bob 10"))


def test_a_game_against_the_board_is_not_followed_by_another_unasked(
    run: Callable[..., Daemon], visit: Visit
) -> None:
    """After a restart, the board dealt the next game at once, so the old one could not continue."""
    daemon = run()
    with daemon.client as client:
        daemon.post("/player/game", {"name": "Ann", "level": 2})
        client.post("/player/cut", json={"cut": "any words"})
        while not (held := client.get("/state?seat=1").json()["held"]):
            time.sleep(0.02)  # the board deals in a separate thread
        daemon.say(f"1 discard {held[0]} {held[1]}")
        code = client.get("/player").json()["sealed"]["commitment"]
        client.post("/commands", json={"what": "goodnight", "value": ""})
    assert daemon.end() == ""
    daemon = run()
    page = visit(daemon.url, width=390, height=844)
    page.locator("#whose").get_by_role("button", name="Ann").click()
    expect(page.locator("#due h2")).to_have_text("What comes next")
    page.get_by_role("button", name="Continue last evening’s game: Ann ").click()
    page.get_by_role("button", name="Go on").click()  # this page has not shown the cut yet
    expect(page.locator("#due .hand-row .target:enabled").first).to_be_visible()
    with daemon.client as client:
        assert client.get("/player").json()["sealed"]["commitment"] == code
