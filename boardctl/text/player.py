"""Sentences about the computer player at the board's own table."""

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
    "player.do": "Turn up card {first} in the board’s row",
    "player.do-two": "Turn up cards {first} and {last} in the board’s row",
    "player.lay": "Lay card {first} of the board’s row in the crib",
    "player.lay-two": "Lay cards {first} and {last} of the board’s row in the crib",
    "player.aloud": "Card {first} in the board’s row",
    "player.aloud-two": "Cards {first} and {last} in the board’s row",
    "player.not-all": "Cards read with certainty: {count}; the photo must show {wanted}.",
    "player.doubt": "The photo may show more than {wanted} cards. Photograph only the board’s "
    "cards, with gaps between them.",
    "player.not-due": "The board does not need its cards now.",
    "player.failed": "the computer player stopped; it restarts in {seconds} s",
    "player.stuck": "the computer player cannot continue until a card is corrected or taken back: "
    "{reason}",
    "player.own-name": "The board",
    "player.own-name-brief": "Board",
    "player.waits": "The board plays {seat} from the next deal on; until then, enter {seat}’s "
    "moves.",
    "refusal.cannot-play": "The board does not play {game}. It plays {games}.",
    "refusal.cannot-cut": "You can cut the pack only before the first deal of a game, and only if "
    "the board deals.",
    "refusal.no-such-level": "The level must be -1 to 5, not {level}.",
    "refusal.empty-seat": "Nobody sits at seat {seat}.",
    "refusal.cannot-seal": "The board deals only two-handed cribbage; deal other games yourselves.",
    "page.player": "The board plays",
    "page.player-of": "The board plays {name}: {level}",
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
    "page.player-start": "Let the board play",
    "page.player-stop": "Stop playing",
    "page.player-own": "We deal real cards",
    "page.player-sealed": "The board deals, and can prove that the deal was fair",
    "page.hand-unseen": "{name}’s cards: photograph them without looking, or have someone who "
    "is not playing enter them",
    "page.player-photo": "Photograph the board’s cards without looking",
    "page.player-read": "The board’s cards were read but not shown.",
    "page.against": "Play against the board",
    "page.against-how-good": "How good should the board be?",
    "page.against-another": "Play against somebody else",
    "page.against-how": "The board deals to both of you; only this phone shows your cards.",
    "page.against-as": "Cribbage: you are {name}. How good should it be?",
    "page.me": "Me",
    "page.real-cards": "With real cards",
    "page.discard-these-2": "Put these two in the crib",
    "page.discard-these-3": "Lay these three away",
    "page.look-at-it": "Look at the game",
    "page.fair": "Was it fair?",
    "page.fair-how": (
        "Before the first card, the board fixed its shuffle and showed this code for it. "
        "Then the pack was cut. The shuffle and the cut together determine every card, so "
        "nobody could choose the cards. If you return to a game after its shuffle was "
        "shown, later deals use a new shuffle with its own code."
    ),
    "page.fair-code": "Code",
    "page.fair-deals": "Deals",
    "page.fair-cut": "Cut",
    "page.fair-cut-by-board": "cut by the board, because nobody else cut: {cut}",
    "page.fair-secret": "Shuffle",
    "page.fair-later": "The shuffle is shown when the game is over; until then you have only its "
    "code.",
    "page.fair-yes": (
        "Checked: in every deal from this code so far ({deals}), all cards match the shuffle."
    ),
    "page.fair-no": "The cards do not match the shuffle for this code.",
    "page.fair-old": "The game is in the history; this evening’s table no longer has its cards.",
    "page.fair-none": "You deal the cards yourselves here, so there is nothing to check.",
    "page.fair-own-cut": "Words that decide the next cut; if empty, this phone cuts at random",
    "page.player-own-only": "You deal real cards in this game, and enter the board’s cards without "
    "looking at them.",
    "page.player-how": "Lay the board’s cards face down in a row, in the order they were entered. "
    "When a card leaves the row, keep its place empty; the board names cards by position.",
    "page.deal": "Deal",
    "page.odds": "{name} wins {share} %",
}
