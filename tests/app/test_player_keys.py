"""The computer player at a simulated board. Its six cards are typed on the keypad behind a card,
played through the whole board, and shown to nobody."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.bot.board_player import BoardPlayer
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.games.cards import parse_card, pictured
from boardctl.storage.journal import AtOnce
from boardctl.web.move_list import Viewer
from boardctl.web.state import Snapshots
from tests.tables import submit

SIX = {"5H": "5B", "6S": "6A", "7D": "7C", "8C": "8D", "QS": "BA", "KS": "CA"}
"""The player's cards, and the keys of each: rank and suit."""
KEYS = "1234567890ABC"
SIGNS = ("♠", "♥", "♦", "♣", "5", "6", "7", "8", "Q", "K")


class Evening:
    """A board at which the computer plays seat 2, and everything that is visible of it."""

    def __init__(self, data: Path) -> None:
        self.clock = VirtualClock()
        self.board = BoardApp(simulated(Config()), data, self.clock, None, writer=AtOnce())
        self.clock.run(1)
        self.player = BoardPlayer(self.board)
        self.seen: list[str] = []
        self.board.lines.connect(lambda lines: self.seen.append(" | ".join(lines)))

    async def press(self, keys: str) -> None:
        for key in keys.split():
            self.board.press(key, True)
            self.clock.run(0.06)
            self.board.press(key, False)
            self.clock.run(0.06)
            await asyncio.sleep(0)

    async def until_it_has(self, verb: str) -> None:
        async with asyncio.timeout(60):
            while not any(m.verb == verb and m.seat == 2 for m in self.board.table.record.moves):
                await asyncio.sleep(0.005)
        self.clock.run(0.2)

    def pages(self) -> list[str]:
        """Return what a visitor and the other player see."""
        return [json.dumps(Snapshots(self.board).now(Viewer("en", seat))) for seat in (None, 1)]


@pytest.fixture
def evening(tmp_path: Path) -> Iterator[Evening]:
    some = Evening(tmp_path)
    yield some
    some.board.close()


def test_six_cards_are_typed_and_no_surface_shows_them(evening: Evening) -> None:
    async def played() -> None:
        board = evening.board
        evening.player.take_seat(2, 3)
        for line in ("dealer 2", "deal"):
            submit(board.table, line, "test")
        evening.seen.clear()
        await evening.press("B # #")
        assert board.controller.displayed_rows[0] == "Bob holds?"
        before = evening.pages()
        for keys in SIX.values():
            await evening.press(" ".join(keys))
            assert evening.pages() == before, "nothing has been entered yet"
        await evening.press("# #")  # the second key means no flush
        await evening.until_it_has("discard")
        asked = [row for row in evening.seen if "which suit" in row]
        assert len(asked) == len(SIX)
        assert all(row.startswith("?") for row in asked)
        typed = [row for row in evening.seen if row.startswith("Bob holds")]
        assert len(typed) >= len(SIX)
        assert not [row for row in typed if set(SIGNS) & set(row)]
        for page in evening.pages():
            assert '"verb": "discard"' in page
            for card in SIX:
                assert json.dumps(pictured((parse_card(card),)))[1:-1] not in page
                assert f"hand {card}" not in page
        assert board.controller.displayed_rows[0] == "Bob: crib"
        assert board.controller.displayed_rows[1].startswith("cards ")
        await evening.player.close()

    asyncio.run(played())


def test_a_deal_of_real_cards_is_played_on_the_keypad(evening: Evening) -> None:
    """The starter and the other side's cards are typed by rank, and the computer player responds to
    them."""

    async def played() -> None:
        board, held = evening.board, ["9", "4", "C", "2"]
        evening.player.take_seat(2, 3)
        for line in ("dealer 2", "deal"):
            submit(board.table, line, "test")
        await evening.press("B # # " + " ".join("".join(SIX.values())) + " #")
        await evening.until_it_has("discard")
        await evening.press("# 2")
        table = board.table
        async with asyncio.timeout(60):
            while table.position.situation.phase == "play":
                length = len(table.record.moves)
                if table.position.situation.turn == 1:
                    room = 31 - (table.position.situation.count or 0)
                    fits = [key for key in held if min(KEYS.index(key) + 1, 10) <= room]
                    await evening.press(fits[0] if fits else "D")
                    held = [key for key in held if key not in fits[:1]]
                else:
                    while len(table.record.moves) == length:
                        await asyncio.sleep(0.005)
                    said = evening.player.state("en")["said"]
                    evening.clock.run(0.1)
                    assert board.controller.displayed_rows == (said["text"], said["where"])
        assert not held
        await evening.press("# #")  # the second key means no flush
        await evening.until_it_has("show")
        shown = table.record.moves[-1]
        assert (shown.verb, shown.seat) == ("show", 2), "its own hand, counted automatically"
        await evening.player.close()

    asyncio.run(played())
