"""Texts for the page that judges positions."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "page.position": "Any position",
    "page.position-cards": "All the cards that you were dealt",
    "page.position-thrown": "The cards that you threw (only in the play)",
    "page.position-starter": "The starter",
    "page.position-played": "The cards played by both players, in order",
    "page.position-typed": "Or typed, such as 5H 10S QD",
    "page.position-no-card": "“{word}” is not a possible card here; type a rank and a suit, such "
    "as 5H or 10S.",
    "page.position-mine": "My score",
    "page.position-theirs": "Your opponent’s score",
    "page.position-target": "Points to win",
    "page.position-deals": "I deal",
    "page.position-five": "Five-card cribbage",
    "page.position-for": "What counts",
    "page.position-for-win": "winning this game",
    "page.position-for-games": "games won (a skunk counts as two)",
    "page.position-for-tournament": "tournament points (three for a skunk)",
    "page.position-worth-games": "Games",
    "page.position-worth-tournament": "Points",
    "page.position-judge": "What is best?",
    "page.position-judging": "A moment, please …",
    "page.position-win": "You win",
    "page.position-hand": "Hand",
    "page.position-crib": "Crib",
    "page.position-points": "Now",
    "page.position-likely": "Your opponent’s likeliest cards",
    "page.position-clear": "Start again",
    "page.position-only": "Two-handed cribbage to any score is judged by the chance of winning, "
    "and five-card cribbage by average points. For any other game, enter its lines below.",
    "page.position-other": "Another game",
    "page.position-lines": "The lines of the game up to the decision, such as an export shows "
    "them. “start” sets the scores. Only the cards that the player has seen are needed.",
    "page.position-at-line": "Line {number}: {said}",
    "page.position-seat": "Who decides",
    "page.position-anyone": "the only one",
    "page.position-lead": "This deal",
    "refusal.which-seat": "Several players decide now: choose seat {seats}.",
    "refusal.no-decision": "The lines must end just before a decision that can be judged: the "
    "cards of the player who decides must be entered.",
    "refusal.position-suit": "“{said}” is not enough: enter each of these cards with rank and "
    "suit, such as 5H.",
    "refusal.position-score": "A score cannot be {said}; enter 0 or more.",
    "refusal.no-such-objective": "“{said}” is not an objective: enter win, games, tournament, or "
    "match:5:2:1 with the games that win the match, yours and your opponent’s.",
    "refusal.position-thrown": "The cards that you threw must be among the cards that you were "
    "dealt.",
    "refusal.position-mine-due": "Your opponent played a card on your turn: check the order of "
    "the cards played, and the dealer.",
    "refusal.position-theirs-due": "You played a card on your opponent’s turn: check the order of "
    "the cards played, and the dealer.",
    "refusal.no-position": "There is nothing to choose here. Enter all the cards that you were "
    "dealt and both scores. In the play, also enter the cards thrown, the starter, and the cards "
    "played, in order.",
}
