"""Lines as people write them."""

from __future__ import annotations

import pytest

from boardctl.games import IllegalMove
from boardctl.record.record import Record


@pytest.mark.parametrize("line", ["pass", "Passes", "3 pass", "cid passes", "Cid: pass"])
def test_a_pass_is_understood_as_people_write_it(line: str) -> None:
    """The player is given by name, or omitted if it is that player's turn. The verb may be omitted
    if the word implies it."""
    record = Record()
    for opening in ("game pinochle", "seat 1 Ann", "seat 2 Bob", "seat 3 Cid", "dealer 2", "deal"):
        record.read(opening)
    report = record.read(line)
    assert report is not None
    assert report.line == "3 bid pass"


def test_a_name_is_no_verb_and_a_verb_no_name() -> None:
    record = Record()
    for line in ("game cribbage", "seat 1 Deal", "seat 2 Old Mr. Finch", "dealer 1", "deal"):
        record.read(line)
    report = record.read("old mr. finch pegs 8")
    assert report is not None
    assert report.line == "2 peg 8"
    for line in ("Old Mr. Finch", "peg 8", "Deal peg 8", "Finch peg 8", "pass"):
        with pytest.raises(IllegalMove) as refused:
            record.read(line)
        assert refused.value.code == "syntax", line
