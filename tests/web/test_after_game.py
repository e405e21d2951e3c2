"""After a game, the page shows its highlights and luck in words, a picture to share, and the game
as a file. This is true on every screen size, until the next game begins."""

from __future__ import annotations

import io
import json
import math
import re
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest
from click.testing import CliRunner
from PIL import Image
from playwright.sync_api import Route, expect

from boardctl.commands import main
from boardctl.web.viewer import game_picture, png
from tests.parts import need
from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit, until

VECTORS = Path(__file__).parents[1] / "vectors" / "records-cribbage-2.jsonl"
SHARES = """() => {
  window.shared = [];
  navigator.canShare = ({ files }) => files.length === 1;
  navigator.share = async ({ files }) => {
    const bytes = new Uint8Array(await files[0].arrayBuffer());
    window.shared.push([files[0].name, files[0].type, bytes.length, [...bytes.slice(0, 8)]]);
    document.body.dataset.shared = String(window.shared.length);
  };
}"""


def play(daemon: Daemon) -> None:
    """Play a game with known cards to its end."""
    record = json.loads(VECTORS.read_text("utf-8").splitlines()[0])["record"]
    daemon.say("session evening", *record.splitlines())


def won(daemon: Daemon) -> None:
    """Play a game with points only."""
    daemon.say("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "2 peg 8 hand")
    daemon.say("1 adjust +121")


def test_what_is_not_read_yet_is_said(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, 390, 844)
    page.route("**/highlights/*", lambda _: None)  # the answer waits
    won(daemon)
    expect(page.locator("#after")).to_contain_text("Reading …")
    page.unroute("**/highlights/*")  # and arrives
    expect(page.locator("#after .highlights")).to_contain_text("Best hand: Bob")
    expect(page.locator("#after")).not_to_contain_text("Reading …")


@pytest.mark.slow
def test_highlights_are_awaited_however_long_they_are_read(daemon: Daemon, visit: Visit) -> None:
    """The page used to ask eight times, a second apart, and then kept saying "Reading …"."""
    page = visit.blank(390, 844)
    page.clock.install()
    asked: list[str] = []
    busy = {"error": {"code": "busy", "message": "busy"}}

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 12:
            route.continue_()
        else:
            route.fulfill(status=503, json=busy)

    page.route("**/highlights/*", answer)
    page.goto(daemon.url)
    page.wait_for_selector("body[data-link=open]")
    visit.forgiven.append("503")
    won(daemon)
    expect(page.locator("#after")).to_contain_text("Reading …")
    until(lambda: page.clock.run_for(16000) or len(asked) > 12, page)  # type: ignore[func-returns-value]
    expect(page.locator("#after .highlights")).to_contain_text("Best hand: Bob")


def test_a_history_that_cannot_be_read_is_said(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, 390, 844)
    broken = {"error": {"code": "no-history", "message": "Line 3 cannot be read."}}
    page.route("**/highlights/*", lambda route: route.fulfill(status=500, json=broken))
    visit.forgiven.append("500")
    won(daemon)
    expect(page.locator("#after .highlights")).to_have_text("Line 3 cannot be read.")


@pytest.mark.slow
def test_luck_is_not_told_of_points_alone(daemon: Daemon, visit: Visit) -> None:
    """Without cards, the page would blame bad luck for bad decisions."""
    page = visit(daemon.url, 390, 844)
    won(daemon)
    # The analysis, which comes last, states the turning point.
    expect(page.locator("#after .highlights")).to_contain_text("chance of winning rose from")
    expect(page.locator("#after .highlights")).not_to_contain_text("Luck")


def test_a_draw_is_said_and_leaves_what_a_win_does(daemon: Daemon, visit: Visit) -> None:
    """By the usual rule for ties, a game of Bezique ends in a draw if both players reach the target
    with equal scores."""
    page = visit(daemon.url, 390, 844)
    daemon.say("game bezique", "seat 1 Ann", "seat 2 Bob", "start 920 970", "dealer 1", "deal")
    daemon.say("turnup 9D", "1 count 110")
    expect(page.locator("#after")).to_be_hidden()
    daemon.say("2 count 60")
    expect(page.locator("#happened")).to_have_text("The game is drawn.")
    expect(page.locator("#after").get_by_role("button")).to_have_count(2)
    daemon.say("game bezique")
    expect(page.locator("#after")).to_be_hidden()


@pytest.mark.slow
def test_what_a_game_of_one_deal_is_worth_is_said(daemon: Daemon, visit: Visit) -> None:
    """The points alone do not show it: the winner of 290 to 40 has won 1200."""
    daemon.say("game six-pack-bezique", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")
    daemon.say("2 meld KS QS", "1 peg 40", "2 count 250", "1 count 0")
    page = visit(daemon.url, 390, 844)
    expect(page.locator("#due .running")).to_have_text(
        "Bob wins 1200: the opponent is rubiconed, so both scores and a bonus count."
    )


@pytest.mark.slow
def test_highlights_and_luck_are_told(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, 390, 844)
    expect(page.locator("#after")).to_be_hidden()
    play(daemon)
    highlights = page.locator(".highlights li")
    expect(highlights.first).to_contain_text("Best hand: P1, 28")
    expect(highlights.first).to_contain_text("and starter")
    expect(highlights.first.locator(".card")).to_have_count(5)
    expect(highlights.nth(1)).to_contain_text("Turning point: deal")
    # The analysis arrives later, and nothing moves then.
    before = page.locator("#moves").bounding_box()
    # A sum of all swings may exceed a whole win, so it is not a chance.
    expect(highlights.nth(2)).to_contain_text(re.compile("^Luck: the cards favoured"))
    expect(highlights.nth(1)).to_contain_text("chance of winning rose from")
    assert page.locator("#moves").bounding_box() == before
    page.locator("#due button").first.click()  # the next game
    expect(page.locator("#after")).to_be_hidden()


@pytest.mark.slow
@sweep(
    "size",
    [(390, 844), (844, 390), (820, 1180), (1280, 900)],
    ordinary=[(390, 844)],
)
def test_a_tap_shares_a_picture_and_another_the_game(
    daemon: Daemon, visit: Visit, size: tuple[int, int]
) -> None:
    won(daemon)
    page = visit.blank(*size, has_touch=True)
    page.add_init_script(f"({SHARES})()")
    page.goto(daemon.url)
    page.wait_for_selector("body[data-link=open]")
    page.get_by_role("button", name="Share a picture").tap()
    expect(page.locator("body")).to_have_attribute("data-shared", "1")
    name, kind, size_of, head = page.evaluate("window.shared[0]")
    assert (name, kind) == ("game-2.png", "image/png")
    assert bytes(head) == b"\x89PNG\r\n\x1a\n" and size_of > 10_000
    page.get_by_role("button", name="Send this game").tap()
    expect(page.locator("body")).to_have_attribute("data-shared", "2")
    assert page.evaluate("window.shared[1].slice(0, 2)") == ["game-2.html", "text/html"]
    small = page.locator("#after button").evaluate_all(
        "(all) => all.filter((one) => one.offsetHeight < 44).length"
    )
    assert small == 0
    expect(page.get_by_role("button", name="Share a picture")).to_be_in_viewport(ratio=1)


@pytest.mark.slow
def test_a_browser_that_cannot_share_saves(daemon: Daemon, visit: Visit, tmp_path: Path) -> None:
    won(daemon)
    page = visit.blank(1280, 900)
    page.add_init_script("delete Navigator.prototype.canShare")
    page.goto(f"{daemon.url}/?lang=ja")
    page.wait_for_selector("body[data-link=open]")
    expect(page.locator(".highlights")).to_contain_text("最高の手札：Bob 8点")
    with page.expect_download() as saved:
        page.get_by_role("button", name="画像を保存").click()
    assert saved.value.suggested_filename == "game-2.png"
    with page.expect_download() as saved:
        page.get_by_role("button", name="このゲームをページとして保存").click()
    assert saved.value.suggested_filename == "game-2.html"
    file = tmp_path / "game.html"
    saved.value.save_as(file)
    replay = visit.blank(390, 844)
    replay.goto(file.as_uri())
    expect(replay.locator("#scores b")).to_have_text(["121", "8"])


def test_the_board_makes_a_png_of_it(daemon: Daemon) -> None:
    """The command and the page produce the same picture."""
    need("rsvg-convert")
    won(daemon)
    done = CliRunner().invoke(main, ["export", "2", "--as", "png", "--data", str(daemon.data)])
    assert done.exit_code == 0, done.stderr
    with daemon.client as client:
        answer = client.get("/export/2.png")
        drawn = ElementTree.fromstring(client.get("/export/2.svg").text)
    assert answer.headers["content-type"] == "image/png"
    assert 'filename="game-2.png"' in answer.headers["content-disposition"]
    assert answer.content == done.stdout_bytes
    dots = Image.open(io.BytesIO(answer.content)).convert("RGB")
    assert dots.size == tuple(math.ceil(float(drawn.get(side, ""))) for side in ("width", "height"))
    raw = dots.tobytes()
    shown = {f"#{raw[n : n + 3].hex()}" for n in range(0, len(raw), 3)}
    assert shown >= {game_picture.PAPER, *game_picture.SIDES[:2]}


@pytest.mark.slow
def test_a_board_that_cannot_make_a_png_says_what_it_needs(
    run: Callable[..., Daemon], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    programs = tmp_path / "programs"
    programs.mkdir()
    monkeypatch.setenv("PATH", str(programs))
    daemon = run()
    won(daemon)
    asked = ["export", "2", "--as", "png", "--data", str(daemon.data)]

    def answered(language: str) -> tuple[int, str, str]:
        with daemon.client as client:
            answer = client.get(f"/export/2.png?lang={language}")
        error = answer.json()["error"]
        return answer.status_code, error["code"], error["message"]

    status, code, message = answered("en")
    assert (status, code) == (501, "no-png") and png.PACKAGE in message
    assert png.PACKAGE in answered("ja")[2] and answered("ja")[2] != message
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 1 and f"sudo apt install {png.PACKAGE}" in done.stderr
    failing = programs / png.PROGRAM
    failing.write_text("#!/bin/sh\necho no memory >&2\nexit 1\n")
    failing.chmod(0o755)
    assert answered("en")[:2] == (501, "no-png")
    done = CliRunner().invoke(main, asked)
    assert done.exit_code == 1 and f"`{png.PROGRAM}` failed: no memory" in done.stderr


@pytest.mark.slow
def test_the_history_gives_them_too(daemon: Daemon, visit: Visit) -> None:
    won(daemon)
    page = visit.blank(390, 844)
    page.goto(f"{daemon.url}/history.html")
    page.locator("[data-game]").first.click()
    with page.expect_download() as saved:
        page.locator("#game .gifts button").first.click()
    assert saved.value.suggested_filename == "game-2.png"


@pytest.mark.slow
def test_the_game_that_is_looked_at_is_the_one_just_played(daemon: Daemon, visit: Visit) -> None:
    won(daemon)
    page = visit(daemon.url, 390, 844)
    page.get_by_role("link", name="Look at the game").click()
    expect(page.locator("#game h2")).to_contain_text("Ann – Bob")
    expect(page.locator("#evenings .why")).to_have_text("Cribbage · Ann won · a skunk")


@pytest.mark.slow
def test_a_mark_after_a_card_is_not_alone_on_a_line(daemon: Daemon, visit: Visit) -> None:
    """The bracket after the cards of the best hand stays on the same line as the last card."""
    daemon.say("dealer 1", "deal", "starter 9H", "2 show 7S 7D 8D 8C", "1 resign")
    for width in range(320, 400, 16):
        page = visit(f"{daemon.url}/?lang=ja", width, 844)
        last = page.locator(".highlights .together").last
        expect(last).to_have_text("9♥）")
        page.wait_for_function(  # at one moment, because the list may be drawn again
            "() => document.fonts.status === 'loaded' && "
            "[...document.querySelectorAll('.highlights .together')].at(-1)"
            "?.getClientRects().length === 1"
        )
        page.context.close()
        visit.contexts.pop()
