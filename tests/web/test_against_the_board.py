"""One person plays two whole games in a row against the board on a phone, by visible targets."""

from __future__ import annotations

import re
from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, Route, expect

from boardctl import text
from boardctl.message import Message
from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit, shows, until
from tests.web.test_tapping import LANGUAGES, SIZES

MOST_TAPS = 400
CARD = ".hand-row .target:enabled"


class Phone:
    """A page whose taps are counted. A tapped element is named by its code in the catalogue."""

    def __init__(self, page: Page, language: str = "en") -> None:
        self.page, self.language = page, language
        self.taps = 0

    def say(self, code: str, **fields: object) -> str:
        """Return a button's label or a sentence of the page in its language."""
        kind, _, rest = code.partition(".")
        return text.say(Message(kind, rest, fields), text.Reader(self.language))

    def tap(self, code: str) -> None:
        self.page.get_by_role("button", name=self.say(code)).first.click()
        self.taps += 1

    @property
    def hand(self) -> list[str]:
        """Return the tappable cards in the person's own hand."""
        cards: list[str] = self.page.locator(f"#due {CARD}").evaluate_all(
            "all => all.map((card) => card.dataset.card)"
        )
        return cards

    def card(self, card: str) -> None:
        self.page.locator(f"#due .hand-row .target[data-card='{card}']").click()
        self.taps += 1


def look_on(page: Page) -> None:
    """Tap to continue while the cut, or hands with their counts, are shown."""
    while page.locator("#due.counts").count():
        page.locator("#due.counts [data-focus=go-on]").click()
        expect(page.locator("#due .sent")).to_have_count(0)  # the answer is shown


def begin(phone: Phone, level: int = 2) -> None:
    """Begin a game against the board, and tap to continue after the cut."""
    phone.tap("page.against")
    phone.tap(f"page.level-{level}")
    look_on_once(phone.page)


def look_on_once(page: Page) -> None:
    page.locator("#due.counts [data-focus=go-on]").click()
    expect(page.locator("#due .hand-row .target")).to_have_count(6)


def settle(page: Page, daemon: Daemon, *, looks: bool = True) -> None:
    """Wait until the page shows that it is this person's turn, or that the game is over. Unless
    `looks` is false, tap to continue after counted hands."""
    waits = f"#due{':not(.counts)' * looks} :is({CARD}, .act.first:enabled):not(.sent)"

    def settled() -> bool:
        if looks:
            look_on(page)
        state = daemon.state()
        return shows(page, state["number"]) and (state["over"] or page.locator(waits).count() > 0)

    until(settled, page)


def act(phone: Phone, hand: list[str]) -> None:
    """Make the next move with this hand: the throw, a card of the play, or the button that
    continues."""
    if len(hand) == 6:
        phone.card(hand[0])
        phone.card(hand[1])
        phone.tap("page.discard-these-2")
    elif hand:
        phone.card(hand[-1])
    else:
        phone.page.locator("#due .act.first").first.click()


def play(phone: Phone, daemon: Daemon, *, undo: int) -> None:
    """Play a game to its end. Take back and repeat the first move from a hand of `undo` or fewer
    cards: with 6 the first throw, with fewer a card of the play."""
    page, taken_back = phone.page, False
    for _ in range(MOST_TAPS):
        settle(page, daemon)
        if daemon.state()["over"]:
            assert taken_back
            return
        hand, number = phone.hand, daemon.state()["number"]
        act(phone, hand)
        moved(page, daemon, number)
        if not taken_back and 0 < len(hand) <= undo:
            taken_back = True
            settle(page, daemon)  # the page shows the lines to be taken back
            number = daemon.state()["number"]
            phone.tap("page.undo")
            expect(page.locator(f"#due {CARD}")).to_have_count(len(hand))
            assert phone.hand == hand, "the same cards"
            phone.tap("page.redo")
            moved(page, daemon, number + 1)
    raise AssertionError("the game does not end")


def play_to_61(page: Page) -> None:
    """Choose a shorter game on the table's sheet."""
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    sheet.locator("[data-focus=rules]").click()
    sheet.locator("[data-option=target]").fill("61")
    sheet.locator("[data-focus=start]").click()
    expect(sheet).to_be_hidden()


def moved(page: Page, daemon: Daemon, number: int) -> None:
    """Wait until a line has been played; a hand that is shown before it is pegged is pegged."""
    peg = "document.querySelector('dialog[open] .act.first:enabled:not(.sent)')?.click()"

    def is_moved() -> bool:
        page.evaluate(peg)
        return bool(daemon.state()["number"] > number)

    until(is_moved, page)


def test_nobody_is_asked_for_cards_that_the_board_deals(daemon: Daemon, visit: Visit) -> None:
    """The thirteen ranks for the starter no longer flash up after each throw and each deal."""
    page = visit(daemon.url, 390, 844)
    phone = Phone(page)
    begin(phone)
    page.evaluate("""() => {
      window.packs = 0;
      new MutationObserver(() => {
        const offered = '#due :is(.row:not(.hand-row) .target, [data-focus=firstdiscard])';
        window.packs += document.querySelectorAll(offered).length;
      }).observe(document.getElementById('due'), { childList: true, subtree: true });
    }""")
    deals = 0
    while deals < 2:
        settle(page, daemon)
        hand, number = phone.hand, daemon.state()["number"]
        deals += len(hand) == 6
        act(phone, hand)
        moved(page, daemon, number)
    settle(page, daemon)
    assert page.evaluate("packs") == 0


def test_nobody_is_asked_who_deals_before_the_board_cuts(daemon: Daemon, visit: Visit) -> None:
    """The question used to appear until the page knew who plays the new game."""
    page = visit(daemon.url, 390, 844)
    due = page.locator("#due")
    expect(due).to_contain_text("Who deals?")
    number = daemon.state()["number"]
    held: list[Route] = []
    holds = True
    page.route(
        "**/player?*",
        lambda request: held.append(request) if holds else request.continue_(),
    )
    phone = Phone(page)
    phone.tap("page.against")
    phone.tap("page.level-2")
    moved(page, daemon, number)
    page.wait_for_selector(f"body[data-number='{daemon.state()['number']}']")
    expect(due).not_to_contain_text("Who deals?")
    holds = False
    for request in held:
        request.continue_()
    look_on_once(page)


@pytest.mark.slow
@sweep("language, size", list(product(LANGUAGES, SIZES)), ordinary=[("en", SIZES[2])])
def test_two_games_in_a_row(
    run: Callable[..., Daemon], visit: Visit, language: str, size: tuple[int, int]
) -> None:
    daemon = run()
    page = visit(f"{daemon.url}/?lang={language}", *size)
    phone = Phone(page, language)
    play_to_61(page)
    begin(phone)
    assert phone.taps <= 3, "to the first card"
    assert [rule["value"] for rule in daemon.state()["rules"]] == ["61"]
    moves = daemon.state()["moves"]
    hands = {m["line"].split(maxsplit=2)[2] for m in moves if m["verb"] == "hand"}
    assert hands == {"? ? ? ? ? ?"}, "nobody else sees a hand"
    codes = set()
    for game in range(2):
        with daemon.client as client:
            codes.add(client.get("/player").json()["sealed"]["commitment"])
        play(phone, daemon, undo=(6, 3)[game])
        expect(page.locator("#due")).to_contain_text(phone.say("do.game"))
        expect(page.get_by_role("link", name=phone.say("page.look-at-it"))).to_be_visible()
        phone.tap("page.fair")
        checked = phone.say("page.fair-yes", deals="#").partition("#")[0]
        expect(page.get_by_role("dialog")).to_contain_text(checked)
        page.keyboard.press("Escape")
        if game == 0:
            phone.tap("do.game")
            expect(page.locator("#due :is(.hand-row, [data-focus=go-on])")).to_be_visible()
            look_on(page)
            expect(page.locator("#due .hand-row .target")).to_have_count(6)
    assert len(codes) == 2, "each game has a shuffle of its own"
    assert [side["won"] for side in daemon.state()["sides"]] != [0, 0]


def test_only_people_learn(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, width=390, height=844)
    phone = Phone(page)
    phone.tap("page.against")
    phone.tap("page.level-2")
    expect(page.locator("#player [data-focus=fair]")).to_have_count(1)
    page.locator("#table").click()
    games, cannot = page.locator("[data-focus=game]"), "The board does not play Bezique"
    expect(page.get_by_role("dialog")).not_to_contain_text(cannot)
    games.select_option("bezique")
    expect(page.get_by_role("dialog")).to_contain_text(cannot)  # before the game begins
    games.select_option("cribbage")
    expect(page.locator("[data-focus=counts1]")).to_be_visible()
    assert page.locator("[data-focus=counts2]").count() == 0, "the board"
    with daemon.client as client:  # on another phone
        client.post("/player", json={"seat": 0, "level": 1, "deals": False})
        expect(page.locator("[data-focus=counts2]")).to_be_visible()
        client.post("/player", json={"seat": 1, "level": 1, "deals": False})
        expect(page.locator("[data-focus=counts1]")).to_have_count(0)


def test_the_board_has_a_name_in_each_language(daemon: Daemon) -> None:
    """The computer player is the same player in a game begun in any language."""
    with daemon.client as client:
        for language, name in (("ja", "盤"), ("en", "The board")):
            seen = {"lang": language}
            begun = daemon.post("/player/game", {"name": "Ann", "level": 3}, **seen)
            assert begun["seat"] == 2
            for other, shown in (("ja", "盤"), ("en", "The board")):
                state = client.get("/state", params={"lang": other}).json()
                assert state["seats"] == ["Ann", shown]
                assert [side["names"] for side in state["sides"]] == [["Ann"], [shown]]
                own = [move["text"] for move in state["moves"] if move["seat"] == 2]
                assert all(shown in sentence for sentence in own), own
            # The table sheet submits the names that it shows.
            body = {"game": "cribbage", "players": ["Ann", name], "options": {"target": "61"}}
            answer = daemon.post("/table", body, **seen)
            assert "state" in answer, answer
            assert client.get("/player").json()["seat"] == 2
            daemon.say("1 resign")
        for language, shown in (("ja", "盤"), ("en", "The board")):
            past = client.get("/history", params={"lang": language}).json()
            assert [player["name"] for player in past["players"]] == ["Ann", "Bob", shown]
            assert all(game["sides"] == ["Ann", shown] for game in past["games"])
            number = past["games"][-1]["number"]
            moves = client.get(f"/history/{number}", params={"lang": language}).json()
            assert moves["seats"] == ["Ann", shown]


def test_another_browser_asks_whose_it_is(daemon: Daemon, visit: Visit) -> None:
    """Cards dealt by the board appear only on their player's phone. An unknown browser first asks
    who uses it and then shows that player's cards. In the meantime, it does not ask anybody for
    Ann's cards."""
    daemon.post("/player/game", {"name": "Ann", "level": 3})
    page = visit(daemon.url, width=390, height=844)
    whose = page.locator("#whose")
    expect(whose).to_contain_text("Whose phone is this?")
    expect(whose.get_by_role("button")).to_have_text(["Ann", "Only watching"])
    whose.get_by_role("button", name="Ann").click()
    expect(whose).to_be_hidden()
    look_on_once(page)
    expect(page.locator("#due .hand-row .target")).to_have_count(6)
    other = visit(daemon.url, width=390, height=844)
    expect(other.locator("#whose")).to_be_visible()
    expect(other.locator("#due")).to_contain_text("Ann is thinking …")
    expect(other.locator("#due .target")).to_have_count(0)


def test_cards_that_the_board_dealt_are_not_photographed(daemon: Daemon, visit: Visit) -> None:
    """A corrected throw, or a pack, can be photographed only at a table with real cards."""
    page = visit.blank(390, 844)
    page.route("**/photo?*", lambda route: route.fulfill(json={"available": True}))
    page.goto(daemon.url)
    phone = Phone(page)
    photo = page.get_by_role("dialog").locator(".photo")
    for real in (False, True):
        if real:
            daemon.say("game cribbage", "dealer 1", "deal", "1 discard 5H 6S")
            page.locator(".move", has_text="You discard").first.click()
        else:
            begin(phone)
            for card in phone.hand[:2]:
                phone.card(card)
            phone.tap("page.discard-these-2")
            page.locator(".move", has_text=re.compile(r"You discard .*[♠♥♦♣]")).first.click()
        expect(page.get_by_role("dialog").locator(".slots")).to_be_visible()
        expect(photo).to_have_count(1)
        expect(photo).to_be_visible(visible=real)
        page.keyboard.press("Escape")
        phone.tap("page.more")
        pack = page.get_by_role("dialog").get_by_role("button", name=phone.say("page.teach"))
        expect(pack).to_have_count(int(real))
        page.keyboard.press("Escape")
        if not real:
            with daemon.client as client:
                client.post("/player", json={"seat": 0, "level": 1, "deals": False})


def test_it_says_which_game_it_deals(daemon: Daemon, visit: Visit) -> None:
    """The board says that it deals only cribbage if another game was chosen."""
    page = visit(daemon.url, 390, 844)
    dialog = page.get_by_role("dialog")
    others = {
        "klaberjass": "Klaberjass: With real cards",
        "six-pack-bezique": "The board does not play Six-pack Bezique.",
    }
    for game, said in others.items():
        daemon.say(f"game {game}", "seat 1 Ann", "seat 2 Bob")
        page.get_by_role("button", name="Play against the board").click()
        expect(dialog).to_contain_text("Cribbage: you are Ann.")
        expect(dialog).to_contain_text(said)
        page.keyboard.press("Escape")


LARGE = """() => {
  const room = document.getElementById('due');
  const view = room.getBoundingClientRect();
  const first = room.querySelector('.act.first');
  const box = first?.getBoundingClientRect();
  const parts = [...room.querySelectorAll(':scope > :not(.unseen)')];
  const high = parts.reduce((sum, part) => sum + part.offsetHeight, 0);
  const away = first && high < view.height / 2 && (box.top < view.top || box.bottom > view.bottom);
  const outside = [...room.querySelectorAll('.hand-row .target')].filter((card) => {
    const edge = card.getBoundingClientRect();
    return [...card.children].some((part) => {
      const { left, right, top, bottom } = part.getBoundingClientRect();
      return left < edge.left || right > edge.right || top < edge.top || bottom > edge.bottom;
    });
  });
  const wide = (card) => card.scrollWidth > card.clientWidth;
  outside.push(...[...room.querySelectorAll('.hand-row .card')].filter(wide));
  return [...(away ? [first] : []), ...outside].map((made) => made.textContent);
}"""
"""Buttons that are out of sight although there is room, and cards that are smaller than their
text."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (1280, 900)])
def test_a_deal_in_text_twice_as_large(daemon: Daemon, visit: Visit, size: tuple[int, int]) -> None:
    page = visit(daemon.url, *size, reduced_motion="reduce")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    phone = Phone(page)
    phone.tap("page.against")
    page.locator("dialog[open] .act.first").click()
    look_on_once(page)
    phases: set[str] = set()
    while not {"play", "show", "deal"} <= phases:
        settle(page, daemon, looks=False)
        assert page.evaluate(LARGE) == [], phases
        hand, number = phone.hand, daemon.state()["number"]
        phases.add(daemon.state()["phase"])
        act(phone, hand)
        moved(page, daemon, number)
