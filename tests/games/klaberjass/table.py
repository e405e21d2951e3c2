"""A table of Klaberjass for tests: lines in, scores out."""

from __future__ import annotations

from collections.abc import Mapping
from random import Random

import pytest

from boardctl.games import IllegalMove
from boardctl.games.cards import Card, spell
from boardctl.games.common.jass import PACK
from boardctl.record.record import Record, Report


class Table:
    """A record of Klaberjass between Ann and Bob; Bob (2) deals first, so Ann (1) is elder."""

    def __init__(self, options: Mapping[str, str] | None = None, opening: str = "dealer 2") -> None:
        self.record = Record()
        self.say("game klaberjass", "seat 1 Ann", "seat 2 Bob")
        for name, value in (options or {}).items():
            self.say(f"set {name} {value}")
        self.say(*opening.split(", "))

    def say(self, *lines: str) -> Report:
        """Enter lines that must be accepted, and return the last one's report."""
        for line in lines:
            report = self.record.read(line)
        assert report is not None
        return report

    def refuse(self, line: str, code: str) -> IllegalMove:
        """Check that a line is refused with this code and changes nothing."""
        before = self.record.position
        with pytest.raises(IllegalMove) as error:
            self.record.read(line)
        assert error.value.code == code, (line, error.value.code, dict(error.value.fields))
        assert self.record.position == before
        return error.value

    @property
    def scores(self) -> tuple[int, ...]:
        return self.record.position.scores

    @property
    def phase(self) -> str:
        return self.record.position.situation.phase

    @property
    def turn(self) -> int | None:
        return self.record.position.situation.turn

    def over(self) -> bool:
        return self.record.position.over

    def dealer(self) -> int | None:
        return self.record.position.situation.dealer

    @property
    def asked(self) -> set[str]:
        """Return the codes of the prompt's asks."""
        return {ask.code for ask in self.record.position.prompt.asks}


def shuffled(chance: Random) -> list[Card]:
    """Return the pack in a random order."""
    cards = sorted(PACK)
    chance.shuffle(cards)
    return cards


def hand(cards: list[Card], seat: int) -> str:
    return f"{seat} hand {spell(cards)}"
