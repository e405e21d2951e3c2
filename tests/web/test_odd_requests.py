"""Unusual numbers and characters in requests."""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from pathlib import Path
from threading import get_ident
from typing import Any

import pytest

from boardctl.app.config import ConfigError, parse
from boardctl.web import Options, table_api
from boardctl.web.app import make
from tests.tables import submit
from tests.test_untrusted_input import ORIGIN, ask
from tests.web.test_live import Board

ODD = ["9" * 10, "9" * 400, "9" * 5000, "-1", "٣"]


@pytest.mark.parametrize("number", ODD, ids=lambda number: f"{number[:2]} of {len(number)}")
@pytest.mark.parametrize("path", ["/history/{}", "/export/{}.txt", "/analysis/{}"])
def test_a_number_that_no_game_has_is_not_found(path: str, number: str, tmp_path: Path) -> None:
    board = Board(tmp_path)
    headers = {"host": "127.0.0.1:8121"}
    status, _ = asyncio.run(ask(make(board, Options()), "GET", path.format(number), headers, b""))
    board.close()
    assert status == HTTPStatus.NOT_FOUND


def test_half_a_letter_is_refused_and_not_repeated(tmp_path: Path) -> None:
    board = Board(tmp_path)
    headers = {"host": "127.0.0.1:8121", "origin": ORIGIN, "content-type": "application/json"}
    body = {"game": "cribbage", "players": ["\ud800", "\ud800"], "expect": 0}
    app = make(board, Options())
    status, _ = asyncio.run(ask(app, "POST", "/table", headers, json.dumps(body).encode()))
    board.close()
    assert status == HTTPStatus.BAD_REQUEST


def test_what_takes_long_is_computed_beside_the_loop_and_once(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Guests may request the possible points of every move, as often as they like."""
    board = Board(tmp_path)
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "2 peg 2 play"):
        submit(board.table, line, "test")
    real = table_api.possible_points
    threads: list[int] = []

    def counted(*arguments: Any) -> list[int]:
        threads.append(get_ident())
        return real(*arguments)

    monkeypatch.setattr(table_api, "possible_points", counted)
    app = make(board, Options())
    headers = {"host": "127.0.0.1:8121"}

    async def several() -> list[tuple[int, bytes]]:
        return [
            await ask(app, "GET", path, headers, b"", query=query)
            for path, query in [("/points", b"whose=1"), ("/amend", b"back=1")] * 3
        ]

    answers = asyncio.run(several())
    assert {status for status, _ in answers} == {HTTPStatus.OK}
    assert len(threads) == 2
    assert get_ident() not in threads, "keys and light have the loop"
    assert 2 in json.loads(answers[0][1])["points"]
    submit(board.table, "1 peg 1 play", "test")
    asyncio.run(several())
    assert len(threads) == 4, "anew when the table stands otherwise"
    board.close()


@pytest.mark.parametrize(
    ("name", "host", "origin"),
    [
        ("https://board.example/", "board.example", "https://board.example"),
        ("HTTPS://Board.Example:443", "board.example", "https://board.example"),
        ("https://board.example/board/", "board.example", "https://board.example"),
        ("http://board.example:80/", "board.example", "http://board.example"),
        ("https://board.example:8443", "board.example:8443", "https://board.example:8443"),
        ("https://[fd00::5]:443", "[fd00::5]", "https://[fd00::5]"),
        ("Board.local:8121", "board.local:8121", "http://board.local:8121"),
        ("board.local/", "board.local:8121", "http://board.local:8121"),
    ],
)
def test_a_name_is_meant_as_a_browser_says_it(
    name: str, host: str, origin: str, tmp_path: Path
) -> None:
    """With a trailing slash the page was shown, but every button was refused."""
    board = Board(tmp_path)
    page = make(board, Options(names=(name,)))
    headers = {"host": host, "origin": origin, "content-type": "application/json"}
    body = b'{"line": "1 peg 8", "expect": 4}'
    _, answer = asyncio.run(ask(page, "POST", "/lines", headers, body))
    board.close()
    assert json.loads(answer)["error"]["code"] == "not-paired"


@pytest.mark.parametrize(
    "name", ["", "http://", "https:///x", "a b", "ftp://board.example", "büro.local"]
)
def test_what_names_no_host_is_refused(name: str) -> None:
    """An address without a host admitted every request that names none."""
    with pytest.raises(ConfigError, match="is neither a host name such as") as refused:
        parse({"page": {"names": [name]}})
    assert name in str(refused.value)
