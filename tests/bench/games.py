"""Random whole games of two-hand cribbage, card by card, beside OpenSpiel's from Python.

Ours go through the public face of the referee and nothing else, told in two ways. By card: every
card dealt, thrown, turned and played is a `Move`, gos are said, hands and crib are shown; that is
what OpenSpiel plays too. By hand, as a new board is set: the play's points are told, hands and crib
are shown with their cards. OpenSpiel's are driven once as its
own Python example does (chance by `numpy.random.choice`), and once with chance drawn in plain
Python, since most of the example's time goes there.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterator
from types import MappingProxyType
from typing import Any, NamedTuple

from boardctl import games
from boardctl.cards import CARDS, Card
from boardctl.games import Game, Move, Setup

SECONDS = 3.0
VALUE = {card: min(card.rank or 0, 10) for card in CARDS}


class Rates(NamedTuple):
    """Games in a CPU second; None where OpenSpiel is not installed."""

    by_card: float
    by_hand: float
    example: float | None = None
    lean: float | None = None


Lines = Callable[[Game[Any], Callable[[], Any], random.Random], Iterator[Move]]
"""The lines of one deal, each chosen when the one before it has been played."""


def one_game(game: Game[Any], setup: Setup, chance: random.Random, lines: Lines) -> Any:
    """A whole game of random legal moves; the state that it ends in."""
    play = game.play
    state = play(game.begin(setup), Move("dealer", numbers=(1,))).state
    while True:
        for move in lines(game, lambda: state, chance):  # noqa: B023 - always the newest
            played = play(state, move)
            state = played.state
            if played.awards and game.outcome(state).state != "unfinished":
                return state


def by_card(game: Game[Any], now: Callable[[], Any], chance: random.Random) -> Iterator[Move]:
    """A deal told card by card."""
    yield Move("deal")
    cards = chance.sample(CARDS, 13)
    hands: dict[int, list[Card]] = {1: cards[:6], 2: cards[6:12]}
    for seat, hand in hands.items():
        yield Move("hand", seat, tuple(hand))
    for seat, hand in hands.items():
        chance.shuffle(hand)
        yield Move("discard", seat, (hand.pop(), hand.pop()))
    yield Move("starter", cards=(cards[12],))
    while hands[1] or hands[2]:
        situation = game.situation(now())
        turn = situation.turn
        assert turn is not None
        hand = hands[turn]
        fitting = hand
        count = situation.count or 0
        if count > 21:
            fitting = [card for card in hand if count + VALUE[card] <= 31]
        if fitting:
            card = fitting[int(chance.random() * len(fitting))]
            hand.remove(card)
            yield Move("play", turn, (card,))
        else:
            yield Move("go", turn)
    dealer = game.situation(now()).dealer
    assert dealer is not None
    yield Move("show", 3 - dealer)
    yield Move("show", dealer)
    yield Move("crib", dealer)


def by_hand(game: Game[Any], now: Callable[[], Any], chance: random.Random) -> Iterator[Move]:
    """A deal whose play is told by points and whose hands are shown."""
    yield Move("deal")
    cards = tuple(chance.sample(CARDS, 13))
    dealer = game.situation(now()).dealer
    assert dealer is not None
    yield Move("starter", cards=cards[12:])
    for seat in (1, 2, 1, 2):
        yield Move("peg", seat, numbers=(chance.choice((1, 2, 3)),), words=("play",))
    yield Move("show", 3 - dealer, cards[:4])
    yield Move("show", dealer, cards[4:8])
    yield Move("crib", dealer, cards[8:12])


def rates() -> Rates:
    """All three, in turns of the same length."""
    game = games.find("cribbage")
    setup = Setup(
        ("Ann", "Bob"), MappingProxyType({option.name: option.default for option in game.options})
    )
    chance = random.Random(121)
    sides: list[Callable[[], object]] = [
        lambda: one_game(game, setup, chance, by_card),
        lambda: one_game(game, setup, chance, by_hand),
    ]
    try:
        import pyspiel
    except ImportError:
        return Rates(*_rate(sides))
    theirs = pyspiel.load_game("cribbage")
    sides += [lambda: _by_example(theirs), lambda: _lean(theirs, chance)]
    return Rates(*_rate(sides))


def _rate(sides: list[Callable[[], object]], turns: int = 5) -> list[float]:
    """Games in a second of the best turn of each side."""
    best = [0.0] * len(sides)
    for _ in range(turns):
        for place, side in enumerate(sides):
            before = time.process_time()
            played = 0
            while (spent := time.process_time() - before) < SECONDS / turns:
                side()
                played += 1
            best[place] = max(best[place], played / spent)
    return best


def _by_example(game: Any) -> Any:
    """As OpenSpiel's python/examples/example.py plays."""
    import numpy

    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(numpy.random.choice(actions, p=chances))
        else:
            state.apply_action(random.choice(state.legal_actions(state.current_player())))
    return state


def _lean(game: Any, chance: random.Random) -> Any:
    """All its chances are equal, so that a plain choice does as well."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chance.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    return state
