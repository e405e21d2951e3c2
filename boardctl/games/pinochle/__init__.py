"""Pinochle for two players, for three (auction with a widow) and for four (partners).

`TWO_HANDS` belongs to the Bezique family but has its own pack, which `melds` describes. `rules`
plays the auction games for three and four players, using `deal` (the auction and the known cards),
`melds` and `state`. This module selects the variant by the number of seats.

Sources: docs/rules/pinochle.md, docs/rules/pinochle-3-4.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, cast

from boardctl.games import (
    Award,
    Game,
    IllegalMove,
    Move,
    NamedTable,
    Option,
    Outcome,
    Played,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
    Verb,
)
from boardctl.games.bezique.rules import BeziqueGame
from boardctl.games.bezique.state import State as TwoHandsState
from boardctl.games.cards import Card
from boardctl.games.pinochle import melds
from boardctl.games.pinochle.rules import AuctionPinochle
from boardctl.games.pinochle.state import State

TWO_HANDS: Final = BeziqueGame(melds.TWO_HANDS)
_AUCTION: Final = AuctionPinochle()


def _options() -> tuple[Option, ...]:
    """Return the options of both variants. Each variant ignores the options of the other."""
    two = {option.name: option._replace(seats=(2,)) for option in TWO_HANDS.options}
    more = {
        option.name: option
        if option.name in two
        else option._replace(seats=option.seats or _AUCTION.seats)
        for option in _AUCTION.options
    }
    return tuple((two | more).values())


def _verbs() -> tuple[Verb, ...]:
    """Return the verbs of both variants. A verb that both variants use accepts the syntax of either
    variant."""
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


_USUAL: Final = {
    "target": "1000",
    "min_bid": "auto",
    "double_melds": "auto",
    "counters": "traditional",
    "head": "trump_lead_only",
    "all_pass": "redeal",
    "first_lead": "eldest",
    "bidder_scores": "all",
    "failed": "bid",
    "double_bete": "off",
    "others_score": "melds_and_tricks",
    "below_zero": "on",
}
TABLES: Final = (
    NamedTable(
        "bicycle",
        _USUAL | {"all_pass": "dealer_bids", "double_bete": "on", "others_score": "nothing"},
        "Bicycle, Auction Pinochle and Partnership Auction Pinochle",
        seats=(3, 4),
    ),
    NamedTable(
        "pagat",
        _USUAL
        | {
            "target": "500",
            "double_melds": "on",
            "counters": "modern",
            "head": "always",
            "first_lead": "bidder",
        },
        "pagat.com, Pinochle",
        seats=(3, 4),
    ),
    NamedTable(
        "parlett",
        _USUAL | {"counters": "modern", "bidder_scores": "bid", "failed": "zero"},
        "David Parlett, The Penguin Book of Card Games",
        seats=(3,),
    ),
    NamedTable(
        "birnbaum",
        _USUAL | {"min_bid": "200", "double_melds": "off", "all_pass": "dealer_under"},
        "rules of a club (Birnbaum)",
        seats=(4,),
    ),
)
"""The named tables for three and four players (docs/rules/pinochle-3-4.md 0)."""

AnyState = State | TwoHandsState
"""The state of either variant."""


def _form(state: AnyState) -> Game[AnyState]:
    """Return the referee of the variant that a state belongs to."""
    return cast("Game[AnyState]", _AUCTION if isinstance(state, State) else TWO_HANDS)


class Pinochle(Game[AnyState]):
    """Pinochle. Two players draw from a stock. Three or four players bid."""

    name = "pinochle"
    source = "named by Akagiri, “Bezique”; rules after Bicycle, Parlett and others"
    seats = (2, 3, 4)
    pack = melds.PACK
    copies = _AUCTION.copies
    options = _options()
    tables = TABLES
    verbs = _verbs()

    def begin(self, setup: Setup) -> AnyState:
        return (TWO_HANDS if len(setup.seats) == 2 else _AUCTION).begin(setup)

    def play(self, state: AnyState, move: Move) -> Played[AnyState]:
        own = {(verb.name, verb.seated) for verb in _form(state).verbs}
        others = {(verb.name, verb.seated) for verb in self.verbs} - own
        if (move.verb, move.seat is not None) in others:
            raise IllegalMove(
                "not-in-this-game",
                verb=move.verb,
                game=self.name,
                seats=len(state.sheet.setup.seats),
                why="unseated" if (move.verb, move.seat is None) in own else "seats",
            )
        return _form(state).play(state, move)

    def close(self, state: AnyState) -> Played[AnyState]:
        return _form(state).close(state)

    def held_by(self, state: AnyState, seat: int) -> tuple[Card, ...] | None:
        return _form(state).held_by(state, seat)

    def visible_lines(
        self, before: AnyState, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        return _form(before).visible_lines(before, move, later, seat)

    def promised(self, state: AnyState, move: Move) -> tuple[Award, ...]:
        return _form(state).promised(state, move)

    def prompt(self, state: AnyState) -> Prompt:
        return _form(state).prompt(state)

    def situation(self, state: AnyState) -> Situation:
        return _form(state).situation(state)

    def scoreboard(self, state: AnyState) -> Scoreboard:
        return _form(state).scoreboard(state)

    def outcome(self, state: AnyState) -> Outcome:
        return _form(state).outcome(state)

    def first_dealer(self, state: AnyState) -> int | None:
        return _form(state).first_dealer(state)


GAME = Pinochle()
"""The referee of Pinochle. The number of seats selects the variant."""
