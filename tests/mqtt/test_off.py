"""MQTT: none of it is loaded if it is off, and a board that reaches no broker continues to play."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from boardctl.app.config import Config, ConfigError, parse
from boardctl.mqtt import Options
from boardctl.mqtt.client import linked
from tests.mqtt.tables import Seated
from tests.waiting import until


def test_nothing_is_loaded_where_it_is_off() -> None:
    assert not Config().mqtt.enabled
    done = subprocess.run(
        [
            sys.executable,
            "-c",
            "import sys, boardctl.app.daemon, boardctl.web.serve; "
            "print([n for n in sys.modules if 'mqtt' in n or n.startswith('boardctl.club')])",
        ],
        capture_output=True,
        text=True,
        check=True,
        cwd=Path(__file__).parents[2],
    )
    assert done.stdout.strip() == "['boardctl.mqtt', 'boardctl.mqtt.feature']", (
        "its options, and nothing else"
    )


def test_a_board_without_a_broker_plays_and_keeps_its_results(tmp_path: Path) -> None:
    seated = Seated(tmp_path)
    options = replace(Options(), enabled=True, tls=False, host="127.0.0.1", port=9)

    failed: list[float] = []

    def waits() -> Iterator[float]:
        while True:
            failed.append(0.01)
            yield failed[-1]

    async def tried_again() -> None:
        enough = len(failed) + 2
        await until(lambda: len(failed) >= enough, "it tried again")

    async def play() -> None:
        async with linked(seated, options, waits):
            for game in range(3):
                seated.win(1, game)
                await tried_again()

    asyncio.run(play())
    assert len(seated.table.journal.outbox().result()) == 3
    assert seated.table.position.tally.won == (6, 0)
    seated.close()


@pytest.mark.parametrize("name", ["a/b", "+", "#", "", "ünder", "x" * 33])
def test_a_name_that_would_break_out_of_its_topics_is_refused(name: str) -> None:
    with pytest.raises(ConfigError) as refused:
        parse({"mqtt": {"board": name}})
    assert "cannot be the name of a board" in str(refused.value)
