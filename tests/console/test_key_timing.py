"""Keys for slow or shaking hands: the length of a hold, slow keys, bounce keys."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.console.keypad import Command
from boardctl.console.keys import SteadyKeys
from boardctl.console.settings import KeyTiming
from boardctl.drivers.ports import KeyEvent
from boardctl.drivers.virtual.clock import VirtualClock
from tests.tables import KeyedTable, keyed


@pytest.fixture
def table(tmp_path: Path) -> Iterator[KeyedTable]:
    with keyed(tmp_path) as found:
        yield found


class Hand:
    """A hand on one keypad."""

    def __init__(self, timing: KeyTiming) -> None:
        self.clock = VirtualClock()
        self.heard: list[tuple[str, bool, float]] = []
        self.keys = SteadyKeys(self.clock, self._hear, lambda: timing)

    def _hear(self, event: KeyEvent) -> None:
        self.heard.append((event.key, event.pressed, round(event.at, 3)))

    def edge(self, key: str, pressed: bool, after: float = 0.0, source: str = "") -> None:
        self.clock.run(after)
        self.keys.take(KeyEvent(key, pressed, self.clock.time(), source))

    def tap(self, key: str, seconds: float, after: float = 0.0) -> None:
        self.edge(key, True, after)
        self.edge(key, False, seconds)

    @property
    def presses(self) -> list[str]:
        """The keys that went down, and none that went up without having gone down."""
        down: set[str] = set()
        for key, pressed, _ in self.heard:
            assert pressed or key in down
            (down.add if pressed else down.discard)(key)
        return [key for key, pressed, _ in self.heard if pressed]


def test_usually_each_edge_counts_at_once() -> None:
    hand = Hand(KeyTiming())
    hand.tap("5", 0.01)
    hand.tap("5", 0.01, after=0.01)
    start = hand.heard[0][2]
    times = [round(at - start, 3) for _, _, at in hand.heard]
    assert (hand.presses, times) == (["5", "5"], [0.0, 0.01, 0.02, 0.03])


def test_a_slow_key_ignores_what_is_only_brushed() -> None:
    hand = Hand(KeyTiming(slow=0.3))
    hand.tap("4", 0.29)
    assert hand.presses == []
    hand.edge("5", True)
    down = hand.clock.time()
    hand.clock.run(0.31)
    assert hand.presses == ["5"]
    assert hand.heard[0][2] == pytest.approx(down + 0.3), "a hold is counted from here"
    hand.edge("5", False)
    assert hand.heard[-1][:2] == ("5", False)


def test_two_slow_keys_may_be_down_at_once() -> None:
    hand = Hand(KeyTiming(slow=0.3))
    hand.edge("4", True)
    hand.edge("5", True, after=0.1)
    hand.edge("4", False, after=0.1)
    hand.clock.run(0.4)
    hand.edge("5", False)
    assert hand.presses == ["5"]


def test_a_key_that_bounces_counts_once() -> None:
    hand = Hand(KeyTiming(bounce=0.3))
    for after in (0.0, 0.1, 0.25):
        hand.tap("5", 0.05, after)
    assert hand.presses == ["5"]
    hand.tap("6", 0.05)
    hand.tap("5", 0.05, after=0.31)
    assert hand.presses == ["5", "6", "5"], "another key, and the same one later"


def test_a_brushed_key_may_be_pressed_at_once() -> None:
    hand = Hand(KeyTiming(slow=0.3, bounce=0.3))
    hand.tap("5", 0.1)
    hand.tap("5", 0.5, after=0.05)
    assert hand.presses == ["5"]


def test_the_same_key_of_another_pad_does_not_bounce() -> None:
    hand = Hand(KeyTiming(bounce=0.3))
    for source in ("one", "two"):
        hand.edge("5", True, source=source)
        hand.edge("5", False, source=source)
    assert hand.presses == ["5", "5"]


@pytest.mark.parametrize(("key", "seconds"), [("1", 0.5), ("2", 1.0), ("3", 2.0)])
def test_the_menu_sets_how_long_a_hold_takes(table: KeyedTable, key: str, seconds: float) -> None:
    table.press("hold#")
    table.press(f"8 0 {key}")
    for share, opens in ((0.9, False), (1.1, True)):
        table.controller.on_key(KeyEvent("#", True, table.clock.time()))
        table.clock.run(share * seconds)
        assert (table.controller.keypad_state.mode == "menu") == opens
        table.controller.on_key(KeyEvent("#", False, table.clock.time()))
        table.press("*")


def test_a_hold_of_a_page_takes_a_second_whatever_is_set(table: KeyedTable) -> None:
    table.controller.obey(Command("timing", "hold-long"))
    table.controller.on_key(KeyEvent("#", True, table.clock.time()), here=False)
    table.clock.run(1.1)
    assert table.controller.keypad_state.mode == "menu"


@pytest.mark.parametrize(
    ("key", "timing"),
    [
        ("5", KeyTiming(slow=0.3)), ("6", KeyTiming(slow=0.8)), ("4", KeyTiming()),
        ("8", KeyTiming(bounce=0.3)), ("9", KeyTiming(bounce=0.8)), ("7", KeyTiming()),
        ("B", KeyTiming(pace=3.0)), ("A", KeyTiming()),
    ],
)  # fmt: skip
def test_the_menu_sets_slow_keys_bounce_keys_and_pace(
    table: KeyedTable, key: str, timing: KeyTiming
) -> None:
    table.press("hold#")
    table.press(f"80{key}")
    assert table.controller.timing == timing
