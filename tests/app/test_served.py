"""Optional parts: a failing one is reported and retried, and does not affect the game."""

from __future__ import annotations

import asyncio
import socket
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from types import SimpleNamespace
from typing import Any, NoReturn

import pytest

from boardctl.app import page as served_page
from boardctl.app.board_app import BoardApp
from boardctl.app.config import parse
from boardctl.app.daemon import simulated
from boardctl.drivers.ports import PortError
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce
from tests.tables import submit


@pytest.fixture
def taken() -> Iterator[socket.socket]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        yield server


def opened(tmp_path: Path, **config: Any) -> BoardApp:
    return BoardApp(simulated(parse(config)), tmp_path, VirtualClock(), None, AtOnce())


async def reported(board: BoardApp, part: str) -> None:
    """Wait until a part has failed."""
    async with asyncio.timeout(60):
        while part not in board.controller.faults:
            await asyncio.sleep(0)


def test_a_page_that_fails_in_any_way_takes_no_key_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served_page, "AGAIN", 0.01)
    fails: list[Exception] = [OSError("damaged"), RuntimeError("a fault"), PermissionError("no")]

    @asynccontextmanager
    async def serve(*args: object) -> AsyncIterator[SimpleNamespace]:
        if fails:
            raise fails.pop()
        yield SimpleNamespace(address="there")

    monkeypatch.setattr("boardctl.web.serve.serve", serve)
    board = opened(tmp_path)
    reports: list[str | None] = []
    monkeypatch.setattr(board.controller, "report", lambda part, reason: reports.append(reason))

    async def run() -> None:
        async with (
            served_page.serving(board, board.options("page"), False) as served,
            asyncio.timeout(60),
        ):
            assert served is None
            while None not in reports:
                await asyncio.sleep(0.01)

    asyncio.run(run())
    assert reports == [
        "the page failed: no",
        "the page failed: a fault",
        "the page failed: damaged",
        None,
    ]
    board.close()


def test_a_page_port_that_is_taken_is_reported_and_tried_again(
    tmp_path: Path, taken: socket.socket, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(served_page, "AGAIN", 0.05)
    port = taken.getsockname()[1]
    board = opened(tmp_path, page={"port": port})

    async def run() -> None:
        async with served_page.serving(board, board.options("page"), False) as url:
            assert url is None
            await reported(board, "page")
            assert "Address already in use" in board.controller.faults["page"]
            board.press("A", True)  # keys still work meanwhile
            taken.close()
            async with asyncio.timeout(60):
                while "page" in board.controller.faults:
                    await asyncio.sleep(0.05)
            _, writer = await asyncio.open_connection("127.0.0.1", port)
            writer.close()
            await writer.wait_closed()

    asyncio.run(run())
    board.close()


def test_a_simulated_board_without_its_page_ends_with_a_sentence(
    tmp_path: Path, taken: socket.socket
) -> None:
    board = opened(tmp_path, page={"port": taken.getsockname()[1]})

    async def run() -> None:
        with pytest.raises(PortError, match="cannot be served"):
            async with served_page.serving(board, board.options("page"), True):
                pass

    asyncio.run(run())
    board.close()


@asynccontextmanager
async def mqtt(board: BoardApp) -> Any:
    async with board.features.running():
        await reported(board, "mqtt")
        yield


def test_a_password_that_cannot_be_read_is_reported(tmp_path: Path) -> None:
    missing = str(tmp_path / "mqtt.password")
    board = opened(tmp_path, mqtt={"enabled": True, "tls": False, "password_file": missing})

    async def run() -> None:
        async with mqtt(board):
            assert missing in board.controller.faults["mqtt"]

    asyncio.run(run())
    board.close()


def test_a_missing_package_is_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    for name in ("aiomqtt", "boardctl.mqtt.client"):
        monkeypatch.delitem(sys.modules, name, raising=False)
    monkeypatch.setitem(sys.modules, "aiomqtt", None)
    board = opened(tmp_path, mqtt={"enabled": True})

    async def run() -> None:
        async with mqtt(board):
            assert "install boardctl with its extra [mqtt]" in board.controller.faults["mqtt"]
            clock = board.controller.clock
            assert isinstance(clock, VirtualClock)
            clock.run(2)

    asyncio.run(run())
    board.close()
    assert len(caplog.messages) == 1


def test_odds_and_onlookers_that_fail_keep_no_light_and_no_text_from_showing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    """As long as the odds failed, the lights used to be dark and the display outdated."""

    def fail(*about: object) -> NoReturn:
        raise RuntimeError("a defect")

    monkeypatch.setattr("boardctl.bot.odds.odds", fail)
    clock = VirtualClock()
    config = simulated(parse({"odds": {"show": "board"}}))
    board = BoardApp(config, tmp_path, clock, None, AtOnce())
    frames: list[bytes] = []
    texts: list[tuple[str, ...]] = []
    board.frames.connect(fail)
    board.lines.connect(fail)
    board.frames.connect(frames.append)
    board.lines.connect(texts.append)
    for line in ("dealer 1", "deal", "1 peg 8"):
        submit(board.table, line, "test")
        clock.run(10)
    assert board.controller.faults == {"bot": "RuntimeError: a defect"}
    assert any(frames[-1])
    assert any("8" in " ".join(shown) for shown in texts)
    board.close()
    said = {record.message.partition(" failed")[0] for record in caplog.records if record.exc_info}
    assert "bot: odds" in said
    assert len(said) == 2
