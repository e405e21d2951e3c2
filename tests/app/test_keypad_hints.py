"""Hints requested with the keypad of a simulated board, on its display and aloud."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.drivers.ports import KeyEvent
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce
from boardctl.text.spoken import plain
from tests.tables import submit

DEAL = ("dealer 1", "deal", "1 hand 5H 6S 7D 8C JH QS")


class Asking:
    """A board at which somebody asks for hints."""

    def __init__(self, data: Path) -> None:
        self.clock = VirtualClock()
        self.board = BoardApp(simulated(Config()), data, self.clock, None, writer=AtOnce())
        self.clock.run(1)
        self.hand: int | None = None
        self.board.controller._seat_of = lambda source: self.hand
        self.said: list[str] = []
        self.board.features.of("speech").voice.spoken.connect(self.said.append)

    def play(self, *lines: str) -> None:
        for line in lines:
            submit(self.board.table, line, "test")

    async def press(self, key: str, seconds: float = 0.06) -> None:
        """Press a key on the board's own keypad, or on a seat's own pad."""
        source = "" if self.hand is None else "pad"
        for pressed, then in ((True, seconds), (False, 0.1)):
            event = KeyEvent(key, pressed, self.clock.time(), source)
            self.board.controller.on_key(event)
            self.clock.run(then)
        await asyncio.sleep(0)

    async def ask(self) -> str:
        """Return the display after `hold #`, `#`."""
        controller = self.board.controller
        await self.press("#", 1.2)
        await self.press("#")
        async with asyncio.timeout(60):
            while not controller.announced:
                await asyncio.sleep(0.005)
        self.clock.run(0.1)
        return " ".join(controller.announced)

    @property
    def hints(self) -> int:
        return sum(self.board.table.record.hints.values())


@pytest.fixture
def asking(tmp_path: Path) -> Iterator[Asking]:
    one = Asking(tmp_path)
    yield one
    one.board.close()


def test_a_japanese_hint_is_said_without_a_gap_where_a_row_of_the_display_ends(
    asking: Asking,
) -> None:
    async def played() -> None:
        asking.board.controller.language = "ja"
        asking.board.features.of("bot").player.take_seat(2, 1)
        asking.play(*DEAL)
        for _ in range(3):
            await asking.ask()
            rows = asking.board.controller.announced
            assert len(rows) > 1
            assert any(plain("".join(rows), "ja") in one for one in asking.said[-2:]), rows
        await asking.board.features.of("bot").player.close()

    asyncio.run(played())


def test_a_nudge_then_the_move_then_why(asking: Asking) -> None:
    async def played() -> None:
        asking.board.features.of("bot").player.take_seat(2, 1)
        asking.play(*DEAL)
        nudge = await asking.ask()
        assert "crib" in nudge or "run" in nudge, nudge
        move = await asking.ask()
        assert move.startswith("Put "), move
        assert " of " in move, "a card in words, as it can be heard"
        why = await asking.ask()
        assert "games on average" in why, why
        assert [line for line in asking.said if nudge.rstrip(".") in line]
        assert await asking.ask() == nudge, "and from the beginning"
        assert asking.hints == 1
        await asking.board.features.of("bot").player.close()

    asyncio.run(played())


def test_hidden_cards_change_nothing(tmp_path: Path) -> None:
    found = []
    for n, hidden in enumerate(("2 hand AS AC AD KC TD JS", "2 hand 2H 3S 9D TC KS KD")):
        one = Asking(tmp_path / str(n))
        one.play(*DEAL, hidden)
        found.append(
            asyncio.run(one.board.features.of("bot").hints.find(1, one.board.table.number))
        )
        one.board.close()
    assert found[0] == found[1]


def test_not_where_another_player_would_see_or_hear_it(asking: Asking) -> None:
    """The display and the voice are public, even if a player has a pad."""

    async def played() -> None:
        asking.play(*DEAL)
        for asking.hand in (None, 1, 2):
            assert "everybody would see" in await asking.ask()
        assert asking.hints == 0

    asyncio.run(played())
