"""Random complete games of two-handed cribbage, card by card, compared with OpenSpiel from Python.

Ours use only the public interface of the referee, in two ways. By card: every card that is dealt,
thrown, turned up or played is a `Move`, gos are entered, and the hands and the crib are shown, as
in OpenSpiel. By hand, the default on a new board: the points of the play are entered, and the hands
and the crib are shown with their cards. OpenSpiel runs once as in its own Python example (chance by
`numpy.random.choice`), and once with chance drawn in plain Python, because that takes most of the
example's time.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from types import MappingProxyType
from typing import Any, NamedTuple

from boardctl import games
from boardctl.games import Game, Move, Setup
from boardctl.games.cards import CARDS

SECONDS = 3.0
VALUE = {card: min(card.rank or 0, 10) for card in CARDS}


class Rates(NamedTuple):
    """Games per CPU second, or None if OpenSpiel is not installed."""

    by_card: float
    by_hand: float
    example: float | None = None
    lean: float | None = None


def by_card(game: Game[Any], setup: Setup, chance: random.Random) -> Any:
    """Play a complete game that is entered card by card, and return its final state."""
    play, situation = game.play, game.situation
    state = play(game.begin(setup), Move("dealer", numbers=(1,))).state
    while True:
        state = play(state, Move("deal")).state
        cards = chance.sample(CARDS, 13)
        hands = {1: cards[:4], 2: cards[4:8]}
        away = {1: cards[8:10], 2: cards[10:12]}
        for seat, hand in hands.items():
            state = play(state, Move("hand", seat, (*hand, *away[seat]))).state
        for seat, two in away.items():
            state = play(state, Move("discard", seat, tuple(two))).state
        state = play(state, Move("starter", None, (cards[12],))).state
        while (now := situation(state)).phase == "play":
            turn, count = now.turn, now.count
            assert turn is not None
            assert count is not None
            fitting = hand = hands[turn]
            if count > 21:
                fitting = [card for card in hand if count + VALUE[card] <= 31]
            if fitting:
                card = fitting[int(chance.random() * len(fitting))]
                hand.remove(card)
                state = play(state, Move("play", turn, (card,))).state
            else:
                state = play(state, Move("go", turn)).state
        if now.phase == "over":
            return state
        dealer = now.dealer
        assert dealer is not None
        for move in (Move("show", 3 - dealer), Move("show", dealer), Move("crib", dealer)):
            state = play(state, move).state
            if situation(state).phase == "over":
                return state


def by_hand(game: Game[Any], setup: Setup, chance: random.Random) -> Any:
    """Play a complete game whose play is entered by points and whose hands are shown."""
    play, situation = game.play, game.situation
    state = play(game.begin(setup), Move("dealer", numbers=(1,))).state
    while True:
        state = play(state, Move("deal")).state
        dealer = situation(state).dealer
        assert dealer is not None
        cards = tuple(chance.sample(CARDS, 13))
        entered = [
            Move("peg", seat, numbers=(chance.choice((1, 2, 3)),), words=("play",))
            for seat in (1, 2, 1, 2)
        ]
        shown = [
            Move("show", 3 - dealer, cards[:4]),
            Move("show", dealer, cards[4:8]),
            Move("crib", dealer, cards[8:12]),
        ]
        for move in (Move("starter", None, cards[12:]), *entered, *shown):
            state = play(state, move).state
            if situation(state).phase == "over":
                return state


def rates() -> Rates:
    """Measure all three, in alternating turns of equal length."""
    game = games.find("cribbage")
    setup = Setup(
        ("Ann", "Bob"), MappingProxyType({option.name: option.default for option in game.options})
    )
    chance = random.Random(121)
    sides: list[Callable[[], object]] = [
        lambda: by_card(game, setup, chance),
        lambda: by_hand(game, setup, chance),
    ]
    try:
        import pyspiel
    except ImportError:
        return Rates(*_rate(sides))
    theirs = pyspiel.load_game("cribbage")
    sides += [lambda: _by_example(theirs, chance), lambda: _lean(theirs, chance)]
    return Rates(*_rate(sides))


def _rate(sides: list[Callable[[], object]], turns: int = 15) -> list[float]:
    """Return the games per second in the best turn of each side."""
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


def _by_example(game: Any, chance: random.Random) -> Any:
    """Play as OpenSpiel's python/examples/example.py does."""
    import numpy

    drawing = numpy.random.RandomState(chance.getrandbits(32))
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            actions, chances = zip(*state.chance_outcomes(), strict=True)
            state.apply_action(drawing.choice(actions, p=chances))
        else:
            state.apply_action(chance.choice(state.legal_actions(state.current_player())))
    return state


def _lean(game: Any, chance: random.Random) -> Any:
    """Choose uniformly, because all chance outcomes are equally likely."""
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(chance.choice(state.chance_outcomes())[0])
        else:
            state.apply_action(chance.choice(state.legal_actions()))
    return state
