"""The page without instructions: whole games by tapping, with counted taps, visible prompts, and
discards hidden from other players' screens."""

from __future__ import annotations

import random
import re
import subprocess
import sys
import time
from collections.abc import Callable
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from boardctl import games, text
from boardctl.record import notation
from tests.sweeps import sweep
from tests.web.conftest import ROOT, Daemon, Visit, boxes
from tests.web.test_accessibility import complaints
from tests.web.walks import FORMS, GUESTS, walk

LANGUAGES = ("en", "ja")
SIZES = [(1280, 800), (820, 1180), (390, 844), (844, 390)]


class Taps:
    """The counted taps on a page."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def __call__(self, name: str, inside: str = "body") -> None:
        self.page.locator(inside).get_by_role("button", name=name, exact=True).first.click()
        self.count += 1


def sit_down(page: Page, game: str, names: tuple[str, ...], language: str = "en") -> None:
    """Fill in the table sheet: the game, the number of players, and their typed names."""
    words = text.saying("page", language)
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label(words("game"), exact=True).select_option(game)
    many = sheet.get_by_role("button", name=words("so-many", count=len(names)))
    if many.count():
        many.click()
    for number, name in enumerate(names, 1):
        field = words("seat-number", number=number)
        sheet.get_by_label(field, exact=True).fill(name)
    sheet.locator(".who .act.first").click()
    expect(sheet).to_be_hidden()
    expect(page.locator(".side1 h2")).to_contain_text(names[0])


def in_sight(page: Page) -> None:
    """Check that the next prompts can be tapped without scrolling, wherever they are."""
    below = page.evaluate(
        """() => [...document.querySelectorAll('#due button, #bar button')]
             .filter((made) => made.checkVisibility({ visibilityProperty: true }))
             .filter((made) => {
               const { left, top, right, bottom } = made.getBoundingClientRect();
               const met = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
               return bottom > innerHeight + 0.5 || !made.contains(met);
             })
             .map((made) => made.textContent)"""
    )
    assert below == []


class Eyes:
    """Checks a page: the expected entries are visible, and axe finds no violations in any new kind
    of state or dialog."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self._seen: set[object] = set()

    def look(self, state: dict[str, Any]) -> None:
        in_sight(self.page)
        asks = [(ask["code"], ask["kind"]) for ask in state["asks"] if ask["due"]]
        self._complain("state", state["phase"], state["over"], str(asks))

    def look_at_dialog(self) -> None:
        parts = "['.numbers', '.field', '.pack', '.chips', '.asks', '.switch', '.refused']"
        shown = self.page.evaluate(
            f"{parts}.filter((part) => document.querySelector(`dialog[open] ${{part}}`))"
        )
        self._complain("dialog", *shown)

    def _complain(self, *kind: object) -> None:
        if kind not in self._seen:
            self._seen.add(kind)
            assert complaints(self.page) == [], kind


def press_on(page: Page, turn: int, eyes: Eyes) -> None:
    """Make one step of a game: points if the table accepts them, otherwise the expected entry."""
    dialog = page.get_by_role("dialog")
    points = page.locator("#sides .act:not([hidden])")
    due = page.locator("#due")
    if points.count() and turn % 3 != 2:
        button = points.nth(turn % points.count())
        side = int((button.get_attribute("data-focus") or "")[-1])
        button.click()
        expect(dialog).to_be_visible()
        eyes.look_at_dialog()
        # Different points for the sides: if two reach the target with equal scores, they play
        # another deal.
        numbers = dialog.locator(".numbers .act")
        if numbers.count():
            numbers.nth(numbers.count() - side).click()
        else:
            dialog.locator("input[type=number]").fill(str(90 - 15 * side))
            dialog.locator(".field .act").click()
    else:
        # Trick points, to avoid endless melds.
        counts = due.locator(":is([data-focus=firstcount], [data-focus=firstlast-trick])")
        (counts if counts.count() else due.locator(":is(.target, .choice, .first)")).first.click()
        if dialog.is_visible():
            eyes.look_at_dialog()
            answer_dialog(page)
    page.wait_for_timeout(60)
    if dialog.is_visible():
        page.keyboard.press("Escape")


def answer_dialog(page: Page) -> None:
    dialog = page.get_by_role("dialog")
    answers = dialog.locator(".numbers .act, .asks .act, .choice")
    if answers.count():
        answers.last.click()
    elif dialog.locator("input[type=number]").count():
        dialog.locator("input[type=number]").fill(str(80))
        dialog.locator(".field .act").click()


def play_to_the_end(page: Page, daemon: Daemon) -> None:
    eyes = Eyes(page)
    for turn in range(150):
        state = daemon.state()
        if state["over"]:
            break
        eyes.look(state)
        press_on(page, turn, eyes)
    assert daemon.state()["over"]
    expect(page.locator("#news")).to_have_attribute("data-kind", "moment")
    eyes.look(daemon.state())


@pytest.mark.slow
@sweep("language, number", list(product(LANGUAGES, (3, 4))), ordinary=[("en", 3), ("ja", 4)])
def test_a_whole_game_of_more_than_two(
    daemon: Daemon, visit: Visit, language: str, number: int
) -> None:
    """Three guests on three tracks, and four as partners on two, play from an empty directory to
    the winner."""
    page = visit(
        f"{daemon.url}/?lang={language}", 390, 844, has_touch=True, reduced_motion="reduce"
    )
    sit_down(page, "cribbage", GUESTS[:number], language)
    assert daemon.state()["seats"] == list(GUESTS[:number])
    play_to_the_end(page, daemon)


@pytest.mark.long
@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("size", SIZES, ids=lambda size: str(size[0]))
@pytest.mark.parametrize(("game", "number"), FORMS)
def test_a_whole_game(
    run: Callable[..., Daemon],
    visit: Visit,
    game: str,
    number: int,
    size: tuple[int, int],
    language: str,
) -> None:
    """Every game with every number of players."""
    daemon = run()
    page = visit(f"{daemon.url}/?lang={language}", *size, reduced_motion="reduce")
    sit_down(page, game, GUESTS[:number], language)
    play_to_the_end(page, daemon)


def test_taps(daemon: Daemon, visit: Visit) -> None:
    """The first peg takes two taps, a hand six and one dialog, a card in the play one."""
    page = visit(daemon.url, width=390, height=844)
    taps = Taps(page)
    taps("Points: Ann")
    taps("8")
    expect(page.locator(".side1 .score")).to_have_text("8")
    assert taps.count == 2
    daemon.say("game cribbage", "dealer 1", "deal", "starter 5D")
    taps.count = 0
    taps("Enter the cards")
    for rank in ("four", "five", "five", "six"):
        taps(rank, "dialog")
    taps("Peg 23", "dialog")
    expect(page.locator(".side2 .score")).to_have_text("23")
    assert taps.count == 6
    expect(page.get_by_role("dialog")).to_be_hidden()
    expect(page.locator("#happened")).to_have_text(
        "Bob 23: fifteen eight, pair royal is fourteen, run of three is twenty-three"
    )
    expect(page.locator(".move .why").first).to_have_text(
        "fifteen eight, pair royal is fourteen, run of three is twenty-three"
    )
    with daemon.client as client:
        request = {"what": "telling", "value": "cards"}
        assert client.post("/commands", json=request).json() == {"done": True}
    daemon.say("game cribbage", "dealer 1", "deal", "starter 5D", "2 play TC")
    expect(page.locator(".running")).to_have_text("Count 10 21 left to 3110♣the starter5♦")
    taps.count = 0
    taps("five", "#due")
    expect(page.locator(".side1 .score")).to_have_text("2")
    assert taps.count == 1
    assert page.title() == "Ann 2 – Bob 0 · boardctl"


def test_points_are_offered_once(daemon: Daemon, visit: Visit) -> None:
    """Each number appears once, even if a game has a separate line for it. If no points are
    possible, the page says so."""
    page = visit(daemon.url, width=390, height=844)
    sheet = page.get_by_role("dialog")
    daemon.say("game bezique", "dealer 1", "deal", "trump H")
    page.get_by_role("button", name="Points: Ann").click()
    expect(sheet.locator(".numbers .act")).to_have_count(8)
    said = [text for text in sheet.get_by_role("button").all_inner_texts() if text.isdecimal()]
    assert said == ["10", "20", "40", "60", "80", "100", "250", "500"]
    page.keyboard.press("Escape")
    daemon.say("game cribbage", "dealer 1", "deal", "starter 5D", "2 show 4 5 5 6")
    page.get_by_role("button", name="Points: Bob").click()
    expect(sheet).to_contain_text("Bob has no points to peg now.")
    expect(sheet.locator(".numbers, input")).to_have_count(0)


@pytest.mark.slow
def test_suits_are_chips(daemon: Daemon, visit: Visit) -> None:
    """If suits matter, the lowest count is ready at once, and the points that suits add are next to
    it."""
    daemon.say("game cribbage", "dealer 1", "deal", "starter 5D")
    page = visit(daemon.url, width=390, height=844)
    page.get_by_role("button", name="Enter the cards").click()
    page.keyboard.type("23j9")
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Peg 4")).to_be_visible()
    dialog.get_by_role("button", name="+1 his nobs").click()
    dialog.get_by_role("button", name="Peg 5").click()
    expect(page.locator(".side2 .score")).to_have_text("5")


@pytest.mark.slow
def test_a_hand_known_by_its_ranks(daemon: Daemon, visit: Visit) -> None:
    """When a hand played by rank is counted, the page asks for suits if they matter, and pegs."""
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"})
    daemon.say("game cribbage", "dealer 1", "deal", "starter 8D")
    for bob, ann in zip("Q765", "J49K", strict=True):
        daemon.say(f"2 play {bob}", f"1 play {ann}")
    page = visit(daemon.url, width=390, height=844)
    page.get_by_role("button", name="Count Bob’s hand").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.get_by_role("heading")).to_have_text("Suits matter here")
    expect(dialog.locator(".slots .card")).to_have_text(["Q", "7", "6", "5", "8♦"])
    expect(dialog.locator(".target")).to_have_count(0)
    dialog.get_by_role("button", name="+4 flush").click()
    dialog.get_by_role("button", name="Peg").click()
    expect(dialog).to_be_hidden()
    expect(page.locator("#happened")).to_contain_text("flush")


@pytest.mark.slow
def test_the_last_card_of_a_hand_known_by_its_ranks(daemon: Daemon, visit: Visit) -> None:
    """A tap on it counts the hand. If suits matter, they are asked with that card."""
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"})
    daemon.say("game five-card-cribbage", "dealer 1", "deal", "starter Q")
    daemon.say("2 play Q", "1 play Q", "2 play 9", "1 play 2")
    page = visit(daemon.url, width=390, height=844)
    expect(page.locator("#due h2")).to_have_text("Bob’s hand: which cards?")
    page.locator("#due .target[data-card='4']").click()
    dialog = page.get_by_role("dialog")
    expect(dialog.locator(".slots .slot:not(.starter) .card")).to_have_text(["4"])
    dialog.get_by_role("button", name="flush").first.click()
    dialog.get_by_role("button", name=re.compile(r"Peg \d")).click()
    expect(page.locator("#happened")).to_contain_text("flush")


@pytest.mark.slow
def test_a_row_of_cards_answers_the_heading(daemon: Daemon, visit: Visit) -> None:
    """The other options next to playing a card have their own words."""
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"})
    page = visit(daemon.url)
    daemon.say("game bezique", "dealer 1", "deal")
    expect(page.locator("#due h2")).to_have_text("Which card is turned up?")
    page.locator("#due .target[data-card='8S']").click()
    expect(page.locator("#due h2")).not_to_have_text("Which card is turned up?")
    daemon.say("2 play 9C", "1 play TC")
    expect(page.locator("#due h2")).to_have_text("Which card does Ann play?")
    expect(page.locator("#due .first")).to_have_text("Ann melds")
    daemon.say("game klaberjass", "dealer 2", "deal", "turnup TH", "1 bid take", "1 declare 20")
    expect(page.locator("#due h2")).to_have_text("What does Bob answer?")


@pytest.mark.slow
def test_what_answers_the_heading_stands_below_it(daemon: Daemon, visit: Visit) -> None:
    """The other options are below both, and names of three Japanese letters stay on one line."""
    page = visit(f"{daemon.url}/?lang=ja", width=844, height=390)
    daemon.say("seat 1 花子", "seat 2 健太郎")
    expect(page.locator("#due .choice", has_text="健太郎")).to_be_visible()
    spans = page.locator("#due .choice span")
    heights = spans.evaluate_all("all => all.map(one => one.getBoundingClientRect().height)")
    assert max(heights) < 30
    with daemon.client as client:
        number = daemon.state()["number"]
        body = {"game": "belote", "players": list(GUESTS), "expect": number}
        client.post("/table", json=body)
    daemon.say("dealer 4", "deal", "1 bid S")
    expect(page.locator("#due h2")).to_have_text("Zoëのトリック点は？")
    heights = [box["y"] for box in boxes(page, "#due h2", "#due .first", "#due .choice")]
    assert heights == sorted(heights)


@pytest.mark.slow
@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_however_many_suits_may_add_points_can_be_pegged(
    daemon: Daemon, visit: Visit, width: int, height: int
) -> None:
    daemon.say("game costly-colours", "dealer 1", "deal", "starter T", "2 no-mog")
    page = visit(daemon.url, width, height)
    page.locator("#due .first").click()
    sheet = page.get_by_role("dialog")
    for rank in "725":
        sheet.locator(f".target[data-card='{rank}']").click()
    expect(sheet.locator(".chips .act")).to_have_count(10)
    for made in (sheet.locator("[data-focus=peg]"), sheet.locator(".target").last):
        expect(made).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_nobody_has_to_meld(daemon: Daemon, visit: Visit) -> None:
    """Each player is asked in turn and may skip it, even after the other has melded."""
    page = visit(daemon.url, width=390, height=844)
    daemon.say("game bezique", "dealer 1", "deal", "trump H")
    heading = page.locator("#due h2")
    expect(heading).to_have_text("What does Bob meld?")
    expect(page.locator("#due .choice").first).to_have_text("Bob exchanges the lowest trump 10")
    page.locator("#due").get_by_role("button", name="Not now").click()
    expect(heading).to_have_text("What does Ann meld?")
    page.locator("#due").get_by_role("button", name="Not now").click()
    expect(heading).not_to_have_text("What does Ann meld?")


@pytest.mark.slow
def test_melds_of_one_kind_leave_room_for_others(daemon: Daemon, visit: Visit) -> None:
    """Of four queens in many suits, one is in the grid; the others are behind "Other"."""
    page = visit(daemon.url, width=390, height=844)
    daemon.say("game bezique", "dealer 1", "deal", "trump S")
    daemon.say(*(f"2 meld K{suit} Q{suit}" for suit in "DDHH"))
    choices = page.locator("#due .choice")
    expect(choices.filter(has_text="Four queens 60")).to_have_count(1)
    expect(choices.filter(has_text="Four queens 60")).to_contain_text("Q♠Q♥Q♦Q♣")
    page.locator("#due").get_by_role("button", name="Other").click()
    many = page.get_by_role("dialog").locator(".choice").filter(has_text="Four queens 60")
    assert many.count() > 1


@pytest.mark.slow
def test_who_gets_the_points(daemon: Daemon, visit: Visit) -> None:
    """Points of a player other than the one who moved are shown with the name."""
    daemon.say("game klaberjass", "dealer 2", "deal", "1 bid H", "1 count 100", "2 count 24")
    page = visit(daemon.url)
    expect(page.locator("#happened")).to_have_text(
        "Bob counts 24 in tricks: the deal 100 for Ann, the deal 24 – Ann made it: 100 to 24"
    )
    row = page.locator(".move").first
    expect(row.locator(".why")).to_have_text(
        "the deal 100 for Ann, the deal 24 – Ann made it: 100 to 24"
    )
    expect(row.locator(".points")).to_have_text("")


@pytest.mark.slow
def test_a_missing_name(daemon: Daemon, visit: Visit) -> None:
    """The message appears beside the names, for the number of the field."""
    page = visit(daemon.url, width=390, height=844)
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Player 2", exact=True).fill("")
    sheet.locator(".who .act.first").click()
    expect(sheet.locator(".who .refused")).to_have_text("Player 2 has no name yet; type one.")


@pytest.mark.slow
def test_a_move_two_deals_back(daemon: Daemon, visit: Visit) -> None:
    """Any hand of the game can be corrected; the picker shows a rejection."""
    daemon.say("game cribbage", "dealer 1")
    for starter in ("5D", "9C", "KH"):
        daemon.say("deal", f"starter {starter}")
        order = (2, 1) if starter != "9C" else (1, 2)
        daemon.say(*(f"{seat} peg 4 hand" for seat in order), f"{order[1]} peg 2 crib")
    page = visit(daemon.url)
    page.get_by_role("button", name="Earlier deals").click()
    page.locator(".move", has_text="Bob pegs 4 for the hand").last.click()
    dialog = page.get_by_role("dialog")
    button = dialog.get_by_role("button", name="4", exact=True)
    expect(button).to_have_attribute("aria-pressed", "true")
    expect(dialog.get_by_role("button", name="19", exact=True)).to_have_count(0)
    dialog.get_by_text("In writing").click()
    dialog.get_by_label("In writing").fill("2 peg 19 hand")
    dialog.get_by_role("button", name="Change").click()
    expect(dialog.get_by_role("alert")).to_contain_text("A score of 19 is not possible")
    dialog.get_by_role("button", name="12", exact=True).click()
    expect(page.locator(".side2 .score")).to_have_text("22")


@pytest.mark.slow
def test_a_plain_move_is_put_right_while_others_play(daemon: Daemon, visit: Visit) -> None:
    """Points entered in the play are corrected by tapping others. A line added by another phone
    meanwhile does not change the corrected move; if another phone removes the move, the dialog
    closes."""
    daemon.say("game cribbage", "dealer 1", "deal", "starter 5D", "2 peg 3")
    page = visit(daemon.url)
    page.locator(".move", has_text="Bob pegs 3").click()
    dialog = page.get_by_role("dialog")
    button = dialog.get_by_role("button", name="3", exact=True)
    expect(button).to_have_attribute("aria-pressed", "true")
    daemon.say("1 peg 2")
    expect(page.locator(".side1 .score")).to_have_text("2")
    dialog.get_by_role("button", name="5", exact=True).click()
    expect(page.locator(".side2 .score")).to_have_text("5")
    expect(page.locator(".side1 .score")).to_have_text("2")
    page.locator(".move", has_text="Ann pegs 2").click()
    expect(dialog).to_be_visible()
    daemon.say("undo")
    expect(dialog).to_be_hidden()
    expect(page.locator("#happened")).to_contain_text("has played in the meantime")


@pytest.mark.slow
def test_two_phones_at_once(daemon: Daemon, visit: Visit) -> None:
    """After a line from one phone the other's picker stays open while its question is still valid.
    Closing it removes the preview from the board."""
    daemon.say("game cribbage", "dealer 1", "deal", "starter 5D")
    one, other = visit(daemon.url, 390, 844), visit(daemon.url, 390, 844)
    one.get_by_role("button", name="Enter the cards").click()
    one.keyboard.type("4556")
    dialog = one.get_by_role("dialog")
    expect(dialog.get_by_role("button", name="Peg 23")).to_be_visible()
    other.get_by_role("button", name="Points: Ann").click()
    other.get_by_role("dialog").get_by_role("button", name="2", exact=True).click()
    expect(one.locator(".side1 .score")).to_have_text("2")
    expect(dialog.get_by_role("button", name="Peg 23")).to_be_visible()
    expect(one.locator("#display")).to_have_attribute("aria-label", re.compile("Bob 23"))
    one.keyboard.press("Escape")
    expect(one.locator("#display")).to_have_attribute("aria-label", re.compile("^Bob"))
    expect(one.locator("#display")).not_to_have_attribute("aria-label", re.compile("23"))


@pytest.mark.slow
def test_what_is_typed_is_told_in_the_pages_language_and_taps_need_no_key(
    daemon: Daemon, visit: Visit
) -> None:
    """A screen reader heard "Deal: press hash" after every tap, and from an English board also on a
    Japanese page."""
    daemon.say("game cribbage")
    page = visit(f"{daemon.url}?lang=ja", 390, 844)
    page.locator("#due").get_by_role("button", name="Ann", exact=True).click()
    expect(page.locator("#happened")).to_contain_text("ディーラーはAnn")
    expect(page.locator("#said")).to_have_text("")
    page.keyboard.press("A")
    expect(page.locator("#said")).to_have_text("Ann：点数とシャープ")
    page.keyboard.press("Escape")
    expect(page.locator("#said")).to_have_text("配る：シャープで決定")
    page.locator("#due").get_by_role("button", name="配る").click()
    expect(page.locator("#said")).to_have_text("")


@pytest.mark.slow
def test_keyboard_alone(daemon: Daemon, visit: Visit) -> None:
    """A whole game is played without a pointer, and the focus is never lost."""
    page = visit(daemon.url)
    due = "document.activeElement.closest('#due')"

    def enter(chosen: str) -> None:
        """Press the expected entry, starting from the last press's focus."""
        expect(page.locator(chosen)).to_be_visible()
        page.wait_for_function(due)
        for _ in range(12):
            if page.evaluate("chosen => document.activeElement.matches(chosen)", chosen):
                break
            page.keyboard.press("Tab")
        number = daemon.state()["number"]
        page.keyboard.press("Enter")
        if chosen != TELL:
            saved(daemon, number)

    page.locator("#due .act").first.focus()
    enter("#due [data-focus='dealer 1']")
    while not daemon.state()["over"]:
        enter("#due [data-focus=firstdeal]")
        enter("#due .target[data-card='5']")
        for hand in ("4556", "46jq", "7788"):
            enter(TELL)
            expect(page.get_by_role("dialog")).to_be_visible()
            page.keyboard.type(hand)
            expect(page.locator("dialog [data-focus=peg]")).to_be_visible()
            number = daemon.state()["number"]
            page.keyboard.press("Enter")
            saved(daemon, number)
            expect(page.get_by_role("dialog")).to_be_hidden()
            if daemon.state()["over"]:
                break
    expect(page.locator("#news")).to_have_attribute("data-kind", "moment")
    assert page.evaluate("document.activeElement !== document.body")


TELL = "#due [data-focus^=first]:is([data-focus$=show], [data-focus$=crib])"


def saved(daemon: Daemon, number: int) -> None:
    """Wait for a line after the one with this number."""
    for _ in range(400):
        if daemon.state()["number"] > number:
            return
        time.sleep(0.02)
    raise AssertionError(number)


@pytest.mark.slow
def test_a_phone_is_invited(run: Callable[..., Daemon], visit: Visit) -> None:
    """With `--phones`, the browser on this machine can play at once, and invites others with a PIN.
    `boardctl pin` invites too."""
    daemon = run("--phones")
    guest = visit(daemon.url, 390, 844)
    expect(guest.get_by_label("The board’s six digits")).to_be_visible()
    asked = subprocess.run(
        [sys.executable, "-m", "boardctl", "pin", "--data", str(daemon.data)],
        cwd=ROOT, capture_output=True, text=True, check=True,
    )  # fmt: skip
    pin = asked.stdout.partition("PIN ")[2][:6]
    assert "▄" in asked.stdout, "a QR code"
    guest.get_by_label("The board’s six digits").fill(pin)
    guest.get_by_role("button", name="Pair this phone").click()
    expect(guest.locator("#due .act").first).to_be_visible()
    guest.locator("#table").click()
    guest.get_by_role("button", name="Add a phone").click()
    expect(guest.locator(".qr")).to_be_visible()
    second = guest.locator("dialog .pin").text_content() or ""
    photographed = visit(f"{daemon.url}/#pin={second}", 390, 844)
    expect(photographed.locator("#due .act").first).to_be_visible()
    assert "#" not in photographed.url
    guest.get_by_role("button", name="Another phone").click()  # the digits were for one phone
    expect(guest.locator("dialog .pin")).not_to_have_text(second)
    visit.forgiven.append("ERR_CONNECTION_REFUSED")
    assert "PIN " in daemon.end()


def test_every_ask_is_a_line(daemon: Daemon) -> None:
    """The page's line for an ask parses to the requested move."""
    for game in games.names():
        for shown in walk(game, 6, games.find(game).seats[0], random.Random(game)):
            for ask in shown["asks"]:
                for choice in ask["choices"]:
                    assert notation.parse(choice["line"], games.find(game)) is not None
                    assert choice["text"]
