"""The page's fonts are small and contain every character of its English sentences, so nothing
depends on a machine's installed fonts."""

from __future__ import annotations

import re
from io import BytesIO

import pytest
from fontTools.pens.boundsPen import BoundsPen
from fontTools.ttLib import TTFont
from playwright.sync_api import expect

from boardctl import text
from boardctl.bot import lessons
from tests.web.conftest import Daemon, Visit
from tools import fonts

BUDGET = 120_000
"""The maximum size in bytes of all fonts together."""


def signs(file: str) -> set[str]:
    """Return the characters of a font."""
    return set(map(chr, TTFont(fonts.STATIC / file).getBestCmap()))


def test_pages_preload_fonts_that_the_styles_use() -> None:
    styles = (fonts.STATIC / "page.css").read_text("utf-8")
    used = set(re.findall(r'url\("([\w-]+\.woff2)"\)', styles))
    pages = [page.read_text("utf-8") for page in fonts.STATIC.glob("*.html")]
    preloaded = [set(re.findall(r'rel="preload" href="([\w-]+\.woff2)"', page)) for page in pages]
    assert any(preloaded)
    assert all(names <= used for names in preloaded)


NAMES = ("Annabel", "Bob", "Cleo", "Dan")


def test_they_are_small_and_named() -> None:
    files = sorted(fonts.STATIC.glob("*.woff2"))
    assert [file.name for file in files] == sorted(font.file for font in fonts.FONTS)
    assert sum(file.stat().st_size for file in files) < BUDGET
    for file in files:
        assert "OFL-1.1" in (fonts.STATIC / f"{file.name}.license").read_text()
        names = str([str(record) for record in TTFont(file)["name"].names])
        assert "Boardctl" in names
        assert not any(reserved in names for reserved in ('Libertine"', 'Plex"', 'Inter"'))


def test_every_sign_of_the_page_is_there() -> None:
    """The card suits of all fonts come from the serif; Japanese uses the device's own font."""
    page = "".join(
        file.read_text("utf-8")
        for file in (*fonts.STATIC.iterdir(), *lessons.FOLDER.iterdir())
        if file.suffix in (".js", ".css", ".html", ".toml")
    )
    used = {sign for sign in page + "".join(text.sentences().values()) if sign.isprintable()}
    used -= set("日本語")
    assert used - signs("sans.woff2") - signs("serif.woff2") == set()
    assert set(fonts.SUITS) <= signs("serif.woff2")
    assert signs("sans.woff2").isdisjoint(fonts.SUITS)


def test_suits_align() -> None:
    """They share a baseline and have equal heights."""
    serif = TTFont(fonts.STATIC / "serif.woff2")
    glyphs, cmap = serif.getGlyphSet(), serif.getBestCmap()
    bounds = []
    for suit in fonts.SUITS:
        pen = BoundsPen(glyphs)
        glyphs[cmap[ord(suit)]].draw(pen)
        bounds.append(pen.bounds)
    for edge in (1, 3):
        places = [box[edge] for box in bounds]
        assert max(places) - min(places) <= serif["head"].unitsPerEm * 0.06


WIDTHS = """async () => {
  await Promise.all([...document.fonts].map((face) => face.load()));
  const wide = (family, text) => {
    const made = document.createElement('span');
    made.style.fontFamily = family;
    made.style.fontSize = '40px';
    made.textContent = text;
    document.body.append(made);
    const { width } = made.getBoundingClientRect();
    made.remove();
    return width;
  };
  return ['Boardctl Sans', 'Boardctl Serif', 'Boardctl Mono'].map(
    (family) => ['1111', '8888', '2746'].map((text) => wide(family, text)));
}"""


@pytest.mark.slow
@pytest.mark.parametrize("path", ["/", "/history.html", "/setup.html"])
def test_the_page_uses_no_other(daemon: Daemon, visit: Visit, path: str) -> None:
    """They come from the board, browsers keep them, and their digits have equal widths."""
    page = visit.blank()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(daemon.url + path)
    page.wait_for_selector("h1, h2")
    families = page.evaluate(
        """() => [...new Set([...document.body.querySelectorAll('*:not(svg *)')].map(
             (node) => getComputedStyle(node).fontFamily))]"""
    )
    assert families
    assert all(family.startswith('"Boardctl') for family in families), families
    for one, *others in page.evaluate(WIDTHS):
        assert others == pytest.approx([one, one], abs=0.1)
    assert all(url.startswith(daemon.url) for url in asked)
    with daemon.client as client:
        answer = client.get("/serif.woff2")
        assert answer.headers["cache-control"] == "max-age=604800"
        assert TTFont(BytesIO(answer.content)).getBestCmap()[ord("♥")]


def test_names_to_choose_from_are_in_the_pages_own_letters(daemon: Daemon, visit: Visit) -> None:
    """Only the board's display uses a monospaced font."""
    daemon.say("game cribbage", *(f"seat {n} {name}" for n, name in enumerate(NAMES, 1)))
    page = visit(daemon.url, 390, 844)
    font = "(node) => getComputedStyle(node).fontFamily"
    asked = page.locator("#due .choice").first
    expect(asked).to_have_text(NAMES[0])
    assert "Mono" not in asked.evaluate(font)
    assert "Mono" in page.locator("#board text.words").first.evaluate(font)


def test_a_japanese_line_breaks_between_phrases(daemon: Daemon, visit: Visit) -> None:
    """The letters come from the reader's device; the test checks the line breaks."""
    page = visit(daemon.url, 390, 844)
    rows = """(language) => {
      document.documentElement.lang = language;
      const box = document.body.appendChild(document.createElement('p'));
      box.style.width = '9em';
      box.textContent = '交換する 2点のカード';
      const word = document.createRange();
      word.setStart(box.firstChild, 8);
      word.setEnd(box.firstChild, 11);
      return new Set([...word.getClientRects()].map((piece) => piece.top)).size;
    }"""
    assert page.evaluate(rows, "en") == 2
    assert page.evaluate(rows, "ja") == 1
