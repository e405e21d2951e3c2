"""Tonight's players: two, three, partners, in one evening, tapped on a phone."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Daemon, Visit


def play(page: Page, count: int) -> None:
    """Choose this many players on the sheet “Who is playing tonight?”. The sheet opens from the
    question about the dealer, or at any time from the top of the page."""
    asked = page.locator("#due").get_by_role("button", name="Who is playing tonight?")
    (asked if count == 3 else page.locator("#table")).click()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_role("heading", name="Who is playing tonight?")).to_be_visible()
    sheet.get_by_role("button", name=f"{count} players").click()
    expect(sheet.locator("form.who input[list]")).to_have_count(count)
    sheet.locator("button.first").click()
    if page.get_by_role("button", name="End it and start").count():
        page.get_by_role("button", name="End it and start").click()
    expect(page.get_by_role("dialog")).to_have_count(0)


def test_three_then_two_then_four(daemon: Daemon, visit: Visit) -> None:
    """The simulated board uses another layout, and every page draws it."""
    page, other = visit(daemon.url, width=390, height=844), visit(daemon.url)
    for count, sides, layout in ((3, 3, "Classic, three players"), (2, 2, "Classic, two players")):
        play(page, count)
        for shown in (page, other):
            expect(shown.locator("#board svg.holes[role=img]")).to_have_attribute(
                "aria-label", re.compile(f"^{layout}")
            )
            expect(shown.locator("#sides .side")).to_have_count(sides)
        tracks = page.locator("[data-lamp^='track3.']").count()
        assert (tracks > 0) == (sides == 3)
    play(page, 4)
    expect(page.locator("#sides .side")).to_have_count(2)


def test_people_are_asked_though_the_board_played_last(daemon: Daemon, visit: Visit) -> None:
    """In a new evening after a game against the board, the board still had its seat."""
    daemon.say("seat 1 Ann", "seat 2 Cleo")
    with daemon.client as client:
        answer = client.post("/player", json={"seat": 2, "level": 1, "deals": False})
        assert answer.status_code == 200, answer.text
    page = visit(daemon.url, width=390, height=844)
    expect(
        page.locator("#due").get_by_role("button", name="Who is playing tonight?")
    ).to_be_visible()
    expect(
        page.locator("#due").get_by_role("button", name="Play against the board")
    ).to_be_visible()


def test_a_name_is_put_right_while_a_game_is_played(daemon: Daemon, visit: Visit) -> None:
    """Changing names alone need not end the game."""
    daemon.say("seat 1 Ann", "seat 2 Bbo", "dealer 1", "deal", "2 peg 4 hand")
    page = visit(daemon.url, width=390, height=844)
    page.click("#table")
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Player 2", exact=True).fill("Bob")
    sheet.locator(".who .act.first").click()
    expect(sheet.get_by_role("heading")).to_have_text(
        "Are these the same players with corrected names? The score is Ann 0, Bbo 4."
    )
    sheet.get_by_role("button", name="The same players: correct the names").click()
    expect(sheet).to_be_hidden()
    expect(page.locator(".side2 h2")).to_have_text("Bob")
    expect(page.locator(".side2 .score")).to_have_text("4")


@pytest.mark.slow
def test_games_are_offered_for_so_many(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, width=390, height=844)
    page.click("#table")
    sheet = page.get_by_role("dialog")
    games = sheet.locator("[data-focus=game] option")
    expect(games.filter(has_text="Bezique").first).to_be_attached()
    sheet.get_by_role("button", name="3 players").click()
    tables = {
        "Cribbage": ("American Cribbage Congress", "English league", "Akagiri"),
        "Pinochle": ("Bicycle", "Pagat", "Parlett"),
    }
    named = [f"{game}: {name}" for game, names in tables.items() for name in names]
    expect(games).to_have_text([*named, *tables])


@pytest.mark.slow
def test_a_board_of_two_tracks_says_why_three_cannot_be_pegged(
    run: Callable[..., Daemon], visit: Visit
) -> None:
    page = visit(run().url, width=390, height=844)
    page.route(
        "**/games?*",
        lambda route: route.fulfill(
            json={
                **(found := route.fetch().json()),
                "tracks": 2,
                "games": [
                    {**game, "seats": [n for n in game["seats"] if n != 3]}
                    for game in found["games"]
                ],
            }
        ),
    )
    page.click("#table")
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="3 players").click()
    expect(sheet).to_contain_text("This board has 2 tracks, but three players need three.")
    expect(sheet.locator("form.who")).to_have_count(0)
    sheet.get_by_role("button", name="4 players").click()
    expect(sheet.locator("form.who")).to_have_count(1)


@pytest.mark.slow
def test_rules_of_ones_own_are_saved_found_again_and_removed(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, width=390, height=844)
    page.click("#table")
    sheet = page.get_by_role("dialog")
    games = sheet.locator("[data-focus=game]")
    games.select_option(label="Cribbage")
    sheet.locator("summary").click()
    sheet.locator("[data-option=muggins]").select_option("full")
    sheet.get_by_role("button", name="Save these rules").click()
    expect(sheet.get_by_role("alert").first).to_have_text(
        "Saved rules need a name of 1 to 40 characters."
    )
    sheet.get_by_label("Name of these rules").fill("Friday")
    sheet.get_by_label("Name of these rules").press("Enter")
    expect(games.locator("option:checked")).to_have_text("Friday")
    other = visit(daemon.url, width=390, height=844)
    other.click("#table")
    found = other.get_by_role("dialog")
    found.locator("[data-focus=game]").select_option(label="Friday")
    expect(found.locator("[data-option=muggins]")).to_have_value("full")
    found.get_by_role("button", name="Remove “Friday”").click()
    expect(found.locator("[data-focus=game] option:checked")).to_have_text("Cribbage")
    expect(found.locator("[data-focus=game] option", has_text="Friday")).to_have_count(0)
