"""The view for a television: public information in large type, without tap targets."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.web.conftest import Daemon, Visit

DEAL = (
    *("dealer 1", "deal", "1 hand 5H 6S 7D 8C JH QS", "2 hand 2H 3S 4D 9C TH KS"),
    *("1 discard JH QS", "2 discard TH KS", "starter AC", "2 play 9C", "1 play 6S"),
)


@pytest.mark.parametrize(("width", "height"), [(1920, 1080), (1280, 720), (3840, 2160)])
def test_board_score_and_played_cards_fill_the_screen(
    daemon: Daemon, visit: Visit, width: int, height: int
) -> None:
    daemon.say(*DEAL)
    page = visit.blank(width, height)
    page.goto(daemon.url)
    page.evaluate("localStorage.setItem('boardctl.seat', '1')")  # the browser belongs to a player
    page.goto(f"{daemon.url}/?view=tv")
    page.wait_for_selector("body[data-link=open]")
    faces = page.locator("#tv .face")
    expect(faces).to_have_count(3)
    assert [face.get_attribute("aria-label") for face in faces.all()] == [
        "ace of clubs",
        "nine of clubs",
        "six of spades",
    ]
    expect(page.locator("#tv .count")).to_have_text("15")
    text = page.locator("body").inner_text()
    assert "5♥" not in text, "a hand stays secret"
    assert [
        button for button in page.locator("button, a, input").all() if button.is_visible()
    ] == []
    for part in ("#board", "#sides", "#happened", "#tv"):
        box = page.locator(part).bounding_box()
        assert box is not None, part
        assert box["x"] >= 0, part
        assert box["y"] >= 0, part
        assert box["x"] + box["width"] <= width + 1, part
        assert box["y"] + box["height"] <= height + 1, part
    board = page.locator("#board").bounding_box()
    assert board is not None
    assert board["width"] >= width / 2
    daemon.say("2 play 4D")
    expect(page.locator("#tv .count")).to_have_text("19")
