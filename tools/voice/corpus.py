"""Situations, phrases and their meanings (`everyday.toml`, `aside.toml`)."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path
from random import Random
from typing import Final, NamedTuple

from boardctl.games import Move
from boardctl.record import notation
from boardctl.speech.hearing import Grammar, Guess
from boardctl.speech.phrases import RANKS
from tests.console.test_presses import Keypad
from tools.voice.table import ASKED, SITUATIONS

HERE: Final = Path(__file__).parent
OPEN: Final = ("hands", "start", "cards")
"""The situations in which it has asked nothing."""


class Phrase(NamedTuple):
    """A phrase, its situation, and its meaning (none if the phrase is not meant for the board)."""

    kind: str
    situation: str
    text: str
    meant: tuple[str, ...]


@cache
def grammar(situation: str) -> Grammar:
    """Return the possible phrases in a situation."""
    telling, lines = SITUATIONS[situation]
    return Grammar(Keypad(telling, *lines).view, only=ASKED.get(situation, ()))


def matches(did: tuple[str, str], meant: str) -> bool:
    """Return whether the board carried out the intended action. A hand's points may be entered as
    points.

    Args:
        did: a move in the notation and a question that the board answered, each empty if there is
            none.
    """
    line, answer = did
    if meant.startswith("?"):
        return answer == meant[1:]
    if meant == "neither":
        return did == ("", "")
    if meant == "undo" or not line:
        return line.startswith("undo") and meant == "undo"
    done, move = _move(line), _move(meant)
    if done.verb == move.verb == "peg":
        return (done.seat, done.numbers) == (move.seat, move.numbers)
    return done == move


@cache
def _move(line: str) -> Move:
    telling, lines = SITUATIONS["hands"]
    return notation.parse_move(line, Keypad(telling, *lines).record.position.game)


def everyday(part: str) -> list[Phrase]:
    """Return everyday phrases of a part: `tune`, `test` or `fresh`."""
    with (HERE / "everyday.toml").open("rb") as file:
        known = tomllib.load(file)[part]
    return [
        Phrase("everyday", situation, text, (meant,) if isinstance(meant, str) else tuple(meant))
        for situation, some in known.items()
        for text, meant in some.items()
    ]


def aside(part: str) -> list[Phrase]:
    """Return speech that is not meant for the board, in the open situations in turn."""
    with (HERE / "aside.toml").open("rb") as file:
        known = tomllib.load(file)[part]
    return [Phrase("aside", OPEN[n % len(OPEN)], text, ()) for n, text in enumerate(known)]


def own(seed: int, count: int) -> list[Phrase]:
    """Return random phrases of the board's own; one of seven is a hand."""
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


def right(phrase: Phrase, did: tuple[str, str]) -> bool:
    """Return whether the board carried out one of the intended actions."""
    if phrase.meant == ("=",):
        known = grammar(phrase.situation).meanings(phrase.text)
        return any(
            did == ("" if said.move is None else notation.spell(said.move), said.answer)
            for said in known
        )
    return any(matches(did, one) for one in phrase.meant)
