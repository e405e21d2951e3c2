"""Long games are entered on the table a few lines per iteration of the event loop, so that keys and
lights continue to work. The tests count lines, not seconds."""

from __future__ import annotations

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest

from boardctl.far import limits
from boardctl.far.feed import Feed
from boardctl.far.on_table import BEGINNING
from boardctl.far.peers import Greeting, Onlooker
from boardctl.table import Receipt
from tests.far.test_courier import Evening, Post
from tests.far.test_look import ends
from tests.waiting import until

HEAD = ["game cribbage", "seat 1 Ann", "seat 2 Bob"]


class Turns:
    """Counts the lines that a table accepts in each iteration of the event loop."""

    def __init__(self, table: Any) -> None:
        self.most = self.whole = self._now = 0
        self._connection = table.accepted.connect(self._line)
        self._handle = asyncio.get_running_loop().call_soon(self._turn)

    def _line(self, receipt: Receipt) -> None:
        self._now += 1
        self.whole += 1
        self.most = max(self.most, self._now)

    def _turn(self) -> None:
        self._now = 0
        self._handle = asyncio.get_running_loop().call_soon(self._turn)

    def end(self) -> None:
        self._handle.cancel()


def watched(evening: Evening) -> tuple[Onlooker, Feed]:
    """Return a house whose game the first board watches, and that house's end."""
    theirs, ours = ends()
    onlooker = Onlooker(ours, Greeting("x"))
    houses = evening.ends[0]
    houses.contacts.onlookers.append(onlooker)
    houses.contacts.watched = onlooker
    return onlooker, theirs


def send(evening: Evening, onlooker: Onlooker, theirs: Feed, start: int, lines: list[str]) -> None:
    theirs.channel.post({"look": "a" * 16, "n": start, "lines": lines})
    packet = theirs.channel.outbox.pop(theirs.channel.sent)
    evening.ends[0].link._receive(onlooker, packet)


@pytest.mark.slow
def test_a_watched_house_cannot_freeze_the_board(post: Post, tmp_path: Path) -> None:
    """1,000 valid lines used to take 3.3 s in one iteration of the event loop."""

    async def act() -> None:
        evening = Evening(tmp_path, ("one",))
        onlooker, theirs = watched(evening)
        turns = Turns(evening.boards[0].table)
        send(evening, onlooker, theirs, 0, HEAD)
        for start in range(0, 600, 100):
            lines = [f"{1 + n % 2} peg 1" if n % 4 < 2 else "undo" for n in range(100)]
            send(evening, onlooker, theirs, len(HEAD) + start, lines)
        whole = len(HEAD) + 600
        await until(
            lambda: onlooker.lines_shown == whole or evening.ends[0].contacts.watched is None
        )
        turns.end()
        assert evening.ends[0].contacts.watched is onlooker
        assert turns.whole == whole + 1, "and the evening's title"
        assert turns.most <= max(limits.SLICE, len(HEAD) + 1)
        await evening.close()

    asyncio.run(act())


def test_a_watched_house_ends_no_evening_and_grows_no_file(post: Post, tmp_path: Path) -> None:
    async def act() -> None:
        evening = Evening(tmp_path, ("one",))
        for lines in (
            [*HEAD, "session Mine"],
            [*HEAD, "game bezique"],
            [*HEAD, "1 hint"],
            ["session Mine"],
            ["x" * (limits.LINES + 1)],
            ["1 peg 1"] * 101,
            ["frobnicate"],
        ):
            onlooker, theirs = watched(evening)
            send(evening, onlooker, theirs, 0, lines)
            await until(lambda: evening.ends[0].contacts.watched is None)
            evening.ends[0].contacts.onlookers.clear()
        sessions = evening.boards[0].table.position.session
        assert sessions != "Mine"
        onlooker, theirs = watched(evening)
        for start in range(0, 2 * limits.LINES, 100):
            onlooker.messages._tokens = 1e9
            send(evening, onlooker, theirs, start, ["1 peg 1"] * 100)
        assert len(onlooker.feed.lines) <= limits.LINES
        await evening.close()

    asyncio.run(act())


def test_a_long_game_is_put_on_the_table_in_slices(post: Post, tmp_path: Path) -> None:
    async def act() -> None:
        evening = Evening(tmp_path)
        await evening.meet()
        await evening.play(30)
        one, table = evening.ends[0], evening.boards[0].table
        await until(lambda: not one.table._queue)
        one.leave()
        turns = Turns(table)
        await asyncio.sleep(0)
        one.play(0)
        game = one.contacts.houses[0].session.game
        assert game is not None
        await until(lambda: not one.table._queue and turns.whole > limits.SLICE * 2)
        turns.end()
        assert turns.most <= BEGINNING
        await evening.play()
        evening.agree()
        await evening.close()

    asyncio.run(act())


@pytest.mark.slow
def test_each_game_has_keys_that_no_file_has_once_the_next_begins(
    post: Post, tmp_path: Path
) -> None:
    async def act() -> None:
        evening = Evening(tmp_path)
        await evening.meet()
        one, two = evening.ends
        secrets: list[tuple[bytes, ...]] = []
        for _ in range(2):
            await evening.play()
            channels = [end.contacts.houses[0].channel for end in evening.ends]
            assert channels[0].message_keys == channels[1].message_keys
            secrets.append(channels[0].message_keys)
            one.play(0)
            await until(lambda: two.contacts.houses[0].session.offered)
            two.play(0)
            await until(lambda: all(end.is_on for end in evening.ends))
            await until(
                lambda: not any(end.contacts.houses[0].channel.before for end in (one, two))
            )
        secrets.append(one.contacts.houses[0].channel.message_keys)
        assert len({key for keys in secrets for key in keys}) == 6
        await evening.play(4)
        await until(lambda: not any(end.store._is_changed.is_set() for end in evening.ends))
        await asyncio.sleep(0.2)
        await evening.close()
        files = [path for path in tmp_path.rglob("*") if path.is_file()]
        content = b"".join(path.read_bytes() for path in files)
        for keys in secrets[:-1]:
            assert not any(key.hex().encode() in content or key in content for key in keys)

    asyncio.run(act())


def test_an_allowance_is_so_many_at_once_and_so_many_a_second() -> None:
    now = [0.0]
    chance = Random(1)
    allowance = limits.Allowance(10, 2, lambda: now[0])
    taken = 0
    for _ in range(1000):
        taken += allowance.take()
        now[0] += chance.random() / 10
        assert taken <= 10 + 2 * now[0]
    assert taken >= 2 * now[0]
    while allowance.take():
        pass
    assert 0 < allowance.wait() <= 0.5
    now[0] += allowance.wait()
    assert allowance.take()
