"""`boardctl simulate`: play a file of keys through the complete board in virtual time.

Each key closes a contact in the virtual matrix and is then scanned, debounced, entered and
refereed. The result is journalled, drawn, encoded and decoded, and the output is read back from the
virtual LEDs.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.board.reading import reading
from boardctl.drivers.ports import KEYS
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.games.cards import plain
from boardctl.storage.journal import AtOnce
from boardctl.text import SpokenError

TAP: Final = 0.05
"""Seconds for which a key is pressed, and for which it is released before the next key."""
PATIENCE: Final = 8.0
"""The maximum seconds to wait for animations to end, because a message with several pages never
stops turning them."""
_SECONDS: Final = re.compile(r"(\d+(?:\.\d+)?)s")


class KeysError(SpokenError):
    """A keys file that cannot be read."""


@dataclass(frozen=True, slots=True)
class Stroke:
    """A key pressed for a number of seconds, or a wait if `key` is None."""

    key: str | None
    seconds: float

    def __str__(self) -> str:
        if self.key is None:
            return f"wait {self.seconds:g}s"
        return self.key if self.seconds == TAP else f"hold {self.key} {self.seconds:g}s"


def strokes(lines: Iterable[str]) -> Iterator[Stroke]:
    """Parse a keys file with keys separated by spaces, `hold D 1s`, `wait 2s` and `//` comments.

    Raises:
        KeysError: if a word is invalid.
    """
    for number, line in enumerate(lines, 1):
        words = iter(line.partition("//")[0].split())
        for word in words:
            if word == "wait":
                yield Stroke(None, _seconds(next(words, ""), number))
            elif word == "hold":
                key = _key(next(words, ""), number)
                yield Stroke(key, _seconds(next(words, ""), number))
            else:
                yield Stroke(_key(word, number), TAP)


def _key(word: str, number: int) -> str:
    key = plain(word).upper()
    if key not in KEYS:
        raise KeysError("not-a-key", line=number, word=word, allowed=" ".join(KEYS))
    return key


def _seconds(word: str, number: int) -> float:
    match = _SECONDS.fullmatch(word)
    if match is None:
        raise KeysError("not-seconds", line=number, word=word)
    return float(match[1])


class Simulation:
    """A simulated board on a virtual clock. `data` is the folder of its journal."""

    def __init__(self, config: Config, data: Path) -> None:
        self.clock = VirtualClock()
        self.board = BoardApp(simulated(config), data, self.clock, None, writer=AtOnce())
        self._spoken: list[str] | None = None
        if config.voice is not None:
            self._spoken = []
            self.board.spoken.connect(self._spoken.append)
        self.clock.run(TAP)

    def __enter__(self) -> Simulation:
        return self

    def __exit__(self, *_: object) -> None:
        self.board.close()

    def press(self, stroke: Stroke) -> None:
        """Play one stroke, and advance the clock by its duration."""
        if stroke.key is None:
            self.clock.run(stroke.seconds)
            return
        self.board.press(stroke.key, True)
        self.clock.run(stroke.seconds)
        self.board.press(stroke.key, False)
        self.clock.run(TAP)

    def settle(self) -> None:
        """Wait until every animation has ended."""
        end = self.clock.time() + PATIENCE
        while not self.clock.idle and self.clock.time() < end:
            self.clock.run(0.25)

    def observe(self, key: str) -> dict[str, Any]:
        """Return the visible and audible state: the scores, every page of the display (`prompt` is
        the first) and the lit LEDs. If a voice is configured, the texts spoken since the last call
        are included."""
        said = None if self._spoken is None else list(self._spoken)
        if self._spoken is not None:
            self._spoken.clear()
        pages = self.board.controller.pages
        return {
            "key": key,
            "scores": list(self.board.table.position.scores),
            "prompt": list(pages[0]) if pages else [],
            "pages": [list(page) for page in pages],
            "lit": reading(
                self.board.layout, self.board.frame(), self.board.controller.lights.brightness
            ),
            **({} if said is None else {"said": said}),
        }


def as_line(seen: dict[str, Any]) -> str:
    """Return the result of `Simulation.observe` as one line, plus a line for each spoken text."""
    scores = "-".join(map(str, seen["scores"]))
    rows = [page[:] for page in seen["pages"]]
    for page, before in zip(rows[1:], seen["pages"], strict=False):
        if page[0] == before[0]:
            del page[0]  # the question above its choices
    prompt = " | ".join(row for page in rows for row in page if row)
    lit = " ".join(
        name if value is True else f"{name}={value}" for name, value in seen["lit"].items()
    )
    said = "".join(f"\n{'':<10} “{one}”" for one in seen.get("said", ()))
    return f"{seen['key']:<10} {scores:<8} {prompt:<35} {lit}{said}"
