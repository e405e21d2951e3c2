"""Refusals are true in their own situations: one record for each special situation of a code, with
the English and the Japanese sentence."""

from __future__ import annotations

import re

import pytest

from boardctl import text
from boardctl.games import IllegalMove
from boardctl.record.record import Record

TWO = "seat 1 Ann / seat 2 Bob / dealer 2"
FOUR = "seat 1 Ann / seat 2 Bob / seat 3 Cat / seat 4 Dan / dealer 4"
THREE = "seat 1 Ann / seat 2 Bob / seat 3 Cat / dealer 3"
CRIBBAGE = f"game cribbage / {TWO} / deal"
KLABERJASS = f"game klaberjass / {TWO} / deal"
BELOTE = f"game belote / {FOUR} / deal"
COINCHE = f"game belote / set bidding coinche / {FOUR} / deal"
PINOCHLE = f"game pinochle / {THREE} / deal"
AUCTION = f"{PINOCHLE} / 1 bid 300 / 2 bid pass / 3 bid pass"
BEZIQUE = f"game bezique / {TWO} / deal"
SITUATIONS = [
    ("game cribbage / seat 1 Ann / deal", "Who plays? This game is for 2, 3 or 4 players."),
    ("game noddy / seat 1 Ann / deal", "Who plays? This game is for 2 or 4 players."),
    ("game bezique / seat 1 Ann / deal", "Who plays? This game is for 2 players."),
    (
        f"{CRIBBAGE} / start 1 1",
        "“start” comes before the first deal; it is too late for that now.",
    ),
    (
        f"{CRIBBAGE} / starter 5H / dealer 1",
        "“dealer” comes before the first card of the deal; it is too late for that now.",
    ),
    (
        f"{CRIBBAGE} / starter 5H / 1 hand 6H",
        "“hand” comes before the starter; use “insert” to put it there.",
    ),
    (
        f"{CRIBBAGE} / starter 5H / starter 6H",
        "It is too late for the starter in this deal; use “amend” to change it, or “insert” to "
        "put it earlier.",
    ),
    (
        f"game noddy / {TWO} / deal / starter 5H / 1 hand 6H",
        "“hand” comes before the starter; use “insert” to put it there.",
    ),
    (
        f"game costly-colours / {TWO} / deal / starter 5H / starter 6H",
        "It is too late for the starter in this deal; use “amend” to change it, or “insert” to "
        "put it earlier.",
    ),
    (
        f"{BEZIQUE} / turnup KC / 1 play AS / 1 hand 9S",
        "“hand” comes before the first card played; it is too late for that now.",
    ),
    (
        f"{BEZIQUE} / turnup KC / 1 play AS / 2 play 7S / 2 meld KH QH",
        "Ann won the trick; Bob cannot meld now.",
    ),
    (
        "game bezique / seat 1 Ann / seat 2 Bob / 1 peg 40 / 1 cut KH",
        "Points have already been entered, so it is too late to cut for the deal; enter “dealer "
        "1”.",
    ),
    (f"{CRIBBAGE} / starter 5H / 1 play 6H / 1 play 6H", "It is Bob’s turn, not Ann’s."),
    (
        f"{CRIBBAGE} / 1 hand 5H 6S 7D 8C JH QS / 2 hand 9S 6C 4H TC 2D 2S / 1 discard JH QS / "
        "2 discard 2D 2S / starter 5D / 1 play 5H / 2 play 9S / 1 play 5H",
        "Ann has already played 5H.",
    ),
    (
        f"{CRIBBAGE} / 1 hand 5H 6S 7D 8C JH QS / 2 hand 9S 6C 4H TC 2D 2S / 1 discard JH QS / "
        "2 discard 2D 2S / starter 5D / 1 play QS",
        "Ann has discarded QS.",
    ),
    (
        f"{CRIBBAGE} / starter 5H / 1 peg 2 play / 1 play 6H",
        "The play of this deal was entered as points; “play” is no longer possible.",
    ),
    (
        f"game noddy / {TWO} / deal / starter 5H / 1 show",
        "None of Ann’s cards is known; all 3 are needed.",
    ),
    (
        f"{KLABERJASS} / turnup TH / 1 bid take / bottom 9S / bottom 8S",
        "The bottom card is already known: 9S.",
    ),
    (f"{KLABERJASS} / trump H / turnup 9S", "The turned-up suit is already known: hearts."),
    (f"{AUCTION} / trump S / trump H", "The trump suit is already known: spades."),
    (
        f"game rubicon-bezique / {TWO} / deal / 1 hand KH QH / trump S",
        "This deal is entered card by card; its trump suit comes from the first marriage or "
        "sequence melded.",
    ),
    (
        f"{BELOTE} / turnup TH / 1 bid take / declare",
        "Not all of Ann’s cards are known; enter each declaration shown with “meld”.",
    ),
    (
        f"{AUCTION} / trump S / declare",
        "No hand is completely known; enter each player’s melds with “meld”.",
    ),
    (
        f"{AUCTION} / trump S / 1 count 50 / 1 count 60",
        "Ann’s trick points in this deal have already been entered: 50.",
    ),
    (f"{PINOCHLE} / 1 bid", "A bid is a number of points or “pass”."),
    (
        f"{COINCHE} / 1 bid 160 S / 2 bid 160 H",
        "“160 H” is not higher than the last bid. Only capot is higher.",
    ),
    (
        f"{COINCHE} / 1 bid capot S / 2 bid 160 H",
        "“160 H” is not higher than the last bid. That bid was capot, the highest possible.",
    ),
    (
        f"{BELOTE} / 3 hand AH 8H / turnup TH / 1 bid take / 1 play 7H / 2 play KH / 3 play 8H",
        "Cat can beat the KH and must do so; the 8H does not beat it.",
    ),
    (f"game pinochle / {TWO} / deal / 1 bid 300", "With 2 players, Pinochle has no “bid”."),
    (
        f"game pinochle / {FOUR} / deal / 1 bid 100 / 2 bid pass / 3 bid pass / 4 bid pass / "
        "1 concede",
        "With 4 players, Pinochle has no “concede”.",
    ),
    (
        f"game bezique / set seven_counts_as_meld on / {TWO} / deal / 1 hand KS QS 7H / "
        "turnup KH / 1 play AS / 2 play 8S / 1 meld KS QS / 1 seven",
        "Ann has already melded after this trick; at this table the lowest trump also counts as a "
        "meld.",
    ),
]


@pytest.mark.parametrize(("lines", "sentence"), SITUATIONS)
def test_a_refusal_is_true_for_its_situation(lines: str, sentence: str) -> None:
    record = Record()
    *before, last = lines.split(" / ")
    for line in before:
        record.read(line)
    with pytest.raises(IllegalMove) as refused:
        record.read(last)
    names = tuple(record.position.seats.values())
    assert text.refusal(refused.value, text.Reader(names=names)) == sentence
    japanese = text.refusal(refused.value, text.Reader("ja", names))
    assert not re.search(r"\b(or|and|the|is)\b", japanese), japanese
    assert re.search(r"[\u3040-\u30ff]", japanese), japanese
