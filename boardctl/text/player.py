"""What the board says when it plays at its own table."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "player.discard": "{seat}: crib",
    "player.mog": "{seat}: swap",
    "player.exchange": "{seat}: swap",
    "player.play": "{seat}: {cards}",
    "player.go": "{seat}: go",
    "player.where": "card {first}",
    "player.where-two": "cards {first} + {last}",
    "player.aloud": "In its row that is card {first}",
    "player.aloud-two": "In its row these are cards {first} and {last}",
    "player.not-all": "Cards read for certain: {count}; the photo must show {wanted}.",
    "player.doubt": "Something beside the {wanted} cards may be one more: photograph nothing but "
    "these cards, apart from each other.",
    "player.not-due": "The board’s cards are not asked for now.",
    "player.failed": "the computer player stopped; it is started again in {seconds} s",
    "player.stuck": "the computer player cannot go on until a card is put right or taken back: "
    "{reason}",
    "player.own-name": "The board",
    "player.own-name-brief": "Board",
    "player.waits": "{seat} is played by the board from the next deal on; until then, enter what "
    "{seat} does.",
    "refusal.cannot-play": "The board does not play {game}. It plays {games}.",
    "refusal.cannot-cut": "The pack is cut before the first deal of a game that the board deals.",
    "refusal.no-such-level": "The level must be -1 to 5, not {level}.",
    "refusal.empty-seat": "Nobody sits at seat {seat}.",
    "refusal.cannot-seal": "The board deals cribbage for two; other cards you deal yourselves.",
    "page.player": "The board plays",
    "page.player-of": "{name} is played by the board: {level}",
    "page.player-alone": "Level: {level}",
    "page.player-level": "Level",
    "page.level--1": "a child’s first games",
    "page.level-0": "a child who has played a little",
    "page.level-1": "a beginner",
    "page.level-2": "easy",
    "page.level-3": "fair",
    "page.level-4": "strong",
    "page.level-5": "the best it can",
    "page.player-seat": "The board plays for",
    "page.player-thinks": "{name} is thinking …",
    "page.player-start": "Let it play",
    "page.player-stop": "Stop playing",
    "page.player-own": "We deal real cards",
    "page.player-sealed": "The board deals, and can prove it was fair",
    "page.player-photo": "Photo of its cards, unseen",
    "page.player-read": "Its cards were read without showing them.",
    "page.against": "Play against the board",
    "page.against-how": "The board deals to both of you; only this phone shows your cards.",
    "page.against-as": "Cribbage: you are {name}. How good should it be?",
    "page.me": "Me",
    "page.real-cards": "With real cards",
    "page.discard-these-2": "Put these two in the crib",
    "page.discard-these-3": "Lay these three away",
    "page.look-at-it": "Look at the game",
    "page.fair": "Was it fair?",
    "page.fair-how": "Before the first card the board fixed its shuffle and showed this code for "
    "it. Then the pack was cut; shuffle and cut together decide every card, so nobody could choose "
    "them. Whoever goes back into a game whose shuffle was shown gets the cards of another one, "
    "with a code of its own.",
    "page.fair-code": "Code",
    "page.fair-deals": "Deals",
    "page.fair-cut": "Cut",
    "page.fair-cut-by-board": "by the board, since nobody else did: {cut}",
    "page.fair-secret": "Shuffle",
    "page.fair-later": "The shuffle behind the code is shown when the game is over.",
    "page.fair-yes": "Checked: in every deal of this code so far ({deals}), all cards are those of "
    "the shuffle behind it.",
    "page.fair-no": "The cards differ from those of the shuffle behind the code.",
    "page.fair-old": "The game is in the history; this evening’s table no longer has its cards.",
    "page.fair-none": "People deal here: there is nothing to check.",
    "page.fair-own-cut": "Words to cut the next pack with; left empty, this phone cuts by chance",
    "page.player-own-only": "You deal real cards in this game, and enter the board’s without "
    "looking at them.",
    "page.player-how": "Lay its cards in a row, face down, in the order they were entered, and "
    "leave the place of a card that is gone empty; the board names them by position.",
    "page.deal": "Deal",
    "page.odds": "{name} wins {share} %",
}
