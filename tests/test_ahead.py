"""The key that pegs is answered ahead: the same answer, sooner, and one frame for it."""

from __future__ import annotations

from pathlib import Path

import pytest

from boardctl import entry
from boardctl.entry import Ahead
from boardctl.games import Telling
from boardctl.journal import AtOnce, Journal
from boardctl.ports import KeyEvent
from tests.players import RandomHands
from tests.tables import KeyedTable, Later, keyed


@pytest.mark.parametrize("telling", ["hands", "cards"])
def test_the_answer_is_the_same(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, telling: Telling
) -> None:
    fresh = Ahead.press
    ahead = 0

    def compared(self: Ahead, *press: object) -> entry.Conversation:
        nonlocal ahead
        told = fresh(self, *press)  # type: ignore[arg-type]
        ahead += any(told is known for known in self._known.values())
        assert told == entry.press(*press)  # type: ignore[arg-type]
        return told  # type: ignore[return-value]

    monkeypatch.setattr(Ahead, "press", compared)
    hands = RandomHands(8)
    with keyed(tmp_path) as table:
        table.sitting.telling = telling
        while not table.table.position.over:
            table.tap(hands.keys(table.sitting.talk, table.sitting.scene))
        table.press("#")
        assert table.table.position.scores == (0, 0), "the next game"
    assert ahead > 20


def test_what_was_looked_ahead_to_is_forgotten_when_the_table_moves(tmp_path: Path) -> None:
    with keyed(tmp_path) as table:
        table.press("A5")
        table.table.submit("1 peg 3", "page")
        table.press("#")
        assert table.scores == (8, 0)
        table.table.submit("2 peg 4", "page")
        table.table.submit("undo", "page")
        table.press("B2#")
        assert table.scores == (8, 2)


def test_a_key_that_pegs_sends_one_frame_and_the_display_comes_after_it(tmp_path: Path) -> None:
    disk = Later()
    journal = Journal(tmp_path, disk)
    table = KeyedTable(journal)
    disk.work()
    table.press("A8")
    table.sitting.on_key(KeyEvent("#", True, table.clock.time()))
    shown = table.said
    frames, seen = table.row.frames, []
    table.row.show = lambda frame: seen.append((frame, table.said))  # type: ignore[method-assign]
    table.sitting.on_key(KeyEvent("#", False, table.clock.time()))
    assert table.scores == (8, 0)
    assert table.row.frames == frames
    assert [said for _, said in seen] == [shown], "one frame, before the display"
    assert table.said != shown
    disk.healed = True
    disk.work()
    journal.close()


def test_a_record_that_was_copied_for_an_undo_is_not_asked_again(tmp_path: Path) -> None:
    journal = Journal(tmp_path, AtOnce())
    table = KeyedTable(journal)
    table.table._tracks = table.sitting.lights.layout.tracks  # so that it tries an undo on a copy
    before = table.sitting.scene
    table.table.submit("1 peg 3", "page")
    table.table.submit("undo", "page")
    again = table.sitting.scene
    assert again.scores == before.scores == (0, 0)
    move = again.prompt.asks[0].move
    assert again.attempt(move).state == table.table.record.try_out(move).state
    journal.close()
