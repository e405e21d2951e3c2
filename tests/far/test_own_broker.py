"""Mosquitto as this board's own broker: its start, its end and its limits."""

from __future__ import annotations

import asyncio
import logging
import os
import socket
from collections.abc import Callable
from pathlib import Path

import pytest

from boardctl.console.faults import RETRY, Faults
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.far import own_broker
from boardctl.text import words
from tests.parts import need
from tests.ports import free_port


@pytest.fixture
def pretend(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Path]:
    """Returns a function that makes a shell script the broker, and returns the script's folder."""

    def script(text: str) -> Path:
        path = tmp_path / "mosquitto"
        path.write_text(f"#!/bin/sh\n{text}\n", "utf-8")
        path.chmod(0o700)
        monkeypatch.setattr(own_broker, "program", lambda: str(path))
        monkeypatch.setattr(own_broker, "prepare", lambda data, host, port: data)
        return tmp_path

    return script


class Time:
    """The broker's waits. Each wait to start again ends at once, until `tries` are over.

    Args:
        clock: is advanced by these waits.
        lasts: whether each wait for a steady broker ends at once, or never.
    """

    def __init__(self, clock: VirtualClock, tries: int, lasts: bool = False) -> None:
        self._clock = clock
        self._left = tries
        self._lasts = lasts

    async def sleep(self, seconds: float) -> None:
        if seconds == own_broker.STEADY:
            if not self._lasts:
                await asyncio.Event().wait()
            return
        assert seconds == own_broker.AGAIN
        self._clock.run(seconds)
        self._left -= 1
        if not self._left:
            raise asyncio.CancelledError


def served(
    folder: Path, report: Callable[[str | None], None], time: Time, port: int = 8883
) -> None:
    """Serve until the last attempt is over."""

    async def serve() -> None:
        await own_broker.serve(folder, "localhost", port, report, time.sleep)

    with pytest.raises(asyncio.CancelledError):
        asyncio.run(asyncio.wait_for(serve(), 60))


def test_a_broker_that_cannot_start_has_one_fault_and_no_recovery(
    pretend: Callable[[str], Path], caplog: pytest.LogCaptureFixture
) -> None:
    """The broker used to be reported as working each time it was started, although it failed
    immediately."""
    caplog.set_level(logging.WARNING)
    clock = VirtualClock()
    faults = Faults(clock, lambda: None, lambda: pytest.fail("nothing has recovered"), lambda: None)
    told: list[str | None] = []

    def report(reason: str | None) -> None:
        told.append(reason)
        faults.report("far", reason)

    folder = pretend("echo '17: Error: Address already in use' >&2; echo '17: end' >&2; exit 1")
    tries = 2 + round(RETRY / own_broker.AGAIN)
    served(folder, report, Time(clock, tries))
    assert told == ["`mosquitto` failed: Address already in use"] * tries
    assert [record.getMessage() for record in caplog.records] == [f"far: {told[0]}"]


def test_a_broker_without_a_word_is_told_by_its_status(pretend: Callable[[str], Path]) -> None:
    told: list[str | None] = []
    served(pretend("exit 3"), told.append, Time(VirtualClock(), 1))
    assert told == ["`mosquitto` failed: 3"]


def test_a_japanese_board_has_the_fault_in_japanese(
    pretend: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The fault used to be an English sentence without a code."""
    told: list[str | None] = []
    folder = pretend("echo 'Error: Address already in use' >&2; exit 1")
    served(folder, told.append, Time(VirtualClock(), 1))
    monkeypatch.setattr(own_broker, "program", lambda: None)
    served(folder, told.append, Time(VirtualClock(), 1))
    monkeypatch.setattr(own_broker, "program", lambda: str(folder))
    served(folder, told.append, Time(VirtualClock(), 1))
    assert [words(reason or "", "ja") for reason in told] == [
        "`mosquitto`が失敗しました：アドレスがすでに使われています",
        "mosquitto がインストールされていません",
        f"{folder}：権限がありません",
    ]


def test_a_broker_that_stays_alive_works_again(pretend: Callable[[str], Path]) -> None:
    """The broker ends only after the report that it works, which opens its pipe."""
    told: list[str | None] = []
    folder = pretend('read line <"$(dirname "$2")/gate"; exit 1')
    gate = folder / "gate"
    os.mkfifo(gate)

    def report(reason: str | None) -> None:
        told.append(reason)
        if reason is None:
            gate.write_text("end\n", "utf-8")

    served(folder, report, Time(VirtualClock(), 2, lasts=True))
    assert told == [None, "`mosquitto` failed: 1"] * 2


def test_much_output_does_not_stop_the_broker(pretend: Callable[[str], Path]) -> None:
    told: list[str | None] = []
    lines = "i=0; while [ $i -lt 9000 ]; do echo 'a line about a stranger' >&2; i=$((i+1)); done"
    served(
        pretend(f"{lines}; echo 'Error: Out of memory.' >&2"), told.append, Time(VirtualClock(), 1)
    )
    assert told == ["`mosquitto` failed: Out of memory."]


def test_a_port_in_use_is_the_reason(tmp_path: Path) -> None:
    need("mosquitto")
    told: list[str | None] = []
    with socket.socket() as taken:
        taken.bind(("0.0.0.0", free_port()))
        taken.listen()
        served(tmp_path, told.append, Time(VirtualClock(), 1), taken.getsockname()[1])
    assert told == ["`mosquitto` failed: Address already in use"]


def test_an_end_of_the_board_ends_the_broker(pretend: Callable[[str], Path]) -> None:
    folder = pretend('echo $$ >"$2.pid"; exec sleep 600')
    written = folder / "mosquitto.conf.pid"

    async def serve() -> int:
        begun = asyncio.Event()

        async def sleep(seconds: float) -> None:
            begun.set()
            await asyncio.Event().wait()

        task = asyncio.create_task(
            own_broker.serve(folder, "localhost", 8883, lambda reason: None, sleep)
        )
        await begun.wait()
        while not (written.exists() and written.read_text("ascii").strip()):
            await asyncio.sleep(0.01)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        return int(written.read_text("ascii"))

    number = asyncio.run(asyncio.wait_for(serve(), 60))
    assert not Path(f"/proc/{number}").exists()


def test_a_households_broker_has_lower_limits_than_a_clubs(tmp_path: Path) -> None:
    """An earlier version's configuration takes the new limits, and the other house stays joined."""
    need("mosquitto")
    folder = own_broker.prepare(tmp_path, "ann.example", 8883)
    written = folder / "mosquitto.conf"
    lines = written.read_text("utf-8").splitlines()
    assert f"max_connections {own_broker.CONNECTIONS}" in lines
    assert f"memory_limit {own_broker.MEMORY}" in lines
    code = own_broker.code(tmp_path)
    written.write_text("of an earlier version", "utf-8")
    own_broker.prepare(tmp_path, "ann.example", 8883)
    assert written.read_text("utf-8").splitlines() == lines
    assert own_broker.code(tmp_path) == code
