"""Many boards, one hub and one broker, all killed repeatedly (SIGKILL, at any moment): every result
reaches the hub exactly once.

Boards are `boardctl run`, the hub is `boardctl hub`, the broker is Debian's Mosquitto, each a
separate process. Games are played on the boards' pages, and continue while the others are down.
"""

from __future__ import annotations

import random
import signal
import sqlite3
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import httpx
import pytest

from boardctl.club.store import Store
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import HubProcess, run
from tests.parts import need
from tests.ports import free_port
from tests.report import LongRun
from tests.web.conftest import Daemon

pytestmark = pytest.mark.usefixtures("real_pins")  # hubs are other processes


class Board:
    """A board's process, and a player who continues whatever happens to the process."""

    def __init__(self, name: str, broker: Mosquitto, data: Path) -> None:
        self.name = name
        self.data = data
        self._broker = broker
        self._port = free_port()
        self.said: list[str] = []
        self._up = threading.Lock()
        self._daemon = self._start()
        self.number = self._seen()

    def _start(self) -> Daemon:
        return run(self._broker, self.name, self.data, port=self._port)

    def _seen(self) -> int:
        number: int = self._daemon.state()["number"]
        return number

    def strike(self, down: float) -> None:
        with self._up:
            self.said.append(self._daemon.end(signal.SIGKILL))
            time.sleep(down)
            self._daemon = self._start()

    def end(self) -> None:
        self.said.append(self._daemon.end())

    def say(self, line: str) -> None:
        """Play a line once. If the board died before it answered, check whether the line was
        saved."""
        found = {"line": line, "expect": self.number}
        while True:
            try:
                with self._daemon.client as client:
                    answer = client.post("/lines", json=found).raise_for_status().json()
            except httpx.TransportError:
                with self._up:  # struck: it is back when the lock is free
                    seen = self._seen()
                if seen == self.number:
                    continue
                answer = {"number": seen}
            assert answer.get("number") == self.number + 1, answer
            self.number += 1
            return

    def waiting(self) -> int:
        """Return the results that no hub has acknowledged, read from the board's disk."""
        with closing(sqlite3.connect(self.data / "journal.sqlite3")) as db:
            (count,) = db.execute("SELECT count(*) FROM outbox").fetchone()
        return int(count)

    def win(self, seat: int, behind: int) -> None:
        self.say("game cribbage")
        self.say(f"{3 - seat} adjust +{behind}")
        self.say(f"{seat} adjust +121")


class Club:
    """Broker, hub and boards, and the events that hit them."""

    def __init__(self, directory: Path, boards: int) -> None:
        names = [f"t{n}" for n in range(boards)]
        self.store = directory / "club.sqlite3"
        self._port = free_port()
        self.said: list[str] = []
        self._broker = Mosquitto(directory / "broker", names)
        self._broker.start()
        self._hub = self._open_hub()
        self.boards = [Board(name, self._broker, directory / name) for name in names]

    def _open_hub(self) -> HubProcess:
        return HubProcess(self._broker, self.store, self._port)

    def _end_hub(self, how: signal.Signals) -> None:
        self.said.append(self._hub.end(how))

    def strike(self, what: str, chance: random.Random) -> Callable[[], None]:
        """Kill something and restart it a moment later."""
        soon, down = chance.uniform(0, 0.03), chance.uniform(0, 0.5)
        victim = chance.choice(self.boards)

        def struck() -> None:
            time.sleep(soon)
            if what == "board":
                victim.strike(down)
            elif what == "broker":
                self._broker.kill()
                time.sleep(down)
                self._broker.start()
            else:
                self._end_hub(signal.SIGKILL)
                time.sleep(down)
                self._hub = self._open_hub()

        return struck

    def kept(self) -> Counter[tuple[str, int]]:
        """Return the hub's stored board and loser's points of each game."""
        store = Store(self.store)
        try:
            return Counter((game.board, min(game.result["scores"])) for game in store.games())
        finally:
            store.close()

    def end(self) -> None:
        for board in self.boards:
            board.end()
            self.said += board.said
        self._end_hub(signal.SIGTERM)
        self._broker.kill()


def storm(directory: Path, boards: int, games: int, kills: int, seed: int) -> dict[str, int]:
    """Play this many games while this many processes are killed, and return the results."""
    need("mosquitto")
    chance = random.Random(seed)
    club = Club(directory, boards)
    kinds = [("board", "broker", "hub")[n % 3] for n in range(kills)]
    strikes = dict(zip(chance.sample(range(games), kills), kinds, strict=True))
    played: Counter[tuple[str, int]] = Counter()
    threads: list[threading.Thread] = []
    try:
        for game in range(games):
            board = club.boards[game % boards]
            behind = game % 90 + 1
            if game in strikes:
                for thread in threads:
                    thread.join()  # one at a time; otherwise a restart would meet the next kill
                threads.append(threading.Thread(target=club.strike(strikes[game], chance)))
                threads[-1].start()
            board.win(1 + game % 2, behind)
            played[board.name, behind] += 1
        for thread in threads:
            thread.join()
        for _ in range(1200):  # the bound only ensures that a failing test ends
            if not any(board.waiting() for board in club.boards):
                break
            time.sleep(0.1)
    finally:
        club.end()
    kept = club.kept()
    assert not played - kept, "none lost"
    assert not kept - played, "none twice"
    assert not any(board.waiting() for board in club.boards), "each board knows that it is kept"
    text = "".join(club.said)
    assert "Traceback" not in text, text
    assert "never retrieved" not in text, text
    return {
        "boards": boards,
        "games": games,
        "results": sum(kept.values()),
        "lost": sum((played - kept).values()),
        "twice": sum((kept - played).values()),
        **{f"{kind}s killed": kinds.count(kind) for kind in sorted(set(kinds))},
    }


@pytest.mark.slow
def test_a_short_storm(tmp_path: Path) -> None:
    found = storm(tmp_path, boards=4, games=24, kills=4, seed=4)
    assert (found["boards killed"], found["brokers killed"], found["hubs killed"]) == (2, 1, 1)


@pytest.mark.long
def test_400_games_from_20_boards_while_everything_is_killed_20_times(
    tmp_path: Path, seed: int, long_run: LongRun
) -> None:
    long_run(**storm(tmp_path, boards=20, games=400, kills=20, seed=seed))
