"""A viewer's knowledge of a deal, and that computing it costs no more than the deal's lines."""

from __future__ import annotations

from typing import Any

import pytest

from boardctl import games
from boardctl.games import Move
from boardctl.record import notation
from boardctl.record.record import Record
from boardctl.record.visibility import VisibleRecords, readable, visible_lines
from tests.work import calls

GAME = (
    *("session x", "game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"),
    *("1 discard 5H 6H", "2 discard KD QD", "starter 4D"),
)


@pytest.mark.parametrize("line", ["1 peg 2", "2 play 7D", "deal"])
def test_the_later_lines_matter_only_where_something_is_hidden(line: str) -> None:
    assert _asked(line) == 0


def test_what_is_discarded_is_known_from_what_follows() -> None:
    assert _asked("1 discard 5H 6H") == 1


def _asked(line: str) -> int:
    """Return how often the lines after a line of the game are requested."""
    record = Record()
    for one in GAME:
        record.read(one)
    asked = []

    class Lines(tuple[Move, ...]):
        """Lines that record when some of them are taken."""

        def __getitem__(self, which: Any) -> Any:
            if isinstance(which, slice):
                asked.append(line)
            return super().__getitem__(which)

    moves = Lines((notation.parse_move(line, record.position.game),))
    visible_lines(record.position_at(6), moves, 0, len(moves), None)
    return len(asked)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("2 hand 5H 5S 5D JC", "2 hand ?"),
        ("amend 3 2 discard 5H 5S", "amend 3 2 discard ?"),
        ("2 hand 5H ??", "2 hand ?"),
        ("2 play 5H", "2 play 5H"),
        ("1 peg 99", "1 peg 99"),
        ("insert 3 2 play 5H", "insert 3 2 play 5H"),
        ("1 discrad 5H 6S", "1 discrad ?"),
        ("1 hnad 5H 6S", "1 ?"),
        ("1han 5H 6S", "?"),
        ("1 5 6 7 8", "1 ?"),
        ("amend 3 2 hnad 5H", "amend 3 2 ?"),
        ("1 draw 5H", "1 ?"),
    ],
)
def test_a_line_in_the_log_names_no_secret_card(text: str, said: str) -> None:
    assert readable(games.find("cribbage"), text) == said


def test_a_move_and_an_undo_cost_the_same_however_many_moves_came_before() -> None:
    assert _calls(deals=200) == _calls(deals=20)


def _calls(deals: int) -> int:
    """Return the calls in which an onlooker's view follows a move and its undo."""
    record, views = Record(), VisibleRecords()
    for line in (*GAME[:5], *("deal", "1 peg 1 play", "1 adjust -1") * deals, *GAME[5:]):
        record.read(line)
    views.of(record, None)
    count = 0
    for line in ("2 play 7D", "undo"):
        record.read(line)
        count += calls(lambda: views.of(record, None))
    return count


@pytest.mark.parametrize("hand", ["2D 2C 9C 3D", "KS 7H TS QH"])
def test_nobody_else_is_asked_whether_a_hand_is_whole_once_cards_have_left_it(hand: str) -> None:
    """If the queen that was laid away is among the entered cards, one of five is missing; otherwise
    none is."""
    record = Record()
    for line in (
        *("game cribbage", "seat 1 Ann", "seat 2 Bob", "seat 3 Cat", "dealer 3", "deal"),
        *("1 hand QC 3C 5H 5C TH", "1 discard T", "2 discard Q", f"2 hand {hand}"),
    ):
        record.read(line)
    asked = {}
    for seat in (None, 1, 2):
        asks = VisibleRecords().of(record, seat).record.position.prompt.asks
        asked[seat] = any((ask.move.verb, ask.seat) == ("hand", 2) for ask in asks)
    assert asked == {None: False, 1: False, 2: "QH" in hand}
