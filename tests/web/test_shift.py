"""Tap targets do not move unexpectedly: the browser itself counts layout shifts
(w3c.github.io/layout-instability) while whole games are played on another phone."""

from __future__ import annotations

import json
import random
import re
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit
from tests.web.test_choices import seat
from tests.web.walks import FORMS

VECTORS: Final = Path(__file__).parents[1] / "vectors"
WATCH: Final = """() => {
  window.shifts = [];
  const all = '#bar .act, #table, nav a, #sides .act, #board';
  const places = () => new Map([...document.querySelectorAll(all)].map((made, n) => {
    const { left, top } = made.getBoundingClientRect();
    return [`${n} ${made.dataset.focus ?? made.id}`, [left, top]];
  }));
  let before = places();
  new PerformanceObserver(() => {
    const now = places();
    for (const [name, [left, top]] of now) {
      const [x, y] = before.get(name) ?? [left, top];
      if (Math.abs(left - x) > 1 || Math.abs(top - y) > 1) {
        window.shifts.push(`${name}: ${left - x}, ${top - y} px`);
      }
    }
    before = now;
  }).observe({ type: 'layout-shift' });
}"""
"""The tap targets that have moved when the browser counts a shift."""
SIZES: Final = {
    "phone": (390, 844),
    "landscape": (844, 390),
    "tablet": (820, 1180),
    "desktop": (1280, 900),
}


def lines(file: str) -> list[str]:
    row: dict[str, Any] = json.loads(
        (VECTORS / f"records-{file}.jsonl").read_text("utf-8").splitlines()[0]
    )
    return list(row["record"].splitlines())


def test_a_shift_is_counted(daemon: Daemon, visit: Visit) -> None:
    """If something is inserted above the buttons of the bar, they move, and the test notices."""
    page = visit(daemon.url, 390, 844)
    page.evaluate(WATCH)
    page.evaluate("document.querySelector('#bar').style.marginBottom = '80px'")
    counted = page.evaluate(
        """() => new Promise((done) => {
             let frames = 0;
             const look = () => (window.shifts.length > 0 || (frames += 1) > 300
               ? done(window.shifts.length) : requestAnimationFrame(look));
             look();
           })"""
    )
    assert counted > 0


ORDINARY: Final = [("cribbage-2", "hands"), ("klaberjass", "cards")]
FILES: Final = ("cribbage-2", "cribbage-3", "cribbage-4", "klaberjass", "pinochle-3-4", "noddy")


@pytest.mark.slow
@sweep("file, telling", list(product(FILES, ("points", "hands", "cards"))), ordinary=ORDINARY)
def test_nothing_that_is_tapped_moves_while_others_play(
    daemon: Daemon, visit: Visit, file: str, telling: str
) -> None:
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": telling})
    record = lines(file)
    dealt = record.index("deal") + 1
    begin, play = record[:dealt], record[dealt:]
    number = daemon.say("session shift", *begin)["number"]
    pages = []
    for width, height in SIZES.values():
        page = visit(daemon.url, width, height)
        page.wait_for_selector(f"body[data-number='{number}']")
        page.evaluate(WATCH)
        pages.append(page)
    for line in play[:60]:
        number = daemon.say(line)["number"]
        for page in pages:
            page.wait_for_selector(f"body[data-number='{number}']")
    for page, size in zip(pages, SIZES, strict=True):
        assert page.evaluate("window.shifts") == [], size


@pytest.mark.parametrize(("width", "height"), SIZES.values())
def test_the_keys_of_a_sheet_stay_while_its_points_appear(
    daemon: Daemon, visit: Visit, width: int, height: int
) -> None:
    """A hand's points appear above the keys that enter it; on a phone the keys are at the
    bottom."""
    daemon.say("dealer 1", "deal", "starter 5D")
    page = visit(daemon.url, width, height)
    page.get_by_role("button", name="Enter the cards").click()
    sheet = page.get_by_role("dialog")
    king = sheet.get_by_role("button", name="king", exact=True)
    before = king.bounding_box()
    assert before
    for rank in ("four", "five", "six", "king"):
        sheet.get_by_role("button", name=rank, exact=True).click()
    sheet.get_by_role("button", name="Peg").wait_for()
    assert king.bounding_box() == before
    if width < 500:
        assert before["y"] + before["height"] > height - 80


PASS: Final = """() => {
  const buttons = [...document.querySelectorAll('button')];
  const passes = buttons.filter((one) => one.textContent === 'Pass');
  return passes.map((one) => one.getBoundingClientRect().toJSON());
}"""


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("game", ["belote", "klaberjass"])
def test_pass_stays_while_the_bids_change(
    daemon: Daemon, visit: Visit, game: str, size: str
) -> None:
    """The players bid any suit, then take the turned one or not, then name another suit. Whatever
    is offered, "Pass" stays in place."""
    number = daemon.say(f"game {game}", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")["number"]
    page = visit(daemon.url, *SIZES[size])
    page.evaluate("document.fonts.ready")
    places = []
    for line in ("turnup 9H", "2 bid pass", "1 bid pass", "2 bid pass"):
        page.wait_for_selector(f"body[data-number='{number}']")
        expect(page.get_by_role("button", name="Pass", exact=True)).to_be_visible()
        places.append(page.evaluate(PASS))
        number = daemon.say(line)["number"]
    assert len(places[0]) == 1
    assert places == [places[0]] * 4


COUNT_ANSWERS: Final = """
  window.waiting = 0;
  const ask = window.fetch;
  window.fetch = async (...said) => {
    window.waiting += 1;
    try {
      const answer = await ask(...said);
      await answer.clone().arrayBuffer();
      return answer;
    } finally {
      requestAnimationFrame(() => requestAnimationFrame(() => { window.waiting -= 1; }));
    }
  };
"""
"""The number of the page's requests whose answers have not been drawn yet."""
PLACES: Final = """() => {
  const inside = document.querySelector('dialog:modal') ?? document;
  const may = 'button:enabled, a[href], summary, input, select, [data-cap]';
  const seen = (made) => {
    const { left, top, width, height } = made.getBoundingClientRect();
    const met = document.elementFromPoint(left + width / 2, top + height / 2);
    return made.contains(met) && !made.closest('.moves') && !made.closest('[inert]');
  };
  const found = new Map();
  for (const made of [...inside.querySelectorAll(may)].filter(seen)) {
    const beside = made.closest('.else, .below, .hint-room');
    const asked = beside && inside.querySelector('#due h2').textContent;
    const room = asked || (made.closest('[id]:not(button, a, input)')?.id ?? 'sheet');
    const { left, top, width, height } = made.getBoundingClientRect();
    const says = made.getAttribute('aria-label') || made.textContent || made.id || made.dataset.cap;
    const name = `${room}: ${says}`;
    found.set(name, found.has(name) ? null : [left, top, width, height]);
  }
  return Object.fromEntries([...found].filter(([, place]) => place));
}"""
"""The visible tap targets by their part of the page and their unique text: `[left, top, width,
height]` in px. A hint, and other possible entries, belong to their question. Rows of the move list
are left out, because the list is a log with the newest row first."""
ROUNDED: Final = 0.5
"""The px by which the browser may round one place differently, because it scrolls by whole px."""


def moved(before: dict[str, list[float]], after: dict[str, list[float]]) -> dict[str, list[float]]:
    """Return by how much each remaining target has moved or grown: `[left, top, width, height]` in
    px."""
    found = {
        name: [round(new - old, 2) for old, new in zip(place, after[name], strict=True)]
        for name, place in before.items()
        if name in after
    }
    return {name: by for name, by in found.items() if max(map(abs, by)) > ROUNDED}


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("known", ["nothing", "ranks"])
def test_a_sheet_stays_while_suits_are_chosen_in_it(
    daemon: Daemon, visit: Visit, known: str, size: str
) -> None:
    """The points that a suit adds make the list longer. The suit buttons, the button that pegs the
    hand and the way out stay in place, even if only the suits are asked."""
    telling = "cards" if known == "ranks" else "hands"
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": telling})
    played = zip("JQ65" if known == "ranks" else "", "T49K", strict=False)
    plays = [line for bob, ann in played for line in (f"2 play {bob}", f"1 play {ann}")]
    daemon.say("game cribbage", "dealer 1", "deal", "starter 8D", *plays)
    page = visit(daemon.url, *SIZES[size], reduced_motion="reduce")
    page.locator("#due .first").click()
    sheet = page.get_by_role("dialog")
    if known == "nothing":
        page.keyboard.type("JQ65")
    chips = sheet.locator(".chips .act")
    expect(chips.first).to_be_visible()
    many = chips.count()
    assert many > 1
    before = page.evaluate(PLACES)
    for number in (*range(many), *range(many)):
        chips.nth(number).click()
        assert moved(before, page.evaluate(PLACES)) == {}


class Walker:
    """Taps expected entries on a page at random, and compares the places before and after."""

    DUE: Final = (
        "#due :is(.target, .choice, .act):enabled"
        ":not([data-focus=tonight], [data-focus=against], [data-focus=left], [data-focus=other])"
    )
    """All targets except those that leave the deal."""
    POINTS: Final = "body:has(#due > .hint) #sides .act:not([hidden])"
    """A table that can only enter points, as after claims that no cards can satisfy."""
    SHEET: Final = (
        "[data-focus=peg]:enabled",
        ".target[aria-pressed=false]:enabled",
        ".numbers .act:enabled",
        ".choice:enabled",
        ".inside > .asks .act:enabled",
    )
    """The tap target in a sheet: the first of these that exists."""

    def __init__(self, daemon: Daemon, page: Page, seed: str, own: bool = False) -> None:
        self.daemon, self.page, self.own = daemon, page, own
        self.chance = random.Random(seed)
        self.taps = 0
        self.shifts: list[str] = []

    def settle(self) -> dict[str, Any]:
        """Wait until the page shows the newest line, has all its answers, and waits for a
        person."""
        waits = f"""(number) => document.body.dataset.number === number && window.waiting === 0
          && document.querySelector(`{self.DUE}, {self.POINTS}, dialog:modal`)"""
        for _ in range(2000):
            state = self.daemon.state()
            if self.page.evaluate(waits, str(state["number"])):
                return state
            self.page.wait_for_timeout(10)
        raise AssertionError(self.page.locator("#due").inner_text())

    def tap(self, chosen: str) -> None:
        """Tap one of the targets that a selector finds; the remaining targets must stay in
        place."""
        many = self.page.locator(chosen)
        made = many.nth(self.chance.randrange(many.count()))
        made.scroll_into_view_if_needed()
        name = made.get_attribute("data-focus") or made.inner_text()
        sheets = self.page.locator("dialog:modal").count()
        before = self.page.evaluate(PLACES)
        made.click()
        self.taps += 1
        self.settle()
        if self.page.locator("dialog:modal").count() == sheets:
            for what, by in moved(before, self.page.evaluate(PLACES)).items():
                self.shifts.append(f"{self.taps} {name}: {what} by {by}")

    def step(self, state: dict[str, Any]) -> None:
        """Tap an expected entry, or answer its sheet. On a player's own phone only one hand is
        played, because the other player uses another phone."""
        sheet = self.page.locator("dialog:modal")
        if not sheet.count():
            hand = "#due [data-focus=firsthand]:enabled"
            others = f"{self.DUE}:not([data-focus=firsthand])"
            entered = self.own and any(move["verb"] == "hand" for move in state["moves"])
            ways = (others, hand) if entered else (hand, others)
            self.tap(next(one for one in (*ways, self.POINTS) if self.page.locator(one).count()))
            return
        for chosen in self.SHEET:
            if sheet.locator(chosen).count():
                self.tap(f"dialog:modal {chosen}")
                return
        self.page.keyboard.press("Escape")

    def walk(self, deals: int, taps: int) -> None:
        """Play until this many deals are over, or this many taps were made."""
        begun = set()
        while self.taps < taps:
            state = self.settle()
            begun |= {move["place"] for move in state["moves"] if move["verb"] == "deal"}
            if state["over"] or len(begun) > deals:
                return
            self.step(state)


TABLES: Final = [
    "against the board at cribbage for 2 by cards",
    *(f"on the table at {game} for {seats} by cards" for game, seats in FORMS),
    *(f"on the table at cribbage for {seats} by hands" for seats in (2, 3, 4)),
    "on the table at klaberjass for 2 by points",
    *(f"on one's own at {game} for 2 by cards" for game in ("bezique", "belote", "cribbage")),
    "on one's own at klaberjass for 2 by cards",
]
"""Whether the game is against the board, on a phone on the table, or on a player's own; the game,
its players, and the level of entry."""


@pytest.mark.slow
@sweep(
    "table, size",
    list(product(TABLES, SIZES)),
    ordinary=[(TABLES[0], "phone"), (TABLES[0], "landscape")],
)
def test_nothing_that_is_tapped_moves_by_a_tap(
    daemon: Daemon, visit: Visit, table: str, size: str
) -> None:
    """Play whole deals by taps: every target that remains after a tap keeps its place, to the
    pixel."""
    how, game, number, telling = re.split(" at | for | by ", table)
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": telling})
    page = visit.blank(*SIZES[size], reduced_motion="reduce")
    page.add_init_script(COUNT_ANSWERS)
    if how == "on one's own":
        page.add_init_script("localStorage.setItem('boardctl.seat', '1')")
    if how != "against the board":
        seat(daemon, game, int(number))
    page.goto(daemon.url)
    walker = Walker(daemon, page, table, how == "on one's own")
    walker.settle()
    if how == "against the board":
        page.locator("#due [data-focus=against]").click()
        page.locator("[data-focus=level1]").click()
        page.locator("#due.counts [data-focus=go-on]").click()
        page.wait_for_selector("#due .hand-row")
    walker.walk(1, 150)
    assert walker.taps > 12
    assert walker.shifts == [], "\n".join(walker.shifts)
