"""Helpers for testing any game: a table that accepts lines and reports points and refusals, and
random games."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from random import Random

import pytest

from boardctl import games
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS, Card, Suit, spell
from boardctl.games.common.to_31 import VALUE
from boardctl.games.common.trick_deal import Duties, Trick, TrickSpec
from boardctl.record.record import Record, Report

NAMES = ("Ann", "Bob", "Cleo", "Dan")


def legal(
    spec: TrickSpec, duties: Duties, trick: Trick, hand: Collection[Card], seat: int, trump: Suit
) -> frozenset[Card]:
    """Return the cards of a hand that may be played to a trick because they break no duty."""
    held = frozenset(hand)
    return frozenset(
        card
        for card in held
        if not any(held & missed for _, missed in spec.owed(duties, trick, card, seat, trump))
    )


def count(series: Sequence[Card]) -> int:
    """Return the running count of a series."""
    return sum(VALUE[card.rank] for card in series)


class Table:
    """A game with this number of seats, options and a dealer; lines are separated by semicolons."""

    def __init__(
        self, game: str, seats: int = 2, dealer: int | None = 1, **options: object
    ) -> None:
        self.record = Record()
        self.read(f"game {game}")
        for seat, name in enumerate(NAMES[:seats], 1):
            self.read(f"seat {seat} {name}")
        for option, value in options.items():
            self.read(f"set {option} {value}")
        if dealer is not None:
            self.read(f"dealer {dealer}")

    def read(self, lines: str) -> Report:
        """Read lines that must be accepted, and return the last one's report."""
        reports = [self.record.read(line.strip()) for line in lines.split(";")]
        last = reports[-1]
        assert last is not None
        return last

    def points(self, line: str) -> dict[int, int]:
        """Return the points of a line, by seat."""
        earned: dict[int, int] = {}
        for award in self.read(line).awards:
            earned[award.seat] = earned.get(award.seat, 0) + award.points
        return earned

    def each(self, lines: str) -> list[int]:
        """Return the total of each of these lines."""
        return [sum(self.points(line).values()) for line in lines.split(";")]

    def refused(self, line: str) -> IllegalMove:
        """Return the reason why a line is refused, after checking that nothing has changed."""
        before = self.record.position
        with pytest.raises(IllegalMove) as error:
            self.record.read(line)
        assert self.record.position == before
        return error.value

    @property
    def scores(self) -> tuple[int, ...]:
        return self.record.position.scores

    @property
    def phase(self) -> str:
        return self.record.position.situation.phase

    @property
    def winner(self) -> int | None:
        outcome = self.record.position.outcome
        return outcome.winner if outcome else None


def shuffled(chance: Random, pack: Sequence[Card] = CARDS) -> list[Card]:
    """Return the pack in a random order."""
    cards = list(pack)
    chance.shuffle(cards)
    return cards


def hand(seat: int, cards: Sequence[Card]) -> str:
    """Return the line that enters a hand."""
    return f"{seat} hand {spell(cards)}"


def random_options(name: str, chance: Random) -> dict[str, str]:
    """Return random values for some of a game's options."""
    return {
        option.name: chance.choice(option.values)
        for option in games.find(name).options
        if option.values and chance.random() < 0.3
    }
