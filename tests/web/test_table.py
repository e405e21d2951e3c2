"""The table on the page: tapping prompts, correcting moves, and many phones at once."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, WebSocketRoute, expect

from tests.web.conftest import Daemon, Visit


def scores(page: Page, *points: int) -> None:
    for side, score in enumerate(points, 1):
        expect(page.locator(f".side{side} .score")).to_have_text(str(score))


def peg(page: Page, name: str, points: int) -> None:
    page.get_by_role("button", name=f"Points: {name}").click()
    page.get_by_role("dialog").get_by_role("button", name=str(points), exact=True).click()


@pytest.mark.slow
def test_points_by_tapping(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, width=360, height=740, has_touch=True)
    peg(page, "Ann", 8)
    scores(page, 8, 0)
    expect(page.locator("#happened")).to_have_text("Ann pegs 8")
    peg(page, "Bob", 12)
    scores(page, 8, 12)


def test_undo_redo_amend(daemon: Daemon, visit: Visit) -> None:
    daemon.say("1 peg 8", "2 peg 12", "1 peg 4")
    page = visit(daemon.url)
    page.get_by_role("button", name="Undo").click()
    scores(page, 8, 12)
    page.get_by_role("button", name="Redo").click()
    scores(page, 12, 12)
    expect(page.get_by_role("button", name="Redo")).to_be_disabled()
    page.locator(".move", has_text="Bob pegs 12").click()
    dialog = page.get_by_role("dialog")
    button = dialog.get_by_role("button", name="12", exact=True)
    expect(button).to_have_attribute("aria-pressed", "true")
    dialog.get_by_role("button", name="10", exact=True).click()
    scores(page, 12, 10)
    page.get_by_role("button", name="Undo").click()
    scores(page, 12, 12)
    page.get_by_role("button", name="Redo").click()
    scores(page, 12, 10)
    page.locator(".move", has_text="Ann pegs 8").click()
    page.get_by_role("button", name="Take out").click()
    scores(page, 4, 10)
    page.locator(".move", has_text="Ann pegs 4").click()
    page.get_by_text("In writing").click()
    page.get_by_label("In writing").fill("1 peg 19 hand")
    page.get_by_role("button", name="Change").last.click()
    refusal = page.get_by_role("dialog").get_by_role("alert")
    expect(refusal).to_have_text(re.compile(r"A score of 19 is not possible here"))
    scores(page, 4, 10)


@pytest.mark.slow
def test_two_phones_never_peg_one_hand_twice(daemon: Daemon, visit: Visit) -> None:
    """A tap on an outdated state is refused, and the new state is shown."""
    one, other = visit(daemon.url, width=360), visit(daemon.url, width=360)
    # The other phone sleeps: the board's messages do not arrive before its tap.
    other.get_by_role("button", name="Points: Ann").click()
    state = daemon.state()
    peg(one, "Ann", 8)
    scores(one, 8, 0)
    expect(other.get_by_role("dialog")).to_be_hidden()
    expect(other.locator("#happened")).to_have_text(
        "Somebody else has played in the meantime. This page now shows the current table."
    )
    scores(other, 8, 0)
    with daemon.client as client:
        late = client.post("/lines", json={"line": "1 peg 8", "expect": state["number"]})
    assert late.json()["refused"]["code"] == "stale"
    scores(other, 8, 0)


@pytest.mark.slow
def test_klaberjass_by_tapping(daemon: Daemon, visit: Visit) -> None:
    """Another game is played from its prompt alone: choices, cards, and confirmations."""
    daemon.say("game klaberjass", "dealer 1", "deal")
    page = visit(daemon.url, width=360, height=740)
    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="The card turned up").click()
    sizes = page.evaluate(
        """[...document.querySelectorAll('dialog .target')]
             .map((t) => [t.offsetWidth, t.offsetHeight])"""
    )
    assert len(sizes) == 32
    assert min(min(size) for size in sizes) >= 48
    page.get_by_role("button", name="nine of hearts").click()
    page.get_by_role("button", name="Confirm").click()
    page.locator("#due").get_by_role("button", name="take").click()
    state = daemon.state()
    assert [move["line"] for move in state["moves"]] == ["deal", "turnup 9H", "2 bid take"]
    assert state["trump"] == "H"


@pytest.mark.slow
def test_script_in_a_name(daemon: Daemon, visit: Visit) -> None:
    """Names of players appear as text everywhere."""
    name = "<img src=x onerror=alert(1)><script>alert(2)</script>"
    daemon.say("game cribbage", f"seat 1 {name}", "seat 2 Bob", "1 peg 8")
    page = visit(daemon.url)
    expect(page.locator(".side1 h2")).to_have_text(name)
    assert page.locator("img").count() == 0
    assert page.locator("body script").count() == 0


@pytest.mark.slow
def test_what_a_home_screen_cannot_do_is_said_without_https(daemon: Daemon, visit: Visit) -> None:
    """A phone in the network has no HTTPS. This machine's own address counts as safe (W3C, Secure
    Contexts, 3.1)."""
    page = visit(daemon.url)
    for is_safe in (True, False):
        if not is_safe:
            page.add_init_script("Object.defineProperty(window, 'isSecureContext', {value: false})")
            page.reload()
        page.locator("#table").click()
        sheet = page.get_by_role("dialog")
        # it has been drawn
        expect(sheet.get_by_role("heading", name="This screen")).to_be_visible()
        hint = sheet.get_by_text("Without HTTPS it opens")
        expect(hint).to_have_count(int(not is_safe))


def test_the_sheet_that_was_tapped_early_opens_once_the_table_is_known(
    daemon: Daemon, visit: Visit
) -> None:
    """All of the board's messages wait until the button has been tapped."""
    page, kept = visit.blank(390, 844), list[Callable[[], None]]()
    is_tapped = False

    def keep(socket: WebSocketRoute) -> None:
        def pass_on(message: str | bytes) -> None:
            if is_tapped:
                socket.send(message)
            else:
                kept.append(lambda: socket.send(message))

        socket.connect_to_server().on_message(pass_on)

    page.route_web_socket(re.compile("/ws"), keep)
    page.goto(daemon.url)
    page.locator("#table").click()
    while not kept:
        page.wait_for_timeout(20)
    for send in kept:
        send()
    is_tapped = True
    heading = page.get_by_role("dialog").get_by_role("heading", name="This screen")
    expect(heading).to_be_visible()


@pytest.mark.slow
def test_the_light_shows_what_is_on_wherever_it_was_chosen(daemon: Daemon, visit: Visit) -> None:
    one, other = visit(daemon.url, 390, 844), visit(daemon.url)
    for page in (one, other):
        page.locator("#table").click()
    chosen = "[role=group][aria-label=Light] [aria-pressed=true]"
    for page in (one, other):
        expect(page.locator(chosen)).to_have_text("Bright")
    one.get_by_role("button", name="Night", exact=True).click()
    for page in (one, other):
        expect(page.locator(chosen)).to_have_text("Night")
    with daemon.client as client:
        client.post("/commands", json={"what": "light", "value": "dim"})
    for page in (one, other):
        expect(page.locator(chosen)).to_have_text("Dim")


SPOKEN = "speechSynthesis.speak = (one) => { document.body.dataset.spoken = one.text; }; 0"
"""A voice of the phone that only remembers its last text."""


@pytest.mark.slow
def test_a_phone_counts_aloud_from_a_tap_to_the_next(daemon: Daemon, visit: Visit) -> None:
    daemon.say("dealer 1", "deal", "starter 4C")
    page = visit(daemon.url)
    page.evaluate(SPOKEN)
    page.locator("#table").click()
    aloud = page.get_by_role("button", name="Count aloud")
    expect(aloud).to_have_attribute("aria-pressed", "false")
    aloud.click()
    expect(aloud).to_have_attribute("aria-pressed", "true")
    daemon.say("2 show 5H 5S 6D JC")
    expect(page.locator("body")).to_have_attribute("data-spoken", re.compile("fifteen two"))
    page.evaluate("document.body.dataset.spoken = ''")
    aloud.click()
    expect(aloud).to_have_attribute("aria-pressed", "false")
    daemon.say("1 show 9H 9S 9D JH")
    scores(page, 6, 17)
    assert page.locator("body").get_attribute("data-spoken") == ""


def test_the_voice_shows_how_it_speaks_wherever_that_was_chosen(
    run: Callable[..., Daemon], visit: Visit, tmp_path: Path
) -> None:
    config = tmp_path / "voice.toml"
    config.write_text('[voice]\ndriver = "espeak"\nlevel = "counts"\n')
    daemon = run("--config", str(config))
    one, other = visit(daemon.url, 390, 844), visit(f"{daemon.url}/?lang=ja")
    for page in (one, other):
        page.locator("#table").click()
    voice = "[data-focus^=voice][aria-pressed=true]:not([data-focus=voice])"
    sounds = "[data-focus^=sounds][aria-pressed=true]"
    expect(one.locator(voice)).to_have_text("Counts")
    expect(other.locator(voice)).to_have_text("数えるだけ")
    group = one.get_by_role("group", name="The board’s voice")
    group.get_by_role("button", name="Everything").click()
    expect(one.locator(voice)).to_be_focused()
    expect(one.locator(voice)).to_have_text("Everything")
    expect(other.locator(voice)).to_have_text("すべて")
    other.get_by_role("group", name="盤の効果音").get_by_role("button", name="オフ").click()
    for page, text in ((one, "Off"), (other, "オフ")):
        expect(page.locator(sounds)).to_have_text(text)


def test_a_board_without_a_voice_offers_none(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url)
    page.locator("#table").click()
    expect(page.get_by_role("group", name="Light")).to_be_visible()
    expect(page.get_by_role("group", name="The board’s voice")).to_have_count(0)


def test_a_dialog_that_is_closed_and_opened_at_once_keeps_what_it_shows(
    daemon: Daemon, visit: Visit
) -> None:
    """The browser reports the closing only later."""
    page = visit(daemon.url)
    page.locator("#more").click()
    dialog = page.get_by_role("dialog", name="More")
    expect(dialog).to_be_visible()
    page.evaluate("""() => new Promise((later) => {
      document.querySelector('dialog[open] .close').click();
      document.getElementById('more').click();
      setTimeout(later, 0);
    })""")
    expect(dialog.get_by_role("heading", name="Anything else")).to_be_visible()
