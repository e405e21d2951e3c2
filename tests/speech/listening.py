"""A table with a listener: the words spoken after keys and lines."""

from __future__ import annotations

from boardctl.console.keypad import Level
from boardctl.console.settings import VoiceSettings
from boardctl.speech.voice import Voice
from tests.speech.by_ear import Ear
from tests.tables import KeyedTable, submit


def listen(table: KeyedTable, level: Level = "questions") -> Ear:
    """Attach a speaker to a table."""
    ear = Ear()
    Voice(table.controller, VoiceSettings(level=level)).join(ear)
    table.clock.run(0.05)
    ear.said.clear()
    return ear


def keys(table: KeyedTable, ear: Ear, typed: str) -> str:
    """Return the words spoken after the last of these keys."""
    table.press(typed)
    return " / ".join(ear.said)


def lines(table: KeyedTable, ear: Ear, *some: str) -> str:
    """Return the words spoken after lines of another surface."""
    ear.said.clear()
    for line in some:
        submit(table.table, line, "page")
    table.clock.run(0.05)
    return " / ".join(ear.said)
