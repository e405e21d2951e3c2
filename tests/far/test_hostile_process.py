"""A hostile house against a board as people run it: one process over a real broker, which survives
every deviation."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, Final

import pytest
from nacl import bindings

from boardctl.far import DIRECTORY, TREE, invitation_words, limits, presence
from boardctl.far.channel import Channel
from boardctl.far.meeting import Meeting
from boardctl.far.session import Session
from tests.far.houses import SHORT, compute
from tests.far.test_hostile_house import (
    BROKEN,
    IGNORED,
    LINES,
    PACKETS,
    PRESENCE,
    QUESTIONS,
    ask,
    line,
)  # fmt: skip
from tests.mqtt.broker import Mosquitto
from tests.mqtt.listener import Listener, listening
from tests.mqtt.running import run
from tests.web.conftest import Daemon

Message = dict[str, Any]
PATIENCE: Final = 120
MOST_GROWN: Final = 16 << 20
"""The maximum growth of the process in bytes with all of them."""


class Eve:
    """A house that follows the protocol until it is told to send something else."""

    def __init__(self, ear: Listener, board: Daemon, seed: bytes, channel: Channel) -> None:
        self.board, self.seed, self.channel = board, seed, channel
        self._ear = ear
        self.session = Session(channel, "Eve", "Ann", Random(2).randbytes)
        self._sent = set[int]()
        self._base = f"{TREE}/{channel.topic}"

    @property
    def game(self) -> Any:
        return self.session.game

    @property
    def inbox(self) -> str:
        """The topic on which the board sends to this house."""
        return f"{self._base}/1"

    async def publish(self, packet: bytes) -> None:
        await self._ear.client.publish(f"{self._base}/2", packet, qos=1)

    async def say(self, *messages: Any) -> None:
        """Send genuine packets with any content."""
        for message in messages:
            self.channel.post(message)
        await self.pump()

    async def in_game(self, message: Message) -> None:
        await self.say({"g": self.session.number, "m": message})

    async def pump(self) -> None:
        """Handle the packets that have arrived, and send all consequences."""
        heard = self._ear.heard.get(self.inbox, [])
        while heard:
            before, taken = self.channel.taken, self.session.take(heard.pop(0))
            for packet in taken.resent:
                await self.publish(packet)
            if self.channel.taken > before:
                await self.publish(self.channel.have())
        if self.game is not None and self.game.stop is None:
            compute(self.game)
            self.session.flush()
        for number, packet in list(self.channel.outbox.items()):
            if number not in self._sent:
                self._sent.add(number)
                await self.publish(packet)

    async def until(self, what: Callable[[], object], why: str) -> None:
        async with asyncio.timeout(PATIENCE):
            while not what():
                await self.pump()
                assert self.board.process.poll() is None, why
                await asyncio.sleep(0.01)

    async def heard(self) -> None:
        """Wait until the board has received everything."""
        await self.until(lambda: not self.channel.outbox, "the board has heard")

    # Actions of people at the board

    def far(self) -> dict[str, Any]:
        with self.board.client as client:
            answer: dict[str, Any] = client.get("/far").raise_for_status().json()
            return answer

    def state(self) -> dict[str, Any]:
        with self.board.client as client:
            answer: dict[str, Any] = client.get("/state?seat=1").raise_for_status().json()
            return answer

    def post(self, path: str, **body: object) -> dict[str, Any]:
        with self.board.client as client:
            answer: dict[str, Any] = client.post(f"{path}?seat=1", json=body).json()
            return answer

    def act(self) -> bool:
        """Let Ann play if it is her turn, and return whether it was."""
        game = self.far()["game"]
        if game is None or game["due"] != "ours":
            return False
        state = self.state()
        asks = [one for one in state["asks"] if one["seat"] in (None, 1)]
        asks = [one for one in asks if one["kind"] != "choice"]
        if not asks:
            return False
        cards = (
            "" if asks[0]["kind"] == "confirm" else " ".join(asks[0]["cards"][: asks[0]["least"]])
        )
        self.post("/lines", line=f"{asks[0]['head']} {cards}".strip(), expect=state["number"])
        return True

    async def deal(self) -> None:
        """Play until Eve has to choose cards."""
        async with asyncio.timeout(PATIENCE):
            while self.choice is None:
                await self.pump()
                game = self.game
                if game is not None and game.is_ours and self.choice is None:  # she deals
                    game.say(game.position.prompt.asks[0].move)
                elif self.choice is None and not self.act():
                    await asyncio.sleep(0.01)

    @property
    def choice(self) -> Any:
        """Return Eve's pending ask, if she has to choose cards now."""
        if self.game is None or not self.game.is_ours:
            return None
        asks = self.game.position.prompt.asks
        return next((one for one in asks if one.kind == "cards" and one.seat == 2), None)

    async def again(self) -> None:
        """Begin another game, which the board offers and Eve accepts."""
        number = self.session.number
        self.session.welcome = True
        answer = self.post("/far/play", house=0, game="cribbage", options=SHORT)
        assert "error" not in answer, answer
        await self.until(lambda: self.session.number > number, "another game begins")
        await self.deal()


@asynccontextmanager
async def met(broker: Mosquitto, board: Daemon) -> AsyncIterator[Eve]:
    """Let Ann invite at the board, and Eve accept with the words."""
    chance = Random(1)
    seed = chance.randbytes(32)
    async with listening(broker, "two") as ear:
        with board.client as client:
            body = {"name": "Ann", "partner": "", "game": "cribbage", "options": SHORT}
            said = client.post("/far/invite", json=body).raise_for_status().json()
        meeting = Meeting(invitation_words.read(said["link"]), 2, seed, "Eve", chance.randbytes)
        topic = f"{TREE}/{meeting.topic}"
        await ear.client.publish(f"{topic}/2", meeting.greet(), qos=1, retain=True)
        await ear.client.subscribe(f"{topic}/1", qos=1)
        async with asyncio.timeout(PATIENCE):
            while not ear.heard.get(f"{topic}/1"):
                await asyncio.sleep(0.01)
        found = meeting.take(ear.heard[f"{topic}/1"][0])
        assert found is not None
        eve = Eve(ear, board, seed, found.channel)
        await ear.client.subscribe(eve.inbox, qos=1)
        await eve.publish(eve.channel.have(again=True))
        eve.session.welcome = True
        await eve.until(lambda: eve.game is not None, "they play")
        await eve.deal()
        yield eve


async def ignored(eve: Eve) -> int:
    """Send every message without a meaning now; the game continues as before."""
    before = eve.state()["number"], len(eve.game.lines)
    seen: Any = SimpleNamespace(game=eve.game, seed=eve.seed)
    for name, message in IGNORED.items():
        await eve.say(message(seen))
        await eve.heard()
        now = eve.far()
        assert not now["game"]["stopped"], name
        assert not now["game"]["asks"], name
        assert not now["houses"][0]["invites"], name
    for damage in PACKETS.values():
        eve.channel.post({"aside": False, "k": eve.session.number})
        await eve.publish(damage(eve.channel.outbox[eve.channel.sent]))
        await eve.pump()
    await eve.heard()
    public, _ = bindings.crypto_sign_seed_keypair(eve.seed)
    for packet in PRESENCE.values():
        await eve._ear.client.publish(presence.topic(public), packet(seen), qos=1)
    for _ in range(200):
        await eve.publish(eve.channel.have(again=True))
    await eve.heard()
    for name, value in (("message_keys", eve.channel.channel_keys), ("_seed", bytes(32))):
        true, (sent, chains) = (
            getattr(eve.channel, name),
            (eve.channel.sent, dict(eve.channel._chains)),
        )
        setattr(eve.channel, name, value)
        eve.channel.post({"aside": True, "k": eve.session.number})
        await eve.publish(eve.channel.outbox.pop(eve.channel.sent))
        setattr(eve.channel, name, true)
        eve.channel.sent, eve.channel._chains = sent, chains
    eve.channel.post({"aside": False, "k": eve.session.number})
    for _ in range(50):
        await eve.publish(eve.channel.outbox[eve.channel.sent])
    await eve.heard()
    assert not eve.far()["game"]["aside"]
    assert (eve.state()["number"], len(eve.game.lines)) == before
    return len(IGNORED) + len(PACKETS) + len(PRESENCE) + 4


async def stopped(eve: Eve, *messages: Message) -> None:
    """Send a message that stops a game; a new one begins."""
    number = eve.state()["number"]
    for message in messages:
        await eve.in_game(message)
    await eve.until(lambda: eve.game.stop is not None, f"{messages} stop the game")
    await eve.until(lambda: eve.far()["game"]["stopped"], f"{messages} stop the board's game")
    assert eve.state()["number"] <= number, messages
    assert not eve.state()["over"]
    await eve.again()


@pytest.mark.slow
@pytest.mark.usefixtures("real_words")  # the board is a separate process
def test_a_board_outlives_every_deviation(broker: Mosquitto, tmp_path: Path) -> None:
    board = run(broker, "one", tmp_path / "one")

    async def evening() -> int:
        async with met(broker, board) as eve:
            kinds = await ignored(eve)
            grown = resident(board)
            for text in LINES[::2]:
                await stopped(eve, line(eve, text))  # type: ignore[arg-type]
            for fields in BROKEN.values():
                await stopped(eve, line(eve, "2 go", **fields))  # type: ignore[arg-type]
            for texts in QUESTIONS.values():
                await stopped(eve, *(ask(eve, text) for text in texts))  # type: ignore[arg-type]
            kinds += len(LINES[::2]) + len(BROKEN) + len(QUESTIONS)
            assert resident(board) - grown < MOST_GROWN
            choice, number = eve.choice, eve.state()["number"]
            eve.game.say(choice.move._replace(cards=tuple(choice.cards[: choice.least])))
            await eve.heard()
            await eve.until(lambda: eve.state()["number"] > number, "an honest line is heard")
            return kinds

    try:
        kinds = asyncio.run(evening())
    finally:
        said = board.end()
    assert kinds >= 100
    assert not said
    for file in (tmp_path / "one" / DIRECTORY).iterdir():
        assert file.stat().st_size < limits.LARGEST
    assert json.loads((tmp_path / "one" / "far.json").read_text())["seed"]


def resident(board: Daemon) -> int:
    """Return the bytes of memory that a process uses."""
    status = Path(f"/proc/{board.process.pid}/status").read_text()
    (line,) = (one for one in status.splitlines() if one.startswith("VmRSS"))
    return int(line.split()[1]) << 10
