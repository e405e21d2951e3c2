"""A pack is taught on a phone suit by suit, read in a hand, and forgotten."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from boardctl.camera import taught
from boardctl.commands import main
from boardctl.storage import pack_files
from tests.parts import need
from tests.web.conftest import Daemon, Visit
from tools.camera import decks


def laid(path: Path, numbers: list[int], name: str = "anglo_poker") -> Path:
    """Return a photo of a deck's cards in two rows."""
    need("gnome-cards-data", "rsvg-convert")
    deck = decks.faces(name)
    table = np.full((2 * 340 + 60, 7 * 240 + 60, 3), (40, 70, 30), np.uint8)
    for place, number in enumerate(numbers):
        row, column = divmod(place, 7)
        y, x = 50 + 340 * row, 50 + 240 * column
        table[y : y + decks.HEIGHT, x : x + decks.WIDTH] = deck[number]
    cv2.imwrite(str(path), table)
    return path


def suit(number: int, without: int = -1) -> list[int]:
    """Return the numbers of a suit's cards, without one of its ranks."""
    return [13 * number + rank for rank in range(13) if rank != without]


def photograph(page: Page, photo: Path) -> None:
    page.set_input_files("dialog.teach input[type=file]", photo)


@pytest.mark.slow
def test_a_pack_is_taught_on_a_phone(daemon: Daemon, visit: Visit, tmp_path: Path) -> None:
    page = visit(daemon.url, width=390, height=844, is_mobile=True, has_touch=True)
    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="Photograph our own pack once").click()
    dialog = page.get_by_role("dialog", name="Photograph our own pack once")
    # no pack exists yet
    expect(dialog.get_by_role("heading", name="Another pack")).to_have_count(0)
    dialog.get_by_label("Name of the pack").fill("blue/one")
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog.get_by_role("alert")).to_contain_text("letters, digits, spaces")
    dialog.get_by_label("Name of the pack").fill("おばあちゃんの Blue")
    dialog.get_by_role("button", name="Begin").click()

    said = page.locator("dialog.teach [role=status]")
    photograph(page, laid(tmp_path / "few.png", suit(0, without=6)))
    expect(said).to_have_text(
        "12 of 13 cards were read. Lay the 7♠ straight, with gaps between the cards, and take the "
        "photo again.",
        timeout=60_000,
    )
    for number, learned in enumerate(("spades", "hearts", "diamonds")):
        photograph(page, laid(tmp_path / f"{learned}.png", suit(number)))
        expect(said).to_have_text(f"The {learned} have been learned.")
    assert page.get_by_role("img", name="diamonds: learned").is_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    photograph(page, laid(tmp_path / "clubs.png", suit(3)))
    expect(said).to_have_text("The pack おばあちゃんの Blue has been learned.")
    assert pack_files.names(daemon.data / "packs") == ["おばあちゃんの Blue"]
    assert pack_files.begun(daemon.data / "packs") == {}

    page.get_by_role("button", name="Done").click()
    expect(page.get_by_role("button", name="Delete: おばあちゃんの Blue")).to_be_visible()
    expect(dialog.get_by_role("heading", name="Another pack")).to_be_visible()
    page.keyboard.press("Escape")
    daemon.say("game cribbage", "dealer 1", "deal", "starter 5D")
    page.get_by_role("button", name="Enter the cards").click()
    hand = laid(tmp_path / "hand.png", [16, 4, 43, 31])  # 4♥ 5♠ 5♣ 6♦
    page.set_input_files("dialog.picker input[type=file]", hand)
    asked = page.locator("dialog.picker .photo [role=status] button")
    peg = page.get_by_role("button", name="Peg 23")
    expect(asked.or_(peg).first).to_be_visible()
    while asked.count():
        asked.first.click()
    peg.click()
    expect(page.locator(".side2 .score")).to_have_text("23")

    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="Photograph our own pack once").click()
    page.get_by_role("button", name="Delete: おばあちゃんの Blue").click()
    page.get_by_role("button", name="Delete").click()
    # not before the pack is deleted
    expect(dialog.get_by_label("Name of the pack")).to_be_visible()
    expect(page.get_by_role("button", name="Delete: おばあちゃんの Blue")).to_have_count(0)
    assert pack_files.names(daemon.data / "packs") == []


@pytest.mark.slow
def test_the_dialog_speaks_japanese(daemon: Daemon, visit: Visit) -> None:
    page = visit(f"{daemon.url}/?lang=ja", width=390, height=844, is_mobile=True, has_touch=True)
    page.get_by_role("button", name="その他").first.click()
    page.get_by_role("button", name="トランプを覚えさせる").click()
    expect(page.get_by_role("dialog")).to_contain_text("お使いのトランプをスートごとに")


def see(data: Path, photo: Path, suit: str, *more: str) -> str:
    arguments = ["see", "--teach", "blue", "--suit", suit, str(photo), "--data", str(data), *more]
    return CliRunner().invoke(main, arguments).output


@pytest.mark.slow
def test_a_suit_is_learned_from_the_command_line(tmp_path: Path) -> None:
    hearts = laid(tmp_path / "hearts.png", suit(1))
    few = laid(tmp_path / "few.png", suit(1, without=9))
    assert see(tmp_path, hearts, "spades") == "Error: hearts.png: it shows hearts, not spades\n"
    assert see(tmp_path, few, "hearts") == (
        "Error: few.png: it shows 12 of 13 cards; lay the T straight, with gaps between the cards\n"
    )
    answer = json.loads(see(tmp_path, few, "hearts", "--json"))
    assert answer == {"found": 12, "missing": ["T"], "other": "", "left": None}
    assert see(tmp_path, hearts, "hearts") == (
        "blue: hearts learned, still missing: spades, diamonds, clubs\n"
    )
    assert pack_files.begun(tmp_path / "packs") == {"blue": "H"}


SHORT = [0, *range(6, 13)]
"""The ranks of a pack of 32 cards: ace, seven to king."""


@pytest.mark.slow
def test_a_pack_of_32_cards_is_learned(tmp_path: Path) -> None:
    more = ("--ranks", "A789TJQK")
    few = laid(tmp_path / "few.png", [rank for rank in SHORT if rank != 9])
    assert see(tmp_path, few, "spades", *more) == (
        "Error: few.png: it shows 7 of 8 cards; lay the T straight, with gaps between the cards\n"
    )
    for number, name in enumerate(pack_files.SUITS.values()):
        photo = laid(tmp_path / f"{name}.png", [13 * number + rank for rank in SHORT])
        said = see(tmp_path, photo, name, *more)
    assert said == "blue: 32 cards learned\n"
    (pack,) = taught.load(tmp_path / "packs")
    assert taught.taught_faces(pack.faces).nonzero()[0].tolist() == [
        13 * number + rank for number in range(4) for rank in SHORT
    ]
    for wrong in ("AKQ", "A", "1"):
        assert "must list the ranks of one suit" in see(tmp_path, few, "spades", "--ranks", wrong)


def test_the_cards_of_the_game_on_the_table_are_asked_for(daemon: Daemon, visit: Visit) -> None:
    daemon.say("game klaberjass")
    page = visit(daemon.url, 390, 844)
    page.get_by_role("button", name="More …").click()
    page.get_by_role("button", name="Photograph our own pack once").click()
    dialog = page.locator("dialog.teach")
    expect(dialog).to_contain_text("uses only A 7 8 9 10 J Q K of each suit")
    dialog.get_by_label("Name of the pack").fill("short")
    dialog.get_by_role("button", name="Begin").click()
    expect(dialog).to_contain_text("photograph them from above: A♠ 7♠ 8♠ 9♠ 10♠ J♠ Q♠ K♠")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("POST", "/packs/.blue/spades"),
        ("POST", "/packs/blue/stars"),
        ("POST", "/packs/blue/spades?ranks=AKQ"),
        ("DELETE", "/packs/blue"),
        ("DELETE", "/packs/..%2f..%2fx"),
    ],
)
def test_no_other_pack_or_suit_is_there(method: str, path: str, daemon: Daemon) -> None:
    with daemon.client as client:
        assert client.request(method, path, content=b"x").status_code == 404
