"""The sentences of the lessons (`boardctl/lessons`), and the words of their page."""

from __future__ import annotations

from typing import Final

from boardctl import lessons

SENTENCES: Final = {
    "page.learn": "Learn the game",
    "page.lesson-of": "Step {step} of {steps}",
    "page.lesson-next": "Next",
    "page.lesson-back": "Back",
    "page.lesson-end": "To the table",
    "page.lesson-hand": "Your cards",
    "page.lesson-table": "On the table",
    "page.lesson-count": "Count: {count}",
    "error.no-such-lesson": "There is no such lesson.",
    "page.lessons": "Lessons",
    **{
        f"lesson.{name}-{number}": sentence
        for name in lessons.names()
        for number, sentence in enumerate(lessons.sentences(lessons.load(name)))
    },
}
