"""The keypad as hands use it: every row of docs/keypad.md, and hands that know no map."""

from __future__ import annotations

import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boardctl import notation
from boardctl.board import layout
from boardctl.ports import KEYS
from boardctl.sitting import House
from tests.tables import KeyedTable, keyed


@pytest.fixture
def table(tmp_path: Path):  # type: ignore[no-untyped-def]
    with keyed(tmp_path) as opened:
        yield opened


def test_a_seat_and_a_number_are_points(table: KeyedTable) -> None:
    table.press("A8# B12# A 2 #")
    assert table.scores == (10, 12)


def test_a_star_clears_and_takes_back(table: KeyedTable) -> None:
    table.press("A8# B1*")
    assert table.said.endswith("Ann 8      Bob 0")
    table.press("*")
    assert table.said == "Take back 8? | # yes   * no"
    table.press("*")
    assert table.scores == (8, 0)
    table.press("* #")
    assert table.scores == (0, 0)
    table.press("hold*")
    assert table.scores == (8, 0)


def test_what_is_impossible_is_refused_in_words(table: KeyedTable) -> None:
    table.press("A 6 0 #")
    assert table.scores == (0, 0)
    told = " ".join(table.sitting.lines())
    assert "60" in told
    table.press("A8#")
    assert table.scores == (8, 0)


def test_a_held_key_does_not_act_twice(table: KeyedTable) -> None:
    table.press("A8# hold#")
    assert table.said.startswith("Menu")
    table.press("*")
    assert table.scores == (8, 0)


def test_a_score_is_set_right(table: KeyedTable) -> None:
    table.press("A8# hold# 9 A 2 4 #")
    assert table.scores == (24, 0)
    table.press("hold# 9 A 7 #")
    assert table.scores == (7, 0)


def test_a_line_of_the_deal_is_put_right(table: KeyedTable) -> None:
    table.press("A8# B4# hold# 2 A # 6 #")
    assert table.scores == (6, 4)
    table.press("hold# 2 D")
    assert table.scores == (6, 0)


def test_other_players_sit_down(table: KeyedTable) -> None:
    table.press("hold# 3 3 1 #")
    assert tuple(table.table.position.seats.values()) == ("Cleo", "Ann")
    table.press("B5#")
    assert table.scores == (0, 5)


def test_goodnight_closes_saves_and_darkens(table: KeyedTable) -> None:
    table.press("A8# hold# 0 #")
    assert table.said.startswith("Safe to unplug")
    assert not any(table.row.frame)
    assert table.clock.idle
    slept = table.playing
    table.press("5")
    assert (slept, table.playing) == (False, True)
    assert any(table.row.frame)


def test_a_match_is_won_and_the_next_evening_begins(tmp_path: Path) -> None:
    with keyed(tmp_path, House(match=2)) as table:
        table.press("A 2 9 # " * 4 + "A 5 #")
        assert table.said.startswith("Next game?") is False, "a skunk counts two: the match"
        assert "match" in table.said
        table.press("#")
        assert table.table.position.tally.games == 0
        assert table.playing


def test_a_win_is_celebrated_and_counted(table: KeyedTable) -> None:
    table.press("B 2 9 # " * 4 + "A 2 9 # " * 4 + "A 5 #")
    assert table.table.position.tally.won == (1, 0)
    frames = table.row.frames
    table.clock.run(60)
    assert table.row.frames > frames + 50, "the celebration moves"
    assert table.clock.idle, "and ends"
    table.press("#")
    assert table.scores == (0, 0)
    won = layout.load("classic-2").ledmap["won1.1"]
    assert any(table.row.frame[3 * won : 3 * won + 3])


def test_at_rest_nothing_moves(table: KeyedTable) -> None:
    table.press("A8#")
    table.clock.run(30)
    frames, calls = table.row.frames, table.clock.calls
    table.clock.run(3600)
    assert (table.row.frames, table.clock.calls) == (frames, calls)
    assert table.clock.idle


@settings(max_examples=60, deadline=None)
@given(
    st.lists(
        st.tuples(st.sampled_from(KEYS), st.sampled_from([0.05, 0.05, 0.05, 1.2])), max_size=60
    )
)
def test_mashed_keys_never_lose_a_point(strokes: list[tuple[str, float]]) -> None:
    with tempfile.TemporaryDirectory() as data:
        with keyed(Path(data)) as table:
            for key, seconds in strokes:
                table.tap(key, seconds)
                points = sum(table.scores)
                assert points == sum(table.table.position.scores)
            record = table.table.record.moves
            scores = table.scores
            for _ in range(3):
                table.tap("*")
            if not table.said.startswith("Take back") and not table.said.startswith("Back"):
                table.tap("*")
            table.tap("*")
            assert table.table.record.moves == record
        with keyed(Path(data)) as again:
            if again.table.position.game is not None and record:
                assert again.table.record.moves[: len(record)] == record
                assert again.scores == scores


def test_a_hand_told_elsewhere_is_pegged_by_its_players_key(table: KeyedTable) -> None:
    for line in ("dealer 1", "deal", "starter 5"):
        table.table.submit(line, "page")
    hand = notation.parse("2 show 4 5 5 6", table.table.position.game)
    assert hand is not None
    table.sitting.offer(hand)
    assert table.said.startswith("Bob 23?")
    table.press("B")
    assert table.scores == (0, 23)


def test_what_was_pegged_elsewhere_is_not_pegged_again(table: KeyedTable) -> None:
    for line in ("dealer 1", "deal", "starter 5"):
        table.table.submit(line, "page")
    table.press("B 4 5 5 6")
    assert table.said.startswith("Bob 23?")
    table.table.submit("2 show 4 5 5 6", "page")
    table.press("#")
    assert table.scores == (0, 23)


def test_a_display_without_the_letters_says_so_and_stays_english(table: KeyedTable) -> None:
    table.press("hold# 6 4")
    assert table.said.startswith("ディーラー")
    table.press("hold# 6 3")
    table.sheet.languages = ("en",)
    table.press("hold# 6 4")
    assert table.said.startswith("English only")
    assert table.sitting.language == "ja", "page and voice speak it all the same"
    table.press("A8#")
    assert table.said.startswith("Who deals?")


def test_a_key_ends_digits_told_by_light(table: KeyedTable) -> None:
    table.sitting.announce(("PIN 205", ""), "205")
    shown = table.sitting.picture()
    assert shown is not None
    assert shown.spelled is not None
    table.press("*")
    shown = table.sitting.picture()
    assert shown is not None
    assert shown.spelled is None
