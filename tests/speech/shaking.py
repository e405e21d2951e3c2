"""A player who only hears, and whose hands are slow and shake.

It presses keys for a random time, brushes others, and presses twice. It first sets up the board by
ear: how the keys act, and who plays. Then it plays, and says goodnight.
"""

from __future__ import annotations

from boardctl.console.keys import SteadyKeys
from boardctl.drivers.ports import KeyEvent
from tests.speech.by_ear import Ear, Listener, Lost, understood
from tests.tables import KeyedTable

TWICE = 0.25
"""The share of keys that are pressed twice."""
BRUSHED = 0.2
"""The share of keys before which another key is brushed, once the board ignores that."""
TRIES = 80
"""Ways through the menu before the player gives up: before the keys are set, most fail."""


class Shaking(Listener):
    """Such a player."""

    def __init__(self, table: KeyedTable, ear: Ear, language: str, seed: int, most: int) -> None:
        super().__init__(table, ear, language, seed, most)
        controller = table.controller
        self.steady = SteadyKeys(table.clock, controller.on_key, lambda: controller.timing)
        self.slips = 0
        """Brushed keys and second presses."""

    def press(self, key: str) -> list[str]:
        """Press a key as such hands do, and listen."""
        self.keys += 1
        timing, chance = self.table.controller.timing, self.chance
        if timing.slow and chance.random() < BRUSHED:
            self._touch(chance.choice("0123456789ABCD#*"), chance.uniform(0.02, 0.9 * timing.slow))
        least = timing.slow + (timing.hold + 0.15 if key.startswith("hold") else 0.03)
        most = least + 2.0 if key.startswith("hold") else timing.slow + 0.9 * timing.hold
        self._touch(key[-1], chance.uniform(least, most), slip=False)
        if chance.random() < TWICE:
            self.table.clock.run(chance.uniform(0.02, 0.1))
            self._touch(key[-1], chance.uniform(0.02, 0.15))
        self.table.clock.run(timing.bounce + 0.05)
        phrases = self.ear.heard()
        self.story.append(f"{key}: {' / '.join(phrases)}")
        del self.story[:-40]
        return phrases

    def _touch(self, key: str, seconds: float, *, slip: bool = True) -> None:
        self.slips += slip
        for pressed in (True, False):
            self.steady.take(KeyEvent(key, pressed, self.table.clock.time()))
            self.table.clock.run(seconds if pressed else 0.02)

    def set_up(self, players: tuple[str, ...]) -> None:
        """Set the keys, then the players, all by ear."""
        for wish in ("bounce-short", "slow-short", "hold-long"):
            self.find("to-pair", "to-timing", f"do-timing-{wish}")
        self.find("to-players")
        for name in players:
            self.press(self._key_for(name))
        self.press("#")

    def find(self, *codes: str) -> None:
        """Find an item of the menu by what is said of each key; raises Lost."""
        for _ in range(TRIES):
            self.press("*")
            self.press("*")
            self.press("hold#")
            if all(self._take(self._word(code)) for code in codes):
                return
        raise Lost("\n".join(self.story))

    def _take(self, what: str) -> bool:
        key = self._key_for(what)
        said = " ".join(self.press(key)) if key else ""
        return bool(key) and (what in said or not said.startswith(self._word("menu")))

    def _key_for(self, what: str) -> str:
        """The key that does something, as the held `3` tells it; empty if none does."""
        for phrase in self.press("hold3"):
            found = understood(phrase, "spoken.does", self.language)
            if found is not None and found["what"] == what:
                return self._names.get(found["key"], "")
        return ""
