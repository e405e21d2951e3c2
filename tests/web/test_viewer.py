"""A game as an HTML file. It shows the referee's statements at every step, from a file and in a
frame of another page. It loads nothing, and contains no secret card."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from boardctl.board import layout
from boardctl.commands import main
from boardctl.games import IllegalMove
from boardctl.record import history
from boardctl.record.history import PlayedGame, played, without_secrets
from boardctl.record.record import Entry, Record
from boardctl.web import viewer
from tests.web.conftest import Daemon, Visit

VECTORS = Path(__file__).parents[1] / "vectors"
STEPS = """() => {
  const shown = [];
  for (const row of document.querySelectorAll('#moves button')) {
    row.click();
    shown.push([
      [...document.querySelectorAll('#scores b')].map((score) => Number(score.textContent)),
      [...document.querySelectorAll('#awards b')].map((award) => Number(award.textContent)),
    ]);
  }
  return shown;
}"""


def games(record: str) -> list[PlayedGame]:
    """Return the games of a record, without its rejected lines."""
    reading = Record()
    lines = []
    for line in record.splitlines():
        try:
            if reading.read(line) is not None:
                lines.append(line)
        except IllegalMove:
            continue
    entries = [Entry(n, line, 1.7e9, "test") for n, line in enumerate(lines, 1)]
    return list(played([("", entries)]))


KINDS: Final = frozenset(
    {"cribbage-2", "cribbage-3", "cribbage-4", "bezique", "pinochle-3-4", "belote", "klaberjass"}
    | {"six-pack-bezique", "noddy", "undo"}
)
"""Records of which the first is slow to read, and the others are long."""


def rows() -> Iterator[Any]:
    for path in sorted(VECTORS.glob("records-*.jsonl")):
        for number, line in enumerate(path.read_text("utf-8").splitlines()):
            kind = path.stem.removeprefix("records-")
            mark = () if number == 0 and kind in KINDS else (pytest.mark.long,)
            row = json.loads(line)
            yield pytest.param(row["record"], id=row["id"], marks=mark)


def first(name: str) -> PlayedGame:
    """Return the first game of a file of records."""
    text = (VECTORS / f"records-{name}.jsonl").read_text("utf-8").splitlines()[0]
    return games(json.loads(text)["record"])[0]


def open_file(visit: Visit, file: Path, width: int = 390, height: int = 844) -> Page:
    page = visit.blank(width, height)
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(file.as_uri())
    page.wait_for_selector("body[data-step]")
    assert asked == [file.as_uri()], "it loads nothing"
    return page


@pytest.mark.slow
@pytest.mark.parametrize("record", list(rows()))
def test_it_shows_the_scores_of_the_referee_at_every_step(
    record: str, visit: Visit, tmp_path: Path
) -> None:
    for game in games(record):
        file = tmp_path / f"{game.number}.html"
        file.write_text(viewer.page(game, layout.load("classic-3"), "en"), "utf-8")
        page = open_file(visit, file)
        shown = page.evaluate(STEPS)
        steps = list(history.walk(game))
        sides = len(game.sides)
        assert [scores for scores, _ in shown] == [
            list((*step.position.shown_scores, *(0,) * sides)[:sides]) for step in steps
        ]
        assert [points for _, points in shown] == [
            [award.points for award in step.awards] for step in steps
        ]
        page.close()


def test_it_is_led_by_keys_touch_and_both_languages(visit: Visit, tmp_path: Path) -> None:
    game = first("cribbage-2")
    file = tmp_path / "game.html"
    file.write_text(viewer.page(game, layout.load("classic-2"), "ja"), "utf-8")
    last = len(list(history.walk(game))) - 1
    for width, height in ((390, 844), (844, 390), (820, 1180), (1280, 900)):
        page = open_file(visit, file, width, height)
        body = page.locator("body")
        expect(body).to_have_attribute("data-step", str(last))
        assert game.outcome is not None and game.outcome.winner is not None
        winner = game.sides[game.outcome.winner - 1]
        expect(page.locator("#highlights .result")).to_contain_text(f"{winner}の")
        for key, step in (("Home", 0), ("ArrowRight", 1), ("ArrowRight", 2), ("ArrowLeft", 1)):
            page.keyboard.press(key)
            expect(body).to_have_attribute("data-step", str(step))
        page.get_by_role("button", name="次の手").click()
        expect(body).to_have_attribute("data-step", "2")
        page.get_by_role("button", name="English").click()
        expect(page.locator("html")).to_have_attribute("lang", "en")
        page.get_by_role("slider", name="Moves").fill("40")
        expect(body).to_have_attribute("data-step", "40")
        steps = list(history.walk(game))
        expect(page.locator("#scores b")).to_have_text(
            [str(score) for score in steps[40].position.shown_scores]
        )
        lit = page.locator("[data-name]").evaluate_all(
            "(all) => all.map((lamp) => lamp.style.fill)"
            ".filter((fill) => fill !== 'rgb(29, 18, 10)').length"
        )
        assert lit > 2
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        small = page.locator("button, input, summary").evaluate_all(
            "(all) => all.filter((one) => one.checkVisibility() && one.offsetHeight < 44).length"
        )
        assert small == 0
        page.close()


def test_the_computer_player_has_its_name_in_both_languages(visit: Visit, tmp_path: Path) -> None:
    lines = ("game cribbage", "seat 1 Ann", "seat 2 The board", "dealer 1", "deal", "2 peg 8 hand")
    (game,) = games("\n".join((*lines, "2 adjust +113")))
    file = tmp_path / "game.html"
    file.write_text(viewer.page(game, layout.load("classic-2"), "ja"), "utf-8")
    page = open_file(visit, file)
    expect(page.locator("body")).not_to_contain_text("The board")
    page.get_by_role("button", name="English").click()
    expect(page.locator("body")).not_to_contain_text("盤")
    for place in ("title", "scores", "awards"):
        expect(page.locator(f"#{place}")).to_contain_text("The board")


@pytest.mark.parametrize("width", [320, 390])
def test_scores_and_names_of_three_fit_a_phone(visit: Visit, tmp_path: Path, width: int) -> None:
    """No score is broken between its digits, and the points of a hand need no scrolling."""
    names = ("花子おばあちゃん", "Alexander von Hildebrandt", "Zoë")
    record = json.loads((VECTORS / "records-cribbage-3.jsonl").read_text("utf-8").splitlines()[0])
    text = record["record"]
    for seat, name in enumerate(names, 1):
        text = text.replace(f"seat {seat} P{seat}", f"seat {seat} {name}")
    file = tmp_path / "game.html"
    file.write_text(viewer.page(games(text)[0], layout.load("classic-3"), "ja"), "utf-8")
    page = open_file(visit, file, width)
    tall = page.locator("#scores b").evaluate_all("(all) => all.map((b) => b.offsetHeight)")
    assert max(tall) < 45
    hidden = page.evaluate(
        """() => [...document.querySelectorAll('#moves button')].map((row) => {
             row.click();
             const told = document.getElementById('told');
             return told.scrollHeight - told.clientHeight;
           })"""
    )
    assert width < 390 or max(hidden) <= 0
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_it_works_in_a_frame_of_another_page(visit: Visit, tmp_path: Path) -> None:
    game = first("belote")
    (tmp_path / "game.html").write_text(viewer.page(game, layout.load("classic-2"), "en"), "utf-8")
    other = tmp_path / "other.html"
    other.write_text(
        '<!doctype html><title>other</title><iframe sandbox="allow-scripts" src="game.html" '
        'width="390" height="700"></iframe>',
        "utf-8",
    )
    page = visit.blank(820, 1180)
    page.goto(other.as_uri())
    inside = page.frame_locator("iframe")
    inside.get_by_role("button", name="First move").click()
    expect(inside.locator("body")).to_have_attribute("data-step", "0")


def test_names_are_text_wherever_they_stand(visit: Visit, tmp_path: Path) -> None:
    name = "</script><b>x<!--DATA-->"
    game = games(f"game cribbage\nseat 1 {name}\nseat 2 Bob\ndealer 1\ndeal\n2 peg 8 hand")[0]
    file = tmp_path / "game.html"
    file.write_text(viewer.page(game, layout.load("classic-2"), "en"), "utf-8")
    page = open_file(visit, file)
    expect(page.locator("#scores li").first).to_contain_text(name)
    assert page.locator("b").count() == page.locator("#scores b, #awards b").count()


SECRET = (
    *("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"),
    *("1 hand AS 2S 3S 4S 5S 6S", "2 hand AH 2H 3H 4H 5H 6H"),
)


def test_cards_of_an_unfinished_deal_are_left_out(visit: Visit, tmp_path: Path) -> None:
    (game,) = games("\n".join(SECRET))
    made = viewer.page(without_secrets(game), layout.load("classic-2"), "en")
    assert "2S" not in made and "2♠" not in made
    assert [step.line for step in history.walk(without_secrets(game))] == list(SECRET[:4])


@pytest.mark.slow
def test_an_evening_may_leave_a_game_and_nobody_reads_its_cards(daemon: Daemon) -> None:
    """The game can be continued, although it is no longer the last one."""
    daemon.say(*SECRET, "session end", "game cribbage", "seat 1 Ann", "seat 2 Bob")
    with daemon.client as client:
        for path in ("history/2", "export/2.txt", "export/2.html", "export/games.json"):
            answer = client.get(f"/{path}")
            assert answer.status_code == 200
            assert "2H" not in answer.text and "2♥" not in answer.text, path


def test_the_command_writes_it(daemon: Daemon, visit: Visit, tmp_path: Path) -> None:
    daemon.say(*SECRET[:5], "2 peg 8 hand", "1 adjust +121")
    done = CliRunner().invoke(
        main, ["export", "2", "--as", "html", "--lang", "ja", "--data", str(daemon.data)]
    )
    assert done.exit_code == 0, done.output
    file = tmp_path / "game.html"
    file.write_text(done.output, "utf-8")
    page = open_file(visit, file)
    expect(page.locator("html")).to_have_attribute("lang", "ja")
    expect(page.locator("#scores b")).to_have_text(["121", "8"])
    for language in ("en", "ja"):
        asked = ["export", "2", "--as", "svg", "--lang", language, "--data", str(daemon.data)]
        drawn = CliRunner().invoke(main, asked)
        with daemon.client as client:
            sent = client.get(f"/export/2.svg?lang={language}")
        assert drawn.stdout.rstrip("\n") == sent.text.rstrip("\n")
    refused = CliRunner().invoke(main, ["export", "--as", "html", "--data", str(daemon.data)])
    assert refused.exit_code == 1
    assert "takes one game" in refused.output


def test_what_the_referee_adds_to_a_move_is_read(visit: Visit, tmp_path: Path) -> None:
    deal = "dealer 1\ndeal\nturnup 9H\n2 bid take\n1 count 60\n2 count 40"
    (game,) = games(f"game klaberjass\nseat 1 Ann\nseat 2 Bob\n{deal}")
    file = tmp_path / "game.html"
    file.write_text(viewer.page(game, layout.load("classic-2"), "en"), "utf-8")
    page = open_file(visit, file)
    expect(page.locator("#text")).to_have_text("Bob counts 40 in tricks – Bob is bête: 40 to 60")
