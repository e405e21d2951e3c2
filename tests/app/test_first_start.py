"""The network messages of a card image's board."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from boardctl.app import card, first_start
from boardctl.app.first_start import SELDOM, SOON, FirstStart, is_new
from boardctl.board.render import Waiting
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.web import PHONES
from boardctl.web.pairing import Paired, Pairing


class Board:
    """Records the announcements."""

    language = "en"

    def __init__(self) -> None:
        self.said: list[tuple[tuple[str, ...], str, Waiting | None]] = []
        self.shown: tuple[str, ...] = ()

    def announce(
        self,
        lines: tuple[str, ...],
        digits: str = "",
        link: str = "",
        waiting: Waiting | None = None,
    ) -> None:
        self.said.append((lines, link, waiting))
        self.shown = lines

    def retract(self, lines: tuple[str, ...]) -> None:
        if lines == self.shown:
            self.shown = ()


NONE = {"network": "none", "hotspot": ""}
HOTSPOT = {"network": "hotspot", "hotspot": "cribbage-123"}
CONNECTED = {"network": "connected", "hotspot": ""}
LOOKING = (("No network yet", "You can play now"), "", "network")
JOIN = (("Join the Wi-Fi", "cribbage-123"), "WIFI:T:nopass;S:cribbage-123;;", "phone")
PAGE = (("The page is at", "cribbage.local"), "", None)


def test_it_looks_for_a_network_then_offers_its_own_wifi_then_says_where_its_page_is() -> None:
    board = Board()
    first = FirstStart(board)
    assert first.show(NONE) == SOON
    assert board.said == [LOOKING]
    assert [first.show(HOTSPOT) for _ in range(5)] == [5, 10, 20, 40, first_start.HOTSPOT]
    assert board.said[1:] == [JOIN]
    first.show(NONE)
    assert board.said[2:] == [LOOKING], "a phone has shown it a network, which it tries"
    first.show(HOTSPOT)
    assert board.said[3:] == [JOIN], "the password was wrong"
    first.show(NONE)
    assert first.show(CONNECTED) == SOON
    assert board.said[5:] == [PAGE]
    assert first.show(CONNECTED) == SELDOM
    first.show(CONNECTED)
    first.show(NONE)
    assert len(board.said) == 6, "a network that goes away disturbs no game …"
    first.show(HOTSPOT)
    assert board.said[6:] == [JOIN], "… until a phone could help"


def test_settings_of_the_cards_files_that_are_not_used_are_named_once() -> None:
    board = Board()
    first = FirstStart(board)
    unused = {"unused": [["wlan.password", "too short"], ["ssh", "absent"]], "unused_now": True}
    assert first.show(NONE | unused) == first_start.NOTICE
    assert board.said == [(("Not used:", "wlan.password, ssh"), "", None)]
    assert first.show(NONE | unused) == SOON
    assert board.said[1:] == [LOOKING]
    earlier = FirstStart(board)
    earlier.show(NONE | unused | {"unused_now": False})
    assert board.said[2:] == [LOOKING], "a later start with the same file says nothing"


def test_a_display_shows_the_hotspots_password() -> None:
    board = Board()
    FirstStart(board).show(HOTSPOT | {"password": "k7mq2xw9pd"})
    link = "WIFI:T:WPA;S:cribbage-123;P:k7mq2xw9pd;;"
    assert board.said == [(("cribbage-123", "k7mq2xw9pd"), link, "phone")]


def test_a_new_board_shows_a_pin_by_itself_until_it_is_set_up() -> None:
    """The PIN is shown once a phone can use it: when a phone has joined the hotspot, or when the
    board is on a network."""
    board, shown, new = Board(), [], True

    def invite() -> bool:
        if new:
            shown.append(len(board.said))
        return new

    first = FirstStart(board, invite)
    first.show(NONE)
    first.show(HOTSPOT | {"joined": False})
    assert shown == [], "nobody could use it"
    assert first.show(HOTSPOT | {"joined": True}) == first_start.INVITED
    assert len(shown) == 1
    first.show(NONE)
    assert first.show(CONNECTED | {"page": "red.local"}) == SOON
    assert board.said[-1] == (("The page is at", "red.local"), "", None)
    assert [first.show(CONNECTED) for _ in range(2)] == [first_start.INVITED] * 2
    assert len(shown) == 3, "the address first, then a PIN that is always valid"
    new = False
    assert first.show(CONNECTED) == SELDOM
    assert len(shown) == 3
    fresh = FirstStart(Board(), lambda: True)
    assert fresh.show(CONNECTED) == first_start.INVITED, "known from the Imager, or by cable"


def test_a_board_that_comes_up_in_its_network_says_nothing() -> None:
    board = Board()
    assert FirstStart(board).show(CONNECTED) == SELDOM
    assert board.said == []


def test_a_board_that_finds_its_network_shows_the_game_again() -> None:
    board = Board()
    first = FirstStart(board)
    first.show(NONE)
    first.show(CONNECTED)
    assert board.said == [LOOKING]
    assert board.shown == ()


def test_without_any_network_it_stops_looking() -> None:
    """Each check starts programs, and a blinking light keeps the board awake."""
    board = Board()
    first = FirstStart(board)
    waits, looked = [first.show(NONE)], 0.0
    while board.shown:
        looked += waits[-1]
        waits.append(first.show(NONE))
    assert 60 < looked < 300
    waits += [first.show(NONE) for _ in range(10)]
    assert waits[-1] == SELDOM
    assert board.said == [LOOKING]


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
    assert slept == [SELDOM, SOON]
    assert len(board.said) == 1


def test_the_window_closes_for_good_at_the_first_phone_or_key(tmp_path: Path) -> None:
    """An attacker on the network could otherwise pair and unpair, fill the file, and guess PINs."""
    assert is_new(False, tmp_path)
    assert not is_new(True, tmp_path), "somebody is at the board's own keys"
    clock = VirtualClock()
    pairing = Pairing(tmp_path / PHONES, clock.time, lambda: 123456, clock.time)
    pin = pairing.begin()
    for guess in range(40):
        assert pairing.answer(f"{guess:06d}", f"10.41.0.{guess}") == "wrong-pin"
        assert is_new(False, tmp_path), "a wrong PIN neither closes the window nor opens it"
    assert isinstance(pairing.answer(pin, "10.41.0.99"), Paired)
    assert not is_new(False, tmp_path)
    pairing.forget()
    assert not is_new(False, tmp_path), "no phone left, and still somebody's board"
    init = (Path(__file__).parents[2] / "packaging/image/init").read_text("utf-8")
    assert f"rm -f /data/board/{PHONES} /data/board/own-keys" in init, "a factory reset opens it"
