"""The keypad's menu."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardctl import games
from boardctl.console.keypad import Command, Preset, Request
from boardctl.console.lights import NOTICING, reading_time
from boardctl.console.settings import TableSettings
from boardctl.games import Move
from tests.tables import KeyedTable, keyed, submit


@pytest.mark.with_features
def test_the_menu_chooses_how_much_is_told(table: KeyedTable) -> None:
    for key, telling in (("1", "points"), ("3", "cards"), ("2", "hands")):
        table.press(f"hold# 1 {key}")
        assert table.controller.telling == telling
    table.press("hold# 1 7")
    assert table.controller.telling == "hands", "there is no such choice"
    table.press("*")
    table.press("hold# * hold# A #")
    assert table.said.startswith("Who deals?"), "* leaves the menu"


@pytest.mark.with_features
def test_the_menu_asks_the_house(table: KeyedTable) -> None:
    command_handlers: list[Command] = []
    table.controller.commanded.connect(command_handlers.append)
    table.press("hold# 6 1 hold# 6 2 hold# 6 0 * hold# 8 1 hold# 8 2 hold# 8 5 * hold# #")
    assert command_handlers == [
        Command("voice", "on"),
        Command("voice", "off"),
        Command("pair", "pin"),
        Command("pair", "forget"),
        Command("hint"),
    ]


def test_the_evening_so_far_is_shown(table: KeyedTable) -> None:
    table.press("hold# 7")
    assert "0" in table.said


def test_the_light_is_set(table: KeyedTable) -> None:
    table.press("A8#")
    bright = table.row.frame
    table.press("hold# 5 1")
    night = table.row.frame
    assert sum(night) < sum(bright)
    table.press("hold# 5 3")
    assert sum(table.row.frame) > sum(night)
    assert sum(bright) > sum(night)


def test_another_game_is_begun(table: KeyedTable) -> None:
    table.press("hold# 4 1")
    first = games.names()[0]
    assert table.table.position.game is not None
    assert table.table.position.game.name == first


def test_a_game_in_progress_is_ended_only_after_a_question(table: KeyedTable) -> None:
    table.press("A8# B4# hold# 4 1")
    assert table.said.startswith("End this game?"), "a digit too many ends nothing"
    assert (table.game, table.scores) == ("cribbage", (8, 4))
    for no in ("*", "5"):
        table.press(no)
        assert (table.game, table.scores) == ("cribbage", (8, 4))
        assert table.controller.keypad_state.mode == "rest"
        table.press("hold# 4 1")
    table.press("#")
    assert (table.game, table.scores) == (games.names()[0], (0, 0))
    table.press("hold# 4 4")
    assert table.game == games.names()[3], "a game without a line of its own is not asked about"


def test_a_preset_is_a_game_with_its_rules(tmp_path: Path) -> None:
    presets = tuple(
        Preset(f"house{n}", "cribbage", {"skunk": "off", "target": str(60 + n)}) for n in range(10)
    )
    with keyed(tmp_path, TableSettings(presets=presets)) as table:
        table.press("hold# 4 A")
        assert "1house9" in table.said
        table.press("1")
        setup = table.table.position.setup
        assert setup is not None
        assert (setup.options["skunk"], setup.options["target"]) == ("off", "69")
        tables = [one for name in games.names() for one in games.find(name).tables]
        named = sum(not one.seats or 2 in one.seats for one in tables)
        pages, rest = divmod(len(presets) + len(games.names()) + named, 9)
        table.press(f"hold# 4 {'A' * (pages + (rest > 0))} 2")
        setup = table.table.position.setup
        assert setup is not None
        assert setup.options["target"] == "61", "after the last page comes the first"
        table.press("hold# 4 0 *")
        assert setup.options["target"] == "61"


def test_a_game_begun_by_mistake_is_taken_back_at_once(table: KeyedTable) -> None:
    """Its players and rules are taken back with it, because half a table belongs to no game."""
    table.press("A8# B4#")
    for line in ("game bezique", "seat 1 Dan", "seat 2 Ann"):
        submit(table.table, line, "page")
    table.press("*")
    assert table.said == "Back: New game: | # yes   * no"
    table.press("#")
    assert (table.game, table.scores) == ("cribbage", (8, 4))
    table.press("hold*")
    assert table.game == "bezique"
    assert list(table.table.position.seats.values()) == ["Dan", "Ann"]
    submit(table.table, "seat 2 Anne", "page")
    assert table.table.undoing == Move("undo"), "a name that was put right, and nothing else"


def test_players_sit_down_one_by_one(tmp_path: Path) -> None:
    roster = tuple(f"Player{n}" for n in range(1, 12))
    with keyed(tmp_path, TableSettings(roster=roster)) as table:
        table.press("hold# 3 #")
        assert "2" in " ".join(table.controller.lines()), "so many may play"
        table.press("* hold# 3 A 2 2 3 A 0 1 #")
        assert tuple(table.table.position.seats.values()) == ("Player11", "Player1")
        table.press("hold# 3 3 4 5 6 7")
        assert table.said == "Player3 Player4 | # yes   * no"
        table.press("#")
        assert tuple(table.table.position.seats.values()) == roster[2:6]


def test_what_is_no_number_amends_no_points(table: KeyedTable) -> None:
    table.press("A8# B4# hold# 2 A A A B C #")
    assert "no card or number" in " ".join(table.controller.lines())
    table.press("A A 9 #")
    assert table.scores == (8, 4)
    table.press("hold# 2 # 9 #")
    assert table.scores == (8, 9)


@pytest.mark.with_features
def test_the_menu_names_what_is_likely_first_and_what_waits_before_all(table: KeyedTable) -> None:
    table.press("hold#")
    pages = table.controller.pages
    assert [head for head, _ in pages] == ["Menu"] * len(pages)
    assert pages[0][1] == "2fix 7games 0bye"
    choices = " ".join(row for _, row in pages).split()
    assert {word[0] for word in choices}.isdisjoint("BCD"), "nobody asks for anything"
    assert sum(map(reading_time, pages, ((), *pages))) <= 10, "seconds for all of it"
    table.controller.requests.add(Request(1, "allow", "07", "restart"), "", "", guest=False)
    table.press("* hold#")
    assert table.controller.pages[0][1].startswith("Callow ")
    table.press("C 0 7")
    assert table.said == "Restart board? | # yes   * no"


def test_a_page_stays_as_long_as_its_new_rows_take_to_read() -> None:
    long, short = ("Menu", "2fix 7games 0bye"), ("Menu", "5light")
    assert reading_time(short) < reading_time(long)
    assert reading_time(long, short) < reading_time(long), "the head is not read again"
    assert reading_time(("メニュー",)) > reading_time(("menu",)), "a kana counts as two letters"
    assert reading_time(long, long) == NOTICING


def test_a_named_table_comes_after_the_games_with_all_its_rules(table: KeyedTable) -> None:
    submit(table.table, "set skunk off", "page")
    places = len(games.names())
    before = games.names()[: games.names().index("cribbage")]
    tables = [table for name in before for table in games.find(name).tables]
    pages, place = divmod(places + sum(not t.seats or 2 in t.seats for t in tables), 9)
    table.press(f"hold# 4 {'A' * pages} {place + 1}")
    setup = table.table.position.setup
    assert setup is not None
    assert (setup.options["deal_draw"], setup.options["skunk"]) == ("low", "on")
    assert setup.options["cap_final_score"] == "on", "American Cribbage Congress"
