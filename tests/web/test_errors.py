"""Refused requests are answered in the requester's language."""

from __future__ import annotations

import ast
import asyncio
import logging
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

import boardctl
from boardctl import text
from boardctl.web import Options
from boardctl.web.app import make
from tests.web.test_live import Board

ROOT = Path(boardctl.__file__).parent
ORIGIN = "http://127.0.0.1:8121"
JAPANESE = re.compile("[\u3040-\u30ff\u4e00-\u9fff]")
CALLS = {"refuse": 2, "Refused": 1, "PhotoRefused": 1}
"""The functions that answer with an error, and the place of the code among their arguments."""


def answers() -> Iterator[tuple[str, str]]:
    """Return the places where errors are answered, and the code of each sentence."""
    for path in sorted(ROOT.rglob("*.py")):
        written = path.read_text(encoding="utf-8")
        if "boardctl.web" not in written:
            continue
        for node in ast.walk(ast.parse(written)):
            if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name):
                continue
            place = CALLS.get(node.func.id)
            said = [one for one in node.args[place or 0 :] if isinstance(one, ast.Constant)]
            if place is not None and said:
                yield f"{path.name}:{node.lineno}", str(said[-1].value)


def test_every_error_has_a_sentence() -> None:
    found = list(answers())
    assert len(found) > 20
    for where, code in found:
        assert f"error.{code}" in text.sentences(), where


@pytest.fixture
def page(tmp_path: Path, caplog: pytest.LogCaptureFixture) -> Iterator[Any]:
    caplog.set_level(logging.CRITICAL)
    board = Board(tmp_path)
    yield make(board, Options(host="0.0.0.0"))
    board.close()


@pytest.mark.slow
@pytest.mark.parametrize(
    ("method", "path", "body", "headers", "code"),
    [
        ("GET", "/nothing", None, {}, "not-found"),
        ("PUT", "/lines", None, {}, "wrong-method"),
        ("POST", "/lines", {"line": "deal", "expect": 0}, {}, "not-paired"),
        ("POST", "/pair", {"pen": 1}, {}, "wrong-shape"),
        ("POST", "/pair", {"pin": "1" * 3000}, {}, "too-large"),
        ("POST", "/pin", {}, {}, "wrong-key"),
        ("GET", "/trainer", None, {}, "wrong-shape"),
        ("GET", "/", None, {"host": "example.org:8121"}, "wrong-host"),
        ("POST", "/pair", {"pin": "1"}, {"origin": "http://example.org"}, "wrong-origin"),
        ("GET", "/analysis/7", None, {}, "no-such-game"),
        ("GET", "/history/7", None, {}, "no-such-game"),
    ],
)
@pytest.mark.parametrize("how", ["address", "browser", "table"])
def test_an_error_is_told_in_the_language_of_the_page(
    page: Any, method: str, path: str, body: Any, headers: dict[str, str], code: str, how: str
) -> None:
    sent = {"origin": ORIGIN, **headers}
    if how == "browser":
        sent["accept-language"] = "ja-JP,ja;q=0.9,en;q=0.5"
    if how == "table":
        page.state.language = lambda: "ja"
    query = "?lang=ja" if how == "address" else ""

    async def ask() -> Any:
        transport = httpx.ASGITransport(page)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            return await client.request(method, path + query, json=body, headers=sent)

    error = asyncio.run(ask()).json()["error"]
    assert error["code"] == code
    assert JAPANESE.search(error["message"]), error
