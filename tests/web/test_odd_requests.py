"""Numbers and letters in requests that no board of ours sends."""

from __future__ import annotations

import asyncio
import json
from http import HTTPStatus
from pathlib import Path

import pytest

from boardctl.web import Options
from boardctl.web.app import make
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
