"""The computer player's own cards from a photo that nobody looks at."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import httpx
import pytest

from boardctl.bot.player_photo import in_a_row
from boardctl.camera.photo_api import PhotoReader
from boardctl.web import Options
from boardctl.web.app import make
from tests.tables import submit
from tests.web.test_live import Board
from tests.web.test_player import HEAD, ORIGIN, SPEAK_LEVEL


def test_a_photo_is_read_from_left_to_right() -> None:
    """A card's position is its place in the row; an uncertain reading is not a card."""
    buttons = [
        {"card": card, "sure": sure, "box": [[x, 5], [x + 9, 5], [x + 9, 20], [x, 20]]}
        for card, sure, x in (
            ("QS", True, 40),
            ("5H", True, 10),
            ("QS", True, 60),
            ("2C", False, 1),
        )
    ]
    assert in_a_row(buttons) == ["5H", "QS"]


HAND = ("5H", "6S", "7D", "8C", "JH", "QS")


def of_photo(cards: dict[str, tuple[bool, float]]) -> list[dict[str, Any]]:
    """Return the reader's answer for cards in a row: for each, whether it is sure, and its
    probability."""
    return [
        {
            "card": card,
            "sure": sure,
            "probability": probability,
            "box": [[20 * place + x, y] for x, y in ((0, 0), (14, 0), (14, 20), (0, 20))],
        }
        for place, (card, (sure, probability)) in enumerate(cards.items())
    ]


@pytest.mark.parametrize(
    ("beside", "refusal"),
    [
        ({}, ""),
        ({"AS": (False, 0.019)}, ""),
        ({"KD": (False, 0.3)}, "doubt"),
        ({"KD": (False, 0.8)}, "doubt"),
        ({"KD": (True, 0.99)}, "not-all"),
        ({"QS": (False, 0.8)}, "not-all"),
    ],
)
def test_a_hand_that_nobody_sees_is_entered_only_without_doubt(
    tmp_path: Path,
    beside: dict[str, tuple[bool, float]],
    refusal: str,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Nobody could find an error in it, so the board asks about every other card that the photo may
    show."""
    found = of_photo(dict.fromkeys(HAND, (True, 0.99)) | beside)

    async def read(*_: Any) -> list[dict[str, Any]]:
        return found

    monkeypatch.setattr(PhotoReader, "read", read)
    board = Board(tmp_path)

    async def evening() -> None:
        for line in HEAD:
            submit(board.table, line, "test")
        board.player.take_seat(2, SPEAK_LEVEL)
        for line in ("dealer 2", "deal"):
            submit(board.table, line, "test")
        before = board.table.number
        transport = httpx.ASGITransport(make(board, Options()))
        headers = {"origin": ORIGIN}
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as page:
            answer = (await page.post("/player/photo", content=b"photo")).json()
            said = (await page.post("/player/photo?lang=ja", content=b"photo")).json()
        if refusal:
            assert answer["refused"]["code"] == refusal
            assert said["refused"]["message"] != answer["refused"]["message"]
            assert board.table.number == before
        else:
            assert answer == {"read": 6}
        await board.player.close()

    try:
        asyncio.run(evening())
    finally:
        board.close()
