"""The bot as a process and as a seat: its answers, and that it uses only the lines it receives."""

from __future__ import annotations

import subprocess
import sys
from random import Random

import pytest
from click.testing import CliRunner

from boardctl.bot.series import VALUE
from boardctl.bot.worker import Seat
from boardctl.commands import main
from boardctl.games import IllegalMove
from tests.bot.dealer import play_game
from tests.work import calls

RANK = "A23456789TJQK"
OPENING = ("game cribbage", "seat 1 A", "seat 2 B", "dealer 1")


def receive(seat: Seat, *lines: str) -> list[str]:
    return [said for line in lines for said in seat.receive(line)]


@pytest.mark.parametrize("levels", [(1, 2), (3, 1), (2, 3)])
def test_seats_play_whole_games(levels: tuple[int, int]) -> None:
    one, two = Seat(1, levels[0], 1), Seat(2, levels[1], 2)
    for number in range(2):
        whole = play_game((one.receive, two.receive), Random(number))
        assert whole.position.over
        for seat in (one, two):
            assert seat.position.scores == whole.position.scores


def test_full_strength_plays_a_game_to_its_end() -> None:
    one, two = Seat(1, 5, 1), Seat(2, 3, 2)
    whole = play_game((one.receive, two.receive), Random(5), ("start 90 95",))
    assert whole.position.over
    assert one.position.scores == whole.position.scores


def test_a_line_costs_the_same_after_hundreds_of_games() -> None:
    """A match of thousands of games is played by one process, so it must not search through earlier
    games."""
    seat = Seat(1, 5, 2)
    lines = (*OPENING, "deal", "2 peg 2 play", "1 peg 3 play")
    one = (*OPENING, "deal", "1 hand 5H 6S 7D 8C JH QS", "2 discard ? ?", "starter 2C")
    for _ in range(2):
        receive(seat, *one)  # one-time look-ups are done
    first = calls(lambda: receive(seat, *one))
    for _ in range(300):
        receive(seat, *lines)
    assert calls(lambda: receive(seat, *one)) == first
    assert len(seat.position.finished) == 1, "only the game before is remembered"


def test_seats_and_options_carry_over_to_the_next_game() -> None:
    seat = Seat(2, 5, 1)
    receive(seat, *OPENING[:3], "set target 61", "dealer 1", "deal", "game cribbage")
    setup = seat.position.setup
    assert setup is not None
    assert (setup.seats, setup.options["target"]) == (("A", "B"), "61")


def test_the_same_seed_gives_the_same_game() -> None:
    games = [
        play_game((Seat(1, 1, 7).receive, Seat(2, 4, 8).receive), Random(3), deals=2) for _ in "ab"
    ]
    assert games[0].moves == games[1].moves
    other = play_game((Seat(1, 1, 9).receive, Seat(2, 4, 8).receive), Random(3), deals=2)
    assert other.moves != games[0].moves


@pytest.mark.parametrize("hidden", ["", "AS AC", "TD JS"])
def test_hidden_cards_change_nothing(hidden: str) -> None:
    """In a deal with all of the opponent's cards known, and in one with none, the same lines
    result."""
    assert whole_deal(hidden) == whole_deal("3H 7C")


def whole_deal(hidden: str) -> list[str]:
    """Return the pone's lines in a deal whose dealer keeps 9S 4C KD 2D and threw the hidden
    cards."""
    theirs = ["9S", "4C", "KD", "2D"]
    seat = Seat(2, 5, 1)
    hand = f"1 hand {' '.join(theirs)} {hidden}" if hidden else ""
    said = receive(seat, *OPENING, "deal", hand, "2 hand 5H 6S 7D 8C JH QS", "1 discard ? ?")
    said += receive(seat, "starter 2C")
    while seat.position.situation.phase == "play":
        count = seat.position.situation.count or 0
        fits = [card for card in theirs if count + VALUE[RANK.index(card[0])] <= 31]
        said += receive(seat, f"1 play {fits[0]}" if fits else "1 go")
        theirs = [card for card in theirs if card not in fits[:1]]
    assert len(said) > 4
    return said


def test_nothing_is_said_before_it_is_due() -> None:
    seat = Seat(1, 3, 1)
    assert not receive(seat, *OPENING, "deal", "1 hand 5H 6S 7D")
    (throw,) = receive(seat, "1 hand 8C JH QS")
    assert throw.startswith("1 discard ")
    assert not receive(seat, "2 discard ? ?", "starter 2C")  # the dealer waits for the pone's card
    (card,) = receive(seat, "2 play KS")
    assert card.startswith("1 play ")


def test_cards_known_by_their_ranks_alone_are_answered() -> None:
    """A keypad enters starter and cards by rank. A suit affects only figures that nobody can
    know."""
    opening = (*OPENING, "deal", "2 hand 5H 6S 7D 8C KH QS", "1 discard ? ?")
    one, two = Seat(2, 5, 1), Seat(2, 5, 1)
    for seat in (one, two):
        assert len(receive(seat, *opening)) == 1
    said = receive(one, "starter 2", "1 play 2", "1 play 3")
    assert len(said) >= 3
    assert said == receive(two, "starter 2C", "1 play 2H", "1 play 3D")


@pytest.mark.parametrize("target", [31, 61, 121])
def test_a_shorter_game_is_a_long_one_that_began_later(target: int) -> None:
    """Only the points that both sides still need matter."""
    needs = Seat(2, 5, 1)
    said = receive(needs, *OPENING[:3], f"set target {target}", f"start {target - 9} {target - 12}")
    said += receive(needs, "dealer 1", "deal", "2 hand 5H 6S 7D 8C KH QS", "1 discard ? ?")
    said += receive(needs, "starter 2C", "1 play 2H", "1 play 3D")
    assert said[0] == "2 discard KH QS"
    assert len(said) >= 3
    other = Seat(2, 5, 1)
    assert said == receive(
        other, *OPENING[:3], "start 112 109", "dealer 1", "deal", "2 hand 5H 6S 7D 8C KH QS",
        "1 discard ? ?", "starter 2C", "1 play 2H", "1 play 3D",
    )  # fmt: skip


@pytest.mark.parametrize(
    ("line", "why"),
    [
        ("2 hand 5H", "line 1: No game has been chosen yet"),
        ("seat 7 A", "line 1: No game has been chosen yet"),
        (
            "game cribbage\nseat 7 A",
            "line 2: There is no seat 7: this game is for at most 4 players",
        ),
    ],
)
def test_what_comes_too_early_is_refused_in_plain_words(line: str, why: str) -> None:
    done = CliRunner().invoke(main, ["bot", "--seat", "2"], input=f"{line}\n")
    assert (done.exit_code, done.stdout) == (2, "")
    assert done.stderr.startswith(why)


def test_a_go_and_the_next_lead_follow_one_another() -> None:
    """The opponent is out of cards or said go, so several lines follow at once."""
    seat = Seat(2, 3, 1)
    receive(seat, *OPENING, "deal", "2 hand TS JS QS KS TH JH", "1 discard ? ?", "starter 2C")
    said = receive(seat, "1 play 9S")
    said += receive(seat, "1 go")
    assert all(line.startswith(("2 play", "2 go")) for line in said)
    assert said


def test_a_short_claim_is_called() -> None:
    seat = Seat(2, 5, 1)
    receive(seat, *OPENING[:3], "set muggins underclaim", "dealer 1", "deal")
    receive(seat, "2 hand 5H 6S 7D 8C JH QS", "1 discard ? ?")
    (led,) = receive(seat, "starter 2C")
    rank = led.split()[2][0]
    assert rank in "5678JQ"
    said = receive(seat, f"1 play {rank}{'C' if rank != '8' else 'H'} = 0")
    assert said[0] == "2 muggins"


def test_a_refused_line_is_an_illegal_move() -> None:
    with pytest.raises(IllegalMove):
        receive(Seat(1, 1, 1), *OPENING, "deal", "1 hand 5H 5H")


def run(*options: str, lines: str | bytes) -> subprocess.CompletedProcess[str]:
    data = lines if isinstance(lines, bytes) else lines.encode()
    done = subprocess.run(
        [sys.executable, "-m", "boardctl", "bot", *options], input=data, capture_output=True
    )
    return subprocess.CompletedProcess(
        done.args, done.returncode, done.stdout.decode(), done.stderr.decode()
    )


LINES = "\n".join((*OPENING, "deal", "2 hand 5H 6S 7D 8C JH QS", "1 discard ? ?", "starter 2C", ""))


def test_the_process_speaks_and_ends_with_its_input() -> None:
    done = run("--seat", "2", "--level", "4", "--seed", "3", lines=LINES)
    assert (done.returncode, done.stderr) == (0, "")
    throw, card = done.stdout.splitlines()
    assert throw.startswith("2 discard ")
    assert card.startswith("2 play ")


@pytest.mark.parametrize("bad", ["2 play", "1 play KH KS", "nonsense"])
def test_a_line_that_cannot_be_ends_it_with_one_sentence(bad: str) -> None:
    done = CliRunner().invoke(main, ["bot", "--seat", "2", "--level", "3"], input=f"{LINES}{bad}\n")
    assert done.exit_code == 2
    assert done.stderr.startswith("line 9: ")
    assert len(done.stderr.splitlines()) == 1


def test_bytes_that_are_no_text_end_it_with_one_sentence() -> None:
    done = run("--seat", "2", "--level", "3", lines=LINES.encode() + b"\xff\xfe\n")
    assert done.returncode == 2
    assert done.stderr.startswith("line 9: ")
    assert len(done.stderr.splitlines()) == 1
