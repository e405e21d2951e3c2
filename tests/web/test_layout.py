"""The page's layout by geometry. The expected entries are visible and reachable, for every
question, with any words and text size. Elements that are tapped repeatedly keep their places."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit, start
from tests.web.test_accessibility import complaints
from tests.web.test_choices import seat
from tests.web.test_setup import FILE
from tests.web.walks import FORMS, GUESTS, MEASURE, TARGETS, shape, walk

SIZES: Final = {
    "phone": (390, 844),
    "small phone": (360, 640),
    "landscape": (844, 390),
    "tablet": (820, 1180),
    "laptop": (1280, 800),
    "desktop": (1280, 900),
    "large": (1440, 1000),
}
VECTORS: Final = Path(__file__).parents[1] / "vectors"
SHEETS: Final = {
    "#table": "dialog[open] button",
    "#more": "dialog[open] button",
    ".move": "dialog[open] button",
    "#keys": "#keypad button",
}
"""The tapped elements of the board's page, and the dialogs that they open."""
PAGES: Final = {
    "history.html?": ("[data-game]", ".chart"),
    "lesson.html?lesson=cribbage": ("button", ""),
    "drill.html?": ("[data-focus=crib]", "#drill .hand-row .target"),
    "position.html?": ("button", ""),
    "duplicate.html?": ("[data-focus=begin]", ""),
}
"""The other pages: their elements once they are drawn, and the dialogs that a tap opens."""
BUTTONS: Final = 8
"""The maximum number of buttons, and one more if a go can stand for everybody's."""
ROOMY: Final = ("phone", "tablet", "laptop", "desktop", "large")
"""The sizes at which all expected entries are visible at once, without scrolling inside the
panel."""
LONG: Final = (
    "Wilhelmina-Alexandra Featherstonehaugh",
    "Bartholomew Montgomery-Cholmondeley",
    "Llanfairpwllgwyngyllgogerychwyrndrobwll",
    "Ng",
)
JAPANESE: Final = ("小野寺　花子", "勅使河原　健太郎", "長谷川　さくら", "佐々木　翔")


def walks(
    guests: tuple[str, ...] = GUESTS, language: str = "en", own: int | None = None
) -> list[dict[str, Any]]:
    """Return states of all games, one of each shape."""
    found: dict[object, dict[str, Any]] = {}
    for game, seats in FORMS:
        chance = random.Random(f"{game} {seats}")
        for shown in walk(game, 24, seats, chance, guests, language, own):
            found.setdefault(shape(shown), shown)
    return list(found.values())


@pytest.fixture(scope="module")
def states() -> list[dict[str, Any]]:
    return walks()


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """One board for all tests, because the pages only draw and play nothing."""
    running = start(tmp_path_factory.mktemp("layout"))
    yield running
    assert running.end() == ""


def measured(page: Page, states: list[dict[str, Any]]) -> list[tuple[dict[str, Any], Any]]:
    """Yield each state with its measurements."""
    return list(zip(states, page.evaluate(MEASURE, states), strict=True))


def found_by(shown: dict[str, Any]) -> tuple[object, ...]:
    """Return the description that identifies a state."""
    asked = [ask["text"] for ask in shown["asks"] if ask["due"]][:4]
    return shown["game"], shown["seats"], shown["telling"], asked


def goes(shown: dict[str, Any]) -> bool:
    """Return whether somebody's go can stand for everybody's."""
    return any(ask["code"] == "all-go" for ask in shown["asks"])


def check_in_reach(where: Any, measure: dict[str, Any]) -> None:
    """Check the rules for every size: the panel is visible, everything in it is reachable, it has
    at most one primary button, and the page does not scroll."""
    assert measure["due"] <= 0.5, where
    assert measure["unreached"] == [], where
    assert max(measure["scrolls"]) <= 0, where
    assert measure["height"] >= 88, where
    assert measure["first"] <= 1, where


@pytest.mark.slow
@pytest.mark.parametrize("size", SIZES)
def test_eight_buttons_in_sight(
    board: Daemon, visit: Visit, states: list[dict[str, Any]], size: str
) -> None:
    """In every state of every game, everything is visible at once if there is room, with at most
    eight buttons. Undo, keypad, "More", the table and everybody's points stay in place in all
    states of a game with the same players."""
    page = visit(board.url, *SIZES[size], reduced_motion="reduce")
    places: dict[object, dict[str, object]] = {}
    for shown, measure in measured(page, states):
        check_in_reach(found_by(shown), measure)
        assert measure["buttons"] <= BUTTONS + goes(shown), found_by(shown)
        assert measure["small"] == [], found_by(shown)
        if size in ROOMY or (size == "landscape" and measure["cards"]):
            assert measure["hidden"] == [], found_by(shown)
        kept = places.setdefault((shown["game"], len(shown["seats"])), {})
        for name, box in measure["stays"].items():
            assert kept.setdefault(name, box) == box, (name, found_by(shown))


@pytest.mark.slow
@sweep("size", ["phone", "landscape"], ordinary=["phone"])
@pytest.mark.parametrize("text", ["long names", "Japanese", "200 %", "own phone"])
def test_in_any_words(
    board: Daemon, visit: Visit, states: list[dict[str, Any]], text: str, size: str
) -> None:
    """Long names, Japanese and doubled text size scroll inside the panel and stay visible. So do
    the cards of a player's own phone."""
    address = f"{board.url}/?lang=ja" if text == "Japanese" else board.url
    if text == "Japanese":
        states = walks(JAPANESE, "ja")
    elif text == "long names":
        states = walks(LONG)
    elif text == "own phone":
        states = walks(own=1)
    page = visit(address, *SIZES[size], reduced_motion="reduce")
    if text == "200 %":
        page.evaluate("document.documentElement.style.fontSize = '200%'")
    elif text == "own phone":
        page.evaluate("localStorage.setItem('boardctl.seat', '1')")
    for shown, measure in measured(page, states):
        check_in_reach(found_by(shown), measure)
        if text != "200 %":
            bar = {measure["stays"][name][1] for name in ("undo", "redo", "keys", "more")}
            assert len(bar) == 1, "undo, redo, keypad and more are one row"


@pytest.mark.slow
@pytest.mark.parametrize("text", ["100 %", "200 %"])
@pytest.mark.parametrize("size", ["phone", "small phone"])
def test_every_score_is_in_sight(
    board: Daemon, visit: Visit, states: list[dict[str, Any]], size: str, text: str
) -> None:
    """Once a game has begun, this holds for any number of melds in the question below, and for four
    digits."""
    page = visit(board.url, *SIZES[size], reduced_motion="reduce")
    page.evaluate("(size) => { document.documentElement.style.fontSize = size }", text[:-2] + "%")
    high = [
        {
            **shown,
            "sides": [{**side, "score": side["score"] % 100 + 1900} for side in shown["sides"]],
        }
        for shown in states
        if shown["begun"]
    ]
    for shown, measure in measured(page, high):
        assert measure["lost"] == [], found_by(shown)
    expect(page.locator("#more")).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("telling", ["hands", "cards"])
def test_what_the_most_may_be_said_of_is_in_sight(
    daemon: Daemon, visit: Visit, telling: str
) -> None:
    """After a trick at Pinochle the panel has trick points, every kind of meld, two ways to change
    the turned trump and "Not now", or a whole pack and the draw. The keypad is visible too if there
    is room."""
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": telling})
    lines = ["game pinochle", "seat 1 Zoë", "seat 2 Old Mr. Finch", "dealer 1", "deal", "trump H"]
    if telling == "cards":
        lines += ["2 play AS", "1 play 9S"]
    number = daemon.say(*lines)["number"]
    for height in (900, 1000):
        page = visit(daemon.url, 1280, height, reduced_motion="reduce")
        page.wait_for_selector(f"body[data-number='{number}']")
        expect(page.locator("#due :is(.else, .below) button").first).to_be_visible()
        assert page.evaluate(UNSEEN) == [], height
        expect(page.locator("#moves .move").first).to_be_in_viewport(ratio=1)
        expect(page.locator("#keypad")).to_be_visible(visible=height == 1000)


UNSEEN: Final = """() => {
  const room = document.querySelector('dialog:modal') ?? document.getElementById('due');
  const view = room.getBoundingClientRect();
  const asked = 'button:not(.quiet, .close)';
  return [...room.querySelectorAll(asked)].filter((made) => {
    const { top, bottom } = made.getBoundingClientRect();
    return top < view.top - 0.5 || bottom > Math.min(view.bottom, innerHeight) + 0.5;
  }).map((made) => made.textContent);
}"""
"""The parts of the current question that can only be answered after scrolling."""


def test_what_rolls_on_fades_out(daemon: Daemon, visit: Visit) -> None:
    """On a phone in landscape the melds scroll. The cut-off part plainly shows that more
    follows."""
    page = visit(daemon.url, *SIZES["landscape"])
    number = daemon.say("game pinochle", "dealer 1", "deal", "trump H")["number"]
    page.wait_for_selector(f"body[data-number='{number}']")
    due = page.locator("#due")
    for top, fades in ((0, "below"), (30, "above below"), (9999, "above")):
        due.evaluate("(due, top) => due.scrollTo(0, top)", top)
        expect(due).to_have_attribute("data-rolls", fades)
        expect(due).to_have_css("mask-image", re.compile("22px"))
    page.set_viewport_size({"width": 820, "height": 1180})
    expect(due).to_have_css("mask-image", "none")


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
def test_first_questions_in_large_text(daemon: Daemon, visit: Visit, language: str) -> None:
    """With doubled text on a phone, the number of players, the opponent, the dealer and the board's
    level can be chosen without scrolling, in every game."""
    page = visit(f"{daemon.url}/?lang={language}", *SIZES["phone"], reduced_motion="reduce")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    for game, seats in FORMS:
        number = seat(daemon, game, seats)
        page.wait_for_selector(f"body[data-number='{number}']")
        expect(page.locator("#due .welcome .act")).to_have_count(2)
        expect(page.locator("#due .choice")).to_have_count(seats)
        assert page.evaluate(UNSEEN) == [], (game, seats)
    page.locator("[data-focus=against]").click()
    expect(page.get_by_role("dialog")).to_be_visible()
    assert page.evaluate(UNSEEN) == []
    page.keyboard.press("Escape")
    page.locator("[data-focus=tonight]").click()
    for many in page.locator("dialog [data-focus^=count]:not([data-focus^=counts])").all():
        many.click()
        begin = page.locator("dialog [data-focus=start]")
        expect(begin).to_be_in_viewport(ratio=1)


@pytest.mark.long
def test_eight_buttons_on_many_walks(board: Daemon, visit: Visit, seed: int) -> None:
    """The same rules on many more states, with axe run on each kind of state."""
    pages = [visit(board.url, *SIZES[size], reduced_motion="reduce") for size in ROOMY]
    seen: set[object] = set()
    kinds: set[object] = set()
    chance = random.Random(seed)
    for _ in range(300):
        game, seats = chance.choice(FORMS)
        walked = walk(game, chance.randint(1, 24), seats, chance)
        states = [shown for shown in walked if shape(shown) not in seen]
        seen.update(map(shape, states))
        for page in pages:
            for shown, measure in measured(page, states):
                check_in_reach(found_by(shown), measure)
                assert measure["buttons"] <= BUTTONS + goes(shown), found_by(shown)
                assert measure["small"] == measure["hidden"] == [], found_by(shown)
        for shown in states:
            asks = [(ask["code"], ask["kind"]) for ask in shown["asks"] if ask["due"]]
            kind = shown["game"], len(shown["seats"]), str(asks)
            if kind not in kinds:
                page = pages[len(kinds) % len(pages)]
                page.evaluate(MEASURE, [shown])
                assert complaints(page) == [], kind
                kinds.add(kind)


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width", [360, 390])
def test_what_a_score_says_takes_one_row(
    daemon: Daemon, visit: Visit, width: int, language: str
) -> None:
    """On a player's own phone too, a lead or a turn moves nothing below it."""
    page = visit(f"{daemon.url}/?lang={language}", width, 844)
    page.evaluate("localStorage.setItem('boardctl.seat', '1')")
    page.reload()
    tall = set()
    for line in ("dealer 1", "deal", "1 peg 11", "2 peg 12"):
        number = daemon.say(line)["number"]
        page.wait_for_selector(f"body[data-number='{number}']")
        tall |= set(
            page.locator(".facts").evaluate_all("(all) => all.map((made) => made.offsetHeight)")
        )
    assert len(tall) == 1, tall
    assert page.locator(".side .mine").count() == page.locator(".side1 h2 .mine").count() == 1


def check_targets(page: Page, where: str) -> None:
    """Check that a thumb can hit every target of a page, or of the dialog over it."""
    found = page.evaluate(TARGETS)
    assert found["count"] > 0, where
    assert found["small"] == [], where
    assert found["wide"] <= 0, where


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
def test_every_target_of_every_page(daemon: Daemon, visit: Visit, language: str) -> None:
    """On a phone every target is at least 44 px, and no page is wider than the window."""
    record = VECTORS / "records-cribbage-2.jsonl"
    lines = json.loads(record.read_text("utf-8").splitlines()[0])["record"].splitlines()
    daemon.say(*lines[:60])
    page = visit(f"{daemon.url}/?lang={language}", 390, 844, reduced_motion="reduce")
    check_targets(page, "the board")
    for where, opens in SHEETS.items():
        page.locator(where).first.click()
        expect(page.locator(opens).first).to_be_visible()
        check_targets(page, where)
        page.keyboard.press("Escape")
    for name, (ready, opens) in PAGES.items():
        page.goto(f"{daemon.url}/{name}&lang={language}")
        expect(page.locator(ready).first).to_be_visible()
        check_targets(page, name)
        if opens:
            page.locator(ready).first.click()
            expect(page.locator(opens).first).to_be_visible()
            check_targets(page, f"{name} {opens}")


@pytest.mark.slow
def test_every_target_of_the_setup(
    run: Callable[..., Daemon], visit: Visit, tmp_path: Path
) -> None:
    """The same, with the questions for a board with real parts."""
    path = tmp_path / "config.toml"
    path.write_text(FILE, "utf-8")
    page = visit(f"{run('--config', str(path)).url}/setup.html", 390, 844)
    expect(page.locator("[data-key='A']")).to_be_visible()
    check_targets(page, "setup.html")
