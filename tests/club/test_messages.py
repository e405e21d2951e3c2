"""No message from a board stops the hub: schemas are bounded, handlers are isolated, and senders
are logged once."""

from __future__ import annotations

import asyncio
import json
import logging
from pathlib import Path
from typing import Any

import pytest
from aiomqtt import Message
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardctl.club.hub import Hub
from boardctl.club.messages import LONGEST, SHOWN, read_result, read_state
from boardctl.club.page import render
from boardctl.club.store import Game, Store
from boardctl.mqtt import LARGEST
from boardctl.mqtt.connection import Broker, client
from boardctl.mqtt.results import Malformed
from tests.mqtt.broker import Mosquitto
from tests.parts import need

RESULT: dict[str, Any] = {
    "state": "won",
    "seats": ["Ann", "Bob"],
    "scores": [121, 9],
    "winner": 1,
    "margin": "skunk",
}
STATE = {"game": "cribbage", "seats": ["Ann", "Bob"], "scores": [1, 2], "over": False, "new": 1}


def game(result: dict[str, Any], name: str = "g-1-1", version: int = 2) -> dict[str, Any]:
    return {"game": name, "version": version, "result": result}


class Heard:
    """A connection that records its published messages."""

    def __init__(self) -> None:
        self.published: list[str] = []

    async def publish(self, topic: str, *_: Any, **__: Any) -> None:
        self.published.append(topic)


@pytest.fixture
def hub(tmp_path: Path) -> Any:
    store = Store(tmp_path / "club.sqlite3")
    store.draw(store.new("Friday", ["Ann", "Bob"]))
    yield Hub(store, Broker("localhost"))
    store.close()


def hear(hub: Hub, *messages: tuple[str, bytes]) -> Heard:
    """Send messages to a hub, as its broker would."""
    heard = Heard()

    async def send() -> None:
        for topic, payload in messages:
            message = Message(f"boardctl/{topic}", payload, 1, False, 1, None)
            await hub._receive(heard, message)  # type: ignore[arg-type]  # it only publishes

    asyncio.run(send())
    return heard


@pytest.mark.parametrize(
    "wrong",
    [
        {"winner": 3},
        {"winner": True},
        {"winner": "x"},
        {"winner": None},
        {"winner": 10**40},
        {"margin": None},
        {"scores": [121]},
        {"scores": [121, "90"]},
        {"scores": [121, -(10**30)]},
        {"scores": [121, 1e300]},
        {"scores": [1] * 5, "seats": ["a"] * 5},
        {"seats": "Ann"},
        {"seats": ["Ann", "B" * 5000]},
        {"seats": ["Ann", "\ud800"]},
        {"state": "lost"},
        {"state": "draw", "winner": "x"},
        {"state": "draw", "winner": 1, "seats": ["Ann"], "scores": []},
        {"more": 1},
    ],
)
def test_a_malformed_result_is_rejected(wrong: dict[str, Any]) -> None:
    assert read_result(json.dumps(game(RESULT)).encode()).game == "g-1-1"
    with pytest.raises(Malformed):
        read_result(json.dumps(game(RESULT | wrong)).encode())


@pytest.mark.parametrize(
    "payload",
    [
        b"",
        b"{}",
        b"[" * 10_000,
        b"\xff",
        json.dumps(game({})).encode(),
        json.dumps(game(RESULT, "a b")).encode(),
        json.dumps(game(RESULT, "g\n")).encode(),
        json.dumps(game(RESULT, "g" * 65)).encode(),
        json.dumps(game(RESULT, version=-1)).encode(),
        json.dumps(game(RESULT, version=2**63)).encode(),
        json.dumps(game(RESULT)).encode() + b" " * LONGEST,
    ],
)
def test_anything_else_is_rejected(payload: bytes) -> None:
    with pytest.raises(Malformed):
        read_result(payload)


def test_a_state_is_cut_to_what_is_shown() -> None:
    state = read_state(json.dumps(STATE | {"seats": ["A" * 400, "B"]}).encode())
    assert [len(seat) for seat in state.seats] == [SHOWN, 1]


ATTACKS = (
    ("t1/result", b"{}"),
    ("t1/result", json.dumps(game(RESULT | {"state": "draw", "winner": "x"})).encode()),
    ("t1/result", json.dumps(game(RESULT | {"scores": [121, -(10**30)]})).encode()),
    ("t1/state", b"{}"),
    ("t1/state", b"[" * 5000),
)


def test_one_board_s_messages_end_nothing_and_it_is_named_once(
    hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    good = ("t2/result", json.dumps(game(RESULT)).encode())
    with caplog.at_level(logging.WARNING):
        heard = hear(hub, *ATTACKS, *ATTACKS, good)
    assert heard.published == ["boardctl/t2/ack"]
    named = [record.getMessage() for record in caplog.records]
    assert [message.split(":")[0] for message in named] == [
        "boardctl/t1/result",
        "boardctl/t1/state",
    ]


def test_an_error_of_our_own_in_a_handler_ends_nothing(
    hub: Hub, caplog: pytest.LogCaptureFixture, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: Game) -> bool:
        raise RuntimeError("a mistake of ours")

    good = json.dumps(game(RESULT)).encode()
    with monkeypatch.context() as patch:
        patch.setattr(hub.store, "keep", broken)
        assert hear(hub, ("t1/result", good), ("t1/result", good)).published == []
    assert [record.getMessage() for record in caplog.records] == [
        "boardctl/t1/result: not handled; RuntimeError: a mistake of ours"
    ]
    assert hear(hub, ("t1/result", good)).published == ["boardctl/t1/ack"]


TEXT = st.sampled_from(["\ud800", "a\0b", "<i>"]) | st.text(max_size=9)
NUMBERS = st.sampled_from([-1, 2**63, 10**40]) | st.integers()
ANY = st.recursive(
    st.none() | st.booleans() | NUMBERS | st.floats() | TEXT,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXT, inner, max_size=3),
    max_leaves=5,
)
VALUES = NUMBERS | TEXT | ANY | st.lists(TEXT, max_size=4) | st.lists(NUMBERS, max_size=4)


def nearly(right: dict[str, Any]) -> st.SearchStrategy[dict[str, Any]]:
    """Return a valid message with one or two wrong values."""
    wrong = st.dictionaries(st.sampled_from(list(right)), VALUES, min_size=1, max_size=2)
    return wrong.map(lambda values: right | values)


MESSAGES = st.one_of(
    st.tuples(st.just("t1/result"), nearly(game(RESULT)) | nearly(RESULT).map(game)),
    st.tuples(st.just("t1/state"), nearly(STATE)),
    st.tuples(st.sampled_from(["t1/result", "t1/state", "t1/online"]), ANY),
).map(lambda message: (message[0], json.dumps(message[1]).encode()))


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(MESSAGES | st.tuples(st.just("t1/result"), st.binary(max_size=40)), max_size=9))
def test_whatever_a_board_says_the_hub_goes_on(hub: Hub, messages: list[tuple[str, bytes]]) -> None:
    hear(hub, *messages)
    assert "Friday" in render(hub)
    for standing in hub.store.standings(1):
        assert 0 <= standing.plus <= 121 * standing.games, "whatever it sent, within the rules"


def test_a_broker_drops_what_is_too_large_for_us(tmp_path: Path) -> None:
    """This holds even if the broker has no limits: our limit is in CONNECT (MQTT 5, 3.1.2.11.4)."""
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", ("one",))
    config = tmp_path / "broker" / "mosquitto.conf"
    for bound in (f"max_packet_size {LARGEST}\n", "max_connections ", "memory_limit "):
        assert bound in config.read_text()
    config.write_text(config.read_text().replace(f"max_packet_size {LARGEST}\n", ""))
    broker.start()

    async def hear() -> list[int]:
        async with client(broker.as_user("one"), "one") as board:
            await board.subscribe("boardctl/one/light", qos=1)
            async with client(broker.as_user("home"), "home") as home:
                for size in (10, 2 * LARGEST, 11):
                    await home.publish("boardctl/one/light", b"x" * size, qos=1)
            sizes = []
            async for message in board.messages:
                assert isinstance(message.payload, bytes)
                sizes.append(len(message.payload))
                if sizes[-1] == 11:
                    break
            return sizes

    try:
        assert asyncio.run(hear()) == [10, 11]
    finally:
        broker.kill()
