"""The forms of cribbage: the parameters that follow from the number of seats and the options.

Sources: docs/rules/cribbage.md 3, 8, 9, 10.
"""

from __future__ import annotations

from functools import cached_property
from typing import Final

from boardctl.games import Setup

DISCARDS: Final = {2: 2, 3: 1, 4: 1}
"""Cards that each player discards, by number of seats."""

CRIB: Final = 4
"""The number of cards in the crib, in every form."""

SKUNK: Final = 30
"""The distance of the skunk line from the target: 91 of 121, 31 of 61 (6.2)."""

DOUBLE_SKUNK: Final = 60
"""The distance of the double skunk line from the target: 61 of 121 (6.3)."""


class Form:
    """One game's form: cards, target and options, computed once from the setup."""

    def __init__(self, setup: Setup, *, five: bool) -> None:
        options = setup.options
        self.setup = setup
        self.five = five
        self.seats = len(setup.seats)
        self.sides = setup.sides
        self.discards = DISCARDS[self.seats]
        self.keep = 3 if five else 4
        """The number of cards of a hand that are played and counted."""
        self.dealt = self.keep + self.discards
        self.straight = self.seats == 3
        """Whether a card is dealt straight to the crib (9.1)."""
        self.target = int(options["target"])
        self.muggins = options["muggins"]
        self.crib_as_hand = options["crib_flush"] == "as_hand"
        self.three_for_last = options.get("three_for_last") == "on"
        self._orders = tuple(
            tuple((dealer + n) % self.seats + 1 for n in range(self.seats))
            for dealer in range(1, self.seats + 1)
        )
        self.cap = options["cap_final_score"] == "on"

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Form):
            return NotImplemented
        return self is other or (self.setup == other.setup and self.five == other.five)

    __hash__ = None  # type: ignore[assignment]  # options are a mapping

    @cached_property
    def skunk(self) -> int:
        """The score below which a loser is skunked, 0 if skunks are not played."""
        on = self.setup.options["skunk"] == "on"
        return max(0, self.target - SKUNK) if on else 0

    @cached_property
    def double_skunk(self) -> int:
        """The score of the double skunk line, 0 if it is not played (it requires skunk)."""
        on = self.skunk and self.setup.options.get("double_skunk") == "on"
        return max(0, self.target - DOUBLE_SKUNK) if on else 0

    @property
    def most(self) -> int:
        """The highest value of one hand: 29, or 20 with three cards and the starter (E18)."""
        return 20 if self.five else 29

    def reaches(self, scores: tuple[int, ...], seat: int, points: int) -> bool:
        """Whether this many more points bring a seat's side to the target."""
        return scores[(seat - 1) % self.sides] + points >= self.target

    def after(self, seat: int) -> int:
        return seat % self.seats + 1

    def order(self, dealer: int) -> tuple[int, ...]:
        """The seats in order from the dealer's left to the dealer."""
        return self._orders[dealer - 1]
