"""The page that judges any position: tapped cards, and a table of chances or one sentence."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import cv2
import pytest
from playwright.sync_api import Page, expect

from tests.parts import need
from tests.web.conftest import Daemon, Visit
from tests.web.test_accessibility import complaints
from tools.camera import decks, scenes


def tap(page: Page, cards: str) -> None:
    for card in cards.split():
        page.locator(f".pack .target[data-card='{card}']").click()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "language"),
    [((390, 844), "en"), ((844, 390), "en"), ((820, 1180), "ja"), ((1280, 900), "ja")],
)
def test_a_throw_and_a_card(
    run: Callable[..., Daemon], visit: Visit, size: tuple[int, int], language: str
) -> None:
    daemon = run()
    page = visit(f"{daemon.url}/?lang={language}", width=size[0], height=size[1])
    page.goto(f"{daemon.url}/position.html?lang={language}")
    page.locator("[data-focus=judge]").click()
    expect(page.locator("#judged .refused")).to_be_visible()
    tap(page, "5H 6S 7D 8C JH QS")
    page.locator("[data-focus=deals]").click()
    page.locator("[data-focus=mine]").fill("100")
    page.locator("[data-focus=judge]").click()
    expect(page.locator(".judged tbody tr")).to_have_count(15)
    expect(page.locator(".judged tbody tr").first).to_contain_text("±")
    tap(page, "JH QS")
    tap(page, "2C")
    tap(page, "9S")
    page.locator("[data-focus=judge]").click()
    expect(page.locator(".judged tbody tr")).to_have_count(4)
    expect(page.locator("#judged .lesson-row span").first).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.slow
@pytest.mark.parametrize(("language", "column"), [("en", "Games"), ("ja", "ゲーム")])
def test_another_objective_has_another_best_throw(
    daemon: Daemon, visit: Visit, language: str, column: str
) -> None:
    """A skunk is at stake: it wins less often to throw the nines, and more games."""
    page = visit(f"{daemon.url}/?lang={language}", width=390, height=844)
    page.goto(f"{daemon.url}/position.html?lang={language}")
    tap(page, "AD 4C 9C KH JC 9S")
    page.locator("[data-focus=mine]").fill("112")
    page.locator("[data-focus=theirs]").fill("76")
    best = page.locator(".judged tbody tr").first.locator("th .card")
    page.locator("[data-focus=judge]").click()
    expect(best.last).to_have_text("K♥")
    page.locator("[data-focus=objective]").select_option("games")
    page.locator("[data-focus=judge]").click()
    expect(best.last).to_have_text("9♠")
    expect(page.locator(".judged thead")).to_contain_text(column)
    expect(page.locator(".judged tbody td").first).to_contain_text("±")
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
@pytest.mark.parametrize(("size", "language"), [((390, 844), "en"), ((1280, 900), "ja")])
def test_a_decision_of_another_game(
    daemon: Daemon, visit: Visit, size: tuple[int, int], language: str
) -> None:
    page = visit(f"{daemon.url}/?lang={language}", width=size[0], height=size[1])
    page.goto(f"{daemon.url}/position.html?lang={language}")
    page.locator("[data-focus=other]").click()
    record, judge = page.locator("[data-focus=record]"), page.locator("[data-focus=judge-record]")
    judge.click()
    expect(page.locator("#judged .refused")).to_be_visible()
    record.fill("game klaberjass\nseat 1 Ann\nseat 2 Bob\ndealer 2\ndeal\n1 hand XX")
    judge.click()
    expect(page.locator("#judged .refused")).to_contain_text("6")
    record.fill(
        "game klaberjass\nseat 1 Ann\nseat 2 Bob\nstart 400 300\ndealer 2\ndeal\n"
        "1 hand KH QH 7S 8S 9S AC\nturnup TH"
    )
    page.locator("[data-focus=seat]").select_option("1")
    judge.click()
    expect(page.locator(".judged tbody tr")).to_have_count(2)
    expect(page.locator(".judged tbody td").first).to_contain_text("±")
    assert complaints(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
def test_typed_cards_stand_like_tapped_ones(daemon: Daemon, visit: Visit, language: str) -> None:
    page = visit(f"{daemon.url}/?lang={language}", width=390, height=844)
    page.goto(f"{daemon.url}/position.html?lang={language}")
    typed = page.locator("[data-focus=typed]")
    slots = page.locator("#fields .slot")
    typed.press_sequentially("5h 6♠ 7♦️ 8c jh")
    expect(slots).to_have_count(5)
    expect(page.locator(".typed .refused")).to_be_empty()
    typed.press_sequentially(" q")
    expect(page.locator(".typed .refused")).to_be_empty()
    typed.press("Enter")
    expect(page.locator(".typed .refused")).to_contain_text("q")
    typed.fill("5h 6s 7d 8c jh 5H")
    expect(page.locator(".typed .refused")).to_contain_text("5H")
    expect(slots).to_have_count(5)
    typed.fill("5h6s7d 8c jh 10s")
    expect(page.locator(".typed .refused")).to_be_empty()
    typed.press("Enter")
    expect(slots).to_have_count(6)
    expect(page.locator("[data-focus=field-thrown]")).to_have_attribute("aria-pressed", "true")
    expect(typed).to_be_focused()
    expect(typed).to_have_value("")
    typed.press_sequentially("qd")
    expect(page.locator(".typed .refused")).to_contain_text("qd")
    page.locator("[data-focus=field-starter]").click()
    expect(page.locator(".typed .refused")).to_be_empty()
    page.locator("[data-focus=judge]").click()
    expect(page.locator(".judged tbody tr")).to_have_count(15)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


@pytest.mark.slow
def test_photographed_cards_fill_the_field_that_is_told(
    daemon: Daemon, visit: Visit, tmp_path: Path
) -> None:
    """A photo in colour is read at once. For a grey one every suit is asked and answered by a
    tap."""
    need("gnome-cards-data", "rsvg-convert")
    scene = scenes.laid(107, decks.faces("anglo_poker"), 4)
    page = visit(daemon.url, width=390, height=844)
    page.goto(f"{daemon.url}/position.html")
    slots = page.locator("#fields .slot")
    questions = page.locator(".photo [role=status] button")
    for image in (scene.image, cv2.cvtColor(scene.image, cv2.COLOR_BGR2GRAY)):
        cv2.imwrite(str(tmp_path / "hand.jpg"), image)
        page.set_input_files("input[type=file]", tmp_path / "hand.jpg")
        expect(page.locator(".photo [role=status]")).not_to_contain_text("…", timeout=60_000)
        answer = slots.count() + questions.count()
        assert answer == 4
        while questions.count() > 0:
            questions.first.click()
        shown = slots.evaluate_all("all => all.map((one) => one.dataset.focus.slice(-2))")
        assert sorted(card[0] for card in shown) == sorted(str(card)[0] for card in scene.cards)
        page.locator("[data-focus=clear]").click()
        expect(slots).to_have_count(0)


def test_a_question_that_is_none(daemon: Daemon) -> None:
    with daemon.client as client:
        assert client.get("/position?hand=5H&score=x").status_code == 400
        answer = client.get("/position?hand=5H&score=1 2").json()
    assert answer["problem"].endswith(".")
    assert answer["choices"] == []
