"""Allowed hosts and origins of requests, and security headers."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from socket import create_connection

import pytest
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from tests.web.conftest import Daemon, start


@pytest.fixture(scope="module")
def daemon(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Daemon]:
    """One board for all of these tests; none of them may change it."""
    running = start(tmp_path_factory.mktemp("guard"))
    yield running
    assert running.end() == ""


@pytest.fixture(autouse=True)
def unchanged(daemon: Daemon) -> Iterator[None]:
    before = daemon.state()
    yield
    assert daemon.state() == before


def socket(daemon: Daemon, origin: str | None) -> ClientConnection:
    said = None if origin is None else Origin(origin)
    return connect(daemon.url.replace("http", "ws") + "/ws", origin=said, proxy=None)


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:{port}", "127.0.0.1", "127.0.0.1:1"]
)
def test_forged_host(daemon: Daemon, host: str) -> None:
    """A foreign name that resolves to this address gets nothing (DNS rebinding)."""
    with daemon.client as client:
        for path in ("/", "/state", "/main.js"):
            answer = client.get(path, headers={"host": host.format(port=daemon.port)})
            assert answer.status_code == 421
            assert answer.json()["error"]["code"] == "wrong-host"


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST", "[::1]"])
def test_own_hosts(daemon: Daemon, host: str) -> None:
    with daemon.client as client:
        answer = client.get("/state", headers={"host": f"{host}:{daemon.port}"})
    assert answer.status_code == 200


@pytest.mark.parametrize(
    "origin", [None, "null", "http://evil.example", "http://127.0.0.1", "https://127.0.0.1:{port}"]
)
def test_foreign_origin(daemon: Daemon, origin: str | None) -> None:
    """Another site's page can neither play a line nor listen."""
    said = origin and origin.format(port=daemon.port)
    with daemon.client as client:
        del client.headers["origin"]
        answer = client.post(
            "/lines",
            json={"line": "1 peg 8", "expect": daemon.state()["number"]},
            headers={} if said is None else {"origin": said},
        )
    assert answer.status_code == 403
    assert answer.json()["error"]["code"] == "wrong-origin"
    with pytest.raises(InvalidStatus) as refused, socket(daemon, said):
        pass
    assert refused.value.response.status_code == 403


@pytest.mark.parametrize("second", ["{own}", "http://evil.example", ""])
@pytest.mark.parametrize("ours_first", [True, False])
def test_a_second_origin_is_refused(daemon: Daemon, second: str, ours_first: bool) -> None:
    """Whichever of the two origins a server reads, the request does not identify its page."""
    said = [daemon.url, second.format(own=daemon.url)]
    origins = said if ours_first else said[::-1]
    body = b'{"line": "1 peg 8"}'
    head = f"Host: 127.0.0.1:{daemon.port}\r\n"
    head += "".join(f"Origin: {origin}\r\n" for origin in origins)
    plays = f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\n\r\n"
    opens = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"
    opens += "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
    for request, status in (
        (f"POST /preview HTTP/1.1\r\n{head}{plays}".encode() + body, b"403"),
        (f"GET /ws HTTP/1.1\r\n{head}{opens}".encode(), b"40"),
    ):
        with create_connection(("127.0.0.1", daemon.port), timeout=60) as connection:
            connection.sendall(request)
            assert connection.recv(64).startswith(b"HTTP/1.1 " + status)


def test_origin_is_that_of_the_host_said(daemon: Daemon) -> None:
    """`localhost` and `127.0.0.1` are different origins to a browser, and also here."""
    with daemon.client as client:
        answer = client.post(
            "/preview", json={"line": "1 peg 8"}, headers={"host": f"localhost:{daemon.port}"}
        )
    assert answer.status_code == 403


def test_forwarding_is_nobodys_word(daemon: Daemon) -> None:
    with daemon.client as client:
        answer = client.get(
            "/state",
            headers={"host": "evil.example", "x-forwarded-host": f"127.0.0.1:{daemon.port}"},
        )
    assert answer.status_code == 421


@pytest.mark.parametrize("path", ["/", "/main.js", "/state", "/nothing"])
def test_policy(daemon: Daemon, path: str) -> None:
    """Every answer forbids inline script, foreign sources, frames and text parsed as markup."""
    with daemon.client as client:
        headers = client.get(path).headers
    policy = dict(part.split(" ", 1) for part in headers["content-security-policy"].split("; "))
    assert policy["default-src"] == "'none'"
    assert policy["script-src"] == policy["style-src"] == policy["img-src"] == "'self'"
    assert policy["font-src"] == "'self'"
    assert policy["connect-src"] == f"'self' ws://127.0.0.1:{daemon.port}"
    assert policy["frame-ancestors"] == policy["base-uri"] == policy["form-action"] == "'none'"
    assert policy["require-trusted-types-for"] == "'script'"
    assert "unsafe" not in headers["content-security-policy"]
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


@pytest.mark.slow
@pytest.mark.parametrize(
    ("host", "origin", "status"),
    [
        ("board.example", "https://board.example", 403),  # our origin, but no phone is paired
        ("board.example", "http://board.example", None),
        ("board.example:{port}", "https://board.example", 421),
        ("board.local:{port}", "http://board.local:{port}", 403),
        ("192.168.1.5:{port}", "http://192.168.1.5:{port}", 403),
        ("evil.example:{port}", "http://evil.example:{port}", 421),
        ("[::1%; script-src x]:{port}", "http://[::1%; script-src x]:{port}", 421),
    ],
)
def test_names_of_the_config(
    run: Callable[..., Daemon],
    tmp_path: Path,
    host: str,
    origin: str,
    status: int | None,
) -> None:
    """It accepts a proxy's whole origin, a name, and plain addresses once the page is open, and no
    others."""
    config = tmp_path / "config.toml"
    config.write_text('[page]\nnames = ["board.local", "https://board.example"]\n')
    board = run("--config", str(config))
    headers = {"host": host.format(port=board.port), "origin": origin.format(port=board.port)}
    with board.client as client:
        answer = client.post("/lines", json={"line": "1 peg 8", "expect": 4}, headers=headers)
    code = answer.json()["error"]["code"]
    assert (answer.status_code, code) == {
        403: (403, "not-paired"),
        None: (403, "wrong-origin"),
        421: (421, "wrong-host"),
    }[status]


def test_no_inline_script_ships() -> None:
    """The policy would block an inline script; no page has one."""
    root = Path(__file__).parents[2] / "boardctl" / "web" / "static"
    for file in (file for file in root.iterdir() if file.suffix not in (".woff2", ".png")):
        text = file.read_text("utf-8")
        for word in ("innerHTML", "outerHTML", "insertAdjacentHTML", "document.write", "eval("):
            assert word not in text, file.name
        if file.suffix == ".html":
            assert " onclick" not in text
            assert " style=" not in text
            assert "<script>" not in text


@pytest.mark.parametrize(
    ("content", "kind", "status", "code"),
    [
        (b"line=1+peg+8&expect=4", "application/x-www-form-urlencoded", 415, "not-json"),
        (b'{"line": "1 peg 8", "expect": 4}', "text/plain", 415, "not-json"),
        (b'{"line": "1 peg 8"', "application/json", 400, "wrong-shape"),
        (b"[" * 2000, "application/json", 400, "wrong-shape"),
        (b'["1 peg 8"]', "application/json", 400, "wrong-shape"),
        (b'{"line": "1 peg 8"}', "application/json", 400, "wrong-shape"),
        (b'{"line": 8, "expect": 4}', "application/json", 400, "wrong-shape"),
        (b'{"line": "1 peg 8", "expect": true}', "application/json", 400, "wrong-shape"),
        (
            b'{"line": "1 peg 8", "expect": 4, "by": "keypad"}',
            "application/json",
            400,
            "wrong-shape",
        ),
        (b'{"line": "' + b"x" * 4000 + b'", "expect": 4}', "application/json", 413, "too-large"),
        (b"\xff\xfe", "application/json", 400, "wrong-shape"),
    ],
)
def test_bodies(daemon: Daemon, content: bytes, kind: str, status: int, code: str) -> None:
    with daemon.client as client:
        answer = client.post("/lines", content=content, headers={"content-type": kind})
    assert (answer.status_code, answer.json()["error"]["code"]) == (status, code)


@pytest.mark.parametrize("path", ["/lines", "/preview"])
def test_get_changes_nothing(daemon: Daemon, path: str) -> None:
    with daemon.client as client:
        answer = client.get(path, params={"line": "1 peg 8", "expect": daemon.state()["number"]})
    assert answer.status_code == 405
    assert answer.headers["allow"] == "POST"


@pytest.mark.parametrize("path", ["/../pyproject.toml", "/%2e%2e/app.py", "/static/main.js", "/x"])
def test_no_other_files(daemon: Daemon, path: str) -> None:
    with daemon.client as client:
        assert client.get(path).status_code == 404


def test_a_line_for_an_older_state(daemon: Daemon) -> None:
    """The server refuses it and sends the current state."""
    state = daemon.state()
    with daemon.client as client:
        answer = client.post("/lines", json={"line": "1 peg 8", "expect": state["number"] - 1})
    assert answer.status_code == 200
    assert answer.json()["refused"]["code"] == "stale"
    assert answer.json()["refused"]["state"] == state


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ("1 peg 19 hand", "impossible-points"),
        ("3 peg 2", "no-such-seat"),
        ("<script>", "syntax"),
        ("", "syntax"),
        ("# nothing", "syntax"),
    ],
)
def test_refused_lines(daemon: Daemon, line: str, code: str) -> None:
    with daemon.client as client:
        answer = client.post("/lines", json={"line": line, "expect": daemon.state()["number"]})
    assert answer.status_code == 200
    assert answer.json()["refused"]["code"] == code
    assert answer.json()["refused"]["message"]


@pytest.mark.parametrize(
    "message",
    [
        "",
        "{}",
        "[]",
        '{"key": "A"}',
        '{"key": "E", "down": true}',
        '{"key": "A", "down": 1}',
        '{"key": "A", "down": true, "at": 3}',
        '{"key": ["A"], "down": true}',
        b"A",
        "[" * 3000,
    ],
)
def test_no_message_of_this_board(daemon: Daemon, message: str | bytes) -> None:
    """It closes the sender's socket and affects nobody else."""
    with socket(daemon, daemon.url) as ours, socket(daemon, daemon.url) as other:
        ours.send(message)
        with pytest.raises(ConnectionClosed):
            while True:
                ours.recv(timeout=60)
        assert ours.close_code == 1008
        assert other.recv(timeout=60) == '{"player": true}'


def test_too_long_a_message(daemon: Daemon) -> None:
    with socket(daemon, daemon.url) as ours:
        ours.send(json.dumps({"key": "A" * 5000, "down": True}))
        with pytest.raises(ConnectionClosed):
            while True:
                ours.recv(timeout=60)
        assert ours.close_code == 1009


def test_too_many_sockets(daemon: Daemon) -> None:
    from boardctl.web.live import PLAYERS

    with ExitStack() as open_ones:
        for _ in range(PLAYERS):
            open_ones.enter_context(socket(daemon, daemon.url)).recv(timeout=60)
        with socket(daemon, daemon.url) as one_more, pytest.raises(ConnectionClosed) as closed:
            one_more.recv(timeout=60)
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == 1013
