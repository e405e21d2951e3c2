"""bsdgames' cribbage, played in a terminal: the driver understands a complete game."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from tests.parts import need
from tools.bench import bsdgames
from tools.bench.bots import Greedy, interval, match


def test_a_game_is_played_to_its_end() -> None:
    need("bsdgames")
    need("cc")
    game = bsdgames.Match(Greedy(), 1, 7)
    try:
        won = game.play()
        mine, theirs = game.scores()
    finally:
        game.close()
    assert (mine >= 121) == won
    assert (theirs >= 121) != won


def test_seats_exchanged_are_dealt_the_same_cards() -> None:
    """Greedy's six cards in the first deal, as dealer and as pone, are those that the seed
    produces."""
    need("bsdgames", "cc")

    class Seen(Greedy):
        def throw(
            self, six: Sequence[int], role: int, mine: int, theirs: int, place: object
        ) -> tuple[int, int]:
            hands.append((role, set(six)))
            raise RuntimeError("seen")

    hands: list[tuple[int, set[int]]] = []
    for turned in (False, True):
        game = bsdgames.Match(Seen(), 1, 8, turned)
        with pytest.raises(RuntimeError, match="seen"):
            game.play()
        game.close()
    cards = next(bsdgames.decks(8))
    assert sorted(role for role, _ in hands) == [0, 1]
    assert dict(hands) == {0: set(cards[:6]), 1: set(cards[6:12])}


def test_a_screen_is_kept_as_a_terminal_keeps_it() -> None:
    screen = bsdgames.Screen()
    screen.feed(b"\x1b[2;3Habc\x1b[1;1Hx\r\n12\b3\x1b[2;4H\x1b[K")
    assert screen.text(0).rstrip() == "x"
    assert screen.text(1).rstrip() == "13a"
    screen.feed(b"\x1b[H\x1b[")
    screen.feed(b"J")
    assert not screen.text(1).strip()


def test_a_duplicate_match_is_even_between_the_same_player() -> None:
    """Each deal is played twice with the seats exchanged, so equal players win one game of every
    pair."""
    found, _ = match(Greedy(), Greedy(), 3, 1)
    assert found.won == [0.5] * 3
    assert found.earned == pytest.approx([0.5] * 3)
    assert interval([0.5, 1.0, 0.5, 0.0])[0] == 0.5
