"""Random deals of trick-taking games with every card entered, using only the referee."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import islice
from random import Random
from typing import Any, Final

from boardctl import games
from boardctl.games import Ask, Move, Setup
from boardctl.games.cards import Card
from boardctl.record.legal import completed
from tests.games.common import random_options

FORMS: Final = (
    ("belote", 4),
    ("belote", 2),
    ("klaberjass", 2),
    ("pinochle", 3),
    ("pinochle", 4),
)
"""The trick-taking games without a stock, with their numbers of players."""
_DEALT: Final = ("hand", "turnup", "widow", "bottom")
_DECIDED: Final = ("bid", "trump", "discard")


def begun(name: str, seats: int, chance: Random) -> tuple[Any, Any]:
    """Return the referee and the state of a random deal in which the first card is due."""
    game = games.find(name)
    while True:
        options = {option.name: option.default for option in game.options}
        options |= random_options(name, chance)
        # the search covers no others
        options |= {"trump_calls": "suits"} if name == "belote" else {}
        options |= {"bella_auto": "on"} if name == "klaberjass" else {}  # no declarations here
        state = game.begin(Setup(tuple("ABCD"[:seats]), options))
        state = game.play(state, Move("dealer", numbers=(chance.randint(1, seats),))).state
        state = game.play(state, Move("deal")).state
        pack = [card for card in game.pack for _ in range(game.copies)]
        chance.shuffle(pack)
        while state.deal is not None:
            move = _next(game.prompt(state).asks, pack, chance)
            if move is None:
                return game, state
            state = game.play(state, move).state


def _next(asks: Sequence[Ask], pack: list[Card], chance: Random) -> Move | None:
    """Return the next line before the first card; dealt cards come from the pack."""
    for ask in asks:
        if ask.move.verb in _DEALT:
            return ask.move._replace(cards=tuple(pack.pop() for _ in range(ask.most)))
    for ask in asks:
        if ask.move.verb == "declare" and ask.move.seat is None:
            return ask.move
    due = {ask.move.verb for ask in asks}
    if "play" in due and "discard" not in due:
        return None
    some = [ask for ask in asks if ask.move.verb in _DECIDED]
    moves = [move for ask in some for move in islice(completed(ask), 6)]
    passes = [move for move in moves if "pass" in move.words]
    return passes[0] if passes and chance.random() < 0.6 else chance.choice(moves)
