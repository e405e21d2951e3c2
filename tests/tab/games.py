"""Whole games as lines, from a seed."""

from __future__ import annotations

from random import Random

from boardctl.games.cards import CARDS
from boardctl.record import notation
from boardctl.record.record import Record
from tests.laws.walk import sit_down


def cribbage(seed: int, most: int = 200) -> list[str]:
    """Return a game of cribbage by the hands of each show, to its end."""
    chance, record = Random(seed), Record()
    said: list[str] = []

    def say(line: str) -> None:
        record.read(line)
        said.append(line)

    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1"):
        say(line)
    dealer = 1
    while not record.position.over and len(said) < most:
        cards = [str(card) for card in chance.sample(CARDS, 13)]
        starter, *dealt = cards
        say("deal")
        say(f"starter {starter}")
        shows = ((3 - dealer, "show"), (dealer, "show"), (dealer, "crib"))
        for place, (seat, verb) in enumerate(shows):
            if not record.position.over:
                say(f"{seat} {verb} {' '.join(dealt[4 * place : 4 * place + 4])}")
        dealer = 3 - dealer
    assert record.position.over
    return said


def walked(name: str, seed: int, steps: int) -> list[str]:
    """Return a random game of any kind."""
    walk = sit_down(name, Random(seed))
    for _ in range(steps):
        if not walk.step():
            break
    return [notation.spell(move) for move in walk.record.moves]


def scores(lines: list[str]) -> list[int]:
    """Return the scores after some lines, by this machine's own Python."""
    record = Record()
    for line in lines:
        record.read(line)
    return list(record.position.shown_scores)
