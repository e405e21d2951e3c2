"""Texts for the page with lessons. The lessons' own sentences are in `bot/lessons`."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "page.learn": "Learn the game",
    "page.lesson-as-good": "{card} scores the same. To continue the lesson, take {right}.",
    "page.lesson-of": "Step {step} of {steps}",
    "page.lesson-next": "Next",
    "page.lesson-back": "Back",
    "page.lesson-end": "To the table",
    "page.lesson-hand": "Your cards",
    "page.lesson-played": "Played",
    "page.lesson-well": "Well done!",
    "page.lesson-not-yet": "Not quite.",
    "page.lesson-first-game": "Play my first game",
    "page.lesson-first-real": (
        "The board plays too. You deal real cards to both, and somebody else enters the board’s "
        "hand. The Hint button shows a good move."
    ),
    "page.lesson-first-together": (
        "The board does not play this game: play it with somebody. On your own phone, the Hint "
        "button shows a good move."
    ),
    "page.lesson-count": "Count: {count}",
    "error.no-such-lesson": "There is no such lesson.",
    "page.lessons": "Lessons",
}
