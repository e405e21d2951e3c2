"""The configured settings of a table."""

from __future__ import annotations

from typing import NamedTuple

from boardctl.console.keypad import Level, Preset
from boardctl.drivers.ports import SPEED
from boardctl.games import Telling


class TableSettings(NamedTuple):
    """The configured settings of a table: game and players at the start of an evening, the roster,
    the rule presets, the level of entry, and the games needed to win a match."""

    game: str = "cribbage"
    players: tuple[str, ...] = ("Ann", "Bob")
    roster: tuple[str, ...] = ("Ann", "Bob", "Cleo", "Dan")
    presets: tuple[Preset, ...] = ()
    telling: Telling = "hands"
    match: int | None = None
    language: str = "en"


class VoiceSettings(NamedTuple):
    """The settings of the board's voice."""

    on: bool = True
    """Whether it speaks."""
    level: Level = "questions"
    sounds: bool = True
    """Whether it plays sounds."""
    speed: int = SPEED
    """Words per minute."""
