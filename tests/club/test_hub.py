"""The hub: its page, its broker's configuration, joining by a code, and all of it as processes."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path
from typing import Any

import httpx
import pytest
import segno
from aiomqtt import MqttError
from click.testing import CliRunner

from boardctl.app import config
from boardctl.club import views
from boardctl.club.broker import acl, add, revoke, write
from boardctl.club.commands.hub import command as hub_command
from boardctl.club.hub import Hub
from boardctl.club.messages import State
from boardctl.club.page import make
from boardctl.club.store import Store
from boardctl.commands import main
from boardctl.mqtt import TREE
from boardctl.mqtt.connection import Broker, client, end_task
from boardctl.mqtt.mosquitto import BrokerError
from boardctl.web import Options
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import HubProcess
from tests.mqtt.tables import soon
from tests.parts import need
from tests.ports import free_port
from tests.waiting import until
from tools import fonts


@pytest.fixture
def hub(tmp_path: Path) -> Any:
    store = Store(tmp_path / "club.sqlite3")
    yield Hub(store, Broker("localhost"))
    store.close()


def page(hub: Hub, language: str = "en", **headers: str) -> Any:
    return asked(hub, "GET", headers, language)


def asked(hub: Hub, method: str, headers: dict[str, str], language: str = "en") -> Any:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=make(hub, Options(port=8122), language))
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.request(method, "http://127.0.0.1:8122/", headers=headers)

    return asyncio.run(ask())


def test_the_page_shows_the_evening_and_no_name_is_markup(hub: Hub) -> None:
    assert "no evening" in page(hub).text
    number = hub.store.new("Friday", ["<script>alert(1)</script>", "Bob & Co"])
    hub.store.draw(number)
    one, two = hub.store.players(number)
    pins = hub.store.give_pins((one, two))
    hub.store.correct(number, 1, one, two, 40, (pins[one], pins[two]), 0.0)
    hub.live["t1"] = State(("<i>",), (3, 4), "<b>")
    found = page(hub)
    assert found.status_code == 200
    assert "&lt;script&gt;" in found.text
    assert not re.search(r"<(script|b|i)>", found.text)
    assert "by hand" in found.text
    assert "<svg" in found.text
    assert "default-src 'none'" in found.headers["content-security-policy"]


def test_the_page_says_who_sits_out_in_each_round(hub: Hub) -> None:
    number = hub.store.new("Friday", ["Ann", "Bob", "<i>Cleo"])
    for drawn in (hub.store.draw(number)[1] for _ in range(3)):
        assert drawn.bye is not None
    shown = page(hub).text
    for name in ("Ann", "Bob", "&lt;i&gt;Cleo"):
        assert shown.count(f"<td>{name} sits out</td>") == 1
    assert page(hub, "ja").text.count("<td>Annは休み</td>") == 1


def test_the_page_has_the_board_s_own_letters(hub: Hub) -> None:
    async def ask(path: str) -> httpx.Response:
        transport = httpx.ASGITransport(app=make(hub, Options(port=8122), "en"))
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.get(f"http://127.0.0.1:8122{path}")

    style = asyncio.run(ask("/style.css")).text
    named = re.findall(r'url\("(/[^"]+)"\)', style)
    assert len(named) == 2
    for font in named:
        answer = asyncio.run(ask(font))
        assert answer.headers["content-type"] == "font/woff2"
        assert answer.content == (fonts.STATIC / font.removeprefix("/")).read_bytes()


def test_the_page_says_whether_the_broker_is_there_and_which_games_are_over(hub: Hub) -> None:
    lost = "The connection to the boards is lost"
    assert lost in page(hub).text
    hub.connected = True
    hub.online |= {"t1", "t2"}
    hub.live["t1"] = State(("Ann", "Bob"), (121, 90), "cribbage", over=True)
    hub.live["t2"] = State(("Cléo", "Dan"), (20, 30), "cribbage")
    hub.live["t3"] = State(("Eve", "Fay"), (20, 30), "cribbage")
    shown = page(hub).text
    assert lost not in shown
    rows = re.findall(r"<td>(t\d)</td><td>(\w+)</td>", re.sub(r"\s*\n\s*", "", shown))
    assert rows == [("t1", "finished"), ("t2", "playing"), ("t3", "offline")]
    assert shown.count("<td>Cribbage</td>") == 3
    assert page(hub, "ja").text.count("<td>クリベッジ</td>") == 3


def test_what_a_broker_has_lost_is_played_no_more(
    tmp_path: Path, hub: Hub, caplog: pytest.LogCaptureFixture
) -> None:
    """A board that was switched off while its broker was gone used to be shown as “playing”
    forever. The log did not mention a second loss of the broker, and the director's page did not
    mention any."""
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", ("t1",))
    hub = Hub(hub.store, broker.as_user("hub"), waits=soon)
    hub.store.new("Friday", ("Ann", "Bob"))
    lost = "The connection to the boards is lost"
    alerts: list[bool] = []

    async def ask() -> None:
        transport = httpx.ASGITransport(app=make(hub, Options(port=8122), "en"))
        async with httpx.AsyncClient(transport=transport) as client:
            for path in ("/", "/director"):
                alerts.append(lost in (await client.get(f"http://127.0.0.1:8122{path}")).text)

    async def evening() -> None:
        broker.start()
        running = asyncio.create_task(hub.run())
        async with client(broker.as_user("t1"), "t1") as board:
            await board.publish(f"{TREE}/t1/online", "online", qos=1, retain=True)
            state = '{"seats": ["Ann", "Bob"], "scores": [20, 30], "game": "cribbage"}'
            await board.publish(f"{TREE}/t1/state", state, qos=1, retain=True)
            await until(lambda: "t1" in hub.live and "t1" in hub.online, "the board is seen")
            await ask()
            broker.kill()
        for _ in range(2):
            await until(lambda: not hub.connected, "the broker is gone")
            await ask()
            assert "t1" in hub.live, "what was seen last is still shown, and said to be old"
            (broker.directory / "data" / "mosquitto.db").unlink(missing_ok=True)
            broker.start()
            await until(lambda: hub.connected, "the broker is back")
            await ask()
            assert (hub.live, hub.online) == ({}, set())
            hub.live["t1"] = State(("Ann", "Bob"), (20, 30), "cribbage")
            broker.kill()
        await until(lambda: not hub.connected, "the broker is gone")
        await end_task(running)

    try:
        asyncio.run(evening())
    finally:
        broker.kill()
    assert alerts == [*(False,) * 2, *((True,) * 2 + (False,) * 2) * 2]
    assert len([one for one in caplog.messages if one.startswith("no broker")]) == 3


def test_phones_are_not_sent_to_a_page_that_they_cannot_open(
    hub: Hub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.store.new("Friday", (), open_=True)
    shown = page(hub).text
    assert "Phones cannot open this page yet" in shown
    assert "entry.svg" not in shown
    codes: list[str] = []
    monkeypatch.setattr(views, "address_for", lambda host: f"http://192.0.2.7 for {host}")
    made = segno.make

    def noted(content: str, **more: Any) -> Any:
        codes.append(content)
        return made(content, **more)

    monkeypatch.setattr(segno, "make", noted)

    async def ask() -> str:
        transport = httpx.ASGITransport(app=make(hub, Options(port=8122, host="0.0.0.0")))
        async with httpx.AsyncClient(transport=transport) as client:
            await client.get("http://127.0.0.1:8122/entry.svg")
            return (await client.get("http://127.0.0.1:8122/")).text

    assert "/entry.svg" in asyncio.run(ask())
    assert codes[0].startswith("http://192.0.2.7 for 127.0.0.1:8122/entry/")


def test_the_page_can_only_be_read_and_only_by_our_name(hub: Hub) -> None:
    assert page(hub, host="evil.example").status_code == 421
    origin = {"origin": "http://127.0.0.1:8122"}
    for method in ("POST", "PUT", "DELETE", "PATCH"):
        assert asked(hub, method, origin).status_code == 405


def test_no_board_may_write_what_is_another_s() -> None:
    mine: dict[str, set[str]] = {}
    user = ""
    for line in acl(("one", "two")).splitlines():
        if line.startswith("user "):
            user = line[5:]
        elif line.startswith("topic write "):
            mine.setdefault(user, set()).add(line[12:])
    assert not mine["one"] & mine["two"]
    assert all("one" in topic and "+" not in topic and "#" not in topic for topic in mine["one"])


def test_a_broker_is_never_written_over(tmp_path: Path) -> None:
    need("mosquitto")
    write(tmp_path, "localhost", 8883, ("one",))
    before = {path.name: path.read_bytes() for path in tmp_path.iterdir() if path.is_file()}
    for boards in (("one",), ("hub",), ("a/b",)):
        with pytest.raises(BrokerError):
            write(tmp_path, "localhost", 8883, boards)
    assert before == {p.name: p.read_bytes() for p in tmp_path.iterdir() if p.is_file()}
    assert b"$7$" in before["passwords"], "passwords are kept as hashes only"
    for name in ("passwords", "server.key", "acl"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0


@pytest.mark.parametrize("host", ["", "a b", "a/b", "büro.local", "-", "a" * 65, "fe80::1%eth0"])
def test_a_broker_s_machine_has_a_name_or_an_address(host: str, tmp_path: Path) -> None:
    """Other names are refused with a sentence of our own before anything is written, because
    openssl's message does not help, and openssl accepts some names that no board could verify."""
    where = tmp_path / "broker"
    done = CliRunner().invoke(main, ["club", "broker", str(where), "one", f"--host={host}"])
    assert done.exit_code == 1
    assert f"“{host}” cannot be the broker’s machine" in done.output
    assert not where.exists()


@pytest.mark.parametrize("host", ["hub", "a.b-c.local", "192.168.1.2", "::1", "a" * 64])
def test_a_broker_s_machine_is_in_its_certificate(host: str, tmp_path: Path) -> None:
    need("mosquitto")
    (joined, *_) = write(tmp_path, host, 8883, ("one",))
    assert joined.code.endswith(f"@{host}:8883")
    assert (tmp_path / "server.crt").exists()


def test_a_board_is_let_in_later(tmp_path: Path) -> None:
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", ("one",))
    broker.start()
    where = tmp_path / "broker"

    async def may(user: str, password: str) -> bool:
        (where / f"{user}.password").write_text(password)
        try:
            async with client(broker.as_user(user), "test"):
                return True
        except MqttError:
            return False

    async def shut_out(user: str, password: str) -> bool:
        """Return whether a connected board loses its connection once it is revoked."""
        (where / f"{user}.password").write_text(password)
        try:
            async with client(broker.as_user(user), "stolen") as connection:
                done = CliRunner().invoke(main, ["club", "broker", str(where), user, "--revoke"])
                assert done.exit_code == 0, done.output
                broker.reload()
                async with asyncio.timeout(60):
                    async for _ in connection.messages:
                        pass
        except MqttError:
            return True
        return False

    def added(*names: str) -> dict[str, str]:
        done = CliRunner().invoke(main, ["club", "broker", str(where), *names, "--add"])
        assert done.exit_code == 0, done.output
        codes = dict(line.split() for line in done.output.splitlines() if "@" in line)
        assert all(code.endswith(f"@localhost:{broker.port}") for code in codes.values())
        broker.reload()
        return {user: code.split(":")[1] for user, code in codes.items()}

    try:
        old = broker.joined["one"].password
        assert asyncio.run(may("one", old))
        new = added("one", "two")
        for _ in range(100):  # until the broker has read it
            if not asyncio.run(may("one", old)):
                break
            time.sleep(0.05)
        else:
            pytest.fail("its old code is good no more")
        assert asyncio.run(may("one", new["one"]))
        assert asyncio.run(may("two", new["two"]))
        assert asyncio.run(may("hub", broker.joined["hub"].password)), "others are as they were"
        assert (where / "acl").read_text().count("user one\n") == 1
        assert (where / "acl").read_text().count("user two\n") == 1
        assert {path.name for path in where.iterdir()} & {
            "passwords.new",
            "passwords.part",
        } == set()
        renewed = added("hub")
        for _ in range(100):  # until the broker has read it
            if asyncio.run(may("hub", renewed["hub"])):
                break
            time.sleep(0.05)
        else:
            pytest.fail("the hub has lost its code, and may have a new one")
        assert asyncio.run(shut_out("two", new["two"])), "its open connection is ended"
        assert not asyncio.run(may("two", new["two"]))
        assert asyncio.run(may("one", new["one"])), "others are as they were"
        assert "two" not in (where / "acl").read_text()
    finally:
        broker.kill()
    before = (where / "passwords").read_bytes()
    with pytest.raises(BrokerError):
        revoke(where, ["one", "two"])
    with pytest.raises(BrokerError):
        add(where, ["three", "a/b"])
    with pytest.raises(BrokerError):
        add(tmp_path / "nothing", ["three"])
    assert (where / "passwords").read_bytes() == before


def test_a_board_joins_by_its_code(tmp_path: Path) -> None:
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", ("one",))
    code = broker.joined["one"].code
    joined = tmp_path / "joined"

    def join(code: str) -> Any:
        return CliRunner().invoke(main, ["club", "join", code, str(joined)])

    assert "does not answer" in join(code).output
    broker.start()
    try:
        user, password, mark = code.partition("@")[0].split(":")
        wrong = code.replace(mark, "A" * 43)
        for bad in ("nonsense", wrong):
            assert join(bad).exit_code == 1
            assert not joined.exists()
        text = join(code)
        assert text.exit_code == 0, text.output
        (tmp_path / "config.toml").write_text(text.output)
        options = config.load(tmp_path / "config.toml").mqtt
        assert (options.board, options.port, options.enabled) == (user, broker.port, True)
        assert (joined / "mqtt.password").read_text() == password
        assert (joined / "mqtt.password").stat().st_mode & 0o077 == 0
        command, words = join(broker.joined["hub"].code).output.split(maxsplit=1)
        assert command == "boardctl"
        with hub_command.make_context("hub", words.split()[1:]) as context:
            assert context.params["broker"] == f"localhost:{broker.port}"
            assert context.params["password_file"] == (joined / "mqtt.password")
    finally:
        broker.kill()


def test_the_hub_as_a_process(tmp_path: Path) -> None:
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", ("one",))
    broker.start()
    port = free_port()
    running = HubProcess(broker, tmp_path / "club.sqlite3", port)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            assert b"no evening" in answer.read()
        assert "Traceback" not in running.end()
        assert running.process.returncode == 0
    finally:
        running.end(signal.SIGKILL)
        broker.kill()


@pytest.mark.parametrize("port", ["0", "65536", "99999", "８８８３", "x"])
def test_a_broker_s_port_is_one(tmp_path: Path, port: str) -> None:
    words = ["hub", "--broker", f"localhost:{port}", "--store", str(tmp_path / "club.sqlite3")]
    done = CliRunner().invoke(main, words)
    assert done.exit_code == 2
    assert f"“{port}” is not a port" in done.output


def test_a_hub_that_cannot_serve_its_page_says_that_alone(tmp_path: Path) -> None:
    """If the certificate was also wrong, a traceback used to follow."""
    (tmp_path / "ca.pem").write_text("no certificate")
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = subprocess.run(
            [
                *(
                    sys.executable,
                    "-W",
                    "error",
                    "-m",
                    "boardctl",
                    "hub",
                    "--broker",
                    "localhost:1",
                ),
                *("--ca", "ca.pem", "--store", "club.sqlite3", "--port", f"{port}"),
            ],
            cwd=tmp_path,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
    assert done.returncode == 1
    assert done.stderr.count("\n") == 1, done.stderr
    assert f"{port}" in done.stderr


def test_a_hub_of_a_club_that_cannot_be_named_is_refused_in_a_sentence(tmp_path: Path) -> None:
    words = (
        "hub",
        "--broker",
        "127.0.0.1:1",
        "--no-tls",
        "--store",
        str(tmp_path / "club.sqlite3"),
    )
    done = CliRunner().invoke(main, [*words, "--club", " "])
    assert (done.exit_code, done.output.count("\n")) == (1, 1)
    assert "visible characters" in done.output
