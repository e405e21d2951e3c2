"""Evenings of two, three and four players, against the board at two levels, and with real cards
against it, by visible targets alone. Games between two houses are in `test_far_page`, whole games
against the board in `test_against_the_board`."""

from __future__ import annotations

import re
from typing import Final

import pytest
from playwright.sync_api import Locator, expect

from tests.web.conftest import Daemon, Visit, until
from tests.web.test_against_the_board import Phone, begin
from tests.web.test_shown_hands import play_to_the_count

pytestmark = pytest.mark.slow
UPRIGHT: Final = (390, 844)
LANDSCAPE: Final = (844, 390)
NAMES: Final = ("Zoë", "Bo", "Cleo", "Dan")


class Family(Phone):
    """People who read one page and tap what it shows."""

    @property
    def sheet(self) -> Locator:
        return self.page.locator("dialog[open]")

    def see(self, daemon: Daemon) -> None:
        """Wait until the page shows the newest line."""
        self.page.wait_for_selector(f"body[data-number='{daemon.state()['number']}']")

    def button(self, code: str, within: Locator | None = None, **fields: object) -> Locator:
        place = self.page if within is None else within
        return place.get_by_role("button", name=self.say(code, **fields), exact=True)

    def scores(self, *scores: int) -> None:
        """Wait until the page shows these scores."""
        expect(self.page.locator("#sides .score")).to_have_text([str(score) for score in scores])

    def sit_down(self, players: int, **rules: str) -> None:
        """Name the players on the table's sheet, and choose rules."""
        self.page.locator("#table").click()
        self.button("page.so-many", self.sheet, count=players).click()
        for number, name in enumerate(NAMES[:players], 1):
            label = self.say("page.seat-number", number=number)
            self.sheet.get_by_label(label, exact=True).fill(name)
        if rules:
            self.sheet.locator("summary").filter(has_text=self.say("page.rules-usual")).click()
        for rule, value in rules.items():
            field = self.sheet.locator(f"[data-option={rule}]")
            if field.evaluate("field => field.localName") == "select":
                field.select_option(value)
            else:
                field.fill(value)
        self.sheet.locator("form .act.first").click()
        expect(self.sheet).to_have_count(0)

    def deal(self, daemon: Daemon, dealer: str = "") -> None:
        """Answer who deals, if that is asked, and deal."""
        due = self.page.locator("#due")
        if dealer:
            due.get_by_role("button", name=dealer, exact=True).click()
            until(lambda: daemon.state()["dealer"], self.page)
            self.see(daemon)
        due.locator(".act.first").click()
        until(lambda: daemon.state()["phase"] != "deal", self.page)
        self.see(daemon)

    def peg(self, side: str, points: int) -> None:
        self.button("page.points-for", name=side).click()
        self.sheet.get_by_role("button", name=str(points), exact=True).click()
        expect(self.sheet).to_have_count(0)

    def trouble(self, code: str, **fields: object) -> None:
        """Tap one of the buttons for trouble, and confirm."""
        self.page.locator("#more").click()
        self.button(code, self.sheet, **fields).click()
        self.button(code, self.sheet, **fields).click()
        expect(self.sheet).to_have_count(0)


def family(daemon: Daemon, visit: Visit, language: str, size: tuple[int, int]) -> Family:
    page = visit(f"{daemon.url}/?lang={language}", *size, reduced_motion="reduce")
    return Family(page, language)


@pytest.mark.parametrize(("language", "size"), [("en", UPRIGHT), ("ja", LANDSCAPE)])
def test_an_evening_of_two(
    daemon: Daemon, visit: Visit, language: str, size: tuple[int, int]
) -> None:
    """A misdeal, a correction, missed points, and a game that is given up."""
    us = family(daemon, visit, language, size)
    page = us.page
    us.sit_down(2, muggins="underclaim")
    us.deal(daemon, "Bo")
    us.peg("Zoë", 2)
    us.scores(2, 0)
    us.trouble("page.misdeal")
    us.scores(0, 0)
    us.deal(daemon)
    us.peg("Bo", 5)
    us.scores(0, 5)
    page.locator(".move:visible", has_text="Bo").filter(has_text="5").first.click()
    us.sheet.get_by_role("button", name="6", exact=True).click()
    us.scores(0, 6)
    us.button("page.undo").click()
    us.scores(0, 5)
    us.button("page.redo").click()
    us.scores(0, 6)
    page.locator("#due .target[data-card='5']").click()
    until(lambda: daemon.state()["starter"], page)
    us.see(daemon)
    count(us, daemon, ("4S", "4H", "5S", "6D"), 8)
    us.scores(8, 6)
    page.locator("#due").get_by_role("button", name=re.compile("Bo.*(muggins|マギン)")).click()
    us.scores(8, 22)
    us.trouble("page.gives-up", name="Zoë")
    expect(page.locator(".side2.winner")).to_be_visible()
    us.tap("do.game")
    us.scores(0, 0)


def count(us: Family, daemon: Daemon, cards: tuple[str, ...], claimed: int) -> None:
    """Enter a hand, and claim some of its points."""
    number = daemon.state()["number"]
    us.page.locator("#due .act.first").first.click()
    with_suits = us.sheet.get_by_role("button", name=us.say("page.by-card"), exact=True)
    with_suits.click()
    for card in cards:
        us.sheet.locator(f".target[data-card='{card}']").click()
    us.sheet.locator(".claim").get_by_role("button", name=str(claimed), exact=True).click()
    expect(us.sheet).to_have_count(0)
    until(lambda: daemon.state()["number"] > number, us.page)
    us.see(daemon)


@pytest.mark.parametrize(
    ("players", "language", "size"),
    [(3, "ja", UPRIGHT), (3, "en", LANDSCAPE), (4, "en", UPRIGHT), (4, "ja", LANDSCAPE)],
)
def test_an_evening_of_three_and_of_four(
    daemon: Daemon, visit: Visit, players: int, language: str, size: tuple[int, int]
) -> None:
    """Points decide a short game, and a second one begins."""
    us = family(daemon, visit, language, size)
    us.sit_down(players, target="31")
    us.deal(daemon, "Cleo")
    sides = list(NAMES[:3]) if players == 3 else ["Zoë & Cleo", "Bo & Dan"]
    scores = [0] * len(sides)
    for side, points in ((0, 12), (1, 7), (0, 8), (1, 24)):
        us.peg(sides[side], points)
        scores[side] += points
        us.scores(*scores)
    expect(us.page.locator(".side2.winner")).to_be_visible()
    us.tap("do.game")
    us.scores(*[0] * len(sides))
    us.deal(daemon, "Bo")
    us.peg(sides[0], 3)
    us.scores(3, *[0] * (len(sides) - 1))


def next_deal(us: Family, daemon: Daemon) -> None:
    """Tap on, past the counted hands, until the next deal has begun."""
    go_on = us.page.locator("#due .act.first:enabled")

    def begun() -> bool:
        return daemon.state()["phase"] in ("discard", "play")

    while not begun():
        until(lambda: begun() or go_on.count(), us.page)
        if not begun():
            go_on.first.click()
            expect(us.page.locator("#due .sent")).to_have_count(0)


@pytest.mark.parametrize(("language", "size"), [("en", LANDSCAPE), ("ja", UPRIGHT)])
def test_an_evening_against_the_board_at_two_levels(
    daemon: Daemon, visit: Visit, language: str, size: tuple[int, int]
) -> None:
    """A deal against a child's level, the next one against a strong board, then the game is given
    up."""
    us = family(daemon, visit, language, size)
    begin(us, 0)
    play_to_the_count(us, daemon)
    us.page.locator("[data-focus=level]").click()
    us.button("page.level-4", us.sheet).click()
    expect(us.page.locator("[data-focus=level]")).to_contain_text(us.say("page.level-4"))
    next_deal(us, daemon)
    play_to_the_count(us, daemon)
    us.page.locator("#more").click()
    us.sheet.locator("[data-focus=resign1]").click()
    us.sheet.locator("[data-focus=yes]").click()
    expect(us.page.locator(".side2.winner")).to_be_visible()


HANDS: Final = {1: ("4S", "5H", "6S", "7D", "KC", "QC"), 2: ("2H", "3S", "8D", "9C", "TD", "JH")}
"""The hands of the person and of the board."""
LOOK: Final = """() => {
  const due = document.getElementById('due');
  const seen = (all) => [...due.querySelectorAll(all)].filter((one) => one.checkVisibility());
  const cards = (all) => seen(`${all} .target:enabled`).map((one) => one.dataset.card);
  return {
    hand: cards('.hand-row'),
    pack: cards('.row:not(.hand-row)'),
    acts: [...seen('.act.first:enabled'), ...seen('.asks:not(.welcome) .act:enabled')]
      .map((one) => one.dataset.focus),
  };
}"""
"""The targets that can be tapped, all at one moment."""


@pytest.mark.parametrize(("language", "size"), [("en", UPRIGHT), ("ja", LANDSCAPE)])
def test_an_evening_with_real_cards_against_the_board(
    daemon: Daemon, visit: Visit, language: str, size: tuple[int, int]
) -> None:
    """Two deals. One person enters both hands, and plays; the board says where its cards are."""
    us = family(daemon, visit, language, size)
    page = us.page
    us.tap("page.against")
    us.sheet.locator("[data-focus=real]").click()
    us.sheet.locator("[data-focus=player-level]").select_option("1")
    us.button("page.player-start", us.sheet).click()
    expect(us.sheet).to_have_count(0)
    page.locator("#due").get_by_role("button", name="Ann", exact=True).click()
    until(lambda: daemon.state()["dealer"] == 1, page)
    dealers, told = set[int](), set[str]()
    while True:
        us.see(daemon)
        state = daemon.state()
        if state["phase"] == "deal" and dealers == {1, 2}:
            break
        if state["phase"] == "play":
            dealers.add(state["dealer"])
        told |= set(page.locator("#player .said").all_inner_texts())
        answer(us, daemon, state["number"])
    assert min(side["score"] for side in state["sides"]) > 0
    laid = us.say("player.lay-two", first="#", last="#").rpartition("#")[2]
    assert any(laid in one for one in told), told


def answer(us: Family, daemon: Daemon, number: int) -> None:
    """Answer one question; none if the board thinks."""
    page = us.page
    seen = page.evaluate(LOOK)
    if len(seen["hand"]) == 6:
        taps = [f".hand-row [data-card='{card}']" for card in seen["hand"][:2]]
        taps.append("[data-focus=these]")
    elif seen["hand"]:
        taps = [f".hand-row [data-card='{seen['hand'][0]}']"]
    elif hands := [act for act in seen["acts"] if act.startswith("firsthand")]:
        taps = [f"[data-focus={hands[0]}]"]
    elif seen["pack"]:
        taps = [".row .target"]
    elif seen["acts"]:
        taps = [f"[data-focus='{seen['acts'][0]}']"]
    else:
        return
    for one in taps:
        page.locator(f"#due {one}").first.click()
    if seen["acts"][:1] == ["go-on"]:  # past the counted hands
        expect(page.locator("#due [data-focus=go-on]")).to_have_count(0)
        return
    until(lambda: daemon.state()["number"] > number or us.sheet.count(), page)
    if us.sheet.count():
        title = us.sheet.locator("h2").inner_text()
        for card in HANDS[2 if "Bob" in title else 1] if us.sheet.locator(".pack").count() else ():
            us.sheet.locator(f".target[data-card='{card}']").click()
        us.sheet.locator("[data-focus=peg]").click()
        expect(us.sheet).to_have_count(0)
