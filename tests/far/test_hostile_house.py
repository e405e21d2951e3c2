"""A hostile house sends messages to a real board. Every deviation is dropped or stops only that
game, nothing fails, and the board's files stay small enough to be read again."""

from __future__ import annotations

import asyncio
import json
import logging
import shutil
from base64 import b64encode
from collections.abc import Awaitable, Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from nacl.bindings import crypto_scalarmult_base, crypto_sign_seed_keypair

from boardctl.far import DIRECTORY, KEPT, group, limits, link, presence
from boardctl.far.channel import LARGEST, Channel
from boardctl.far.houses import Houses
from boardctl.far.limits import Allowance
from boardctl.far.peers import House
from boardctl.mqtt.connection import Broker
from boardctl.record import notation
from boardctl.storage import files
from tests.far import plain_group
from tests.far.test_courier import Board, Evening, Post, _waits
from tests.waiting import until

Message = dict[str, Any]


class Clock:
    """A clock that advances only on demand."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


class Hostile:
    """A board that plays with a house whose board was replaced by a hostile program."""

    def __init__(self, path: Path) -> None:
        self.board = Board(path / "one")
        self.clock = Clock()
        self.houses = self.open()
        (file,) = (path / "two" / DIRECTORY).glob("*.json")
        self.seed = bytes.fromhex(json.loads((path / "two" / KEPT).read_text())["seed"])
        stored = json.loads(file.read_text())["session"]
        self.channel = Channel.from_json(stored["channel"], self.seed, Random(1).randbytes)
        self.channel.outbox.clear()

    def open(self) -> Houses:
        broker = Broker("nowhere", 1, False, None, None, None)
        self.board.far = Houses(self.board, broker, _waits, self.clock)
        return self.board.far

    @property
    def house(self) -> House:
        return self.houses.contacts.houses[0]

    @property
    def game(self) -> Any:
        return self.house.session.game

    def is_here(self) -> bool:
        return bool(self.house.is_here)

    def is_paused(self) -> bool:
        return bool(self.house.is_paused)

    def packet(self, message: Any) -> bytes:
        """Return a genuine packet with any content."""
        self.channel.post(message)
        return self.channel.outbox.pop(self.channel.sent)

    def deliver(self, packet: bytes) -> None:
        self.houses.link.take(f"{self.house.base}/2", packet)

    def say(self, *messages: Any) -> None:
        for message in messages:
            self.deliver(self.packet(message))

    def in_game(self, message: Any) -> None:
        self.say({"g": self.house.session.number, "m": message})

    async def settle(self) -> None:
        """Wait until everything is on disk."""
        async with asyncio.timeout(60):
            while self.houses.store._is_changed.is_set() or self.houses.store._writing is None:
                await asyncio.sleep(0.002)
            for _ in range(20):
                await asyncio.sleep(0.002)

    async def restart(self) -> None:
        await self.houses.close()
        self.houses = self.open()

    async def close(self) -> None:
        await self.houses.close()
        self.board.table.journal.close()


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """Two boards in the middle of a hand, with the hostile house to play."""
    path = tmp_path_factory.mktemp("evening")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(link, "client", Post().client)
        plain_group.install(patch)

        async def evening() -> None:
            two = Evening(path)
            await two.meet()
            for _ in range(40):
                await two.play(1)
                games = [end.contacts.houses[0].session.game for end in two.ends]
                await until(lambda: two._due() or two._done())
                one = games[0]
                assert one is not None
                played = sum(" play " in line.text for line in one.lines)
                if played >= 2 and one.turn() == 2:
                    break
            await until(lambda: not any(end.store._is_changed.is_set() for end in two.ends))
            await until(lambda: not any(end.contacts.houses[0].channel.outbox for end in two.ends))
            for end in two.ends:
                end.happened()
            await asyncio.sleep(0.5)
            await two.close()

        asyncio.run(evening())
    plain_group.forget()
    yield path


@pytest.fixture
def hostile(
    template: Path, tmp_path: Path, post: Post, caplog: pytest.LogCaptureFixture
) -> Callable[[Callable[[Hostile], Awaitable[None]]], None]:
    """Run a hostile house's action, and check the invariants of every such action."""
    path = tmp_path / "boards"
    shutil.copytree(template, path)

    def run(act: Callable[[Hostile], Awaitable[None]]) -> None:
        async def whole() -> None:
            one = Hostile(path)
            try:
                assert one.houses.is_on
                assert one.game.turn() == 2
                await act(one)
                await one.settle()
                for file in [one.board.data / KEPT, *(one.board.data / DIRECTORY).iterdir()]:
                    assert file.stat().st_size < limits.LARGEST, file
                    assert not file.stat().st_mode & 0o077, file
                assert len(one.house.channel.outbox) <= limits.WAITING + 8
                assert len(one.house.also) <= 2
                assert one.house.session.name == "Bob"
                lines = None if one.game is None else len(one.game.lines)
                await one.restart()
                assert [house.session.name for house in one.houses.contacts.houses] == ["Bob"]
                assert (None if one.game is None else len(one.game.lines)) == lines
            finally:
                await one.close()

        caplog.set_level(logging.ERROR)
        asyncio.run(whole())
        assert not caplog.records, caplog.text

    return run


def line(one: Hostile, text: str, **fields: Any) -> Message:
    return {
        "t": "line",
        "n": len(one.game.lines),
        "line": text,
        "places": [],
        "keys": {},
        "shares": "",
        "chain": "",
        "scores": [0, 0],
        **fields,
    }


def ask(one: Hostile, text: str, ahead: int = 0) -> Message:
    return {"t": "ask", "n": len(one.game.lines) + ahead, "line": text}


LINES: Final = (
    "2 hint", "1 hint", "1 play 5h", "1 go", "redo", "amend 1 2 go", "insert 1 2 go",
    "session Friday",
    "game bezique", "seat 1 Eve", "set target 121", "dealer 2", "starter 5h", "deal", "2 cut 5h",
    "2 hand 5s 5h 5c Jd 2c 3c", "2 discard 5s 5h", "crib 5s 5h", "undo", "undo 9", "misdeal",
    "abandon",
    "2 resign", "1 resign", "2 adjust +30", "1 adjust -30", "2 peg 9", "2 show 29", "2 muggins 3",
    "2 frobnicate", "", " ", "2", "#", "2 play", "2 play ?", "2 play 5h 5s", "2 play 99",
    "3 play 5h",
    "2 play 5h # and a remark", "2  play 5h", "2 PLAY 5h", "\x00", "é" * 999, "2 play 5h\n2 go",
)  # fmt: skip
"""Lines that this house may not enter now, at least not with these cards."""


@pytest.mark.parametrize("text", LINES)
def test_a_line_that_may_not_be_said_stops_the_game(hostile: Any, text: str) -> None:
    async def act(one: Hostile) -> None:
        count = len(one.game.lines)
        one.in_game(line(one, text))
        assert one.game.stop is not None
        assert one.game.stop.mine
        assert len(one.game.lines) == count
        assert len(one.houses.notice("en")) < 600

    hostile(act)


BROKEN: Final[dict[str, Message]] = {
    "number 0": {"n": 0},
    "number before": {"n": -1},
    "number far ahead": {"n": 1 << 30},
    "number beyond": {"n": 1 << 70},
    "number in words": {"n": "9"},
    "number true": {"n": True},
    "a line that is a list": {"line": ["2 go"]},
    "a line of 20,000 characters": {"line": "2 play " + "5h " * 7000},
    "places that are text": {"places": "12"},
    "places twice": {"places": [0, 0]},
    "places of the other hand": {"places": [1]},
    "places beyond": {"places": [999]},
    "no chain": {"chain": None},
    "another type": {"t": "frobnicate"},
    "no type": {"t": None},
}


@pytest.mark.parametrize("name", BROKEN)
def test_a_line_with_wrong_fields_stops_the_game(hostile: Any, name: str) -> None:
    async def act(one: Hostile) -> None:
        one.in_game(line(one, "2 go", **BROKEN[name]))
        assert one.game.stop is not None

    hostile(act)


QUESTIONS: Final[dict[str, list[str]]] = {
    "another question at the same line": ["undo", "2 adjust +30"],
    "the same question again": ["undo", "undo"],
    "back to the deal": ["undo 9"],
    "back to the beginning": ["undo 40"],
    "before the beginning": ["undo 9999"],
    "nothing is taken back": ["undo 0"],
    "our resignation": ["1 resign"],
    "no question": ["2 go"],
    "a hint": ["2 hint"],
    "no line": ["2 frobnicate"],
    "the game's rules": ["set target 121"],
    "spelled in another way": ["undo  1"],
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_a_question_that_may_not_be_asked_stops_the_game(hostile: Any, name: str) -> None:
    async def act(one: Hostile) -> None:
        for text in QUESTIONS[name]:
            one.in_game(ask(one, text))
        assert one.game.stop is not None
        assert one.houses.asks is None

    hostile(act)


IGNORED: Final[dict[str, Callable[[Hostile], Message]]] = {
    "a question of before": lambda one: {"g": 1, "m": ask(one, "undo", -1)},
    "a question to come": lambda one: {"g": 1, "m": ask(one, "undo", 1)},
    "an answer that nobody asked for": lambda one: {"g": 1, "m": {"t": "answer", "n": 9, "yes": 1}},
    "a line of another game": lambda one: {"g": 2, "m": line(one, "2 go")},
    "a line of no game": lambda one: {"g": "1", "m": line(one, "2 go")},
    "an acceptance of nothing": lambda one: {"accept": "00" * 16, "names": ["Eve"], "k": 2},
    "an offer of the game that goes on": lambda one: {"offer": offer(), "k": 1},
    "an offer of the game after the next": lambda one: {"offer": offer(), "k": 3},
    "an offer without a key": lambda one: {"offer": {**offer(), "key": None}, "k": 2},
    "an offer with a key of small order": lambda one: {"offer": offer(key="00" * 32), "k": 2},
    "an offer with a short key": lambda one: {"offer": offer(key="00"), "k": 2},
    "an offer under a name that a record cannot hold": lambda one: {
        "offer": offer(names=["Bob # x"]), "k": 2,
    },
    "an offer by nobody": lambda one: {"offer": offer(names=[]), "k": 2},
    "an offer by three": lambda one: {"offer": offer(names=["A", "B", "C"]), "k": 2},
    "an offer by a text": lambda one: {"offer": offer(names="AB"), "k": 2},
    "an offer of no game": lambda one: {"offer": offer(game="chess"), "k": 2},
    "an offer of no rule": lambda one: {"offer": offer(options={"x": "y"}), "k": 2},
    "an offer of rules that are a list": lambda one: {"offer": offer(options=[1]), "k": 2},
    "an offer with half a name": lambda one: {"offer": offer(once="00"), "k": 2},
    "an offer that is a number": lambda one: {"offer": 5, "k": 2},
    "a withdrawal that is a text": lambda one: {"withdraw": "x" * 30_000, "k": 2},
    "a withdrawal that is a list": lambda one: {"withdraw": [[]] * 9000, "k": 2},
    "a withdrawal that is true": lambda one: {"withdraw": True, "k": 2},
    "a withdrawal of before": lambda one: {"withdraw": -1, "k": 2},
    "an echo of no withdrawal": lambda one: {"withdrawn": 1, "k": 2},
    "set aside by a text": lambda one: {"aside": "yes", "k": 1},
    "set aside in another game": lambda one: {"aside": True, "k": 7},
    "nothing": lambda one: {},
    "a list": lambda one: [1, 2],  # type: ignore[dict-item, return-value]  # not a message
    "a text": lambda one: "x" * 30_000,  # type: ignore[dict-item, return-value]
    "an onlooker's lines": lambda one: {"look": "x", "n": 0, "lines": ["game cribbage"]},
}  # fmt: skip


def offer(**fields: Any) -> Message:
    key = crypto_scalarmult_base(bytes(range(32))).hex()
    made = {"game": "cribbage", "options": {}, "once": "00" * 16, "names": ["Eve"], "key": key}
    return {**made, "deal": group.PROTOCOL, **fields}


@pytest.mark.parametrize("name", IGNORED)
def test_a_message_that_means_nothing_now_is_ignored(hostile: Any, name: str) -> None:
    async def act(one: Hostile) -> None:
        count, sent = len(one.game.lines), one.house.channel.sent
        one.say(IGNORED[name](one))
        session = one.house.session
        assert one.game.stop is None
        assert (len(one.game.lines), session.number) == (count, 1)
        assert session.offered is None
        assert not session.is_aside_there
        assert one.houses.asks is None
        assert one.house.channel.sent == sent, "nothing is answered"

    hostile(act)


def test_a_stop_of_any_kind_is_told_in_one_sentence(hostile: Any) -> None:
    async def act(one: Hostile) -> None:
        one.in_game({"t": "stop", "code": "<b>" * 999, "n": 9})
        assert not one.game.stop.mine
        assert len(one.houses.notice("en")) < 200

    hostile(act)


PACKETS: Final[dict[str, Callable[[bytes], bytes]]] = {
    "another version": lambda packet: bytes([2]) + packet[1:],
    "another kind": lambda packet: packet[:1] + bytes([3]) + packet[2:],
    "another number": lambda packet: packet[:9] + bytes([packet[9] ^ 1]) + packet[10:],
    "a byte less": lambda packet: packet[:-1],
    "a byte more": lambda packet: packet + b"\0",
    "a bit changed": lambda packet: packet[:-1] + bytes([packet[-1] ^ 1]),
    "its head alone": lambda packet: packet[:10],
    "half a head": lambda packet: packet[:5],
    "nothing": lambda packet: b"",
    "too large": lambda packet: packet + bytes(LARGEST),
}


@pytest.mark.parametrize("name", PACKETS)
def test_a_packet_that_was_changed_is_dropped(hostile: Any, name: str) -> None:
    async def act(one: Hostile) -> None:
        before = one.house.channel.taken
        one.deliver(PACKETS[name](one.packet({"aside": True, "k": 1})))
        assert one.house.channel.taken == before
        assert not one.house.session.is_aside_there

    hostile(act)


def test_a_message_under_the_keys_of_the_meeting_is_dropped(hostile: Any) -> None:
    """These keys are on disk as long as the houses know each other, whereas the game's keys are
    new."""

    async def act(one: Hostile) -> None:
        assert one.channel.message_keys != one.channel.channel_keys
        one.channel.message_keys = one.channel.channel_keys
        before = one.house.channel.taken
        one.say({"aside": True, "k": 1})
        assert one.house.channel.taken == before

    hostile(act)


def test_a_message_signed_by_another_house_is_dropped(hostile: Any) -> None:
    async def act(one: Hostile) -> None:
        one.channel._seed = bytes(32)
        before = one.house.channel.taken
        one.say({"aside": True, "k": 1})
        assert one.house.channel.taken == before

    hostile(act)


def test_a_message_that_is_repeated_is_taken_once(hostile: Any) -> None:
    async def act(one: Hostile) -> None:
        packet = one.packet({"aside": True, "k": 1})
        for _ in range(500):
            one.deliver(packet)
        assert one.house.session.is_aside_there

    hostile(act)


PRESENCE: Final[dict[str, Callable[[Hostile], bytes]]] = {
    "in words": lambda one: b"online",
    "nothing": lambda one: b"",
    "signed by another": lambda one: presence.say(bytes(32), presence.Heard(1 << 40, False)),
    "of before": lambda one: presence.say(one.seed, presence.Heard(1, False)),
    "cut off": lambda one: presence.say(one.seed, presence.Heard(1 << 40, False))[:-1],
    "with another number": lambda one: presence.say(
        one.seed, presence.Heard(1 << 40, False)
    ).replace(b"\1", b"\2", 1),
}


@pytest.mark.parametrize("name", PRESENCE)
def test_nobody_else_says_that_a_house_is_there_or_away(hostile: Any, name: str) -> None:
    async def act(one: Hostile) -> None:
        topic = one.house.presence
        one.houses.link.take(topic, PRESENCE[name](one))
        assert not one.is_here()
        newest = presence.Heard(1 << 41, False)
        one.houses.link.take(topic, presence.say(one.seed, newest))
        assert one.is_here()
        for packet in (b"offline", presence.say(bytes(32), presence.Heard(1 << 42, True))):
            one.houses.link.take(topic, packet)
            assert one.is_here()
        one.houses.link.take(topic, presence.say(one.seed, newest._replace(is_over=True)))
        assert not one.is_here()
        one.houses.link.take(topic, presence.say(one.seed, newest))
        assert not one.is_here(), "repeated by somebody else"

    hostile(act)


def test_the_client_identifier_follows_from_the_secret_key_alone() -> None:
    seed, other = bytes(32), bytes(31) + b"1"
    public, _ = crypto_sign_seed_keypair(seed)
    name = presence.client(seed)
    assert name == presence.client(seed) != presence.client(other)
    assert presence.topic(public).split("/")[1] not in name
    assert len(name) > 20


# Limits


def flood(one: Hostile, count: int, message: Callable[[int], Any]) -> None:
    """Send many messages as fast as the broker delivers them; rejected ones are not repeated."""
    for number in range(count):
        before = one.house.channel.taken
        sent = one.channel.sent, dict(one.channel._chains)
        one.say(message(number))
        if one.house.channel.taken == before:
            one.channel.sent, one.channel._chains = sent


def test_withdrawals_fill_no_file(hostile: Any) -> None:
    """160 withdrawals used to make a file of 20.8 MB, which the board itself could not read."""

    async def act(one: Hostile) -> None:
        for _ in range(20):
            flood(one, 100, lambda number: {"withdraw": number + 1, "k": 2})
            one.clock.now += 60
        assert len(one.house.channel.outbox) <= limits.WAITING

    hostile(act)


@pytest.mark.slow
def test_large_messages_fill_no_file(hostile: Any) -> None:
    async def act(one: Hostile) -> None:
        def large(number: int) -> Message:
            return {"g": 1, "m": {"t": "ask", "n": 1 << 20, "line": "x" * 30_000}}

        for _ in range(5):
            flood(one, 200, large)
            one.clock.now += 60

    hostile(act)


def test_messages_beyond_the_limit_wait_until_the_other_house_sends_them_again(
    hostile: Any,
) -> None:
    async def act(one: Hostile) -> None:
        packets = [one.packet({"aside": bool(n % 2), "k": 1}) for n in range(1000)]
        before = one.house.channel.taken
        for packet in packets:
            one.deliver(packet)
        assert one.house.channel.taken - before == limits.MESSAGES
        assert one.is_paused()
        one.clock.now += 60
        one.houses.link.resume()
        assert not one.is_paused()
        for packet in packets:
            one.deliver(packet)
        taken = limits.MESSAGES + min(limits.MESSAGES, 60 * limits.MESSAGES_A_SECOND)
        assert one.house.channel.taken - before == taken

    hostile(act)


def test_requests_to_send_again_are_answered_a_few_times(hostile: Any) -> None:
    async def act(one: Hostile) -> None:
        one.houses.leave()
        end = one.house
        assert end.channel.outbox
        repeated = 0
        for _ in range(1000):
            end.sent.update(end.channel.outbox)
            one.deliver(one.channel.have(again=True))
            repeated += not end.sent
        assert 1 <= repeated <= limits.REPEATS

    hostile(act)


def test_offers_are_silent_during_a_game_and_few_afterwards(hostile: Any) -> None:
    async def act(one: Hostile) -> None:
        one.say({"offer": offer(names=["Ann's mother"]), "k": 2})
        assert one.house.session.offered is not None
        assert one.houses.invitation("en") == ""
        one.houses.leave()
        assert one.houses.invitation("en") == "", "its lines are still on the table"
        one.board.table.submit(notation.parse_move("session Friday", None), "page")
        said = [one.houses.invitation("en")]
        for number in range(100):
            one.say(
                {"withdraw": number + 1, "k": 2}, {"offer": offer(names=[f"E{number}"]), "k": 2}
            )
            said.append(one.houses.invitation("en"))
            one.house.channel.outbox.clear()
            one.clock.now += 1
        told = [one for one in said if one]
        assert set(told) == {"Bob wants to play Cribbage"}, "under the name of the meeting alone"
        assert len(told) <= limits.OFFERS

    hostile(act)


def test_what_one_house_sends_writes_little(hostile: Any) -> None:
    """255 small messages a second used to cause 46 GiB of writes a day. The test sends an hour's
    worth of them, as fast as they are accepted."""

    async def act(one: Hostile) -> None:
        def toggled(step: int, number: int) -> Message:
            return {"aside": bool((number + step) % 2), "k": 1}

        written = [0]
        house = one.house
        replaced = files.replace

        def counted(path: Path, content: bytes, *more: Any) -> None:
            written[0] += len(content)
            replaced(path, content, *more)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(files, "replace", counted)
            house.written = Allowance(100_000, 100, one.clock)
            for step in range(60):
                flood(one, 20, partial(toggled, step))
                await one.settle()
                one.clock.now += 10
        assert written[0] <= 100_000 + 100 * 600 + 60 * 2000
        house.written = Allowance(limits.WRITTEN, 1e9, one.clock)
        one.houses.happened()

    hostile(act)
    assert limits.WRITTEN_A_SECOND * 86_400 < 3 << 30, "less than 3 GiB a day"


def test_a_damaged_house_does_no_harm_to_key_and_list(hostile: Any, tmp_path: Path) -> None:
    path = tmp_path / "boards"
    (file,) = (path / "one" / DIRECTORY).glob("*.json")
    seed = json.loads((path / "one" / KEPT).read_text())["seed"]
    file.write_bytes(b64encode(bytes(1000)))

    async def start() -> None:
        board = Board(path / "one")
        broker = Broker("nowhere", 1, False, None, None, None)
        houses = Houses(board, broker, _waits)
        assert houses.contacts.houses == []
        assert houses.contacts.seed.hex() == seed
        await houses.close()
        board.table.journal.close()

    asyncio.run(start())
    assert file.with_suffix(".damaged").exists()


def test_a_file_of_an_older_version_is_read(hostile: Any, tmp_path: Path) -> None:
    """It contained the houses and their games in one list."""
    path = tmp_path / "boards" / "one"
    (file,) = (path / DIRECTORY).glob("*.json")
    kept = path / KEPT
    stored = json.loads(kept.read_text())
    one = json.loads(file.read_text())
    del stored["ends"], stored["connections"], one["kind"], one["heard"]
    kept.write_text(json.dumps({**stored, "houses": [one], "active": 0}))
    shutil.rmtree(path / DIRECTORY)

    async def act(one: Hostile) -> None:
        assert one.house.session.name == "Bob"

    hostile(act)
