"""Any message on any topic of a board: no handler fails, and no change violates the rules."""

from __future__ import annotations

import asyncio
import json
import random
from contextlib import suppress
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from boardctl.mqtt import Options
from boardctl.mqtt.client import HUB, _Link
from boardctl.mqtt.results import Malformed
from tests.mqtt.tables import Seated, soon
from tests.report import LongRun

NUMBERS: tuple[Any, ...] = (
    0,
    1,
    -1,
    7,
    2**31,
    2**63 - 1,
    2**63,
    10**30,
    1e308,
    1.5,
    True,
    None,
    "1",
    [],
    {},
)
TEXTS = ("", "x", "1 peg 2", "undo", "undo 99999", "amend 1 2 peg 3", "seat 9 Eve", "session x",
         "1 show 5H 5S 5C JD", "\x00", "\ud800", "é" * 600, "1 peg " + "9" * 400, "deal", None, 3,
         "insert 1 1 peg 2", "game bezique", "set target 61", "2 adjust -500")  # fmt: skip
BYTES = (
    b"",
    b"{}",
    b"[]",
    b"null",
    b"\xff\xfe",
    b"[" * 2000,
    b'{"a":' * 300,
    b"5" * 5000,
    b"50",
    b"0050",
)


class Broker:
    """Records published messages."""

    def __init__(self) -> None:
        self.answers: list[dict[str, Any]] = []

    async def publish(self, topic: str, payload: str, **more: Any) -> None:
        self.answers.append(json.loads(payload))


def message(chance: random.Random, number: int) -> tuple[str, bytes, bool]:
    """A topic, a nearly valid payload, and whether it is retained."""
    topic = chance.choice((HUB, *(f"boardctl/one/{name}" for name in ("ack", "light", "command"))))
    kind = chance.randrange(4)
    if kind == 0:
        return topic, chance.choice(BYTES), chance.random() < 0.2
    if kind == 1:
        return topic, chance.randbytes(chance.randrange(40)), False
    version = number if chance.random() < 0.3 else chance.choice(NUMBERS)
    body = {"line": chance.choice(TEXTS), "expect": version}
    if topic.endswith("ack"):
        body = {"game": chance.choice(TEXTS), "version": version}
    if chance.random() < 0.2:
        body[chance.choice(("line", "game", "more"))] = chance.choice(NUMBERS)
    payload = json.dumps(body).encode()
    if kind == 2 and payload:
        place = chance.randrange(len(payload))
        payload = payload[:place] + bytes((chance.randrange(256),)) + payload[place + 1 :]
    return topic, payload, chance.random() < 0.1


def play(count: int, seed: int, data: Path) -> dict[str, int]:
    """Send this many messages to one board, and return the numbers of malformed messages and of
    accepted lines."""
    chance = random.Random(seed)
    seated = Seated(data)
    broker = Broker()
    found = {"malformed": 0, "accepted": 0}

    async def run() -> None:
        link = _Link(seated, Options(board="one", commands=True), soon)
        for _ in range(count):
            before, light = seated.table.number, seated.light
            topic, payload, retained = message(chance, before)
            broker.answers.clear()
            try:
                value: Any = SimpleNamespace(payload=payload, retain=retained, topic=topic)
                await link._receive(broker, topic, value)  # type: ignore[arg-type]
            except Malformed:
                found["malformed"] += 1
                assert not broker.answers
            accepted = sum("number" in answer for answer in broker.answers)
            found["accepted"] += accepted
            assert seated.table.number == before + accepted, (
                "a line is accepted once, and said to be"
            )
            assert accepted == 0 or topic.endswith("command")
            assert seated.light == light or (topic.endswith("light") and 0.05 <= seated.light <= 1)
        link.leave()

    with suppress(asyncio.CancelledError):
        asyncio.run(run())
    seated.close()
    return found


def test_messages_of_all_kinds(tmp_path: Path) -> None:
    found = play(1500, seed=1, data=tmp_path)
    assert found["malformed"] > 300
    assert found["accepted"] > 0


@pytest.mark.long
def test_300_000_messages_of_all_kinds(tmp_path: Path, seed: int, long_run: LongRun) -> None:
    found = play(300_000, seed, data=tmp_path)
    long_run(messages=300_000, **found)
