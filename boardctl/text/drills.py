"""Texts for the page with practice positions."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "page.drills": "Practise positions",
    "page.drills-why": "Choose what to practise. Positions that you get wrong come back soon; the "
    "other positions come back later. Each player’s progress stays on this board.",
    "page.drill-who": "Who is practising?",
    "page.drill-nobody": "Nobody",
    "page.drills-watching": "No player is chosen, so your progress is not saved.",
    "page.drills-none": "Your recent games contain no costly decision with a known position.",
    "page.drill-of": "{theme} ({known} of {all} known)",
    "page.drill-crib": "Throw for your own crib",
    "page.drill-defence": "Hold your opponent back near the end",
    "page.drill-go": "Above 21: the go and the last card",
    "page.drill-traps": "The traps: 5, 10 and 21",
    "page.drill-runs": "Long runs in the play",
    "page.drill-endgame-throw": "Both near home: the throw",
    "page.drill-endgame-play": "Both near home: the play",
    "page.drill-own": "Your own games",
    "page.drill-dealer": "You have {mine}, your opponent has {theirs}; you deal.",
    "page.drill-pone": "You have {mine}; your opponent has {theirs} and deals.",
    "page.drill-throw": "Which two cards do you throw?",
    "page.drill-play": "The count is {count}: which card do you play?",
    "page.drill-thrown": "Thrown",
    "page.drill-earlier": "Played before",
    "page.drill-count": "In this count",
    "page.drill-wrong": "Not the best: another choice wins {share} more games in 100.",
    "page.drill-wrong-points": "Not the best: another choice gains {points} more points.",
    "page.drill-line": "The score is {score}. What do you do?",
    "page.drill-held": "You hold",
    "page.drill-best": "Best: {best}.",
    "page.drill-chosen": ": your choice; you win {win} games in 100.",
    "page.drill-no-card": "This position could not be judged.",
    "page.drill-again": "Once more",
}
