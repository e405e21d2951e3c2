"""Each player's own phone: its questions, and its owner."""

from __future__ import annotations

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.web.conftest import Daemon, Visit, boxes

ANN = ("5H", "6S", "7D", "8C", "JH", "QS")
BOB = ("5C", "5S", "4D", "KC", "JD", "2S")


@pytest.fixture
def phone(daemon: Daemon, visit: Visit) -> Callable[[int], Page]:
    """Opens the phone of a seat's player."""

    def phone(seat: int) -> Page:
        page = visit.blank(390, 844)
        page.goto(daemon.url)
        page.evaluate(f"localStorage.setItem('boardctl.seat', '{seat}')")
        page.reload()
        page.wait_for_selector("body[data-link=open]")
        return page

    return phone


def every_card(daemon: Daemon) -> None:
    with daemon.client as client:
        request = {"what": "telling", "value": "cards"}
        assert client.post("/commands", json=request).json() == {"done": True}


def throw(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f'#due .target[data-card="{card}"]').click()
    page.locator("#due").get_by_role("button", name="Put these two in the crib").click()


def test_a_players_own_phone_asks_that_player(daemon: Daemon, phone: Callable[[int], Page]) -> None:
    """Each player throws from the hand on their own phone. Nobody is asked for the other's
    cards."""
    every_card(daemon)
    daemon.say("dealer 1", "deal")
    ann, bob = phone(1), phone(2)
    heading = "#due h2"
    expect(ann.locator(heading)).to_have_text("Which cards do you hold?")
    expect(ann.locator("#due").get_by_role("button", name="The starter")).to_be_visible()
    expect(ann.locator("#due").get_by_role("button", name="Bob’s hand")).to_have_count(0)
    daemon.say(f"1 hand {' '.join(ANN)}")
    expect(bob.locator(heading)).to_have_text("Which cards do you hold?")
    daemon.say(f"2 hand {' '.join(BOB)}")
    expect(bob.locator(heading)).to_have_text("Two cards for Ann’s crib")
    expect(bob.locator("#due .target")).to_have_count(6)
    throw(bob, "KC", "2S")
    expect(bob.locator("#due")).to_contain_text("Ann is thinking")
    expect(ann.locator(heading)).to_have_text("Two cards for your crib")
    throw(ann, "JH", "QS")
    daemon.say("starter 9H")
    expect(bob.locator(heading)).to_have_text("Which card do you play?")
    expect(ann.locator("#due")).to_contain_text("Bob is thinking")
    expect(ann.locator("#due .target")).to_have_count(0)
    expect(ann.locator("#due .held .card")).to_have_text(["5♥", "6♠", "7♦", "8♣"])
    expect(ann.locator("#due .held").get_by_role("img", name="five of hearts")).to_be_visible()
    wide = ann.locator("#due .held .card").evaluate_all(
        "(all) => all.map((one) => one.offsetWidth)"
    )
    assert min(wide) >= 44, "as large as where they are tapped"
    bob.locator('#due .target[data-card="5C"]').click()
    expect(ann.locator("#due .target")).to_have_count(4)
    expect(bob.locator("#due")).to_contain_text("Ann is thinking")
    expect(bob.locator("#due .held .card")).to_have_text(["4♦", "5♠", "J♦"])


def test_three_are_asked_for_their_hands_before_what_they_throw(
    daemon: Daemon, phone: Callable[[int], Page]
) -> None:
    begin(daemon, "Ann", "Bob", "Zoë")
    every_card(daemon)
    daemon.say("dealer 1", "deal")
    for seat, whose in enumerate(("your", "Ann’s", "Ann’s"), 1):
        page = phone(seat)
        expect(page.locator("#due h2")).to_have_text("Which cards do you hold?")
        daemon.say(f"{seat} hand {' '.join(rank + 'SHD'[seat - 1] for rank in '23456')}")
        expect(page.locator("#due h2")).to_have_text(f"One card for {whose} crib")
        expect(page.locator("#due .target")).to_have_count(5)


def test_a_card_that_is_held_twice_is_shown_twice(
    daemon: Daemon, phone: Callable[[int], Page]
) -> None:
    every_card(daemon)
    daemon.say("game bezique", "dealer 2", "deal", "1 hand KS KS QS JD JD 9C AH 7H", "turnup 9D")
    ann = phone(1)
    expect(ann.locator("#due h2")).to_have_text("Which card do you play?")
    shown = "#due .hand-row .target"
    held = ["7H", "9C", "JD", "JD", "QS", "KS", "KS", "AH"]
    assert sorted(map(card, ann.locator(shown).all())) == sorted(held)
    for width, height in ((390, 844), (320, 640), (844, 390)):
        ann.set_viewport_size({"width": width, "height": height})
        room, *cards = ann.evaluate(  # taken at one moment, because they may be redrawn
            "(which) => [...document.querySelectorAll(which)]"
            ".map((made) => made.getBoundingClientRect().toJSON())",
            f"#due, {shown}",
        )
        assert len(cards) == len(held)
        for box in cards:
            assert room["left"] <= box["left"] < box["right"] <= room["right"]
            assert box["width"] >= 44
    ann.locator('#due .target[data-card="KS"]').last.click()
    expect(ann.locator("#happened")).to_have_text("You play K♠")
    expect(ann.locator("#due h2")).to_have_text("Which card does Bob play?")  # not Ann's options


def card(target: Locator) -> str:
    return target.get_attribute("data-card") or ""


def test_partners_are_told_apart_and_win_together(
    daemon: Daemon, phone: Callable[[int], Page]
) -> None:
    begin(daemon, "Ann", "Bob", "Cid", "Dot")
    every_card(daemon)
    daemon.say("dealer 1", "deal", "3 hand 5H 6S 7D 8C JH")
    page = phone(3)
    expect(page.locator(".side1 h2")).to_have_text(re.compile("^You & Ann$"))
    expect(page.locator("#due h2")).to_have_text("One card for Ann’s crib")
    daemon.say("1 resign")
    expect(page.locator("#happened")).to_have_text(re.compile("^Bob & Dot win.*!$"))
    expect(page.locator(".chip.won")).to_have_text("win")


def test_a_phone_stays_with_its_player(daemon: Daemon, phone: Callable[[int], Page]) -> None:
    """When a player leaves, the others move up. No phone may then show another player's cards."""
    begin(daemon, "Ann", "Bob", "Cid")
    bob, cid = phone(2), phone(3)
    expect(bob.locator(".side2 .mine")).to_be_attached()
    expect(cid.locator(".side3 .mine")).to_be_attached()
    begin(daemon, "Bob", "Cid")
    expect(bob.locator(".side1 .mine")).to_be_attached()
    expect(cid.locator(".side2 .mine")).to_be_attached()
    begin(daemon, "Dad", "Cid")
    expect(bob.locator(".side1 h2")).to_contain_text("Dad")
    expect(bob.locator(".mine")).to_have_count(0)
    begin(daemon, "Cid", "Bob")
    expect(bob.locator(".side2 .mine")).to_be_attached()
    expect(cid.locator(".side1 .mine")).to_be_attached()


def begin(daemon: Daemon, *names: str, game: str = "cribbage") -> None:
    with daemon.client as client:
        expect = client.get("/state").json()["number"]
        request = {"game": game, "players": names, "options": {}, "expect": expect}
        answer = client.post("/table", json=request)
        assert answer.is_success, answer.text


def test_the_own_cards_stand_beside_what_is_asked(
    daemon: Daemon, phone: Callable[[int], Page]
) -> None:
    """The bidder and the waiting player each see their own cards, and not the other's."""
    every_card(daemon)
    daemon.say("game klaberjass", "dealer 2", "deal", "1 hand JH 9H AS KS 7D 8C", "turnup TH")
    ann, bob, held = phone(1), phone(2), "#due .held .card"
    expect(ann.locator("#due h2")).to_have_text("Do you take it?")
    expect(ann.locator(held)).to_have_text(["A♠", "K♠", "J♥", "9♥", "7♦", "8♣"])
    expect(bob.locator(held)).to_have_count(0)
    daemon.say("1 bid pass", "2 hand QH KH TS 9S 8D 7C")
    expect(bob.locator("#due h2")).to_have_text("Do you take it?")
    expect(bob.locator(held)).to_have_count(6)
    expect(ann.locator(held)).to_have_count(6)
    daemon.say("2 bid take", "2 hand AC KC QC")
    expect(bob.locator(held)).to_have_count(9)
    expect(ann.locator(held)).to_have_count(0)  # three of nine are not known


def test_the_taker_of_belote_sees_the_turned_card_in_hand(
    daemon: Daemon, phone: Callable[[int], Page]
) -> None:
    begin(daemon, "Ann", "Bob", "Cid", "Dot")
    every_card(daemon)
    daemon.say("game belote", "dealer 4", "deal", "1 hand JH 9H AS KS 7D", "turnup TH")
    page = phone(1)
    expect(page.locator("#due .held .card")).to_have_count(5)
    daemon.say("1 bid take", "1 hand 8C 9C")
    expect(page.locator('#due .target[data-card="TH"]')).to_be_visible()
    expect(page.locator("#due .target")).to_have_count(8)


WIDOWED = "AS TS KS QS 9S 9S AH KH TD TD JC JC 9C 9C AC"
"""Fifteen cards of Pinochle for three."""


def test_a_bidder_of_three_is_asked_as_one_holds_the_cards(
    daemon: Daemon, phone: Callable[[int], Page]
) -> None:
    """The own hand comes first and stays visible. Only the winner of the bidding names trumps. Each
    of two equal cards is laid away by a separate tap."""
    begin(daemon, "Ann", "Bob", "Cid", game="pinochle")
    every_card(daemon)
    daemon.say("dealer 3", "deal")
    ann, bob = phone(1), phone(2)
    due, held = ann.locator("#due"), "#due .hand-row .card"
    expect(due.locator("h2")).to_have_text("Which cards do you hold?")
    expect(bob.locator("#due h2")).to_have_text("Which cards do you hold?")
    daemon.say(f"1 hand {WIDOWED}", "2 hand KD", "1 bid 300", "2 bid pass", "3 bid pass")
    expect(due.locator("h2")).to_have_text("Which cards are the widow?")
    expect(ann.locator(held)).to_have_count(15)
    daemon.say("widow KD QD 9D")
    expect(due.locator("h2")).to_have_text("Which suit does Ann make trumps?")
    expect(ann.locator(held)).to_have_count(18)
    panel, heading = boxes(ann, "#due", "#due h2")
    assert panel["y"] <= heading["y"], "the question is in sight above so many cards"
    expect(bob.locator("#due [data-focus^=trump]")).to_have_count(0)
    daemon.say("trump S", "declare")
    expect(due.locator("h2")).to_have_text("Which cards do you discard?")
    lay = due.get_by_role("button", name="Lay these three away")
    nines = due.locator('.target[data-card="9C"]')
    nines.first.click()
    expect(due.locator(".target[aria-pressed=true]")).to_have_count(1)
    nines.last.click()
    expect(due.locator(".target[aria-pressed=true]")).to_have_count(2)
    expect(lay).to_be_disabled()
    due.locator('.target[data-card="9D"]').click()
    lay.click()
    expect(due.locator("h2")).to_have_text("Which card do you play?")
    assert daemon.state()["moves"][-1]["text"] == "Ann discards 3 cards"


def test_the_rest_of_a_hand_comes_before_its_first_card(
    daemon: Daemon, phone: Callable[[int], Page]
) -> None:
    begin(daemon, "Ann", "Bob", "Cid", "Dot", game="belote")
    every_card(daemon)
    daemon.say("dealer 4", "deal", "1 hand AS 7S 8S 9S TS", "turnup 7H", "1 bid take")
    ann = phone(1)
    expect(ann.locator("#due h2")).to_have_text("Which cards do you hold?")
    daemon.say("1 hand AC KC")
    expect(ann.locator("#due h2")).to_have_text("Which card do you play?")
    expect(ann.locator("#due .target")).to_have_count(8)


def test_suits_of_a_hand_that_another_laid_open_are_answered(
    daemon: Daemon, phone: Callable[[int], Page]
) -> None:
    """In Noddy hands are shown before the play, so the person who taps sees the open hand."""
    every_card(daemon)
    lines = ("dealer 1", "deal", "1 hand 2H 5H 9H", "2 hand QC QS 4D", "starter K")
    daemon.say("game noddy", *lines)
    ann, bob = phone(1), phone(2)
    bob.locator("#due [data-focus=firstshow]").click()
    expect(bob.locator("dialog .slots .held")).to_have_text(["4♦", "Q♠", "Q♣"])
    bob.locator("dialog [data-focus=peg]").click()
    expect(ann.locator("#happened")).to_contain_text("pair is two")
    ann.locator("#due [data-focus=firstshow]").click()
    expect(ann.locator("dialog .slots .card")).to_have_text(["2♥", "5♥", "9♥", "K"])
    ann.locator("dialog [data-focus=close]").click()
    bob.locator("#due [data-focus=firstshow]").click()
    expect(bob.locator("dialog h2")).to_have_text("Suits matter here")
    expect(bob.locator("dialog .slots .held")).to_have_text(["2♥", "5♥", "9♥", "K"])
    bob.locator("dialog .chip-button").first.click()
    bob.locator("dialog [data-focus=peg]").click()
    expect(ann.locator("#happened")).to_contain_text("flush")
