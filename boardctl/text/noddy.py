"""Sentences for Noddy, in addition to those for cribbage."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.show-first": "Enter {seat}’s hand before anybody plays.",
    "ask.last-card": "Last card?",
    "question.last-card": "Who played the last card (1 point)?",
    "award.noddy": "noddy",
    "award.twenty-five": "twenty-five",
    "option.flush_hand": "Flush of three in a hand",
    "option.flush_play": "Flushes in the play",
    "option.go": "After a go",
    "option.points": "Fifteen and thirty-one",
    "value.flush_hand-any_three": "any three of the four cards",
    "value.flush_hand-hand_only": "the three in hand",
    "value.go-ends_play": "the play is over",
    "value.go-play_on": "the others keep playing",
    "value.points-per_card": "a point for each card",
    "value.points-two": "two points",
}
