"""Important information on a phone: the opponent's hand, the crib's owner, and the scores."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.conftest import Daemon, Visit, shows, until
from tests.web.test_against_the_board import Phone, act, begin, moved

SIZES = {"phone": (390, 844), "landscape": (844, 390), "desktop": (1280, 800)}


def play_to_the_count(phone: Phone, daemon: Daemon) -> None:
    """Play a deal until a hand of the board is shown."""
    page = phone.page
    for _ in range(60):
        until(lambda: ready_for_a_tap(page, daemon), page)
        if page.locator("#due.counts").count():
            return
        number = daemon.state()["number"]  # after the board's moves, or `moved` takes one for ours
        act(phone, phone.hand)
        moved(page, daemon, number)
    raise AssertionError("no hand lies open")


@pytest.mark.parametrize("size", SIZES)
def test_the_hand_of_the_board_lies_open_until_a_tap(
    daemon: Daemon, visit: Visit, size: str
) -> None:
    """Its score jumped by hand and crib at once, with only one line of text. The own hand, counted
    by the same tap, is shown above it."""
    page = visit(daemon.url, *SIZES[size], reduced_motion="reduce")
    phone = Phone(page)
    begin(phone)
    expect(page.locator("#due h2")).to_contain_text("Two cards for")
    play_to_the_count(phone, daemon)
    due, score = page.locator("#due"), page.locator(".side2 .score")
    names = {
        ("show", 1): "Your hand",
        ("crib", 1): "Your crib",
        ("show", 2): "The board’s hand",
        ("crib", 2): "The board’s crib",
    }
    seen: list[tuple[str, int]] = []
    dealer = state(daemon)["dealer"]
    while page.locator("#due.counts").count():
        settled(page, daemon)
        if state(daemon)["phase"] == "discard":
            break
        now = state(daemon)
        due_now = [(move["verb"], move["seat"]) for move in now["moves"] if move["counted"]]
        counted = [move for move in now["moves"] if move["counted"]][len(seen) :]
        hands = due.locator(".counted-hand:has(.total)")
        expect(hands).to_have_count(len(counted))
        for hand, move in zip(hands.all(), counted, strict=True):
            expect(hand.locator("h2, h3")).to_have_text(names[move["verb"], move["seat"]])
            cards = hand.locator(".open-hand .card")
            expect(cards).to_have_count(5)
            shown = cards.evaluate_all("all => all.map((card) => card.dataset.card)")
            assert shown[:4] == move["counted"]["cards"]
            expect(hand.locator(".total")).to_have_text(str(move["points"]))
            expect(hand).to_be_in_viewport(ratio=0.95)
        expect(score).to_have_text(str(now["sides"][1]["score"]))
        seen = due_now
        go_on = due.locator("[data-focus=go-on]")
        expect(go_on).to_be_in_viewport(ratio=1)
        go_on.click()
        moved(page, daemon, now["number"])
    order = [("show", 3 - dealer), ("show", dealer), ("crib", dealer)]
    assert seen == order, "all three, in the order of counting"
    expect(page.locator("#due.counts")).to_have_count(0)


def settled(page: Page, daemon: Daemon) -> None:
    """Wait until the board has moved, and the page shows it."""

    def is_settled() -> bool:
        now = state(daemon)
        own = any(one["due"] and one["seat"] == 1 for one in now["asks"])
        waits = own if now["phase"] == "show" else now["phase"] != "crib"
        return waits and shows(page, now["number"])

    until(is_settled, page)


@pytest.mark.parametrize("size", SIZES)
def test_a_deal_against_the_board_takes_nine_taps(daemon: Daemon, visit: Visit, size: str) -> None:
    """The throw takes three, the cards four. One tap counts the own hand, and the crib with it; the
    next one deals. A forced go needs none. Both dealers have a turn."""
    page = visit(daemon.url, *SIZES[size], reduced_motion="reduce")
    phone = Phone(page)
    begin(phone)
    dealers = set()
    for _ in range(2):
        settled(page, daemon)
        dealers.add(state(daemon)["dealer"])
        phone.taps, dealt = 0, False
        while not dealt:
            until(lambda: ready_for_a_tap(page, daemon), page)
            settled(page, daemon)
            dealt = state(daemon)["phase"] == "deal"  # the next tap deals
            number = daemon.state()["number"]
            hand = phone.hand
            if hand:
                act(phone, hand)
            else:
                page.locator("#due .act.first").click()
                phone.taps += 1
            moved(page, daemon, number)
        assert phone.taps == 9
    assert dealers == {1, 2}


def ready_for_a_tap(page: Page, daemon: Daemon) -> bool:
    targets = "#due :is(.hand-row .target:enabled, .act.first:enabled):not(.sent)"
    return shows(page, daemon.state()["number"]) and page.locator(targets).count() > 0


def test_a_board_with_another_journal_is_asked_anew(daemon: Daemon, visit: Visit) -> None:
    """A restored copy may have lower line numbers than the last answer. The page then did not
    redraw its question."""
    page, links, heard = visit.blank(), list[WebSocketRoute](), list[str]()
    replaced = False

    def listen(socket: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            if isinstance(message, str) and '"state"' in message:
                heard.append(message)
            if not replaced:
                socket.send(message)

        links.append(socket)
        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket(re.compile("/ws"), listen)
    page.goto(daemon.url)
    begin(Phone(page))
    expect(page.locator("#due h2")).to_contain_text("Two cards for")
    earlier = json.loads(heard[-1])["state"] | {"number": 1}
    play_to_the_count(Phone(page), daemon)
    settled(page, daemon)
    number = daemon.state()["number"]
    page.locator("#due [data-focus=go-on]").click()
    moved(page, daemon, number)
    settled(page, daemon)
    question = page.locator("#due button.act.first")
    replaced = True
    for count, asks in ((1, earlier["asks"]), (0, list[object]())):
        links[-1].send(json.dumps({"state": earlier | {"asks": asks}}))
        expect(question).to_have_count(count)
        page.wait_for_selector("body[data-number='1']")


def test_a_count_taken_back_is_shown_again(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, 390, 844, reduced_motion="reduce")
    phone = Phone(page)
    begin(phone)
    play_to_the_count(phone, daemon)
    if state(daemon)["phase"] == "show":  # the own hand is next
        page.locator("#due .act.first").click()
    settled(page, daemon)
    expect(page.locator("#due .act.first")).to_have_text("Deal")
    totals = page.locator("#due .counted-hand .total")
    counts = totals.all_inner_texts()
    assert counts
    phone.tap("page.undo")
    tally = page.locator("#due .act.first", has_text="Count your")
    tally.click()
    expect(page.locator("#due .act.first")).to_have_text("Deal")
    until(lambda: totals.all_inner_texts()[-1:] == counts[-1:], page)


def state(daemon: Daemon) -> dict[str, Any]:
    """Return the state on the phone of seat 1."""
    with daemon.client as client:
        found: dict[str, Any] = client.get("/state?seat=1").json()
        return found


def test_an_open_hand_is_still_open_after_a_reload(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, 390, 844, reduced_motion="reduce")
    phone = Phone(page)
    begin(phone)
    play_to_the_count(phone, daemon)
    page.reload()
    expect(page.locator("#due.counts [data-focus=go-on]")).to_be_visible()


def test_a_question_says_whose_crib_it_is(daemon: Daemon) -> None:
    """A shared phone shows both names; a player's own phone shows "you"."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal")
    asked = {}
    for seat in ("", "1", "2"):
        with daemon.client as client:
            asks = client.get("/state", params={"seat": seat}).json()["asks"]
        asked[seat] = [one["text"] for one in asks if one["code"] == "discard"]
    assert asked[""] == ["Ann: two cards for Bob’s crib", "Bob: two cards for Bob’s own crib"]
    assert asked["1"] == ["Two cards for Bob’s crib", "Bob: two cards for Bob’s own crib"]
    assert asked["2"] == ["Ann: two cards for Bob’s crib", "Two cards for your crib"]


def test_three_players_lay_one_card_each(daemon: Daemon) -> None:
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "seat 3 Cat", "dealer 2", "deal")
    with daemon.client as client:
        asks = client.get("/state", params={"seat": "3"}).json()["asks"]
    (text,) = {one["text"] for one in asks if one["code"] == "discard" and one["seat"] == 3}
    assert text == "One card for Bob’s crib"


def test_a_players_own_phone_says_you(daemon: Daemon) -> None:
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 2", "deal", "starter 5H")
    daemon.say("1 play 9")
    with daemon.client as client:
        mine, theirs = (client.get("/state", params={"seat": n}).json() for n in ("1", "2"))
        japanese = client.get("/state", params={"seat": "1", "lang": "ja"}).json()
    assert mine["happened"]["text"] == "You play 9"
    assert theirs["happened"]["text"] == "Ann plays 9"
    assert japanese["happened"]["text"].startswith("あなた")
    (asked,) = (one for one in theirs["asks"] if one["code"] == "play")
    assert asked["text"] == "Which card do you play?"


@pytest.mark.parametrize("size", SIZES)
def test_scores_and_what_is_due_are_in_sight(daemon: Daemon, visit: Visit, size: str) -> None:
    """However long the list of the deal is, and however far it is scrolled."""
    page = visit(daemon.url, *SIZES[size])
    lines = ["dealer 1", "deal", *(f"{n} peg 2" for n in (2, 1) * 8)]
    number = daemon.say(*lines)["number"]
    page.wait_for_selector(f"body[data-number='{number}']")
    page.locator(".move").last.scroll_into_view_if_needed()
    for score in page.locator(".side .score").all():
        expect(score).to_be_in_viewport(ratio=1)
    expect(page.locator("#due h2")).to_be_in_viewport(ratio=1)
    holes = page.evaluate(
        """() => {
          const shown = ['#sides', '#strip', '.scene', '.tools'].map((one) =>
            document.querySelector(one).getBoundingClientRect()).filter(({ height }) => height);
          return innerHeight - Math.max(...shown.map(({ bottom }) => bottom));
        }"""
    )
    assert holes <= 12


def test_the_strip_opens_the_whole_board(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, 390, 844)
    strip, board = page.locator("#strip"), page.locator("#board")
    expect(board).to_be_hidden()
    expect(strip.locator(".strip-peg")).to_have_count(4)
    strip.click()
    expect(board).to_be_in_viewport()
    expect(strip).to_have_attribute("aria-expanded", "true")
    number = daemon.say("dealer 1", "deal", "1 peg 30")["number"]
    page.wait_for_selector(f"body[data-number='{number}']")
    front = strip.locator(".side1 .strip-peg").last
    assert front.evaluate("(peg) => peg.style.left") == f"{100 * 30 / 121:.4f}%"
