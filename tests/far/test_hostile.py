"""A hostile house's or broker's message is dropped, or stops the game with one sentence. It never
causes an error of this board, and never more than one sentence."""

from __future__ import annotations

import json
from random import Random
from typing import Any

import pytest

from boardctl.far import game_file
from boardctl.far.meeting import Meeting
from boardctl.games import IllegalMove
from tests.far.houses import Houses, compute, refused
from tests.far.test_session import Pair
from tests.spread import spread

ODD: tuple[Any, ...] = (None, [], {}, [[]], -1, 1.5, True, "x", "é" * 999, {"0": None}, {"x": "00"})
FIELDS = (
    "t",
    "n",
    "line",
    "places",
    "shares",
    "chain",
    "deal",
    "at",
    "piece",
    "lock",
    "yes",
)


@pytest.mark.parametrize(
    "kind", spread(3, ["shuffle", "shares", "line", "lock", "ask", "answer", "stand", "stop"])
)
def test_a_message_of_any_shape_stops_the_game_or_does_nothing(kind: str) -> None:
    chance = Random(kind)
    whole = {"t": kind, "n": 9, "line": "1 go", "places": [], "shares": "", "chain": "", "deal": 2}
    whole |= {"at": 0, "piece": "", "lock": "", "yes": False, "code": "x"}
    houses = Houses(Random(2))
    houses.until("play")
    kept = json.dumps(game_file.to_json(houses.one))
    one = houses.one
    for field in FIELDS:
        for odd in ODD:
            changed = {**whole, "n": len(houses.one.lines), field: odd}
            one.receive(json.loads(json.dumps(changed)))
            compute(one)
            assert len(one.lines) == len(houses.one.lines)
            if one.stop is not None:
                assert len(str(dict(one.stop.fields))) < 400
                one = game_file.from_json(json.loads(kept), chance.randbytes)


def test_an_offer_that_is_none_is_not_offered() -> None:
    pair = Pair(3)
    one, two = pair.ends
    good = {"game": "cribbage", "options": {}, "once": "00"}
    bads: tuple[Any, ...] = (
        {},
        [],
        None,
        {**good, "options": 5},
        {**good, "options": ["target"]},
        {**good, "options": {"target": 61}},
        {**good, "once": "no"},
        {"game": "cribbage"},
    )
    for bad in bads:
        one.channel.post({"offer": bad, "k": 1})
        pair.save(0)
        while pair.wire:
            pair.deliver(0)
        assert two.offered is None, bad


def test_a_name_that_a_record_cannot_hold_makes_no_meeting() -> None:
    chance = Random(4)
    for name in ("Bob # dealer", "", "\n", "\x07"):
        one, two = (
            Meeting(5, house, chance.randbytes(32), said, chance.randbytes)
            for house, said in ((1, "Ann"), (2, name))
        )
        assert one.take(two.greet()) is None


def test_nobody_is_asked_to_resign_for_the_other_house() -> None:
    houses = Houses(Random(5))
    houses.until("play")
    houses.one.receive({"t": "ask", "n": len(houses.one.lines), "line": "1 resign"})
    assert houses.one.stop is not None
    assert houses.one.stop.code == "malformed"
    houses = Houses(Random(5))
    houses.until("play")
    assert refused(houses.two, "2 resign") == "far-asked"
    houses.deliver()
    assert houses.one.question is not None


@pytest.mark.parametrize("side", [0, 1])
@pytest.mark.parametrize("lines", [0, 1, 2, 3])
def test_a_copy_from_before_is_noticed_and_says_nothing_more(side: int, lines: int) -> None:
    """This is true whatever happened after the copy was made: this house may have sent or received
    a message."""
    pair = Pair(6)
    pair.ends[1].welcome = True
    pair.ends[0].offer("cribbage", {"target": "31"})
    pair.save(0)
    for _ in range(lines):
        deliver(pair)
        pair.act()
    old = pair.disks[side]
    deliver(pair)
    pair.act()
    deliver(pair)
    assert not any(end.is_behind for end in pair.ends)
    pair.disks[side] = old
    pair.cut(side)
    pair.wire += [(1 - n, pair.ends[n].channel.have(again=True)) for n in (0, 1)]
    deliver(pair)
    behind = [end.is_behind for end in pair.ends]
    assert behind == [side == 0, side == 1]
    with pytest.raises(IllegalMove, match="far-behind"):
        pair.ends[side].offer("cribbage", {})


def deliver(pair: Pair) -> None:
    """Deliver everything, and all its consequences, to the end."""
    for _ in range(500):
        for side in (0, 1):
            pair.save(side)
        if pair.wire:
            pair.deliver(0)
        elif not any(end.game is not None and end.game.due_work for end in pair.ends):
            return
    raise AssertionError("no end")


def test_an_old_packet_that_the_broker_repeats_is_no_sign_of_a_copy() -> None:
    pair = Pair(7)
    seen: list[tuple[int, bytes]] = []
    pair.ends[1].welcome = True
    pair.ends[0].offer("cribbage", {"target": "31"})
    pair.save(0)
    for _ in range(8):
        while pair.wire:
            seen.append(pair.wire[0])
            pair.deliver(0)
            pair.save(0)
            pair.save(1)
        pair.act()
    for side, packet in seen:
        assert not pair.ends[side].take(packet).is_behind
    assert not any(end.is_behind for end in pair.ends)
