"""A whole game of cribbage, with a Pi's daemon and driver and the chip's own program.

Keys are pressed at the emulated pins, and pegs are observed on the emulated strip.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.app import config
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.drivers.serial_protocol import MAX_LEDS, RESET_BUTTON
from tests.firmware.rig import KEYS, Bench, alone
from tests.tables import Later

POINTS = (12, 8, 24, 2, 17, 10, 9, 16, 20, 11, 6, 14, 4, 21, 18, 7, 5, 28, 29)
"""The points that the seats peg in turn: more than enough for a game."""


class Table:
    """A board with two players, and every picture that its daemon ever sent."""

    def __init__(self, bench: Bench, data: Path) -> None:
        self.bench = bench
        self._data = data
        self.pictures: set[bytes] = set()
        self.open()

    def open(self) -> None:
        part = config.part("serial_board", port=str(self.bench.emulator.port))
        chosen = Config(telling="points", leds=part, keys=part)
        disk = Later()
        disk.healed = True
        self.board = BoardApp(chosen, self._data, self.bench, self.bench.wires, disk)
        self.board.frames.connect(self.pictures.add)
        self.pictures |= {self.board.frame(), bytes(3 * self.board.layout.leds)}

    def kill(self) -> None:
        """Kill the daemon. Only the bytes that it had written, and that its kernel would release,
        remain."""
        self.bench.kill()
        self.board.table.journal.close()

    @property
    def scores(self) -> tuple[int, ...]:
        return self.board.table.position.scores

    def lit(self) -> bytes:
        return self.bench.emulator.strip()[: 3 * self.board.layout.leds]

    def settled(self) -> bool:
        """Check that the lit picture is the last one sent."""
        shown = self.bench.emulator.refreshes
        return bool(shown) and shown[-1].leds == self.board.frame()

    def peg(self, side: int, points: int) -> None:
        for key in f"{'AB'[side]}{points}#":
            self.bench.tap(key, seed=self.bench.emulator.cycle % 9973)

    def check_pegs(self) -> None:
        """Check that each front peg is in its hole after its animation."""
        self.bench.run(2.0)
        self.bench.until(self.settled, 2.0)
        places = self.board.layout.index()
        for side, score in enumerate(self.scores, 1):
            if score:
                place = 3 * places[f"track{side}.{min(score, 121)}"]
                assert any(self.lit()[place : place + 3]), f"side {side} at {score}"

    def check_pictures(self) -> None:
        """Check that only sent pictures were lit, truncated at most when the chip was reset;
        otherwise darkness, or the pattern of a board whose host is gone."""
        leds = self.board.layout.leds
        fine = [*self.pictures, *(alone(p, n) for p in self.pictures for n in range(8))]
        parts: dict[int, set[bytes]] = {}
        for refresh in self.bench.emulator.refreshes:
            size = len(refresh.leds)
            if size not in parts:
                parts[size] = {picture[:size] for picture in fine}
            if refresh.bits != 24 * MAX_LEDS or any(refresh.leds):
                assert size <= 3 * leds
                assert refresh.leds in parts[size]


@pytest.fixture
def table(bench: Bench, tmp_path: Path) -> Iterator[Table]:
    seated = Table(bench, tmp_path / "data")
    yield seated
    seated.kill()


def play(table: Table, pegs: range, check: bool = False) -> list[int]:
    """Peg in turn, and return the resulting scores."""
    scores = list(table.scores)
    for turn in pegs:
        side, points = turn % 2, POINTS[turn]
        if max(scores) >= 121:
            break
        table.peg(side, points)
        scores[side] += points
        if check:
            table.bench.until(lambda: table.scores == tuple(scores), 2.0)
            table.check_pegs()
    return scores


@pytest.mark.slow
def test_a_whole_game(table: Table) -> None:
    table.bench.run(1.0)
    scores = play(table, range(len(POINTS)), check=True)
    assert max(scores) >= 121
    assert table.board.table.position.over
    table.check_pictures()
    counted = table.bench.emulator.stats()
    assert counted["lost"] == 0
    assert counted["shorts"] == 0


RECOVERY = 2.0
"""The seconds of board time within which everything must be correct again."""


@pytest.mark.slow
@pytest.mark.parametrize(
    ("one_in", "turns"),
    [
        (100, 4),
        pytest.param(1000, len(POINTS), marks=pytest.mark.long),
        pytest.param(100, len(POINTS), marks=pytest.mark.long),
    ],
)
def test_pegs_over_a_bad_line(table: Table, one_in: int, turns: int) -> None:
    table.bench.run(1.0)
    table.bench.emulator.command(f"faults {one_in} {one_in}")
    scores = play(table, range(turns), check=True)
    assert sum(scores) >= sum(POINTS[:turns]) or max(scores) >= 121
    table.check_pictures()
    counted = table.bench.emulator.stats()
    assert counted["faults"] > 250 * turns / one_in
    assert counted["lost"] == 0


@pytest.mark.slow
def test_the_port_is_closed_and_opened(table: Table) -> None:
    table.bench.run(1.0)
    for turn, gone in enumerate((0.01, 1.0, 5.0)):
        side, points = turn % 2, 10 + turn
        before = table.scores
        for key in f"{'AB'[side]}{points}":
            table.bench.tap(key)
        table.bench.unplug()
        table.bench.tap("#")
        table.bench.run(gone)
        assert table.scores == before
        table.bench.plug()
        after = tuple(s + points * (n == side) for n, s in enumerate(before))
        table.bench.until(lambda wanted=after: table.scores == wanted, RECOVERY)  # type: ignore[misc]
        table.check_pegs()
    table.check_pictures()


@pytest.mark.slow
@pytest.mark.parametrize("turns", [6, pytest.param(24, marks=pytest.mark.long)])
def test_the_chip_is_reset_in_mid_frame(table: Table, turns: int) -> None:
    table.bench.run(1.0)
    emulator = table.bench.emulator
    for turn in range(turns):
        table.peg(turn % 2, 4)
        # The peg's animation has just begun, so frames follow one another. The chip is reset while
        # one is received, while one is shown, and between them.
        table.bench.run(turn * 0.0041)
        if turn % 3:
            emulator.reset(RESET_BUTTON, 0.8 * (turn % 2))
        else:
            emulator.command("hang")
        table.bench.run(0.3 + 0.8 * (turn % 2))
        table.bench.until(table.settled, RECOVERY)
    assert table.scores == (2 * turns, 2 * turns)
    table.check_pegs()
    table.check_pictures()
    cut = [r for r in emulator.refreshes if r.bits < 24 * table.board.layout.leds]
    assert cut or turns < 24, "some of so many resets came while the strip was being written"
    assert emulator.stats()["resets"] == turns


def test_a_boot_loader_after_every_opening(table: Table) -> None:
    table.bench.boot_loader = 1.5
    table.bench.run(1.0)
    table.bench.unplug()
    table.bench.plug()
    table.bench.run(1.5)
    table.bench.until(table.settled, RECOVERY)
    table.peg(0, 12)
    table.check_pegs()
    table.check_pictures()


@pytest.mark.slow
def test_the_host_is_stopped_for_ten_seconds(table: Table) -> None:
    table.bench.run(1.0)
    table.peg(0, 12)
    table.check_pegs()
    for key in "B8":
        table.bench.tap(key)
    press = KEYS.index("#")
    before = len(table.bench.emulator.refreshes)
    table.bench.run(5, host=False)
    table.bench.emulator.key(press, True, 4000)
    table.bench.run(0.06, host=False)
    table.bench.emulator.key(press, False, 4000)
    table.bench.run(5, host=False)
    pattern = table.bench.emulator.refreshes[before:]
    assert len(pattern) >= 10
    assert table.scores == (12, 0)
    took = table.bench.until(lambda: table.scores == (12, 8), RECOVERY)
    table.check_pegs()
    table.check_pictures()
    assert took < RECOVERY


@pytest.mark.slow
@pytest.mark.parametrize("turns", [3, pytest.param(8, marks=pytest.mark.long)])
def test_the_host_is_killed_and_started(table: Table, turns: int) -> None:
    table.bench.run(1.0)
    for turn in range(turns):
        side, before = turn % 2, table.scores
        for key in f"{'AB'[side]}7#":
            table.bench.tap(key)
        table.bench.run(turn * 0.007)
        table.kill()
        for key in f"{'AB'[1 - side]}5#":
            press = KEYS.index(key)
            for closed in (True, False):
                table.bench.emulator.key(press, closed, 4000)
                table.bench.run(0.06, host=False)
        table.bench.run(turn * 0.7, host=False)
        table.open()
        after = tuple(s + (7 if n == side else 5) for n, s in enumerate(before))
        table.bench.until(lambda wanted=after: table.scores == wanted, RECOVERY)  # type: ignore[misc]
        table.check_pegs()
    table.check_pictures()
