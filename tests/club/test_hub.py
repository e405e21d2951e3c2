"""The hub: its page, its broker's set-up, joining by a code, and it all as processes."""

from __future__ import annotations

import asyncio
import re
import signal
import urllib.request
from pathlib import Path
from typing import Any

import httpx
import pytest
from click.testing import CliRunner

from boardctl import config
from boardctl.cli import main
from boardctl.club.broker import BrokerError, acl, write
from boardctl.club.hub import Hub
from boardctl.club.page import make
from boardctl.club.store import Store
from boardctl.mqtt.connection import Broker
from boardctl.web import Options
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import hub as start_hub
from tests.parts import need
from tests.web.conftest import free_port


@pytest.fixture
def hub(tmp_path: Path) -> Any:
    store = Store(tmp_path / "club.sqlite3")
    yield Hub(store, Broker("localhost"))
    store.close()


def page(hub: Hub, **headers: str) -> Any:
    return asked(hub, "GET", headers)


def asked(hub: Hub, method: str, headers: dict[str, str]) -> Any:
    async def ask() -> httpx.Response:
        transport = httpx.ASGITransport(app=make(hub, Options(port=8122)))
        async with httpx.AsyncClient(transport=transport) as client:
            return await client.request(method, "http://127.0.0.1:8122/", headers=headers)

    return asyncio.run(ask())


def test_the_page_shows_the_evening_and_no_name_is_markup(hub: Hub) -> None:
    assert "No evening" in page(hub).text
    number = hub.store.new("Friday", ["<script>alert(1)</script>", "Bob & Co"])
    hub.store.draw(number, 9)
    one, two = hub.store.players(number)
    hub.store.correct(number, 1, one, two, 40, (one, two), 0.0)
    hub.live["t1"] = {"game": "<b>", "seats": ["<i>"], "scores": [3, 4], "over": False}
    told = page(hub)
    assert told.status_code == 200
    assert "&lt;script&gt;" in told.text
    assert not re.search(r"<(script|b|i)>", told.text)
    assert "corrected" in told.text
    assert "<svg" in told.text
    assert "default-src 'none'" in told.headers["content-security-policy"]


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
        told = join(code)
        assert told.exit_code == 0, told.output
        (tmp_path / "config.toml").write_text(told.output)
        options = config.load(tmp_path / "config.toml").mqtt
        assert (options.board, options.port, options.enabled) == (user, broker.port, True)
        assert (joined / "mqtt.password").read_text() == password
        assert (joined / "mqtt.password").stat().st_mode & 0o077 == 0
    finally:
        broker.kill()


def test_the_hub_as_a_process(tmp_path: Path) -> None:
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", ("one",))
    broker.start()
    port = free_port()
    running = start_hub(broker, tmp_path / "club.sqlite3", port)
    try:
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/") as answer:
            assert b"No evening" in answer.read()
        running.send_signal(signal.SIGTERM)
        assert "Traceback" not in running.communicate(timeout=20)[1]
        assert running.returncode == 0
    finally:
        if running.poll() is None:
            running.kill()
            running.communicate()
        broker.kill()
