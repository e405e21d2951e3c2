"""Suits that were not entered: their effect on a hand's points, and the words that state them.

If suits that matter have not been entered, the line is refused with questions and entered again
with their answers. Source: docs/notation.md, “Ranks”.
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
    """A question about suits.

    words: its answers, the simplest first. answer: the word for a reading. worth: the points of the
    reading for this question; the question is open if readings differ. same: synonyms of these
    words here.
    """

    name: str
    words: tuple[str, ...]
    answer: Callable[[Reading], str]
    worth: Callable[[Reading], int]
    same: Mapping[str, str] = MappingProxyType({})


def assignments(cards: Sequence[Card]) -> Iterable[tuple[Card, ...]]:
    """Return every way to assign suits to the cards entered without one, with no card twice."""
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
    """Return the reading selected by the words; the first of those with the same points.

    Raises:
        IllegalMove: `suits-needed` with `questions` and `choices`, the words that answer them, the
            simplest first; `suits-not-asked` and `contradicts` for words without a question, or
            words that the cards rule out.
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
    """Return the refusal that asks these questions, with every possible set of answers."""
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
    """Return the questions whose answers change the points."""
    some = tuple(possible)
    return [one for one in questions if len({one.worth(reading) for reading in some}) > 1]
