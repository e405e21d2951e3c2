"""Night mode, switched by clock and by key, but never in the middle of counting."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.app.night import DAY, LOOK, Night, Options, dark, minute, until_change
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce
from tests.tables import submit

times = st.integers(0, DAY - 1).map(lambda n: f"{n // 60:02}:{n % 60:02}")


@given(times, times, st.integers(0, DAY - 1))
def test_night_is_dark_from_its_beginning_to_its_end(begins: str, ends: str, now: int) -> None:
    options = Options(begins, ends)
    length = (minute(ends) - minute(begins)) % DAY
    assert dark(options, now) == ((now - minute(begins)) % DAY < length)
    wait = until_change(options, now)
    assert 0 < wait <= DAY
    assert all(dark(options, (now + n) % DAY) == dark(options, now) for n in range(int(wait)))


def test_a_time_that_is_none_is_refused_by_its_key() -> None:
    with pytest.raises(configuration.ConfigError, match="night: “25:00” is not a time of day"):
        configuration.parse({"night": {"begins": "25:00"}})


def test_the_light_changes_at_the_hour_and_after_a_jump_of_the_clock() -> None:
    clock, ahead = VirtualClock(), [0.0]
    settings: list[str] = []
    night = Night(
        clock,
        Options("22:00", "07:00"),
        lambda: (21 * 60 + ahead[0] + clock.time() / 60) % DAY,
        settings.append,
    )
    clock.run(3600 - 1)
    assert settings == []
    clock.run(2)
    assert settings == ["night"]
    clock.run(9 * 3600)
    assert settings == ["night", "bright"]
    ahead[0] = 16 * 60.0  # the network sets the time, and it is late
    clock.run(LOOK)
    assert settings == ["night", "bright", "night"]
    night.close()
    assert clock.idle


def test_the_light_never_changes_in_mid_count(tmp_path: Path) -> None:
    clock = VirtualClock()
    board = BoardApp(simulated(Config()), tmp_path, clock, None, writer=AtOnce())
    clock.run(5)

    def brightest() -> int:
        return max(board.frame())

    def tap(keys: str) -> None:
        for key in keys:
            board.press(key, True)
            clock.run(0.06)
            board.press(key, False)
            clock.run(0.06)

    bright = brightest()
    tap("A8#")  # a peg moves
    board.controller.set_light("night")
    clock.run(0.1)
    assert brightest() == bright
    clock.run(5)
    night = brightest()
    assert night < bright
    for line in ("dealer 1", "deal", "starter 8D"):
        submit(board.table, line, "test")
    tap("B5526")  # a hand is being counted
    assert board.controller.keypad_state.mode == "preview"
    board.controller.set_light("bright")
    clock.run(1)
    assert brightest() == night
    tap("#")
    clock.run(5)
    assert brightest() == bright
    board.close()
