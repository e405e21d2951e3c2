"""Missed points, misdeals, penalties and giving up; who deals; another level; games won."""

from __future__ import annotations

from itertools import dropwhile

from playwright.sync_api import Page, expect

from tests.web.conftest import Daemon, Visit
from tests.web.test_against_the_board import Phone

DEAL = (
    "dealer 2",
    "deal",
    "starter 5C",
    "1 peg 0 play",
    "2 peg 0 play",
)
MUGGINS = ("game cribbage", "set muggins underclaim", "seat 1 Ann", "seat 2 Bob", *DEAL)


def at(page: Page, number: int) -> None:
    page.wait_for_selector(f"body[data-number='{number}']")


def claim(page: Page, points: int) -> None:
    """Enter Ann's hand of 12 points, and claim some of them."""
    page.locator("#due .act.first").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="With suits").click()
    for card in ("4S", "4H", "5S", "6D"):
        sheet.locator(f".target[data-card='{card}']").click()
    expect(sheet.locator(".claim")).to_be_visible()
    expect(sheet.locator(".combinations")).to_have_count(0)
    expect(sheet.locator("[data-focus=peg]")).to_have_count(0)
    sheet.locator(f"[data-focus=claim{points}]").click()
    expect(sheet).to_be_hidden()


def test_a_claim_is_taken_before_the_count_and_the_call_is_offered(
    daemon: Daemon, visit: Visit
) -> None:
    """With muggins on, the page does not show the true count before the claim, so players can miss
    points."""
    page = visit(daemon.url, 390, 844)
    at(page, daemon.say(*MUGGINS)["number"])
    claim(page, 8)
    call = page.locator("#due").get_by_role("button", name="Bob calls muggins")
    expect(call).to_be_in_viewport(ratio=1)
    assert daemon.state()["sides"][0]["score"] == 8
    call.click()
    expect(page.locator(".side2 .score")).to_have_text("16")


def test_the_claim_of_a_learner_is_made(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, 390, 844)
    at(page, daemon.say(*MUGGINS)["number"])
    with daemon.client as client:
        assert client.post("/learners", json={"name": "Ann", "counts": True}).json()["counts"]
    page.reload()
    page.locator("#due .act.first").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="With suits").click()
    for card in ("4S", "4H", "5S", "6D"):
        sheet.locator(f".target[data-card='{card}']").click()
    sheet.locator("summary").filter(has_text="total").click()
    sheet.locator("[data-focus=count-total]").fill("10")
    sheet.locator("[data-focus=count-say]").click()
    expect(sheet).to_be_hidden()
    shown = daemon.state()["moves"][-1]
    assert shown["line"].endswith("= 10"), shown
    assert daemon.state()["sides"][0]["score"] == 10


def test_a_misdeal_a_penalty_and_giving_up(daemon: Daemon, visit: Visit) -> None:
    """The page offers all of these, so no line of the notation is needed."""
    page = visit(daemon.url, 390, 844)
    at(page, daemon.say("game cribbage", "dealer 2", "deal", "1 peg 8")["number"])
    sheet = page.get_by_role("dialog")
    page.locator("#more").click()
    sheet.get_by_role("button", name="Misdeal: deal again").click()
    sheet.locator("[data-focus=yes]").click()
    expect(page.locator(".side1 .score")).to_have_text("0")
    assert daemon.state()["dealer"] == 2
    at(page, daemon.say("deal", "1 peg 8")["number"])
    page.locator("#more").click()
    sheet.get_by_role("button", name="Penalty or correction: Ann").click()
    sheet.get_by_role("spinbutton").fill("-2")
    sheet.locator("form .act").first.click()
    expect(page.locator(".side1 .score")).to_have_text("6")
    page.locator("#more").click()
    sheet.get_by_role("button", name="Bob gives up").click()
    sheet.locator("[data-focus=yes]").click()
    expect(page.locator(".side1.winner")).to_be_visible()
    assert daemon.state()["winner"] == 1


def test_the_cut_is_shown_and_the_level_is_two_taps_away(daemon: Daemon, visit: Visit) -> None:
    """The page no longer answers "Who deals?" itself after two seconds."""
    page = visit(daemon.url, 390, 844)
    page.evaluate(
        """() => {
          window.asked = [];
          const look = () => {
            const begun = document.querySelector('#sides').textContent.includes('The board');
            if (begun) window.asked.push(document.querySelector('#due h2')?.textContent);
          };
          const due = document.getElementById('due');
          new MutationObserver(look).observe(due, { childList: true, subtree: true });
        }"""
    )
    phone = Phone(page)
    phone.tap("page.against")
    page.locator("[data-focus=level1]").click()
    due = page.locator("#due")
    expect(due.locator(".cut-cards .card")).to_have_count(2)
    dealer = daemon.state()["dealer"]
    expect(due.locator("h2")).to_have_text(["You deal first", "The board deals first"][dealer - 1])
    asked = page.evaluate("window.asked")
    # The table may be on the page a moment before the page knows that the board cuts.
    assert "Who deals?" not in list(dropwhile("Who deals?".__eq__, asked)), asked
    due.locator("[data-focus=go-on]").click()
    expect(due.locator(".hand-row .target")).to_have_count(6)
    for name in ("+", "Points: Ann"):
        expect(page.locator("#sides").get_by_role("button", name=name, exact=True)).to_have_count(0)
    page.locator("[data-focus=level]").click()
    page.get_by_role("dialog").locator("[data-focus=level4]").click()
    expect(page.locator("[data-focus=level]")).to_have_text("Level: strong")
    with daemon.client as client:
        player = client.get("/player").json()
    assert (player["level"], player["alone"], player["dealing"]) == (4, True, True)


def test_games_won_are_those_against_the_same_people(daemon: Daemon) -> None:
    def won(*lines: str) -> list[int]:
        return [side["won"] for side in daemon.say(*lines)["sides"]]

    assert won("game cribbage", "dealer 2", "deal", "2 resign") == [1, 0]
    assert won("game cribbage", "seat 1 Ann", "seat 2 Cat") == [0, 0]
    assert won("dealer 2", "deal", "1 resign") == [0, 1]
    assert won("game noddy", "seat 1 Ann", "seat 2 Bob") == [0, 0]
    assert won("game cribbage", "seat 1 Bob", "seat 2 Ann") == [0, 1]


def test_no_custom_of_the_first_dealer_is_called_usual(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, 390, 844)
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("[data-focus=rules]").click()
    texts = sheet.locator("[data-option=deal_draw] option").all_inner_texts()
    assert texts == [
        "the highest card deals (Akagiri)",
        "the lowest card deals (most English-speaking clubs)",
    ]


def test_the_board_asks_somebody_else_for_its_real_cards(daemon: Daemon, visit: Visit) -> None:
    """The page does not ask the board's opponent for any of the board's cards, and identifies the
    board's discards by their places."""
    page = visit(daemon.url, 390, 844)
    page.locator("[data-focus=against]").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("[data-focus=real]").click()
    expect(sheet.locator("[data-focus=deal]")).to_have_value("0")
    expect(sheet.locator("[data-focus=player-seat]")).to_have_value("2")
    page.keyboard.press("Escape")
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 The board", "dealer 1")
    with daemon.client as client:
        answer = client.post("/player", json={"seat": 2, "level": 1, "deals": False}).json()
    assert answer["seat"] == 2
    asks = daemon.say("deal")["asks"]
    (text,) = (one["text"] for one in asks if one["code"] == "hand" and one["seat"] == 2)
    assert text.startswith("The board’s cards: photograph them without looking")
    daemon.say("2 hand 5H 6S 7D 8C JH QS")
    page.reload()
    expect(page.locator("#player .said")).to_contain_text("of the board’s row in the crib")
