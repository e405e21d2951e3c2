"""The board's lights and spoken words, situation by situation."""

from __future__ import annotations

import pytest

from boardctl import text
from boardctl.games import Line, Note
from boardctl.message import Message
from tests.games.cribbage.table import Table

BY_RANK = "deal; starter K"


def entered(note: Note) -> str:
    """Return a readout as a word and its numbers, `ahead 1 4`, from which its sentence is built."""
    sentence = text.say(
        Message("readout", note.code, note.fields), text.Reader("en", ("Ann", "Bob", "Cleo"))
    )
    assert "{" not in sentence
    return " ".join([note.code, *map(str, note.fields.values())])


def readouts(table: Table) -> list[str]:
    return [entered(note) for note in table.scoreboard.readouts]


EVEN = ["to-go 1 121", "to-go 2 121"]
WON_IF_NOT_CALLED = "set muggins full; start 0 119; dealer 1; deal; starter K; 2 play 7; 1 play 8"


@pytest.mark.parametrize(
    ("before", "said"),
    [
        ("", EVEN),
        ("dealer 1; deal", EVEN),
        (f"dealer 1; {BY_RANK}", ["count 0", *EVEN]),
        (f"dealer 1; {BY_RANK}; 2 play 7", ["said-count 7", "count 7", *EVEN]),
        (f"dealer 1; {BY_RANK}; 2 play 7; 1 play 8",
         ["said 15 2", "count 15", "to-go 1 119", "to-go 2 121", "ahead 1 2"]),
        (f"dealer 1; {BY_RANK}; 2 play 7; 1 play 8; 2 play 8; 1 play 8",
         ["said 31 8", "count 0", "to-go 1 111", "to-go 2 119", "ahead 1 8"]),
        (f"dealer 1; {BY_RANK}; 2 play T; 1 play T; 2 play J; 1 go",
         ["said-go 1", "count 30", "to-go 1 119", "to-go 2 121", "ahead 1 2"]),
        (f"dealer 1; {BY_RANK}; 2 play T; 1 play T; 2 play J; 1 go; 2 go",
         ["said-go 2", "said-last 2", "count 0", "to-go 1 119", "to-go 2 120", "ahead 1 1"]),
        # a lead that ends a series by unsaid gos: the point for last card, then its own count
        (f"dealer 1; {BY_RANK}; 2 play T; 1 play T; 2 play J; 1 play 9",
         ["said-count 9", "said-last 2", "count 9", "to-go 1 119", "to-go 2 120", "ahead 1 1"]),
        # the very last card: its own points and one for last are spoken
        (f"dealer 1; {BY_RANK}; 2 play T; 1 play T; 2 play J; 1 go; 2 go; 1 play 9; 2 play 9; "
         "1 play 8; 2 play 5; 1 play 3",
         ["said-count 3", "said-last 1", "to-go 1 118", "to-go 2 116", "ahead 2 2"]),
        # another line followed it
        (f"dealer 1; {BY_RANK}; 2 play 7; 1 play 8; 2 peg 2 play", ["to-go 1 119", "to-go 2 119"]),
        (f"dealer 1; {BY_RANK}; 2 play 7; 1 play 8; 2 peg 2",
         ["count 15", "to-go 1 119", "to-go 2 119"]),
        (f"dealer 1; {BY_RANK}; 2 play 7; misdeal", EVEN),
        (f"dealer 1; {BY_RANK}; 2 play 7; misdeal; deal; starter 2", ["count 0", *EVEN]),
        # the skunk line, 30 holes before the end: shown once somebody has passed it
        ("start 90 0", ["to-go 1 31", "to-go 2 121", "ahead 1 90"]),
        ("start 91 0", ["to-go 1 30", "to-go 2 121", "ahead 1 91", "behind-skunk 2 91"]),
        ("start 91 90", ["to-go 1 30", "to-go 2 31", "ahead 1 1", "behind-skunk 2 1"]),
        ("start 91 91", ["to-go 1 30", "to-go 2 30"]),
        ("set skunk off; start 91 0", ["to-go 1 30", "to-go 2 121", "ahead 1 91"]),
        ("start 3 1; 1 adjust +2", ["to-go 1 116", "to-go 2 120", "ahead 1 4"]),
        # over: nothing more to score; claimed, but not yet called
        ("start 120 0; dealer 1; 1 peg 5", []),
        ("1 resign", []),
        (f"{WON_IF_NOT_CALLED}; 2 play 9 = 3",
         ["said 24 3", "count 24", "won-unless-called 2", "to-go 1 119", "to-go 2 0",
          "ahead 2 120", "behind-skunk 1 89"]),
        (f"{WON_IF_NOT_CALLED}; 2 play 9 = 0",
         ["said-count 24", "count 24", "to-go 1 119", "to-go 2 2", "ahead 2 117",
          "behind-skunk 1 89"]),
    ],
)  # fmt: skip
def test_what_the_table_says(before: str, said: list[str]) -> None:
    table = Table(dealer=None)
    if before:
        table.read(before)
    assert readouts(table) == said


def test_three_sides_are_compared() -> None:
    table = Table(3, dealer=None)
    table.read("start 5 9 7")
    assert readouts(table) == ["to-go 1 116", "to-go 2 112", "to-go 3 114", "ahead 2 2"]


@pytest.mark.parametrize(
    ("options", "lines"),
    [
        ("", [("skunk", 91)]),
        ("set double_skunk on", [("skunk", 91), ("double-skunk", 61)]),
        ("set skunk off; set double_skunk on", []),
        ("set target 61", [("skunk", 31)]),
    ],
)
def test_the_lines_across_the_board(options: str, lines: list[tuple[str, int]]) -> None:
    table = Table(dealer=None)
    if options:
        table.read(options)
    board = table.scoreboard
    assert board.lines == tuple(Line(name, hole) for name, hole in lines)


@pytest.mark.parametrize(
    ("before", "phase", "dealer", "turn", "over", "winner"),
    [
        ("", "cut", None, 1, False, None),
        ("1 cut 5H", "cut", None, 2, False, None),
        ("1 cut 5H; 2 cut 7H", "deal", 2, None, False, None),
        ("dealer 1; deal", "discard", 1, 2, False, None),
        ("dealer 1; deal; 2 discard ? ?", "discard", 1, 1, False, None),
        ("dealer 1; deal; 2 discard ? ?; 1 discard ? ?", "starter", 1, None, False, None),
        (f"dealer 2; {BY_RANK}", "play", 2, 1, False, None),
        (f"dealer 1; {BY_RANK}; 2 show 2 4 6 6", "show", 1, 1, False, None),
        (f"dealer 1; {BY_RANK}; 2 show 2 4 6 6; 1 show A 8 8 9", "crib", 1, 1, False, None),
        (f"dealer 1; {BY_RANK}; 2 show 2 4 6 6; 1 show A 8 8 9; 1 crib 2 2 3 3", "deal", 1, None,
         False, None),
        ("start 120 0; dealer 1; deal; 1 peg 5", "over", 1, None, True, 1),
        ("dealer 1; 2 resign", "over", 1, None, True, 1),
        ("dealer 1; abandon", "over", 1, None, True, None),
    ],
)  # fmt: skip
def test_where_the_game_stands(
    before: str, phase: str, dealer: int | None, turn: int | None, over: bool, winner: int | None
) -> None:
    table = Table(dealer=None)
    if before:
        table.read(before)
    board = table.scoreboard
    assert (table.phase, table.turn) == (phase, turn)
    lit = None if phase in ("cut", "deal") else turn  # before the deal no turn is lit
    assert (board.dealer, board.turn, board.over, board.winner) == (dealer, lit, over, winner)
    assert board.goal == 121


def test_the_count_is_not_known_of_a_play_entered_by_points() -> None:
    table = Table()
    table.read(f"{BY_RANK}; 2 play 7")
    assert table.count == 7
    table.read("1 peg 2 play")
    assert table.count is None


def test_the_back_peg_stands_where_the_front_peg_was() -> None:
    table = Table()
    table.read("1 adjust +7; 1 adjust +4; 2 adjust +1")
    standings = table.scoreboard.standings
    assert [(pegs.score, pegs.before) for pegs in standings] == [(11, 7), (1, 0)]


def test_the_goal_is_the_target() -> None:
    table = Table(target="61")
    assert table.scoreboard.goal == 61


def test_whose_last_card_and_whose_game_is_named() -> None:
    """The page reads these fields, next to the sentences."""
    table = Table(dealer=None)
    table.read(f"dealer 1; {BY_RANK}; 2 play T; 1 play T; 2 play J; 1 go; 2 go")
    assert Note("said-last", {"seat": 2}) in table.scoreboard.readouts
    table = Table(dealer=None)
    table.read(f"{WON_IF_NOT_CALLED}; 2 play 9 = 3")
    won = Note("won-unless-called", {"side": 2})
    assert won in table.scoreboard.readouts
