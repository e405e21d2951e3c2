"""Two houses in one process with their tables and disks, and a dictionary as broker: the effects of
a full disk, a wrong clock and slow arithmetic."""

from __future__ import annotations

import asyncio
import errno
import gc
import json
import threading
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest
from aiomqtt import MqttError
from paho.mqtt.properties import Properties

from boardctl import mqtt
from boardctl.far import (
    TREE,
    Options,
    game_file,
    group,
    invitation_words,
    link,
    proof,
    store,
    tasks,
)
from boardctl.far import deal as dealing
from boardctl.far.houses import Houses
from boardctl.far.meeting import Meeting
from boardctl.far.on_demand import OtherHouses
from boardctl.features import Features
from boardctl.games import IllegalMove, Move
from boardctl.mqtt.connection import Broker
from boardctl.signals import Signal
from boardctl.storage import files
from boardctl.storage.journal import AtOnce, Journal
from boardctl.table import Table
from tests.far.houses import Houses as OneProcess
from tests.far.houses import _is_ours
from tests.spread import spread
from tests.waiting import PATIENCE, until

OVER = b"\1"
"""The beginning of a board's message that it is no longer connected."""


class Post:
    """A broker: its subscribers, and the retained messages."""

    def __init__(self) -> None:
        self.heard: list[tuple[set[str], asyncio.Queue[Any]]] = []
        self.retained: dict[str, bytes] = {}
        self.losing: Random | None = None
        """Decides whether a connection is lost when a message is sent."""
        self.lost = 0

    def fail(self) -> None:
        """Lose the connection with some probability."""
        if self.losing is not None and self.losing.random() < 0.1:
            self.lost += 1
            raise MqttError("the connection is lost")

    @asynccontextmanager
    async def client(self, *_: object) -> AsyncIterator[Any]:
        post, topics, queue = self, set[str](), asyncio.Queue[Any]()

        class Client:
            async def publish(
                self,
                topic: str,
                payload: Any,
                qos: int = 0,
                retain: bool = False,
                properties: Properties | None = None,
                timeout: float = 0.0,
            ) -> None:
                await asyncio.sleep(0)
                post.fail()
                packet = payload.encode() if isinstance(payload, str) else payload
                if retain:
                    post.retained[topic] = packet
                for wanted, others in post.heard:
                    if topic in wanted:
                        others.put_nowait(Message(topic, packet))

            async def subscribe(self, topic: str, qos: int = 0, timeout: float = 0.0) -> None:
                await asyncio.sleep(0)
                post.fail()
                topics.add(topic)
                if post.retained.get(topic):
                    queue.put_nowait(Message(topic, post.retained[topic]))

            @property
            async def messages(self) -> AsyncIterator[Any]:
                while True:
                    yield await queue.get()

        self.heard.append((topics, queue))
        try:
            yield Client()
        finally:
            self.heard.remove((topics, queue))


class Message:
    def __init__(self, topic: str, payload: bytes) -> None:
        self.topic, self.payload = topic, payload


class Controller:
    """The language, and the reported faults."""

    language = "en"

    def __init__(self) -> None:
        self.reports: list[str | None] = []

    def ask_for_every_card(self) -> None: ...

    def ask_as_chosen(self) -> None: ...

    def report(self, part: str, reason: str | None) -> None:
        self.reports.append(reason)


class Board:
    """The parts of its board that a house needs."""

    def __init__(self, data: Path) -> None:
        data.mkdir(exist_ok=True)
        self.data = data
        self.table = Table(Journal(data, AtOnce()), lambda: 0.0, authorize=self._allow)
        self.controller: Any = Controller()
        self.far: Houses | None = None

    def _allow(self, moves: Sequence[Move], by: str, seat: int | None) -> None:
        if self.far is not None:
            self.far.authorize(moves, by, seat)


class Evening:
    """Two houses that meet and play."""

    def __init__(self, tmp_path: Path, names: Sequence[str] = ("one", "two")) -> None:
        self.boards = [Board(tmp_path / name) for name in names]
        self.chance = Random(1)
        self.ends = [self.open(board) for board in self.boards]

    def open(self, board: Board) -> Houses:
        board.far = Houses(board, Broker("nowhere", 1, False, None, None, None), _waits)
        return board.far

    async def meet(self) -> None:
        one, two = self.ends[:2]
        await one.invite("Ann", "cribbage", {"target": "31"})
        self.secret = invitation_words.read(" ".join(one.contacts.words))
        await two.accept(" ".join(one.contacts.words), "Bob")
        await until(lambda: one.contacts.active and two.contacts.active)

    async def play(self, most: int = 10_000) -> None:
        for _ in range(most):
            await until(lambda: self._due() is not None or self._done())
            if self._done():
                await until(lambda: not any(end.table._queue for end in self.ends[:2]))
                return
            houses, table = self._due() or (self.ends[0], self.boards[0].table)
            assert houses.contacts.active is not None
            game = houses.contacts.active.session.game
            assert game is not None
            ask = next(ask for ask in game.position.prompt.asks if _is_ours(game, ask))
            move = ask.move
            if ask.kind == "cards":
                cards = self.chance.sample(ask.cards or (), ask.least)
                move = move._replace(cards=tuple(cards))
            try:
                table.submit(move, "page")
            except IllegalMove as error:
                assert error.code in ("far-waits", "far-opens")
            await asyncio.sleep(0)

    def _due(self) -> tuple[Houses, Table] | None:
        for houses, board in zip(self.ends[:2], self.boards[:2], strict=True):
            game = houses.contacts.active.session.game if houses.contacts.active else None
            if game is not None and game.is_ours and not game.unapplied:
                return houses, board.table
        return None

    def _done(self) -> bool:
        games = [end.contacts.active.session.game for end in self.ends if end.contacts.active]
        return len(games) == 2 and all(game is not None and game.is_done for game in games)

    def agree(self) -> None:
        one, two = (board.table.record for board in self.boards[:2])
        assert one.position.scores == two.position.scores
        assert one.position.over
        assert len(one.moves) == len(two.moves)

    async def close(self) -> None:
        for end in self.ends:
            await end.close()
        for board in self.boards:
            board.table.journal.close()


def _waits() -> Iterator[float]:
    while True:
        yield 0.0


def test_packs_are_computed_beside_the_loop_of_keys_and_light(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The test counts operations: the event loop makes and checks only the shares of a line, never
    a pack."""
    counts = {"loop": 0, "beside": 0, "opened": 0}
    multiple = group.multiple

    def counted(value: int, point: bytes) -> bytes:
        is_loop = threading.current_thread() is threading.main_thread()
        counts["loop" if is_loop else "beside"] += 1
        return multiple(value, point)

    monkeypatch.setattr(group, "multiple", counted)

    async def evening() -> None:
        both = Evening(tmp_path)
        await both.meet()
        await both.play()
        both.agree()
        deals = 0
        for end in both.ends:
            assert end.contacts.active is not None
            assert end.contacts.active.session.game is not None
            deals = end.contacts.active.session.game.deals_begun
        await both.close()
        assert counts["beside"] >= 2 * deals * 11 * 52, "made and checked"
        assert counts["loop"] <= 2 * deals * 8 * 8, "a share in a line, made and checked"

    asyncio.run(evening())


def test_a_full_disk_says_nothing_more_and_goes_on_once_it_has_room(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    replace = files.replace
    left, refused = [0], [0]

    def full(path: Path, content: bytes, *more: Any) -> None:
        if left[0] and "two" in path.parts:
            left[0] -= 1
            refused[0] += 1
            raise OSError(errno.ENOSPC, "No space left on device")
        replace(path, content, *more)

    monkeypatch.setattr(files, "replace", full)
    monkeypatch.setattr(tasks, "AGAIN", 0.0)
    monkeypatch.setattr(store, "AGAIN", 0.0)

    async def evening() -> None:
        both = Evening(tmp_path)
        await both.meet()
        for _ in range(12):
            left[0] = 3
            await both.play(2)
        left[0] = 0
        await both.play()
        both.agree()
        games = [end.contacts.active.session.game for end in both.ends if end.contacts.active]
        await until(lambda: not any(game.verified for game in games if game))
        await until(lambda: both.boards[1].controller.reports[-1] is None)
        await both.close()
        assert refused[0] >= 12
        assert any(
            reason and "No space left" in reason for reason in both.boards[1].controller.reports
        )
        assert both.boards[1].controller.reports[-1] is None
        deals = []
        for board in both.boards:
            (path,) = board.data.glob("far-*.jsonl")
            deals.append([found.cards for found in proof.proven(path.read_text().splitlines())])
        assert deals[0] == deals[1]
        assert len(deals[0]) >= 2

    asyncio.run(evening())


def test_an_opened_deal_is_written_once_whenever_the_power_went(tmp_path: Path) -> None:
    """Before the deal is written, it is kept with the game. After that, it already exists in the
    file."""
    pair = OneProcess(Random(3))
    pair.play()
    game = pair.one
    kept = json.loads(json.dumps(game_file.to_json(game)))
    again = game_file.from_json(kept, Random(1).randbytes).verified
    assert again == game.verified
    path = tmp_path / "far-0.jsonl"
    store._write_down(path, game.verified[:1])
    store._write_down(path, again)
    store._write_down(path, again)
    assert len(list(proof.proven(path.read_text().splitlines()))) == len(again) >= 2


@pytest.mark.slow
@pytest.mark.parametrize("ahead", [-3600, 3600, -7 * 24 * 3600, 7 * 24 * 3600])
def test_a_clock_that_is_wrong_or_a_pause_changes_nothing_but_when_they_were_there(
    post: Post, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, ahead: int
) -> None:
    now = [1e9]
    monkeypatch.setattr(time, "time", lambda: now[0])

    async def evening() -> None:
        both = Evening(tmp_path)
        await both.meet()
        await both.play(5)
        now[0] += ahead
        await both.ends[0].close()
        both.ends[0] = both.open(both.boards[0])
        minutes = both.ends[0].state("en")["houses"][0]["minutes"]
        assert minutes is None if ahead < 0 else minutes in (ahead // 60, 0)
        await both.play()
        both.agree()
        await both.close()

    asyncio.run(evening())


def test_a_connection_that_is_lost_while_something_is_said_loses_nothing(
    post: Post, tmp_path: Path
) -> None:
    async def evening() -> None:
        both = Evening(tmp_path)
        post.losing = Random(2)
        await both.meet()
        await both.play()
        both.agree()
        await both.close()
        assert post.lost > 20

    asyncio.run(evening())


@pytest.mark.parametrize("steps", spread(4, range(0, 60, 4)))
def test_a_board_that_ends_at_any_moment_leaves_no_task_and_says_nothing(
    post: Post, tmp_path: Path, caplog: pytest.LogCaptureFixture, steps: int
) -> None:
    """This is true after any number of iterations of the event loop, in a game whose pack is being
    computed."""

    async def evening() -> None:
        both = Evening(tmp_path)
        await both.meet()
        await both.play(1)
        for _ in range(steps):
            await asyncio.sleep(0)
        await both.close()
        assert asyncio.all_tasks() == {asyncio.current_task()}
        greetings = {topic for topic in post.retained if topic.endswith("/1")}
        others = [said for topic, said in post.retained.items() if topic not in greetings]
        assert all(not said or said[:1] == OVER for said in others)
        late = Meeting(both.secret, 2, bytes(32), "Cy", Random(2).randbytes)
        assert greetings == {f"{TREE}/{late.topic}/1"}
        assert late.is_over(post.retained[greetings.pop()])

    asyncio.run(evening())
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == []


def test_arithmetic_that_fails_after_the_end_is_nobodys(
    post: Post, tmp_path: Path, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    begun, ended = threading.Event(), threading.Event()

    def slow(*_: object) -> object:
        begun.set()
        ended.wait(PATIENCE)
        raise RuntimeError("too late")

    monkeypatch.setattr(dealing, "make", slow)

    async def evening() -> None:
        both = Evening(tmp_path)
        await both.meet()
        await until(begun.is_set)
        await both.close()
        ended.set()

    asyncio.run(evening())
    gc.collect()
    assert [record.getMessage() for record in caplog.records] == []


def test_a_message_or_a_part_that_fails_ends_nothing(
    post: Post,
    tmp_path: Path,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    fails = [3, 3]
    kept, have = store.FarStore._to_json, link.FarLink.take

    def failing(number: int) -> None:
        if fails[number]:
            fails[number] -= 1
            raise RuntimeError("an error of ours")

    def keep(files: store.FarStore) -> bytes:
        failing(0)
        return kept(files)

    def take(connection: link.FarLink, topic: str, packet: bytes) -> None:
        have(connection, topic, packet)
        failing(1)

    monkeypatch.setattr(store.FarStore, "_to_json", keep)
    monkeypatch.setattr(link.FarLink, "take", take)
    monkeypatch.setattr(tasks, "AGAIN", 0.0)
    monkeypatch.setattr(store, "AGAIN", 0.0)

    async def evening() -> None:
        both = Evening(tmp_path)
        await both.meet()
        await both.play()
        both.agree()
        await both.close()

    asyncio.run(evening())
    assert fails == [0, 0]
    assert len([record for record in caplog.records if record.exc_info]) == 6


@pytest.mark.parametrize("opened", [False, True], ids=["houses", "opened"])
def test_a_watcher_that_fails_keeps_nobody_from_hearing(
    opened: bool, post: Post, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    """The display and the page are notified one after the other, and the invitation is made in any
    case."""

    def failing() -> None:
        raise RuntimeError("an error of ours")

    async def evening() -> None:
        board = Board(tmp_path)
        features = Features(board, ())  # type: ignore[arg-type]  # the parts that it uses
        running: Any = SimpleNamespace(
            data=board.data, table=board.table, controller=board.controller, features=features
        )
        board.controller.commanded = Signal()
        far = OtherHouses(running, Options(host="nowhere"), mqtt.Options())
        houses = far.open()
        heard: list[int] = []
        told = far.changed if opened else houses.changed
        told.connect(failing)
        told.connect(lambda: heard.append(1))
        await houses.invite("Ann", "cribbage", {})
        assert heard
        assert len(houses.contacts.words) == 6
        await houses.close()
        board.table.journal.close()

    asyncio.run(evening())
    assert [record.exc_info is not None for record in caplog.records].count(True)


@pytest.mark.slow
def test_another_game_than_the_last_is_offered_by_name_and_played(
    post: Post, tmp_path: Path
) -> None:
    """Changing the game no longer takes a new invitation with six words."""

    async def evening() -> None:
        two = Evening(tmp_path)
        one, other = two.ends
        await two.meet()
        await two.play()
        one.play(0, "noddy", {})
        await until(lambda: other.contacts.houses[0].wants)
        assert other.invitation("en") == "Ann wants to play Noddy"
        assert other.state("en")["houses"][0]["invites"] == "Ann wants to play Noddy"
        other.play(0, "cribbage", {})  # only the offer counts
        await until(lambda: one.is_on and other.is_on)
        await two.play()
        two.agree()
        played = [board.table.position.game for board in two.boards]
        assert [game and game.name for game in played] == ["noddy", "noddy"]
        with pytest.raises(IllegalMove, match="far-no-game"):
            one.play(0, "belote", {})
        other.play(0)
        await until(lambda: one.contacts.houses[0].wants)
        assert one.invitation("en") == "Bob wants to play Noddy"
        await two.close()

    asyncio.run(evening())
