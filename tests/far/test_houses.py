"""Two boards as people run them, `boardctl run --sim`, over a real Mosquitto with TLS: from an
invitation to a finished game, with power cuts of either board and of the broker."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.far.boards import NAMES, Boards
from tests.mqtt.broker import Mosquitto
from tests.parts import need


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    need("mosquitto")
    started = Mosquitto(tmp_path / "broker", NAMES)
    started.start()
    yield started
    started.kill()


@pytest.fixture
def boards(broker: Mosquitto, tmp_path: Path) -> Iterator[Boards]:
    both = Boards(broker, tmp_path)
    yield both
    both.end()


def agree(boards: Boards) -> None:
    states = [boards.state(board) for board in (0, 1)]
    assert states[0]["seats"] == states[1]["seats"] == ["Ann", "Bob"]
    assert [side["score"] for side in states[0]["sides"]] == [
        side["score"] for side in states[1]["sides"]
    ]
    assert states[0]["over"]
    assert states[1]["over"]


def test_an_invitation_a_game_and_another(boards: Boards) -> None:
    boards.meet(target="31")
    boards.play()
    agree(boards)
    assert boards.post(1, "/far/play", house=0)["houses"][0]["offering"]
    boards.until(lambda: boards.far(0)["houses"][0]["offered"], "offered")
    boards.post(0, "/far/play", house=0)
    boards.until(lambda: boards.far(1)["game"]["due"], "begun")
    boards.play()
    agree(boards)


def test_power_cuts_of_both_boards_and_of_the_broker(boards: Boards) -> None:
    boards.meet(target="31")
    for step in range(9):
        boards.play(3)
        if step % 3 == 2:
            boards.broker.kill()
            boards.broker.start()
        else:
            boards.restart(step % 3)
    boards.play()
    agree(boards)
