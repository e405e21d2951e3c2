"""A sealed deal stays sealed. Secrets that the board has revealed deal nothing afterwards, whatever
players take back, restore, leave, continue or begin again, in any order."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardctl.bot.board_player import BoardPlayer
from boardctl.bot.player_choice import PlayerChoice
from boardctl.bot.seated import deal_at_hand, game_from, visible_lines
from boardctl.bot.worker import Seat, Worker
from boardctl.games import IllegalMove, Move
from boardctl.record import notation, sealed
from boardctl.record.position import game_start
from boardctl.record.visibility import GameLines
from boardctl.storage import files
from boardctl.table import Table
from tests.report import LongRun
from tests.spread import spread
from tests.tables import submit
from tests.web.test_live import Board

HEAD = ("session friday", "game cribbage", "seat 1 Ann", "seat 2 Bob")
LEVEL = 1
STEPS = 60


class Evening:
    """People at a board that deals, and everything that it showed them about its shuffles."""

    def __init__(self, board: Restarted) -> None:
        self.board = board
        self.player = BoardPlayer(board)
        self.worker = Worker()
        self.told: set[str] = set()
        self.codes: list[str] = []
        self.cuts: dict[str, str] = {}
        self.sealed_deals = 0
        self.mind()

    def mind(self) -> None:
        """Decide in this process, like the player's own process."""

        async def decided(chosen: PlayerChoice) -> str | None:
            lines = visible_lines(self.table.record, GameLines(chosen.seat))
            asked = {"seat": chosen.seat, "level": LEVEL, "seed": chosen.seed, "lines": lines}
            line: str | None = json.loads(self.worker.answer(json.dumps(asked)))["line"]
            return line

        self.player._decision = decided  # type: ignore[method-assign]

    @property
    def table(self) -> Table:
        return self.board.table

    @property
    def hands(self) -> list[Move]:
        """Return the hands of the deal on the table."""
        return [move for move in deal_at_hand(self.table.record)[1] if move.verb == "hand"]

    async def rest(self) -> None:
        """Wait until the board has made its moves, and people have looked at its display."""
        while self.player._task is not None and not self.player._task.done():
            await self.player._task
        self.look()

    def look(self) -> None:
        """Read everything that is revealed about the shuffles."""
        shown = self.player.state("en")["sealed"]
        for one in (*self.player.fair(), *([shown] if shown else [])):
            if one["secret"]:
                self.told.add(one["secret"])
                assert sealed.commitment(bytes.fromhex(one["secret"])) in self.codes
            if one["cut"]:
                assert self.cuts.setdefault(one["commitment"], one["cut"]) == one["cut"]
            assert one.get("follows") is not False, one
        if shown and shown["commitment"] not in self.codes:
            self.codes.append(shown["commitment"])

    async def say(self, *lines: str) -> None:
        for line in lines:
            if line == "deal":
                await self.deal()
            else:
                submit(self.table, line, "test")
                await self.rest()

    async def begin(self) -> None:
        """Begin a game like the page."""
        self.table.submit_all([self.table.parse(line) for line in HEAD[1:]], "test")
        await self.rest()

    async def deal(self) -> None:
        """Deal, and check whether the cards could have been computed before."""
        told, shown = set(self.told), self.player.state("en")["sealed"]
        if shown is not None and not shown["cut"]:
            self.player.cut(f"cut {len(self.codes)}")
            self.look()
        submit(self.table, "deal", "test")
        await self.rest()
        number, _ = deal_at_hand(self.table.record)
        if not self.hands or shown is None:
            return
        self.sealed_deals += 1
        for secret in told:
            cut = self.cuts.get(sealed.commitment(bytes.fromhex(secret)), "")
            cards = sealed.deal(bytes.fromhex(secret), cut, number)
            assert self.hands[0].cards != cards.hands[0], "dealt by what was told"
        assert shown["secret"] is None
        now = self.player.state("en")["sealed"]
        assert now["commitment"] == shown["commitment"], "its code was there before"

    async def play(self, lines: int) -> None:
        """Play Ann's hand and deal, until this many lines were entered or the game is over."""
        for _ in range(lines):
            position = self.table.position
            if position.over or position.setup is None:
                return
            asked = {(ask.move.verb, ask.move.seat) for ask in position.prompt.asks}
            own = next((v for v in ("show", "crib") if (v, 1) in asked), None)
            if any(ask.move.verb == "cut" for ask in position.prompt.asks):
                await self.say("dealer 2")
            elif position.situation.phase == "deal":
                await self.say("deal")
            elif own is not None:
                await self.say(f"1 {own}")
            else:
                move = Seat(1, LEVEL, 1).next_line_after(
                    visible_lines(self.table.record, GameLines(1))
                )
                if move is None:
                    return
                await self.say(notation.spell(move))

    async def to_the_end(self) -> None:
        await self.play(500)
        assert self.table.position.over

    async def restart(self) -> None:
        """Load everything from the disk again."""
        await self.player.close()
        await asyncio.to_thread(self.board.restart)
        self.player = BoardPlayer(self.board)
        self.mind()
        self.player.begin()
        await self.rest()


class Restarted(Board):
    """A board that can be restarted with the data on its disk."""

    def restart(self) -> None:
        directory = self.data
        self.close()
        self.__dict__.clear()
        self.__init__(directory)  # type: ignore[misc]


@pytest.fixture
def board(tmp_path: Path) -> Iterator[Restarted]:
    board = Restarted(tmp_path)
    for line in HEAD:
        submit(board.table, line, "test")
    yield board
    board.close()


def evening(board: Restarted, play: Callable[[Evening], Coroutine[Any, Any, None]]) -> None:
    async def held() -> None:
        people = Evening(board)
        people.player.take_seat(2, LEVEL, deals=True)
        await people.rest()
        try:
            await play(people)
        finally:
            await people.player.close()

    asyncio.run(held())


@pytest.mark.parametrize("restarted", [False, True])
@pytest.mark.parametrize("ended", spread(1, ["played out", "given up", "next"]))
def test_a_told_secret_deals_no_more(board: Restarted, ended: str, restarted: bool) -> None:
    """When the game is over or another one was dealt, its secret is revealed. Players who return to
    the game get cards from another shuffle, to which the board is already committed."""

    async def play(people: Evening) -> None:
        table = people.table
        await people.say("start 100 95", "dealer 2", "deal")
        first = people.codes[0]
        if ended == "played out":
            await people.to_the_end()
        elif ended == "given up":
            await people.play(3)
            await people.say("1 resign")
        else:
            await people.play(3)
            await people.say("game cribbage", "dealer 2")
            assert not people.told, "the last one may still be gone on with"
            await people.say("deal")
        people.look()
        assert first in {sealed.commitment(bytes.fromhex(one)) for one in people.told}
        if restarted:
            await people.restart()
            table = people.table
        dealers = [n for n, move in enumerate(table.record.moves) if move.verb == "deal"]
        place = dealers[0] if ended != "played out" else dealers[-1]
        await people.say(f"undo {len(table.record.moves) - place}")
        if restarted:
            await people.restart()
        await people.say("deal")
        assert people.sealed_deals >= 2
        await people.to_the_end()
        assert any(one["follows"] for one in people.player.fair())

    evening(board, play)


def test_what_was_taken_back_and_restored_is_still_proven(board: Restarted) -> None:
    """The proof covers the deals of the revealed secret, restored, and those of the next secret
    after them."""

    async def play(people: Evening) -> None:
        await people.say("start 90 90", "dealer 2", "deal")
        await people.to_the_end()
        number, _ = deal_at_hand(people.table.record)
        assert number >= 2
        moves = people.table.record.moves
        back = len(moves) - moves.index(Move("deal"))
        submit(people.table, f"undo {back - 1}", "test")
        submit(people.table, "redo", "test")
        await people.rest()
        assert people.table.position.over
        (one,) = people.player.fair()
        assert (one["deals"], one["follows"]) == (number, True)
        await people.say("undo 2", "1 adjust -60", "2 adjust -60")
        await people.to_the_end()
        newer, older = people.player.fair()
        assert (older["first"], older["follows"], newer["follows"]) == (1, True, True)
        assert newer["first"] == older["deals"] + 1
        record = people.table.record
        played = game_from(record.moves, game_start(record.moves))
        for one in (newer, older):
            key = bytes.fromhex(one["secret"])
            last = one["first"] + one["deals"] - 1
            assert not list(sealed.differences(played, key, one["cut"], one["first"], last))

    evening(board, play)


@pytest.mark.parametrize("restarted", [False, True])
def test_a_game_that_is_gone_on_with_keeps_its_shuffle(board: Restarted, restarted: bool) -> None:
    """Goodnight in the middle of a deal reveals nothing, and the next evening turns that deal's
    starter."""

    async def play(people: Evening) -> None:
        await people.say("start 90 90", "dealer 2", "deal")
        assert not any(move.verb == "starter" for move in people.table.record.moves)
        code = people.player.state("en")["sealed"]["commitment"]
        await people.say("session end")
        people.look()
        if restarted:
            await people.restart()
        await people.say("session saturday")
        people.look()
        people.table.resume("test")
        await people.rest()
        assert not people.told
        assert people.player.state("en")["sealed"]["commitment"] == code
        await people.to_the_end()
        assert any(move.verb == "starter" for move in people.table.record.moves)
        (one,) = people.player.fair()
        assert (one["commitment"], one["first"], one["follows"]) == (code, 1, True)

    evening(board, play)


def test_a_game_begun_in_the_place_of_another_has_a_secret_of_its_own(board: Restarted) -> None:
    async def play(people: Evening) -> None:
        await people.say("dealer 2", "deal")
        hands = people.hands
        moves = people.table.record.moves
        await people.say(f"undo {len(moves) - game_start(moves)}")
        await people.begin()
        await people.say("dealer 2", "deal")
        assert people.hands != hands
        assert len(people.codes) == 2

    evening(board, play)


def test_nothing_is_told_that_a_full_disk_would_forget(
    board: Restarted, monkeypatch: pytest.MonkeyPatch
) -> None:
    async def play(people: Evening) -> None:
        await people.say("dealer 2", "deal")

        def full(*_: object) -> None:
            raise OSError(28, "No space left on device")

        with monkeypatch.context() as disk:
            disk.setattr(files, "replace", full)
            await people.say("1 resign")
            people.look()
            assert not people.told
        await people.say("undo", "1 resign")
        people.look()
        assert len(people.told) == 1

    evening(board, play)


def test_the_choice_of_version_1_is_read(board: Restarted) -> None:
    async def play(people: Evening) -> None:
        await people.say("dealer 2", "deal")
        (now,) = people.player._choice.games
        (shuffle,) = now.shuffles
        old = {
            "seat": 2,
            "level": 1,
            "seed": 5,
            "name": "Bob",
            "deals": True,
            "alone": False,
            "secret": shuffle.secret,
            "cut": shuffle.cut,
            "own_cut": True,
            "game": now.game,
            "first": 1,
            "last_game": "9/0",
            "last_first": 2,
            "last_secret": "ab" * 32,
            "last_cut": "x",
        }
        await people.player.close()
        (board.data / "player.json").write_text(json.dumps(old))
        again = BoardPlayer(board)
        again.begin()
        assert [(one["secret"], one["first"]) for one in again.fair()] == [
            (None, 1),
            ("ab" * 32, 2),
        ]
        assert again.state("en")["sealed"]["own_cut"]
        await again.close()

    evening(board, play)


def test_a_shuffle_that_dealt_nothing_is_not_told(board: Restarted) -> None:
    """Players return to a finished game, and it ends again before the next deal. Nobody has seen
    the commitment for the cards that would have come next, so its secret stays hidden."""

    async def play(people: Evening) -> None:
        await people.say("dealer 2", "deal", "1 resign")
        for line in ("undo", "1 resign"):
            submit(people.table, line, "test")
        await people.say("session saturday")
        await people.begin()
        await people.say("dealer 2", "deal")
        assert len(people.player.fair()) == 2

    evening(board, play)


async def walk(people: Evening, chance: Random, steps: int) -> None:
    """Play evenings at random."""
    for _ in range(steps):
        length = len(people.table.record.moves)
        match chance.randrange(16):
            case 0:
                act = []
                await people.begin()
            case 1:
                act = ["1 resign"]
            case 2:
                act = [f"undo {chance.randint(1, max(1, length))}"]
            case 3 | 4:
                act = [f"undo {chance.randint(1, 30)}"]
            case 5:
                act = ["redo"]
            case 6:
                act = ["misdeal"]
            case 7:
                act = [f"session {chance.choice(('end', 'saturday'))}"]
            case 8:
                act = [f"{chance.choice((1, 2))} adjust -{chance.randint(1, 60)}"]
            case 9:
                await people.restart()
                act = []
            case 10:
                if people.table.unfinished is not None:
                    people.table.resume("test")
                await people.rest()
                act = []
            case _:
                await people.play(chance.choice((5, 40, 200)))
                act = []
        for line in act:
            try:
                await people.say(line)
            except IllegalMove:
                await people.rest()
        await people.rest()
    people.look()


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(3))
def test_in_whatever_order(board: Restarted, seed: int) -> None:
    async def play(people: Evening) -> None:
        await walk(people, Random(seed), STEPS)
        assert people.sealed_deals > 5
        assert people.told

    evening(board, play)


@pytest.mark.long
def test_in_whatever_order_for_long(tmp_path: Path, seed: int, long_run: LongRun) -> None:
    deals = told = 0
    for n in range(200):
        (tmp_path / str(n)).mkdir()
        board = Restarted(tmp_path / str(n))
        for line in HEAD:
            submit(board.table, line, "test")

        async def play(people: Evening, seed: int = seed + n) -> None:
            nonlocal deals, told
            await walk(people, Random(seed), STEPS)
            deals, told = deals + people.sealed_deals, told + len(people.told)

        try:
            evening(board, play)
        except AssertionError as error:
            error.add_note(f"walk of Random({seed + n})")
            raise
        finally:
            board.close()
    long_run(walks=200, deals=deals, told=told)
    assert deals > 1000
