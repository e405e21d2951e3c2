"""The board in a browser's tab, in Chromium: games, reloads, no network, full storage, two tabs."""

from __future__ import annotations

import asyncio
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from boardctl.bot import lessons
from boardctl.storage import backup
from tests.app.test_tab import Visitor
from tests.tab import games
from tests.tab.conftest import PATIENCE, Site, Tab
from tests.web.conftest import Visit
from tests.web.test_against_the_board import CARD, MOST_TAPS, Phone, act, look_on, moved
from tests.web.test_lesson import follow
from tools import tab as builder

pytestmark = pytest.mark.slow


def on_a_board(copy: bytes, data: Path, game: int = 1) -> tuple[str, str]:
    """Return the games of a copy as another board exports them: a text and a table."""
    data.mkdir()
    file = data.with_suffix(".sqlite3")
    file.write_bytes(copy)
    backup.restore(file, data)

    async def read() -> tuple[str, str]:
        page = Visitor(data)
        _, text = await page.get(f"/export/{game}.txt")
        _, table = await page.get("/export/games.csv")
        await page.close()
        return text.decode(), table.decode()

    # Playwright uses this thread's event loop.
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, read()).result()


def test_a_game_by_hands_a_reload_and_no_network(
    opened: Callable[..., Tab], visit: Visit, site: Site, tmp_path: Path
) -> None:
    visit.forgiven.append("the lines of a backup were restored")
    lines = games.cribbage(1)
    half = len(lines) // 2
    tab = opened()
    tab.say(lines[:half])
    before, scores = tab.state(), tab.scores
    # A correction, and a line taken back and restored.
    tab.frame.locator("[data-focus=undo]").click()
    expect(tab.page.frame_locator("#page").locator("body")).not_to_have_attribute(
        "data-number", str(before["number"])
    )
    tab.frame.locator("[data-focus=redo]").click()
    tab.page.wait_for_function(
        "number => document.getElementById('page').contentDocument.body.dataset.number === number",
        arg=str(tab.state()["number"]),
    )
    assert tab.scores == scores == games.scores(lines[:half])
    number = tab.state()["number"]

    tab.reload()
    assert tab.state()["number"] == number
    tab.say(lines[half:-1])
    tab.installed()

    site.end()  # the second visit needs no network
    tab.reload()
    tab.say(lines[-1:])
    assert tab.state()["over"]
    assert tab.scores == games.scores(lines)

    # The same games on another board, and back: the same bytes.
    text, table = tab.get("export/1.txt"), tab.get("export/games.csv")
    copy = tab.copy()
    assert on_a_board(copy, tmp_path / "board") == (text, table)
    assert tab.restore(copy[:9000])["refused"]
    assert tab.restore(copy) == {"refused": ""}
    tab.reload()
    assert (tab.get("export/1.txt"), tab.get("export/games.csv")) == (text, table)


def test_klaberjass_a_lesson_and_pages_without_a_server(opened: Callable[..., Tab]) -> None:
    tab = opened()
    lines = games.walked("klaberjass", 3, 60)
    tab.say(lines)
    assert tab.scores == games.scores(lines)
    frame = tab.page.frame_locator("#page")
    for page, shown in (
        ("lesson.html?lesson=cribbage", "h2"),
        ("history.html", "main"),
        ("drill.html", "main"),
        ("position.html", "main"),
        ("setup.html", "#save"),
    ):
        tab.frame.evaluate("page => location.assign(page)", page)
        expect(frame.locator(shown).first).to_be_visible()
        address = page.partition("?")[0]
        tab.page.wait_for_function("page => location.hash.startsWith(page)", arg=f"#{address}")
    with tab.page.expect_download() as saved:
        frame.locator("#save").click()
    assert saved.value.suggested_filename == "games.sqlite3"
    tab.page.reload()
    expect(frame.locator("#save")).to_be_visible(timeout=1000 * PATIENCE)


def test_the_lesson_to_its_end(opened: Callable[..., Tab]) -> None:
    tab = opened()
    tab.frame.evaluate("location.assign('lesson.html?lang=en&lesson=cribbage')")
    lesson: Any = tab.frame  # it has what `follow` uses of a page
    expect(lesson.locator(".lesson-say")).to_be_visible()
    assert follow(lesson, "en") == len(lessons.load("cribbage").step)


def choose_level(tab: Tab, level: int) -> None:
    frame = tab.page.frame_locator("#page")
    frame.get_by_role("button", name="Play against the board").click()
    frame.locator(f"dialog[open] [data-focus='level{level}']").click()


def a_turn(tab: Tab) -> bool:
    """Wait until the page asks this person for something, and do it as a person does: throw two
    cards, play the last that may be, look at the board's hand, or count the own one. Return False
    once the game is over."""
    page: Any = tab.frame  # it has what these helpers use of a page
    board: Any = tab
    tab.until(
        f"""(async () => {{
          const page = document.getElementById('page').contentWindow;
          const {{ number, over }} = await (await page.fetch('state')).json();
          const {{ body }} = page.document;
          return body.dataset.number === String(number)
            && (over || body.querySelector('#due :is({CARD}, .act.first:enabled)') !== null);
        }})()"""
    )
    state = tab.state()  # after the board's moves, or `moved` takes one for ours
    if page.locator("#due.counts").count():
        look_on(page)
        return True
    if state["over"]:
        return False
    phone = Phone(page)
    act(phone, phone.hand)
    moved(page, board, state["number"])
    return True


def test_a_whole_game_against_level_five(opened: Callable[..., Tab], tmp_path: Path) -> None:
    tab = opened()
    choose_level(tab, 5)
    turns = 0
    while a_turn(tab):
        turns += 1
        assert turns < MOST_TAPS, tab.frame.locator("#due").inner_text()
    assert max(tab.scores) == 121
    assert len([side for side in tab.state()["sides"] if side["won"]]) == 1
    # Another board reads the same game, with every card that was dealt.
    text, table = tab.get("export/2.txt"), tab.get("export/games.csv")
    assert "?" not in text
    assert games.scores(text.splitlines()) == tab.scores
    assert on_a_board(tab.copy(), tmp_path / "board", game=2) == (text, table)


def test_the_page_loads_behind_the_first_screen(visit: Visit, site: Site) -> None:
    """Its requests wait for Python, and nobody sees or reaches it until they are answered."""
    page = visit.blank()
    held: list[Route] = []
    page.route("**/board-*.zip", lambda route: held.append(route))
    page.goto(site.url)
    page.locator("#play").click()
    frame = page.locator("#page")
    expect(page.frame_locator("#page").locator("body")).to_be_attached()
    expect(frame).to_have_js_property("inert", value=True)
    expect(frame).not_to_be_visible()
    expect(page.locator("#said")).to_contain_text("Loading")
    while not held:
        page.wait_for_timeout(50)
    held[0].continue_()
    tab = Tab(page)
    tab.live()
    expect(frame).to_be_visible()
    expect(page.locator("#first")).not_to_be_visible()
    tab.say(["1 peg 8"])


def test_a_second_tab_waits_for_the_first(opened: Callable[..., Tab], site: Site) -> None:
    tab = opened()
    tab.say(["1 peg 8"])
    number = tab.state()["number"]
    other = Tab(tab.context.new_page())
    other.page.goto(site.url)
    expect(other.page.locator("#said")).to_contain_text("open in another tab")
    tab.page.close()
    other.live()
    assert other.state()["number"] == number


def test_a_second_visit_continues_from_kept_memory(opened: Callable[..., Tab], site: Site) -> None:
    """The start is several times shorter, and everything works without a network."""
    tab = opened()
    tab.say(["1 peg 8"])
    assert not tab.is_resumed()
    tab.installed()
    tab.start_kept()
    site.end()
    for number in (1, 2):
        tab.reload()
        assert tab.is_resumed(), number
        assert tab.scores[0] == 8 * number
        tab.say(["1 peg 8"])
    # Modules that no start has loaded are there, and the computer player starts the same way.
    tab.say(games.walked("pinochle", 3, 20))
    tab.say(["game cribbage", "seat 1 Ann", "seat 2 Bob"])
    choose_level(tab, 1)
    assert a_turn(tab)


def test_memory_that_does_not_fit_is_tried_once(opened: Callable[..., Tab], visit: Visit) -> None:
    tab = opened()
    tab.say(["1 peg 8"])
    tab.installed()
    said: list[str] = []
    tab.page.on("console", lambda message: said.append(message.text))
    visit.forgiven.append("does not fit")
    tab.change_start("12 + text + 16", 1)  # the build of another Pyodide
    for refusals in (1, 0):
        said.clear()
        tab.reload()
        assert not tab.is_resumed()
        assert tab.scores[0] == 8
        assert len([one for one in said if "does not fit" in one]) == refusals


def test_memory_whose_starts_do_not_end_is_replaced_once(opened: Callable[..., Tab]) -> None:
    """Perhaps the tab was only closed too early."""
    tab = opened()
    tab.installed()
    for unfinished, resumed in ((1, True), (2, False), (1, True), (2, False)):
        tab.change_start("4", unfinished)
        tab.reload()
        assert tab.is_resumed() == resumed, unfinished
    tab.reload()
    assert not tab.is_resumed()


def test_no_room_for_the_games(opened: Callable[..., Tab], visit: Visit, site: Site) -> None:
    tab = opened()
    tab.say(["1 peg 8"])
    tab.start_kept()
    number = tab.state()["number"]
    session = tab.context.new_cdp_session(tab.page)
    origin = {"origin": site.url.rstrip("/").rpartition("/")[0]}
    session.send("Storage.overrideQuotaForOrigin", {**origin, "quotaSize": 1})
    # The answer waits for the disk, as on any board, and the line is kept meanwhile.
    visit.forgiven += ["is not saved yet", "works again"]
    tab.frame.evaluate(
        """async () => {
          const { number } = await (await fetch('state')).json();
          window.answered = fetch('lines', {
            method: 'POST', headers: { 'content-type': 'application/json' },
            body: JSON.stringify({ line: '2 peg 3', expect: number }),
          });
        }"""
    )
    expect(tab.page.locator("#warned")).to_contain_text("no room")
    tab.start_forgotten()  # games need its room more
    session.send("Storage.overrideQuotaForOrigin", origin)
    assert tab.frame.evaluate("async () => (await (await answered).json()).number") == number + 1
    tab.reload()
    assert tab.state()["number"] == number + 1


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ("window, 'isSecureContext', { value: false }", "https:// or http://localhost"),
        (
            "window, 'localStorage', { get() { throw new DOMException('no') } }",
            "blocks the storage",
        ),
        ("navigator, 'locks', { value: undefined }", "too old"),
    ],
    ids=["insecure", "blocked", "old"],
)
def test_the_first_screen_says_why_a_browser_cannot(
    visit: Visit, site: Site, changed: str, said: str
) -> None:
    page = visit.blank()
    page.add_init_script(f"Object.defineProperty({changed})")
    page.goto(site.url)
    expect(page.locator("#said")).to_contain_text(said)
    expect(page.get_by_role("button", name="Try again")).to_be_enabled()
    assert page.workers == []


def test_a_policy_that_lets_nothing_else_run(
    opened: Callable[..., Tab], visit: Visit, site: Site
) -> None:
    tab = opened()
    tab.installed()
    tab.reload()  # the service worker also sends the policy to the workers
    visit.forgiven += ["Content Security Policy", "TrustedScript"]
    for window in (tab.page.main_frame, tab.frame):
        refused = window.evaluate(
            """() => new Promise((yes) => {
              addEventListener('securitypolicyviolation', ({ effectiveDirective }) => {
                if (effectiveDirective === 'img-src') yes([effectiveDirective, name]);
              });
              let name = '';
              try {
                document.createElement('script').text = '1';
              } catch (error) {
                ({ name } = error);
              }
              new Image().src = 'https://example.com/a.png';
            })"""
        )
        assert refused == ["img-src", "TypeError"]


def test_an_update_waits_until_the_board_is_closed(
    visit: Visit, folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No page gets files of two versions, and the game continues."""
    mine = tmp_path / "board"
    shutil.copytree(folder, mine)
    site = Site(mine)
    tab = Tab(visit.blank()).open(site.url)
    tab.say(["1 peg 8"])
    tab.installed()
    tab.start_kept()
    before, number = tab.frame.url, tab.state()["number"]

    static = tmp_path / "static"
    shutil.copytree(builder.STATIC, static)
    page = static / "index.html"
    page.write_text(page.read_text().replace("<body", '<body data-version="2"'))
    monkeypatch.setattr(builder, "page_files", partial(builder.page_files, static))
    builder.make(mine, builder.installed())
    tab.reload()
    tab.until("navigator.serviceWorker.getRegistration().then(({ waiting }) => waiting !== null)")
    assert tab.frame.url == before
    assert tab.state()["number"] == number
    # A page of the same server that does not belong to the board. It shows when the new version is
    # in use.
    tab.page.goto(site.url.removesuffix("board/"))
    tab.until("navigator.serviceWorker.getRegistrations().then(([one]) => one.waiting === null)")
    fresh = tab.open(site.url)
    assert fresh.frame.url != before
    assert fresh.frame.locator("body[data-version='2']").count() == 1
    assert fresh.state()["number"] == number
    assert not fresh.is_resumed(), "memory of another version"
    site.end()
