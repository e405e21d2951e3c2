"""Details that a family notices at once: words on buttons, red suits, buttons within a thumb's
reach."""

from __future__ import annotations

import re
import signal
from pathlib import Path

import pytest
from playwright.sync_api import expect

from boardctl import web
from tests.web.conftest import Daemon, Visit, boxes

STATIC = Path(web.__file__).parent / "static"
FOUR = ("seat 1 Ann", "seat 2 Bob", "seat 3 Cid", "seat 4 Dora")


def test_the_first_bid(daemon: Daemon, visit: Visit) -> None:
    """Its words begin like those of other buttons, and hearts are red."""
    daemon.say("game belote", *FOUR, "dealer 1", "deal")
    page = visit(daemon.url, 390, 844)
    names = page.locator("#due .choice > span:first-child")
    expect(names).to_have_text(["♠ spades", "♥ hearts", "♦ diamonds", "♣ clubs", "Pass", "Take"])
    colours = page.locator("#due .choice").evaluate_all(
        "(all) => all.map((one) => Boolean(one.querySelector('.red-suit')))"
    )
    assert colours == [False, True, True, False, False, False]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("width", [320, 390])
def test_the_other_bids_stand_behind_one_line_of_words(
    daemon: Daemon, visit: Visit, language: str, width: int
) -> None:
    """This holds in a narrow grid of numbers too."""
    daemon.say("game pinochle", *FOUR, "dealer 1", "deal")
    page = visit(f"{daemon.url}/?lang={language}", width, 844)
    expect(page.locator("#due .choice.other")).to_be_visible()
    tall = page.evaluate(  # taken at one moment, because the entries may be redrawn
        "['#due .choice.other', '#due .choice']"
        ".map((one) => document.querySelector(one).offsetHeight)"
    )
    assert tall[0] == tall[1] > 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_a_hand_that_may_be_known_in_part_says_how_many_cards_it_has(
    daemon: Daemon, visit: Visit
) -> None:
    """Next to five empty places, "1 more to enter" was no help."""
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"})
    daemon.say(*FOUR[:2], FOUR[3], FOUR[2], "dealer 4", "deal")
    page = visit(daemon.url, 390, 844)
    page.evaluate("localStorage.setItem('boardctl.seat', '1')")
    page.reload()
    page.get_by_role("button", name="Enter the cards").click()
    expect(page.locator("dialog .count")).to_have_text("1 to 5 cards")


@pytest.mark.slow
def test_the_table_sheet_in_large_text_fits(daemon: Daemon, visit: Visit) -> None:
    """Its games have long names."""
    page = visit(f"{daemon.url}/?lang=ja", 390, 844)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.locator("#table").click()
    expect(page.locator("dialog[open] [data-focus=game]")).to_be_visible()
    sheet = page.locator("dialog[open]")
    assert sheet.evaluate("(node) => node.scrollWidth - node.clientWidth") <= 0


@pytest.mark.slow
def test_the_count_of_a_hand_in_large_text_breaks_no_word(daemon: Daemon, visit: Visit) -> None:
    """Words without room next to their cards move below them."""
    daemon.say("dealer 1", "deal", "starter 5D")
    page = visit(f"{daemon.url}/?lang=ja", 390, 844)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.locator("#due .act.first").click()
    for rank in "4456":
        page.locator(f'dialog .target[data-card="{rank}"]').click()
    reasons = page.locator("dialog .combinations .reason")
    expect(reasons).to_have_count(10)
    assert max(reasons.evaluate_all("(all) => all.map((one) => one.offsetHeight)")) < 60


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (844, 390)])
def test_names_and_scores_stay_in_sight_in_large_text(
    daemon: Daemon, visit: Visit, size: tuple[int, int]
) -> None:
    """The picture of the board shrinks first."""
    page = visit(daemon.url, *size)
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    expect(page.locator(".side .score")).to_have_count(2)
    hidden = page.evaluate(  # taken at one moment, because the sides may be redrawn
        """() => {
          return [...document.querySelectorAll('.side h2, .side .score')].filter((part) => {
            const box = part.getBoundingClientRect();
            return box.top < 0 || box.bottom > innerHeight || box.height === 0;
          }).map((part) => part.textContent);
        }"""
    )
    assert hidden == []


@pytest.mark.slow
@pytest.mark.parametrize("size", [(390, 844), (844, 390), (820, 1180)])
def test_a_name_with_games_won_is_not_broken_in_large_text(
    daemon: Daemon, visit: Visit, size: tuple[int, int]
) -> None:
    """The marks move below the name if it needs the whole line."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 The board", "dealer 1", "2 adjust +121")
    page = visit(daemon.url, *size, reduced_motion="reduce")
    expect(page.locator(".side2 .pips")).to_have_text("◆◆")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.evaluate("document.querySelector('.link').hidden = innerWidth < 500")  # only a dot
    assert page.evaluate(BROKEN) == []
    overlaps = page.evaluate(
        """() => {
          const words = document.createRange();
          words.selectNodeContents(document.querySelector('.side2 h2'));
          const pips = document.querySelector('.side2 .pips').getBoundingClientRect();
          return [...words.getClientRects()].some((line) => line.width > 0
            && line.right > pips.left && line.bottom > pips.top + 1 && line.top < pips.bottom - 1);
        }"""
    )
    assert not overlaps


@pytest.mark.slow
@pytest.mark.parametrize("names", [("Grandma", "Takeshi"), ("Grandma", "Martin", "Cleo")])
def test_no_name_is_broken_in_large_text(
    daemon: Daemon, visit: Visit, names: tuple[str, ...]
) -> None:
    seats = [f"seat {number} {name}" for number, name in enumerate(names, 1)]
    number = daemon.say("game cribbage", *seats)["number"]
    page = visit(daemon.url, 390, 844, reduced_motion="reduce")
    page.wait_for_selector(f"body[data-number='{number}']")
    page.evaluate("document.documentElement.style.fontSize = '200%'")
    page.evaluate("document.querySelector('.link').hidden = true")  # only a dot
    assert page.evaluate(BROKEN) == []


@pytest.mark.slow
def test_answers_beside_one_another_are_of_one_height(daemon: Daemon, visit: Visit) -> None:
    """The height is equal for any number of lines, and an earlier question leaves no empty
    panel."""
    lines = ("game pinochle", "seat 1 Grandma", "seat 2 Bob", "dealer 1", "deal", "turnup JHb")
    number = daemon.say(*lines, "2 play 9Cb", "1 play 9Ha")["number"]
    page = visit(f"{daemon.url}/?lang=ja", 390, 844)
    large = visit(daemon.url, 390, 844)
    large.evaluate("document.documentElement.style.fontSize = '200%'")
    large.wait_for_selector(f"body[data-number='{number}']")
    number = daemon.say("1 meld KCb QCa")["number"]
    page.wait_for_selector(f"body[data-number='{number}']")
    answers = page.locator("#due .answers .act")
    expect(answers).to_have_count(2)
    assert len(set(answers.evaluate_all("(all) => all.map((made) => made.offsetHeight)"))) == 1
    large.wait_for_selector(f"body[data-number='{number}']")
    expect(large.locator("#due h2")).to_be_in_viewport(ratio=1)


def test_a_question_is_seen_with_its_answer(daemon: Daemon, visit: Visit) -> None:
    """On a phone in landscape, the other options scroll. The lowest trump has its own words on its
    button, so the heading is the question of the choices."""
    page = visit(daemon.url, 844, 390)
    lines = ("game bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "turnup TC")
    number = daemon.say(*lines, "2 play 8S", "1 play TS", "1 play 7S")["number"]
    page.wait_for_selector(f"body[data-number='{number}']")
    expect(page.locator("#due h2")).to_have_text("What does Bob declare?")
    expect(page.locator("#due .act", has_text="Bob shows the lowest trump 10")).to_have_count(1)
    panel, *parts = boxes(page, "#due", "#due h2", "#due .choice")
    for box in parts:
        assert panel["y"] <= box["y"]
        assert box["y"] + box["height"] <= panel["y"] + panel["height"]


@pytest.mark.slow
def test_japanese_answers_break_between_phrases(daemon: Daemon, visit: Visit) -> None:
    lines = ("game costly-colours", "seat 1 Grandma", "seat 2 Bob", "dealer 2", "deal")
    daemon.say(*lines, "starter 6H")
    page = visit(f"{daemon.url}/?lang=ja", 390, 844)
    answers = page.locator("#due .choice span")
    expect(answers).to_have_count(4)
    narrowest = answers.evaluate_all(
        """(all) => Math.min(...all.map((made) => {
          const words = document.createRange();
          words.selectNodeContents(made);
          return [...words.getClientRects()].at(-1).width;
        }))"""
    )
    assert narrowest > 32, "no last line of one letter"


@pytest.mark.slow
def test_a_button_without_a_question_is_at_the_foot(daemon: Daemon, visit: Visit) -> None:
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1")
    page = visit(daemon.url, 390, 844)
    first = page.locator("#due .act.first")
    expect(first).to_have_text("Deal")
    panel, button = boxes(page, "#due", "#due .act.first")
    assert panel["y"] + panel["height"] - button["y"] - button["height"] < 20


@pytest.mark.slow
def test_facts_of_three_players_break_between_them(daemon: Daemon, visit: Visit) -> None:
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "seat 3 Cid", "dealer 1", "deal")
    daemon.say("2 adjust +22")
    page = visit(daemon.url, 390, 844)
    facts = page.locator(".side2 .fact")
    expect(facts).to_have_text(["22 ahead", "99 to go"])
    # Find and measure in one step: a score redrawn in between would have no place.
    lines, tops = page.evaluate(
        """() => {
          const all = [...document.querySelectorAll('.side2 .fact')];
          return [all.map((one) => one.getClientRects().length), all.map((one) => one.offsetTop)];
        }"""
    )
    assert lines == [1, 1]
    assert tops[1] > tops[0]


def test_a_tap_says_that_nobody_can_play(daemon: Daemon, visit: Visit) -> None:
    """A shared screen shows it; on their own phones, players say only their own go."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1")
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"}).raise_for_status()
    daemon.say("deal", "starter 6", "2 play K", "1 play 9", "2 play 8")
    page = visit(daemon.url, 390, 844)
    nobody = page.get_by_role("button", name="nobody can play")
    page.evaluate("localStorage.setItem('boardctl.seat', '1')")
    page.reload()
    expect(page.get_by_role("button", name="Go", exact=True)).to_be_visible()
    expect(nobody).to_have_count(0)
    page.evaluate("localStorage.clear()")
    page.reload()
    nobody.click()
    expect(page.locator("#happened")).to_have_text("Bob says go: last card 1")
    assert [side["score"] for side in daemon.state()["sides"]] == [0, 1]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (1280, 800)])
def test_nobody_of_three_can_play(daemon: Daemon, visit: Visit, width: int, height: int) -> None:
    """It is next to "Go", and stands for everybody's go."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "seat 3 Cid", "dealer 1")
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"}).raise_for_status()
    number = daemon.say("deal", "starter 6", "2 play K", "3 play 9", "1 play 8")["number"]
    page = visit(daemon.url, width, height)
    page.wait_for_selector(f"body[data-number='{number}']")
    go = page.locator("#due").get_by_role("button", name="Go", exact=True)
    nobody = page.locator("#due").get_by_role("button", name="nobody can play")
    for made in (go, nobody, page.locator("#due .target").last):
        expect(made).to_be_in_viewport(ratio=1)
    nobody.click()
    expect(page.locator("#happened")).to_have_text("Ann says go: last card 1")
    assert [side["score"] for side in daemon.state()["sides"]] == [1, 0, 0]


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390)])
def test_hands_that_no_cards_can_make_are_pegged_by_their_points(
    daemon: Daemon, visit: Visit, width: int, height: int
) -> None:
    """Ann stated that the card she gave is worth four, but none of Bob's played cards is."""
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"}).raise_for_status()
    daemon.say("game costly-colours", *FOUR[:2], "dealer 1", "deal", "starter 8H")
    daemon.say("2 mog 9S", "1 mog ? = 4", "2 play 4S", "1 play TH", "2 play 6H", "1 play 6C")
    daemon.say("2 go", "1 go", "2 play QC", "1 play 9S")
    page = visit(daemon.url, width, height)
    due = page.locator("#due")
    expect(due).to_contain_text("No hand fits everything that was entered.")
    bob = due.get_by_role("button", name="Points: Bob")
    expect(bob).to_be_in_viewport(ratio=1)
    bob.click()
    page.get_by_role("dialog").get_by_role("button", name="0", exact=True).click()
    expect(due.locator(".first")).to_have_text("Count Ann’s hand")


def test_without_a_starter_the_other_hand_is_pegged_by_its_points_too(
    daemon: Daemon, visit: Visit
) -> None:
    """It said "No hand fits everything that was entered", although any hand would have."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "2 peg 8 hand")
    page = visit(daemon.url, 390, 844)
    due = page.locator("#due")
    expect(due).to_contain_text(
        "The starter was not entered, so enter only the points of the hands."
    )
    due.get_by_role("button", name="Points: Ann").click()
    page.get_by_role("dialog").get_by_role("button", name="4", exact=True).click()
    expect(page.locator("#happened")).to_contain_text("Ann pegs 4")


def test_a_pass_stands_beside_the_bids_of_three(daemon: Daemon, visit: Visit) -> None:
    daemon.say("game pinochle", "seat 1 Ann", "seat 2 Bob", "seat 3 Cid", "dealer 1")
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"}).raise_for_status()
    daemon.say("deal")
    page = visit(daemon.url, 390, 844)
    for name in ("Bob", "Cid"):
        expect(page.locator("#due").get_by_role("button", name="300")).to_be_visible()
        page.locator("#due").get_by_role("button", name=f"{name} passes").click()
    expect(page.locator("#due").get_by_role("heading")).to_have_text("How much does Ann bid?")


def test_a_card_put_back_leaves_its_place_to_the_next(daemon: Daemon, visit: Visit) -> None:
    """A misread photo can be corrected without moving the correctly read cards."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "starter 5D")
    page = visit(daemon.url, 390, 844)
    page.get_by_role("button", name="Enter the cards").click()
    dialog = page.get_by_role("dialog")
    for rank in ("four", "six", "jack"):
        dialog.get_by_role("button", name=rank, exact=True).click()
    six = dialog.get_by_role("button", name="Put back six")
    before = six.bounding_box()
    dialog.get_by_role("button", name="Put back four").click()
    assert six.bounding_box() == before
    dialog.get_by_role("button", name="seven", exact=True).click()
    slots = dialog.locator(".slot:not(.starter)")
    expect(slots).to_have_text(["7", "6", "J", ""])
    page.keyboard.press("Backspace")
    expect(slots).to_have_text(["7", "6", "", ""])


def test_a_full_hand_says_what_to_tap_and_gives_a_card_back(daemon: Daemon, visit: Visit) -> None:
    """A tap on another rank, or on a rank in the hand, had no effect and no message."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "starter 5D")
    daemon.say("2 show 4 5 5 6")
    page = visit(daemon.url, 390, 844)
    page.get_by_role("button", name="Bob shows").click()
    dialog = page.get_by_role("dialog")
    rank = dialog.locator(".pack .target")
    rank.and_(page.locator("[data-card='7']")).click()
    expect(dialog.get_by_role("alert")).to_have_text(
        "All 4 cards have been entered. To change one, tap it first."
    )
    rank.and_(page.locator("[data-card='6']")).click()
    expect(dialog.get_by_role("alert")).to_have_count(0)
    rank.and_(page.locator("[data-card='7']")).click()
    expect(dialog.locator(".slot:not(.starter)")).to_have_text(["4", "5", "5", "7"])
    dialog.get_by_role("button", name="Change", exact=True).click()
    expect(page.locator("#moves")).to_contain_text("Bob shows 4 5 5 7")


def test_a_played_card_is_corrected_by_one_tap_on_another(daemon: Daemon, visit: Visit) -> None:
    """The card had to be put back first, and a tap on another one had no message."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "starter 5D")
    daemon.say("2 play 4")
    page = visit(daemon.url, 390, 844)
    page.get_by_role("button", name="Bob plays 4").click()
    dialog = page.get_by_role("dialog")
    for shown in ("Without suits", "With suits"):
        dialog.get_by_role("button", name=shown).click()
        for card in ("7", "8"):
            dialog.locator(f".target[data-card^='{card}']").first.click()
            expect(dialog.locator(".slot")).to_contain_text([card])
    dialog.get_by_role("button", name="Change", exact=True).click()
    expect(page.locator("#moves")).to_contain_text("Bob plays 8")


@pytest.mark.parametrize(
    ("game", "guests", "bids"),
    [
        ("klaberjass", "Ann Bob", ["Does Bob take it?"]),
        ("pinochle", "Ann Bob Cid", ["Bob bids", "Bob passes"]),
    ],
)
def test_where_only_points_are_entered_bids_are_offered(
    daemon: Daemon, visit: Visit, game: str, guests: str, bids: list[str]
) -> None:
    """A person who counts alone pegs the value of a deal; its bids can still be entered."""
    daemon.say(f"game {game}", *(f"seat {n} {one}" for n, one in enumerate(guests.split(), 1)))
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "points"}).raise_for_status()
    daemon.say("dealer 1", "deal")
    page = visit(daemon.url, 390, 844)
    due = page.locator("#due")
    expect(due).to_contain_text("To peg points, tap + beside a player’s score.")
    expect(due.get_by_role("button")).to_have_text(bids)
    due.get_by_role("button").last.click()
    if len(bids) == 1:
        page.get_by_role("dialog").get_by_role("button", name="Take").click()
        expect(due).to_contain_text("maker Bob")
    else:
        expect(due).to_contain_text("Cid")


APART = """() => {
  const boxes = (of) => [...document.querySelectorAll(of)].flatMap((made) => {
    const range = document.createRange();
    range.selectNodeContents(made);
    return [...range.getClientRects()].filter((box) => box.width > 1);
  });
  const meet = (one, other) => one.left < other.right && other.left < one.right
    && one.top < other.bottom && other.top < one.bottom;
  const pips = boxes('.pips');
  const met = boxes('.side h2, .side .facts, .side .chip, .side .act').filter(
    (box) => pips.some((one) => meet(one, box)));
  return [pips.length, met.length];
}"""
"""The number of marks for games won, and the number of words that they overlap."""


@pytest.mark.slow
@pytest.mark.parametrize("guests", [("Ann", "Bob"), ("Old Mr. Finch", "Bob", "Cid")])
def test_games_won_do_not_lie_on_the_score(
    daemon: Daemon, visit: Visit, guests: tuple[str, ...]
) -> None:
    daemon.say("game cribbage", *(f"seat {n} {name}" for n, name in enumerate(guests, 1)))
    others = " ".join("10" for _ in guests[1:])
    for won in (2, 4):
        daemon.say(f"start 119 {others}", "dealer 1", "1 peg 2", "game cribbage")
        daemon.say("dealer 1", "deal", "1 adjust +34", "2 adjust +12")
        for width in (320, 390, 844):
            page = visit(f"{daemon.url}/?lang=ja", width, 844)
            expect(page.locator(".side1 .pips")).to_have_text("◆◆" if won == 2 else "4 ◆")
            assert page.evaluate(APART) == [1, 0], (width, won)
        daemon.say("game cribbage")


def test_a_new_question_is_read_from_its_beginning(daemon: Daemon, visit: Visit) -> None:
    daemon.say("game belote", *FOUR, "dealer 1", "deal")
    page = visit(daemon.url, 844, 240)
    due = page.locator("#due")
    due.evaluate("(node) => { node.scrollTop = 500; }")
    assert due.evaluate("(node) => node.scrollTop") > 0
    page.get_by_role("button", name="Pass").click()
    expect(due).to_contain_text("Does Cid take it?")
    expect(due.locator("h2")).to_be_in_viewport(ratio=0.9)  # it scrolls by whole px


def test_cards_that_are_only_confirmed_are_shown(daemon: Daemon) -> None:
    """A crib's cards were not visible before, so the news shows them. The list, the history and the
    replay file also show those of hands."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")
    daemon.say("1 hand 2S 8D 5D JD TD JH", "2 hand KS 7S 5H 8H 7D 2D")
    daemon.say("1 discard 2S 5D", "2 discard KS 5H", "starter TH", "2 play 7S", "1 play 8D")
    daemon.say("2 play 8H", "1 go", "2 play 7D", "2 go", "1 play JD", "2 play 2D", "1 play JH")
    daemon.say("1 go", "1 play TD", "2 show", "1 show")
    state = daemon.say("1 crib")
    assert state["moves"][-1]["line"] == "1 crib"
    shown = ["Bob shows 7♠ 8♥ 7♦ 2♦", "Ann shows 8♦ J♦ J♥ 10♦", "Ann’s crib: 2♠ 5♦ K♠ 5♥"]
    assert [move["text"] for move in state["moves"][-3:]] == shown
    assert state["happened"]["text"].startswith("Ann’s crib: 2♠ 5♦ K♠ 5♥: fifteen")
    with daemon.client as client:
        (number,) = (game["number"] for game in client.get("/history").json()["games"])
        steps = client.get(f"/history/{number}").json()["steps"]
        assert [step["text"] for step in steps[-3:]] == shown
        replay = client.get(f"/export/{number}.html").text
    assert '"cards":["2S","5D","KS","5H"]' in replay
    assert all(said in replay for said in shown)


def test_trick_points_wait_where_only_points_are_entered(daemon: Daemon, visit: Visit) -> None:
    """A new deal of Bezique begins with melds, so its trick points are offered, not asked for. Once
    one player's are entered, the other's are asked for."""
    daemon.say("game bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1")
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "points"}).raise_for_status()
    daemon.say("deal")
    page = visit(daemon.url, 390, 844)
    due = page.locator("#due")
    expect(due.get_by_role("button")).to_have_text(["Ann’s trick points", "Bob’s trick points"])
    expect(due).to_contain_text("To peg points, tap +")
    expect(due.locator("h2")).to_have_class("unseen")
    expect(due.locator(".act.first")).to_have_count(0)
    due.get_by_role("button", name="Ann’s trick points").click()
    page.get_by_role("dialog").get_by_role("button", name="110", exact=True).click()
    expect(due.locator(".act.first")).to_have_text("Bob has 60 in tricks")


def test_a_second_game_asks_who_deals_and_the_history_explains_two(
    daemon: Daemon, visit: Visit
) -> None:
    """The dealer was merely offered next to "Next game". A skunk is two games in the chart and one
    in the table. A player without a shown hand has no highest one."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "1 adjust +118")
    daemon.say("1 peg 3")
    page = visit(daemon.url, 390, 844)
    due = page.locator("#due")
    due.get_by_role("button", name="Next game").click()
    expect(due.get_by_role("heading")).to_have_text("Who deals?")
    expect(due.get_by_role("button")).to_have_text(["Ann", "Bob"])
    page.goto(f"{daemon.url}/history.html")
    expect(page.locator("#players")).to_contain_text("a skunk or a double game counts as two")
    with daemon.client as client:
        assert [player["hand"] for player in client.get("/history").json()["players"]] == [None] * 2
    expect(page.locator("#players")).not_to_contain_text(re.compile(r"highest hand\s*0"))


@pytest.mark.slow
def test_the_last_trick_of_six_packs_waits_too_and_a_long_name_takes_one_line(
    daemon: Daemon, visit: Visit
) -> None:
    daemon.say("game six-pack-bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1")
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "points"}).raise_for_status()
    daemon.say("deal")
    page = visit(f"{daemon.url}/?lang=ja", 390, 844)
    due = page.locator("#due")
    expect(due.get_by_role("button")).to_have_text(["最後のトリックを取ったのは？"])
    tops = [page.locator(at).bounding_box() for at in ("#table", "#tongue", ".link")]
    assert all(box is not None and box["y"] < 48 for box in tops), tops
    due.get_by_role("button").click()
    page.get_by_role("dialog").get_by_role("button", name="Ann").click()
    due.get_by_role("button", name="ディールを終える").click()
    expect(due.locator(".running")).to_contain_text("Annの勝ち、1200点。相手がルビコンの線に")


def test_trumps_are_not_asked_before_a_marriage_says_them(daemon: Daemon, visit: Visit) -> None:
    """Rubicon Bezique has no trumps until then, and its first card is led without them."""
    daemon.say("game rubicon-bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1")
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"}).raise_for_status()
    daemon.say("deal")
    page = visit(daemon.url, 390, 844)
    heading = page.locator("#due").get_by_role("heading")
    expect(heading).to_have_text("Which card does Bob play?")
    page.get_by_role("button", name="More …").click()
    expect(page.get_by_role("dialog")).to_contain_text("Which suit is trumps?")


BROKEN = """() => {
  const found = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const shown = node.parentElement.checkVisibility({ visibilityProperty: true });
    if (!shown || node.parentElement.closest('.unseen, h1, svg')) continue;
    for (const { 0: word, index } of node.data.matchAll(/[A-Za-z]+/g)) {
      const range = document.createRange();
      range.setStart(node, index);
      range.setEnd(node, index + word.length);
      const lines = new Set([...range.getClientRects()].map(({ top }) => Math.round(top)));
      if (lines.size > 1 || range.getBoundingClientRect().right > innerWidth) found.push(word);
    }
  }
  return found;
}"""
"""Return words that are broken between two lines, or extend beyond the window."""


@pytest.mark.slow
@pytest.mark.parametrize("size", [(844, 390), (390, 844)])
def test_no_word_is_broken_in_large_text(
    daemon: Daemon, visit: Visit, size: tuple[int, int]
) -> None:
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")
    daemon.say("1 discard ? ?", "2 discard ? ?", "undo")
    page = visit(daemon.url, *size, reduced_motion="reduce")
    for file in ("", "history.html", "setup.html"):
        page.goto(f"{daemon.url}/{file}")
        expect(page.locator(".masthead nav a").first).to_be_visible()
        if not file:
            expect(page.get_by_role("button", name="Redo")).to_be_visible()
            # on a phone a dot alone shows that the board is connected
            page.evaluate("document.querySelector('.link').hidden = innerWidth < 500")
        page.evaluate("document.documentElement.style.fontSize = '200%'")
        assert page.evaluate(BROKEN) == [], file


@pytest.mark.slow
def test_long_names_fit_a_chart_on_a_phone(daemon: Daemon, visit: Visit) -> None:
    """The names of the two lines, and their scores, are complete or end in an ellipsis."""
    daemon.say("game cribbage", "seat 1 Old Mr. Finch of Finchley", "seat 2 The Board", "dealer 1")
    daemon.say("deal", "2 peg 8 hand", "1 adjust +121")
    page = visit.blank(390, 844)
    page.goto(f"{daemon.url}/history.html")
    page.locator("[data-game]").first.click()
    names = page.locator("#game .chart text.name")
    expect(names).to_have_text([re.compile(r"^Old Mr.*… 121$"), "The Board 8"])
    chart = page.locator("#game .chart").bounding_box()
    for name in names.all():
        box = name.bounding_box()
        assert chart is not None and box is not None
        assert box["x"] + box["width"] <= chart["x"] + chart["width"]
    words, glass = page.locator("text.words").first, page.locator("rect.glass")
    page.wait_for_function("document.fonts.check('16px \"Boardctl Mono\"')")
    inside, room = words.bounding_box(), glass.bounding_box()
    assert inside is not None and room is not None
    assert inside["width"] <= room["width"]


def test_a_board_that_went_silent_is_lost(daemon: Daemon, visit: Visit) -> None:
    """The socket stays open, as when a phone has left the Wi-Fi. The page still reports the loss,
    and finds the board again."""
    # no answer, so it reconnects
    visit.forgiven.append("closed before the connection is established")
    page = visit.blank(390, 844)
    page.clock.install()
    page.goto(daemon.url)
    page.wait_for_selector("body[data-link=open]")
    daemon.process.send_signal(signal.SIGSTOP)
    try:
        page.clock.run_for(10_000)
        page.clock.run_for(15_000)
        expect(page.locator("body")).to_have_attribute("data-link", "closed")
        expect(page.locator("#news")).to_contain_text("The connection to the board is lost")
    finally:
        daemon.process.send_signal(signal.SIGCONT)
    page.clock.run_for(9_000)
    expect(page.locator("body")).to_have_attribute("data-link", "open")


def test_styles_are_not_nested() -> None:
    """Browsers of 2022, which many phones will keep, ignore nested rules."""
    for file in sorted(STATIC.glob("*.css")):
        inside: list[str] = []
        for selector, sign in re.findall(r"([^{};]*)([{};])", bare(file.read_text("utf-8"))):
            if sign == "{":
                assert all(rule.startswith("@") for rule in inside), (file.name, inside, selector)
                inside.append(selector.strip())
            elif sign == "}":
                inside.pop()
        assert not inside


def bare(styles: str) -> str:
    """Return styles without their comments."""
    return re.sub(r"/\*.*?\*/", "", styles, flags=re.DOTALL)
