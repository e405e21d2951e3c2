"""Texts for learners at the board."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "page.learning": "Learning",
    "page.who-counts": "Who counts before the board does?",
    "page.counts-first": "The board then shows missed points; no points are lost.",
    "page.count-first": "Tap the cards that count together; tap the jack for his nobs alone.",
    "page.count-these": "These count",
    "page.count-all": "That is all: {points}",
    "page.count-total": "Or enter the total",
    "page.count-say": "That is it",
    "page.count-right": "Yes: {reasons}. That makes {points}.",
    "page.count-again": "You have already counted these cards.",
    "page.count-part": "Nearly: a card is still missing.",
    "page.count-wrong": "These cards score nothing together.",
    "page.count-well": "Well counted: {points}.",
    "page.count-is": "You counted {said}; it is {points}.",
    "page.count-missed": "You missed:",
}
