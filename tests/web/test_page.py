"""The live page in Chromium: keys in, light out."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import TALL, Daemon, Visit


def lit(page: Page) -> dict[str, tuple[int, int, int]]:
    """Return the lit LEDs of the SVG by name, with their wire colours."""
    found: dict[str, str] = page.evaluate(
        """() => Object.fromEntries([...document.querySelectorAll('[data-lit]')]
             .filter((lamp) => lamp.dataset.lit)
             .map((lamp) => [lamp.dataset.lamp, lamp.dataset.lit]))"""
    )
    return {name: tuple(map(int, rgb.split(","))) for name, rgb in found.items()}  # type: ignore[misc]


def front(page: Page, track: int) -> str:
    """Return the brightest lamp of a track."""
    lamps = {name: sum(rgb) for name, rgb in lit(page).items() if name.startswith(f"track{track}.")}
    return max(lamps, key=lambda name: lamps[name])


def press(page: Page, keys: str) -> None:
    for key in keys:
        page.locator(f'.key[data-key="{key}"]').click()


def score(page: Page, side: int, points: int) -> None:
    expect(page.locator(f".side{side} .score")).to_have_text(str(points))


def peg_stands(page: Page, track: int, hole: int) -> None:
    """Wait until the peg is the brightest of its track after its animation; the previous one is
    dim."""
    page.wait_for_function(
        """([track, hole]) => {
             const light = (lamp) => lamp.dataset.lit.split(',').reduce((a, b) => a + Number(b), 0);
             const lamps = [...document.querySelectorAll(`[data-lamp^="track${track}."][data-lit]`)]
               .filter((lamp) => lamp.dataset.lit);
             lamps.sort((one, other) => light(other) - light(one));
             return lamps[0]?.dataset.lamp === `track${track}.${hole}`;
           }""",
        arg=[track, hole],
    )


@pytest.mark.slow
def test_a_games_worth_of_keys(daemon: Daemon, visit: Visit) -> None:
    """Enter a whole game in points with the keypad: check every score, every peg, and the win."""
    page = visit(daemon.url, height=TALL)
    scores = [0, 0]
    for turn, points in enumerate([8, 12, 24, 6, 17, 2, 28, 10, 12, 9, 20, 4, 12], 0):
        side = turn % 2
        scores[side] = min(121, scores[side] + points)
        press(page, f"{'AB'[side]}{points}#")
        score(page, side + 1, scores[side])
        peg_stands(page, side + 1, scores[side])
    assert scores == [121, 43]
    expect(page.locator(".side1 .chip.won")).to_have_text("wins")
    state = daemon.state()
    assert [s["score"] for s in state["sides"]] == scores
    assert [s["won"] for s in state["sides"]] == [2, 0], "a skunk: 43 is below 91"


def test_keys_are_typed(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url)
    for key in ["a", "9", "Backspace", "A", "1", "4", "Enter", "b", "7", "#"]:
        page.keyboard.press(key)
    score(page, 1, 14)
    score(page, 2, 7)
    peg_stands(page, 1, 14)
    peg_stands(page, 2, 7)


@pytest.mark.slow
def test_a_key_is_held(daemon: Daemon, visit: Visit) -> None:
    """Holding the star redoes an undone line; press and release are sent separately."""
    page = visit(daemon.url, height=TALL)
    press(page, "A8#")
    score(page, 1, 8)
    press(page, "*#")
    score(page, 1, 0)
    star = page.locator('.key[data-key="*"]')
    star.hover()
    page.mouse.down()
    score(page, 1, 8)  # it comes back while the key is still held
    page.mouse.up()


def test_focused_key_and_enter(daemon: Daemon, visit: Visit) -> None:
    """A user who reaches the keypad with Tab presses the focused key."""
    page = visit(daemon.url, height=TALL)
    for key in "A5#":
        page.locator(f'.key[data-key="{key}"]').focus()
        page.keyboard.press("Enter" if key == "A" else "Space")
    score(page, 1, 5)


@pytest.mark.parametrize("width", [360, 768, 1280])
def test_fits(daemon: Daemon, visit: Visit, width: int) -> None:
    """Nothing is wider than the screen, and every key is a target of at least 48 px."""
    page = visit(daemon.url, width=width, height=740)
    if page.locator("#keys").is_visible():
        page.locator("#keys").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    sizes = page.evaluate(
        "[...document.querySelectorAll('.key')].map((k) => [k.offsetWidth, k.offsetHeight])"
    )
    assert len(sizes) == 16
    assert min(min(size) for size in sizes) >= 48


@pytest.mark.slow
def test_board_restarts(daemon: Daemon, visit: Visit, run: Callable[..., Daemon]) -> None:
    """A page reconnects to its board automatically, and the score is unchanged."""
    page = visit(daemon.url, height=TALL)
    press(page, "A8#")
    score(page, 1, 8)
    visit.forgiven.append("ERR_CONNECTION_REFUSED")  # as the browser itself reports
    daemon.end()
    page.wait_for_selector("body[data-link=closed]")
    run(port=daemon.port)
    page.wait_for_selector("body[data-link=open]")
    peg_stands(page, 1, 8)


def test_reduced_motion(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, height=TALL, reduced_motion="reduce")
    press(page, "A8#")
    peg_stands(page, 1, 8)


def test_same_picture_for_all(daemon: Daemon, visit: Visit) -> None:
    """Differences add up to the same frame as a full one."""
    one = visit(daemon.url, height=TALL)
    press(one, "A8#B9#A3#")
    score(one, 1, 11)
    peg_stands(one, 1, 11)
    peg_stands(one, 2, 9)
    other = visit(daemon.url, height=TALL)
    peg_stands(other, 1, 11)
    assert lit(one) == lit(other)


@pytest.mark.parametrize("path", ["", "/history.html"])
def test_a_board_that_is_still_starting(daemon: Daemon, visit: Visit, path: str) -> None:
    """If nothing answers, or something other than the board, the page retries until the board is
    back."""
    asked = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort()
        elif len(asked) == 2:
            route.fulfill(status=502, body="<html>Bad gateway</html>")
        elif len(asked) == 3:
            route.fulfill(body="<html>Welcome to this network</html>")
        else:
            route.continue_()

    visit.forgiven += ["ERR_FAILED", "502"]
    page = visit.blank()
    page.clock.install()
    page.route("**/layout", answer)
    page.goto(daemon.url + path)
    for _ in range(40):
        if len(asked) < 4:
            page.wait_for_timeout(50)
            page.clock.run_for(2000)
    shown = "body[data-link=open]" if not path else "#evenings h2"
    page.wait_for_selector(shown)
    assert len(asked) == 4


def test_an_answer_that_is_not_the_boards(daemon: Daemon, visit: Visit) -> None:
    """A failed move or request is reported, and the page continues."""
    page = visit(daemon.url, height=TALL)
    for name in ("lines", "amend", "games"):
        page.route(f"**/{name}?*", lambda route: route.fulfill(body="<html>Log in</html>"))
    page.get_by_role("button", name="Points: Ann").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_role("button", name="8", exact=True).click()
    sentence = "The board is not responding; try again."
    expect(dialog.get_by_role("alert")).to_have_text(sentence)
    page.keyboard.press("Escape")
    page.locator("#table").click()
    expect(dialog.get_by_role("alert")).to_have_text(sentence)
    page.keyboard.press("Escape")
    daemon.say("dealer 1")
    page.locator(".move").first.click()
    expect(dialog.get_by_role("alert")).to_have_text(sentence)
    page.keyboard.press("Escape")
    for name in ("lines", "amend", "games"):
        page.unroute(f"**/{name}?*")
    press(page, "A8#")
    score(page, 1, 8)
