"""An evening of two games on two phones and the keypad together, and a phone that sleeps."""

from __future__ import annotations

import errno
import re
import socket
from contextlib import suppress
from threading import Thread
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import TALL, Daemon, Visit

PHONE: dict[str, Any] = {"width": 360, "height": 740, "has_touch": True, "is_mobile": True}


def tap_points(page: Page, name: str, points: int) -> None:
    page.get_by_role("button", name=f"Points: {name}").tap()
    page.get_by_role("dialog").get_by_role("button", name=str(points), exact=True).tap()


def key_points(page: Page, name: str, points: int) -> None:
    for key in f"{'AB'[name == 'Bob']}{points}#":
        page.locator(f'.key[data-key="{key}"]').click()


@pytest.mark.slow
def test_two_games_on_two_phones_and_the_keypad(daemon: Daemon, visit: Visit) -> None:
    """The last points of two games come in turn from all three surfaces. Each sees every score, and
    the games won add up."""
    ann, bob = visit(daemon.url, **PHONE), visit(daemon.url, **PHONE)
    board = visit(daemon.url, height=TALL)
    pages = (ann, bob, board)
    ways = ((ann, tap_points), (bob, tap_points), (board, key_points))
    for game, winner in enumerate(("Ann", "Bob")):
        if game:
            bob.get_by_role("button", name="Next game").tap()
            expect(board.locator(".side1 .score")).to_have_text("0")
        loser = {"Ann": "Bob", "Bob": "Ann"}[winner]
        seats = {"Ann": 1, "Bob": 2}
        daemon.say(*[f"{seats[winner]} peg 24"] * 4, f"{seats[loser]} peg 9")
        scores = {winner: 96, loser: 9}
        awards = ((winner, 20), (loser, 12), (winner, 5))
        for turn, (name, points) in enumerate(awards, start=game):
            page, tell = ways[turn % 3]
            tell(page, name, points)
            scores[name] += points
            for each in pages:
                for side, player in enumerate(("Ann", "Bob"), 1):
                    expect(each.locator(f".side{side} .score")).to_have_text(str(scores[player]))
        for each in pages:
            expect(each.locator(".chip.won")).to_have_text("wins")
    state = daemon.state()
    # The loser is below 91 each time: a skunk counts two games.
    assert [side["won"] for side in state["sides"]] == [2, 2]


@pytest.mark.slow
def test_a_phone_that_sleeps_and_returns(daemon: Daemon, visit: Visit) -> None:
    """The game continues while the phone sleeps. When the phone wakes, it shows the current state
    and holds no key down."""
    phone, other = visit(daemon.url, **PHONE), visit(daemon.url, height=TALL)
    visit.forgiven.append("ERR_INTERNET_DISCONNECTED")
    phone.get_by_role("button", name="Keypad").tap()
    phone.locator('.key[data-key="A"]').hover()
    phone.mouse.down()
    expect(other.locator("#display")).to_have_attribute("aria-label", "Ann:, points, then #")
    phone.evaluate("dispatchEvent(new Event('blur'))")  # the screen turns off
    phone.context.set_offline(True)
    expect(phone.locator("body")).not_to_have_attribute("data-link", "open")
    expect(phone.locator("#happened")).to_contain_text("The connection to the board is lost")
    other.locator('.key[data-key="*"]').click()  # nobody may complete a partial entry
    key_points(other, "Bob", 9)
    expect(other.locator(".side2 .score")).to_have_text("9")
    phone.context.set_offline(False)
    phone.evaluate("dispatchEvent(new Event('online'))")
    expect(phone.locator(".side2 .score")).to_have_text("9")
    tap_points(phone, "Ann", 4)
    expect(other.locator(".side1 .score")).to_have_text("4")


class Wire:
    """A network between browser and board that can swallow the data on the page's sockets without
    closing them, so the browser does not notice."""

    def __init__(self, port: int) -> None:
        """Listen at ::1 for a board at 127.0.0.1."""
        self._port = port
        self._ends: list[socket.socket] = []
        self._sockets: set[socket.socket] = set()
        self._silent: set[socket.socket] = set()
        try:
            self._listener = socket.create_server(("::1", port), family=socket.AF_INET6)
        except OSError as error:
            if error.errno not in (errno.EADDRNOTAVAIL, errno.EAFNOSUPPORT):
                raise
            pytest.skip("a second address of this machine is needed: it has no IPv6")
        self.url = f"http://[::1]:{port}"
        Thread(target=self._accept, daemon=True).start()

    def swallow(self) -> None:
        """Swallow the data of the currently open sockets, but not of later ones."""
        self._silent.update(self._sockets)

    def close(self) -> None:
        self._listener.shutdown(socket.SHUT_RDWR)
        for end in (self._listener, *self._ends):
            end.close()

    def _accept(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._listener.accept()
                far = socket.create_connection(("127.0.0.1", self._port))
                self._ends += [near, far]
                for one, other in ((near, far), (far, near)):
                    Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with suppress(OSError):
            while data := one.recv(65536):
                if data.startswith(b"GET /ws"):
                    self._sockets |= {one, other}
                if one not in self._silent:
                    other.sendall(data)
            if one not in self._silent:
                other.shutdown(socket.SHUT_WR)


def test_a_phone_wakes_whose_connection_died_unheard(daemon: Daemon, visit: Visit) -> None:
    """After an hour in a pocket the phone's socket still looks open, and other requests are
    answered. The page reconnects before anything else, and earlier taps have no effect."""
    wire = Wire(daemon.port)
    visit.forgiven.append("invalid source: 'ws://[::1]")  # a policy can name no IPv6 address
    phone = visit(wire.url, **PHONE)
    daemon.say("1 peg 3")
    expect(phone.locator(".side1 .score")).to_have_text("3")
    wire.swallow()
    daemon.say("2 peg 9")
    tap_points(phone, "Ann", 4)
    expect(phone.locator("#happened")).to_contain_text("Somebody else has played")
    assert [side["score"] for side in daemon.state()["sides"]] == [3, 9]
    # somebody looks at the phone
    phone.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(phone.locator(".side2 .score")).to_have_text("9")
    phone.get_by_role("dialog").get_by_role("button", name="4", exact=True).tap()
    expect(phone.locator(".side1 .score")).to_have_text("7")
    phone.close()  # or it complains that nobody answers
    wire.close()


def test_a_hand_by_rank_and_the_suits_that_matter(daemon: Daemon, visit: Visit) -> None:
    """The page asks for suits only if they matter, and the count with the answer is pegged."""
    daemon.say("dealer 1", "deal", "starter 5D")
    page = visit(daemon.url, **PHONE)
    page.get_by_role("button", name="Enter the cards").tap()
    for rank in ("four", "five", "six", "jack"):
        page.get_by_role("button", name=rank, exact=True).tap()
    page.get_by_role("dialog").get_by_role("button", name="+1 his nobs").tap()
    rows = page.locator(".combinations li")
    expect(rows.first).to_contain_text("fifteen two")
    expect(rows.last).to_contain_text("his nob")
    peg = page.locator(".count .act.first")
    shown = int((peg.text_content() or "").split()[-1])
    assert shown == sum(int(text) for text in page.locator(".count .points").all_text_contents())
    peg.tap()
    expect(page.locator(".side2 .score")).to_have_text(str(shown))


def test_a_long_count_shows_that_it_continues(daemon: Daemon, visit: Visit) -> None:
    """On a phone four rows fit above the pack. "Peg 24" beside rows of 16 seemed wrong."""
    number = daemon.say("dealer 1", "deal", "starter 5D")["number"]
    page = visit(daemon.url, **PHONE)
    page.wait_for_selector(f"body[data-number='{number}']")
    page.get_by_role("button", name="Enter the cards").tap()
    page.get_by_role("dialog").get_by_role("button", name="With suits").tap()
    for card in ("4S", "5S", "5H", "6C"):
        page.locator(f"dialog .target[data-card='{card}']").tap()
    rows = page.locator("dialog .combinations")
    expect(rows).to_have_attribute("data-rolls", "below")
    expect(rows).to_have_css("mask-image", re.compile("22px"))
    rows.evaluate("(rows) => rows.scrollTo(0, rows.scrollHeight)")
    expect(rows).to_have_attribute("data-rolls", "above")


def test_a_hand_that_counts_nothing_says_so(daemon: Daemon, visit: Visit) -> None:
    daemon.say("dealer 1", "deal", "starter TD")
    page = visit(daemon.url, **PHONE)
    page.get_by_role("button", name="Enter the cards").tap()
    for rank in ("two", "four", "six", "eight"):
        page.get_by_role("button", name=rank, exact=True).tap()
    expect(page.locator(".count")).to_contain_text("No combination counts.")
    page.locator(".count .act.first").tap()
    expect(page.locator(".side2 .score")).to_have_text("0")


def test_fifty_two_targets(daemon: Daemon, visit: Visit) -> None:
    """The picker shows all possible cards, each at least 48 px wide and high on a screen of 360
    px."""
    daemon.say("dealer 1", "deal", "starter 5D")
    page = visit(daemon.url, **PHONE)
    page.get_by_role("button", name="Enter the cards").tap()
    page.get_by_role("button", name="With suits", exact=True).tap()
    boxes = page.evaluate(
        """[...document.querySelectorAll('dialog .target')].map((t) => {
             const { width, height, left, right } = t.getBoundingClientRect();
             return [width, height, left, right];
           })"""
    )
    assert len(boxes) == 51, "all but the starter"
    assert min(min(width, height) for width, height, _, _ in boxes) >= 48
    assert min(left for _, _, left, _ in boxes) >= 0
    assert max(right for _, _, _, right in boxes) <= 360


def test_a_name_is_spelled_anew_in_the_middle_of_a_game(daemon: Daemon, visit: Visit) -> None:
    """A tap on the name among the moves corrects it; the score stays."""
    daemon.say("seat 2 Bbo", "dealer 1", "deal", "2 peg 4")
    page = visit(daemon.url, **PHONE)
    page.get_by_role("button", name="Earlier deals").tap()
    page.locator(".move", has_text="Seat 2: Bbo").tap()
    sheet = page.get_by_role("dialog")
    expect(sheet.get_by_label("Name")).to_have_value("Bbo")
    sheet.get_by_label("Name").fill("Bob")
    sheet.get_by_role("button", name="Change").first.tap()
    expect(sheet).to_have_count(0)
    expect(page.locator(".side2 h2")).to_contain_text("Bob")
    expect(page.locator(".side2 .score")).to_have_text("4")
