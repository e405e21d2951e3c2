"""What replaces a board's configuration, games or system waits for its own `#`."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest

from boardctl.app import card
from boardctl.app import config as configuration
from boardctl.app.board_app import KEYS, BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.app.setup import Setup
from boardctl.drivers.ports import KeyEvent
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce
from boardctl.web import Options, invitation
from boardctl.web.app import COOKIE, make
from boardctl.web.consent import HOLD, PAUSE, UNREAD
from boardctl.web.pairing import Paired, Pairing
from tests.web.test_setup import FILE

ORIGIN = "http://127.0.0.1:8121"
OPEN = Options(host="0.0.0.0")
ASKED: Mapping[str, tuple[dict[str, Any], str]] = {
    "/setup/config": ({"answers": [["layout", "classic-3"]]}, "New settings?"),
    "/setup/restore": ({}, "Restore backup?"),
    "/setup/update": ({}, "Install update?"),
    "/setup/reset": ({"games": "keep"}, "Factory reset?"),
    "/setup/reset?": ({"games": "forget"}, "Erase all games?"),
}


class Bench:
    """A board with keys of its own on virtual wires, its page, and a paired phone."""

    def __init__(self, folder: Path, options: Options = OPEN, keys: bool = True) -> None:
        folder.mkdir(exist_ok=True)
        self.path = folder / "config.toml"
        self.path.write_text(FILE, "utf-8")
        self.data = folder / "data"
        self.config = configuration.load(self.path)
        self.clock = VirtualClock()
        assert self.config.keys is not None
        wires = VirtualWires(self.clock, lambda frame: None, "ws2812_spi", self.config.keys.options)
        self.board = BoardApp(self.config, self.data, self.clock, wires, AtOnce())
        self.now = 100.0
        self.begun = 0
        self.board.open_setup = lambda: Setup(
            self.board, self.config, self.path, self.clock, self._again
        )
        self.app = make(self.board, options, steady=lambda: self.now)
        pairing: Pairing = self.app.state.page._pairing
        paired = pairing.tell(pairing.begin())
        assert isinstance(paired, Paired)
        self.cookie = {"cookie": f"{COOKIE}={paired.token}"}
        if keys:
            self.key("A")

    def _again(self) -> None:
        self.begun += 1

    def key(self, name: str, held: float = 0.1) -> None:
        """Press a key of the board's own and let it go."""
        at = self.clock.time()
        self.board._on_key(KeyEvent(name, True, at))
        self.board._on_key(KeyEvent(name, False, at + held))

    def ask(
        self,
        path: str,
        body: Any,
        then: Callable[[httpx.AsyncClient], Any] = lambda client: None,
    ) -> tuple[Any, tuple[str, ...]]:
        """Send a request, do something as soon as the board asks, and return the answer and what
        the board showed. An answer without a question is returned at once."""

        async def do() -> tuple[Any, tuple[str, ...]]:
            transport = httpx.ASGITransport(self.app)
            headers = {"origin": ORIGIN, **self.cookie}
            async with httpx.AsyncClient(
                transport=transport, base_url=ORIGIN, headers=headers
            ) as client:
                asking = asyncio.create_task(client.post(path, json=body))
                for _ in range(200):
                    await asyncio.sleep(0.001)
                    if asking.done() or self.app.state.page.consent.is_open:
                        break
                shown = self.board.announced
                done = then(client)
                if asyncio.iscoroutine(done):
                    await done
                if not asking.done():
                    await asyncio.wait((asking,), timeout=5)
                return (await asking).json(), shown

        return asyncio.run(do())

    def yes(self, client: httpx.AsyncClient) -> None:
        self.now += UNREAD
        self.key("#")

    def upload(self, what: str, content: bytes) -> None:
        assert self.ask_bytes(f"/setup/upload/{what}?at=0", content) == {"size": len(content)}

    def ask_bytes(self, path: str, content: bytes) -> Any:
        async def do() -> Any:
            transport = httpx.ASGITransport(self.app)
            headers = {"origin": ORIGIN, **self.cookie}
            async with httpx.AsyncClient(
                transport=transport, base_url=ORIGIN, headers=headers
            ) as client:
                return (await client.post(path, content=content)).json()

        return asyncio.run(do())


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.board.close()


@pytest.fixture
def carded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the card was asked to do."""
    asked: list[str] = []

    def ask(do: str, **fields: Any) -> Mapping[str, Any]:
        asked.append(do)
        return {}

    monkeypatch.setattr(card, "present", lambda: True)
    monkeypatch.setattr(card, "ask", ask)
    return asked


def ready(bench: Bench, path: str) -> None:
    if path.endswith(("restore", "update")):
        bench.upload(path.rpartition("/")[2], b"a file of a phone")


@pytest.mark.parametrize("path", ASKED)
def test_a_phone_alone_changes_nothing(bench: Bench, carded: list[str], path: str) -> None:
    body, question = ASKED[path]
    ready(bench, path)
    answer, shown = bench.ask(path, body, lambda client: bench.key("8"))
    assert answer["refused"]["code"] == "said-no"
    assert shown == (question, "# allows it")
    assert carded == []
    assert bench.begun == 0
    assert bench.path.read_text("utf-8") == FILE
    assert bench.board.announced == ()
    assert not list(bench.data.glob("*upload*"))


@pytest.mark.parametrize("path", ASKED)
def test_with_the_boards_own_key_it_is_done(bench: Bench, carded: list[str], path: str) -> None:
    body, _ = ASKED[path]
    ready(bench, path)
    lines = bench.board.table.number
    answer, _ = bench.ask(path, body, bench.yes)
    if path.endswith("restore"):
        assert "no backup" in answer["refused"]["message"], "it got as far as the file"
    else:
        assert answer == {"done": True}
        assert carded == [{"config": "configure"}.get(path[7:], path[7:].rstrip("?"))]
    assert bench.board.table.number == lines, "the key was not for the game"


def test_the_question_is_in_the_boards_language_and_the_answer_in_the_pages(bench: Bench) -> None:
    bench.board.controller.language = "ja"
    answer, shown = bench.ask("/setup/config?lang=ja", ASKED["/setup/config"][0], bench.yes)
    assert shown == ("設定を変更？", "#で許可")
    assert answer == {"done": True}
    bench.ask("/setup/config", ASKED["/setup/config"][0], lambda client: bench.key("8"))
    answer, _ = bench.ask("/setup/config?lang=ja", ASKED["/setup/config"][0])
    assert answer["refused"]["message"].startswith("盤のそばの人が拒否したばかりです")


def test_keys_of_a_page_agree_to_nothing(bench: Bench) -> None:
    """They are no more at the board than the phone that asks."""

    def press(client: httpx.AsyncClient) -> None:
        bench.now += UNREAD
        for down in (True, False):
            bench.board.press("#", down)
        assert bench.app.state.page.consent.is_open
        bench.key("1")

    answer, _ = bench.ask("/setup/config", ASKED["/setup/config"][0], press)
    assert answer["refused"]["code"] == "said-no"


@pytest.mark.parametrize("hidden", ["light", "key"])
def test_a_question_that_the_phone_itself_hides_is_not_answered(bench: Bench, hidden: str) -> None:
    """A command or a key of the page clears the display; the next `#` at the board is for play."""

    def hide(client: httpx.AsyncClient) -> Any:
        bench.now += UNREAD
        if hidden == "key":
            bench.board.press("B", True)
            bench.board.press("B", False)
            bench.key("#")
            return None

        async def command() -> None:
            answer = await client.post("/commands", json={"what": "light", "value": "bright"})
            assert answer.json() == {"done": True}
            bench.key("#")

        return command()

    answer, _ = bench.ask("/setup/config", ASKED["/setup/config"][0], hide)
    assert answer["refused"]["code"] == "said-no"
    assert bench.begun == 0


def test_a_key_on_its_way_and_a_held_key_are_no_yes(bench: Bench) -> None:
    def too_soon(client: httpx.AsyncClient) -> None:
        bench.key("#")
        bench.key("1")

    answer, _ = bench.ask("/setup/config", ASKED["/setup/config"][0], too_soon)
    assert answer["refused"]["code"] == "said-no"
    bench.now += PAUSE

    def hold(client: httpx.AsyncClient) -> None:
        bench.now += UNREAD
        bench.key("#", held=HOLD)

    answer, _ = bench.ask("/setup/config", ASKED["/setup/config"][0], hold)
    assert answer["refused"]["code"] == "said-no"
    assert bench.begun == 0


def test_who_was_refused_asks_no_more_for_a_minute(bench: Bench) -> None:
    body = ASKED["/setup/config"][0]
    bench.ask("/setup/config", body, lambda client: bench.key("1"))
    answer, shown = bench.ask("/setup/config", body)
    assert (answer["refused"]["code"], shown) == ("asked-too-soon", ())
    bench.now += PAUSE
    assert bench.ask("/setup/config", body, bench.yes)[0] == {"done": True}


def test_one_question_at_a_time_and_none_beside_a_selftest(bench: Bench) -> None:
    """The self-test asks for every key, `#` among them."""
    body = ASKED["/setup/config"][0]
    heard: list[str] = []

    async def more(client: httpx.AsyncClient) -> None:
        second = await client.post("/setup/config", json=body)
        test = await client.post("/setup/test", json={"begin": 1})
        heard.extend(answer.json()["refused"]["code"] for answer in (second, test))
        bench.yes(client)

    assert bench.ask("/setup/config", body, more)[0] == {"done": True}
    assert heard == ["asking", "asking"]
    assert bench.ask("/setup/test", {"begin": 1})[0] == {"done": True}
    answer, _ = bench.ask("/setup/config", body)
    assert answer["refused"]["code"] == "testing"


def test_nobody_is_there(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("boardctl.web.consent.WAITS", 0.02)
    answer, _ = bench.ask("/setup/config", ASKED["/setup/config"][0])
    assert answer["refused"]["code"] == "nobody-agreed"
    assert bench.board.announced == ()
    assert bench.begun == 0


def test_a_board_whose_keys_are_not_wired_yet_is_set_up(tmp_path: Path) -> None:
    """Nobody could answer: a new card's first configuration, before any key was pressed."""
    bench = Bench(tmp_path, keys=False)
    try:
        assert bench.ask("/setup/config", ASKED["/setup/config"][0]) == ({"done": True}, ())
        bench.key("A")
        answer, _ = bench.ask(
            "/setup/config", ASKED["/setup/config"][0], lambda client: bench.key("1")
        )
        assert answer["refused"]["code"] == "said-no"
    finally:
        bench.board.close()
    again = Bench(tmp_path, keys=False)
    assert again.board.knows_its_keys, "after a restart too"
    again.board.close()
    (again.data / KEYS).write_text("other pins")
    again = Bench(tmp_path, keys=False)
    assert not again.board.knows_its_keys, "keys wired anew may be wired wrong"
    again.board.close()


def test_a_page_for_this_machine_only_asks_nobody(tmp_path: Path) -> None:
    bench = Bench(tmp_path, Options())
    assert bench.ask("/setup/config", ASKED["/setup/config"][0]) == ({"done": True}, ())
    bench.board.close()


def test_a_simulated_board_has_no_keys_of_its_own(tmp_path: Path) -> None:
    clock = VirtualClock()
    board = BoardApp(simulated(Config()), tmp_path, clock, None, AtOnce())
    board._on_key(KeyEvent("A", True, clock.time()))
    assert not board.knows_its_keys
    assert not (tmp_path / KEYS).exists()
    board.close()


def test_a_directory_that_cannot_be_written_takes_no_key(
    bench: Bench, caplog: pytest.LogCaptureFixture
) -> None:
    (bench.data / KEYS).unlink()
    (bench.data / KEYS).mkdir()
    bench.board._knows_keys = False
    bench.key("A")
    assert bench.board.knows_its_keys
    assert "cannot be written" in caplog.text


@pytest.mark.parametrize(
    "kept",
    [
        *(
            "[]",
            "{}",
            "[" * 100_000,
            '{"url": 5, "key": "x"}',
            '{"url": "http://[::1", "key": "x"}',
        ),
        *('{"url": "file:///etc/passwd", "key": "x"}', '{"url": "http://h", "key": "a\\nb"}'),
        *('{"url": "http://127.0.0.1:1", "key": "x"}', '{"url": "http://h\\u0000", "key": "x"}'),
    ],
)
def test_a_damaged_key_of_the_page_is_told_in_a_sentence(tmp_path: Path, kept: str) -> None:
    (tmp_path / invitation.KEY).write_text(kept)
    with pytest.raises(invitation.NotInvitedError):
        invitation.ask_for_pin(tmp_path)


@pytest.mark.parametrize(
    "answer",
    [
        *(b"", b"garbage\r\n\r\n", b"HTTP/1.1 200 OK\r\ncontent-length: 99\r\n\r\n{"),
        *(b"HTTP/1.1 200 OK\r\n\r\n[]", b'HTTP/1.1 200 OK\r\n\r\n{"refused": 5}'),
        b'HTTP/1.1 200 OK\r\n\r\n{"url": 5, "pin": []}',
        b"HTTP/1.1 302 Found\r\nlocation: file:///etc/passwd\r\n\r\n",
    ],
)
def test_what_answers_in_place_of_a_board_is_told_in_a_sentence(
    tmp_path: Path, answer: bytes
) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:

        def serve() -> None:
            line, _ = server.accept()
            with line:
                line.recv(65536)
                line.sendall(answer)

        serving = threading.Thread(target=serve)
        serving.start()
        invitation.write_key(tmp_path, f"http://127.0.0.1:{server.getsockname()[1]}", "key")
        with pytest.raises(invitation.NotInvitedError):
            invitation.ask_for_pin(tmp_path)
        serving.join()
