"""The choice of the form of Pinochle, by number of seats."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from boardctl.games import (
    Award,
    Game,
    IllegalMove,
    Move,
    Option,
    Outcome,
    Played,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
    Verb,
)
from boardctl.games.pinochle.rules import AuctionPinochle
from boardctl.games.pinochle.state import State
from boardctl.games.pinochle.tricks import PACK
from boardctl.games.pinochle.two_hands import TWO_HANDS

_AUCTION: Final = AuctionPinochle()


def _options() -> tuple[Option, ...]:
    """The options of both forms; each form reads its own."""
    two = {option.name: option._replace(seats=(2,)) for option in TWO_HANDS.options}
    more = {
        option.name: option
        if option.name in two
        else option._replace(seats=option.seats or _AUCTION.seats)
        for option in _AUCTION.options
    }
    return tuple((two | more).values())


def _verbs() -> tuple[Verb, ...]:
    """The lines of both forms; a line that both know accepts the shape of either."""
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


class Pinochle(Game[Any]):
    """Pinochle: two play with a stock; three and four bid."""

    name = "pinochle"
    source = "named by Akagiri, “Bezique”; rules after Bicycle, Parlett and others"
    seats = (2, 3, 4)
    pack = PACK
    copies = _AUCTION.copies
    options = _options()
    verbs = _verbs()

    def _form(self, state: Any) -> Game[Any]:
        return _AUCTION if isinstance(state, State) else TWO_HANDS

    def begin(self, setup: Setup) -> Any:
        return (TWO_HANDS if len(setup.seats) == 2 else _AUCTION).begin(setup)

    def play(self, state: Any, move: Move) -> Played[Any]:
        form = self._form(state)
        own = {(verb.name, verb.seated) for verb in form.verbs}
        others = {(verb.name, verb.seated) for verb in self.verbs} - own
        if (move.verb, move.seat is not None) in others:
            raise IllegalMove(
                "not-in-this-game",
                verb=move.verb,
                game=self.name,
                seats=len(state.sheet.setup.seats),
                why="seats",
            )
        return form.play(state, move)

    def close(self, state: Any) -> Played[Any]:
        return self._form(state).close(state)

    def seen(
        self, before: Any, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        return self._form(before).seen(before, move, later, seat)

    def promised(self, state: Any, move: Move) -> tuple[Award, ...]:
        return self._form(state).promised(state, move)

    def prompt(self, state: Any) -> Prompt:
        return self._form(state).prompt(state)

    def situation(self, state: Any) -> Situation:
        return self._form(state).situation(state)

    def scoreboard(self, state: Any) -> Scoreboard:
        return self._form(state).scoreboard(state)

    def outcome(self, state: Any) -> Outcome:
        return self._form(state).outcome(state)

    def first_dealer(self, state: Any) -> int | None:
        return self._form(state).first_dealer(state)
