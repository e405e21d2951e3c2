"""The content of a refusal: the player, the cards, the allowed alternatives.

Each row has a situation at a table, the line that the referee refuses, and everything in the
refusal.
"""

from __future__ import annotations

from typing import Any

import pytest

from boardctl import text
from boardctl.games.cards import Card, spell
from tests.games.cribbage.table import DEALT, LAID, PLAYED, Table

PLAY = "deal; starter KH"
LAST = f"{PLAY}; 2 play T; 1 play T; 2 play T; 1 go; 2 go"
"""A first series of three tens, with its last card pegged."""
SHOW = f"{LAST}; 1 play 9; 2 play 9; 1 play 8; 2 play 5; 1 play 3"
CRIB = f"{SHOW}; 2 show; 1 show no-flush"
OUT_AT_120 = "start 0 120; dealer 1; deal; starter KH; 2 play T; 1 play 7; 2 play J"

REFUSALS: list[tuple[str, str, str, dict[str, Any]]] = [
    # before the first deal
    ("", "starter KH", "no-deal", {"verb": "starter"}),
    ("", "1 go", "no-deal", {"verb": "go"}),
    ("", "misdeal", "no-deal", {"verb": "misdeal"}),
    ("", "start 121 0", "start-too-high", {"said": 121, "target": 121}),
    ("", "1 bid pass", "not-in-this-game", {"verb": "bid", "game": "cribbage"}),
    ("1 resign", "2 peg 1", "game-over", {}),
    # hands, discards, starter
    ("deal", "start 5 5", "too-late", {"what": "start"}),
    ("start 3 7", "1 adjust -5", "score-below-zero", {"seat": 1, "points": -5, "score": 3}),
    ("start 3 7", "2 adjust -9", "score-below-zero", {"seat": 2, "points": -9, "score": 7}),
    ("deal", "starter 5Ha", "no-such-card", {"card": "5Ha"}),
    ("deal", "starter ?", "card-unknown", {"card": "?"}),
    ("deal", "crib 5H", "no-straight-card", {"seats": 2}),
    (
        "deal; 1 hand 2 3 4 5",
        "1 hand 6 7 8",
        "hand-too-long",
        {"seat": 1, "told": 4, "said": 3, "allowed": 6},
    ),
    ("deal", "1 discard 5H", "wrong-number-of-cards", {"said": 1, "allowed": 2}),
    ("deal; 2 discard ? ?", "2 discard ? ?", "discarded-already", {"seat": 2}),
    (
        DEALT,
        "1 discard 9H TH",
        "not-held",
        {"seat": 1, "cards": "9H TH", "held": "2S 4S 6S 8S KS KH"},
    ),
    ("deal; 1 hand 5H", "2 hand 5H", "card-twice", {"card": "5H"}),
    ("deal", "1 hand 5H 5H", "card-twice", {"card": "5H"}),
    ("deal; 2 peg 2 play", "1 hand 5H", "too-late", {"what": "hand"}),
    ("deal; 1 hand 5 5 5", "2 hand 5 5", "too-many-of-rank", {"card": "5"}),
    (LAID, "starter 2D", "too-late", {"what": "starter"}),
    (LAID, "1 hand 2D", "too-late", {"what": "hand"}),
    (LAID, "1 discard 2S 4S", "too-late", {"what": "discard"}),
    (LAID, "dealer 2", "too-late", {"what": "dealer"}),
    ("deal; 1 hand 5H", "deal", "deal-unfinished", {"phase": "discard"}),
    ("deal; 1 peg 2 heels", "starter 5", "contradicts", {"cards": "5", "known": "heels"}),
    # the play
    ("deal", "2 play 5", "not-in-play", {"verb": "play", "phase": "discard"}),
    ("deal", "2 go", "not-in-play", {"verb": "go", "phase": "discard"}),
    (PLAY, "2 play ?", "card-unknown", {"card": "?"}),
    (PLAY, "1 play 5", "not-your-turn", {"seat": 1, "turn": 2}),
    (f"{PLAY}; 2 play T; 1 play T; 2 play 9; 1 go", "2 play 3", "over-31",
     {"seat": 2, "card": "3", "count": 29}),
    (f"{PLAY}; 2 play T", "1 go", "can-play", {"seat": 1, "count": 10}),
    (f"{PLAY}; 2 play T", "2 go", "can-play", {"seat": 1, "count": 10}),
    (f"{LAID}; 2 play 3H", "1 play KS", "not-held",
     {"seat": 1, "cards": "KS", "held": "2S 4S 6S 8S KS KH"}),
    (SHOW, "2 play 9", "not-in-play", {"verb": "play", "phase": "show"}),
    (f"{PLAY}; 2 play A; 1 play 2; 2 play A; 1 play 2; 2 play A; 1 play 3; 2 play 9", "2 play 9",
     "no-cards-left", {"seat": 2}),
    (OUT_AT_120, "1 play 5", "go-unsaid", {"seat": 1, "last": 2}),
    (f"{CRIB}; 1 crib 2 4 6 8 no-flush", "2 play 9", "no-deal", {"verb": "play"}),
    ("deal; 2 peg 2 play", "2 play 9", "not-in-play",
     {"verb": "play", "phase": "play", "why": "points"}),
    # the show
    ("deal; 2 peg 1 go", "2 show 5 6 7 8", "starter-missing", {}),
    (f"{PLAY}; 2 play T", "2 show 5 6 7 T", "play-unfinished", {"turn": 1, "count": 10}),
    (SHOW, "1 show", "not-your-turn", {"seat": 1, "turn": 2}),
    (SHOW, "2 crib", "not-your-crib", {"seat": 2, "dealer": 1}),
    (SHOW, "1 crib", "out-of-order", {"what": "crib", "phase": "show"}),
    (CRIB, "2 show", "out-of-order", {"what": "show", "phase": "crib"}),
    (PLAY, "2 show", "cards-needed", {"seat": 2, "cards": 4, "known": ""}),
    (CRIB, "1 crib", "cards-needed", {"seat": None, "cards": 4, "known": ""}),
    (SHOW, "2 show 2 3 4 5", "contradicts", {"seat": 2, "cards": "2 3 4 5", "known": "T T 9 5"}),
    (SHOW, "2 show 2 3", "wrong-number-of-cards", {"said": 2, "allowed": 4}),
    (PLAY, "2 show 5 5 6 7 flush", "suits-not-asked", {"word": "flush", "cards": "5 5 6 7"}),
    (PLAY, "2 show 5 6 7 8 flush no-flush", "contradicts",
     {"cards": "5 6 7 8", "known": "flush no-flush"}),
    (PLAY, "2 show 5H 6H 7H 8 no-flush flush5", "contradicts",
     {"cards": "5H 6H 7H 8", "known": "no-flush flush5"}),
    (PLAY, "2 show 5 6 7 J", "suits-needed", {
        "questions": "flush nobs", "cards": "5 6 7 J",
        "choices": "no-flush no-nobs, no-flush nobs, flush no-nobs, flush5 nobs"}),
    (CRIB.replace("KH", "K"), "1 crib 2 4 6 J", "suits-needed", {
        "questions": "flush nobs", "cards": "2 4 6 J",
        "choices": "no-flush no-nobs, no-flush nobs, flush5 nobs"}),
    ("deal; 2 peg 4 hand; 1 peg 4 hand", "1 crib 2 4 6 8", "starter-missing", {}),
    # A hand that may have been worth nothing does not end a deal whose cards are entered.
    ("deal; 1 hand 5H; 2 peg 0", "deal", "deal-unfinished", {"phase": "discard"}),
    ("deal; 2 peg 0; 1 hand 5H", "deal", "deal-unfinished", {"phase": "discard"}),
    ("deal; 2 peg 2 play", "1 go", "not-in-play", {"verb": "go", "phase": "play"}),
    (PLAY, "2 show 5H 5S 6D 7C flush", "suits-not-asked",
     {"word": "flush", "cards": "5H 5S 6D 7C"}),
    (PLAY, "2 show 5 6 7 J flush nobs", "contradicts", {"cards": "5 6 7 J", "known": "flush nobs"}),
    (CRIB, "1 crib 2H 4H 6H J flush nobs", "contradicts",
     {"cards": "2H 4H 6H J", "known": "flush nobs"}),
    (PLAYED, "2 show AH 3H 5H 8H", "contradicts",
     {"seat": 2, "cards": "AH 3H 5H 8H", "known": "7H 5H 3H AH"}),
    (f"{PLAYED}; 2 show; 1 show", "1 crib KS KH QD 2C", "contradicts",
     {"cards": "KS KH QD 2C", "known": "KS KH QD QC"}),
    (f"{DEALT}; starter 9D; 2 peg 1 go", "2 show", "cards-needed",
     {"seat": 2, "cards": 4, "known": ""}),
    (f"{DEALT}; starter 9D; 2 peg 1 go; 2 peg 0 hand", "1 crib", "cards-needed",
     {"seat": None, "cards": 4, "known": ""}),
    # points entered
    ("deal", "2 peg 4 hand crib", "syntax",
     {"text": "hand crib", "why": "too-much", "at": "crib"}),
    (PLAY, "2 peg 8 heels", "impossible-points", {"seat": 2, "points": 8, "why": "heels"}),
    (PLAY, "1 peg 8 go", "impossible-points", {"seat": 1, "points": 8, "why": "go"}),
    ("", "2 peg 19 hand", "impossible-points", {"seat": 2, "points": 19, "why": "hand"}),
    ("deal", "1 peg 51", "impossible-points", {"seat": 1, "points": 51, "why": None}),
    (SHOW, "1 peg 54", "impossible-points", {"seat": 1, "points": 54, "why": None}),
    # claims
    (f"{PLAY}; 2 play 5", "1 play T = 30", "claim-too-high", {"said": 30, "allowed": 29}),
    (f"{LAST}; 1 play 9; 2 play 9; 1 play 8; 2 play 4", "1 go = 1", "claim-not-yours",
     {"seat": 1, "owner": 2}),
    (f"{PLAY}; 2 play 5", "1 muggins", "no-claim-open", {}),
]  # fmt: skip


REFUSALS += [
    ("set muggins full; deal; starter K; 2 play 5 = 2", "2 muggins", "own-claim", {"seat": 2}),
    (f"{PLAY}; 2 play T; 1 play T; 2 play 9", "2 play 9", "not-your-turn", {"seat": 2, "turn": 1}),
    (LAID, "1 play KD", "not-your-turn", {"seat": 1, "turn": 2}),
    (CRIB, "1 crib KH 2D 3D 4D", "card-twice", {"card": "KH"}),
    (CRIB, "1 crib T T 2 3", "too-many-of-rank", {"card": "T"}),
]


def fully_known(value: Any) -> Any:
    """Return a field in readable form."""
    match value:
        case Card():
            return str(value)
        case [Card(), *_]:
            return spell(value)
        case [tuple(), *_]:
            return ", ".join(" ".join(words) for words in value)
        case tuple():
            return " ".join(value)
        case _:
            return value


@pytest.mark.parametrize(("before", "line", "code", "fields"), REFUSALS)
def test_a_refusal_names(before: str, line: str, code: str, fields: dict[str, Any]) -> None:
    table = Table(dealer=None if before.startswith("start") else 1)
    if before:
        table.read(before)
    error = table.refusal(line)
    found = {name: fully_known(value) for name, value in error.fields.items()}
    if "why" not in fields:  # tests/test_sentences.py checks which of the code's sentences it is
        found.pop("why", None)
    if code == "contradicts":
        fields = {"seat": None, **fields}
    assert (error.code, found) == (code, fields)
    sentence = text.refusal(error, text.Reader("en", ("Ann", "Bob")))
    assert sentence.endswith((".", "?")), sentence
    assert "{" not in sentence
