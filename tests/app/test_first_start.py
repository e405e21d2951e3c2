"""The network messages of a card image's board."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from typing import Any

import pytest

from boardctl.app import card, first_start
from boardctl.app.first_start import SELDOM, SOON, FirstStart


class Board:
    """Records what is announced."""

    language = "en"

    def __init__(self) -> None:
        self.said: list[tuple[tuple[str, ...], str]] = []

    def announce(self, *lines: str, digits: str = "", link: str = "") -> None:
        self.said.append((lines, link))


HOTSPOT = {"network": "hotspot", "hotspot": "cribbage-123"}


def test_its_own_wifi_is_told_once_and_the_page_when_there_is_a_network() -> None:
    board = Board()
    first = FirstStart(board)
    assert first.tell({"network": "none", "hotspot": ""}) == SOON
    assert board.said == []
    assert first.tell(HOTSPOT) == first_start.HOTSPOT
    assert first.tell(HOTSPOT) == first_start.HOTSPOT
    assert board.said == [(("Join the Wi-Fi", "cribbage-123"), "WIFI:T:nopass;S:cribbage-123;;")]
    assert first.tell({"network": "connected", "hotspot": ""}) == SELDOM
    assert board.said[1] == (("The page is at", "cribbage.local"), "")
    first.tell(HOTSPOT)
    assert len(board.said) == 3, "the network has gone away"


def test_a_board_that_comes_up_in_its_network_says_nothing() -> None:
    board = Board()
    assert FirstStart(board).tell({"network": "connected", "hotspot": ""}) == SELDOM
    assert board.said == []


def test_a_helper_that_fails_ends_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    board = Board()
    answers: list[Mapping[str, Any] | None] = [None, HOTSPOT]
    slept: list[float] = []

    def ask(do: str) -> Mapping[str, Any]:
        answer = answers.pop(0)
        if answer is None:
            raise card.CardError("it does not answer")
        return answer

    async def sleep(seconds: float) -> None:
        slept.append(seconds)
        if not answers:
            raise asyncio.CancelledError

    monkeypatch.setattr(card, "ask", ask)
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(FirstStart(board).watch(sleep))
    assert slept == [SELDOM, first_start.HOTSPOT]
    assert len(board.said) == 1
