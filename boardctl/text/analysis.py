"""What the page says of a game judged, and what its trainer asks."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "page.analyse": "Judge this game",
    "page.analysing": "Judging; this takes a while …",
    "page.analysis-unfinished": "A game is judged once it is over.",
    "page.analysis-not-judged": "Two-hand cribbage to 121 can be judged, other games cannot.",
    "page.analysis-too-slow": "Judging took too long.",
    "page.chance-of": "Chance that {name} wins",
    "page.errors": "What cost most",
    "page.no-errors": "No decision lost 1 percent or more.",
    "page.skill-and-luck": "Skill and luck",
    "page.verdict-inaccuracy": "Inaccuracy:",
    "page.verdict-mistake": "Mistake:",
    "page.verdict-blunder": "Blunder:",
    "page.error-throw": "deal {deal}, {name} at {score} threw {chosen}; {best} wins {share} % "
    "more often.",
    "page.error-throw-points": "deal {deal}, {name} at {score} threw {chosen}; {best} averages "
    "{points} more and wins {share} % more often.",
    "page.error-play": "deal {deal}, {name} at {score} played {chosen}; {best} wins {share} % "
    "more often.",
    "page.error-play-points": "deal {deal}, {name} at {score} played {chosen}; {best} pegs "
    "{points} more at once and wins {share} % more often.",
    "page.loss": "Lost by decisions",
    "page.errors-in-nine": "Errors in nine such games",
    "page.luck-of-deals": "Luck",
    "page.expert": "Expert",
    "page.mean-pone-hand": "Hand as pone",
    "page.mean-pone-play": "Play as pone",
    "page.mean-dealer-hand": "Hand as dealer",
    "page.mean-dealer-play": "Play as dealer",
    "page.mean-dealer-crib": "Crib",
    "page.not-judged": "Not judged, since the cards were not told: throws {throws}, plays {plays}.",
    "page.trainer": "Trainer",
    "page.train": "Ask the throws again that cost most",
    "page.train-player": "Ask {name}’s throws again",
    "page.train-why": "The throws of a player’s last games that cost most, asked again.",
    "page.analysing-games": "Judging game {game} of {games} …",
    "page.nothing-to-train": "No throw cost anything, or none is known with its six cards.",
    "page.trained": "That was all.",
    "page.trainer-pone": "{name} at {score}, the other deals: which two cards go?",
    "page.trainer-dealer": "{name} at {score} deals: which two cards go?",
    "page.trainer-right": "Right.",
    "page.trainer-wrong": "{best} is better: {points} points more, and wins {share} % more often.",
    "page.trainer-next": "Next",
}
