"""Schmeiss: every auction against an independent reading of docs/rules/klaberjass.md 3."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from boardctl.games import IllegalMove
from boardctl.record.record import Record
from tests.games.klaberjass.table import Table

TURNED, OTHERS = "H", ("S", "D", "C")
WORDS = ("pass", "take", "schmeiss", "yes", "no", TURNED, *OTHERS)


class Result(NamedTuple):
    """The result of an auction: none yet, all passed, thrown in, or a maker and trumps."""

    end: str
    maker: int = 0
    trump: str = ""


def read(auction: tuple[str, ...], rule: str) -> Result | None:
    """Return the result of an auction, or None if its last word is not allowed; seat 1 is elder.

    Written from the rules alone. The state is the speaker, the number of passes, and the seat whose
    offer waits or was refused.
    """
    seat, passes, waits, forced = 1, 0, 0, 0
    for number, word in enumerate(auction):
        last = number == len(auction) - 1
        late = passes >= 2
        other = 3 - seat
        if waits:
            if word == "yes":
                return Result("thrown") if last else None
            if word != "no":
                return None
            offerer, waits = waits, 0
            if not late:
                maker = offerer if rule == "maker" else seat
                return Result("taken", maker, TURNED) if last else None
            forced, seat = offerer, offerer
            continue
        if forced:
            return Result("taken", forced, word) if last and word in OTHERS else None
        if word == "schmeiss":
            waits, seat = seat, other
        elif word == "pass":
            passes, seat = passes + 1, other
            if passes == 4:
                return Result("passed") if last else None
        elif not late and word in ("take", TURNED):
            return Result("taken", seat, TURNED) if last else None
        elif late and word in OTHERS:
            return Result("taken", seat, word) if last else None
        else:
            return None
    return Result("open")


def speaker(auction: tuple[str, ...]) -> int:
    """Return the seat that says the last word of an auction. The players take turns, also for
    answers."""
    return (len(auction) - 1) % 2 + 1


@pytest.mark.parametrize("rule", ["maker", "opponent"])
def test_every_auction(rule: str) -> None:
    """In all auctions, word by word, the record refuses exactly what the reading refuses."""
    start = Table({"schmeiss": rule}).record
    start.read("deal")
    start.read("turnup TH")
    ended: dict[str, int] = {}
    stack: list[tuple[tuple[str, ...], Record]] = [((), start)]
    while stack:
        auction, record = stack.pop()
        for word in WORDS:
            longer = (*auction, word)
            expected = read(longer, rule)
            after = record.copy()
            line = f"{speaker(longer)} bid {word}"
            if expected is None:
                with pytest.raises(IllegalMove):
                    after.read(line)
                continue
            after.read(line)
            deal = after.position.state.deal
            if expected.end in ("passed", "thrown"):
                assert deal is None
                after.read("deal")
                dealer = 2 if expected.end == "thrown" else 1
                assert after.position.situation.dealer == dealer
            elif expected.end == "taken":
                found = deal.bidding.taker, deal.trump.letter
                assert found == (expected.maker, expected.trump)
                assert after.position.situation.phase == "declare"
            else:
                offered = {
                    move.words[0]
                    for ask in after.position.prompt.asks
                    if ask.move.verb == "bid"
                    for move in ask.choices
                }
                allowed = {one for one in WORDS if read((*longer, one), rule) is not None}
                assert offered == allowed - ({TURNED} if "take" in allowed else set())
                stack.append((longer, after))
            ended[expected.end] = ended.get(expected.end, 0) + 1
    assert ended == {"open": 9, "passed": 1, "thrown": 4, "taken": 18}, "counted by hand"


def test_schmeiss_is_an_option() -> None:
    table = Table(opening="dealer 2, deal, turnup TH")
    table.refuse("1 bid schmeiss", "no-schmeiss")


def test_what_may_not_be_said() -> None:
    table = Table({"schmeiss": "maker"}, "dealer 2, deal, turnup TH")
    table.refuse("1 bid yes", "no-offer")
    table.say("1 bid schmeiss")
    table.refuse("2 bid pass", "schmeiss-answer")
    table.refuse("2 bid schmeiss", "schmeiss-answer")
    table.refuse("1 bid yes", "out-of-turn")
    table.say("undo", "1 bid pass", "2 bid pass", "1 bid schmeiss", "2 bid no")
    table.refuse("1 bid pass", "name-a-suit")
    table.refuse("1 bid schmeiss", "name-a-suit")
    table.say("1 bid S")
