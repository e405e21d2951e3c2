"""If people can fix a missing connection to the other houses, page, display and voice say why,
until it is back. Over a real Mosquitto with TLS."""

from __future__ import annotations

import asyncio
import socket
import subprocess
from collections.abc import Callable, Iterator
from dataclasses import replace
from functools import partial
from pathlib import Path

import pytest

from boardctl.far.houses import Houses
from boardctl.mqtt.connection import Broker
from tests.far.test_courier import Board
from tests.mqtt.broker import Mosquitto
from tests.waiting import PATIENCE

AUTHORITY = """
[ca]
default_ca = here
[here]
database = index
serial = serial
new_certs_dir = .
default_md = sha256
policy = any
x509_extensions = localhost
[any]
commonName = supplied
[localhost]
subjectAltName = DNS:localhost
"""


def valid(broker: Mosquitto, start: str, end: str) -> None:
    """Give the broker a certificate that is valid only between these dates."""
    where = broker.directory
    (where / "ca.conf").write_text(AUTHORITY)
    (where / "index").write_text("")
    (where / "serial").write_text("01")
    ask = (
        "openssl",
        "req",
        "-new",
        "-key",
        "server.key",
        "-subj",
        "/CN=localhost",
        "-out",
        "asked",
    )
    sign = (
        *("openssl", "ca", "-batch", "-notext", "-selfsign", "-config", "ca.conf"),
        *("-keyfile", "server.key", "-in", "asked", "-out", "server.crt"),
        *("-startdate", f"{start}000000Z", "-enddate", f"{end}000000Z"),
    )
    for command in (ask, sign):
        subprocess.run(command, cwd=where, check=True, capture_output=True)
    broker.kill()
    broker.start()


def _write(path: Path, content: str) -> None:
    path.write_text(content)


def _often() -> Iterator[float]:
    while True:
        yield 0.01


def told(data: Path, broker: Broker, mend: Callable[[], None] | None = None) -> str:
    """Check the message to a person who waits for another house, and that it disappears after the
    repair."""

    async def evening() -> str:
        board = Board(data)
        houses = Houses(board, broker, _often)
        try:
            await houses.invite("Ann", "cribbage", {})
            async with asyncio.timeout(PATIENCE):
                while not houses.link.trouble:
                    await asyncio.sleep(0.01)
                here, said = houses.presence("en")
                assert not here
                assert said == houses.state("en")["trouble"]
                assert houses.presence("ja")[1] != ""
                if mend is not None:
                    mend()
                    while not houses.state("en")["connected"]:
                        await asyncio.sleep(0.01)
                    assert houses.presence("en") == (True, "")
                    assert houses.state("en")["trouble"] == ""
                houses.cancel()
                assert houses.presence("en") == (True, ""), "nobody waits"
            return said
        finally:
            await houses.close()
            board.table.journal.close()

    return asyncio.run(evening())


@pytest.mark.parametrize("dates", [("20800101", "20900101"), ("20010101", "20020101")])
def test_a_wrong_date_is_told_until_it_is_right(
    broker: Mosquitto, tmp_path: Path, dates: tuple[str, str]
) -> None:
    """This happens on a board without a battery-backed clock, before it has received the time."""
    valid(broker, *dates)
    right = partial(valid, broker, "20010101", "20900101")
    said = told(tmp_path / "board", broker.as_user("one"), right)
    assert said.startswith(
        "No connection: the certificate of the broker localhost is not valid on 20"
    )
    assert "the date of this board’s clock" in said


def test_another_certificate_is_told(broker: Mosquitto, tmp_path: Path) -> None:
    other = Mosquitto(tmp_path / "other", ("one",))
    trusting = replace(broker.as_user("one"), ca=other.directory / "server.crt")
    said = told(tmp_path / "board", trusting)
    assert "localhost has a certificate that this board does not trust" in said


def test_a_refused_password_is_told(broker: Mosquitto, tmp_path: Path) -> None:
    password = tmp_path / "password"
    password.write_text("another")
    refused = replace(broker.as_user("one"), password_file=password)
    right = broker.joined["one"].password
    said = told(tmp_path / "board", refused, lambda: _write(password, right))
    assert "localhost refuses this board’s name or password" in said


def test_a_name_that_no_broker_has_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def nowhere(*_: object, **__: object) -> None:
        raise socket.gaierror(socket.EAI_NONAME, "Name or service not known")

    monkeypatch.setattr(socket, "getaddrinfo", nowhere)
    said = told(tmp_path / "board", Broker("nowhere.invalid", 1883, False))
    assert "the broker nowhere.invalid was not found" in said


def test_a_missing_certificate_is_told(tmp_path: Path) -> None:
    missing = tmp_path / "mqtt.pem"
    said = told(tmp_path / "board", Broker("localhost", 8883, True, missing))
    assert said.startswith(str(missing))
