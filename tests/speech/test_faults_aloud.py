"""Parts that fail or work again are named, once, to everybody who listens."""

from __future__ import annotations

import pytest

from tests.speech.listening import listen
from tests.tables import KeyedTable, submit


@pytest.mark.parametrize(
    ("language", "said"),
    [("en", "Trouble with the keys, saving"), ("ja", "不具合：キー、保存")],
)
def test_a_part_that_fails_is_called_by_its_name(
    language: str, said: str, table: KeyedTable
) -> None:
    """It was called by its code, also in Japanese."""
    table.controller.language = language
    ear = listen(table)
    table.controller.report("keys", "gone")
    table.controller.report("journal", "full")
    table.clock.run(10)
    assert said in " / ".join(ear.said)

    shown = " ".join(table.controller.lines())
    assert language == "en" or "keys" not in shown
    assert "journal" not in shown


def test_who_hears_only_counts_hears_what_fails_and_works_again(table: KeyedTable) -> None:
    """A person who cannot read the display would continue an evening that is not saved."""
    ear = listen(table, "counts")
    table.controller.report("journal", "full")
    table.clock.run(5)
    assert ear.said == ["Trouble with saving"]
    submit(table.table, "2 peg 5", "page")  # this line is saved
    table.clock.run(0.5)
    assert ear.said[1:] == ["Working again: saving"]
    table.clock.run(60)
    assert ear.said[2:] == []


@pytest.mark.parametrize(
    ("language", "said", "left"),
    [
        ("en", "Working again: the keys", "Working again: saving"),
        ("ja", "復旧しました：キー", "復旧しました：保存"),
    ],
)
def test_a_part_that_works_again_is_named_once(
    language: str, said: str, left: str, table: KeyedTable, caplog: pytest.LogCaptureFixture
) -> None:
    """It was not mentioned, so a blind player never learned that the keys were back."""
    table.controller.language = language
    ear = listen(table)
    table.controller.report("keys", "gone")
    table.controller.report("journal", "full")
    table.clock.run(5)
    ear.said.clear()
    table.controller.report("keys", None)
    table.clock.run(0.5)
    table.controller.report("journal", None)
    table.clock.run(0.5)
    assert ear.said == [said, left]
    name = said.partition("：" if language == "ja" else ": ")[2]
    assert name in " ".join(table.controller.lines())
    assert caplog.messages[-2:] == ["keys: works again", "journal: works again"]
    table.clock.run(60)
    assert ear.said == [said, left]
    assert name not in " ".join(table.controller.lines())
    assert table.clock.idle


def test_a_fault_of_a_moment_is_not_said_to_be_gone(table: KeyedTable) -> None:
    """A strip that is still being searched for at the start fails for a moment."""
    ear = listen(table)
    table.controller.report("leds", "looking")
    table.controller.report("leds", None)
    table.clock.run(5)
    assert not ear.said
    assert "again" not in " ".join(table.controller.lines())


def test_a_part_that_fails_again_is_not_said_to_work(table: KeyedTable) -> None:
    table.controller.report("keys", "gone")
    table.clock.run(5)
    table.controller.report("keys", None)
    table.controller.report("keys", "gone")
    table.clock.run(5)
    assert "again" not in " ".join(table.controller.lines())
