"""The page of the card's own Wi-Fi, over real HTTP; only comitup is simulated."""

from __future__ import annotations

import socket
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from http.client import HTTPConnection, HTTPResponse
from http.server import ThreadingHTTPServer
from types import SimpleNamespace
from urllib.parse import urlencode

import pytest

from boardctl.app import hotspot_page
from boardctl.text import LANGUAGES


@dataclass
class Air:
    """The networks in range, and those that were joined."""

    names: Sequence[str] = ("Home & <Garden>", "Café")
    joined: list[tuple[str, str]] = field(default_factory=list)
    waiting: list[Callable[[], None]] = field(default_factory=list)
    port: int = 0

    def networks(self) -> Sequence[str]:
        return self.names

    def join(self, name: str, password: str) -> None:
        self.joined.append((name, password))

    def later(self, seconds: float, do: Callable[[], None]) -> None:
        assert seconds == hotspot_page.SOON
        self.waiting.append(do)

    def ask(
        self, method: str, path: str, body: str = "", **headers: str
    ) -> tuple[HTTPResponse, str]:
        line = HTTPConnection("127.0.0.1", self.port, timeout=30)
        said = {name.replace("_", "-"): value for name, value in headers.items()}
        line.request(method, path, body.encode() or None, said)
        answer = line.getresponse()
        page = answer.read().decode()
        line.close()
        return answer, page


@pytest.fixture(params=[None, "ja"])
def air(request: pytest.FixtureRequest) -> Iterator[Air]:
    made = Air()
    server = ThreadingHTTPServer(
        ("127.0.0.1", 0), hotspot_page.handler(made, request.param, made.later)
    )
    made.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    yield made
    server.shutdown()
    thread.join()
    server.server_close()


def test_a_phone_chooses_a_network(air: Air, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "cribbage")
    answer, page = air.ask("GET", "/")
    assert answer.status == 200
    assert "<option>Home &amp; &lt;Garden&gt;</option><option>Café</option>" in page
    assert "http://cribbage.local" in page
    assert f"http://{hotspot_page.ADDRESS}:{hotspot_page.PORT}/" in page
    form = urlencode({"ssid": "Home & <Garden>", "password": "open sesame"})
    answer, page = air.ask("POST", "/connect", form, origin=f"http://127.0.0.1:{air.port}")
    assert answer.status == 200
    assert "Home &amp; &lt;Garden&gt;" in page
    assert "http://cribbage.local" in page
    assert "open sesame" not in page
    assert air.joined == [], "the phone has its answer first"
    air.waiting.pop()()
    assert air.joined == [("Home & <Garden>", "open sesame")]


def test_where_no_networks_are_known_a_name_is_typed(
    air: Air, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """If comitup does not answer, people who know the network can still enter it."""

    def silent() -> Sequence[str]:
        raise ConnectionError("comitup does not answer: NoReply")

    monkeypatch.setattr(air, "networks", silent)
    for method, path, body in (("GET", "/", ""), ("POST", "/connect", "ssid=")):
        answer, page = air.ask(method, path, body)
        assert answer.status == (200 if method == "GET" else 400)
        assert '<input name="ssid"' in page
    assert [record.getMessage() for record in caplog.records] == [
        "comitup does not answer: NoReply"
    ] * 2
    air.ask("POST", "/connect", "ssid=Home")
    air.waiting.pop()()
    assert air.joined == [("Home", "")]


def test_comitup_that_does_not_answer_is_one_error(monkeypatch: pytest.MonkeyPatch) -> None:
    class DBusException(Exception):
        pass

    def bus() -> None:
        raise DBusException("NoReply")

    monkeypatch.setitem(
        sys.modules, "dbus", SimpleNamespace(SystemBus=bus, DBusException=DBusException)
    )
    with pytest.raises(ConnectionError, match="comitup does not answer: NoReply"):
        hotspot_page.Comitup().networks()
    with pytest.raises(ConnectionError):
        hotspot_page.Comitup().join("Home", "")


def test_a_phone_that_looks_for_the_internet_is_sent_to_it(air: Air) -> None:
    for path in ("/generate_204", "/hotspot-detect.html", "//evil.example/"):
        answer, _ = air.ask("GET", path)
        assert (answer.status, answer.headers["location"]) == (302, "http://10.41.0.1/")


@pytest.mark.slow
@pytest.mark.parametrize(
    "form",
    [
        {"ssid": "", "password": "long enough"},
        {"ssid": "x" * 33, "password": "long enough"},
        {"ssid": "a\nb", "password": "long enough"},
        {"ssid": "Home", "password": "short"},
        {"ssid": "Home", "password": "x" * 64},
        {"ssid": "Home", "password": "パスワードですよ"},
        {},
    ],
)
def test_what_cannot_be_right_is_said_and_not_tried(air: Air, form: dict[str, str]) -> None:
    answer, page = air.ask("POST", "/connect", urlencode(form) or "x=y")
    assert answer.status == 400
    assert 'class="wrong"' in page
    assert air.waiting == []


def test_only_its_own_form_is_taken(air: Air) -> None:
    form = urlencode({"ssid": "Home", "password": "open sesame"})
    for origin in ("http://evil.example", "null", "http://[", f"https://127.0.0.1:{air.port}"):
        assert air.ask("POST", "/connect", form, origin=origin)[0].status == 403
    assert air.ask("POST", "/other", form)[0].status == 403
    assert air.ask("POST", "/connect", "x" * 5000)[0].status == 413
    assert air.waiting == []


def test_a_page_of_another_name_that_leads_to_the_board_takes_it_to_no_network(air: Air) -> None:
    """On the board's Wi-Fi, every name leads to the board, so an open tab could choose the
    network."""
    form = urlencode({"ssid": "Theirs", "password": "open sesame"})
    here = {"host": "evil.example", "origin": "http://evil.example"}
    assert air.ask("POST", "/connect", form, **here)[0].status == 403
    answer, page = air.ask("GET", "/", host="evil.example")
    assert (answer.status, answer.headers["location"]) == (302, "http://10.41.0.1/")
    assert page == ""
    assert air.waiting == []


@pytest.mark.parametrize("host", ["10.41.0.1", "cribbage", "Cribbage.local:80", "[fe80::1]:8121"])
def test_it_is_asked_for_by_its_address_or_name(
    host: str, air: Air, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("socket.gethostname", lambda: "cribbage")
    assert air.ask("GET", "/", host=host)[0].status == 200
    answer, _ = air.ask("POST", "/connect", "ssid=Home", host=host, origin=f"http://{host}")
    assert answer.status == 200


def test_a_network_that_cannot_be_joined_is_one_error(
    air: Air, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def silent(name: str, password: str) -> None:
        raise ConnectionError("comitup does not answer: NoReply")

    monkeypatch.setattr(air, "join", silent)
    air.ask("POST", "/connect", "ssid=Home")
    air.waiting.pop()()
    assert [record.getMessage() for record in caplog.records] == [
        "comitup does not answer: NoReply"
    ]


@pytest.mark.parametrize("length", ["9" * 5000, "٣", "-1", "1e3", ""])
def test_a_length_that_is_none_is_refused(length: str, air: Air) -> None:
    with socket.create_connection(("127.0.0.1", air.port), 30) as line:
        head = f"POST /connect HTTP/1.0\r\nHost: 127.0.0.1\r\nContent-Length: {length}\r\n\r\n"
        line.sendall(head.encode())
        answer = line.makefile("rb").readline()
    assert answer.split()[1] in (b"403", b"413")


def test_it_speaks_the_households_language_or_the_phones() -> None:
    pages = {language: hotspot_page.choose(("A",), "x.local", language) for language in LANGUAGES}
    assert len(set(pages.values())) == len(LANGUAGES)
    assert "お使いのWi-Fi".encode() in pages["ja"]
    assert b'<input name="ssid"' in hotspot_page.choose((), "x.local", "en"), (
        "a hidden one is typed"
    )


def test_a_phone_without_a_household_gets_its_own(air: Air) -> None:
    _, page = air.ask("GET", "/", accept_language="ja-JP,ja;q=0.9")
    assert 'lang="ja"' in page
