"""What is said at a club: refusals of draws and results, headings of sheets and the hub's page."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.too-few-players": "A round needs two players at least; there are {players}.",
    "refusal.all-have-met": "After {rounds} rounds of {players} players there is no round left in "
    "which nobody meets twice.",
    "refusal.evening-over": "All {rounds} rounds of this evening are drawn.",
    "refusal.no-evening": "No evening has been begun; say “boardctl club new” first.",
    "refusal.no-such-player": "{name} does not take part in this evening.",
    "refusal.not-drawn": "{one} and {two} do not meet in round {round}.",
    "refusal.word-missing": "A result by hand needs both players’ PINs; {name}’s is missing.",
    "refusal.word-wrong": "That is not {name}’s PIN; {left} tries are left.",
    "refusal.word-worn": "{name}’s PIN was guessed at too often; “boardctl club pin” gives a new "
    "one.",
    "refusal.impossible-spread": "A game is won by 1 to {most} points, not by {spread}.",
    "refusal.pin-unfit": "A PIN has 4 to 12 digits.",
    "refusal.evening-begun": "The first round is drawn; nobody enters this evening any more.",
    "refusal.no-such-conflict": "{board} has sent no game {game} that waits for a decision.",
    "refusal.players-agreed": "{one} and {two} have entered their result themselves; it stands.",
    "club.live": "live games",
    "club.board": "board",
    "club.game": "game",
    "club.score": "score",
    "club.offline": "offline",
    "club.rank": "rank",
    "club.season": "the season",
    "club.still": "hold still",
    "club.fresh": "keep fresh",
    "club.course": "game points as they add up",
    "club.spreads": "net spread of each evening",
    "club.round": "round {round}",
    "club.table": "table",
    "club.players": "players",
    "club.player": "player",
    "club.winner": "winner",
    "club.spread": "spread",
    "club.initials": "initials",
    "club.corrected": "corrected",
    "club.bye": "{name} sits out",
    "club.standings": "standings",
    "club.games": "games",
    "club.won": "won",
    "club.skunks": "skunks",
    "club.points": "game points",
    "club.net": "net spread",
    "club.plus": "plus points",
}
