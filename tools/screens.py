"""Take pictures of the page at certain moments of an evening, for inspection.

    python -m tools.screens FOLDER [--moment NAME]… [--language en] [--scheme dark]

Each moment is captured at six window sizes, in each language, and in light and dark. The files are
`FOLDER/MOMENT-SIZE-LANGUAGE-SCHEME.png`, and `FOLDER/MOMENT-LANGUAGE-SCHEME.png` with the six
sizes next to each other. Without a board's own deal, the cards are the same every time.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final, NamedTuple

import click
from PIL import Image
from playwright.sync_api import Browser, Page, sync_playwright

from tests.web.conftest import ARGUMENTS, CHROMIUM, Daemon, start
from tests.web.test_after_game import play as play_a_game
from tests.web.test_against_the_board import Phone, begin
from tests.web.test_counting import HAND, PLAY
from tests.web.test_shown_hands import play_to_the_count

SIZES: Final = {
    "phone": (390, 844),
    "small": (360, 740),
    "landscape": (844, 390),
    "tablet": (820, 1180),
    "desktop": (1280, 800),
    "wide": (1440, 900),
}
"""The window sizes in CSS pixels."""
LANGUAGES: Final = ("en", "ja")
SCHEMES: Final = ("light", "dark")
SHEET: Final = {
    "phone": (0, 0, 355),
    "small": (365, 0, 355),
    "tablet": (730, 0, 490),
    "landscape": (1230, 0, 620),
    "desktop": (1230, 300, 620),
    "wide": (1230, 697, 620),
}
"""The left and top edges of the six pictures on their common sheet, and their widths."""
DEALT: Final = ("seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")


class Moment(NamedTuple):
    """A moment: the lines played before it, and the actions then carried out on the page."""

    lines: tuple[str, ...] = ()
    act: Callable[[Page, Daemon, str], object] = lambda page, daemon, language: None
    seat: str = ""
    """The player whose own phone shows the page, empty for a shared one."""
    path: str = ""
    """The page's file, empty for the table."""
    telling: str = ""
    """The level of entry, if it is chosen."""


def _tap(*selectors: str) -> Callable[[Page, Daemon, str], None]:
    def act(page: Page, daemon: Daemon, language: str) -> None:
        for selector in selectors:
            page.locator(selector).first.click()

    return act


def _against(page: Page, daemon: Daemon, language: str) -> None:
    begin(Phone(page, language))


def _counted(page: Page, daemon: Daemon, language: str) -> None:
    phone = Phone(page, language)
    begin(phone)
    play_to_the_count(phone, daemon)


def _enter(page: Page, daemon: Daemon, language: str) -> None:
    _tap("#due .act.first")(page, daemon, language)
    Phone(page, language).tap("page.by-card")
    for card in ("4S", "5S", "5H", "6C"):
        page.locator(f"dialog .target[data-card='{card}']").click()
    page.locator("dialog .combinations").wait_for()


def _real_cards(page: Page, daemon: Daemon, language: str) -> None:
    sheet = "dialog[open]"
    _tap("#due [data-focus=against]", f"{sheet} [data-focus=real]")(page, daemon, language)
    page.locator(f"{sheet} [data-focus=player-seat]").wait_for()
    _tap(f"{sheet} [data-focus=start]")(page, daemon, language)
    daemon.say("dealer 1", "deal")
    page.locator("#due [data-focus^=firsthand]").first.wait_for()


def _finished(page: Page, daemon: Daemon, language: str) -> None:
    play_a_game(daemon)
    page.locator("#after .highlights .card").first.wait_for()


def _history(page: Page, daemon: Daemon, language: str) -> None:
    play_a_game(daemon)
    page.reload()
    page.locator("[data-game]").first.click()
    page.locator("#game .chart").wait_for()


MOMENTS: Final = {
    "first-visit": Moment(),
    "table": Moment(act=_tap("#table")),
    "rules": Moment(act=_tap("#table", "[data-focus=rules]")),
    "other-house": Moment(act=_tap("#table", "[data-focus=far]")),
    "levels": Moment(act=_tap("#due [data-focus=against]")),
    "discard": Moment((*DEALT, HAND), seat="1"),
    "play": Moment((*DEALT, HAND, *PLAY[:5]), seat="1", telling="cards"),
    "points": Moment((*DEALT, "1 peg 2", "2 peg 7"), _tap("#sides .side1 .act")),
    "more": Moment((*DEALT, HAND), _tap("#more")),
    "count": Moment((*DEALT, HAND, *PLAY), _tap("#due .act.first")),
    "long-count": Moment((*DEALT, "starter 5D"), act=_enter),
    "real-cards": Moment(act=_real_cards),
    "claim": Moment(
        ("game cribbage", "set muggins underclaim", *DEALT, HAND, *PLAY), _tap("#due .act.first")
    ),
    "against-the-board": Moment(act=_against),
    "opponent-counted": Moment(act=_counted),
    "finished": Moment(act=_finished),
    "melds": Moment(
        ("game bezique", *DEALT, "1 hand KS QS JD QH AS 9H 7C TC", "turnup 9S"),
        seat="1",
        telling="cards",
    ),
    "trumps": Moment(("game pinochle", *DEALT[:2], "dealer 2", "deal")),
    "auction": Moment(
        ("game pinochle", *DEALT[:2], "seat 3 Cleo", "seat 4 Dan", "dealer 4", "deal", "1 bid 250")
    ),
    "lesson": Moment(path="lesson.html", act=_tap("[data-focus=cribbage]", "[data-focus=next]")),
    "history": Moment(path="history.html", act=_history),
    "set-up": Moment(path="setup.html"),
}
READY: Final = {"": "body[data-link=open]", "setup.html": "#questions form"}
"""By file, a selector that exists once the page has been drawn."""


def take(browser: Browser, name: str, language: str, schemes: tuple[str, ...], into: Path) -> None:
    """Take the pictures of a moment in one language."""
    moment = MOMENTS[name]
    with TemporaryDirectory() as folder:
        daemon = start(Path(folder))
        context = browser.new_context(locale="en-GB", reduced_motion="reduce")
        try:
            page = context.new_page()
            _arrive(page, daemon, moment, language)
            for scheme in schemes:
                page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
                _shoot(page, f"{name}-{{size}}{language}-{scheme}.png", into)
        finally:
            context.close()
            daemon.end()


def _arrive(page: Page, daemon: Daemon, moment: Moment, language: str) -> None:
    """Bring a board and its page to a moment, on a phone."""
    if moment.telling:
        daemon.post("/commands", {"what": "telling", "value": moment.telling})
    if moment.lines:
        daemon.say(*moment.lines)
    width, height = SIZES["phone"]
    page.set_viewport_size({"width": width, "height": height})
    if moment.seat:
        page.add_init_script(f"localStorage.setItem('boardctl.seat', '{moment.seat}')")
    page.goto(f"{daemon.url}/{moment.path}?lang={language}")
    page.locator(READY.get(moment.path, "main")).wait_for(state="attached")
    moment.act(page, daemon, language)


def _shoot(page: Page, file: str, into: Path) -> None:
    """Take a picture at each size, and combine them into one picture."""
    sheet = Image.new("RGB", (1850, 1085), "grey")
    for size, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        page.wait_for_timeout(400)  # the board's lamps have settled
        picture = into / file.format(size=f"{size}-")
        page.screenshot(path=picture)
        left, top, wide = SHEET[size]
        with Image.open(picture) as taken:
            sheet.paste(taken.resize((wide, taken.height * wide // taken.width)), (left, top))
    sheet.save(into / file.format(size=""))


@click.command()
@click.argument("folder", type=click.Path(file_okay=False, path_type=Path))
@click.option("--moment", "moments", multiple=True, type=click.Choice(list(MOMENTS)))
@click.option("--language", "languages", multiple=True, type=click.Choice(LANGUAGES))
@click.option("--scheme", "schemes", multiple=True, type=click.Choice(SCHEMES))
def main(
    folder: Path, moments: tuple[str, ...], languages: tuple[str, ...], schemes: tuple[str, ...]
) -> None:
    """Take the pictures of these moments, or of all."""
    folder.mkdir(parents=True, exist_ok=True)
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=list(ARGUMENTS))
        for name in moments or MOMENTS:
            for language in languages or LANGUAGES:
                click.echo(f"{name} {language}")
                take(browser, name, language, schemes or SCHEMES, folder)
        browser.close()


if __name__ == "__main__":
    main()
