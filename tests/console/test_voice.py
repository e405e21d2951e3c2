"""The board counts aloud, in the traditional words and the chosen language, until it is muted."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.console.keypad import Command
from boardctl.console.voice import Voice
from boardctl.drivers.ports import Speaker
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Table
from tests.tables import submit


class Ear(Speaker):
    """A voice that records what it says."""

    def __init__(self) -> None:
        self.heard: list[str] = []

    def say(self, text: str) -> None:
        self.heard.append(text)

    def close(self) -> None: ...


@pytest.fixture
def table(tmp_path: Path) -> Iterator[Table]:
    journal = Journal(tmp_path, AtOnce())
    table = Table(journal, now=lambda: 0.0)
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "start 95 100", "dealer 1", "deal"):
        submit(table, line, "test")
    yield table
    journal.close()


LINES = {
    "starter 5D": ("", ""),
    "2 play T": ("ten", "10"),
    "1 play 5": ("fifteen for two", "15で2てん"),
    "2 play 9": ("twenty-four", "24"),
    "1 play 7": ("thirty-one for two", "31で2てん"),
    "2 play 2": ("two", "2"),
    "1 play J": ("twelve", "12"),
    "2 play J": ("twenty-two for two", "22で2てん"),
}


@pytest.mark.parametrize("language", [0, 1])
def test_the_play_is_counted_aloud(table: Table, language: int) -> None:
    ear = Ear()
    Voice(table, ear, lambda: ("en", "ja")[language])
    for line, said in LINES.items():
        ear.heard.clear()
        submit(table, line, "test")
        assert ear.heard == ([said[language]] if said[language] else []), line


def test_a_hand_is_counted_and_a_winner_named(table: Table) -> None:
    ear = Ear()
    Voice(table, ear, lambda: "en")
    submit(table, "starter 5D", "test")
    submit(table, "2 show 5H 5S 5C JD", "test")
    assert ear.heard[-1].startswith("fifteen two, fifteen four, fifteen six")
    assert ear.heard[-1].endswith("Bob wins")
    assert "one for his nob" in ear.heard[-1]


def test_it_can_be_muted(table: Table) -> None:
    ear = Ear()
    voice = Voice(table, ear, lambda: "en")
    voice.command(Command("voice", "off"))
    submit(table, "starter 5D", "test")
    submit(table, "2 play T", "test")
    assert ear.heard == []
    voice.command(Command("voice", "on"))
    submit(table, "1 play 5", "test")
    assert ear.heard == ["fifteen for two"]
