"""The rules of a new game on the table sheet: it can set every option of the notation."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from boardctl import games, text
from boardctl.games import Game, relevant
from tests.web.conftest import Daemon, Visit
from tests.web.test_accessibility import complaints
from tests.web.test_rules import FORMS, GUESTS, seating, values

SIZES = [(360, 740), (820, 1180), (1280, 800)]


def open_sheet(page: Page, game: str = "cribbage", seats: int = 2) -> Locator:
    """Open the table sheet with a game and a number of players chosen, and its rules expanded."""
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    sheet.get_by_label("Game", exact=True).select_option(game)
    many = sheet.get_by_role("button", name=f"{seats} players")
    if many.count():
        many.click()
    for number in range(1, seats + 1):
        sheet.get_by_label(f"Player {number}", exact=True).fill(GUESTS[number - 1])
    sheet.locator(".rules summary").click()
    return sheet


def choose(sheet: Locator, option: str, value: str) -> None:
    field = sheet.locator(f"[data-option={option}]")
    if field.get_attribute("role") == "switch":
        field.set_checked(value == "on")
    elif field.evaluate("field => field.tagName") == "SELECT":
        field.select_option(value)
    else:
        field.fill(value)


def start_game(page: Page, sheet: Locator) -> None:
    sheet.locator(".who .act.first").click()
    expect(sheet).to_be_hidden(timeout=30_000)  # twenty lines, each on disk


def lines_of_the_game(daemon: Daemon) -> list[str]:
    with daemon.client as client:
        return [move["line"] for move in client.get("/moves").json()["moves"]]


@pytest.mark.slow
def test_muggins_by_tapping(daemon: Daemon, visit: Visit) -> None:
    """The rules are one line until they are expanded. A game begins with the notation's lines, and
    differences from the defaults stay visible."""
    page = visit(daemon.url, 360, 740)
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    line = sheet.locator(".rules summary")
    expect(line).to_have_text("Rules: as usual")
    expect(sheet.get_by_label("Muggins")).to_be_hidden()
    line.click()
    expect(sheet.get_by_label("Muggins")).to_have_value("off")
    expect(sheet.get_by_label("Muggins").locator("option:checked")).to_have_text("off (usual)")
    expect(sheet.locator(".option", has_text="Points to win")).to_contain_text(
        "31 to 121, usually 121"
    )
    sheet.get_by_label("Muggins").select_option("full")
    sheet.get_by_role("switch", name="A skunk counts as two games").uncheck()
    expect(sheet.locator(".option", has_text="A skunk counts")).to_contain_text("usually on")
    expect(sheet.get_by_label("A double skunk counts as four games")).to_have_count(0)
    sheet.get_by_label("Points to win").fill("61")
    agreed = (
        "Points to win: 61 · A skunk counts as two games: off · Muggins: missed points; 2 for a "
    )
    expect(line).to_have_text(f"Rules: {agreed}false claim")
    sheet.get_by_label("Player 1").fill("Zoë")
    start_game(page, sheet)
    assert lines_of_the_game(daemon) == [
        "game cribbage", "seat 1 Zoë", "seat 2 Bob", "set target 61", "set skunk off",
        "set muggins full",
    ]  # fmt: skip
    rules = daemon.state()["rules"]
    assert [(rule["name"], rule["value"]) for rule in rules] == [
        ("target", "61"), ("skunk", "off"), ("muggins", "full"),
    ]  # fmt: skip
    expect(page.locator("#moves .rules")).to_contain_text(agreed)
    assert complaints(page) == []
    page.locator("#table").click()
    expect(line).to_contain_text("Points to win: 61")
    line.click()
    sheet.get_by_role("button", name="Back to the usual rules").click()
    expect(line).to_have_text("Rules: as usual")


@pytest.mark.slow
def test_only_the_rules_before_the_first_deal(daemon: Daemon, visit: Visit) -> None:
    """Then no other game begins, and the dealer stays the same."""
    daemon.say("dealer 2")
    page = visit(daemon.url)
    sheet = open_sheet(page)
    for number, name in enumerate(("Ann", "Bob"), 1):
        sheet.get_by_label(f"Player {number}", exact=True).fill(name)
    choose(sheet, "muggins", "underclaim")
    start_game(page, sheet)
    assert lines_of_the_game(daemon)[-2:] == ["dealer 2", "set muggins underclaim"]
    assert daemon.state()["dealer"] == 2


@pytest.mark.slow
def test_another_phone_sets_a_rule(daemon: Daemon, visit: Visit) -> None:
    """Untouched options here are not reset."""
    page = visit(daemon.url, 360, 740)
    sheet = open_sheet(page)
    choose(sheet, "target", "61")
    daemon.say("set muggins full")
    expect(sheet.get_by_label("Muggins")).to_have_value("full")
    expect(sheet.locator("[data-option=target]")).to_have_value("61")
    before = lines_of_the_game(daemon)
    sheet.get_by_label("Player 1", exact=True).fill("Ann")
    sheet.get_by_label("Player 2", exact=True).fill("Bob")
    start_game(page, sheet)
    assert lines_of_the_game(daemon) == [*before, "set target 61"]


@pytest.mark.slow
def test_a_bad_number(daemon: Daemon, visit: Visit) -> None:
    page = visit(daemon.url, 360, 740)
    sheet = open_sheet(page)
    number = daemon.state()["number"]
    for bad in ("500", "30", "6.5", "-4", "1e2", ""):
        choose(sheet, "target", bad)
        sheet.locator(".who .act.first").click()
        expect(sheet.locator(".who .refused")).to_have_text(
            f"Points to win cannot be “{bad}”; it may be 31 to 121."
        )
        assert daemon.state()["number"] == number
        expect(sheet.locator("[data-option=target]")).to_be_visible()


@pytest.mark.slow
def test_presets_fill_the_fields(run: Callable[..., Daemon], visit: Visit, tmp_path: Path) -> None:
    config = tmp_path / "config.toml"
    config.write_text(
        '[[preset]]\nname = "Sunday"\ngame = "cribbage"\n'
        'options = { muggins = "full", target = "61" }\n'
        '[[preset]]\nname = "Old"\ngame = "belote"\noptions = { trumps = "all" }\n'
    )
    daemon = run("--config", str(config))
    page = visit(daemon.url, 360, 740)
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    game = sheet.get_by_label("Game", exact=True)
    game.select_option(label="Sunday")
    line = sheet.locator(".rules summary")
    expect(line).to_contain_text("Points to win: 61 · Muggins: missed points; 2")
    line.click()
    choose(sheet, "muggins", "off")
    expect(line).to_have_text("Rules: Points to win: 61")
    expect(game.locator("option:checked")).to_have_text("Sunday")
    start_game(page, sheet)
    assert lines_of_the_game(daemon)[-1] == "set target 61"
    page.locator("#table").click()
    game.select_option(label="Old")
    sheet.get_by_role("button", name="2 players").click()
    sheet.locator(".who .act.first").click()
    expect(sheet.locator(".who .refused")).to_contain_text("Belote has no option “trumps”")


@pytest.mark.slow
def test_rules_are_saved_under_a_name(run: Callable[..., Daemon], visit: Visit) -> None:
    """They are offered among the named tables, also after a restart, until they are removed."""
    daemon = run()
    page = visit(daemon.url, 360, 740)
    sheet = open_sheet(page)
    choose(sheet, "muggins", "full")
    choose(sheet, "target", "61")
    sheet.get_by_label("Name of these rules").fill("Friday")
    sheet.get_by_role("button", name="Save these rules").click()
    chosen = sheet.get_by_label("Game", exact=True).locator("option:checked")
    expect(chosen).to_have_text("Friday")
    page.close()
    assert daemon.end() == ""
    daemon = run()
    page = visit(daemon.url, 360, 740)
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    game = sheet.get_by_label("Game", exact=True)
    game.select_option(label="Friday")
    expect(sheet.locator(".rules summary")).to_contain_text("Points to win: 61 · Muggins: missed")
    sheet.get_by_role("button", name="Remove “Friday”").click()
    expect(game.locator("option:checked")).to_have_text("Cribbage")
    expect(game.locator("option", has_text="Friday")).to_have_count(0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("size", "scheme"), list(zip(SIZES, ("light", "dark", "light"), strict=True)), ids=str
)
def test_they_can_be_tapped_and_read(
    daemon: Daemon, visit: Visit, size: tuple[int, int], scheme: str
) -> None:
    page = visit(daemon.url, *size, color_scheme=scheme, reduced_motion="reduce")
    sheet = open_sheet(page, "belote", 2)
    for game in ("belote", "klaberjass", "cribbage"):
        sheet.get_by_label("Game", exact=True).select_option(game)
        assert complaints(page) == []
        boxes = sheet.locator(".rules :is(summary, label, button)").evaluate_all(
            "nodes => nodes.map(node => node.getBoundingClientRect().toJSON())"
        )
        assert min(min(box["width"], box["height"]) for box in boxes) >= 48
        assert max(box["right"] for box in boxes) <= size[0]
        assert sheet.evaluate("node => node.scrollWidth - node.clientWidth") <= 0


@pytest.mark.slow
def test_by_keyboard(daemon: Daemon, visit: Visit) -> None:
    """The focus stays in place when a choice shows or hides other rules."""
    page = visit(daemon.url)
    page.locator("#table").focus()
    page.keyboard.press("Enter")
    sheet = page.get_by_role("dialog")
    sheet.locator(".rules summary").focus()
    page.keyboard.press("Enter")
    focused = "document.activeElement.dataset.option"
    for _ in range(10):
        page.keyboard.press("Tab")
        if page.evaluate(focused) == "skunk":
            break
    page.keyboard.press("Space")
    expect(sheet.locator("[data-option=double_skunk]")).to_have_count(0)
    assert page.evaluate(focused) == "skunk"
    page.keyboard.press("Space")
    page.keyboard.press("Tab")
    assert page.evaluate(focused) == "double_skunk"


@pytest.mark.slow
def test_in_japanese(daemon: Daemon, visit: Visit) -> None:
    page = visit(f"{daemon.url}/?lang=ja", 360, 740)
    ja = text.catalogue("ja").gettext
    page.locator("#table").click()
    sheet = page.get_by_role("dialog")
    expect(sheet.locator(".rules summary")).to_have_text(ja("Rules: as usual"))
    sheet.locator(".rules summary").click()
    sheet.get_by_label(ja("Muggins")).select_option(label=ja("missed points"))
    assert complaints(page) == []


def rounds(game: Game[Any], seats: int) -> list[dict[str, str]]:
    """Return choices of all options that together contain every value of each. An option that needs
    another option's value is chosen after it, with that value."""
    fitting = [option for option in game.options if seats in (option.seats or game.seats)]
    named = {option.name for option in fitting}
    needed = dict(o.only_if for o in fitting if o.only_if and o.only_if[0] in named)
    others = [o for o in relevant(game, seats, needed) if o.name not in needed]
    most = max(len(values(option)) for option in others)
    found = [needed | {o.name: values(o)[n % len(values(o))] for o in others} for n in range(most)]
    for option in fitting:
        if option.name in needed:
            found += [{option.name: value} for value in values(option)]
    return found


def check_a_start(
    daemon: Daemon,
    page: Page,
    game: str,
    seats: int,
    chosen: dict[str, str],
    agreed: dict[str, str],
) -> None:
    """Choose options on the sheet and start: the game begins with the notation's own lines.
    `agreed` are the options before, and then after."""
    found = games.find(game)
    before = lines_of_the_game(daemon)
    sheet = open_sheet(page, game, seats)
    for name, value in chosen.items():
        choose(sheet, name, value)
    shown = sheet.locator("[data-option]").evaluate_all("all => all.map(o => o.dataset.option)")
    assert shown == [option.name for option in relevant(found, seats, agreed | chosen)]
    start_game(page, sheet)
    sets = [f"set {n} {chosen[n]}" for n in shown if n in chosen and chosen[n] != agreed[n]]
    # Before the first deal of the same game, only its rules change.
    same = before[: 1 + seats] == [f"game {game}", *seating(seats)]
    begun = before if same else [f"game {game}", *seating(seats)]
    assert lines_of_the_game(daemon) == [*begun, *sets]
    agreed |= chosen
    differ = {o.name: agreed[o.name] for o in relevant(found, seats, agreed)}
    differ = {n: v for n, v in differ.items() if v != found_default(found, n)}
    assert {rule["name"]: rule["value"] for rule in daemon.state()["rules"]} == differ


def found_default(game: Game[Any], name: str) -> str:
    return next(option.default for option in game.options if option.name == name)


@pytest.mark.slow
def test_an_option_of_each_kind(daemon: Daemon, visit: Visit) -> None:
    """The short form of the next test."""
    page = visit(daemon.url, 360, 740, reduced_motion="reduce")
    agreed = {option.name: option.default for option in games.find("cribbage").options}
    for chosen in rounds(games.find("cribbage"), 4)[:2]:
        check_a_start(daemon, page, "cribbage", 4, chosen, agreed)


@pytest.mark.long
@pytest.mark.parametrize(("game", "seats"), FORMS)
def test_every_option_of_every_game(
    run: Callable[..., Daemon], visit: Visit, game: str, seats: int
) -> None:
    """The sheet has each option with each value, and starts the game with the notation's lines."""
    daemon = run("--layout", "classic-3" if seats == 3 else "classic-2")
    page = visit(daemon.url, 820, 1180, reduced_motion="reduce")
    agreed = {option.name: option.default for option in games.find(game).options}
    for chosen in rounds(games.find(game), seats):
        check_a_start(daemon, page, game, seats, chosen, agreed)
