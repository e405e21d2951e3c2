"""A game analysed in Chromium: curve, errors, skill and luck, and the way to practice."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import closing
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Route, expect

from boardctl.bot.analysis import season
from boardctl.record import notation
from boardctl.storage.journal import Journal, Writer
from boardctl.table import Table
from tests.bot.dealer import Dealt
from tests.bot.test_analysis import BY_POINTS, COUNTS_OUT, PEGS_OUT, judged
from tests.tables import submit
from tests.web.conftest import Daemon, Visit, start
from tests.web.test_accessibility import complaints


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """A board on which Bob threw the two fives that would have won."""
    data = tmp_path_factory.mktemp("judged")
    played(data, COUNTS_OUT)
    running = start(data)
    yield running
    assert running.end() == ""


def played(data: Path, *games: str) -> None:
    """A journal with these games."""
    with closing(Writer()) as writer:
        journal = Journal(data, writer)
        table = Table(journal, now=lambda: 1_700_000_000.0)
        submit(table, "session first", "test")
        for game in games:
            for line in game.splitlines():
                submit(table, line, "test")
        journal.close()


@pytest.mark.slow
def test_a_game_of_klaberjass_is_judged(
    run: Callable[..., Daemon], visit: Visit, tmp_path: Path
) -> None:
    """Each error names the better line, and leads to its move."""
    game = Dealt("klaberjass", (1, 5), Random("page"), {"target": "100"})
    game.play()
    assert game.truth.position.over
    (tmp_path / "data").mkdir()
    played(tmp_path / "data", "\n".join(map(notation.spell, game.truth.moves)))
    page = visit(run().url, width=360, reduced_motion="reduce")
    page.get_by_role("link", name="History").click()
    page.locator("[data-game]").click()
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator(".errors li").first).to_contain_text("Better by")
    expect(page.locator(".analysis .chart path")).to_be_visible()
    expect(page.locator(".analysis table")).to_contain_text("Lost through decisions")
    assert complaints(page) == []
    assert not page.evaluate("document.documentElement.scrollWidth > innerWidth")
    page.locator(".errors button").first.click()
    expect(page.locator(".told .nudge")).to_contain_text("Better by")


@pytest.mark.slow
def test_a_game_is_judged_and_its_decisions_asked_again(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, width=360, reduced_motion="reduce")
    page.get_by_role("link", name="History").click()
    page.locator("[data-game]").click()
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator(".errors li").first).to_contain_text("Blunder")
    expect(page.locator(".errors")).to_contain_text("Bob, at 113 – 105, threw 5♥ 5♠")
    assert page.evaluate("document.activeElement.closest('.analysis') !== null")
    assert complaints(page) == []
    expect(page.locator(".analysis .chart path")).to_be_visible()
    expect(page.locator(".analysis table")).to_contain_text("Expert")
    wide = page.evaluate("document.documentElement.scrollWidth > innerWidth")
    assert not wide, "nothing stands out at the side of a telephone"
    assert page.get_by_role("button", name="Practise").count() == 0, "one page practises"
    page.evaluate("localStorage.setItem('boardctl.seat', '2')")
    page.get_by_role("link", name="Practise your costliest moves").click()
    for card in ("5H", "5S"):
        page.locator(f"#drill [data-card='{card}']").click()
    expect(page.locator("#drill .why li").first).to_be_visible()


def test_where_no_decision_is_known_nothing_is_said_of_skill_and_luck(
    run: Callable[..., Daemon], visit: Visit, tmp_path: Path
) -> None:
    """Points alone do not show how well anybody played."""
    (tmp_path / "data").mkdir()
    played(tmp_path / "data", BY_POINTS)
    page = visit(run().url, width=360, reduced_motion="reduce")
    page.get_by_role("link", name="History").click()
    page.locator("[data-game]").click()
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator(".analysis")).to_contain_text("No decision can be judged.")
    for row in page.locator(".analysis tbody tr").all()[:3]:
        assert row.locator("td").all_inner_texts()[:2] == ["–", "–"]


@pytest.mark.slow
def test_everybodys_play_over_all_games(
    run: Callable[..., Daemon], visit: Visit, tmp_path: Path
) -> None:
    """The page agrees with `boardctl review all`, and says that the sample is too small."""
    (tmp_path / "data").mkdir()
    played(tmp_path / "data", COUNTS_OUT, PEGS_OUT)
    page = visit(run().url, width=360, reduced_motion="reduce")
    page.get_by_role("link", name="History").click()
    page.get_by_role("button", name="Analyse these games").click()
    rows = page.locator(".season tbody tr")
    expect(rows).to_have_count(2)
    expected = season((judged(COUNTS_OUT), judged(PEGS_OUT)))
    for row, (name, (games, strength)) in zip(
        rows.all(), sorted(expected.items(), key=lambda one: one[1][1].loss), strict=True
    ):
        assert strength.half is not None
        loss = f"{100 * strength.loss:.2f} ± {100 * strength.half:.2f} % (too few to tell)"
        cells = row.locator("th, td").all_text_contents()
        assert cells == [name, str(games), str(strength.decisions), loss]
    assert page.evaluate("document.activeElement.closest('.season') !== null")
    assert complaints(page) == []


@pytest.mark.slow
def test_a_tap_on_an_error_shows_its_move(daemon: Daemon, visit: Visit) -> None:
    """This also works while the other decisions are still being judged."""
    page = visit(daemon.url, width=390, height=844, reduced_motion="reduce")
    page.get_by_role("link", name="History").click()
    page.locator("[data-game]").click()
    page.get_by_role("button", name="Analyse this game").click()
    error = page.get_by_role("button", name="Blunder: deal 1: Bob").first
    error.click()
    told = page.locator(".told")
    expect(told).to_contain_text("Bob discards 5♥ 5♠")
    expect(told).to_contain_text("Blunder")
    expect(told).to_be_in_viewport()
    expect(page.locator("#game .board")).to_be_in_viewport(ratio=0.9)
    page.get_by_role("button", name="Next move").click()
    expect(told).not_to_contain_text("Bob discards")
    page.keyboard.press("ArrowLeft")
    expect(told).to_contain_text("Bob discards 5♥ 5♠")


def test_what_was_found_so_far_is_shown_before_the_rest(daemon: Daemon, visit: Visit) -> None:
    """The page shows the curve and the first errors, and how many decisions have been judged."""
    with daemon.client as client:
        whole = client.get("/analysis/1").json()
    page = visit.blank(390, 844)
    kept = ("players", "winner", "curve", "course", "decisions")
    stage = {"done": 3, "of": 12, **{name: whole[name] for name in kept}}
    stage["decisions"] = [one for one in whole["decisions"] if one["verdict"] == "blunder"][:1]
    asked: list[Route] = []
    page.route("**/analysis/1?*", lambda route: asked.append(route))
    page.route("**/analysis/1/so-far?*", lambda route: route.fulfill(json={"stage": stage}))
    page.goto(f"{daemon.url}/history.html")
    page.locator("[data-game]").click()
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator(".analysis")).to_contain_text("3 of 12 throws and cards")
    expect(page.get_by_role("progressbar")).to_have_js_property("value", 0.25)
    expect(page.locator(".analysis .chart")).to_be_visible()
    expect(page.locator(".errors li")).to_have_count(1)
    asked[0].fulfill(json=whole)
    expect(page.get_by_role("progressbar")).to_have_count(0)
    expect(page.locator(".analysis table")).to_contain_text("Expert")


def test_an_analysis_that_failed_can_be_asked_again(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, width=360)
    page.route(
        "**/analysis/*", lambda route: route.fulfill(json={"error": {"message": "Too slow."}})
    )
    page.get_by_role("link", name="History").click()
    page.locator("[data-game]").click()
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator(".analysis [role=alert]")).to_have_text("Too slow.")
    expect(page.get_by_role("button", name="Analyse this game")).to_be_visible()


def test_what_is_no_question_is_not_answered(daemon: Daemon) -> None:
    with daemon.client as client:
        asked = {"hand": "5H 5S JD QC 2C 7S", "role": "pone", "score": "113 105", "throw": "5H 5S"}
        answered = client.get("/trainer", params=asked).json()
        assert not answered["right"]
        assert answered["cost"] > 0.04
        for name, wrong in (("hand", "5H"), ("role", "x"), ("score", "130 1"), ("throw", "2C 2D")):
            answer = client.get("/trainer", params={**asked, name: wrong})
            assert (answer.status_code, list(answer.json())) == (400, ["error"])


@pytest.mark.slow
def test_a_game_to_61_is_judged(run: Callable[..., Daemon], visit: Visit, tmp_path: Path) -> None:
    """The judgement depends on the points that both sides still need: a blunder costs the same as
    in a game to 121."""
    (tmp_path / "data").mkdir()
    played(tmp_path / "data", COUNTS_OUT.replace("start 105 113", "set target 61\nstart 45 53"))
    page = visit(run().url, width=360, reduced_motion="reduce")
    page.get_by_role("link", name="History").click()
    page.locator("[data-game]").click()
    page.get_by_role("button", name="Analyse this game").click()
    expect(page.locator(".errors")).to_contain_text("Bob, at 53 – 45, threw 5♥ 5♠")
    throw = max(
        (one for one in judged(COUNTS_OUT).decisions if one.kind == "throw"),
        key=lambda one: one.cost,
    )
    expect(page.locator(".errors")).to_contain_text(f"wins {100 * throw.cost:.1f} more games")
