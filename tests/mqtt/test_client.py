"""A board on a real Mosquitto with TLS, passwords and ACLs."""

from __future__ import annotations

import asyncio
import gc
import json
import logging
import math
import os
import signal
import socket
import subprocess
import threading
import warnings
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

import aiomqtt
import pytest
from aiomqtt import MqttError
from paho.mqtt.client import Client

from boardctl.club.hub import Hub
from boardctl.club.store import Store
from boardctl.drivers.ports import PortError
from boardctl.mqtt import Options, payloads
from boardctl.mqtt import client as mqtt_client
from boardctl.mqtt.client import WINDOW, linked
from boardctl.mqtt.connection import LOOK, Broker, RepeatFilter, client, reason
from boardctl.table import Receipt
from tests.mqtt.broker import Mosquitto
from tests.mqtt.listener import Listener, listening
from tests.mqtt.tables import Seated, soon
from tests.parts import need
from tests.tables import submit
from tests.waiting import until


@pytest.fixture
def seated(tmp_path: Path) -> Iterator[Seated]:
    table = Seated(tmp_path / "one")
    yield table
    table.close()


def over(ear: Listener) -> bool:
    return bool((ear.last("boardctl/one/state") or {}).get("over"))


def test_state_availability_and_discovery(broker: Mosquitto, seated: Seated) -> None:
    config = "homeassistant/device/boardctl_one/config"

    async def play() -> None:
        async with listening(broker, "home", "boardctl/#", "homeassistant/#") as home:
            async with linked(seated, broker.options("one", commands=True), soon):
                await until(lambda: home.last("boardctl/one/online") == "online", "online")
                submit(seated.table, "1 peg 24 hand", "test")
                seated.win(1, 0)
                await until(lambda: over(home), "over")
                state = home.last("boardctl/one/state")
                assert state["scores"] == [121, 0]
                assert (state["last_count"], state["won"]) == (24, [2, 0])
                assert state["number"] == seated.table.number
                kinds = [json.loads(found) for found in home.heard["boardctl/one/shout"]]
                assert [found["event_type"] for found in kinds] == ["big-hand", "win"]
                found = home.last(config)
                assert set(found) >= {"dev", "o", "cmps"}
                assert all("default_entity_id" in part for part in found["cmps"].values())
            await until(lambda: home.last("boardctl/one/online") == "offline", "offline")
            async with linked(seated, broker.options("one", home_assistant=False), soon):
                await until(lambda: home.heard[config][-1] == b"", "vanish")

    asyncio.run(play())


def test_a_board_that_dies_is_offline_by_its_last_will(broker: Mosquitto, seated: Seated) -> None:
    async def play() -> None:
        async with (
            listening(broker, "home", "boardctl/#") as home,
            linked(seated, broker.options("one"), soon),
        ):
            await until(lambda: home.last("boardctl/one/online") == "online", "online")
            # Another client with the board's name takes over: the board's connection is cut
            # silently.
            async with client(broker.as_user("one"), "boardctl-one"):
                await until(lambda: "offline" in str(home.heard), "offline")
            await until(lambda: home.last("boardctl/one/online") == "online", "back")

    asyncio.run(play())


def test_a_line_that_cannot_be_told_ends_no_connection_for_good(
    broker: Mosquitto,
    seated: Seated,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The board stayed offline until it was restarted."""
    told = payloads.state

    def state(number: int, *about: Any) -> dict[str, Any]:
        if number == broken:
            raise KeyError("what")
        said: dict[str, Any] = told(number, *about)
        return said

    broken = seated.table.number + 1
    monkeypatch.setattr(payloads, "state", state)

    async def play() -> None:
        async with (
            listening(broker, "home", "boardctl/#") as home,
            linked(seated, broker.options("one"), soon),
        ):
            await until(lambda: home.last("boardctl/one/state") is not None, "state")
            submit(seated.table, "1 peg 2", "test")
            await until(lambda: "it is made again" in caplog.text, "failed")
            submit(seated.table, "1 peg 3", "test")
            await until(lambda: home.last("boardctl/one/state")["scores"] == [5, 0], "told")

    asyncio.run(play())


def test_commands(broker: Mosquitto, seated: Seated, caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(logging.WARNING, "boardctl.mqtt")
    table = seated.table

    async def play() -> None:
        async with listening(broker, "home", "boardctl/#") as home:

            async def say(payload: str, **more: Any) -> None:
                await home.client.publish("boardctl/one/command", payload, qos=1, **more)

            async def answered(count: int) -> Any:
                topic = "boardctl/one/answer"
                await until(lambda: len(home.heard.get(topic, [])) == count, f"answer {count}")
                return home.last(topic)

            # before the board is connected
            await say('{"line": "1 peg 9", "expect": 4}', retain=True)
            async with linked(seated, broker.options("one", commands=True), soon):
                await until(lambda: home.last("boardctl/one/online") == "online", "online")
                for wrong in (
                    "{",
                    "[]",
                    '{"line": "1 peg 3"}',
                    '{"line": "1 peg 3", "expect": true}',
                    '{"line": 3, "expect": 4}',
                    "[" * 2000,
                    "x" * 3000,
                ):
                    for _ in range(3):
                        await say(wrong)
                await say('{"line": "1 peg 8", "expect": 4}')
                assert await answered(1) == {"line": "1 peg 8", "number": 5, "move": "1 peg 8"}
                await say('{"line": "1 peg 8", "expect": 4}')  # replayed
                assert (await answered(2))["refused"] == "stale"
                await say('{"line": "1 peg 99", "expect": 5}')
                assert (await answered(3))["refused"] == "impossible-points"
                await say('{"line": "1 dance", "expect": 5}')
                assert (await answered(4))["refused"] == "syntax"
                # Text that JSON allows and a file cannot hold must not reach the journal.
                await say('{"line": "seat 1 \\ud800", "expect": 5}')
                await say('{"line": "session \\u001b[2J", "expect": 5}')
                assert (await answered(5))["refused"] == "syntax"
                assert table.position.scores == (8, 0)
                assert table.number == 5
                await home.client.publish("boardctl/one/light", "35", qos=1)
                await until(lambda: seated.light == 0.35, "light")
                await home.client.publish("boardctl/one/light", "1000", qos=1)
                seated.set_brightness(0.08)  # entered on the keypad: published at once
                await until(
                    lambda: home.last("boardctl/one/state")["brightness"] == 8, "told of the light"
                )
                # Another board may neither command this one nor publish in its name.
                async with client(broker.as_user("two"), "test-two") as two:
                    for topic in ("command", "ack", "state", "online", "result"):
                        with suppress(MqttError):
                            await two.publish(f"boardctl/one/{topic}", "offline", qos=1)
                await say('{"line": "undo", "expect": 5}')
                assert (await answered(6))["number"] == 6
                assert seated.light == 0.08
                assert home.last("boardctl/one/online") == "online"

    asyncio.run(play())
    assert table.position.scores == (0, 0)
    found = [record.getMessage() for record in caplog.records]
    assert len(found) == len(set(found)), "each refusal is logged once"
    for what in (
        *("retained", "is not valid JSON", "exactly the keys", "expect is not a", "line is not a"),
        *("too long", "stale", "impossible-points", "'1 dance': syntax", "brightness is not a"),
    ):
        assert sum(what in message for message in found) == 1, what


def test_a_slow_disk_is_told_and_who_stops_waiting_stops_no_line(
    broker: Mosquitto, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mqtt_client, "PATIENCE", 0.1)
    receipts: list[Receipt] = []
    seated.table.accepted.connect(receipts.append)
    slow = threading.Event()

    async def play() -> None:
        async with listening(broker, "home", "boardctl/#") as home:
            async with linked(seated, broker.options("one", commands=True), soon):
                await until(lambda: home.last("boardctl/one/online") == "online", "online")
                seated.hold(slow)
                found = '{"line": "1 peg 8", "expect": 4}'
                await home.client.publish("boardctl/one/command", found, qos=1)
                await until(lambda: "boardctl/one/answer" in home.heard, "answer")
                assert home.last("boardctl/one/answer")["error"] == "not-saved"
                monkeypatch.setattr(mqtt_client, "PATIENCE", 60)
                found = '{"line": "1 peg 2", "expect": 5}'
                await home.client.publish("boardctl/one/command", found, qos=1)
                await until(lambda: len(receipts) == 2, "played")
            slow.set()  # after the link has disappeared while it waited

    try:
        asyncio.run(play())
    finally:
        slow.set()
    for receipt in receipts:
        assert receipt.saved.result(5) is None
    assert submit(seated.table, "2 peg 2", "test").saved.result(5) is None


def test_without_leave_no_command_is_heard(broker: Mosquitto, seated: Seated) -> None:
    async def play() -> None:
        async with (
            listening(broker, "home", "boardctl/#") as home,
            linked(seated, broker.options("one"), soon),
        ):
            await until(lambda: home.last("boardctl/one/online") == "online", "online")
            line = '{"line": "1 peg 8", "expect": 4}'
            await home.client.publish("boardctl/one/command", line, qos=1)
            submit(seated.table, "2 peg 2", "test")
            await until(lambda: (home.last("boardctl/one/state") or {}).get("number") == 5, "state")

    asyncio.run(play())
    assert seated.table.position.scores == (0, 2)


def test_a_puback_is_not_enough(broker: Mosquitto, seated: Seated, tmp_path: Path) -> None:
    async def play() -> None:
        waiting = seated.table.journal.outbox
        async with (
            listening(broker, "home", "boardctl/#") as home,
            linked(seated, broker.options("one"), soon),
        ):
            seated.win(1, 100)
            await until(lambda: len(home.heard.get("boardctl/one/result", [])) >= 3, "repeated")
            assert len(waiting().result()) == 1, "nobody has said that it is kept"
            store = Store(tmp_path / "club.sqlite3")
            hub = asyncio.create_task(Hub(store, broker.as_user("hub"), waits=soon).run())
            await until(lambda: not waiting().result(), "acknowledged")
            assert [game.result["scores"] for game in store.games()] == [[121, 100]]
            submit(seated.table, "undo", "test")
            await until(lambda: store.games()[0].result["state"] == "withdrawn", "withdrawn")
            hub.cancel()
            with suppress(asyncio.CancelledError):
                await hub
            store.close()

    asyncio.run(play())


def test_results_that_nobody_acknowledges_are_sent_a_few_at_a_time(
    broker: Mosquitto, seated: Seated
) -> None:
    async def play() -> None:
        async with (
            listening(broker, "hub", "boardctl/+/result") as hub,
            linked(seated, broker.options("one"), soon),
        ):
            for behind in range(1, WINDOW + 4):  # the same number of games
                seated.win(1, behind)
            heard = hub.heard.setdefault("boardctl/one/result", [])
            await until(lambda: len(heard) >= 3 * WINDOW, "sent again and again")
            offered = {json.loads(one)["game"]: json.loads(one)["version"] for one in heard}
            assert len(offered) == WINDOW, "the others wait for an acknowledgement"
            for game in list(offered)[:3]:
                ack = json.dumps({"game": game, "version": offered[game]})
                await hub.client.publish("boardctl/one/ack", ack, qos=1)
            await until(lambda: len({json.loads(one)["game"] for one in heard}) == WINDOW + 3, "")

    asyncio.run(play())
    assert len(seated.table.journal.outbox().result()) == WINDOW


def test_cards_that_only_their_player_has_seen_are_not_told(
    broker: Mosquitto, seated: Seated
) -> None:
    async def play() -> None:
        async with (
            listening(broker, "home", "boardctl/#") as home,
            linked(seated, broker.options("one"), soon),
        ):
            lines = "dealer 1", "deal", "1 hand 5H 5S 6D JC 2C 3C", "1 discard 2C 3C"
            for line in (*lines, "amend 1 1 discard 5H 5S"):
                submit(seated.table, line, "test")
            heard = home.heard.setdefault("boardctl/one/event", [])
            await until(lambda: len(heard) == 5, "five events")
            moves = [json.loads(one)["move"] for one in heard]
            assert moves[2:] == ["1 hand ? ? ? ? ? ?", "1 discard ? ?", "amend 1 1 discard ? ?"]

    asyncio.run(play())


def test_a_flood_is_logged_once_a_minute(caplog: pytest.LogCaptureFixture) -> None:
    now = [0.0]
    log = logging.getLogger("flood")
    log.addFilter(RepeatFilter(lambda: now[0]))
    for at in (0.0, 0.1, 59.0, 61.0):
        now[0] = at
        log.warning("dropped")
    log.warning("other")
    assert caplog.messages == ["dropped", "dropped", "other"]


def test_a_board_at_rest_is_not_woken_every_second(
    broker: Mosquitto, seated: Seated, monkeypatch: pytest.MonkeyPatch
) -> None:
    looks: list[None] = []
    look = Client.loop_misc

    def counted(client: Client) -> Any:
        looks.append(None)
        return look(client)

    monkeypatch.setattr(Client, "loop_misc", counted)

    timers: list[asyncio.TimerHandle] = []

    class Recording(asyncio.SelectorEventLoop):
        def call_at(  # type: ignore[override]
            self, when: float, callback: Any, *args: Any, context: Any = None
        ) -> asyncio.TimerHandle:  # typeshed ties the callback to its arguments
            timers.append(super().call_at(when, callback, *args, context=context))
            return timers[-1]

    async def rest() -> None:
        async with linked(seated, broker.options("one"), soon):
            await until(lambda: bool(looks), "connected")
            now = asyncio.get_running_loop().time()
            due = [timer.when() - now for timer in timers if not timer.cancelled()]
            assert min(wait for wait in due if wait > 0) > LOOK / 2

    with asyncio.Runner(loop_factory=Recording) as runner:
        runner.run(rest())
    assert len(looks) == 1


@pytest.mark.parametrize("spoilt", ["ca", "password_file"])
def test_what_is_no_certificate_or_password_is_refused_in_a_sentence(
    spoilt: str, tmp_path: Path
) -> None:
    path = tmp_path / "it"
    path.write_bytes(b"\x30\x82\xff\xfe")
    broker = replace(Broker("localhost"), **{spoilt: path})  # type: ignore[arg-type]
    with pytest.raises(PortError) as refused:
        client(broker, "board")
    assert refused.value.args and str(path) in str(refused.value)


@pytest.mark.parametrize("host", ["x" * 64, "a..b", "broker-\udcff"])
def test_a_host_that_cannot_be_looked_up_is_refused_in_a_sentence(host: str) -> None:
    """The connection ended with a traceback, forever."""
    with pytest.raises(PortError, match="is not a host name"):
        client(Broker(host), "test")


def test_a_certificate_may_have_a_comment_in_any_language(tmp_path: Path) -> None:
    made = subprocess.run(
        [
            *("openssl", "req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=club"),
            *("-keyout", "/dev/null"),
        ],
        check=True,
        capture_output=True,
    ).stdout
    path = tmp_path / "ca.pem"
    path.write_bytes("# Zertifikat für das Brett, 証明書\n".encode() + made)

    async def make() -> None:
        client(Broker("localhost", ca=path), "board")

    asyncio.run(make())


def test_a_broker_that_goes_during_the_handshake_leaves_no_open_socket(tmp_path: Path) -> None:
    need("mosquitto")  # its certificate and password, not its process
    needless = Mosquitto(tmp_path / "broker", ("one",))

    def hang_up(listener: socket.socket) -> None:
        asked, _ = listener.accept()
        with asked:
            asked.recv(1)  # of the client's first message

    async def connect() -> None:
        with pytest.raises(MqttError):
            async with client(needless.as_user("one"), "test"):
                pass

    gc.collect()  # an earlier test's remains are not part of this one
    with warnings.catch_warnings(record=True) as left:
        warnings.simplefilter("always", ResourceWarning)
        with socket.create_server(("127.0.0.1", needless.port)) as listener:
            gone = threading.Thread(target=hang_up, args=(listener,))
            gone.start()
            asyncio.run(connect())
            gone.join()
        gc.collect()
    assert not [str(one.message) for one in left if "unclosed" in str(one.message)]


@pytest.mark.parametrize("step", ["connecting", "greeting", "leaving"])
def test_whoever_gives_up_leaves_no_open_socket(broker: Mosquitto, step: str) -> None:
    async def connect(connection: aiomqtt.Client) -> None:
        async with connection:
            os.kill(broker.pid, signal.SIGSTOP)
            await asyncio.Event().wait()

    def is_there(connection: aiomqtt.Client) -> bool:
        if step == "connecting":
            return bool(connection._is_connecting)  # type: ignore[attr-defined]  # our own
        if step == "greeting":
            return connection._client.socket() is not None
        return connection._connected.done()

    async def give_up() -> None:
        connection = client(broker.as_user("one"), "test")
        gc.collect(0)  # older than its socket, so the collector cannot close the socket by chance
        if step == "connecting":
            os.kill(broker.pid, signal.SIGSTOP)
        elif step == "greeting":
            connection._wait_for = stopped  # type: ignore[assignment]  # an answer that never comes
        going = asyncio.create_task(connect(connection))
        await until(lambda: is_there(connection), step)
        going.cancel()
        for _ in range(3):
            await asyncio.sleep(0)
        going.cancel()  # as a board does when it stops
        os.kill(broker.pid, signal.SIGCONT)
        await asyncio.wait((going,))

    async def stopped(*_: Any, **__: Any) -> None:
        await asyncio.Event().wait()

    gc.collect()  # an earlier test's remains are not part of this one
    gc.disable()
    try:
        with warnings.catch_warnings(record=True) as left:
            warnings.simplefilter("always", ResourceWarning)
            asyncio.run(give_up())
            gc.collect()
    finally:
        gc.enable()
    assert not [str(one.message) for one in left if "unclosed" in str(one.message)]


def test_who_waits_for_an_answer_learns_at_once_that_the_broker_is_gone(
    broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with client(broker.as_user("one"), "test") as connection, asyncio.timeout(60):
            os.kill(broker.pid, signal.SIGSTOP)
            topic = "boardctl/one/state"
            waiting = asyncio.create_task(connection.publish(topic, "{}", 1, timeout=math.inf))
            await asyncio.sleep(0)
            broker.kill()
            await waiting

    with pytest.raises(MqttError, match="the broker is gone"):
        asyncio.run(play())
    gc.collect()
    assert [found.getMessage() for found in caplog.records] == []


def test_what_ends_early_leaves_nothing_in_the_log(
    broker: Mosquitto, caplog: pytest.LogCaptureFixture
) -> None:
    async def play() -> None:
        async with client(broker.as_user("one"), "test") as connection:
            asked = asyncio.create_task(connection.subscribe("boardctl/one/ack"))
            await asyncio.sleep(0)
            asked.cancel()  # its answer arrives all the same
            await connection.subscribe("boardctl/one/ack")
        with suppress(MqttError):
            async with client(broker.as_user("one"), "test") as connection:
                broker.kill()
                for _ in range(100):  # until the board knows that the broker is gone
                    await connection.publish("boardctl/one/state", "{}", timeout=0.1)
                    await asyncio.sleep(0.01)

    asyncio.run(play())
    gc.collect()
    assert [found.getMessage() for found in caplog.records] == []


def test_a_link_that_is_cancelled_again_while_it_ends_leaves_no_task(
    seated: Seated, caplog: pytest.LogCaptureFixture
) -> None:
    class Lost:
        """A broker that answers nobody, and disappears at the end."""

        async def publish(self, *_: Any, **__: Any) -> None:
            await asyncio.Event().wait()

        def __aiter__(self) -> Lost:
            return self

        async def __anext__(self) -> Any:
            try:
                await asyncio.Event().wait()
            except asyncio.CancelledError:
                raise MqttError("disconnected") from None

        messages = property(lambda self: self)

    async def play() -> None:
        link = mqtt_client._Link(seated, Options(board="one"), soon)
        talking = asyncio.create_task(link._talk(Lost()))  # type: ignore[arg-type]  # as a broker
        await asyncio.sleep(0)
        link._changed.set()
        while not talking.done():
            await asyncio.sleep(0)
            talking.cancel()
        link.leave()
        for _ in range(9):
            await asyncio.sleep(0)
        assert asyncio.all_tasks() == {asyncio.current_task()}

    asyncio.run(play())
    gc.collect()
    assert [found.getMessage() for found in caplog.records] == []


@pytest.mark.parametrize("why", ["certificate is not yet valid", "certificate has expired"])
def test_a_wrong_clock_is_asked_for_where_no_certificate_is_valid(why: str) -> None:
    """This is a board without a battery clock, before it has learned the time: the broker is
    right."""
    error = MqttError(f"[SSL: CERTIFICATE_VERIFY_FAILED] certificate verify failed: {why}")
    said = reason(error, now=lambda: 1_500_000_000.0)
    assert said == f"{error}; is the clock of this machine right? It says 2017-07-14"
    assert reason(OSError("refused")) == "refused"
