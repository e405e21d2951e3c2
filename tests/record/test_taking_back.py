"""The effect of an undo: a correction is reversed, otherwise the newest move is taken back; and
redo."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.games import IllegalMove
from boardctl.record import notation
from boardctl.record.record import Record

GAME = (
    *("session x", "game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal"),
    *("1 discard ? ?", "2 discard ? ?", "starter 4D", "2 play 7", "1 play 8", "2 play 9"),
)


def begun() -> Record:
    record = Record()
    for line in GAME:
        record.read(line)
    return record


def lines(record: Record) -> list[str]:
    return [notation.spell(move) for move in record.moves]


def take_back(record: Record) -> str:
    assert record.undoing is not None
    return record.apply(record.undoing).line


def restore(record: Record) -> str:
    assert record.redoing is not None
    return record.apply(record.redoing).line


@pytest.mark.parametrize(
    ("correction", "back"),
    [
        ("amend 2 1 play 6", "amend 2 1 play 8"),
        ("amend 4 starter 5D", "amend 4 starter 4D"),
        ("amend 1", "2 play 9"),
        ("insert 3 2 adjust +3", "amend 4"),
        ("insert 1 2 adjust +3", "amend 2"),
    ],
)
def test_a_correction_is_taken_back_and_made_again(correction: str, back: str) -> None:
    record = begun()
    before = lines(record), record.position.scores
    record.read(correction)
    after = lines(record), record.position.scores
    assert after != before
    assert take_back(record) == back
    assert (lines(record), record.position.scores) == before
    assert restore(record) == correction
    assert (lines(record), record.position.scores) == after
    assert take_back(record) == back
    assert take_back(record) == "undo", "and then the newest move"
    assert lines(record) == before[0][:-1]


def test_a_move_taken_out_of_the_middle_comes_back() -> None:
    record = begun()
    record.read("1 adjust +2")
    record.read("2 adjust +4")
    before = lines(record)
    record.read("amend 2")
    assert take_back(record) == "insert 1 1 adjust +2"
    assert lines(record) == before


def test_a_correction_waits_below_the_moves_after_it() -> None:
    record = begun()
    before = lines(record)
    record.read("amend 2 1 play 6")
    record.read("1 play 5")
    assert take_back(record) == "undo"
    assert record.redoing == notation.parse("redo")
    assert take_back(record) == "amend 2 1 play 8"
    assert lines(record) == before


def test_nothing_is_restored_after_another_move() -> None:
    record = begun()
    record.read("amend 2 1 play 6")
    take_back(record)
    record.read("1 play 4")
    assert record.redoing is None
    with pytest.raises(IllegalMove, match="nothing-to-redo"):
        record.read("redo")


STEPS = st.lists(
    st.one_of(
        st.sampled_from(["undo", "redo", "take back", "restore"]),
        st.builds("{} adjust +{}".format, st.integers(1, 2), st.integers(1, 9)),
        st.builds(
            "{} {} {} adjust +{}".format,
            st.sampled_from(["amend", "insert"]),
            st.integers(1, 5),
            st.integers(1, 2),
            st.integers(1, 9),
        ),
        st.builds("amend {}".format, st.integers(1, 3)),
    ),
    max_size=25,
)


@given(STEPS)
def test_taking_back_leads_to_a_record_that_was_there(steps: list[str]) -> None:
    """Whatever lines came before, reversing a correction restores exactly the changed parts, and a
    journal read line by line agrees."""
    record, again = begun(), begun()
    record.read("1 adjust +1")
    again.read("1 adjust +1")
    for step in steps:
        before = lines(record)
        try:
            if step == "take back":
                move = record.undoing
            elif step == "restore":
                move = record.redoing
            else:
                move = notation.parse(step, record.position.game)
            if move is None:
                continue
            takes_back = move == record.undoing  # also an amend that happens to reverse the latest
            line = record.apply(move).line
        except IllegalMove:
            assert step not in ("take back", "restore")
            assert lines(record) == before
            continue
        again.resume(line)
        assert (again.undoing, again.redoing) == (record.undoing, record.redoing)
        assert lines(again) == lines(record)
        trial = record.copy()
        if step.startswith(("amend", "insert")) and not takes_back:
            if trial.undoing is not None and lines(record) != before:
                trial.apply(trial.undoing)
                assert lines(trial) == before
        elif takes_back and trial.redoing is not None:
            trial.apply(trial.redoing)
            assert lines(trial) == before
