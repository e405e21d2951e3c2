"""The OpenAPI document contains every route, and every answer matches it."""

from __future__ import annotations

import asyncio
import json
import re
import struct
import subprocess
import sys
from collections.abc import Iterator
from importlib import resources
from pathlib import Path
from random import Random
from typing import Any

import cv2
import httpx
import pytest
from jsonschema import Draft202012Validator
from starlette.routing import Route

from boardctl import __version__, features, games
from boardctl.app import card
from boardctl.app import config as configuration
from boardctl.app.board_app import BoardApp
from boardctl.app.daemon import simulated
from boardctl.app.setup import Setup
from boardctl.console.keypad import Command
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.games import IllegalMove
from boardctl.games.cards import CARDS
from boardctl.record import notation
from boardctl.record.record import Record
from boardctl.storage.journal import AtOnce
from boardctl.web import Options, openapi
from boardctl.web.app import make
from boardctl.web.history_api import HistoryApi
from tests.laws import walk
from tests.parts import need
from tests.spread import spread
from tests.tables import submit
from tests.web.test_consent import ASKED, Bench
from tests.web.test_setup import FILE
from tools.camera import decks, scenes

ORIGIN = "http://127.0.0.1:8121"
STATIC = resources.files("boardctl.web").joinpath("static")
FILES = {"", *(file.name for file in STATIC.iterdir())}
"""The page's files, which are not part of the interface."""
KINDS = {"string": "a string", "integer": "an integer", "array": "a list", "object": "an object"}


class Checked:
    """A simulated board with a page whose answers are all checked against the document."""

    def __init__(self, folder: Path, layout: str = "classic-3") -> None:
        folder.mkdir(exist_ok=True)
        self.path = folder / "config.toml"
        self.path.write_text(FILE.replace("classic-2", layout), "utf-8")
        config = configuration.load(self.path)
        clock = VirtualClock()
        self.board = BoardApp(
            simulated(config),
            folder / "data",
            clock,
            None,
            AtOnce(),
            open_setup=lambda board: Setup(board, config, self.path, clock, lambda: None),
        )
        self.app = make(self.board, Options())
        self.document = self.ask("GET", openapi.ADDRESS, check=False)
        self.seen: set[tuple[str, str]] = set()
        self.checkers: dict[int, Draft202012Validator] = {}

    def ask(self, method: str, path: str, check: bool = True, **more: Any) -> Any:
        """Return an answer, after checking it against the document."""

        async def do() -> httpx.Response:
            transport = httpx.ASGITransport(self.app)
            async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
                return await client.request(method, path, headers={"origin": ORIGIN}, **more)

        answer = asyncio.run(do())
        if check:
            self.check(method, path, answer)
        is_json = answer.headers.get("content-type", "").startswith("application/json")
        return answer.json() if is_json else answer.content

    def post(self, path: str, **body: Any) -> Any:
        return self.ask("POST", path, json=body)

    def check(self, method: str, path: str, answer: httpx.Response) -> None:
        address = path.partition("?")[0]
        known = [
            name
            for name in self.document["paths"]
            if re.fullmatch(re.sub(r"\{\w+\}", "[^/]+", name), address)
        ]
        name = min(known, key=lambda one: one.count("{"))
        operation = self.document["paths"][name][method.lower()]
        self.seen.add((method, name))
        code = "200" if answer.status_code == 200 else "default"
        content = operation["responses"][code]["content"]
        kind = answer.headers["content-type"].partition(";")[0]
        assert kind in content, (path, kind)
        if kind == "application/json":
            self.fits(content[kind]["schema"], answer.json(), f"{method} {path}")

    def fits(self, shape: dict[str, Any], value: Any, where: str) -> None:
        if id(shape) not in self.checkers:
            whole = {**shape, "components": self.document["components"]}
            Draft202012Validator.check_schema(whole)
            self.checkers[id(shape)] = Draft202012Validator(whole)
        for error in self.checkers[id(shape)].iter_errors(value):
            deepest = error
            while deepest.context:
                deepest = min(deepest.context, key=lambda one: -len(one.absolute_path))
            raise AssertionError(f"{where}: {list(deepest.absolute_path)}: {deepest.message[:300]}")


@pytest.fixture(autouse=True)
def _nothing_in_the_background(monkeypatch: pytest.MonkeyPatch) -> None:
    """Each request has a separate event loop here. The archive is read only on request."""
    monkeypatch.setattr(HistoryApi, "_read_on", lambda api: None)


@pytest.fixture
def checked(tmp_path: Path) -> Iterator[Checked]:
    made = Checked(tmp_path)
    yield made
    made.board.close()


def test_every_route_is_in_it_and_nothing_else(checked: Checked) -> None:
    routes = {
        (method, re.sub(r"\{(\w+):\w+\}", r"{\1}", route.path))
        for route in checked.app.routes
        if isinstance(route, Route) and route.include_in_schema and route.path[1:] not in FILES
        for method in (route.methods or set()) - {"HEAD"}
    }
    found = {
        (method.upper(), path)
        for path, methods in checked.document["paths"].items()
        for method in methods
    }
    assert found == routes
    known = {*openapi.OPERATIONS}.union(
        *(api.operations for api in openapi.apis(features.installed()))
    )
    assert found == known, "nothing is described that is not there"
    for path, methods in checked.document["paths"].items():
        for method, operation in methods.items():
            assert operation["description"], f"{method} {path} has no docstring"


def test_bodies_are_what_the_addresses_take(checked: Checked) -> None:
    """Each address accepts the declared bodies and refuses others."""
    for path, methods in checked.document["paths"].items():
        content = methods.get("post", {}).get("requestBody", {}).get("content", {})
        shape = content.get("application/json", {}).get("schema")
        if shape is None:
            continue
        answer = checked.ask("POST", path, json={"": None})
        if "refused" in answer or answer["error"]["code"] == "not-found":
            continue  # another refusal comes first: this board has nothing to set up
        wanted = ", ".join(
            f"{name} ({'a boolean' if of['type'] == 'boolean' else KINDS[of['type']]})"
            for name, of in shape["properties"].items()
        )
        expected = f"The body must be a JSON object of {wanted}."
        assert answer["error"]["message"].replace("None", "a boolean") == expected, path


@pytest.mark.parametrize("name", spread(2, games.names()))
def test_the_state_of_every_game(checked: Checked, name: str) -> None:
    """Random legal play, seen from every seat and by an onlooker, with every request about it."""
    chance = Random(f"openapi {name}")
    played = walk.sit_down(name, chance)
    for _ in range(50):
        if not played.step():
            break
    table = checked.board.table
    submit(table, "session one", "page")
    checked.board.controller.obey(Command("telling", played.telling))
    for number, move in enumerate(played.record.moves):
        submit(table, notation.spell(move), "page")
        if number % 8:
            continue
        seat = chance.choice(("", "?seat=1", "?seat=2&lang=ja"))
        state = checked.ask("GET", f"/state{seat}")
        for ask in state["asks"][:3]:
            try:
                due = next(
                    a for a in checked.board.controller.view.prompt.asks if a.code == ask["code"]
                )
                line = notation.spell(walk.complete(due, chance))
            except AssertionError:
                continue  # the walk cannot complete it
            checked.post("/preview", line=line)
        checked.ask("GET", f"/points?whose={chance.randint(1, 4)}")
        checked.ask("GET", f"/amend?back={chance.randint(0, 9)}")
    checked.ask("GET", "/moves")
    checked.post("/lines", line="nonsense", expect=table.number)
    checked.post("/lines", line="undo", expect=table.number - 1)
    checked.post("/undo", expect=table.number)
    checked.post("/redo", expect=table.number)
    checked.post("/withdraw", line="1 peg 3")


def test_the_suits_that_a_hand_needs(checked: Checked) -> None:
    for line in ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal", "starter 5H"):
        try:
            submit(checked.board.table, line, "page")
        except IllegalMove as error:
            assert line.startswith("seat"), error
    answer = checked.post("/lines", line="2 show 4 5 5 J", expect=checked.board.table.number)
    assert answer["refused"]["choices"]


def test_the_other_addresses(checked: Checked) -> None:
    state = checked.ask("GET", "/state")
    for path in (
        "/layout",
        "/words",
        "/words?lang=ja",
        "/games",
        "/odds",
        "/photo",
        "/packs",
        "/far",
    ):
        checked.ask("GET", path)
    body = {"game": "cribbage", "players": ["Ann", "Bob"], "expect": state["number"]}
    checked.post("/table", **body, options={"muggins": "full"})
    checked.post("/table", **body)
    checked.post("/commands", what="light", value="dim")
    checked.post("/commands", what="light", value="blue")
    checked.post("/phones")
    checked.post("/pair/ask")
    checked.post("/pair", pin="123456")
    checked.post("/pin")
    checked.ask("GET", "/player")
    checked.post("/player", seat=9, level=1, deals=False)
    checked.post("/player/cut", cut="any words")
    checked.post("/player/game", name="", level=9, expect=0)
    checked.ask("GET", "/player/fair")
    asked = "hand=5H 5S 5C JD 2C 3D&role=dealer&score=0 0&throw=2C 3D"
    assert checked.ask("GET", f"/trainer?{asked}")["right"] in (True, False)
    checked.ask("GET", "/trainer?hand=nonsense")
    checked.ask("POST", "/photo", content=b"%PDF-1.7")
    checked.ask("POST", "/player/photo", content=b"%PDF-1.7")
    checked.ask("POST", "/packs/mine/spades", content=b"%PDF-1.7")
    checked.ask("DELETE", "/packs/mine")


@pytest.mark.slow
def test_games_that_were_played(checked: Checked, tmp_path: Path) -> None:
    chance = Random("openapi, a game that is over")
    lines = whole_game(chance)
    for line in lines:
        submit(checked.board.table, line, "page")
    assert checked.board.table.position.over
    read_games(checked)
    history = checked.ask("GET", "/history")
    number = history["games"][-1]["number"]
    checked.ask("GET", f"/history/{number}")
    checked.ask("GET", "/history/9")
    checked.ask("GET", f"/highlights/{number}")
    checked.ask("GET", f"/export/{number}.txt")
    checked.ask("GET", f"/export/{number}.html")
    checked.ask("GET", f"/export/{number}.svg")
    checked.ask("GET", f"/export/{number}.png")
    checked.ask("GET", "/export/games.csv")
    checked.ask("GET", "/export/games.json")
    assert checked.ask("GET", f"/analysis/{number}")["judged"]
    assert checked.ask("GET", f"/analysis/{number}/so-far")["stage"] is None
    submit(checked.board.table, "game cribbage", "page")
    read_games(checked)
    checked.ask("GET", "/history?lang=ja&before=1")
    checked.ask("GET", "/history?before=none")
    assert not checked.ask("GET", f"/analysis/{number + 1}")["judged"]


def read_games(checked: Checked) -> None:
    """Bring the archive up to date, like the page in the background."""
    program = ("-m", "boardctl.storage.archive", str(checked.board.data), __version__)
    subprocess.run([sys.executable, *program], check=True)


def whole_game(chance: Random) -> list[str]:
    """Return the lines of a game of cribbage in which every hand is known."""
    record = Record()
    lines = ["session one", "game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1"]
    for line in lines:
        record.read(line)
    while not over(record):
        for line in dealt(record, chance):
            lines.append(line)
            record.read(line)
    return lines


def over(record: Record) -> bool:
    return record.position.over


def dealt(record: Record, chance: Random) -> Iterator[str]:
    """Yield the lines of a deal, each when it is expected."""
    pack = list(CARDS)
    chance.shuffle(pack)
    hands = {1: pack[:6], 2: pack[6:12]}
    yield "deal"
    for seat in (1, 2):
        yield f"{seat} hand {' '.join(map(str, hands[seat]))}"
    for seat in (1, 2):
        yield f"{seat} discard {hands[seat][0]} {hands[seat][1]}"
    yield f"starter {pack[12]}"
    while not over(record):
        asks = record.position.prompt.asks
        due = next((a for a in asks if a.code in ("play", "go", "show", "crib")), None)
        if due is None:
            return
        yield notation.spell(walk.complete(due, chance))


@pytest.mark.slow
@pytest.mark.parametrize("path", ASKED)
def test_setting_up(tmp_path: Path, path: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """This board's keys must allow the requests."""
    monkeypatch.setattr(card, "present", lambda: True)
    monkeypatch.setattr(card, "ask", lambda do, **fields: {"version": "1.0.0"})
    bench = Bench(tmp_path)
    checked = Checked(tmp_path / "other")
    try:
        checked.app, body = bench.app, ASKED[path][0]
        bench.now += 1
        for what in ("restore", "update"):
            if path.endswith(what):
                bench.upload(what, b"a file")
        refused = ask_paired(checked, bench, "POST", path, json=body)
        bench.allow(refused["refused"])
        ask_paired(checked, bench, "POST", path, json=body)
        bench.clock.run(1.0)
        for asked in (
            "/setup",
            "/setup/test",
            "/setup/test?after=0",
            "/setup/restore",
            "/setup/backup",
        ):
            ask_paired(checked, bench, "GET", asked)
        ask_paired(checked, bench, "POST", "/setup/questions", json={"answers": []})
        ask_paired(checked, bench, "POST", "/setup/upload/restore?at=0", content=b"x")
        invited = ask_paired(checked, bench, "POST", "/phones", json={})
        ask_paired(checked, bench, "POST", "/pair", json={"pin": invited["pin"]})
        bench.allow(invited, "B") if not path.endswith("test") else None
        ask_paired(checked, bench, "POST", "/pair", json={"pin": invited["pin"]})
        asked_to_play = ask_paired(checked, bench, "POST", "/pair/ask", json={})
        assert asked_to_play["ticket"]
    finally:
        checked.board.close()
        bench.board.close()


def ask_paired(checked: Checked, bench: Bench, method: str, path: str, **more: Any) -> Any:
    """Send a request of a paired phone."""

    async def do() -> httpx.Response:
        transport = httpx.ASGITransport(bench.app)
        async with httpx.AsyncClient(transport=transport, base_url=ORIGIN) as client:
            headers = {"origin": ORIGIN, **bench.cookie}
            return await client.request(method, path, headers=headers, **more)

    answer = asyncio.run(do())
    checked.check(method, path, answer)
    return answer.json() if "json" in answer.headers["content-type"] else answer.content


@pytest.mark.slow
def test_a_photo_that_is_read(checked: Checked) -> None:
    need("gnome-cards-data", "rsvg-convert")
    scene = scenes.laid(107, decks.faces("anglo_poker"), 4)
    _, photo = cv2.imencode(".jpg", scene.image)
    answer = checked.ask("POST", "/photo?most=4", content=photo.tobytes())
    assert answer["cards"]
    assert checked.ask("POST", "/packs/mine/spades", content=photo.tobytes())["left"] is None


def test_the_manifest_names_icons_that_are_there(checked: Checked) -> None:
    """Each PNG has its declared size (its header, www.w3.org/TR/png-3/#11IHDR)."""
    manifest = json.loads(checked.ask("GET", "/page.webmanifest", check=False))
    assert (manifest["id"], manifest["scope"]) == ("/", "/")
    sizes = set()
    for icon in manifest["icons"]:
        content = checked.ask("GET", f"/{icon['src']}", check=False)
        if icon["type"] == "image/png":
            width, height = struct.unpack(">II", content[16:24])
            assert icon["sizes"] == f"{width}x{height}"
            sizes.add(width)
    assert sizes == {192, 512}
