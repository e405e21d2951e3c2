"""An evening with the same deals at a board: its games, its secrets, its standings."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from boardctl.bot.evening import FILE, load, read_code
from boardctl.games import IllegalMove
from boardctl.record import sealed
from boardctl.web import Options
from boardctl.web.app import make
from tests.tables import submit
from tests.waiting import until
from tests.web.test_live import Board
from tests.web.test_player import ORIGIN, opponent

NEW = {"code": "", "rounds": 2, "level": 2}


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    yield board
    board.close()


class Phone:
    """A phone on the page of a board."""

    def __init__(self, board: Board, page: httpx.AsyncClient) -> None:
        self.board = board
        self.page = page

    async def get(self) -> dict[str, Any]:
        await asyncio.wrap_future(self.board.table.journal.outbox())  # the last line is on disk
        answered: dict[str, Any] = (await self.page.get("/duplicate")).json()
        return answered

    async def post(self, path: str, **body: Any) -> dict[str, Any]:
        await asyncio.wrap_future(self.board.table.journal.outbox())
        answered: dict[str, Any] = (await self.page.post(f"/duplicate{path}", json=body)).json()
        return answered

    async def play(self, name: str, round_: int) -> dict[str, Any]:
        return await self.post("/play", name=name, round=round_, expect=self.board.table.number)

    async def deals(self, count: int) -> None:
        """Play Ann's or Bob's side of the game until this many deals are over."""
        table = self.board.table
        async with asyncio.timeout(120):
            while len(hands(self.board)) <= 2 * count:
                asked = {(ask.move.verb, ask.move.seat) for ask in table.position.prompt.asks}
                line = None
                if table.position.situation.phase == "deal" and hands(self.board):
                    line = "deal"  # the board begins the first deal itself
                elif ("show", 1) in asked:
                    line = "1 show"
                elif ("crib", 1) in asked:
                    line = "1 crib"
                elif table.position.situation.phase in ("discard", "play"):
                    line = opponent(self.board)
                if line is not None:
                    submit(table, line, "test")
                await asyncio.sleep(0.005)


@asynccontextmanager
async def opened(board: Board) -> Any:
    transport = httpx.ASGITransport(make(board, Options()))
    headers = {"origin": ORIGIN}
    async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as page:
        yield Phone(board, page)
    await board.player.close()


def hands(board: Board) -> list[tuple[str, ...]]:
    """Return the hands dealt in the current game."""
    moves = board.table.record.moves
    start = max(n for n, move in enumerate(moves) if move.verb == "game")
    return [tuple(map(str, move.cards)) for move in moves[start:] if move.verb == "hand"]


def test_two_players_get_the_same_deals_and_are_compared(board: Board) -> None:
    async def evening() -> None:
        async with opened(board) as phone:
            assert (await phone.get())["evening"] is None
            begun = await phone.post("", **NEW)
            assert {**begun["evening"], "commitment": ""} == {
                "rounds": 2,
                "level": 2,
                "ended": False,
                "commitment": "",
                "code": None,
            }
            code = read_code((await phone.post("/code"))["code"])
            assert sealed.commitment(code.secret) == begun["evening"]["commitment"]
            dealt = {}
            for name in ("Ann", "Bob"):
                answered = await phone.play(name, 1)
                assert "refused" not in answered, answered
                await phone.deals(2)
                dealt[name] = hands(board)
                # a round in progress can be neither replaced, nor ended, nor made easier
                for refused in (
                    await phone.play("Cleo", 1),
                    await phone.post("/end"),
                    (await phone.page.post("/player/level", json={"level": 1})).json(),
                    (
                        await phone.page.post(
                            "/player", json={"seat": 2, "level": 1, "deals": True}
                        )
                    ).json(),
                ):
                    assert refused["refused"]["code"].startswith("evening-"), refused
                assert board.features.of("bot").no_hints == "hints-evening"
                assert not any(one["secret"] for one in board.player.fair())
                submit(board.table, "1 resign", "test")
                assert not any(one["secret"] for one in board.player.fair()), "others get them too"
                assert board.features.of("bot").no_hints == ""
            assert dealt["Ann"][:4] == dealt["Bob"][:4]
            expected = sealed.deal(code.secret, "round 1", 1).hands
            assert dealt["Ann"][:2] == [tuple(map(str, hand)) for hand in expected]
            again = await phone.play("ann", 1)
            assert again["refused"]["code"] == "evening-played"
            shown = await phone.get()
            assert shown["travellers"] == [], "they would show cards to players of later"
            assert {one["name"] for one in shown["standings"]} == {"Ann", "Bob"}
            assert {one["deals"] for one in shown["standings"]} == {2}
            ended = await phone.post("/end")
            assert ended["evening"]["code"] == str(code)
            assert [one["number"] for one in ended["travellers"]] == [1, 2]
            assert (await phone.play("Cleo", 1))["refused"]["code"] == "evening-none"

    asyncio.run(evening())
    kept = load(board.data / FILE)
    assert kept is not None
    assert kept.ended


@pytest.mark.slow
def test_another_board_with_the_code_deals_the_same(tmp_path: Path) -> None:
    dealt: list[list[tuple[str, ...]]] = []

    async def evening(code: str) -> str:
        (tmp_path / str(len(dealt))).mkdir()
        board = Board(tmp_path / str(len(dealt)))
        async with opened(board) as phone:
            await phone.post("", **{**NEW, "code": code})
            assert (await phone.get())["evening"]["rounds"] == 2
            await phone.play("Ann", 2)
            await until(lambda: len(hands(board)) == 2)
            dealt.append(hands(board))
            found: str = (await phone.post("/code"))["code"]
        board.close()
        return found

    code = asyncio.run(evening(""))
    assert asyncio.run(evening(code.lower())) == code
    assert dealt[0] == dealt[1]


@pytest.mark.parametrize(
    ("path", "body", "refused"),
    [
        ("", {**NEW, "rounds": 10}, "evening-choice"),
        ("", {**NEW, "level": 0}, "evening-choice"),
        ("", {**NEW, "code": "nonsense"}, "evening-code"),
        ("/play", {"name": "Ann", "round": 1, "expect": 0}, "evening-none"),
        ("/code", {}, "evening-none"),
        ("/end", {}, "evening-none"),
    ],
)
def test_refusals(board: Board, path: str, body: dict[str, Any], refused: str) -> None:
    async def evening() -> None:
        async with opened(board) as phone:
            answered = await phone.post(path, **body)
            assert answered["refused"]["code"] == refused
            assert answered["refused"]["message"].endswith(".")

    asyncio.run(evening())


def test_an_evening_is_there_after_a_restart(board: Board) -> None:
    async def evening() -> None:
        async with opened(board) as phone:
            begun = await phone.post("", **NEW)
        async with opened(board) as phone:
            assert await phone.get() == begun
            assert (await phone.post("", **NEW))["refused"]["code"] == "evening-runs"
            assert (await phone.play("Ann", 3))["refused"]["code"] == "evening-round"

    asyncio.run(evening())


def test_an_evening_that_cannot_be_written(board: Board) -> None:
    (board.data / FILE).mkdir()

    async def evening() -> None:
        async with opened(board) as phone:
            assert (await phone.post("", **NEW))["refused"]["code"] == "evening-unsaved"
            assert (await phone.get())["evening"] is None

    asyncio.run(evening())


def test_the_players_level_is_fixed_by_the_evening(board: Board) -> None:
    async def evening() -> None:
        async with opened(board) as phone:
            await phone.post("", **NEW)
            await phone.play("Ann", 1)
            player = board.player
            assert (player.level, player.seat, player.plays_evening) == (2, 2, True)
            with pytest.raises(IllegalMove, match="evening-unfinished"):
                player.take_seat(0, 2)

    asyncio.run(evening())
