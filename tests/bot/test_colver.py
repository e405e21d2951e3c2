"""The match against colver: its cards and bids in the notation, and the stored rows."""

from __future__ import annotations

import pytest

from boardctl.record import notation
from boardctl.record.record import Record
from tools.bench import colver


@pytest.mark.parametrize(
    ("action", "line"),
    [
        (0, "bid pass"),
        (1, "bid 80 S"),
        (4, "bid 80 C"),
        (36, "bid 160 C"),
        (37, "bid capot S"),
        (41, "coinche"),
        (42, "surcoinche"),
    ],
)
def test_a_bid_is_named(action: int, line: str) -> None:
    assert colver.bid(action) == line


def test_every_card_is_named_once() -> None:
    found = {colver.card(number) for number in range(32)}
    assert len(found) == 32
    assert {"7S", "AC", "TD"} <= found


def test_our_player_is_told_its_own_hand_alone() -> None:
    """It bids by colver's rules, and never receives another hand."""
    ours = colver.Ours(1, range(8), 0, 5, "seed")
    hands = [move for move in ours.record.moves if move.verb == "hand"]
    assert [move.seat for move in hands] == [2]
    line = ours.line()
    game = ours.record.position.game
    assert notation.parse_move(f"2 {line}", game).verb == "bid"
    assert isinstance(ours.record, Record)


def test_each_deal_is_kept_once() -> None:
    matches: dict[tuple[object, ...], list[int]] = {}
    for row in colver.rows():
        matches.setdefault((row.opponent, row.same_bids, row.seed), []).append(row.number)
    assert len(matches) == 3
    for numbers in matches.values():
        assert numbers == list(range(len(numbers)))  # no row is missing
