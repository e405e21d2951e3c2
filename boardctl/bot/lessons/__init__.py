"""Lessons: one TOML file for each game, found by its name.

A file has `game`, `title`, `seats` (the learner is seat 1), and steps. A step has:

* `say`: the explanation, in one or a few sentences.
* `show`: lines of the notation that are played before the explanation.
* `rows`: cards shown with the explanation, each row with a label.
* `sum`: the count beside them, if it differs from the table's.
* `do`: the line that the learner is to play: cards of the hand, or one of the possible lines.
* `count`: the line that counts the learner's hand, combination by combination.
* `answers`: texts to choose from, of which `answer` is the right one.
* `wrong`: the comment on any other answer.
* `right`: the comment when the task is done.

A step has at most one of `do`, `count` and `answers`; with `do`, the answers stand for lines that
have no words of their own. Lessons are written in English; `boardctl.text` translates them.
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
    """Cards shown with a step; `cards` as in the notation."""

    label: str
    cards: str


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
    """Return a lesson by its name. Raises KeyError if there is none, SchemaError if its file is
    invalid."""
    if name not in names():
        raise KeyError(name)
    return structure(read_toml(FOLDER / f"{name}.toml"), Lesson)


def sentences(lesson: Lesson) -> tuple[str, ...]:
    """Return every sentence of a lesson in English, each once."""
    found = [lesson.title, *lesson.seats]
    for step in lesson.step:
        found += [step.say, step.wrong, step.right, *step.answers]
        found += [row.label for row in step.rows]
    return tuple(dict.fromkeys(filter(None, found)))
