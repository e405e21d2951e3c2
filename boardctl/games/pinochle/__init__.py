"""Pinochle for two, for three (auction with a widow) and for four (partners).

`TWO_HANDS` is a relative of Bezique with its own pack, described in `melds`; `rules` plays the
auction games for three and four, using `deal` (the auction and the known cards), `melds` and
`state`. This module chooses the form of the game by the number of seats.

Sources: docs/rules/pinochle.md, docs/rules/pinochle-3-4.md.
"""

from __future__ import annotations

from typing import Any, Final

from boardctl.games import Game, IllegalMove, Move, Option, Played, Setup, Verb
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.pinochle import melds
from boardctl.games.pinochle.rules import AuctionPinochle
from boardctl.games.pinochle.state import State

TWO_HANDS: Final = BeziqueGame(melds.TWO_HANDS)
_AUCTION: Final = AuctionPinochle()


def _options() -> tuple[Option, ...]:
    """Return the options of both forms; each form reads its own."""
    two = {option.name: option._replace(seats=(2,)) for option in TWO_HANDS.options}
    more = {
        option.name: option
        if option.name in two
        else option._replace(seats=option.seats or _AUCTION.seats)
        for option in _AUCTION.options
    }
    return tuple((two | more).values())


def _verbs() -> tuple[Verb, ...]:
    """Return the lines of both forms. A line of both accepts the syntax of either."""
    shapes = {(verb.name, verb.seated): verb for verb in _AUCTION.verbs}
    for verb in TWO_HANDS.verbs:
        key = (verb.name, verb.seated)
        other = shapes.get(key)
        if other is not None:
            verb = verb._replace(
                cards=(min(verb.cards[0], other.cards[0]), max(verb.cards[1], other.cards[1])),
                either_sign=other.either_sign,
            )
        shapes[key] = verb
    return tuple(shapes.values())


def _form(state: Any) -> Game[Any]:
    return _AUCTION if isinstance(state, State) else TWO_HANDS


def _asked(method: str) -> Any:
    """Return a function that calls the method of this name on the form whose state it gets."""

    def ask(self: Pinochle, state: Any, *more: Any) -> Any:
        return getattr(_form(state), method)(state, *more)

    return ask


class Pinochle(Game[Any]):
    """Pinochle: two play with a stock; three and four bid."""

    name = "pinochle"
    source = "named by Akagiri, “Bezique”; rules after Bicycle, Parlett and others"
    seats = (2, 3, 4)
    pack = melds.PACK
    copies = _AUCTION.copies
    options = _options()
    verbs = _verbs()

    def begin(self, setup: Setup) -> Any:
        return (TWO_HANDS if len(setup.seats) == 2 else _AUCTION).begin(setup)

    def play(self, state: Any, move: Move) -> Played[Any]:
        form = _form(state)
        own = {(verb.name, verb.seated) for verb in form.verbs}
        others = {(verb.name, verb.seated) for verb in self.verbs} - own
        if (move.verb, move.seat is not None) in others:
            raise IllegalMove(
                "not-in-this-game",
                verb=move.verb,
                game=self.name,
                seats=len(state.sheet.setup.seats),
                why="unseated" if (move.verb, move.seat is None) in own else "seats",
            )
        return form.play(state, move)

    close = _asked("close")
    held = _asked("held")
    seen = _asked("seen")
    promised = _asked("promised")
    prompt = _asked("prompt")
    situation = _asked("situation")
    scoreboard = _asked("scoreboard")
    outcome = _asked("outcome")
    first_dealer = _asked("first_dealer")


GAME = Pinochle()
"""The referee of Pinochle; the number of seats selects its form."""
