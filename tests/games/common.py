"""A table of any game for tests: lines in, points and refusals out; and games played by chance."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

import pytest

from boardctl import games
from boardctl.cards import CARDS, Card, spell
from boardctl.games import IllegalMove
from boardctl.record.record import Record, Report

NAMES = ("Ann", "Bob", "Cleo", "Dan")


class Table:
    """A game begun with so many seats, options and a dealer; lines are split at semicolons."""

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
        """Lines that must be accepted; the last one's report."""
        reports = [self.record.read(line.strip()) for line in lines.split(";")]
        last = reports[-1]
        assert last is not None
        return last

    def points(self, line: str) -> dict[int, int]:
        """What a line earns, by seat."""
        earned: dict[int, int] = {}
        for award in self.read(line).awards:
            earned[award.seat] = earned.get(award.seat, 0) + award.points
        return earned

    def each(self, lines: str) -> list[int]:
        """What each of these lines earns in all."""
        return [sum(self.points(line).values()) for line in lines.split(";")]

    def refused(self, line: str) -> IllegalMove:
        """Why a line is refused; nothing has changed then."""
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
    """The pack in a random order."""
    cards = list(pack)
    chance.shuffle(cards)
    return cards


def hand(seat: int, cards: Sequence[Card]) -> str:
    """The line that tells a hand."""
    return f"{seat} hand {spell(cards)}"


def random_options(name: str, chance: Random) -> dict[str, str]:
    """Some of a game's options set by chance."""
    return {
        option.name: chance.choice(option.values)
        for option in games.find(name).options
        if option.values and chance.random() < 0.3
    }
