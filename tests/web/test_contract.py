"""Send messages to the HTTP and WebSocket interface that are generated from, and around, their
schema.

Only declared answers are returned, and a refused message changes nothing.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Iterator
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from boardctl.web import Options
from boardctl.web.app import make
from boardctl.web.guard import BODY
from boardctl.web.live import read_key
from tests.chance import examples
from tests.web.test_live import Board, Peer, make_live, viewer, yes

ANSWERS = {
    "/lines": {"number", "state"},
    "/preview": {"line", "number", "points", "awards", "spoken"},
    "/withdraw": {"withdrawn"},
    "/table": {"number", "state"},
    "/commands": {"done"},
    "/phones": {"pin", "url", "qr"},
    "/pair": {"paired"},
}
STATUSES = {200, 400, 413, 415}
WORDS = (
    *("1", "2", "3", "peg", "8", "29", "0", "19", "hand", "play", "crib", "undo", "redo", "amend"),
    *("insert", "deal", "session", "end", "game", "cribbage", "seat", "Ann", "Bob", "dealer"),
    *("cut", "KD", "5H", "start", "4", "adjust", "+2", "-3", "resign", "abandon", "#", "="),
    *("set", "skunk", "off", "klaberjass", "bid", "take", "trump", "H"),
)
LINES = st.one_of(
    st.text(max_size=60),
    st.builds(" ".join, st.lists(st.sampled_from(WORDS), max_size=6)),
)
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(max_size=20),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=8,
)
SHARED = [HealthCheck.function_scoped_fixture, HealthCheck.too_slow]


@pytest.fixture(scope="module")
def board(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Board]:
    board = Board(tmp_path_factory.mktemp("contract"))
    yield board
    board.close()


class Client:
    """Sends the page's requests directly to the application."""

    def __init__(self, board: Board) -> None:
        self._app = make(board, Options())

    def get(self, path: str) -> httpx.Response:
        return asyncio.run(self._request("GET", path))

    def post(self, path: str, **body: Any) -> httpx.Response:
        return asyncio.run(self._request("POST", path, **body))

    async def _request(self, method: str, path: str, **body: Any) -> httpx.Response:
        origin = "http://127.0.0.1:8121"
        headers = {"origin": origin, **body.pop("headers", {})}
        transport = httpx.ASGITransport(self._app)
        async with httpx.AsyncClient(transport=transport, base_url=origin) as client:
            return await client.request(method, path, headers=headers, **body)


@pytest.fixture(scope="module")
def client(board: Board) -> Client:
    return Client(board)


def check(path: str, answer: httpx.Response) -> None:
    assert answer.status_code in STATUSES, answer.text
    body = answer.json()
    if answer.status_code != 200:
        assert set(body) == {"error"}
        assert set(body["error"]) == {"code", "message"}
    elif "refused" in body:
        assert set(body) == {"refused"}
        assert set(body["refused"]) <= {"code", "message", "state", "choices"}
        assert body["refused"]["message"]
    else:
        assert set(body) == ANSWERS[path]


@settings(max_examples=examples(60), suppress_health_check=SHARED)
@given(line=LINES, ahead=st.sampled_from([0, 0, 0, 0, 1, -1]))
def test_lines(client: Client, board: Board, line: str, ahead: int) -> None:
    """Every line is either played and saved, or refused with a sentence and without a change."""
    before = board.table.number
    answer = client.post("/lines", json={"line": line, "expect": before + ahead})
    check("/lines", answer)
    if "number" in answer.json():
        assert answer.json()["number"] == board.table.number == before + 1
        assert answer.json()["state"] == client.get("/state").json()
    else:
        assert board.table.number == before


@settings(max_examples=examples(60), suppress_health_check=SHARED)
@given(line=LINES)
def test_preview_plays_nothing(client: Client, line: str) -> None:
    before = client.get("/state").json()
    check("/preview", client.post("/preview", json={"line": line}))
    assert client.get("/state").json() == before


@settings(max_examples=examples(100), suppress_health_check=SHARED)
@given(path=st.sampled_from(sorted(ANSWERS)), body=JSON)
def test_any_json(client: Client, path: str, body: Any) -> None:
    check(path, client.post(path, json=body))


@settings(max_examples=examples(60), suppress_health_check=SHARED)
@given(
    path=st.sampled_from(sorted(ANSWERS)),
    content=st.binary(max_size=BODY + 500),
    kind=st.sampled_from(["application/json", "application/json; charset=utf-8", "text/plain", ""]),
)
def test_any_bytes(client: Client, path: str, content: bytes, kind: str) -> None:
    check(path, client.post(path, content=content, headers={"content-type": kind}))


@settings(max_examples=examples(60), suppress_health_check=SHARED)
@given(message=st.one_of(st.text(max_size=30), JSON.map(json.dumps)))
def test_any_message_on_the_socket(board: Board, message: str) -> None:
    """Anything but a key closes the socket with code 1008, and presses nothing."""

    async def play() -> None:
        peer = Peer()
        for _ in range(100):
            peer.hungry.release()
        peer.inbox.put_nowait({"type": "websocket.receive", "text": message})
        peer.leave()
        await make_live(board).serve(peer.socket, viewer, yes)
        if read_key(message) is None:
            assert peer.taken[-1] == {
                "type": "websocket.close",
                "code": 1008,
                "reason": "no message of this board",
            }
            assert board.pressed == []

    board.pressed.clear()
    asyncio.run(play())
