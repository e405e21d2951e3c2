"""The board as a player at its own table: sealed deals, real cards, its process, its words."""

from __future__ import annotations

import asyncio
import json
import os
import re
import signal
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from stat import S_IMODE
from typing import Any

import httpx
import pytest

from boardctl.bot import board_player as player_module
from boardctl.bot import seated
from boardctl.bot.board_player import BoardPlayer
from boardctl.bot.player_choice import PlayerChoice
from boardctl.bot.seated import visible_lines
from boardctl.bot.worker import Seat
from boardctl.console.keypad import Command
from boardctl.games import IllegalMove, Move
from boardctl.games.cards import CARDS
from boardctl.record import notation, sealed
from boardctl.record.visibility import GameLines
from boardctl.storage import child
from boardctl.table import Table
from boardctl.web import Options
from boardctl.web.app import make
from boardctl.web.serve import serve
from tests.tables import submit
from tests.waiting import until
from tests.web.test_live import Board

HEAD = ("game cribbage", "seat 1 Ann", "seat 2 Board")
SPEAK_LEVEL = 3
ORIGIN = "http://127.0.0.1:8121"


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Board]:
    board = Board(tmp_path)
    for line in HEAD:
        submit(board.table, line, "test")
    yield board
    board.close()


def opponent(board: Board) -> str | None:
    """Return the next line of a beginner at seat 1, from seat 1's knowledge."""
    move = Seat(1, 2, 1).next_line_after(visible_lines(board.table.record, GameLines(1)))
    return None if move is None else notation.spell(move)


async def play_on(board: Board, deals: int) -> None:
    """Play the other side and the dealer until this many deals are over."""
    table = board.table
    async with asyncio.timeout(120):
        while sum(move.verb == "deal" for move in table.record.moves) <= deals:
            position = table.position
            phase = position.situation.phase
            if position.over:
                return
            asked = {(ask.move.verb, ask.move.seat) for ask in position.prompt.asks}
            line = "deal" if phase == "deal" else None
            if line is None and ("show", 1) in asked:
                line = "1 show"
            elif line is None and phase in ("discard", "play"):
                line = opponent(board)
            elif line is None and ("crib", 1) in asked:
                line = "1 crib"
            if line is not None:
                submit(table, line, "test")
            await asyncio.sleep(0.005)


def test_a_sealed_deal_is_played_and_can_be_checked(board: Board) -> None:
    """The secret determines both hands and the starter, and is revealed when the game is over."""

    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL, deals=True)
        commitment = player.state("en")["sealed"]["commitment"]
        player.cut("nine of cups")
        assert board.controller.telling == "cards"
        submit(board.table, "start 115 110", "test")
        submit(board.table, "dealer 2", "test")
        submit(board.table, "deal", "test")
        await until(
            lambda: board.table.position.situation.phase == "discard" and player.state("en")
        )
        answered = player.state("en")["sealed"]
        assert answered == {
            "commitment": commitment,
            "cut": "nine of cups",
            "own_cut": False,
            "secret": None,
        }
        await play_on(board, 9)
        await until(lambda: board.table.position.over)
        secret = bytes.fromhex(player.state("en")["sealed"]["secret"])
        assert sealed.commitment(secret) == commitment
        moves = board.table.record.moves
        assert not list(sealed.differences(moves, secret, "nine of cups"))
        verbs = {move.verb for move in moves if move.seat == 2}
        assert {"hand", "discard", "play"} <= verbs
        await player.close()

    asyncio.run(evening())
    assert board.controller.said, "its moves are shown"
    said = [command.value for command in board.controller.obeyed if command.what == "say"]
    assert any(" of " in line for line in said), "and spoken"


def test_real_cards_are_told_and_named_by_their_places(board: Board) -> None:
    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL)
        for line in ("dealer 2", "deal", "2 hand 5H 6S 7D 8C JH QS"):
            submit(board.table, line, "test")
        await until(lambda: player.state("en")["said"])
        said = player.state("en")["said"]
        assert said["text"] == "Board: crib"
        assert said["cards"] == [], "its crib is nobody's business"
        assert said["where"].startswith("cards ")
        assert player.state("ja")["said"]["text"] != said["text"]
        assert "Board: crib" in board.controller.announced
        submit(board.table, "1 discard ? ?", "test")
        assert not board.controller.announced, "the display shows what is due now"
        for line in ("starter 2C", "1 play 9S"):
            submit(board.table, line, "test")
        await until(lambda: player.state("en")["said"]["number"] > said["number"])
        played = player.state("en")["said"]
        assert board.table.record.moves[-1].verb == "play"
        assert played["where"] == f"card {played['places'][0]}"
        await player.close()

    asyncio.run(evening())


def test_where_its_cards_lie_is_said_again(board: Board) -> None:
    """After a restart or a redo, people could find the thrown cards, or the one to turn, only by
    looking at its hand."""
    said: list[dict[str, Any]] = []

    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL)

        async def plays(*lines: str) -> None:
            for line in lines:
                submit(board.table, line, "test")
            before = said[-1]["number"] if said else 0
            await until(lambda: (now := player.state("en")["said"]) and now["number"] > before)
            said.append(player.state("en")["said"])

        await plays("dealer 2", "deal", "2 hand 5H 6S 7D 8C JH QS")
        await player.close()
        shown = board.controller.said[-1]
        assert shown[1].startswith("cards ")
        board.controller.said.clear()
        player = BoardPlayer(board)
        player.begin()
        assert player.state("en")["said"] == said[-1]
        assert board.controller.said == [shown]
        await plays("1 discard ? ?", "starter 2C", "1 play 9S")
        submit(board.table, "undo 2", "test")
        thrown = player.state("en")["said"]
        assert {**thrown, "number": said[0]["number"]} == said[0], "and not the card of later"
        await plays("redo")
        assert {**said[1], "number": said[2]["number"]} == said[2]
        assert said[2]["number"] == board.table.number
        await player.close()

    asyncio.run(evening())


def test_a_card_that_it_gives_away_is_named_by_its_place_alone(board: Board) -> None:
    async def evening() -> None:
        for line in ("game costly-colours", "seat 1 Ann", "seat 2 Board"):
            submit(board.table, line, "test")
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL)
        for line in ("dealer 1", "deal", "2 hand 9S KD 3D", "starter 7C"):
            submit(board.table, line, "test")
        await until(lambda: player.state("en")["said"])
        said = player.state("en")["said"]
        assert board.table.record.moves[-1].verb == "mog"
        assert said["text"] == "Board: swap"
        assert said["cards"] == []
        assert re.fullmatch("card [123]", said["where"])
        await player.close()

    asyncio.run(evening())


def test_it_is_there_again_after_a_start(board: Board) -> None:
    """Nobody else may read its secret."""

    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, 4, deals=True)
        player.cut("x")
        again = BoardPlayer(board)
        assert again.state("en") == player.state("en")
        player.take_seat(0, 4)
        assert BoardPlayer(board).state("en")["seat"] == 0

    asyncio.run(evening())
    assert S_IMODE((board.data / "player.json").stat().st_mode) == 0o600


def test_people_enter_what_they_chose_once_it_plays_no_more(board: Board) -> None:
    """A table at the level of hands is no longer asked for every card when people replace the
    board."""

    asked = []

    async def evening() -> None:
        board.controller.obey(Command("telling", "hands"))
        player = BoardPlayer(board)
        for leaves in (
            lambda: player.take_seat(0, SPEAK_LEVEL),
            lambda: submit(board.table, "seat 2 Clara", "test"),
        ):
            player.take_seat(2, SPEAK_LEVEL)
            asked.append(board.controller.telling)
            leaves()
            asked.append(board.controller.telling)
        await player.close()

    asyncio.run(evening())
    assert asked == ["cards", "hands", "cards", "hands"]


def test_it_goes_on_after_a_start(board: Board) -> None:
    """The move that was pending at the power failure is played, and every card is asked for."""

    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL)
        await player.close()
        for line in ("dealer 2", "deal", "2 hand 5H 6S 7D 8C JH QS"):
            submit(board.table, line, "test")
        board.controller.obey(Command("telling", "hands"))  # as after a restart
        again = BoardPlayer(board)
        again.begin()
        assert board.controller.telling == "cards", "throws are asked for"
        await until(lambda: board.table.record.moves[-1].verb == "discard")
        await again.close()

    asyncio.run(evening())


SECRET = "ab" * 32


@pytest.mark.parametrize(
    "damaged",
    [
        *("{]", "[" * 100_000, '{"seat": "1"}', '{"seat": 9}', '{"seat": 1, "level": 6}', "[1]"),
        *('{"seat": 1, "secret": "zz"}', '{"seat": 1, "secret": "ab"}', '{"seed": 1e308}'),
        *(f'{{"seat": 1, "secret": "{SECRET}", "cut": 5}}', '{"seat": true}', '{"more": 1}'),
    ],
)
def test_a_file_that_cannot_be_read_is_no_player(
    board: Board, damaged: str, caplog: pytest.LogCaptureFixture
) -> None:
    (board.data / "player.json").write_text(damaged)
    assert BoardPlayer(board).state("en")["seat"] == 0
    assert "player.json" in caplog.text


@pytest.mark.parametrize(
    ("lines", "seat", "level", "deals", "code"),
    [
        ((), 3, 5, False, "empty-seat"),
        ((), 2, 9, False, "no-such-level"),
        (("game noddy",), 2, 5, True, "cannot-seal"),
        (("game bezique",), 2, 5, False, "cannot-play"),
        (
            ("game pinochle", "seat 1 A", "seat 2 B", "seat 3 C", "seat 4 D"),
            2,
            5,
            False,
            "cannot-play",
        ),
    ],
)
def test_what_cannot_be_chosen(
    board: Board, lines: tuple[str, ...], seat: int, level: int, deals: bool, code: str
) -> None:
    """It says so before anybody asks it to."""
    if lines:
        board.table.submit_all([board.table.parse(line) for line in lines], "test")
    player = BoardPlayer(board)
    answered = player.state("en")
    assert ("It plays Belote, Costly" in answered["cannot"]) == (code == "cannot-play")
    assert bool(answered["cannot"]) == (code == "cannot-play") == (not answered["plays"])
    assert answered["deals"] == (not lines)
    with pytest.raises(IllegalMove) as refused:
        player.take_seat(seat, level, deals)
    assert refused.value.code == code


async def one_game(board: Board) -> None:
    """Play a game of two deals, with a beginner on the other side."""
    for line in ("start 115 110", "dealer 2", "deal"):
        submit(board.table, line, "test")
    await play_on(board, 9)
    await until(lambda: board.table.position.over)


def test_the_next_game_is_dealt_with_a_secret_of_its_own(board: Board) -> None:
    """Its words from the last game are no longer spoken."""

    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL, deals=True)
        player.cut("one")
        first = player.state("en")["sealed"]["commitment"]
        await one_game(board)
        answered = player.state("en")
        assert answered["said"]
        secret = answered["sealed"]["secret"]
        begin = len(board.table.record.moves)
        submit(board.table, "game cribbage", "test")
        answered = player.state("en")
        assert answered["said"] is None
        assert answered["sealed"]["commitment"] != first
        assert (answered["sealed"]["cut"], answered["sealed"]["secret"]) == ("", None)
        await one_game(board)
        answered = player.state("en")["sealed"]
        assert answered["own_cut"], "nobody cut the second pack, so the board did"
        assert answered["secret"] != secret
        moves = board.table.record.moves
        assert not list(sealed.differences(moves[:begin], bytes.fromhex(secret), "one"))
        fresh = bytes.fromhex(answered["secret"])
        assert sealed.commitment(fresh) == answered["commitment"]
        assert not list(sealed.differences(moves[begin:], fresh, answered["cut"]))
        await player.close()

    asyncio.run(evening())


def test_a_game_that_was_begun_by_mistake_leaves_the_shuffle_as_it_was(board: Board) -> None:
    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL, deals=True)
        player.cut("one")
        for line in ("dealer 2", "deal"):
            submit(board.table, line, "test")
        await until(lambda: board.table.position.scoreboard and opponent(board))
        before = player.state("en")["sealed"]
        submit(board.table, "game cribbage", "test")
        assert player.state("en")["sealed"] != before
        submit(board.table, "undo", "test")
        assert player.state("en")["sealed"] == before
        await player.close()

    asyncio.run(evening())


@pytest.mark.parametrize("deals", [True, False])
def test_seated_in_the_middle_of_a_deal_it_plays_from_the_next(board: Board, deals: bool) -> None:
    async def evening() -> None:
        for line in ("start 30 30", "dealer 2", "deal", "1 discard ? ?", "2 discard ? ?"):
            submit(board.table, line, "test")
        for line in ("starter 2C", "1 play 5", "2 play 6"):
            submit(board.table, line, "test")
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL, deals)
        waits = player.state("en")["waits"]
        assert waits is not None
        assert "from the next deal on" in waits
        submit(board.table, "1 play 7", "test")
        await asyncio.sleep(0.05)
        assert board.table.record.moves[-1].seat == 1, "people play on for it"
        for line in ("misdeal", "deal"):
            submit(board.table, line, "test")
        assert player.state("en")["waits"] is None
        if not deals:
            submit(board.table, "2 hand 5H 6S 7D 8C JH QS", "test")
        await until(lambda: board.table.record.moves[-1].verb == "discard")
        await player.close()

    asyncio.run(evening())


def test_stopped_and_seated_again_it_deals_on(board: Board) -> None:
    """The same as when somebody chooses another level. The board then turns this deal's starter."""

    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL, deals=True)
        player.cut("x")
        for line in ("dealer 2", "deal"):
            submit(board.table, line, "test")
        await until(lambda: board.table.record.moves[-1].verb == "discard")
        commitment = player.state("en")["sealed"]["commitment"]
        player.take_seat(0, SPEAK_LEVEL)
        assert player.state("en")["sealed"] is None
        player.take_seat(2, 2, deals=True)
        shown = player.state("en")
        assert (shown["sealed"]["commitment"], shown["dealing"]) == (commitment, True)
        hand = seated.own_cards(board.table.record, 1)
        assert hand is not None
        submit(board.table, f"1 discard {hand[0]} {hand[1]}", "test")
        await until(lambda: board.table.record.moves[-1].verb == "starter")
        (game,) = player.fair()
        assert (game["deals"], game["first"], game["secret"]) == (1, 1, None)
        player.take_seat(0, SPEAK_LEVEL)
        seen = {card for move in board.table.record.moves for card in move.cards}
        submit(board.table, "undo", "test")
        other = next(card for card in CARDS if card not in seen)
        submit(board.table, f"starter {other}", "test")
        player.take_seat(2, 2, deals=True)
        assert player.state("en")["sealed"]["commitment"] != commitment, "people have dealt a card"
        assert not player.state("en")["dealing"]
        await player.close()

    asyncio.run(evening())


def test_it_plays_for_a_person_wherever_they_sit(board: Board) -> None:
    player = BoardPlayer(board)

    async def evening() -> None:
        player.take_seat(2, SPEAK_LEVEL)
        for line in ("game cribbage", "seat 1 Board", "seat 2 Ann"):
            submit(board.table, line, "test")
        assert player.state("en")["seat"] == 1
        for line in ("game cribbage", "seat 1 Ann", "seat 2 Cleo"):
            submit(board.table, line, "test")
        assert player.state("en")["seat"] == 0
        await player.close()

    asyncio.run(evening())


def test_a_process_that_dies_is_begun_again(board: Board, caplog: pytest.LogCaptureFixture) -> None:
    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL)
        for line in ("dealer 2", "deal", "2 hand 5H 6S 7D 8C JH QS"):
            submit(board.table, line, "test")
        await until(lambda: player.state("en")["said"])
        assert isinstance(player._process, asyncio.subprocess.Process)
        os.kill(player._process.pid, signal.SIGKILL)
        await player._process.wait()
        for line in ("1 discard ? ?", "starter 2C", "1 play 9S"):
            submit(board.table, line, "test")
        await until(lambda: board.table.record.moves[-1].seat == 2)
        await player.close()

    asyncio.run(evening())


def test_its_process_ends_with_it(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    begun: list[asyncio.subprocess.Process] = []

    @asynccontextmanager
    async def running(*command: str, **given: Any) -> AsyncIterator[asyncio.subprocess.Process]:
        async with child.running(*command, **given) as process:
            begun.append(process)
            yield process

    monkeypatch.setattr(board, "child", running)

    (board.data / "player.json").write_text(json.dumps({"seat": 2, "level": SPEAK_LEVEL}))

    async def evening() -> None:
        async with serve(board, Options(port=0)):
            for line in ("dealer 2", "deal", "2 hand 5H 6S 7D 8C JH QS"):
                submit(board.table, line, "test")
            await until(lambda: board.table.record.moves[-1].verb == "discard")
            assert [process.returncode for process in begun] == [None]
        await board.player.close()

    asyncio.run(evening())
    assert all(process.returncode is not None for process in begun)


@pytest.mark.parametrize("error", [OSError("no memory"), KeyError("unforeseen")])
def test_a_process_that_fails_is_said_at_the_table_and_started_again(
    board: Board,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
    error: Exception,
) -> None:
    starts: list[str] = []

    @asynccontextmanager
    async def running(*command: str, **given: Any) -> AsyncIterator[asyncio.subprocess.Process]:
        starts.append(command[-1])
        if len(starts) == 1:
            raise error
        async with child.running(*command, **given) as process:
            yield process

    monkeypatch.setattr(board, "child", running)
    monkeypatch.setattr(player_module, "AGAIN", 0.0)

    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL)
        for line in ("dealer 2", "deal", "2 hand 5H 6S 7D 8C JH QS"):
            submit(board.table, line, "test")
        await until(lambda: board.table.record.moves[-1].verb == "discard")
        await player.close()

    asyncio.run(evening())
    assert len(starts) == 2
    (logged,) = (record for record in caplog.records if record.levelname == "ERROR")
    assert bool(logged.exc_info) == isinstance(error, KeyError), "where it is must be found"
    sentence = "the computer player stopped; it restarts in 0 s"
    reported = [(part, why) for part, why in board.controller.reported if part == "player"]
    assert reported == [("player", sentence), ("player", None)]


def test_a_line_that_is_refused_is_said_at_the_table_and_not_shown(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The board holds a card that another player has entered. The table waited for it without a
    word, and the display showed a move that was not played."""
    decided = BoardPlayer._decision
    lines = ["2 discard KD KC"]

    async def decision(player: BoardPlayer, chosen: PlayerChoice) -> str | None:
        return lines.pop() if lines else await decided(player, chosen)

    monkeypatch.setattr(BoardPlayer, "_decision", decision)

    async def evening() -> None:
        player = BoardPlayer(board)
        player.take_seat(2, SPEAK_LEVEL)
        for line in ("dealer 2", "deal", "2 hand 5H 6S 7D 8C JH QS"):
            submit(board.table, line, "test")
        await until(lambda: board.controller.faults)
        assert player.state("en")["said"] is None
        assert not board.controller.announced
        submit(board.table, "1 adjust +1", "test")
        assert not board.controller.faults
        await until(lambda: board.table.record.moves[-1].verb == "discard")
        await player.close()

    asyncio.run(evening())
    (_, why), (_, mended) = (one for one in board.controller.reported if one[0] == "player")
    assert mended is None
    assert why is not None
    assert why.startswith("the computer player cannot continue until a card is corrected")


async def undo(page: httpx.AsyncClient, board: Board) -> dict[str, Any]:
    answer = await page.post("/undo", json={"expect": board.table.number})
    answered: dict[str, Any] = answer.json()
    return answered


def test_an_undo_goes_back_to_ones_own_last_decision(board: Board) -> None:
    """An undo does not stop in the middle of the computer's reply. The undone lines can be restored
    until the next move."""

    async def evening() -> None:
        app = make(board, Options())
        player = board.player
        player.take_seat(2, SPEAK_LEVEL, deals=True)
        transport = httpx.ASGITransport(app)
        headers = {"origin": ORIGIN}

        def moves() -> tuple[Move, ...]:
            return board.table.record.moves

        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN, headers=headers) as page:
            for line in ("dealer 2", "deal"):
                submit(board.table, line, "page")
            await until(lambda: any(m.verb == "discard" and m.seat == 2 for m in moves()))
            before = moves()
            thrown = opponent(board)
            assert thrown is not None
            submit(board.table, thrown, "page")
            await until(lambda: moves()[-1].verb == "starter")
            state = (await undo(page, board))["state"]
            assert moves() == before
            assert state["redo"]
            await asyncio.sleep(0.1)
            assert moves() == before, "the computer waits as well"
            await page.post("/redo", json={"expect": board.table.number})
            assert moves()[-1].verb == "starter"
            first = opponent(board)
            assert first is not None
            submit(board.table, first, "page")
            await until(lambda: moves()[-1].seat == 2 and opponent(board))
            assert moves()[-1].verb in ("play", "go")
            # This also holds after a restart, once the last line is on disk and its thread has
            # finished.
            await asyncio.wrap_future(board.table.journal.outbox())
            assert Table(board.table.journal, lambda: 0.0).undoing == board.table.undoing
            await undo(page, board)
            assert moves()[-1].verb == "starter"
            state = (await undo(page, board))["state"]
            assert moves() == before
            state = (await undo(page, board))["state"]
            assert moves()[-1].verb == "dealer", "its deal went with it"
            assert state["phase"] == "deal"
        await player.close()

    asyncio.run(evening())
