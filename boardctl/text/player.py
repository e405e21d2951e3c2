"""What the board says when it plays at its own table."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "player.discard": "{seat} discards",
    "player.play": "{seat}: {cards}",
    "player.go": "{seat}: go",
    "player.where": "card {first}",
    "player.where-two": "cards {first} + {last}",
    "player.not-six": "{count} cards were read for certain; the photo must show six, and the board "
    "must sit at the table.",
    "refusal.no-such-level": "The level must be 1 to 5, not {level}.",
    "refusal.empty-seat": "Nobody sits at seat {seat}.",
    "refusal.cannot-seal": "A sealed shuffle deals two-hand cribbage from the first deal of a game "
    "on, and its commitment is shown before.",
    "page.player": "The board plays",
    "page.player-of": "{name} is played by the board, level {level}",
    "page.player-level": "Level",
    "page.level-1": "1 (easy)",
    "page.level-5": "5 (hard)",
    "page.player-seat": "The board plays for",
    "page.player-thinks": "{name} is thinking …",
    "page.player-start": "Let it play",
    "page.player-stop": "Stop playing",
    "page.player-own": "We deal real cards",
    "page.player-sealed": "The board deals, and can prove it was fair",
    "page.player-photo": "Photo of its six cards, unseen",
    "page.player-read": "Its cards were read without showing them.",
    "page.player-commitment": "To check the deal later, keep this: {commitment}",
    "page.player-cut": "Cut the pack: any words",
    "page.player-secret": "Secret: {secret}. “boardctl sealed verify” checks the deals with it.",
    "page.player-how": "Lay its cards in a row, face down, in the order they were entered; the "
    "board names them by position.",
    "page.deal": "Deal",
    "page.odds": "{name} wins {share} %",
}
