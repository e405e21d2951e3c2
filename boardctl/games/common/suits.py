"""Suits that were not entered: their effect on the points of a hand, and the words for them.

If suits that matter have not been entered, the referee refuses the line and asks about them. The
players enter the line again with the answers. Source: docs/notation.md, “Ranks”.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import product
from types import MappingProxyType
from typing import Generic, NamedTuple, TypeVar

from boardctl.games import IllegalMove
from boardctl.games.cards import Card, Suit

Reading = TypeVar("Reading")


class Question(NamedTuple, Generic[Reading]):
    """A question about suits."""

    name: str
    words: tuple[str, ...]
    """The answers, simplest first."""
    answer: Callable[[Reading], str]
    """Returns the word for a reading."""
    worth: Callable[[Reading], int]
    """Returns the points that depend on this question. The question is open if these points differ
    between readings."""
    same: Mapping[str, str] = MappingProxyType({})
    """Synonyms of the words."""


def assignments(cards: Sequence[Card]) -> Iterable[tuple[Card, ...]]:
    """Yield every way to assign suits to the cards that were entered without a suit, so that no
    card occurs twice."""
    choices = (
        [Card(card.rank, suit) for suit in Suit] if card.suit is None else [card] for card in cards
    )
    for some in product(*choices):
        if len(set(some)) == len(some):
            yield some


def resolve(
    possible: Iterable[Reading],
    words: Sequence[str],
    questions: Sequence[Question[Reading]],
    cards: Sequence[Card],
) -> Reading:
    """Return the reading that the words select. If several readings have the same points, return
    the first.

    Args:
        possible: all possible readings.
        words: the entered answers.
        questions: the questions that may be asked.
        cards: the cards of the hand, for refusals.

    Raises:
        IllegalMove: `suits-needed` if questions are open, with `questions` and their answers in
            `choices`, simplest first. The code is `suits-not-asked` if a word answers no question,
            and `contradicts` if the cards rule out a word.
    """
    some = tuple(possible)
    asked = still_open(some, questions)
    for question in questions:
        said = [word for word in words if word in question.words]
        if said and question not in asked:
            raise IllegalMove("suits-not-asked", word=said[0], cards=tuple(cards))
        if len(said) > 1:
            raise IllegalMove(
                "contradicts", seat=None, cards=tuple(cards), known=tuple(said), why="words"
            )
        if said:
            meant = question.same.get(said[0], said[0])
            some = tuple(reading for reading in some if question.answer(reading) == meant)
    if not some:
        why = "said" if words else "before"
        raise IllegalMove("contradicts", seat=None, cards=tuple(cards), known=tuple(words), why=why)
    if still_open(some, questions):
        raise _needed(possible, asked, cards)
    return some[0]


def _needed(
    possible: Iterable[Reading], asked: Sequence[Question[Reading]], cards: Sequence[Card]
) -> IllegalMove:
    """Return the error that asks these questions and lists every possible set of answers."""
    choices = {tuple(question.answer(reading) for question in asked) for reading in possible}
    order = {word: n for question in asked for n, word in enumerate(question.words)}
    return IllegalMove(
        "suits-needed",
        questions=tuple(question.name for question in asked),
        choices=tuple(sorted(choices, key=lambda some: [order[word] for word in some])),
        cards=tuple(cards),
    )


def still_open(
    possible: Iterable[Reading], questions: Sequence[Question[Reading]]
) -> list[Question[Reading]]:
    """Return the questions whose answers affect the points."""
    some = tuple(possible)
    return [one for one in questions if len({one.worth(reading) for reading in some}) > 1]
