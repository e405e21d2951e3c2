"""`boardctl run` with `[mqtt]` on, as a process, with a real Mosquitto.

The tests cover retained messages, accepted and refused lines, and the broker's last will when the
process is killed.
"""

from __future__ import annotations

import asyncio
import json
import signal
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.mqtt.broker import Mosquitto
from tests.mqtt.listener import listening
from tests.mqtt.running import run
from tests.waiting import until
from tests.web.conftest import Daemon

STATE = "boardctl/one/state"


@pytest.fixture
def board(broker: Mosquitto, tmp_path: Path) -> Iterator[Daemon]:
    daemon = run(broker, "one", tmp_path / "board", commands=True)
    yield daemon
    if daemon.process.poll() is None:
        daemon.end(signal.SIGKILL)


def test_a_process_is_seen_commanded_and_missed(broker: Mosquitto, board: Daemon) -> None:
    async def play() -> None:
        async with listening(broker, "home", "boardctl/#") as home:

            async def said(line: str, expect: int) -> Any:
                count = len(home.heard.get("boardctl/one/answer", []))
                answer = json.dumps({"line": line, "expect": expect})
                await home.client.publish("boardctl/one/command", answer, qos=1)
                await until(
                    lambda: len(home.heard.get("boardctl/one/answer", [])) > count, "answer"
                )
                return home.last("boardctl/one/answer")

            await until(lambda: home.last("boardctl/one/online") == "online", "online")
            number = (await asyncio.to_thread(board.state))["number"]
            # Accepted: the line is on the table, and published.
            assert (await said("1 peg 8", number))["number"] == number + 1
            await until(lambda: home.last(STATE)["scores"] == [8, 0], "told")
            # Refused: replayed, illegal, not a line; the game is unchanged.
            assert (await said("1 peg 8", number))["refused"] == "stale"
            assert (await said("1 peg 99", number + 1))["refused"] == "impossible-points"
            assert (await said("1 dance", number + 1))["refused"] == "syntax"
            await home.client.publish("boardctl/one/command", "{", qos=1)
            assert (await asyncio.to_thread(board.state))["number"] == number + 1
            # Lines entered on the board itself are published too.
            await asyncio.to_thread(board.say, "2 peg 5")
            await until(lambda: home.last(STATE)["scores"] == [8, 5], "told")
        # A client that connects later gets the current state, which is retained.
        async with listening(broker, "home", "boardctl/#") as late:
            await until(lambda: STATE in late.heard, "retained")
            assert late.last(STATE)["scores"] == [8, 5]
            assert late.last("boardctl/one/online") == "online"
            answer = await asyncio.to_thread(board.end, signal.SIGKILL)
            await until(lambda: late.last("boardctl/one/online") == "offline", "its last will")
        for refused in ("stale", "impossible-points", "syntax", "is not valid JSON"):
            assert answer.count(refused) == 1, "logged once"

    asyncio.run(play())


def test_a_process_that_is_told_to_end_says_so(broker: Mosquitto, board: Daemon) -> None:
    async def play() -> None:
        async with listening(broker, "home", "boardctl/#") as home:
            await until(lambda: home.last("boardctl/one/online") == "online", "online")
            assert await asyncio.to_thread(board.end) == ""
            assert board.process.returncode == 0
            await until(lambda: home.last("boardctl/one/online") == "offline", "offline")

    asyncio.run(play())
