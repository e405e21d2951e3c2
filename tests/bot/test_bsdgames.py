"""bsdgames' cribbage, played at its terminal: the driver understands a whole game."""

from __future__ import annotations

from tests.bench import bsdgames
from tests.bench.bots import Greedy, interval, match
from tests.parts import need


def test_a_game_is_played_to_its_end() -> None:
    need("bsdgames")
    game = bsdgames.Match(Greedy(), 1)
    try:
        won = game.play()
        mine, theirs = game.scores()
    finally:
        game.close()
    assert (mine >= 121) == won
    assert (theirs >= 121) != won


def test_a_screen_is_kept_as_a_terminal_keeps_it() -> None:
    screen = bsdgames.Screen()
    screen.feed(b"\x1b[2;3Habc\x1b[1;1Hx\r\n12\b3\x1b[2;4H\x1b[K")
    assert screen.text(0).rstrip() == "x"
    assert screen.text(1).rstrip() == "13a"
    screen.feed(b"\x1b[H\x1b[")
    screen.feed(b"J")
    assert not screen.text(1).strip()


def test_a_duplicate_match_is_even_between_the_same_player() -> None:
    """Each deal is played twice with seats exchanged, so that equal players share every pair."""
    pairs, _ = match(Greedy(), Greedy(), 3, 1)
    assert pairs == [0.5] * 3
    assert interval([0.5, 1.0, 0.5, 0.0])[0] == 0.5
