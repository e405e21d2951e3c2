"""A slow display: keys and lights never wait for it, and it finally shows the newest text."""

from __future__ import annotations

from contextlib import closing
from threading import Event

import pytest

from boardctl.drivers.background_display import BackgroundDisplay
from boardctl.drivers.ports import Display, PortError
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import Writer


class Slow(Display):
    """A display whose bus proceeds only when allowed."""

    languages = ("en", "ja")
    rows = 4

    def __init__(self) -> None:
        self.begun = Event()
        self.free = Event()
        self.fault: str | None = None
        self.error: Exception | None = None
        self.written: list[tuple[str, ...]] = []
        self.closed = False

    def show(self, lines: tuple[str, ...]) -> None:
        self.begun.set()
        assert self.free.wait(60)
        if self.fault is not None:
            raise PortError("display", self.fault)
        if self.error is not None:
            raise self.error
        self.written.append(lines)

    def close(self) -> None:
        self.closed = True


def done(writer: Writer) -> None:
    """Wait until all passed work is done."""
    end = Event()
    writer.put(end.set)
    assert end.wait(60)


def test_nobody_waits_and_what_was_overtaken_is_never_written() -> None:
    slow = Slow()
    aside = BackgroundDisplay(slow, VirtualClock(), Writer())
    assert (aside.rows, aside.languages) == (4, ("en", "ja"))
    aside.show(("Ann deals",))
    assert slow.begun.wait(60)
    for number in range(100):
        aside.show((f"count {number}",))
    assert slow.written == [], "all were taken while the first is still on the bus"
    slow.free.set()
    aside.close()
    assert slow.written == [("Ann deals",), ("count 99",)]
    assert slow.closed


def test_a_fault_is_told_until_a_text_is_written() -> None:
    clock, slow = VirtualClock(), Slow()
    found: list[str | None] = []
    slow.free.set()
    slow.fault = "the OLED does not answer"
    writer = Writer()
    aside = BackgroundDisplay(slow, clock, writer)
    aside.reported.connect(found.append)
    for _ in range(2):
        aside.show(("Starter?",))
        done(writer)
    clock.run(0)
    assert set(found) == {slow.fault}
    with pytest.raises(PortError, match="does not answer"):
        aside.show(("Starter?",))
    done(writer)
    slow.fault = None
    with pytest.raises(PortError):  # an already known fault; the text is still being sent
        aside.show(("Ann shows",))
    done(writer)
    clock.run(0)
    assert found[-1] is None
    aside.show(("Bob shows",))
    aside.close()
    assert slow.written == [("Ann shows",), ("Bob shows",)]


def test_after_an_error_that_nobody_thought_of_it_shows_the_next_text(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """After such an error, the display used not to write anything again."""
    slow, writer, clock = Slow(), Writer(), VirtualClock()
    with closing(BackgroundDisplay(slow, clock, writer)) as aside:
        reports: list[str | None] = []
        aside.reported.connect(reports.append)
        slow.free.set()
        slow.error = ValueError("no such page")
        aside.show(("Ann deals",))
        done(writer)
        clock.run(0)
        assert reports == ["ValueError: no such page"]
        slow.error = None
        with pytest.raises(PortError, match="no such page"):
            aside.show(("Bob deals",))
        done(writer)
        clock.run(0)
        assert slow.written == [("Bob deals",)]
        assert reports[1:] == [None]
        assert len([record for record in caplog.records if record.exc_info]) == 1
