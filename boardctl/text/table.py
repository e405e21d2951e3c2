"""What is said at every table: about lines, seats, options, dealing and taking back."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.syntax": "“{text}” is no line of the notation: {why} {at}",
    "refusal.no-game": "No game has been named yet; say “game cribbage” first.",
    "refusal.no-such-game": "There is no game “{name}”; there are {allowed}.",
    "refusal.not-in-this-game": "{game} knows no “{verb}”.",
    "refusal.no-such-option": "{game} has no option “{option}”; it has {allowed}.",
    "refusal.no-such-value": "Option {option} can not be “{value}”; it may be {allowed}.",
    "refusal.no-such-seat": "There is no seat {seat} at this table of {seats}.",
    "refusal.name-taken": "Two players can not both be called {name}.",
    "refusal.seats-missing": "Who plays? This game is for {allowed} players.",
    "refusal.too-late": "“{what}” comes before the first deal; it is too late for it now.",
    "refusal.wrong-number": "“{what}” takes {allowed} numbers here, {said} were told.",
    "refusal.score-below-zero": "{seat} has {score}; {points} would leave less than nothing.",
    "refusal.dealer-known": "The dealer is known already: {dealer}.",
    "refusal.dealer-unknown": "Nobody knows yet who deals; cut for it, or say “dealer 1”.",
    "refusal.card-unknown": "The card must be known here, not {card}.",
    "refusal.card-twice": "The {card} has been seen already.",
    "refusal.cut-twice": "{seat} does not cut now.",
    "refusal.game-over": "The game is over.",
    "refusal.nothing-to-undo": "{said} moves can not be taken back; there are {moves}.",
    "refusal.nothing-to-redo": "Nothing has been taken back that could be played again.",
    "refusal.no-such-move": "There is no {said}. move from the end; there are {moves}.",
    "refusal.breaks-later": "Then the later line “{line}” would no longer stand ({code}).",
    "refusal.stale": "The table has moved on to line {number}; this was meant for {expected}.",
    "refusal.too-few-tracks": "This board has {tracks} tracks; {sides} sides do not fit on it.",
    "refusal.impossible-points": "{points} points are not possible here.",
    "ask.deal": "Deal?",
    "ask.match": "{winner}'s match!",
    "ask.game": "Next game?",
    "ask.dealer": "Who deals?",
    "ask.cut": "{seat} cuts?",
    "note.saved": "Saved.",
}
