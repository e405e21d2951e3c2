"""Another game between two houses that know each other: offered, withdrawn, offered by both at
once, and while the other house is away."""

from __future__ import annotations

import json
from random import Random

import pytest

from boardctl.far.session import Session
from tests.far.houses import SHORT, compute
from tests.far.test_session import Pair


def hear(pair: Pair, side: int) -> bool:
    """Deliver one packet of the other house, in order. Return False if there is none."""
    for at, (to, packet) in enumerate(pair.wire):
        if to == side:
            del pair.wire[at]
            pair.ends[side].take(packet)
            pair.save(side)
            return True
    return False


def settle(pair: Pair) -> None:
    while hear(pair, 0) or hear(pair, 1):
        pass


def ident(end: Session) -> bytes | None:
    return None if end.game is None else end.game.proposal.ident


def offers(pair: Pair) -> tuple[bool, bool]:
    """Return whether house 1 has an offer of its own, and whether house 2 has received one."""
    return pair.ends[0].offering is not None, pair.ends[1].offered is not None


def begin_again(pair: Pair, disks: list[str], seed: int) -> None:
    """Return two houses that have met and played nothing."""
    pair.chance = Random(seed)
    draw = pair.chance.randbytes
    seeds = pair.seeds
    kept = [json.loads(disk) for disk in disks]
    pair.ends = [Session.from_json(kept[side], seeds[side], draw) for side in (0, 1)]
    pair.disks, pair.wire, pair.sent = list(disks), [], [set(), set()]


def act(pair: Pair, side: int, what: str) -> None:
    end = pair.ends[side]
    if what == "offer" and not end.is_playing:
        end.offer("cribbage", SHORT)
    elif what == "withdraw":
        end.withdraw()
    elif what == "accept":
        end.accept()
    elif what == "cut":
        pair.cut(side)
    pair.save(side)


@pytest.mark.slow
def test_whatever_both_tap_one_game_begins_in_both_or_none() -> None:
    """Offers, withdrawals, answers and power cuts come in any order, with messages in between."""
    begun = 0
    pair = Pair(0)
    disks = list(pair.disks)
    for seed in range(150):
        begin_again(pair, disks, seed)
        chance = Random(seed)
        for _ in range(14):
            side = chance.randrange(2)
            what = chance.choice(("offer", "offer", "withdraw", "accept", "cut", "hear", "hear"))
            if what == "hear":
                hear(pair, side)
            else:
                act(pair, side, what)
        settle(pair)
        one, two = pair.ends
        assert one.number == two.number <= 1, seed
        assert ident(one) == ident(two), seed
        begun += one.number
        for end, other in ((one, two), (two, one)):
            assert end.is_offering == (other.offered is not None), seed
    assert 20 < begun < 130


def test_an_offer_waits_for_a_house_that_is_away_and_can_be_taken_back() -> None:
    pair = Pair(1)
    act(pair, 0, "offer")
    act(pair, 0, "cut")
    act(pair, 1, "cut")
    settle(pair)
    assert offers(pair) == (True, True)
    act(pair, 0, "withdraw")
    act(pair, 0, "cut")
    settle(pair)
    assert offers(pair) == (False, False)
    act(pair, 1, "accept")
    assert ident(pair.ends[1]) is None, "nothing is offered any more"
    act(pair, 1, "offer")
    settle(pair)
    act(pair, 0, "accept")
    settle(pair)
    assert ident(pair.ends[0]) == ident(pair.ends[1]) is not None


@pytest.mark.slow
def test_a_house_that_is_still_checking_the_last_deal_hears_of_the_next_game() -> None:
    """The proof of the last deal is computed in a thread, so one house finishes before the
    other."""
    tried = 0
    pair = Pair(0)
    disks = list(pair.disks)
    for seed in range(6):
        begin_again(pair, disks, seed)
        pair.ends[1].welcome = True
        pair.ends[0].offer("cribbage", SHORT)
        for side in (0, 1):
            pair.save(side)
        for _ in range(20_000):
            games = [end.game for end in pair.ends]
            done = [game is not None and game.is_done for game in games]
            if any(done):
                break
            if pair.wire:
                pair.deliver(0)
                continue
            pair.act()
            for side in (0, 1):
                pair.save(side)
        if all(done):
            continue
        tried += 1
        first = done.index(True)
        pair.ends[first].offer("cribbage", SHORT)
        pair.save(first)
        last = pair.ends[1 - first]
        while pair.wire:
            to, packet = pair.wire.pop(0)
            pair.ends[to].take(packet)
        assert last.offered is not None, "kept until its own game is over"
        while not last.game.is_done:  # type: ignore[union-attr]
            for side in (0, 1):
                pair.save(side)
                compute(pair.ends[side].game)  # type: ignore[arg-type]
            while pair.wire:
                to, packet = pair.wire.pop(0)
                pair.ends[to].take(packet)
        last.accept()
        pair.save(1 - first)
        while pair.wire:
            to, packet = pair.wire.pop(0)
            pair.ends[to].take(packet)
        assert ident(pair.ends[0]) == ident(pair.ends[1])
        assert [end.number for end in pair.ends] == [2, 2]
    assert tried
