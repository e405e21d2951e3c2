"""Sentences for clubs: rejections of draws and results, headings of sheets, and the hub's page."""

from __future__ import annotations

from typing import Final

SENTENCES: Final = {
    "refusal.too-few-players": "A round needs at least two players, not {players}.",
    "refusal.all-have-met": "{players} players cannot play another round without repeating a "
    "pairing (rounds drawn: {rounds}). Once the results are in, start a new evening with "
    "“boardctl club new”; the same players can then meet again.",
    "refusal.evening-over": "Every round of this evening has been drawn ({rounds}).",
    "refusal.no-evening": "There is no evening yet; run “boardctl club new” first.",
    "refusal.no-such-evening": "The club has no evening “{name}”; the newest are: {there}.",
    "refusal.no-such-player": "{name} is not taking part in this evening.",
    "refusal.no-such-member": "{name} is not a member of this club.",
    "refusal.no-such-club": "There is no club “{name}”, only {there}; create one with “boardctl "
    "club new”.",
    "refusal.no-such-season": "There is no season “{name}”, only {there}; create one with "
    "“boardctl club new”.",
    "refusal.nothing-open": "Every game drawn for {name} already has a result.",
    "refusal.not-drawn": "{one} and {two} do not meet in round {round}.",
    "refusal.match-played": "{name} has already played round {round} of this playoff, so this "
    "result can no longer change.",
    "refusal.word-missing": "A manually entered result needs both players’ PINs; {name}’s is "
    "missing.",
    "refusal.word-wrong": "That is not {name}’s PIN; tries left: {left}.",
    "refusal.word-worn": "Too many wrong PINs for {name}; “boardctl club pin” sets a new one.",
    "refusal.impossible-spread": "A game is won by 1 to {most} points, not by {spread}.",
    "refusal.name-unfit": "A name may contain only visible characters: “{name}”.",
    "refusal.pin-unfit": "A PIN has 4 to 12 digits.",
    "refusal.evening-begun": "The first round has already been drawn; only the director can add "
    "players now.",
    "refusal.playoff-draws": "Use “boardctl club playoff” to draw the rounds of a playoff.",
    "refusal.playoff-closed": "Only qualified players can take part in a playoff.",
    "refusal.no-such-conflict": "{board} has no game {game} waiting for a decision.",
    "refusal.players-agreed": "{one} and {two} have entered their result themselves, and it is "
    "final.",
    "refusal.results-missing": "Results still missing: {count}; the first is {one} against {two} "
    "in round {round}.",
    "refusal.not-begun": "No round of {name} has been drawn yet; run “boardctl club draw” first.",
    "refusal.round-unfinished": "Round {round} is not over; results still missing: {count}. Use "
    "--anyway to draw the next round.",
    "refusal.rounds-left": "Rounds of {name} drawn so far: {count} of {rounds}. Use --anyway to "
    "start the playoff now.",
    "refusal.csv-unread": "Line {line} of the file: expected {what}.",
    "club.live": "live games",
    "club.board": "board",
    "club.game": "game",
    "club.score": "score",
    "club.offline": "offline",
    "club.state": "now",
    "club.playing": "playing",
    "club.over": "finished",
    "club.no-broker": "The connection to the boards is lost. This page will not be updated until "
    "the connection returns. The boards keep all results.",
    "club.rank": "rank",
    "club.season": "the season",
    "club.still": "stop refreshing",
    "club.fresh": "refresh automatically",
    "club.course": "cumulative game points",
    "club.spreads": "net spread of each evening",
    "club.round": "round {round}",
    "club.table": "table",
    "club.players": "players",
    "club.player": "player",
    "club.winner": "winner",
    "club.spread": "spread",
    "club.initials": "initials",
    "club.acc-number": "congress no.",
    "club.games-won": "games won",
    "club.minus": "minus points",
    "club.checked": "checked by",
    "club.home": "back to the club",
    "club.no-store": "The club’s database is not responding; try again in a minute.",
    "club.not-here": "not found",
    "club.director": "the director",
    "club.league": "the league",
    "club.enter": "enter {evening}",
    "club.entered": "{name} is taking part.",
    "club.pin": "PIN",
    "club.pin-hint": "If you have no PIN yet, choose one here: 4 digits or more. Nobody at the "
    "club can see it.",
    "club.send": "send",
    "club.unreached": "Phones cannot open this page yet: start the hub with --host 0.0.0.0, or "
    "with --name and the host name that phones use.",
    "club.scan": "scan with a phone to take part",
    "club.conflicts": "games that are not counted",
    "club.missing": "results not yet in",
    "club.reason": "reason",
    "club.other-board": "another board",
    "club.second-result": "second result",
    "club.not-paired": "these names were not paired; enter the result by hand",
    "club.none": "none",
    "club.club": "club",
    "club.cards": "score cards of 12 or more",
    "club.earned": "points on those cards",
    "club.evening": "evening",
    "club.evenings": "evenings",
    "club.judged": "On average, a decision costs {loss} ± {half} percent of a game (decisions: "
    "{decisions}; games entered card by card: {games}). Luck added {luck} percent per game.",
    "club.judged-few": "On average, a decision costs {loss} ± {half} percent of a game; there are "
    "too few decisions to compare (decisions: {decisions}; games entered card by card: {games}). "
    "Luck added {luck} percent per game.",
    "club.rated": "Rating {value}, almost certainly {low} to {high}; games: {games}.",
    "club.of-round": "round",
    "club.opponent": "opponent",
    "club.card-points": "points",
    "club.sums": "sums",
    "club.by-hand": "by hand",
    "club.forfeit": "forfeit",
    "club.bye": "{name} sits out",
    "club.standings": "standings",
    "club.games": "games",
    "club.won": "won",
    "club.skunks": "skunks",
    "club.began": "{name}: players {players}, rounds {rounds}",
    "club.few": "{players} players can play at most {most} rounds without repeating a pairing, "
    "not {rounds}. Play the remaining rounds on another evening.",
    "club.wrote": "wrote {file}",
    "club.read-in": "{name}: lines {lines}, results {results}",
    "club.pin-of": "{name}’s PIN",
    "club.by-both": "{winner}: {points} game points, +{spread}, entered by hand",
    "club.champion": "{name} has won the playoff",
    "club.goes-on": "the playoff continues",
    "club.no-conflict": "no game is waiting for a decision",
    "club.beaten": "{winner} beat {loser} by {spread}",
    "club.counts": "counts",
    "club.counts-not": "does not count",
    "club.skunk-mark": "S: a skunk, won by 31 points or more.",
    "club.points": "game points",
    "club.net": "net spread",
    "club.plus": "plus points",
}
