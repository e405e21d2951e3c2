"""Regenerate the pictures of `docs/pictures`: `make pictures`.

Play a vector game halfway on a simulated board and capture it in Chromium. Also film one deal for
the README.
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from contextlib import closing
from io import BytesIO
from pathlib import Path

from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from boardctl.storage.journal import Journal, Writer
from boardctl.table import Table
from tests.tables import submit
from tests.web.conftest import ARGUMENTS, CHROMIUM, ROOT, start
from tests.web.test_hub_page import hub_over, season

PICTURES = ROOT / "docs" / "pictures"
VECTORS = ROOT / "tests" / "vectors" / "records-cribbage-2.jsonl"
PLAYERS = ("Ann", "Bob", "Cleo", "Dan", "Eve", "花子", "Ida", "Jo", "Kim", "Lea", "Mo", "Nina")
READY = {"/": "body[data-link=open]", "/history.html": "[data-game]"}
"""By path, a selector that exists once the page has been drawn."""
NAMES = {"seat 1 P1": "seat 1 Ann", "seat 2 P2": "seat 2 Bob"}


def play(data: Path) -> None:
    """Play four games on two evenings, and a fifth that stops after the starter of a late deal."""
    with closing(Writer()) as writer:
        journal = Journal(data, writer)
        now = [1_762_550_000.0]
        table = Table(journal, now=lambda: now[0])
        games = [json.loads(row)["record"].splitlines() for row in VECTORS.open()][:8]
        evenings = (("Friday", games[:3]), ("Sunday", games[3:7]), ("Home", games[7:]))
        for evening, records in evenings:
            now[0] += 2 * 86400
            submit(table, f"session {evening}", "pictures")
            for lines in records:
                for line in until_a_show(lines) if evening == "Home" else lines:
                    submit(table, NAMES.get(line, line), "pictures")
        journal.close()


def until_a_show(lines: list[str]) -> list[str]:
    """Return a record up to the last deal's first show."""
    last = max(n for n, line in enumerate(lines) if line == "deal")
    last = max(n for n in range(last) if lines[n] == "deal")
    return lines[: next(n for n in range(last, len(lines)) if lines[n].endswith(" show"))]


def take(
    browser: Browser,
    url: str,
    name: str,
    width: int,
    height: int,
    act: Callable[[Page], object] = lambda page: None,
    path: str = "/",
    scheme: str = "dark",
) -> None:
    context = browser.new_context(
        viewport={"width": width, "height": height},
        color_scheme="dark" if scheme == "dark" else "light",
        locale="en-GB",
        reduced_motion="reduce",
        device_scale_factor=2 if width < 500 else 1,
    )
    page = context.new_page()
    page.goto(url + path)
    page.wait_for_selector(READY.get(path.partition("?")[0], "body"))
    page.wait_for_timeout(1500)
    act(page)
    page.wait_for_timeout(1500)
    page.screenshot(path=PICTURES / f"{name}.png")
    context.close()


def tell_a_hand(page: Page) -> None:
    """Enter the expected hand by rank. Its count is shown before it is pegged."""
    page.locator("#due .first").click()
    page.keyboard.type("4556")


def film(browser: Browser, url: str) -> None:
    """Film one deal: points entered, a starter, a hand counted and pegged."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    page = context.new_page()
    page.goto(url)
    page.wait_for_selector("body[data-link=open]")
    frames: list[tuple[Image.Image, int]] = []

    def look(lasts: int, times: int = 1) -> None:
        for _ in range(times):
            page.wait_for_timeout(120)
            shot = Image.open(BytesIO(page.screenshot())).convert("RGB")
            frames.append((shot.resize((960, 600), Image.Resampling.LANCZOS), lasts))

    def tap(name: str, inside: str = "body") -> None:
        page.locator(inside).get_by_role("button", name=name, exact=True).first.click()

    look(1200)
    tap("Points: Ann")
    look(900)
    tap("8", "dialog")
    look(120, 6)
    look(1000)
    for name in ("Ann", "Deal", "five"):
        tap(name, "#due")
        look(900)
    tap("Enter the cards")
    look(700)
    for rank in ("four", "five", "five", "six"):
        tap(rank, "dialog")
        look(350)
    page.wait_for_timeout(1400)
    look(1800)
    tap("Peg 23")
    look(120, 12)
    look(2500)
    context.close()
    pictures, lasts = zip(*frames, strict=True)
    pictures[0].save(
        PICTURES / "deal.webp",
        save_all=True,
        append_images=pictures[1:],
        duration=list(lasts),
        loop=0,
        quality=70,
        method=4,
    )


def look_at_a_game(page: Page) -> None:
    page.locator("[data-game]").nth(1).click()
    page.wait_for_selector("#game .chart")


def look_at_the_season(page: Page) -> None:
    page.evaluate("window.scrollTo(0, document.body.scrollHeight)")


def main() -> None:
    PICTURES.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        play(Path(folder))
        daemon = start(Path(folder))
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        try:
            take(browser, daemon.url, "board-phone", 360, 780)
            take(browser, daemon.url, "board-phone-ja", 360, 780, path="/?lang=ja")
            take(browser, daemon.url, "history-phone", 360, 780, look_at_a_game, "/history.html")
            there = "/history.html?lang=ja"
            take(browser, daemon.url, "history-phone-ja", 360, 780, look_at_a_game, there)
            daemon.say("game cribbage", "dealer 1", "deal", "starter 5D")
            take(browser, daemon.url, "hand-phone", 360, 780, tell_a_hand)
            take(browser, daemon.url, "hand-phone-ja", 360, 780, tell_a_hand, "/?lang=ja")
            fresh = start(Path(folder) / "fresh")
            film(browser, fresh.url)
            fresh.end()
            club = Path(folder) / "club.sqlite3"
            season(club, 12, PLAYERS)
            with hub_over(club) as url:
                take(browser, url, "club", 800, 856, look_at_the_season, "/still", "light")
        finally:
            browser.close()
            daemon.end()


if __name__ == "__main__":
    main()
