"""Setting up a board on its page: questions, self-test, backups, the SD card image."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
import threading
import time
import tomllib
from collections.abc import Callable, Mapping
from contextlib import closing, suppress
from http import HTTPStatus
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.requests import ClientDisconnect

from boardctl.app import card
from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.app.daemon import simulated
from boardctl.app.setup import Setup
from boardctl.drivers.ports import KEYS
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage import backup
from boardctl.storage.journal import AtOnce
from boardctl.web import Options
from boardctl.web.app import make
from boardctl.web.setup_api import PIECE
from tests.web.conftest import PATIENCE, Daemon
from tests.work import turns_counted

FILE = """\
layout = "classic-2"
[leds]
driver = "ws2812_spi"
bits = 4
[keys]
driver = "gpio_matrix"
"""


class Bench:
    """A board on virtual time with its setup, and requests sent directly to its page."""

    def __init__(self, folder: Path, options: Options | None = None) -> None:
        self.path = folder / "config.toml"
        self.path.write_text(FILE, "utf-8")
        self.data = folder / "data"
        self.clock = VirtualClock()
        config = configuration.load(self.path)
        self.board = BoardApp(
            simulated(config),
            self.data,
            self.clock,
            None,
            AtOnce(),
            open_setup=lambda board: Setup(board, config, self.path, self.clock, self._again),
        )
        self.begun = 0
        self.app = make(self.board, options or Options())

    def _again(self) -> None:
        self.begun += 1

    def ask(self, method: str, path: str, **more: Any) -> Any:
        """Return the JSON answer."""
        return self.request(method, path, **more).json()

    def post(self, path: str, **body: Any) -> Any:
        return self.ask("POST", path, json=body)

    def client(self) -> httpx.AsyncClient:
        """A browser at this machine."""
        origin = "http://127.0.0.1:8121"
        transport = httpx.ASGITransport(self.app)
        return httpx.AsyncClient(transport=transport, base_url=origin, headers={"origin": origin})

    def request(self, method: str, path: str, **more: Any) -> httpx.Response:
        async def do() -> httpx.Response:
            async with self.client() as client:
                return await client.request(method, path, **more)

        return asyncio.run(do())

    def send(self, what: str, content: bytes) -> None:
        for at in range(0, len(content), PIECE):
            answer = self.ask(
                "POST", f"/setup/upload/{what}?at={at}", content=content[at : at + PIECE]
            )
            assert answer == {"size": min(at + PIECE, len(content))}


@pytest.fixture
def bench(tmp_path: Path) -> Any:
    made = Bench(tmp_path)
    yield made
    made.board.close()


class Card:
    """The requests to the card's helper."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.asked: list[tuple[str, Mapping[str, Any]]] = []
        self.read = b""
        self.refuses = ""
        monkeypatch.setattr(card, "present", lambda: True)
        monkeypatch.setattr(card, "ask", self._ask)

    def _ask(self, do: str, **fields: Any) -> Mapping[str, Any]:
        self.asked.append((do, fields))
        if self.refuses:
            raise card.CardError(self.refuses)
        if do == "update":
            self.read = Path(fields["file"]).read_bytes()
        return {"system": "2", "network": "hotspot"} if do == "status" else {}


def test_the_answers_are_written_and_the_board_begins_anew(bench: Bench) -> None:
    asked = bench.post("/setup/questions?lang=ja", answers=[])["questions"]
    by_name = {question["name"]: question for question in asked}
    assert by_name["layout"]["usual"] == "classic-2"
    assert by_name["layout"]["text"] == "どの盤ですか？"
    assert "クラシック、3人用" in [choice["text"] for choice in by_name["layout"]["choices"]]
    assert "leds.host" not in by_name
    answers = [["layout", "classic-3"], ["leds.driver", "wled"], ["players", "Cleo, Dan"]]
    names = [q["name"] for q in bench.post("/setup/questions", answers=answers)["questions"]]
    assert "leds.host" in names, "another driver is asked other things"
    assert bench.post("/setup/config", answers=[*answers, ["leds.host", "10.0.0.9"]]) == {
        "done": True
    }
    assert bench.begun == 1
    config = tomllib.loads(bench.path.read_text("utf-8"))
    assert config["layout"] == "classic-3"
    assert config["leds"] == {"driver": "wled", "host": "10.0.0.9"}
    assert config["players"] == ["Cleo", "Dan"]


def test_what_does_not_go_together_is_refused_and_nothing_is_written(bench: Bench) -> None:
    answer = bench.post("/setup/config", answers=[["power.supply", "much"]])
    assert "“much” is not a supply current" in answer["refused"]["message"]
    assert bench.path.read_text("utf-8") == FILE
    assert bench.begun == 0


@pytest.mark.parametrize("pair", ["layout", "ab", ["layout"], ["layout", 3], ["a", "b", "c"], None])
def test_answers_of_another_shape_are_refused_and_nothing_is_written(
    bench: Bench, pair: Any
) -> None:
    """They were dropped, and the board restarted without them."""
    for path in ("questions", "config"):
        body = {"answers": [["players", "Cleo, Dan"], pair]}
        answer = bench.request("POST", f"/setup/{path}", json=body)
        assert answer.status_code == HTTPStatus.BAD_REQUEST
        assert answer.json()["error"]["code"] == "wrong-shape"
    assert bench.path.read_text("utf-8") == FILE
    assert bench.begun == 0


def test_the_selftest_lights_each_lamp_and_asks_for_each_key_while_the_game_waits(
    bench: Bench,
) -> None:
    bench.clock.run(8)
    game = bench.board.frame()
    lines = bench.board.table.number
    bench.post("/setup/test", begin=1)
    assert bench.ask("GET", "/setup")["testing"] is True
    seen: set[int] = set()
    lamps = bench.board.layout.lamps
    bench.board.frames.connect(
        lambda frame: seen.update(
            n for n in range(len(frame) // 3) if any(frame[3 * n : 3 * n + 3])
        )
    )
    bench.board.controller.draw()
    bench.clock.run(70)
    assert seen >= {lamp.index for lamp in lamps}
    steps = bench.ask("GET", "/setup/test")["steps"]
    assert [s["code"] for s in steps].count("lamp") == len(lamps)
    assert steps[-1] == {"code": "press", "key": "0", "text": "press 0"}
    for key in KEYS:
        bench.board.press(key, True)
        bench.clock.run(0.06)
        bench.board.press(key, False)
        bench.clock.run(0.06)
    answer = bench.ask("GET", f"/setup/test?after={len(steps)}&lang=ja")
    assert answer["testing"] is False
    assert answer["steps"][-1]["text"] == f"LEDを{len(lamps)}個点灯、キーは16個反応しました。"
    assert bench.board.table.number == lines, "no key went to the game"
    bench.clock.run(1)
    assert bench.board.frame() == game


def test_a_selftest_that_is_ended_gives_lights_and_keys_back(bench: Bench) -> None:
    bench.clock.run(8)
    game = bench.board.frame()
    bench.post("/setup/test", begin=1)
    bench.clock.run(5)
    assert bench.board.frame() != game
    bench.post("/setup/test", begin=0)
    bench.clock.run(30)
    assert bench.board.frame() == game
    assert bench.ask("GET", "/setup/test")["testing"] is False


def test_a_copy_comes_and_goes_back_whole(bench: Bench, tmp_path: Path) -> None:
    table = bench.board.table
    table.submit(table.parse("1 peg 5"), "page", table.number)
    lines = table.number
    answer = bench.request("GET", "/setup/backup")
    assert "attachment" in answer.headers["content-disposition"]
    assert not list(bench.data.glob(".backup-*")), "nothing of it is left"
    table.submit(table.parse("2 peg 7"), "page", table.number)
    bench.send("restore", answer.content)
    assert bench.post("/setup/restore") == {"lines": lines}
    assert bench.begun == 1
    bench.board.close()
    backup.take_waiting(bench.data)
    assert backup.check(bench.data / "journal.sqlite3") == lines
    assert not (bench.data / backup.WAITING).exists()
    assert len(list(bench.data.glob("*before*"))) == 1, "the games before are kept"


@pytest.mark.slow
def test_a_longer_backup_is_no_more_work_in_one_turn(tmp_path: Path) -> None:
    """Another process reads the backup, and each turn of the loop receives only its progress."""
    most = []
    for lines in (100, 800):
        folder = tmp_path / str(lines)
        folder.mkdir()
        bench = Bench(folder)
        table = bench.board.table
        for number in range(lines):
            table.submit(table.parse(f"1 adjust {'+-'[number % 2]}1"), "page", table.number)
        bench.send("restore", bench.request("GET", "/setup/backup").content)
        with turns_counted() as counts:
            assert bench.post("/setup/restore")["lines"] > lines
        bench.board.close()
        most.append(max(counts))
    assert most[1] <= most[0] + 20


def test_what_is_replaced_is_shown_and_can_be_brought_back(bench: Bench) -> None:
    assert bench.ask("GET", "/setup/restore") == {
        "present": bench.ask("GET", "/setup/restore")["present"],
        "coming": None,
        "earlier": None,
    }
    assert bench.post("/setup/restore", earlier=True)["refused"]["code"] == "setup"
    table = bench.board.table
    table.submit(table.parse("1 peg 5"), "page", table.number)
    lines = table.number
    copy = bench.request("GET", "/setup/backup").content
    table.submit(table.parse("2 peg 7"), "page", table.number)
    bench.send("restore", copy)
    found = bench.ask("GET", "/setup/restore")
    assert (found["present"]["lines"], found["coming"]["lines"]) == (lines + 1, lines)
    assert found["coming"]["evenings"] >= 1
    assert found["coming"]["first"] <= found["coming"]["last"]
    bench.post("/setup/restore")
    bench.board.close()
    backup.take_waiting(bench.data)
    kept = backup.earlier(bench.data)
    assert kept is not None
    assert backup.summary(kept).lines == lines + 1
    backup.prepare(kept, bench.data)
    backup.take_waiting(bench.data)
    assert backup.check(bench.data / "journal.sqlite3") == lines + 1
    again = backup.earlier(bench.data)
    assert again is not None
    assert backup.summary(again).lines == lines


def test_a_file_that_is_no_backup_is_summed_up_as_unknown(bench: Bench) -> None:
    bench.send("restore", b"no journal")
    assert bench.ask("GET", "/setup/restore")["coming"] is None


def test_nothing_of_a_copy_or_of_an_upload_stays_behind(tmp_path: Path) -> None:
    """There was a power cut in the middle of one."""
    data = tmp_path / "data"
    (data / ".backup-cut").mkdir(parents=True)
    for name in (".backup-cut/journal", ".restore.upload", ".update.upload",
                 ".restore.sqlite3.part", ".restore.sqlite3.part-journal"):  # fmt: skip
        (data / name).write_bytes(bytes(10_000))
    bench = Bench(tmp_path)
    bench.board.close()
    assert not list(data.glob(".*"))


def test_a_client_that_hangs_up_at_once_leaves_no_copy(bench: Bench) -> None:
    """The client disconnects before the first piece, so the copy is never read."""

    async def ask() -> None:
        headers = [(b"host", b"127.0.0.1:8121")]
        scope = {
            "type": "http",
            "method": "GET",
            "path": "/setup/backup",
            "query_string": b"",
            "headers": headers,
            "server": ("127.0.0.1", 8121),
            "client": ("127.0.0.1", 9),
        }

        async def receive() -> dict[str, Any]:
            return {"type": "http.disconnect"}

        async def send(message: Mapping[str, Any]) -> None:
            raise OSError("gone")

        with suppress(OSError, ExceptionGroup, ClientDisconnect):
            await bench.app(scope, receive, send)

    asyncio.run(ask())
    assert not list(bench.data.glob(".backup-*"))


def test_a_full_disk_makes_no_copy(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    full = shutil.disk_usage(bench.data)._replace(free=1000)
    monkeypatch.setattr("boardctl.web.setup_api.shutil.disk_usage", lambda _: full)
    assert "no room" in bench.ask("GET", "/setup/backup")["refused"]["message"]
    message = bench.ask("GET", "/setup/backup?lang=ja")["refused"]["message"]
    assert message == "SDカードにコピーを置く空きがありません"

    def refused(_: Path) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("boardctl.web.setup_api.shutil.disk_usage", refused)
    assert "Read-only" in bench.ask("GET", "/setup/backup")["refused"]["message"]


@pytest.mark.parametrize(
    ("content", "english", "japanese"),
    [
        (
            b"hello",
            "That file is not a backup of a board, or it is damaged.",
            "盤のバックアップではないか、壊れているファイルです。",
        ),
        (
            b"%PDF-1.7 no journal",
            "That file is not a backup of a board, or it is damaged.",
            "盤のバックアップではないか、壊れているファイルです。",
        ),
        (
            b"SQLite format 3\0" + bytes(5000),
            "That file cannot be restored: file is not a database",
            "このファイルからは戻せません：",
        ),
    ],
)
def test_a_file_that_is_no_copy_is_refused(
    bench: Bench, content: bytes, english: str, japanese: str
) -> None:
    bench.send("restore", content)
    message = bench.post("/setup/restore")["refused"]["message"]
    assert message == english
    assert bench.begun == 0
    assert not list(bench.data.glob("*restore*"))
    assert "not complete" in bench.post("/setup/restore")["refused"]["message"]
    bench.send("restore", content)
    message = bench.post("/setup/restore?lang=ja")["refused"]["message"]
    assert message.startswith(japanese)


def test_why_a_file_is_no_copy_is_said_in_the_language_of_the_page(bench: Bench) -> None:
    with closing(sqlite3.connect(bench.data / "other")) as other:
        other.execute("CREATE TABLE something (number)")
    bench.send("restore", (bench.data / "other").read_bytes())
    message = bench.post("/setup/restore?lang=ja")["refused"]["message"]
    assert message == "盤のバックアップではないか、壊れているファイルです。"


def test_a_backup_that_is_being_read_shows_how_far_and_ends_with_the_board(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A board that was switched off waited for the end of the restore."""
    bench.send("restore", b"a backup that is read for ever")
    monkeypatch.setattr(backup, "__name__", "tests.web.endless")

    async def switched_off() -> tuple[Any, Any]:
        async with bench.client() as client:
            asked = asyncio.create_task(client.post("/setup/restore", json={}))
            while (found := (await client.get("/setup")).json()["restoring"]) != 3:
                assert not asked.done(), asked
                await asyncio.sleep(0.01)
            asked.cancel()
            await asyncio.wait((asked,))
            return found, (await client.get("/setup")).json()["restoring"]

    assert asyncio.run(switched_off()) == (3, None)
    number = int((bench.data / "endless").read_text("utf-8"))
    with pytest.raises(ProcessLookupError):
        os.kill(number, 0)


def test_a_board_that_ends_does_not_wait_for_its_card(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An update takes minutes, and the helper continues it alone."""
    helper = Card(monkeypatch)
    asked, over = threading.Event(), threading.Event()

    def slow(do: str, **fields: Any) -> Mapping[str, Any]:
        if do == "update":
            asked.set()
            over.wait(PATIENCE)
            helper.asked.append((do, fields))
        return {}

    monkeypatch.setattr(card, "ask", slow)
    bench.send("update", b"signed")

    async def switched_off() -> None:
        async with bench.client() as client:
            request = asyncio.create_task(client.post("/setup/update", json={}))
            while not asked.is_set():
                await asyncio.sleep(0.01)
            request.cancel()
            await asyncio.wait((request,))

    asyncio.run(switched_off())
    assert not helper.asked, "it was waited for"
    over.set()


def test_a_copy_that_turns_out_damaged_is_left_and_the_journal_stays(bench: Bench) -> None:
    bench.board.close()
    before = backup.check(bench.data / "journal.sqlite3")
    (bench.data / backup.WAITING).write_bytes(b"nothing of a journal")
    backup.take_waiting(bench.data)
    assert backup.check(bench.data / "journal.sqlite3") == before
    assert (bench.data / f"{backup.WAITING}.refused").exists()
    backup.take_waiting(bench.data)


def test_a_copy_that_waits_where_nothing_can_be_written_stops_no_board(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def refused(*args: object) -> None:
        raise PermissionError(1, "Operation not permitted")

    bench.board.close()
    (bench.data / backup.WAITING).write_bytes(b"nothing of a journal")
    with monkeypatch.context() as patched:
        for name in ("replace", "exists"):
            patched.setattr(Path, name, refused)
            backup.take_waiting(bench.data)
            assert caplog.records.pop().getMessage().endswith("Operation not permitted")
    assert (bench.data / backup.WAITING).exists()


def test_pieces_follow_one_another_and_end_somewhere(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    bench.send("restore", b"a" * 100)
    path = "/setup/upload/restore"
    assert bench.ask("POST", f"{path}?at=50", content=b"b") == {"size": 100}
    assert bench.ask("POST", f"{path}?at=100", content=b"b") == {"size": 101}
    assert bench.request("POST", f"{path}?at=x", content=b"b").status_code == 404
    assert bench.request("POST", "/setup/upload/passwd?at=0", content=b"b").status_code == 404
    assert bench.request("POST", f"{path}?at=0", content=bytes(PIECE + 1)).status_code == 413
    full = shutil.disk_usage(bench.data)._replace(free=1000)
    monkeypatch.setattr("boardctl.web.setup_api.shutil.disk_usage", lambda _: full)
    answered = bench.ask("POST", f"{path}?at=0", content=b"c")
    assert "no room" in answered["refused"]["message"]


def test_an_update_is_handed_to_the_card_and_nothing_starts_by_itself(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = Card(monkeypatch)
    assert bench.ask("GET", "/setup")["card"] == {"system": "2", "network": "hotspot"}
    bench.send("update", b"signed" * 300_000)
    helper.asked.clear()
    assert bench.post("/setup/update") == {"done": True}
    assert helper.read == b"signed" * 300_000
    assert [do for do, _ in helper.asked] == ["update"]
    assert not list(bench.data.glob("*update*"))
    bench.send("update", b"not signed")
    helper.refuses = "rauc failed: signature verification failed"
    assert bench.post("/setup/update")["refused"]["message"] == helper.refuses
    assert not list(bench.data.glob("*update*"))


def test_the_card_takes_configuration_reset_and_restart(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    helper = Card(monkeypatch)
    bench.post("/setup/config", answers=[["layout", "classic-3"]])
    bench.post("/setup/reset", games="keep")
    bench.post("/setup/flash", chip="pico")
    bench.post("/setup/restart", what="machine")
    bench.post("/setup/restart", what="off")
    assert "refused" in bench.post("/setup/restart", what="nothing")
    assert [do for do, _ in helper.asked] == [
        "configure", "reset", "flash", "restart", "poweroff",
    ]  # fmt: skip
    assert 'layout = "classic-3"' in helper.asked[0][1]["text"]
    assert helper.asked[1][1] == {"games": "keep"}
    assert helper.asked[2][1] == {"chip": "pico"}
    assert bench.path.read_text("utf-8") == FILE, "the helper writes it"


def test_without_a_card_nothing_of_it_is_done(bench: Bench) -> None:
    assert bench.ask("GET", "/setup")["card"] is None
    message = bench.post("/setup/reset", games="forget")["refused"]["message"]
    assert "card image" in message


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/setup"), ("GET", "/setup/test"), ("GET", "/setup/backup"),
        *(("POST", f"/setup/{name}") for name in (
            "questions", "config", "test", "upload/restore?at=0", "restore", "update", "reset",
            "flash", "restart")),
    ],
)  # fmt: skip
def test_who_may_not_play_may_not_set_up(tmp_path: Path, method: str, path: str) -> None:
    bench = Bench(tmp_path, Options(host="0.0.0.0"))
    try:
        answer = bench.request(method, path, **({"json": {}} if method == "POST" else {}))
        assert answer.status_code == 403
        assert answer.json()["error"]["code"] == "not-paired"
    finally:
        bench.board.close()


def test_the_board_begins_anew_in_the_same_process(
    run: Callable[..., Daemon], tmp_path: Path
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(FILE, "utf-8")
    daemon = run("--config", str(path))
    state = daemon.say("1 peg 5")
    with daemon.client as client:
        copy = client.get("/setup/backup").content
    daemon.say("1 peg 3")
    with daemon.client as client:
        assert client.post("/setup/upload/restore?at=0", content=copy).json()["size"] == len(copy)
        assert client.post("/setup/restore", json={}).json() == {"lines": state["number"]}
        answers = [["layout", "classic-3"]]
        answered = later(daemon, lambda: client.get("/state").json()["number"] == state["number"])
        assert answered
        assert client.post("/setup/config", json={"answers": answers}).json() == {"done": True}
        assert later(daemon, lambda: len(client.get("/layout").json()["lamps"]) > 400)
    assert daemon.process.poll() is None
    assert "were restored" in daemon.end()


def test_a_board_that_is_to_end_does_not_begin_anew(run: Callable[..., Daemon]) -> None:
    daemon = run()
    with daemon.client as client:
        assert client.post("/setup/restart", json={"what": "board"}).json() == {"done": True}
    assert "Traceback" not in daemon.end()
    assert daemon.process.returncode in (0, -signal.SIGTERM)


def later(daemon: Daemon, come: Callable[[], bool]) -> bool:
    """Wait for a condition on a restarting board."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        try:
            if come():
                return True
        except httpx.TransportError:
            assert daemon.process.poll() is None
        time.sleep(0.1)
    return False
