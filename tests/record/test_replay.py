"""`boardctl replay` as described in docs/notation.md: its output, where it goes, and the exit
status."""

from __future__ import annotations

import io
import json
from typing import Any

from click.testing import CliRunner

from boardctl.commands import main, replay

HEAD = ("game cribbage", "seat 1 Ann", "seat 2 Bob")


def run(*lines: str, keep_going: bool = False) -> tuple[int, list[dict[str, Any]]]:
    out = io.StringIO()
    status = replay.run(lines, True, keep_going, out)
    return status, [json.loads(line) for line in out.getvalue().splitlines()]


def test_an_accepted_line_prints_as_the_language_says() -> None:
    status, answers = run(*HEAD, "dealer 1", "deal", "starter 5D", "2 play TC", "1 play 5H")
    assert status == 0
    assert answers[7] == {
        "line": 8,
        "move": "1 play 5H",
        "awards": [{"seat": 1, "points": 2, "reason": "fifteen", "cards": ["TC", "5H"]}],
        "scores": [2, 0],
        "state": {"phase": "play", "turn": 2, "dealer": 1, "count": 15, "trump": None},
        "notes": [],
    }
    assert answers[8]["outcome"] == {
        "state": "unfinished", "winner": None, "scores": [2, 0], "won": [0, 0], "lost": [0, 0],
        "margin": None,
    }  # fmt: skip
    assert answers[9] == {"session": {"name": None, "games": 0, "won": [0, 0], "lost": [0, 0]}}
    assert len(answers) == 10


def test_scores_are_empty_before_the_seats_are_known() -> None:
    _, answers = run(*HEAD)
    assert [answer["scores"] for answer in answers[:3]] == [[], [], [0, 0]]
    assert [answer["state"]["phase"] for answer in answers[:3]] == ["seats", "seats", "cut"]


def test_a_line_may_be_written_in_many_ways() -> None:
    status, answers = run(
        "\ufeffGAME Cribbage\r\n", "  # a comment\n", "\n", "Seat 1  Ann  Lee # a name\r\n",
        "SEAT 2 Bob", "1 CUT 10h", "2 cut k♦", "DEAL", "starter 5♥", "1 PLAY 10S", "2 play j",
        "1 play 9c=0", "2 GO",
    )  # fmt: skip
    assert status == 0
    assert [(a["line"], a["move"]) for a in answers if "move" in a] == [
        (1, "game cribbage"), (4, "seat 1 Ann Lee"), (5, "seat 2 Bob"), (6, "1 cut TH"),
        (7, "2 cut KD"), (8, "deal"), (9, "starter 5H"), (10, "1 play TS"), (11, "2 play J"),
        (12, "1 play 9C = 0"), (13, "2 go"),
    ]  # fmt: skip
    assert answers[9]["notes"] == [{"code": "claim-differs", "said": 0, "true": 3}]


def test_a_refused_line_ends_the_run_or_is_skipped() -> None:
    lines = (*HEAD, "dealer 1", "deal", "starter 5D", "1  play TC  # oh", "2 play TC")
    status, answers = run(*lines)
    assert status == 1
    assert answers[6]["line"] == 7
    assert answers[6]["move"] == "1  play TC  # oh", "as it stood"
    assert answers[6]["error"]["code"] == "not-your-turn"
    assert answers[6]["error"]["fields"] == {"seat": 1, "turn": 2}
    assert answers[6]["error"]["message"] == "It is Bob’s turn, not Ann’s."
    assert [key for answer in answers[7:] for key in answer] == ["outcome", "session"]
    status, answers = run(*lines, keep_going=True)
    assert status == 1
    assert answers[7]["move"] == "2 play TC"


def test_outcomes_stand_where_a_game_ends_or_stops() -> None:
    _, answers = run(
        *HEAD, "start 120 90", "dealer 1", "1 peg 1", "game cribbage", "2 peg 3", "game cribbage"
    )
    kinds = ["outcome" if "outcome" in a else a.get("move", "session") for a in answers]
    assert kinds[5:] == [
        "1 peg 1", "outcome", "game cribbage", "2 peg 3", "outcome", "game cribbage", "outcome",
        "session",
    ]  # fmt: skip
    assert answers[6]["outcome"]["won"] == [2, 0]
    assert answers[-1]["session"] == {"name": None, "games": 1, "won": [2, 0], "lost": [0, 2]}


def test_a_win_taken_back_is_followed_by_the_new_outcome() -> None:
    _, answers = run(*HEAD, "start 120 100", "dealer 1", "1 peg 1", "undo", "2 peg 2")
    outcomes = [answer["outcome"] for answer in answers if "outcome" in answer]
    assert [outcome["state"] for outcome in outcomes] == ["won", "unfinished"]
    assert answers[-1]["session"]["games"] == 0
    _, answers = run(*HEAD, "start 120 100", "dealer 1", "1 peg 1", "1 adjust -1", "2 peg 21")
    outcomes = [answer["outcome"] for answer in answers if "outcome" in answer]
    assert [outcome["winner"] for outcome in outcomes] == [1, 2]


def test_undo_reaches_over_the_end_of_a_game() -> None:
    _, answers = run(*HEAD, "start 120 100", "dealer 1", "1 peg 1", "game cribbage", "undo 2")
    assert answers[-3]["scores"] == [120, 100]
    assert answers[-2]["outcome"]["state"] == "unfinished"


def test_a_session_is_counted_by_itself() -> None:
    _, answers = run(
        "session Monday", *HEAD, "start 120 119", "dealer 1", "1 peg 1", "session end",
        "game cribbage", "start 0 120", "dealer 1", "2 peg 1",
    )  # fmt: skip
    sessions = [answer["session"] for answer in answers if "session" in answer]
    assert sessions == [
        {"name": "Monday", "games": 1, "won": [1, 0], "lost": [0, 1]},
        {"name": None, "games": 1, "won": [0, 2], "lost": [2, 0]},
    ]
    ends = next(a for a in answers if a.get("move") == "session end")
    assert ends["scores"] == [121, 119]


def test_a_session_ended_is_the_last_line() -> None:
    _, answers = run("session Club", *HEAD, "session end", "", "# good night")
    assert [answer for answer in answers if "session" in answer] == [answers[-1]]
    assert answers[-1]["session"]["name"] == "Club"


def test_the_command_reads_its_input() -> None:
    text = "\n".join((*HEAD, "dealer 1", "ply"))
    result = CliRunner().invoke(main, ["replay", "-", "--json"], input=text)
    assert result.exit_code == 1
    assert json.loads(result.output.splitlines()[4])["error"]["code"] == "syntax"
    result = CliRunner().invoke(main, ["replay", "-"], input="\n".join(HEAD))
    assert result.exit_code == 0
    assert "game unfinished, 0 0" in result.output
    assert "evening: games 0, won 0 0" in result.output
    named = "\n".join(("session Club", *HEAD))
    result = CliRunner().invoke(main, ["replay", "-"], input=named)
    assert "evening Club: games 0, won 0 0" in result.output


def test_words_tell_the_same() -> None:
    out = io.StringIO()
    lines = (*HEAD, "dealer 1", "deal", "starter JD", "2 play 5", "1 play T = 3", "2 play 5 = 40")
    assert replay.run(lines, False, True, out) == 1
    output = out.getvalue()
    assert "his heels 2" in output
    assert "fifteen 2" in output
    assert "REFUSED: A claim of 40 is not possible" in output


def test_an_option_of_thousands_of_digits_is_refused() -> None:
    """Python itself does not convert so many."""
    for digits in (6, 5000):
        status, answers = run("game cribbage", f"set target {'9' * digits}")
        assert status == 1
        assert [a["error"]["code"] for a in answers if "error" in a] == ["no-such-value"]


def test_a_refused_line_cannot_move_the_terminals_cursor() -> None:
    out = io.StringIO()
    replay.run((*HEAD, "seat 1 A\x1b[2Jnn"), False, True, out)
    assert "\x1b" not in out.getvalue()
    assert "\ufffd[2Jnn" in out.getvalue()


def test_a_side_that_nobody_has_joined_yet_has_won_nothing() -> None:
    """After a game of three another one begins, and only one of its players has sat down."""
    opening = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "seat 3 Cid", "start 120 100 100")
    lines = (*opening, "dealer 1", "1 peg 1", "game cribbage", "seat 1 Eve")
    _, (*_, last) = run(*lines)
    assert last["session"]["won"] == [0, 0, 0]
