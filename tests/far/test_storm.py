"""Random evenings of two houses: both press at once, either is killed, loses its disk or has a
wrong clock, and the broker disappears. The boards run as people run them, over a real Mosquitto."""

from __future__ import annotations

import resource
import signal
import time
from collections import Counter
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from typing import Any, Final

import httpx
import pytest
from click.testing import CliRunner

from boardctl.commands import main
from boardctl.storage.journal import read_sessions
from tests.far.boards import NAMES, Boards
from tests.mqtt.broker import Mosquitto
from tests.parts import need
from tests.report import LongRun
from tests.web.conftest import PATIENCE, PROGRAM, start

GAMES: Final = (
    {"game": "cribbage", "target": "31"},
    {"game": "cribbage", "target": "31", "muggins": "full"},
    {"game": "noddy"},
)
YEAR: Final = 365 * 24 * 3600
CLOCKS: Final = (-10 * YEAR, -24 * 3600, -3600, 3600, 24 * 3600, 10 * YEAR)
"""The error of a wrong clock in seconds."""
WRONG: Final = (
    "import time; now = time.time; time.time = lambda: now() + {off}; "
    "from boardctl.commands import main; main()"
)
EVENTS: Final = 10
EXPECTED: Final = ("no broker: ", "far: ", "the clock was set")


class Storm(Boards):
    """Two houses in a storm."""

    def __init__(self, broker: Mosquitto, path: Path, chance: Random) -> None:
        super().__init__(broker, path)
        self.chance = chance
        self.happened: Counter[str] = Counter()
        self.said: list[str] = []

    def cut_power(self, board: int) -> None:
        self.said += self.daemons[board].end(signal.SIGKILL).splitlines()

    def start(self, board: int, off: int = 0) -> None:
        data = self._path / NAMES[board]
        program = ("-c", WRONG.format(off=off)) if off else PROGRAM
        # The configuration exists from the first start.
        config = str(data / "config.toml")
        self.daemons[board] = start(data, "--config", config, program=program)

    def begin(self, game: dict[str, str]) -> None:
        """Invite and accept."""
        words = self.invite(**game)["words"]
        self.post(1, "/far/accept", words="-".join(words), name="Bob", partner="")
        self.until(lambda: all(self.far(n)["game"] for n in (0, 1)), "they meet")

    # Events

    def happen(self) -> None:
        """Let one random event happen."""
        name = self.chance.choice(
            ("power", "both", "clock", "disk", "broker", "undo", "both undo", "misdeal", "killed")
        )
        self.happened[name] += 1
        board = self.chance.randrange(2)
        match name:
            case "power":
                self.restart(board)
            case "both":
                for each in (0, 1):
                    self.cut_power(each)
                for each in self.chance.sample((0, 1), 2):
                    self.start(each)
            case "clock":
                self.cut_power(board)
                self.start(board, self.chance.choice(CLOCKS))
            case "disk":
                with self.full(board):
                    self.try_turns(self.chance.randint(3, 10))
                    if self.chance.random() < 0.3:
                        self.cut_power(board)
                if self.daemons[board].process.poll() is not None:
                    self.start(board)
            case "broker":
                self.broker.kill()
                self.try_turns(self.chance.randint(1, 5))
                self.broker.start()
            case "undo":
                self.ask(board, "/undo")
            case "both undo":
                with ThreadPoolExecutor(2) as both:
                    list(both.map(lambda each: self.ask(each, "/undo"), (0, 1)))
            case "misdeal":
                self.ask(board, "/lines", line="misdeal")
            case "killed":  # while both press
                with ThreadPoolExecutor(3) as all_at_once:
                    pressing = [all_at_once.submit(self.press_at, each) for each in (0, 1)]
                    time.sleep(self.chance.random() / 10)
                    self.cut_power(board)
                    for one in pressing:
                        one.result()
                self.start(board)
        self.answer()

    @contextmanager
    def full(self, board: int) -> Iterator[None]:
        """A disk on which nothing more can be written."""
        pid = self.daemons[board].process.pid
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (0, resource.RLIM_INFINITY))
        yield
        if self.daemons[board].process.poll() is None:
            limits = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
            resource.prlimit(pid, resource.RLIMIT_FSIZE, limits)

    def ask(self, board: int, path: str, **body: object) -> None:
        """Ask the other house for a line that needs consent."""
        with suppress(httpx.HTTPError):
            self.post(board, path, 0, **body, expect=self.state(board)["number"])

    def answer(self) -> None:
        """Answer every question, and call or accept every claim."""
        for board in (0, 1):
            game = self.far(board)["game"]
            if game and game["asks"]:
                yes = self.chance.random() < 0.5
                self.post(board, "/far/answer", **game["question"], yes=yes)

    def press_at(self, board: int) -> None:
        """Press keys at a board, whether or not it is that house's turn; the board may just have
        died."""
        with suppress(httpx.HTTPError):
            state = self.state(board)
            asks = [ask for ask in state["asks"] if ask["kind"] == "confirm"]
            for line in [*(ask["head"] for ask in asks[:2]), f"{board + 1} go"]:
                answer = self.post(board, "/lines", line=line, expect=state["number"])
                assert "number" in answer or "refused" in answer or "error" in answer, answer

    def try_turns(self, count: int) -> None:
        """Let anybody who can enter a line do so. If a house, a disk or the broker is missing,
        nothing may follow."""
        for _ in range(count):
            with ThreadPoolExecutor(2) as both:
                list(both.map(self.press_at, (0, 1)))
            with suppress(httpx.HTTPError):
                self.turn()
            time.sleep(0.05)

    # The end

    def finish(self) -> None:
        """Play to the end without disturbances."""
        end = time.monotonic() + PATIENCE
        while (said := self.turn()) is not None:
            if said:
                end = time.monotonic() + PATIENCE
            self.answer()
            assert time.monotonic() < end, (self.far(0), self.far(1), self.said)
            time.sleep(0.02)

    def agree(self) -> None:
        """Check that both houses have the same game, and that each deal can be verified."""

        def both(read: Callable[[int], Any]) -> None:
            self.until(lambda: read(0) == read(1), "both agree")

        both(lambda board: [side["score"] for side in self.state(board)["sides"]])
        both(lambda board: [move["verb"] for move in self.state(board)["moves"]])
        assert all(self.state(board)["over"] for board in (0, 1))
        assert not any(self.far(board)["game"]["stopped"] for board in (0, 1))
        lines = []
        for daemon in self.daemons:
            (*_, (_, entries)) = read_sessions(daemon.data)
            lines.append([entry.text.split() for entry in entries])
            for path in daemon.data.glob("far-*.jsonl"):
                done = CliRunner().invoke(main, ["sealed", "verify", "--far", str(path)])
                assert done.exit_code == 0, done.output
            done = CliRunner().invoke(main, ["journal", "check", "--data", str(daemon.data)])
            assert done.exit_code == 0, done.output
            assert "rejected" not in done.output
        for first, second in zip(*lines, strict=True):
            assert first[:1] == ["session"] or all(
                one == two or "?" in (one, two) for one, two in zip(first, second, strict=False)
            ), (first, second)

    def end(self) -> None:
        for daemon in self.daemons:
            if daemon.process.poll() is None:
                self.said += daemon.end().splitlines()


def evening(path: Path, seed: int) -> Storm:
    """Play an evening of two houses to its end."""
    chance = Random(seed)
    broker = Mosquitto(path / "broker", NAMES)
    broker.start()
    storm = Storm(broker, path, chance)
    try:
        storm.begin(chance.choice(GAMES))
        for _ in range(EVENTS):
            storm.play(chance.randint(1, 3))
            storm.happen()
            if all((storm.far(board)["game"] or {"done": True})["done"] for board in (0, 1)):
                break
        storm.finish()
        storm.agree()
    finally:
        storm.end()
        broker.kill()
    assert not [line for line in storm.said if line.startswith(("Traceback", " "))], storm.said
    return storm


@pytest.mark.long
def test_ten_evenings_in_a_storm(tmp_path: Path, seed: int, long_run: LongRun) -> None:
    need("mosquitto")
    happened: Counter[str] = Counter()
    for n in range(10):
        (tmp_path / str(n)).mkdir()
        try:
            happened += evening(tmp_path / str(n), seed + n).happened
        except AssertionError as error:
            error.add_note(f"evening(…, {seed + n})")
            raise
    long_run(evenings=10, **{name.replace(" ", "_"): count for name, count in happened.items()})
