"""Texts of the page and the command for an evening on which all players get the same deals."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "page.duplicate": "Same deals for everybody",
    "page.duplicate-why": "Each player plays against the board with the same cards. Afterwards "
    "you compare the results.",
    "page.duplicate-apart": (
        "Until you have played a game, do not watch others play it or look at it in the history."
    ),
    "page.duplicate-rounds": "Games for each player",
    "page.duplicate-code": "Code from another board",
    "page.duplicate-code-why": "Leave this empty for new deals. If you enter another board’s "
    "code, both boards deal the same cards.",
    "page.duplicate-begin": "Begin",
    "page.duplicate-next": "{name}: play game {round} of {rounds}",
    "page.duplicate-done": "{name} has played every game.",
    "page.duplicate-new-name": "Somebody else",
    "page.duplicate-play": "Play",
    "page.duplicate-show-code": "Show the code for another board",
    "page.duplicate-code-is": "Code: {code}. It determines every card, so do not show it to "
    "players.",
    "page.duplicate-end": "End and show the deals",
    "page.duplicate-end-sure": "After this, nobody can play another game with these deals. End the "
    "evening?",
    "page.duplicate-ended": "The evening is over. Its code was {code}.",
    "page.duplicate-sealed": "The deals were fixed before the first card was played, as this code "
    "proves: {proof}",
    "page.duplicate-standings": "Standings",
    "page.duplicate-nothing": "Standings appear when two players have finished the same deal.",
    "page.duplicate-deals": "Deals compared",
    "page.duplicate-matchpoints": "Matchpoints",
    "page.duplicate-above": "Points above the others, per deal",
    "page.duplicate-games": "Games",
    "page.duplicate-won": "Won",
    "page.duplicate-how": (
        "For each deal, you get one matchpoint for every player who gained fewer points "
        "than you, and half a matchpoint for a tie. The deal that ends a game does not "
        "count."
    ),
    "page.duplicate-traveller": "Game {round}, deal {number}",
    "page.duplicate-hand": "Seat {seat}",
    "page.duplicate-dealer": "Seat {seat}, dealer",
    "page.duplicate-starter": "Starter",
    "page.duplicate-thrown": "Thrown",
    "page.duplicate-opponent": "Opponent’s points",
    "page.duplicate-gained": "Difference",
    "page.duplicate-at": "{name} (seat {seat})",
    "page.duplicate-print": "Print",
    "refusal.evening-runs": "An evening with the same deals is running: end it first.",
    "refusal.evening-none": "No evening with the same deals is running.",
    "refusal.evening-code": "This is not the code of an evening: a code has 20 letters and digits.",
    "refusal.evening-choice": "An evening has 1 to {rounds} games at level 1 to {level}.",
    "refusal.evening-round": "The games of this evening are numbered 1 to {rounds}.",
    "refusal.evening-played": "{name} has already begun game {round} and knows its cards.",
    "refusal.evening-unfinished": "Finish the current game first, or give it up.",
    "refusal.evening-unsaved": "The evening could not be saved on this board.",
    "refusal.evening-level": "In an evening with the same deals, the level is the same for "
    "everybody.",
    "refusal.hints-evening": "Hints are not available in an evening with the same deals.",
    "duplicate.code": "Code: {code}",
    "duplicate.none": "No deal was played twice in these games.",
    "duplicate.standing": "{rank} {name}: matchpoints {share} %, {above} points a deal, {deals} "
    "deals, {won} of {games} games won",
    "duplicate.traveller": "round {round} deal {number}: seat 1 {one}, seat 2 {two}, starter "
    "{starter}, dealer {dealer}",
    "duplicate.deal": "deal {number}: seat 1 {one}, seat 2 {two}, starter {starter}, dealer "
    "{dealer}",
    "duplicate.row": "  {name} (seat {seat}) threw {thrown}: play {play}, hand {hand}, crib "
    "{crib}, other {other}, opponent {theirs}; difference {gained}, matchpoints {matchpoints} of "
    "{most}",
}
