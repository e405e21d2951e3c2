"""Situations, phrases and what is meant by them (`everyday.toml`, `aside.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from boardctl.games import Move, Telling
from boardctl.record import notation
from boardctl.speech.hearing import RANKS, Grammar, Guess, Said
from tests.console.test_presses import Keypad

HERE: Final = Path(__file__).parent
SITUATIONS: Final[dict[str, tuple[Telling, tuple[str, ...]]]] = {
    "hands": ("hands", ("starter 5",)),
    "start": ("hands", ()),
    "cards": ("cards", ("starter 5", "2 play T", "1 play 7")),
    "question": ("hands", ("starter 5",)),
    "sure": ("hands", ("starter 5",)),
}
"""Cribbage of Ann and Bob: how much is entered, and the lines so far."""
ASKED: Final = {
    "question": (Said(Move("peg", 1, numbers=(5,))), Said(Move("peg", 1, numbers=(9,)))),
    "sure": (Said(Move("peg", 1, numbers=(5,))),),
}
"""What the board has asked back."""
OPEN: Final = ("hands", "start", "cards")
"""Where it has asked nothing."""


class Phrase(NamedTuple):
    """A phrase, where it is said, and what it means: nothing if it is not meant for the board."""

    kind: str
    situation: str
    text: str
    meant: tuple[str, ...]


@cache
def grammar(situation: str) -> Grammar:
    """What may be said in a situation."""
    telling, lines = SITUATIONS[situation]
    return Grammar(Keypad(telling, *lines).view, only=ASKED.get(situation, ()))


def matches(said: Said, meant: str) -> bool:
    """Whether a meaning is the one that is meant; a hand's points may be entered as points."""
    if meant.startswith("?"):
        return said.answer == meant[1:]
    if meant == "neither":
        return said == Said()
    if meant == "undo":
        return said.move is not None and said.move.verb == "undo"
    move = _move(meant)
    if said.move is None or said.move.verb != move.verb:
        return False
    if move.verb == "peg":
        return (said.move.seat, said.move.numbers) == (move.seat, move.numbers)
    return said.move == move


@cache
def _move(line: str) -> Move:
    telling, lines = SITUATIONS["hands"]
    return notation.parse_move(line, Keypad(telling, *lines).record.position.game)


def everyday(part: str) -> list[Phrase]:
    """Everyday phrases of a part: `tune` or `test`."""
    with (HERE / "everyday.toml").open("rb") as file:
        known = tomllib.load(file)[part]
    return [
        Phrase("everyday", situation, text, (meant,) if isinstance(meant, str) else tuple(meant))
        for situation, some in known.items()
        for text, meant in some.items()
    ]


def aside(part: str) -> list[Phrase]:
    """Speech that is not meant for the board, in the open situations in turn."""
    with (HERE / "aside.toml").open("rb") as file:
        known = tomllib.load(file)[part]
    return [Phrase("aside", OPEN[n % len(OPEN)], text, ()) for n, text in enumerate(known)]


def own(seed: int, count: int) -> list[Phrase]:
    """The board's own phrases, by chance; of seven one is a hand."""
    chance = Random(seed)
    found = []
    ranks = sorted(RANKS)
    for n in range(count):
        situation = OPEN[n % len(OPEN)]
        may = grammar(situation)
        text = chance.choice(sorted({text for text, _ in may.own()}))
        if n % 7 == 6:
            hand = "bob hand " + " ".join(chance.choice(ranks) for _ in range(4))
            if may.understand([Guess(hand, 0.0)]).meanings:
                text = hand
        found.append(Phrase("own", situation, text, ("=",)))
    return found


def right(phrase: Phrase, said: Said) -> bool:
    """Whether a meaning is one of those that are meant."""
    if phrase.meant == ("=",):
        return said in list(grammar(phrase.situation).meanings(phrase.text))
    return any(matches(said, one) for one in phrase.meant)
