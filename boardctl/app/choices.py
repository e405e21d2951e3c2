"""The choices made at the board (level of entry, language, light, keys, voice, saved rules). They
are stored in `choices.json` in the data directory, so that they survive a restart or a power cut.

A choice is valid until another choice is made, or until the configured value changes.
"""

from __future__ import annotations

from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

from boardctl import games
from boardctl.app.config import Config
from boardctl.console.keypad import LEVELS, Preset
from boardctl.console.lights import FULL
from boardctl.console.settings import TIMINGS, KeyTiming, VoiceSettings
from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import SPEEDS, Speaker, Worker
from boardctl.games import Telling
from boardctl.storage import files
from boardctl.text import LANGUAGES

FILE: Final = "choices.json"
T = TypeVar("T")


class Choices:
    """The choices at a table, and the configuration when they were made.

    Args:
        controller: the table's controller.
        data: the folder of the board's data.
        writer: writes in the background.
    """

    def __init__(self, controller: TableController, data: Path, writer: Worker) -> None:
        self._controller = controller
        self._path = data / FILE
        self._writer = writer
        self._stored = files.load(self._path, _shaped) or {}
        self._configured: dict[str, Any] = {}

    def recall(self, config: Config) -> None:
        """Restore the stored choices, and store new choices from now on. In night mode, the light
        is controlled by the time of day."""
        controller = self._controller
        controller.telling = self._get("telling", config.telling, get_args(Telling))
        controller.chosen_telling = controller.telling
        controller.language = self._get("language", config.language, LANGUAGES)
        if not config.night.begins:
            controller.lights.light = self._get("light", FULL)
        controller.timing = KeyTiming(
            *(
                self._get(f"key-{name}", usual, _offered(name))
                for name, usual in KeyTiming()._asdict().items()
            )
        )
        self._configured["rules"] = None
        controller.show_rules(_own_rules(self._stored.get("rules", (None, []))[1]))
        controller.adjusted.connect(self._keep)

    def voice(self, speaker: Speaker) -> VoiceSettings:
        """Return a speaker's chosen or configured speech settings."""
        level = next(level for level in LEVELS if level == speaker.level)
        return VoiceSettings(
            self._get("voice", True, (True, False)),
            self._get("level", level, LEVELS),
            self._get("sounds", speaker.sounds, (True, False)),
            self._get("speed", speaker.speed, SPEEDS),
        )

    def _get(self, name: str, configured: T, allowed: Collection[T] = ()) -> T:
        """Return a choice if it is allowed and the configured value has not changed since the
        choice was stored. Otherwise, return the configured value. If `allowed` is omitted, any
        number from 0 to 1 is valid.
        """
        self._configured[name] = configured
        before, chosen = self._stored.get(name, (None, None))
        fits = chosen in allowed if allowed else type(chosen) is float and 0 <= chosen <= 1
        return chosen if before == configured and fits else configured

    def _keep(self) -> None:
        controller, voice = self._controller, self._controller.voice
        now = {
            "telling": controller.chosen_telling,
            "language": controller.language,
            "light": controller.light,
            "rules": [[one.name, one.game, dict(one.options)] for one in controller.own_rules],
        }
        now |= {f"key-{name}": one for name, one in controller.timing._asdict().items()}
        if voice is not None:
            now |= {"voice": voice.is_on, "level": voice.level, "sounds": voice.sounds}
            now |= {"speed": voice.speed}
        kept = dict(self._stored)
        for name, configured in self._configured.items():
            if name in now:
                kept[name] = (configured, now[name])
        if kept != self._stored:
            import json

            self._stored = kept
            self._writer.put(partial(files.keep, self._path, json.dumps(kept).encode()))


def _own_rules(stored: Any) -> tuple[Preset, ...]:
    """Return the stored rule sets, without incomplete ones."""
    found = []
    for one in stored if isinstance(stored, list) else ():
        match one:
            case [str(name), str(game), dict(options)] if game in games.names():
                if all(isinstance(text, str) for pair in options.items() for text in pair):
                    found.append(Preset(name, game, options))
    return tuple(found)


def _offered(name: str) -> tuple[float, ...]:
    """Return the values that the keypad menu offers for one key-timing setting."""
    return tuple(value for setting, value in TIMINGS.values() if setting == name)


def _shaped(stored: Any) -> dict[str, tuple[Any, Any]]:
    """Return the content of the file: the configured and the chosen values, by name."""
    return {str(name): (before, chosen) for name, (before, chosen) in dict(stored).items()}
