"""Output of `boardctl review`: throws judged by points, and all decisions judged by the chance of
winning."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "review.none": "No throw can be judged: no game of two-handed six-card cribbage shows a "
    "player’s six cards and both thrown cards.",
    "review.threw": "game {number} deal {deal}: {player} ({role}) threw {cards} and kept {kept}, "
    "worth {value}; throwing {best} is worth {best_value}, cost {cost}",
    "review.threw-best": "game {number} deal {deal}: {player} ({role}) threw {cards} and kept "
    "{kept}, worth {value}, the best",
    "review.luck-hand": "; luck {luck} in the hand",
    "review.luck-crib": ", {luck} in the crib",
    "review.thrown": "{player}: {throws} throws cost {cost}",
    "review.thrown-one": "{player}: 1 throw cost {cost}",
    "review.luck": ", luck {luck}",
    "review.game": "game {number}: {said}",
    "review.season": "season: {said}",
    "review.before": "before deal {deal}: {one} {first}, {two} {second}; {one} wins {chance} %",
    "review.end": "at the end: {one} {first}, {two} {second}",
    "review.experts": "expert average (two players) as {role}: {averages}",
    "review.unjudged": "not judged, because the cards are not known: {left}",
    "review.dealer": "dealer",
    "review.pone": "non-dealer",
    "review.expects": "before deal {deal}: {one} {first}, {two} {second}; {one} expects {worth}",
    "review.in-win": "{worth} %",
    "review.in-games": "{worth} games",
    "review.in-tournament": "{worth} tournament points",
    "review.in-match": "{worth} matches",
    "review.loses-win": "{name}: on average, each decision costs {loss} % ({decisions} in {games})",
    "review.loses-games": "{name}: on average, each decision costs {loss} games ({decisions} in "
    "{games})",
    "review.loses-tournament": (
        "{name}: on average, each decision costs {loss} tournament points ({decisions} in {games})"
    ),
    "review.loses-match": "{name}: on average, each decision costs {loss} matches ({decisions} in "
    "{games})",
    "review.too-few": "{said}: too few to tell",
    "review.who": "{name} ({role}, {score})",
    "review.throw": "deal {deal}: {who} threw {chosen}; {best} wins {share} more games in 100: "
    "{verdict}",
    "review.throw-points": "deal {deal}: {who} threw {chosen}; {best} averages {points} more and "
    "wins {share} more games in 100: {verdict}",
    "review.play": "deal {deal}: {who} played {chosen}; {best} wins {share} more games in 100: "
    "{verdict}",
    "review.play-points": "deal {deal}: {who} played {chosen}; {best} pegs {points} more at once "
    "and wins {share} more games in 100: {verdict}",
    "review.throw-worth": "deal {deal}: {who} threw {chosen}; {best} would gain {worth} more: "
    "{verdict}",
    "review.throw-points-worth": "deal {deal}: {who} threw {chosen}; {best} would average "
    "{points} more and gain {worth} more overall: {verdict}",
    "review.play-worth": "deal {deal}: {who} played {chosen}; {best} would gain {worth} more: "
    "{verdict}",
    "review.play-points-worth": "deal {deal}: {who} played {chosen}; {best} would peg {points} "
    "more at once and gain {worth} more overall: {verdict}",
    "review.better-by-win": "deal {deal}, at {score}: {chosen}. Better by {amount} games in 100: "
    "{best} ({verdict})",
    "review.better-by-points": "deal {deal}, at {score}: {chosen}. Better by {amount} points: "
    "{best} ({verdict})",
    "review.chance-before": "before deal {deal}, at {scores}: {name} wins {chance} %",
    "review.at-end": "at the end: {scores}",
    "review.lost-in-all": "{name}: {decisions} cost {loss} ({errors})",
    "review.in-points": "{worth} points",
    "review.left-out": "not judged: {left}",
    "review.average-hand": "hand {points}",
    "review.average-play": "play {points}",
    "review.average-crib": "crib {points}",
    "review.inaccuracy": "inaccuracy",
    "review.mistake": "mistake",
    "review.blunder": "blunder",
    "review.no-decision": "{name}: no decision can be judged; luck {luck}",
    "review.lost": "{name}: {decisions} cost {loss} ({errors}; {in_nine} in nine games at this "
    "rate), luck {luck}",
    "review.averaged": "{name}’s averages as {role}: {averages}",
    "review.count-decision": "{count} decisions",
    "review.count-decision-one": "1 decision",
    "review.count-game": "{count} games",
    "review.count-game-one": "1 game",
    "review.count-inaccuracy": "{count} inaccuracies",
    "review.count-inaccuracy-one": "1 inaccuracy",
    "review.count-mistake": "{count} mistakes",
    "review.count-mistake-one": "1 mistake",
    "review.count-blunder": "{count} blunders",
    "review.count-blunder-one": "1 blunder",
    "review.count-throw": "{count} throws",
    "review.count-throw-one": "1 throw",
    "review.count-play": "{count} plays",
    "review.count-play-one": "1 play",
}
