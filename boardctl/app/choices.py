"""What people choose at the board (how much is entered, language, light, voice), in `choices.json`
among its data, so that a restart or a power cut does not forget it.

A choice holds until another is made, or until the configuration says something else than it did
when the choice was made.
"""

from __future__ import annotations

import json
from collections.abc import Collection
from functools import partial
from pathlib import Path
from typing import Any, Final, TypeVar, get_args

from boardctl.app.config import Config
from boardctl.console.keypad import LEVELS
from boardctl.console.lights import FULL
from boardctl.console.settings import VoiceSettings
from boardctl.console.table_controller import TableController
from boardctl.drivers.ports import SPEEDS, Speaker, Worker
from boardctl.games import Telling
from boardctl.storage import files
from boardctl.text import LANGUAGES

FILE: Final = "choices.json"
T = TypeVar("T")


class Choices:
    """What is chosen at a table, and what was configured then.

    Args:
        controller: of the table.
        data: the folder of the board's data.
        writer: writes without anybody waiting for the disk.
    """

    def __init__(self, controller: TableController, data: Path, writer: Worker) -> None:
        self._controller = controller
        self._path = data / FILE
        self._writer = writer
        self._kept = files.load(self._path, _shaped) or {}
        self._configured: dict[str, Any] = {}

    def recall(self, config: Config) -> None:
        """Set what was chosen before this start, and keep what is chosen from now on. Where a night
        is configured, the light is the clock's."""
        controller = self._controller
        controller.telling = self._get("telling", config.telling, get_args(Telling))
        controller.chosen = controller.telling
        controller.language = self._get("language", config.language, LANGUAGES)
        if not config.night.begins:
            controller.lights.light = self._get("light", FULL)
        controller.adjusted.connect(self._keep)

    def voice(self, speaker: Speaker) -> VoiceSettings:
        """How a speaker was chosen to speak, or is configured to."""
        level = next(level for level in LEVELS if level == speaker.level)
        return VoiceSettings(
            self._get("voice", True, (True, False)),
            self._get("level", level, LEVELS),
            self._get("sounds", speaker.sounds, (True, False)),
            self._get("speed", speaker.speed, SPEEDS),
        )

    def _get(self, name: str, configured: T, allowed: Collection[T] = ()) -> T:
        """What was chosen, if it is allowed and the configuration still says what it said then; or
        else what that says. Without allowed values: a share of 1."""
        self._configured[name] = configured
        before, chosen = self._kept.get(name, (None, None))
        fits = chosen in allowed if allowed else type(chosen) is float and 0 <= chosen <= 1
        return chosen if before == configured and fits else configured

    def _keep(self) -> None:
        controller, voice = self._controller, self._controller.voice
        now = {
            "telling": controller.chosen,
            "language": controller.language,
            "light": controller.light,
        }
        if voice is not None:
            now |= {"voice": voice.on, "level": voice.level, "sounds": voice.sounds}
            now |= {"speed": voice.speed}
        kept = dict(self._kept)
        for name, configured in self._configured.items():
            if name in now:
                kept[name] = (configured, now[name])
        if kept != self._kept:
            self._kept = kept
            self._writer.put(partial(files.keep, self._path, json.dumps(kept).encode()))


def _shaped(kept: Any) -> dict[str, tuple[Any, Any]]:
    """The content of the file: what was configured and what was chosen, by name."""
    return {str(name): (before, chosen) for name, (before, chosen) in dict(kept).items()}
