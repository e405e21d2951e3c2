"""Practice positions: right and wrong answers, due positions, their owner, positions from one's own
games."""

from __future__ import annotations

import json
from collections.abc import Callable
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from boardctl.bot.learners import FILE
from boardctl.bot.positions import answer
from boardctl.record import notation
from tests.bot.dealer import Dealt
from tests.bot.test_analysis import COUNTS_OUT, PEGS_OUT
from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit
from tests.web.test_accessibility import complaints
from tests.web.test_analysis_page import played

DRILLS = json.loads(resources.files("boardctl.web").joinpath("static/drills.json").read_text())


def choices(theme: str, number: int) -> list[list[str]]:
    """Return the cards of every choice, best first."""
    one = {k: v for k, v in DRILLS[theme][number].items() if k not in ("now", "series")}
    return [choice["cards"] for choice in answer(one)["choices"]]


def tap(page: Page, cards: list[str]) -> None:
    for card in cards:
        page.locator(f"#drill .hand-row [data-card='{card}']").click()


def phone(visit: Visit, daemon: Daemon, seat: str, language: str = "en", **size: int) -> Page:
    """Open the page of practice positions on the phone of a seat."""
    page = visit.blank(**size)
    page.add_init_script(f"localStorage.setItem('boardctl.seat', '{seat}')")
    page.goto(f"{daemon.url}/drill.html?lang={language}")
    expect(page.locator("[data-focus=crib]")).to_be_visible()
    return page


def progress(daemon: Daemon, name: str) -> dict[str, Any]:
    with daemon.client as client:
        reply: dict[str, Any] = client.get("/drills", params={"name": name}).json()
        return reply


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "language"), [((390, 844), "ja"), ((844, 390), "en"), ((1280, 900), "en")]
)
def test_right_wrong_and_what_comes_back(
    run: Callable[..., Daemon], visit: Visit, size: tuple[int, int], language: str
) -> None:
    daemon = run()
    page = phone(visit, daemon, "1", language, width=size[0], height=size[1])
    page.locator("[data-focus=crib]").click()
    expect(page.locator("#drill .hand-row .target")).to_have_count(6)
    tap(page, choices("crib", 0)[0])
    expect(page.locator("#drill .why li")).to_have_count(3)
    page.locator("[data-focus=traps]").click()
    worst = choices("traps", 0)[-1]
    tap(page, worst)
    expect(page.locator("#drill .why li")).to_have_count(4)
    own = page.locator("#drill .why li").last
    expect(own).to_contain_text({"en": "your choice", "ja": "あなたの手"}[language])
    expect(own.locator(f"[data-card='{worst[0]}']")).to_be_visible()
    expected = {"crib 0": {"box": 1, "due": 4}, "traps 0": {"box": 1, "due": 5}}
    assert progress(daemon, "Ann")["boxes"] == expected
    assert json.loads((daemon.data / FILE).read_text())["Ann"]["boxes"] == expected
    assert page.evaluate("document.documentElement.scrollWidth") <= size[0]
    page.locator("[data-focus=next]").click()
    expect(page.locator(f"#drill .hand-row [data-card='{worst[0]}']:disabled")).to_have_count(0)
    expect(page.locator("#drill .why")).to_have_count(0)


DUE: tuple[tuple[dict[str, Any], int, int], ...] = (
    ({}, 0, 0),
    ({"go 0": {"box": 1, "due": 3}}, 1, 1),
    ({"go 0": {"box": 1, "due": 3}}, 3, 0),
    ({"go 0": {"box": 2, "due": 9}, "go 1": {"box": 1, "due": 4}}, 9, 1),
    ({f"go {n}": {"box": 5, "due": 300 - n} for n in range(12)}, 12, 11),
)


def test_what_is_due_is_asked_two_taps_from_the_table(daemon: Daemon, visit: Visit) -> None:
    """Forgotten positions come first, then new ones, then the ones that are due first."""
    page = visit(daemon.url)
    page.goto(f"{daemon.url}/history.html")
    page.locator("nav a[href*='drill.html']").click()
    expect(page.locator("#themes .asks button")).to_have_count(len(DRILLS))
    reply: dict[str, Any] = {"names": ["Ann", "Bob"], "name": "Ann", "asked": 0, "boxes": {}}
    page.route("**/drills?*", lambda route: route.fulfill(json=reply))
    page.locator("[data-focus=who1]").click()
    expect(page.locator("[data-focus=who1]")).to_have_attribute("aria-pressed", "true")
    for boxes, asked, expected in DUE:
        reply |= {"asked": asked, "boxes": boxes}
        page.locator("[data-focus=go]").click()
        one = DRILLS["go"][expected]
        away = {*one["thrown"].split(), *one["played"].split()}
        held = set(one["hand"].split()) - away
        shown = page.locator("#drill .hand-row .target")
        for card in held:
            expect(page.locator(f"#drill .hand-row [data-card='{card}']")).to_have_count(1)
        expect(shown).to_have_count(len(held))


@pytest.mark.slow
def test_two_phones_of_a_player_agree_and_a_phone_that_watches_has_none(
    run: Callable[..., Daemon], visit: Visit
) -> None:
    daemon = run()
    one, other = phone(visit, daemon, "2"), phone(visit, daemon, "2")
    watching = phone(visit, daemon, "")
    for page in (one, watching):
        page.locator("[data-focus=go]").click()
        tap(page, choices("go", 0)[0])
        expect(page.locator("#drill .why li")).to_have_count(3)
    assert progress(daemon, "Bob")["boxes"] == {"go 0": {"box": 1, "due": 4}}
    other.locator("[data-focus=go]").click()
    new = choices("go", 1)
    expect(other.locator(f"#drill .hand-row [data-card='{new[0][0]}']")).to_be_visible()
    tap(other, new[-1])
    expect(other.locator("#drill .why li")).to_have_count(3)
    assert progress(daemon, "Bob")["asked"] == 2
    expect(watching.locator("[data-focus=own]")).to_have_count(0)
    watching.locator("[data-focus=next]").click()
    expect(watching.locator(f"#drill .hand-row [data-card='{new[0][0]}']")).to_be_visible()
    visit.forgiven += ["WebSocket connection", "ERR_CONNECTION_REFUSED"]
    daemon.end()
    again = run()
    assert progress(again, "Bob")["asked"] == 2, "kept on the board"
    kept = json.loads((again.data / FILE).read_text())
    assert list(kept) == ["Bob"], "of those who watch, nothing"


def test_only_players_of_the_table_have_progress(daemon: Daemon) -> None:
    with daemon.client as client:
        request = {"name": "Zoe", "drill": "go 0", "right": True}
        answered = client.post("/drills", json=request).json()
        assert (answered["names"], answered["name"], answered["asked"]) == (["Ann", "Bob"], "", 0)
        assert client.get("/drills?seat=2").json()["name"] == "Bob"
        assert client.get("/drills?seat=4").json()["name"] == ""
        for drill in ("go", "go x", "x" * 2000, "../x 1"):
            refused = client.post("/drills", json={**request, "name": "Ann", "drill": drill})
            assert (refused.status_code, list(refused.json())) == (400, ["error"])
        assert client.get("/drills?name=Ann").json()["boxes"] == {}


@pytest.mark.slow
@sweep(
    "game, seat, cards, right",
    [(PEGS_OUT, "1", ["KS"], False), (PEGS_OUT, "1", ["7H"], True),
     (COUNTS_OUT, "2", ["5H", "5S"], False), (COUNTS_OUT, "2", ["2C", "7S"], True)],
    ordinary=[(PEGS_OUT, "1", ["KS"], False)],
)  # fmt: skip
def test_throws_and_cards_of_ones_own_games(
    run: Callable[..., Daemon],
    visit: Visit,
    tmp_path: Path,
    game: str,
    seat: str,
    cards: list[str],
    right: bool,
) -> None:
    """Ann played the king instead of the seven that pegs out. Bob threw the fives that count
    out."""
    (tmp_path / "data").mkdir()
    played(tmp_path / "data", game)
    daemon = run()
    page = phone(visit, daemon, seat, width=390, height=844)
    page.locator("[data-focus=own]").click()
    tap(page, cards)
    said = page.locator("#drill .nudge").first
    expect(said).to_contain_text("Right." if right else "Not the best")
    expect(page.locator("#drill .why li")).to_have_count(3)
    name = ("Ann", "Bob")[int(seat) - 1]
    assert [one[:6] for one in progress(daemon, name)["boxes"]] == ["own 1 "]
    page.locator(f"[data-focus=who{3 - int(seat)}]").click()
    expect(page.locator("#drill")).to_be_hidden()
    page.locator("[data-focus=who]").click()
    expect(page.locator("[data-focus=own]")).to_have_count(0)


def test_only_people_practise(daemon: Daemon) -> None:
    with daemon.client as client:
        assert daemon.post("/player/game", {"name": "Ann", "level": 3})["seat"] == 2
        assert client.get("/drills", params={"seat": "2"}).json()["names"] == ["Ann"]


@pytest.mark.slow
@pytest.mark.parametrize(("width", "language"), [(360, "ja"), (1280, "en")])
def test_errors_in_other_games_are_asked_again(
    run: Callable[..., Daemon], visit: Visit, tmp_path: Path, width: int, language: str
) -> None:
    """The deal so far, the hand and the possible lines; a wrong answer comes with the best line."""
    game = Dealt("klaberjass", (1, 5), Random("page"), {"target": "100"})
    game.play()
    (tmp_path / "data").mkdir()
    played(tmp_path / "data", "\n".join(map(notation.spell, game.truth.moves)))
    daemon = run()
    page = phone(visit, daemon, "1", language, width=width, height=800)
    page.locator("[data-focus=own]").click()
    lines = page.locator("#drill [data-focus^='1 ']")
    expect(lines.first).to_be_visible()
    assert lines.count() > 1
    with daemon.client as client:
        decisions = client.get("/analysis/1", timeout=60).json()["decisions"]
    worst = max((one for one in decisions if one["seat"] == 1), key=lambda one: one["cost"])
    choices = worst["question"]["choices"]
    assert {one["line"] for one in choices} == {
        line.get_attribute("data-focus") for line in lines.all()
    }
    assert complaints(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    page.locator(f"#drill [data-focus='{worst['chosen']}']").click()
    share = f"{100 * worst['cost']:.1f}"
    expect(page.locator("#drill .nudge").first).to_contain_text(share)
    expect(page.locator("[data-focus=next]")).to_be_focused()
    assert progress(daemon, "A")["boxes"] == {f"own 1 {worst['place']}": {"box": 1, "due": 4}}
