"""A camera over the table: a key takes a picture, and its cards are only previewed."""

from __future__ import annotations

import asyncio
import json
import sys
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from boardctl.app.board_app import BoardApp
from boardctl.app.config import parse
from boardctl.app.daemon import simulated
from boardctl.camera import devices
from boardctl.camera.photo import PhotoError
from boardctl.camera.photo_api import PhotoReader
from boardctl.camera.table_camera import TableCamera
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce
from tests.tables import submit

HAND = ("5H", "5S", "JD", "4C")


def board(tmp_path: Path) -> BoardApp:
    made = BoardApp(simulated(parse({})), tmp_path, VirtualClock(), None, AtOnce())
    for line in ("dealer 1", "deal", "starter 5D"):
        submit(made.table, line, "test")
    return made


UNSEEN = {"error": {"code": "no-picture", "fields": {}}}


def photographed(tmp_path: Path, cards: dict[str, bool], device: str = "/dev/video0") -> BoardApp:
    """Return a board after a held `#` and `A`, with a camera that sees these cards, with certainty
    or not."""
    made = board(tmp_path)
    seen = [{"card": card, "sure": sure, "box": []} for card, sure in cards.items()]
    program = (
        "import sys; assert sys.argv[1:3] == ['--camera', '/dev/video0'], sys.argv;"
        f"print({json.dumps(json.dumps({'cards': seen}))})"
        if cards
        else f"print({json.dumps(json.dumps(UNSEEN))}); exit(1)"
    )

    async def run() -> None:
        reader = PhotoReader(tmp_path, command=("-c", program))
        TableCamera(made, device, reader)
        for key in ("hold #", "A"):
            made.controller._press(key)
        tasks = [task for task in asyncio.all_tasks() if task.get_name() == "photo"]
        await asyncio.gather(*tasks)

    asyncio.run(run())
    return made


def lines(made: BoardApp) -> str:
    return " ".join(made.controller.lines())


def test_a_hand_under_the_camera_is_previewed_and_pegged_by_a_key(tmp_path: Path) -> None:
    made = photographed(tmp_path, dict.fromkeys(HAND, True))
    before = made.table.number
    assert made.controller.keypad_state.mode == "preview"
    assert "15?" in lines(made)
    made.controller._press("#")
    assert made.table.number > before
    made.close()


@pytest.mark.parametrize(
    ("cards", "device", "sentence"),
    [
        ({"5H": True, "5S": False, "JD": True, "4C": True}, "/dev/video0", "Not sure of 5S"),
        (dict.fromkeys(HAND[:3], True), "/dev/video0", "Cards seen: 3"),
        ({}, "/dev/video0", "it gives no picture"),
        (dict.fromkeys(HAND, True), "", "This board has no camera."),
    ],
)
def test_what_is_not_certain_is_typed(
    cards: dict[str, bool], device: str, sentence: str, tmp_path: Path
) -> None:
    made = photographed(tmp_path, cards, device)
    assert sentence in lines(made)
    assert made.controller.keypad_state.move is None
    made.controller._press("A")
    assert made.controller.keypad_state.mode == "seat"  # the keys work as before
    made.close()


class FakeCamera:
    """A V4L2 camera that returns some pictures, then none."""

    def __init__(self, picture: Any) -> None:
        self.picture = picture
        self.released = False

    def set(self, what: int, value: float) -> bool:
        return True

    def grab(self) -> bool:
        return True

    def read(self) -> tuple[bool, Any]:
        return self.picture is not None, self.picture

    def release(self) -> None:
        self.released = True


@pytest.mark.parametrize("works", [True, False])
def test_a_v4l2_camera_takes_one_picture_and_is_released(
    works: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    device = tmp_path / "video0"
    device.touch()
    camera = FakeCamera(np.zeros((1080, 1920, 3), np.uint8) if works else None)
    monkeypatch.setattr(cv2, "VideoCapture", lambda name, how: camera)
    if works:
        assert devices.take(str(device)).image.shape == (1080, 1920, 3)
    else:
        with pytest.raises(PhotoError, match="gives no picture"):
            devices.take(str(device))
    assert camera.released


def test_the_pis_camera_takes_one_picture_and_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    calls: list[str] = []

    class Picamera2:
        def create_still_configuration(self, main: dict[str, Any]) -> dict[str, Any]:
            return main

        def configure(self, configuration: dict[str, Any]) -> None:
            self.size = configuration["size"]

        def start(self) -> None:
            calls.append("start")

        def capture_array(self) -> Any:
            return np.zeros((self.size[1], self.size[0], 3), np.uint8)

        def stop(self) -> None:
            calls.append("stop")

        def close(self) -> None:
            calls.append("close")

    monkeypatch.setitem(sys.modules, "picamera2", SimpleNamespace(Picamera2=Picamera2))
    assert devices.take("picamera").image.shape == (1232, 1640, 3)
    assert calls == ["start", "stop", "close"]
