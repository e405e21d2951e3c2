"""A feature that raises in any hook is logged, reported on the display and tried again. The keys,
the lights, the journal and the page continue to work."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import httpx
import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.routing import Route

from boardctl import features as features_module
from boardctl.app import doctor, service, tab, wizard
from boardctl.app.board_app import BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.console.keypad import Command, Item, KeypadState, TableView
from boardctl.console.keypad.mode import MODES, Mode
from boardctl.console.keypad.spoken import question_words
from boardctl.console.keypad.state import Answer
from boardctl.drivers.ports import KeyEvent, Speaker
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.features import AGAIN, Button, Feature, Running, RunningBoard, installed
from boardctl.storage.journal import AtOnce
from boardctl.web import Options
from boardctl.web.app import make
from tests.speech.by_ear import Ear
from tests.tables import submit

HOOKS: Final = ("start", "routes", "page", "signal", "authorize", "outbox_for", "odds", "take",
                "obstacle", "is_elsewhere", "speak", "run", "close", "route", "load",
                "menu", "buttons")  # fmt: skip
BESIDE: Final = ("game", "api", "check", "files", "setup", "tab_options")
"""The hooks that programs beside the board call, and a request for the page's document."""
PARTS: Final = {"press", "screen", "spoken", "cleared", "revised"}
"""The parts of the hook `menu`."""
ORIGIN: Final = "http://127.0.0.1:8121"


class Defect(Exception):
    """An unexpected error."""


class Raises:
    """Raises while `is_broken`, in the hook with this name."""

    def __init__(self, hook: str) -> None:
        self.hook = hook
        self.is_broken = True
        self.calls = 0
        self.parts = set[str]()

    def at(self, hook: str, part: str = "") -> None:
        if hook == self.hook:
            self.calls += 1
            self.parts.add(part)
            if self.is_broken:
                raise Defect("a defect")


def broken(feature: Feature, raises: Raises) -> Feature:
    """Return a feature with one raising hook, and otherwise unchanged."""

    def start(board: RunningBoard) -> Running:
        raises.at("start")
        running = Running() if feature.start is None else feature.start(board)
        board.features.connect(
            feature.name, board.table.accepted, lambda receipt: raises.at("signal")
        )
        return Watched(running, raises)

    def routes(page: Any) -> list[Any]:
        raises.at("routes")
        made = [] if feature.routes is None else list(feature.routes(page))

        async def answer(request: Request) -> JSONResponse:
            raises.at("route")
            return JSONResponse({})

        return [*made, Route(f"/{feature.name}/test", answer, include_in_schema=False)]

    def page(board: RunningBoard, scene: Any) -> Any:
        raises.at("page")
        return {} if feature.page is None else feature.page(board, scene)

    def load() -> type:
        raises.at("load")

        class Opened(Mode):
            """A mode of the keypad whose parts may raise."""

            name = "opened"

            def press(self, state: KeypadState, view: TableView, key: str) -> Answer:
                raises.at("menu", "press")
                return state, None

            def screen(self, state: KeypadState, view: TableView) -> tuple[str, ...]:
                raises.at("menu", "screen")
                return "opened", ""

            def spoken(self, state: KeypadState, view: TableView) -> list[str]:
                raises.at("menu", "spoken")
                return ["opened"]

            def cleared(self, state: KeypadState, view: TableView) -> KeypadState:
                raises.at("menu", "cleared")
                return super().cleared(state, view)

            def revised(self, state: KeypadState, view: TableView) -> KeypadState:
                raises.at("menu", "revised")
                return super().revised(state, view)

        return Opened

    def button(language: str) -> str:
        raises.at("buttons")
        return "ring"

    menu = (*feature.menu, Item("opened", title="opened", load=load))
    buttons = (*feature.buttons, Button(button, "ring"))
    return replace(feature, start=start, routes=routes, page=page, menu=menu, buttons=buttons)


class Watched(Running):
    """A feature at work with one hook that may raise."""

    def __init__(self, running: Running, raises: Raises) -> None:
        self._running = running
        self._raises = raises

    def __getattr__(self, name: str) -> Any:
        return getattr(self._running, name)

    @property
    def is_elsewhere(self) -> bool:
        self._raises.at("is_elsewhere")
        return self._running.is_elsewhere

    async def run(self) -> None:
        self._raises.at("run")

    def authorize(self, moves: Sequence[Any], by: str, seat: int | None) -> None:
        self._raises.at("authorize")
        self._running.authorize(moves, by, seat)

    def outbox_for(self, *said: Any) -> Any:
        self._raises.at("outbox_for")
        return self._running.outbox_for(*said)

    def odds(self, position: Any) -> float | None:
        self._raises.at("odds")
        return self._running.odds(position)

    def obstacle(self, game: Any, language: str) -> str:
        self._raises.at("obstacle")
        return self._running.obstacle(game, language)

    def speak(self, speaker: Speaker) -> Callable[[], None] | None:
        self._raises.at("speak")
        return self._running.speak(speaker)

    def take(self, event: KeyEvent) -> bool:
        self._raises.at("take")
        return self._running.take(event)

    def close(self) -> None:
        self._running.close()
        self._raises.at("close")


@pytest.fixture(autouse=True)
def _no_mode_is_left() -> Iterator[None]:
    yield
    MODES.pop("opened", None)


def open_menu(board: BoardApp, clock: VirtualClock) -> None:
    board.press("#", True)
    clock.run(1.2)
    board.press("#", False)
    clock.run(0.1)


def press(board: BoardApp, clock: VirtualClock, keys: str) -> None:
    for key in keys.split():
        board.press(key, True)
        clock.run(0.06)
        board.press(key, False)
        clock.run(0.1)


async def ask(app: Any, path: str) -> httpx.Response:
    transport = httpx.ASGITransport(app=app, raise_app_exceptions=False)
    async with httpx.AsyncClient(
        transport=transport, base_url=ORIGIN, headers={"origin": ORIGIN}
    ) as client:
        return await client.get(path)


@pytest.mark.parametrize("hook", HOOKS)
@pytest.mark.parametrize("name", [*(feature.name for feature in installed()), "toy"])
def test_the_core_never_notices(
    name: str, hook: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    raises = Raises(hook)
    all_of_them = [*installed(), Feature(name="toy")]
    chosen = [broken(one, raises) if one.name == name else one for one in all_of_them]
    clock = VirtualClock()
    board = BoardApp(simulated(Config()), tmp_path, clock, None, AtOnce(), chosen)
    app = make(board, Options())

    def meet() -> None:
        """Call every hook."""
        press(board, clock, "A 8 #")
        for key in ("1", "", "*"):  # the empty one stands for a line of another surface
            open_menu(board, clock)
            press(board, clock, "8 5")
            question_words(board.controller.keypad_state, board.controller.view)
            if key:
                press(board, clock, key)
            else:
                submit(board.table, "2 peg 1", "test")
        open_menu(board, clock)
        press(board, clock, "*")
        board.features.speak(Ear())
        assert board.features.is_elsewhere is False
        board.controller.draw()
        clock.run(1)
        for path in ("/games", "/state", f"/{name}/test"):
            answer = asyncio.run(ask(app, path))
            assert answer.status_code == 200 or path.startswith(f"/{name}/"), path
        asyncio.run(work())

    async def work() -> None:
        async with board.features.running():
            await asyncio.sleep(0)

    for line in ("dealer 1", "deal"):
        submit(board.table, line, "test")
    meet()
    assert board.table.position.scores[0] == 8, "the keys peg"
    assert any(board.frame()), "the lights are on"
    if hook != "close":
        assert raises.calls, "the hook was called"
        assert raises.parts == (PARTS if hook == "menu" else {""})
        assert any("a defect" in text for text in (record.exc_text or str(record.exc_info)
                   for record in caplog.records)), "it is logged"  # fmt: skip
        assert "a defect" in board.controller.faults[name], "it is reported"
    calls = raises.calls
    raises.is_broken = hook == "close"
    clock.run(AGAIN + 1)
    meet()
    assert board.table.position.scores[0] == 16
    if hook != "close":
        assert raises.calls > calls, "it is tried again"
        assert name not in board.controller.faults, "and works again"
    board.close()
    assert hook != "close" or any("close failed" in text for text in caplog.messages)


@pytest.mark.parametrize("hook", BESIDE)
@pytest.mark.parametrize("name", [*(feature.name for feature in installed()), "toy"])
def test_another_program_leaves_it_out(
    name: str,
    hook: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def fails(*asked: Any) -> Any:
        raise Defect("a defect")

    changes: dict[str, Any] = {hook: fails}
    all_of_them = (*installed(), Feature(name="toy"))
    chosen = tuple(replace(one, **changes) if one.name == name else one for one in all_of_them)
    if hook == "files":  # called once for each table of the configuration
        chosen = tuple(
            replace(one, options=one.options or {"page": Options}) if one.name == name else one
            for one in chosen
        )
    monkeypatch.setattr(features_module, "installed", lambda: chosen)
    config = simulated(Config())
    config = replace(config, layout="mine.toml", page=replace(config.page, enabled=False))
    summary = {"game": "cribbage", "seats": 2, "options": {}, "state": "won"}
    board = BoardApp(simulated(Config()), tmp_path, VirtualClock(), None, AtOnce(), chosen)

    added = features_module.of_game(summary)
    document = asyncio.run(ask(make(board, Options()), "/openapi.json"))
    findings = list(doctor._optional(config))
    named = service._named(config)
    keys = tab.own_keys("https://board.example/tab/", chosen)
    asked = [question.name for question in wizard.questions(wizard.Attached(), {})]
    board.close()

    assert ("judged" in added) == ((name, hook) != ("bot", "game"))
    assert document.status_code == 200
    assert "/lines" in document.json()["paths"]
    assert named[0] == Path("mine.toml")
    assert ("far.broker" in asked) == ((name, hook) != ("far", "setup"))
    assert keys or (name, hook) == ("far", "tab_options")
    if hook == "check":
        assert [one.found for one in findings if one.what == name] == ["a defect"]
    else:
        assert any("a defect" in (record.exc_text or "") for record in caplog.records)


def test_a_feature_that_cannot_be_described_is_left_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def fails() -> Feature:
        raise Defect("not described")

    monkeypatch.setattr(features_module, "_others", lambda: [fails])
    installed.cache_clear()
    names = [feature.name for feature in installed()]
    installed.cache_clear()
    assert names == ["bot", "camera", "far", "mqtt", "speech"]
    assert "a feature cannot be described" in caplog.messages


def test_the_command_of_an_item_that_fails_is_reported(tmp_path: Path) -> None:
    """The menu's command reaches the feature by a signal."""

    def start(board: RunningBoard) -> Running:
        def obey(command: Command) -> None:
            if command.what == "toy":
                heard.append(command)

        board.features.connect("toy", board.controller.commanded, obey)
        return Running()

    heard: list[Command] = []
    toy = Feature(name="toy", start=start, menu=(Item("toy", title="toy"),))
    clock = VirtualClock()
    board = BoardApp(simulated(Config()), tmp_path, clock, None, AtOnce(), (toy,))
    clock.run(1)
    open_menu(board, clock)
    press(board, clock, "8")
    assert "5toy" in " ".join(board.controller.lines())
    assert "4house" not in " ".join(board.controller.lines()), "there is no such feature"
    press(board, clock, "5")
    assert heard == [Command("toy")]
    board.close()
