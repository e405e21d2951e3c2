"""A single user plays against the board in a browser, with a sealed shuffle."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import expect

from boardctl.record import sealed
from tests.web.conftest import Daemon, Visit, until


@pytest.mark.slow
def test_a_sealed_game_is_begun_and_played(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url)
    daemon.say("start 118 118", "dealer 1")
    page.click("#table")
    page.get_by_role("button", name="The board plays").click()
    page.get_by_role("button", name="Let the board play").click()
    page.wait_for_selector("#player [data-focus=level] >> text=The board plays Bob")
    with daemon.client as client:
        until(lambda: client.get("/player").json()["sealed"]["cut"], page)
        commitment = client.get("/player").json()["sealed"]["commitment"]
        daemon.say("deal")
        until(lambda: hand(client.get("/state?seat=1").json()), page)
        assert not shown(client.get("/state?seat=1").json(), 2), "its hand is not shown"
        cards = hand(client.get("/state?seat=1").json())
        daemon.say(f"1 discard {cards[0]} {cards[1]}")
        # The board may have led meanwhile. The page says so once, without a place in a row that
        # does not exist.
        expect(page.locator("#happened")).to_have_text(
            re.compile("Bob (discards 2 cards|plays (10|[2-9AJQK])[♠♥♦♣])|The starter is .*")
        )
        expect(page.locator("#player .said")).to_have_count(0)
        until(lambda: client.get("/state").json()["phase"] == "play", page)
        until(lambda: any(m["verb"] == "play" for m in client.get("/state").json()["moves"]), page)
        kept = cards[2:]
        while not (state := client.get("/state?seat=1").json())["over"]:
            if state["turn"] == 1 and state["phase"] == "play":
                line = next((c for c in kept if fits(c, state["count"] or 0)), None)
                daemon.say("1 go" if line is None else f"1 play {line}")
                kept = [card for card in kept if card != line]
            elif state["phase"] in ("show", "crib") and state["turn"] == 1:
                daemon.say(f"1 {state['phase']}")
            elif state["phase"] == "deal":
                daemon.say("deal")
                until(lambda: hand(client.get("/state?seat=1").json()), page)
                cards = hand(client.get("/state?seat=1").json())
                kept = cards[2:]
                daemon.say(f"1 discard {cards[0]} {cards[1]}")
            page.wait_for_timeout(30)
        secret = client.get("/player").json()["sealed"]["secret"]
        (game,) = client.get("/player/fair").json()["games"]
    assert sealed.commitment(bytes.fromhex(secret)) == commitment
    assert (game["commitment"], game["secret"], game["follows"]) == (commitment, secret, True)
    page.get_by_role("button", name="Was it fair?").click()
    expect(page.get_by_role("dialog")).to_contain_text(secret)


def test_people_move_for_the_board_in_a_deal_whose_cards_it_was_not_told(
    daemon: Daemon, visit: Visit
) -> None:
    """The board says so, asks for its cards while they can be entered, and plays in the next
    deal."""
    daemon.say("dealer 1")
    with daemon.client as client:
        chosen = {"seat": 2, "level": 1, "deals": False}
        assert client.post("/player", json=chosen).json()["seat"] == 2
    page = visit(daemon.url)
    expect(page.locator("#player")).to_contain_text("The board plays Bob: a beginner")
    daemon.say("deal")
    expect(page.locator("#player")).to_contain_text("Photograph the board’s cards")
    daemon.say("1 discard ? ?", "2 discard ? ?", "starter 5D")
    expect(page.locator("#player")).to_contain_text("from the next deal on")
    page.locator("#due .target[data-card='5']").click()
    until(lambda: daemon.state()["turn"] == 1, page)
    daemon.say("misdeal", "deal", "2 hand 5H 6S 7D 8C JH QS")
    expect(page.locator("#player .said")).to_contain_text("Bob: crib")


def test_the_boards_cards_are_asked_for_before_the_starter(daemon: Daemon, visit: Visit) -> None:
    """Once the starter is turned, the board cannot play in this deal."""
    daemon.say("seat 3 Cleo", "seat 4 Dan", "dealer 1")
    with daemon.client as client:
        assert client.post("/player", json={"seat": 2, "level": 1, "deals": False}).json()["seat"]
    page = visit(daemon.url, 390, 844)
    expect(page.locator("#player")).to_contain_text("The board plays Bob")
    daemon.say("deal")
    heading = page.locator("#due h2")
    expect(heading).to_contain_text("Bob’s cards: photograph them without looking")
    page.locator("#due").get_by_role("button", name="Enter the cards").click()
    sheet = page.get_by_role("dialog")
    for card in ("5H", "6S", "7D", "8C", "JH"):
        sheet.locator(f".target[data-card='{card}']").click()
    sheet.locator(".act.first").click()
    expect(page.locator("#player .said")).to_contain_text("Bob: crib")
    expect(heading).to_have_text("Which card is the starter?")


def test_people_enter_the_crib_of_the_board(daemon: Daemon, visit: Visit) -> None:
    """The opponent's two cards were thrown without being entered, and the page said "Bob is
    thinking" forever."""
    daemon.say("dealer 2")
    with daemon.client as client:
        assert client.post("/player", json={"seat": 2, "level": 1, "deals": False}).json()["seat"]
    page = visit(daemon.url, 390, 844)
    daemon.say("deal", "2 hand 5H 6S 7D 8C JH QS")
    until(lambda: client_said(daemon) == "Bob: crib", page)
    with daemon.client as client:
        (*_, thrown) = client.get("/state?seat=2").json()["moves"]
    daemon.say("starter 2C", "1 peg 0 play", "2 peg 0 play", "1 show 3C 4D 9S KD")
    heading = page.locator("#due h2")
    expect(heading).to_have_text("Bob’s hand")
    page.locator("#due [data-focus=go-on]").click()
    expect(heading).to_have_text("Bob’s crib: which cards?")
    page.locator("#due .act.first").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_role("button", name="With suits").click()
    for card in ("TD", "AC", *thrown["line"].split()[2:]):
        sheet.locator(f".target[data-card='{card}']").click()
    sheet.locator("[data-focus=peg]").click()
    until(lambda: daemon.state()["phase"] == "deal", page)


def test_the_deal_at_hand_is_dealt_by_people_where_the_board_deals_from_the_next_one_on(
    daemon: Daemon, visit: Visit
) -> None:
    """Nobody was asked for anything, and the board waited for its cards."""
    daemon.say("dealer 1", "deal")
    with daemon.client as client:
        assert client.post("/player", json={"seat": 2, "level": 1, "deals": True}).json()["sealed"]
    page = visit(f"{daemon.url}", 390, 844)
    heading = page.locator("#due h2")
    expect(heading).to_contain_text("Bob’s cards: photograph them without looking")
    daemon.say("2 hand 5H 6S 7D 8C JH QS")
    expect(heading).to_have_text("Which card is the starter?")
    expect(page.locator("#player .said")).to_contain_text("Bob: crib · Lay cards ")


def test_where_a_card_of_the_board_lies_is_said_with_its_move(daemon: Daemon, visit: Visit) -> None:
    """On a phone the place was out of sight, so people had to search for each of its cards."""
    with daemon.client as client:
        client.post("/player", json={"seat": 2, "level": 1, "deals": False})
    page = visit(daemon.url, 360, 740)
    daemon.say("dealer 2", "deal")
    expect(page.locator("#player")).to_contain_text("keep its place empty")
    daemon.say("2 hand 5H 6S 7D 8C JH QS")
    happened = page.locator("#happened")
    expect(happened).to_have_text(re.compile(r"Bob discards 2 cards · Lay cards \d and \d "))
    daemon.say("starter 2C", "1 play 9S")
    expect(happened).to_have_text(re.compile(r"Bob plays .* · Turn up card \d "))
    page.locator("[data-focus=undo]").click()
    expect(happened).not_to_contain_text("·")


def client_said(daemon: Daemon) -> str:
    with daemon.client as client:
        said = client.get("/player").json()["said"]
    return "" if said is None else str(said["text"])


def test_what_the_board_cannot_play_is_said_before(
    run: Callable[..., Daemon], visit: Visit
) -> None:
    daemon = run()
    daemon.say("game bezique")
    page = visit(daemon.url)
    page.click("#table")
    page.get_by_role("button", name="The board plays").click()
    sheet = page.locator(".player-sheet")
    expect(sheet).to_contain_text("The board does not play Bezique. It plays Belote, ")
    expect(sheet).to_contain_text("Cribbage")
    expect(sheet.get_by_role("button", name="Let the board play")).to_have_count(0)


def test_what_the_board_leaves_out_is_said_before_and_while_it_plays(
    daemon: Daemon, visit: Visit
) -> None:
    """Nobody sees its cards, so nobody could know that its runs in Belote earn nothing."""
    daemon.say("game belote")
    page = visit(daemon.url)
    page.click("#table")
    page.get_by_role("button", name="The board plays").click()
    lacks = "declares no runs or squares"
    expect(page.locator(".player-sheet")).to_contain_text(lacks)
    page.get_by_role("button", name="Let the board play").click()
    expect(page.locator("#player")).to_contain_text(lacks)
    with daemon.client as client:
        in_japanese = client.get("/player", params={"lang": "ja"}).json()["lacks"]
        assert "シークエンスと4枚ぞろいは宣言しません" in in_japanese
    daemon.say("game cribbage")
    expect(page.locator("#player")).to_contain_text("The board plays")
    expect(page.locator("#player")).not_to_contain_text(lacks)


def shown(state: dict[str, Any], seat: int) -> list[str]:
    """Return the lines of a seat's hand that a page receives."""
    moves = state["moves"]
    return [
        m["line"]
        for m in moves
        if m["verb"] == "hand" and m["seat"] == seat and "?" not in m["line"]
    ]


def hand(state: dict[str, Any]) -> list[str]:
    lines = shown(state, 1)
    return lines[-1].split()[2:] if lines and state["phase"] == "discard" else []


def fits(card: str, count: int) -> bool:
    value = "A23456789T".find(card[0]) + 1 or 10
    return count + value <= 31
