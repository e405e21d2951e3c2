"""The turns of an auction, with any kind of bid."""

from __future__ import annotations

from dataclasses import dataclass, replace

import pytest

from boardctl.games import IllegalMove, Move
from boardctl.games.common.auction import Auction


@dataclass(frozen=True, slots=True)
class Toy(Auction):
    """An auction that ends with the second bid. A player who has passed is out."""

    @property
    def over(self) -> bool:
        return self.bid > self.least

    def say(self, move: Move) -> Toy:
        seat = move.player
        self.check_due(seat)
        if not move.numbers:
            return replace(self, last=seat, passes=self.passes + 1, gone=self.gone | {seat})
        return replace(self, last=seat, taker=seat, bid=move.numbers[0])


def said(auction: Toy, *lines: tuple[int, int]) -> Toy:
    """Return the auction after these seats have bid; 0 is a pass."""
    for seat, points in lines:
        auction = auction.say(Move("bid", seat, numbers=(points,) if points else ()))
    return auction


def test_who_has_passed_is_left_out_of_the_turns() -> None:
    auction = said(Toy(3, 4, 80), (3, 0), (4, 80), (1, 0))
    assert auction.bidder == 2
    assert replace(auction, last=2).bidder == 4, "past the third seat, which is gone"


@pytest.mark.parametrize(
    ("lines", "seat", "code"),
    [
        ((), 1, "out-of-turn"),
        (((3, 0),), 3, "passed-already"),
        (((3, 80), (4, 90)), 1, "bidding-over"),
    ],
)
def test_who_may_not_bid_is_refused(
    lines: tuple[tuple[int, int], ...], seat: int, code: str
) -> None:
    with pytest.raises(IllegalMove) as error:
        said(Toy(3, 4, 80), *lines, (seat, 100))
    assert error.value.code == code


def test_bids_start_at_the_least_and_go_up_by_ten() -> None:
    auction = Toy(3, 4, 80)
    assert auction.lowest == 80
    assert said(auction, (3, 80)).lowest == 90
    assert said(auction, (3, 80)).fresh == auction


def test_everybody_may_pass() -> None:
    assert said(Toy(3, 4, 80), (3, 0), (4, 0), (1, 0), (2, 0)).passed_out
    assert not said(Toy(3, 4, 80), (3, 0), (4, 80), (1, 0), (2, 0)).passed_out
