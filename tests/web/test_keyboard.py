"""An evening by keyboard alone. The focus is never lost and always visible, whatever the device's
settings for text, colours and motion."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit

SEEN = """() => {
  const active = document.activeElement;
  const unseen = active.matches('.unseen');  // a heading for screen readers: its panel is marked
  const style = getComputedStyle(unseen ? active.parentElement : active);
  const ring = style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) >= 2;
  return [active !== document.body, active.matches(':focus-visible') && ring, active.outerHTML];
}"""
MOVING = "document.getAnimations().filter(({playState}) => playState === 'running').length"


class Keyboard:
    """A page used by keyboard. After every press the focus exists and is visible.

    Args:
        still: whether nothing may move.
        forced: whether the device chooses the colours.
    """

    def __init__(self, page: Page, still: bool = False, forced: bool = False) -> None:
        self.page, self.still, self.forced = page, still, forced

    def to(self, chosen: str) -> None:
        """Tab to an element."""
        expect(self.page.locator(chosen).first).to_be_visible()
        for _ in range(120):
            if self.page.evaluate("chosen => document.activeElement.matches(chosen)", chosen):
                self.seen()
                return
            self.page.keyboard.press("Tab")
        raise AssertionError(f"Tab never comes to {chosen}")

    def press(self, key: str = "Enter", line: bool = True) -> None:
        """Press a key that enters a line, or only changes the view."""
        number = self.page.locator("body").get_attribute("data-number")
        self.page.keyboard.press(key)
        if line:
            expect(self.page.locator("body")).not_to_have_attribute("data-number", str(number))
            expect(self.page.locator("dialog[open]")).to_have_count(0)
            self.seen()

    def on(self, chosen: str, key: str = "Enter", line: bool = True) -> None:
        """Go to an element and press it."""
        self.to(chosen)
        self.press(key, line)

    def seen(self) -> None:
        expect(self.page.locator(":focus")).to_have_count(1)
        there, ringed, what = self.page.evaluate(SEEN)
        assert there
        assert ringed, f"nobody sees that this has the focus: {what}"
        assert not self.still or self.page.evaluate(MOVING) == 0

    def cards(self, chosen: str, typed: str) -> None:
        """Open a picker, type ranks and peg them."""
        self.on(chosen, line=False)
        expect(self.page.get_by_role("dialog")).to_be_visible()
        self.page.keyboard.type(typed)
        taken = self.page.locator(f"dialog .target[data-card='{typed[-1]}']")
        expect(taken).to_have_attribute("aria-pressed", "true")
        marked = "node => getComputedStyle(node).outlineStyle === 'solid'"
        assert not self.forced or taken.evaluate(marked), "colours alone do not show it"
        expect(self.page.locator("dialog [data-focus=peg]")).to_be_visible()
        self.press()

    def sit_down(self, game: str) -> None:
        """Begin a game, chosen by the arrow keys."""
        self.on("#table", line=False)
        self.to("dialog [data-focus=game]")
        games = self.page.locator("dialog [data-focus=game]")
        for _ in range(20):
            if games.input_value() == game:
                break
            self.page.keyboard.press("ArrowDown")
        expect(games).to_have_value(game)
        self.seen()
        self.on("[data-focus=start]")

    def enter(self, telling: str) -> None:
        """Choose the level of entry."""
        self.on("#table", line=False)
        chosen = f"[data-focus=telling{telling}]"
        self.on(chosen, "Space", line=False)
        expect(self.page.locator(chosen)).to_have_attribute("aria-pressed", "true")
        self.seen()
        self.page.keyboard.press("Escape")
        expect(self.page.locator("dialog[open]")).to_have_count(0)
        self.seen()


@pytest.mark.slow
def test_a_game_is_begun_counted_won_and_followed_by_the_next(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url)
    keys = Keyboard(page)
    keys.sit_down("five-card-cribbage")
    keys.on("[data-focus='dealer 1']")
    keys.on("#due [data-focus=firstdeal]")
    keys.on("#due .target[data-card='5']", "Space")
    daemon.say("2 adjust +50")
    keys.cards("#due [data-focus=firstshow]", "455")
    expect(page.locator("#news")).to_have_attribute("data-kind", "moment")
    keys.on("#due [data-focus=firstgame]")
    keys.on("[data-focus=undo]")
    keys.on("[data-focus=undo]")
    expect(page.locator("#due [data-focus=firstshow]")).to_be_visible()
    keys.on("[data-focus=redo]")
    expect(page.locator("#due [data-focus=firstgame]")).to_be_visible()
    keys.seen()


ENOUGH: dict[str, dict[str, Any]] = {
    "plain": {},
    "200 % on a phone": {"width": 390, "height": 844},
    "forced colours, no motion": {"forced_colors": "active", "reduced_motion": "reduce"},
    "dark, no motion": {"color_scheme": "dark", "reduced_motion": "reduce"},
}


@pytest.mark.slow
@sweep("wishes", list(ENOUGH), ordinary=[])
def test_an_evening_of_every_card(daemon: Daemon, visit: Visit, wishes: str) -> None:
    options = ENOUGH[wishes]
    page = visit(daemon.url, **options)
    if wishes.startswith("200"):
        page.evaluate("document.documentElement.style.fontSize = '200%'")
    keys = Keyboard(page, "reduced_motion" in options, "forced_colors" in options)
    keys.enter("cards")
    keys.on("[data-focus='dealer 1']")
    for _ in range(2):
        keys.on("#due [data-focus=firstdeal]")
        for seat in "12":
            keys.on("#more", line=False)
            keys.cards(f"dialog [data-focus=discard{seat}]", "23")
        keys.on("#due .target[data-card='5']")
        played = 0
        while (asked := daemon.state()["asks"][0])["code"] in ("play", "go"):
            hand = "46JQ" if asked["seat"] == 1 else "78TK"
            if asked["code"] == "go":
                keys.on("#due [data-focus=firstgo]")
                continue
            ranks = [card[0] for card in asked["cards"]]
            card = next((rank for rank in hand if rank in ranks), ranks[-1])
            keys.on(f"#due .target[data-card='{card}']")
            played += 1
            if played == 3:
                keys.on("[data-focus=undo]")
                keys.on("[data-focus=redo]")
        while daemon.state()["asks"][0]["code"] in ("show", "crib"):
            count(keys)
    daemon.say("2 resign")
    expect(page.locator("#news")).to_have_attribute("data-kind", "moment")
    keys.on("#due [data-focus=firstgame]")
    keys.on("[data-focus=undo]")
    keys.seen()


def count(keys: Keyboard) -> None:
    """Count the expected hand; the page may first ask for its suits."""
    number = keys.page.locator("body").get_attribute("data-number")
    keys.on("#due .act.first", line=False)
    done = f"body:not([data-number='{number}']), dialog[open] [data-focus=peg]"
    expect(keys.page.locator(done).first).to_be_visible()
    if keys.page.locator("body").get_attribute("data-number") == number:
        keys.on("dialog [data-focus=peg]")
    keys.seen()
