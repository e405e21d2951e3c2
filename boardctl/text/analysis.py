"""The page's texts for game analysis and practice."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "page.analyse": "Analyse this game",
    "page.analysing": "Analysing; this takes a while …",
    "page.analysing-decisions": "Analysed so far: {done} of {of} throws and cards",
    "page.analysing-lines": "Analysed so far: {done} of {of} moves",
    "page.analysis-unfinished": "A game can be analysed once it is over.",
    "page.analysis-not-judged": "This game has no deal that can be analysed.",
    "page.analysis-too-slow": "The analysis took too long.",
    "page.chance-of": "Chance that {name} wins",
    "page.errors": "Costliest errors",
    "page.no-errors": "No decision cost 1 percent or more.",
    "page.no-decisions": "No decision can be judged.",
    "page.skill-and-luck": "Skill and luck",
    "page.verdict-inaccuracy": "Inaccuracy:",
    "page.verdict-mistake": "Mistake:",
    "page.verdict-blunder": "Blunder:",
    "page.error-throw": "deal {deal}: {name}, at {score}, threw {chosen}; {best} wins {share} "
    "more games in 100.",
    "page.error-throw-points": "deal {deal}: {name}, at {score}, threw {chosen}; {best} averages "
    "{points} more and wins {share} more games in 100.",
    "page.error-play": "deal {deal}: {name}, at {score}, played {chosen}; {best} wins {share} "
    "more games in 100.",
    "page.error-play-points": "deal {deal}: {name}, at {score}, played {chosen}; {best} pegs "
    "{points} more at once and wins {share} more games in 100.",
    "page.error-line-win": "deal {deal}, at {score}: {said}. Better by {amount} games in 100: "
    "{better}.",
    "page.error-line-points": "deal {deal}, at {score}: {said}. Better by {amount} points: "
    "{better}.",
    "page.no-errors-points": "No decision cost 1 percent or more of a game’s points.",
    "page.loss-points": "Points lost through decisions",
    "page.errors-made": "Errors",
    "page.lines-not-judged": "Not judged: {count} decisions.",
    "page.loss": "Lost through decisions",
    "page.errors-in-nine": "Errors in nine such games",
    "page.luck-of-deals": "Luck",
    "page.expert": "Expert",
    "page.mean-pone-hand": "Hand when not dealing",
    "page.mean-pone-play": "Play when not dealing",
    "page.mean-dealer-hand": "Hand as dealer",
    "page.mean-dealer-play": "Play as dealer",
    "page.mean-dealer-crib": "Crib",
    "page.not-judged": "Not judged, because the cards are not known: throws {throws}, plays "
    "{plays}.",
    "page.season": "Quality of play in these games",
    "page.season-why": "The average loss in winning chance per decision; ± is the 95-percent "
    "interval.",
    "page.analyse-all": "Analyse these games",
    "page.decisions": "Decisions",
    "page.loss-a-decision": "Lost per decision",
    "page.too-few": "too few to tell",
    "page.train": "Practise your costliest moves",
    "page.analysing-games": "Analysing game {game} of {games} …",
    "page.drill-right": "Right.",
    "page.drill-next": "Next",
}
