"""The entries that keypad and page offer, situation by situation: the lines, and how they are
completed."""

from __future__ import annotations

import pytest

from boardctl.games import Ask
from boardctl.games.cards import spell
from boardctl.record import notation
from tests.games.cribbage.table import DEALT, LAID, PLAYED, Table

BY_RANK = "deal; starter K"
CUT_BY_TWO = "choose dealer 1 or dealer 2: dealer, points"
CUT_BY_THREE = "choose dealer 1 or dealer 2 or dealer 3: dealer, points"


def offered(ask: Ask) -> str:
    """Return an ask as text: its line, its missing cards by number or name, its code, its level of
    entry, and the count at which it is asked."""
    line = notation.spell(ask.move)
    if ask.kind == "choice":
        assert ask.move == ask.choices[0]
        line = "choose " + " or ".join(map(notation.spell, ask.choices))
    elif ask.kind == "cards":
        assert ask.cards is not None
        few = spell(ask.cards) if len(ask.cards) < 14 else str(len(ask.cards))
        size = f"{ask.least}" if ask.least == ask.most else f"{ask.least} to {ask.most}"
        line += f" + {size} {'by rank' if ask.ranks else 'by card'} of {few}"
    else:
        assert ask.kind == "confirm"
    count = "".join(f" at {name} {value}" for name, value in ask.fields.items())
    return f"{line}: {ask.code}, {ask.telling}{count}"


@pytest.mark.parametrize(
    ("seats", "before", "asks"),
    [
        # the cut: every seat once, from the remaining cards; tied players cut again
        (2, "", [CUT_BY_TWO, "1 cut + 1 by rank of 52: cut, points",
                 "2 cut + 1 by rank of 52: cut, points"]),
        (2, "1 cut KD", [CUT_BY_TWO, "2 cut + 1 by rank of 51: cut, points"]),
        (3, "1 cut KD; 2 cut 4C; 3 cut KS", [
            CUT_BY_THREE, "1 cut + 1 by rank of 52: cut, points",
            "3 cut + 1 by rank of 52: cut, points"]),
        (3, "1 cut KD; 2 cut 4C; 3 cut KS; 3 cut 2S", [
            CUT_BY_THREE, "1 cut + 1 by rank of 51: cut, points"]),
        (2, "dealer 1", ["deal: deal, points"]),
        # before the starter: six cards each, two of them discarded; after heels, it is a jack
        (2, "dealer 1; deal", [
            "starter + 1 by rank of 52: starter, hands",
            "1 discard + 2 by rank of 52: discard, cards",
            "1 hand + 1 to 6 by card of 52: hand, cards",
            "2 discard + 2 by rank of 52: discard, cards",
            "2 hand + 1 to 6 by card of 52: hand, cards"]),
        (2, "dealer 1; deal; 1 discard ? ?; 2 discard ? ?; 1 peg 2 heels", [
            "starter + 1 by rank of JS JH JD JC: starter, hands",
            "1 hand + 1 to 6 by card of 52: hand, cards",
            "2 hand + 1 to 6 by card of 52: hand, cards"]),
        (2, "dealer 1; deal; 1 hand 2S 4S 6S 8S KS KH", [
            "1 discard + 2 by rank of 2S 4S 6S 8S KS KH: discard, cards",
            "starter + 1 by rank of 46: starter, hands",
            "2 discard + 2 by rank of 46: discard, cards",
            "2 hand + 1 to 6 by card of 46: hand, cards"]),
        (2, "dealer 1; deal; 1 hand 2S 4S 6S 8S KS; 2 discard 3H 3D", [
            "starter + 1 by rank of 45: starter, hands",
            "1 discard + 2 by rank of 2S 4S 6S 8S KS: discard, cards",
            "1 hand + 1 by card of 45: hand, cards",
            "2 hand + 1 to 4 by card of 45: hand, cards"]),
        (2, "dealer 1; deal; 1 hand 2 4 6 8 K; 1 discard K ?; 2 discard ? ?", [
            "starter + 1 by rank of 52: starter, hands",
            "1 hand + 1 by card of 52: hand, cards",
            "2 hand + 1 to 6 by card of 52: hand, cards"]),
        (2, "dealer 1; deal; 1 hand 2S 4S 6S 8S; 2 hand ? ? ? ?", [
            "starter + 1 by rank of 48: starter, hands",
            "1 discard + 2 by rank of 52: discard, cards",
            "1 hand + 1 to 2 by card of 48: hand, cards",
            "2 discard + 2 by rank of 48: discard, cards",
            "2 hand + 1 to 2 by card of 48: hand, cards"]),
        (2, f"dealer 1; {DEALT}; 1 discard KS KH; 2 discard QD QC", [
            "starter + 1 by rank of 40: starter, hands"]),
        (3, "dealer 1; deal; 1 hand 2S 4S 6S 8S KS", [
            "1 discard + 1 by rank of 2S 4S 6S 8S KS: discard, cards",
            "starter + 1 by rank of 47: starter, hands",
            "2 discard + 1 by rank of 47: discard, cards",
            "2 hand + 1 to 5 by card of 47: hand, cards",
            "3 discard + 1 by rank of 47: discard, cards",
            "3 hand + 1 to 5 by card of 47: hand, cards",
            "crib + 1 by card of 47: straight-card, cards"]),
        (3, "dealer 1; deal; crib 5H; 1 discard ?; 2 discard ?; 3 discard ?", [
            "starter + 1 by rank of 51: starter, hands",
            "1 hand + 1 to 5 by card of 51: hand, cards",
            "2 hand + 1 to 5 by card of 51: hand, cards",
            "3 hand + 1 to 5 by card of 51: hand, cards"]),
        # the play: cards that fit, and go unless someone is known to hold a fitting card
        (2, f"dealer 1; {LAID}", ["2 play + 1 by rank of AH 3H 5H 7H: play, cards at count 0"]),
        (2, f"dealer 1; {LAID}; 2 play 7H; 1 play 8S; 2 play 5H; 1 play 6S", [
            "2 play + 1 by rank of AH 3H: play, cards at count 26"]),
        (2, f"dealer 1; {LAID}; 2 play 7H; 1 play 8S; 2 play 5H; 1 play 6S; 2 play 3H", [
            "1 play + 1 by rank of 2S: play, cards at count 29"]),
        (2, f"dealer 1; {BY_RANK}", [
            "2 play + 1 by rank of 52: play, cards at count 0",
            "2 show + 4 by rank of 52: show, hands"]),
        (2, f"dealer 1; {BY_RANK}; 2 play K; 1 play 7; 2 play 7", [
            "1 play + 1 by rank of 28: play, cards at count 24", "1 go: go, cards at count 24"]),
        (2, f"dealer 1; {BY_RANK}; 2 play K; 1 play K; 2 play 6; 1 play 5", [
            "2 play + 1 by rank of 52: play, cards at count 0"]),
        # the show: entered directly if known, in part or not at all
        (2, f"dealer 1; {PLAYED}", ["2 show: show, hands"]),
        (2, f"dealer 1; {PLAYED}; 2 show", ["1 show: show, hands"]),
        (2, f"dealer 1; {PLAYED}; 2 show; 1 show", ["1 crib: crib, hands"]),
        (2, f"dealer 1; {PLAYED}; 2 show; 1 show; 1 crib", ["deal: deal, points"]),
        (2, f"dealer 1; {BY_RANK}; 2 show 2 4 6 6", ["1 show + 4 by rank of 52: show, hands"]),
        (2, f"dealer 1; {BY_RANK}; 2 show 2 4 6 6; 1 show A 8 8 9", [
            "1 crib + 4 by rank of 52: crib, hands"]),
        (2, "dealer 1; deal; 2 hand 5 5 6; starter K; 2 peg 1 go", [
            "2 show + 4 by rank of 55: show, hands"]),
        (2, "dealer 1; deal; 2 hand 5 5 6 7 8; 2 discard 7 8; starter K; 2 peg 1 go", [
            "2 show + 1 by rank of 52: show, hands"]),
        (2, f"dealer 1; {BY_RANK}; 2 peg 1 go", ["2 show + 4 by rank of 52: show, hands"]),
        (2, "dealer 1; deal; 2 peg 1 go", []),
        (2, "dealer 1; deal; 2 peg 4 hand; 1 peg 4 hand", []),
        (2, "dealer 1; 1 resign", []),
        # a claim: any other side may call it; nothing else may follow if it wins unless called
        (4, f"set muggins full; dealer 1; {BY_RANK}; 2 play 7; 3 play 8 = 2", [
            "4 play + 1 by rank of 52: play, cards at count 15",
            "2 muggins: muggins, points", "4 muggins: muggins, points"]),
        (2, f"set muggins full; dealer 1; {LAID}; 2 play 7H; 1 play 8S = 2", [
            "2 play + 1 by rank of AH 3H 5H: play, cards at count 15",
            "2 muggins: muggins, points"]),
        (2, f"set muggins full; start 0 119; dealer 1; {BY_RANK}; 2 play 7; 1 play 8; "
            "2 play 9 = 3", ["1 muggins: muggins, points"]),
    ],
)  # fmt: skip
def test_what_is_offered(seats: int, before: str, asks: list[str]) -> None:
    table = Table(seats, dealer=None)
    if before:
        table.read(before)
    prompt = table.record.position.prompt
    assert [offered(ask) for ask in prompt.asks] == asks


@pytest.mark.parametrize(
    ("before", "pegs"),
    [
        ("", (1, 2)),
        ("dealer 1; deal", (1, 2)),
        (f"dealer 1; {BY_RANK}", (1, 2)),
        (f"dealer 1; {PLAYED}", (1, 2)),
        (f"dealer 1; {PLAYED}; 2 show; 1 show; 1 crib", (1, 2)),
        ("1 resign", ()),
    ],
)
def test_who_may_enter_points(before: str, pegs: tuple[int, ...]) -> None:
    table = Table(dealer=None)
    if before:
        table.read(before)
    assert table.record.position.prompt.pegs == pegs
