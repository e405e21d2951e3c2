"""The lessons: one TOML file for each game, named after it.

A file contains `game`, `title`, `seats` (the learner is seat 1), and the steps. The keys of a step
are:

* `say`: the explanation, in one or more sentences.
* `show`: lines of the notation that are played before the explanation.
* `rows`: cards shown with the explanation, each row with a label.
* `sum`: the count shown beside the rows, if it differs from the count at the table.
* `do`: the line that the learner must play: cards of the hand, or one of the possible lines.
* `count`: the line that counts the learner's hand, combination by combination.
* `answers`: the texts to choose from. `answer` is the correct text.
* `wrong`: the comment on any other answer.
* `right`: the comment after the task has been done.

A step has at most one task: `do`, `count`, or `answers` alone. A step with `do` may also have
`answers`: the labels of its choices, for moves that the table cannot put into words. Lessons are
written in English and translated by `boardctl.text`.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

from boardctl.options import read_toml, structure

FOLDER: Final = Path(__file__).parent


@dataclass(frozen=True)
class Row:
    """A row of cards shown with a step."""

    label: str
    cards: str
    """The cards, in the notation."""


@dataclass(frozen=True)
class Step:
    """One step of a lesson."""

    say: str
    show: tuple[str, ...] = ()
    rows: tuple[Row, ...] = ()
    sum: int = 0
    do: str = ""
    count: str = ""
    answers: tuple[str, ...] = ()
    answer: str = ""
    wrong: str = ""
    right: str = ""


@dataclass(frozen=True)
class Lesson:
    """The content of a lesson's file."""

    game: str
    title: str
    seats: tuple[str, ...]
    step: tuple[Step, ...]


def names() -> tuple[str, ...]:
    """Return the names of all lessons."""
    return tuple(sorted(file.stem for file in FOLDER.glob("*.toml")))


@cache
def load(name: str) -> Lesson:
    """Return a lesson by its name. Raises KeyError if the lesson does not exist, or SchemaError if
    its file is invalid."""
    if name not in names():
        raise KeyError(name)
    return structure(read_toml(FOLDER / f"{name}.toml"), Lesson)


def sentences(lesson: Lesson) -> tuple[str, ...]:
    """Return the English sentences of a lesson, without duplicates."""
    found = [lesson.title, *lesson.seats]
    for step in lesson.step:
        found += [step.say, step.wrong, step.right, *step.answers]
        found += [row.label for row in step.rows]
    return tuple(dict.fromkeys(filter(None, found)))
