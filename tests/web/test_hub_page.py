"""The hub's page in a real browser: no console output, no axe violations, no name becomes
markup."""

from __future__ import annotations

import random
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import Browser

from boardctl.club.store import Game, Store
from boardctl.text import LANGUAGES
from tests.ports import free_port
from tests.sweeps import sweep
from tests.web.conftest import ROOT
from tests.web.test_accessibility import complaints
from tests.web.walks import TARGETS

NAMES = [
    *("Ann", "Bob", "花子", "<script>document.title = 'mine'</script>", '"><img src=x onerror=x>'),
    *(f"Player {n} of a club far away" for n in range(9)),
]

LINES = """all => all.map(one => {
    const text = document.createRange();
    text.selectNodeContents(one);
    return text.getClientRects().length;
})"""
"""The script that counts the lines of text in each cell."""


def season(path: Path, evenings: int, players: Sequence[str], name: str = "week {}") -> None:
    """Play some random evenings."""
    store = Store(path)
    chance = random.Random(evenings)
    for evening in range(1, evenings + 1):
        number = store.new(name.format(evening), players)
        for _ in range(3):
            for one, two in store.draw(number)[1].pairs:
                behind = chance.randint(70, 120)
                better = min(one, two, key=players.index)  # in most cases
                won = better if chance.random() < 0.6 else (two if better == one else one)
                result = {
                    "seats": [won, two if won == one else one],
                    "state": "won",
                    "scores": [121, behind],
                    "winner": 1,
                    "margin": "game" if behind > 90 else "skunk",
                }
                store.keep(Game("t1", f"{evening} {one} {two}", 1, result, 0.0))
    one, two = store.draws(number)[-1].pairs[0]
    pins = store.give_pins((one, two))
    store.correct(number, 3, one, two, 7, (pins[one], pins[two]), 1.0)
    store.close()


@contextmanager
def hub_over(path: Path, *more: str) -> Iterator[str]:
    """A hub that cannot reach a broker: its page shows its stored data."""
    port = free_port()
    process = subprocess.Popen(
        [
            *(sys.executable, "-m", "boardctl", "hub", "--broker", "127.0.0.1:9", "--no-tls"),
            *("--store", str(path), "--port", str(port), *more),
        ],
        stderr=subprocess.PIPE,
        text=True,
        cwd=ROOT,
    )
    assert process.stderr is not None
    assert "http://" in process.stderr.readline()
    try:
        yield f"http://127.0.0.1:{port}"
    finally:
        process.terminate()
        said = process.communicate(timeout=60)[1]
    assert "Traceback" not in said


@pytest.fixture
def hub(tmp_path: Path) -> Iterator[str]:
    season(tmp_path / "club.sqlite3", 11, NAMES, "<b>{}</b>")
    with hub_over(tmp_path / "club.sqlite3") as url:
        yield url


@pytest.mark.slow
@sweep(
    "scheme, width",
    [("light", 360), ("dark", 360), ("light", 1280), ("dark", 1280)],
    ordinary=[("light", 360), ("dark", 1280)],
)
def test_the_season_as_everybody_sees_it(
    hub: str, chromium: Browser, scheme: str, width: int
) -> None:
    context = chromium.new_context(
        viewport={"width": width, "height": 900},
        color_scheme="dark" if scheme == "dark" else "light",
    )
    page = context.new_page()
    said: list[str] = []
    page.on("console", lambda message: said.append(message.text))
    page.on("pageerror", lambda error: said.append(str(error)))
    try:
        page.goto(hub)
        assert page.title() == "<b>11</b>"
        assert page.locator("script, img, iframe, form, main b").count() == 0
        assert page.get_by_text(NAMES[3]).count() > 0
        assert page.get_by_text("by hand", exact=True).count() > 1
        for picture in page.get_by_role("img").all():
            assert picture.is_visible()
        assert page.get_by_role("img").count() == 2
        wide = page.evaluate("document.documentElement.scrollWidth")
        assert wide <= width, "what is wide moves by itself, not the page"
        (moving,) = complaints(page)
        assert moving.startswith("meta-refresh"), "for a screen on the wall …"
        page.get_by_role("link", name="stop refreshing").click()
        assert complaints(page) == [], "… and a page that stands still"
        page.get_by_role("link", name="refresh automatically").click()
        assert said == []
    finally:
        context.close()


@pytest.mark.slow
@pytest.mark.parametrize("language", LANGUAGES)
def test_tables_and_charts_fit_a_phone(tmp_path: Path, chromium: Browser, language: str) -> None:
    """Nothing must be scrolled sideways to be read, no name in a chart is cut off, and no letter is
    tiny."""
    path = tmp_path / "club.sqlite3"
    long = ["Zoë Ångström-Featherstonehaugh", "Maximilian Szczepański"]
    season(path, 9, [*long, "Ann", "Grandmother", "田中花子", "Mary-Jane", "Bob", "Cleo", "Dan"])
    with hub_over(path, "--language", language) as url:
        page = chromium.new_page(viewport={"width": 390, "height": 844})
        try:
            page.goto(url)
            page.evaluate("document.fonts.ready.then(() => null)")  # another font may be wider
            boxes = page.locator(".wide")
            sizes = boxes.evaluate_all("all => all.map(one => [one.scrollWidth, one.clientWidth])")
            assert page.evaluate(TARGETS)["small"] == []
            assert len(sizes) > 5
            assert [size for size in sizes if size[0] > size[1]] == []
            lines = page.get_by_role("cell", name="Grandmother", exact=True).evaluate_all(LINES)
            assert set(lines) == {1}, "a name of one word is not broken"
            drawn = page.locator("svg text").evaluate_all(
                """all => all.map(one => {
                    const box = one.getBoundingClientRect();
                    return [one.textContent, box.left, box.right, box.top, box.bottom];
                })"""
            )
            for number, (words, left, right, top, bottom) in enumerate(drawn):
                assert left >= 0, words
                assert right <= 390, words
                assert bottom - top >= 11, words
                for other, its_left, its_right, its_top, its_bottom in drawn[number + 1 :]:
                    beside = right <= its_left or its_right <= left
                    assert beside or bottom - 4 <= its_top or its_bottom <= top + 4, (words, other)
            page.goto(f"{url}/league")
            clubs = page.get_by_role("cell", name="club", exact=True)
            assert set(clubs.evaluate_all(LINES)) == {1}, "a club's name of one word is not broken"
            boxes = page.locator(".wide")
            sizes = boxes.evaluate_all("all => all.map(one => [one.scrollWidth, one.clientWidth])")
            assert [size for size in sizes if size[0] > size[1]] == []
        finally:
            page.close()


@pytest.mark.slow
def test_a_phone_enters_the_evening(tmp_path: Path, chromium: Browser) -> None:
    """In a real browser, which sends `Origin` and enforces the page's policy as phones do."""
    path = tmp_path / "club.sqlite3"
    store = Store(path)
    number = store.new("Friday", (), open_=True)
    with hub_over(path, "--name", "club.test") as url:
        page = chromium.new_page()
        said: list[str] = []
        page.on("console", lambda message: said.append(message.text))
        try:
            page.goto(url)
            code = page.get_by_role("img", name="scan with a phone to take part")
            assert code.evaluate("image => image.naturalWidth") > 100, "it is a picture"
            page.set_viewport_size({"width": 390, "height": 844})
            page.goto(f"{url}/entry/{store.about().code}")
            for part in page.locator("input, button, p > a").all():
                assert part.evaluate("one => one.getBoundingClientRect().height") >= 44
                size = part.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")
                assert size >= 16, "a phone enlarges the page under smaller letters"
            page.get_by_label("player").fill("Ann")
            page.get_by_label("PIN").fill("1234")
            assert complaints(page) == []
            page.get_by_role("button", name="send").click()
            page.get_by_role("status").get_by_text("Ann is taking part.").wait_for()
            assert store.players(number) == ("Ann",)
            for there in ("director", "league", f"player/{store.person('Ann')}"):
                page.goto(f"{url}/{there}")
                assert complaints(page) == []
            assert said == []
        finally:
            page.close()
            store.close()
