"""The search plays tricks exactly like the referees."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import pytest

from boardctl.bot import trick_tables
from boardctl.bot.sampling import numbers
from boardctl.bot.trick_tables import Imagined
from boardctl.bot.tricks import Play
from boardctl.games import Move
from boardctl.games.cards import Card
from tests.bot.random_deals import FORMS, begun


def both(name: str, seats: int, seed: int) -> None:
    """Play a random deal with the referee and with the search's tables, and compare every step."""
    chance = Random(repr((name, seats, seed)))
    game, state = begun(name, seats, chance)
    deal = state.deal
    seen = Imagined(deal, deal.trump, deal.side(deal.bidding.taker) - 1)
    play, held = seen.play, list(seen.play.hands)
    settle = trick_tables.settlement(deal)
    while state.deal is not None:
        deal = state.deal
        assert play.turn == deal.turn - 1
        some = play.legal()
        assert plain(play, some) == sorted(set(deal.ask_card().cards))
        assert some >> play.choose(some) & 1
        card = chance.choice(numbers(some))
        move = Move("play", play.turn + 1, (play.pack.cards[card],))
        again = Imagined(deal, deal.trump, play.attack).play
        assert [every(again, hand) for hand in again.hands] == [
            every(play, hand) for hand in play.hands
        ]
        before, state = state, game.play(state, move).state
        play.step(card)
    scores = tuple(now - was for was, now in zip(before.scores, state.scores, strict=True))
    expected = scored(before, settle(play, held))
    assert scores == tuple(expected)


def every(play: Play, some: int) -> list[Card]:
    return [play.pack.cards[card] for card in numbers(some)]


def plain(play: Play, some: int) -> list[Card]:
    return sorted(set(every(play, some)))


def scored(before: Any, found: Sequence[float]) -> list[float]:
    """Return the search's expected score for a deal, with this table's rounding and limits."""
    options = before.setup.options
    if options.get("round") == "nearest_10":
        return [(int(points) + 5) // 10 * 10 for points in found]
    if options.get("below_zero") == "off":
        return [max(points, 0) for points in found]
    return list(found)


@pytest.mark.parametrize(("name", "seats"), FORMS)
@pytest.mark.parametrize("part", range(2))
def test_the_imagined_play_is_the_referees(name: str, seats: int, part: int) -> None:
    for seed in range(15 * part, 15 * part + 15):
        both(name, seats, seed)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "seats"), FORMS)
@pytest.mark.parametrize("part", range(4))
def test_the_imagined_play_is_the_referees_on_many_deals(name: str, seats: int, part: int) -> None:
    for seed in range(1000 + 100 * part, 1000 + 100 * part + 100):
        both(name, seats, seed)
