"""The configured settings of a table."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from boardctl.console.keypad import Level, Preset
from boardctl.drivers.ports import SPEED
from boardctl.games import Telling


class TableSettings(NamedTuple):
    """The configured settings of a table: the game and the players at the start of an evening, the
    roster, the rule presets, the level of entry, and the number of games that win a match."""

    game: str = "cribbage"
    players: tuple[str, ...] = ("Ann", "Bob")
    roster: tuple[str, ...] = ("Ann", "Bob", "Cleo", "Dan")
    presets: tuple[Preset, ...] = ()
    telling: Telling = "hands"
    match: int | None = None
    language: str = "en"


class KeyTiming(NamedTuple):
    """The timing of the board's own keys, for players with slow or shaking hands. All values are in
    seconds."""

    hold: float = 1.0
    """The time that a key must stay down to count as held."""
    slow: float = 0.0
    """The time that a key must stay down before it acts."""
    bounce: float = 0.0
    """The time after a key's release during which another press of the same key is ignored."""
    pace: float = 1.5
    """The time for which a single switch points at each choice."""


TIMINGS: Final[Mapping[str, tuple[str, float]]] = MappingProxyType(
    {
        "hold-short": ("hold", 0.5), "hold-usual": ("hold", 1.0), "hold-long": ("hold", 2.0),
        "slow-off": ("slow", 0.0), "slow-short": ("slow", 0.3), "slow-long": ("slow", 0.8),
        "bounce-off": ("bounce", 0.0), "bounce-short": ("bounce", 0.3),
        "bounce-long": ("bounce", 0.8), "pace-usual": ("pace", 1.5), "pace-long": ("pace", 3.0),
    }
)  # fmt: skip
"""The choices of the keypad's menu, each with its timing."""


class VoiceSettings(NamedTuple):
    """The settings of the board's voice."""

    is_on: bool = True
    """Whether the voice speaks."""
    level: Level = "questions"
    sounds: bool = True
    """Whether the voice plays sounds."""
    speed: int = SPEED
    """Words per minute."""
