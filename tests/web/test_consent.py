"""People at the board allow a request from the network by typing its number in the board's menu."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import AsyncIterator, Iterator, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from starlette.routing import Route

from boardctl.app import card
from boardctl.app import config as configuration
from boardctl.app.board_app import KEYS, BoardApp
from boardctl.app.config import Config
from boardctl.app.daemon import simulated
from boardctl.app.setup import Setup
from boardctl.console.keypad import Request
from boardctl.console.requests import KEPT, WAITS
from boardctl.drivers.ports import KeyEvent
from boardctl.drivers.virtual import VirtualWires
from boardctl.drivers.virtual.clock import VirtualClock
from boardctl.storage.journal import AtOnce
from boardctl.web import Options
from boardctl.web.app import make
from boardctl.web.consent import A_MINUTE, EACH, IN_ALL, OPEN, Consent, NoConsent
from boardctl.web.pairing import ADDRESSES, COOKIE, Paired, Pairing
from tests.web.test_live import Board
from tests.web.test_setup import FILE

ORIGIN = "http://127.0.0.1:8121"
OPENED = Options(host="0.0.0.0")
ASKED: Mapping[str, tuple[dict[str, Any], str]] = {
    "/setup/config": ({"answers": [["layout", "classic-3"]]}, "New settings?"),
    "/setup/restore": ({}, "Restore backup?"),
    "/setup/update": ({}, "Install update?"),
    "/setup/reset": ({"games": "keep"}, "Factory reset?"),
    "/setup/flash": ({"chip": "pico"}, "Write firmware?"),
    "/setup/reset?": ({"games": "forget"}, "Erase all games?"),
    "/setup/restart": ({"what": "board"}, "Restart board?"),
    "/setup/restart?": ({"what": "machine"}, "Restart board?"),
    "/setup/restart??": ({"what": "off"}, "Switch it off?"),
    "/setup/test": ({"begin": 1}, "Self-test?"),
}
CONFIG = ASKED["/setup/config"][0]


class Bench:
    """A board with its own keys on virtual wires, its page, and a paired phone."""

    def __init__(self, folder: Path, options: Options = OPENED, keys: bool = True) -> None:
        folder.mkdir(exist_ok=True)
        self.path = folder / "config.toml"
        self.path.write_text(FILE, "utf-8")
        self.data = folder / "data"
        self.config = configuration.load(self.path)
        self.clock = VirtualClock()
        assert self.config.keys is not None
        wires = VirtualWires(self.clock, lambda frame: None, "ws2812_spi", self.config.keys.options)
        self.board = BoardApp(
            self.config,
            self.data,
            self.clock,
            wires,
            AtOnce(),
            open_setup=lambda board: Setup(board, self.config, self.path, self.clock, self._again),
        )
        self.now = 100.0
        self.board.controller.requests.steady = lambda: self.now
        self.begun = 0
        self.app = make(self.board, options)
        self.pairing: Pairing = self.app.state.page._pairing
        paired = self.pairing.answer(self.pairing.begin())
        assert isinstance(paired, Paired)
        self.cookie = {"cookie": f"{COOKIE}={paired.token}"}
        if keys:
            self.type("**")

    def _again(self) -> None:
        self.begun += 1

    def type(self, keys: str) -> None:
        """Press the board's own keys; `M` is `#` held, which opens the menu."""
        for key in keys:
            name, seconds = ("#", 1.2) if key == "M" else (key, 0.1)
            self.board._on_key(KeyEvent(name, True, self.clock.time()))
            self.clock.run(seconds)
            self.board._on_key(KeyEvent(name, False, self.clock.time()))

    def allow(self, answer: Mapping[str, Any], mode: str = "C") -> tuple[str, ...]:
        """Type the number of an answer at the board, as its message instructs. Return the
        display."""
        assert f"({mode})" in answer["message"]
        assert answer["number"] in answer["message"]
        self.type(f"M{mode}{answer['number']}")
        shown = self.board.controller.displayed_rows
        self.type("#")
        return shown

    def post(
        self, path: str, body: Any, cookie: Mapping[str, str] | None = None, peer: str = "127.0.0.1"
    ) -> Any:
        """Return the JSON answer to a POST of the paired phone, or of one with another cookie."""

        async def do() -> Any:
            transport = httpx.ASGITransport(self.app, client=(peer, 5))
            headers = {"origin": ORIGIN, **(self.cookie if cookie is None else cookie)}
            async with httpx.AsyncClient(
                transport=transport, base_url=ORIGIN, headers=headers
            ) as client:
                how = {"json": body} if isinstance(body, dict) else {"content": body}
                return (await client.post(path, **how)).json()

        return asyncio.run(do())

    def upload(self, what: str, content: bytes) -> None:
        assert self.post(f"/setup/upload/{what}?at=0", content) == {"size": len(content)}


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    made = Bench(tmp_path)
    yield made
    made.board.close()


@pytest.fixture
def carded(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the requests that the card received."""
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


def done(bench: Bench, carded: list[str]) -> bool:
    """Return whether anything was changed."""
    setup = bench.board.setup()
    assert setup is not None
    return bool(carded or bench.begun or setup.testing())


@pytest.mark.parametrize("path", ASKED)
def test_a_phone_alone_changes_nothing_and_shows_nothing(
    bench: Bench, carded: list[str], path: str
) -> None:
    body, _ = ASKED[path]
    ready(bench, path)
    shown, scores = bench.board.controller.displayed_rows, bench.board.table.position.scores
    for _ in range(3):
        answer = bench.post(path, body)["refused"]
        assert answer["code"] == "needs-consent"
        assert bench.board.controller.displayed_rows == shown
    bench.type("A8#")
    assert bench.board.table.position.scores == (scores[0] + 8, scores[1])
    assert bench.post(path, body)["refused"]["number"] == answer["number"]
    assert not done(bench, carded)
    assert bench.path.read_text("utf-8") == FILE


@pytest.mark.parametrize("path", ASKED)
def test_with_its_number_typed_at_the_board_it_is_done_once(
    bench: Bench, carded: list[str], path: str
) -> None:
    body, question = ASKED[path]
    ready(bench, path)
    lines = bench.board.table.number
    assert bench.allow(bench.post(path, body)["refused"])[0] == question
    answer = bench.post(path, body)
    if path.endswith("restore"):
        assert "That file" in answer["refused"]["message"], "it got as far as the file"
    else:
        assert answer == {"done": True}
        assert done(bench, carded)
    assert not list(bench.data.glob("*upload*"))
    assert bench.board.table.number == lines, "the keys were not for the game"
    ready(bench, path)
    again = bench.post(path, body)["refused"]
    assert again["code"] in ("needs-consent", "testing")


def test_only_that_phone_does_only_that(bench: Bench) -> None:
    """A permission applies to nothing else, and to no other phone."""
    other = bench.pairing.answer(bench.pairing.begin())
    assert isinstance(other, Paired)
    thief = {"cookie": f"{COOKIE}={other.token}"}
    bench.upload("restore", b"the owner's file")
    bench.allow(bench.post("/setup/restore", {})["refused"])
    assert bench.post("/setup/restore", {}, thief)["refused"]["code"] == "needs-consent"
    bench.post("/setup/upload/restore?at=0", b"the thief's file", thief)
    assert bench.post("/setup/restore", {})["refused"]["code"] == "needs-consent", "another file"
    bench.allow(bench.post("/setup/config", CONFIG)["refused"])
    more = {"answers": [["layout", "classic-2"]]}
    assert bench.post("/setup/config", more)["refused"]["code"] == "needs-consent"
    assert bench.begun == 0
    assert bench.post("/setup/config", CONFIG) == {"done": True}


def test_a_request_is_not_allowed_in_the_menu_of_another_kind(bench: Bench) -> None:
    """Even without a display, somebody who lets a phone in cannot thereby reset a board."""
    number = bench.post("/setup/reset", {"games": "forget"})["refused"]["number"]
    bench.type(f"MB{number}##")
    assert bench.post("/setup/reset", {"games": "forget"})["refused"]["number"] == number


@pytest.mark.parametrize(
    "keys", ["M", "MC", "MC#", "MC{0}", "MC{0}*", "MC{0}*#", "MC{1}#", "#{0}#"]
)
def test_nothing_else_at_the_board_allows_it(bench: Bench, keys: str) -> None:
    number = bench.post("/setup/config", CONFIG)["refused"]["number"]
    bench.type(keys.format(number, number[::-1] if number[0] != number[1] else "10"))
    assert bench.post("/setup/config", CONFIG)["refused"]["number"] == number
    assert bench.begun == 0


def test_a_wrong_number_and_its_hash_are_not_for_the_game(bench: Bench) -> None:
    lines = bench.board.table.number
    bench.type("MC47")
    assert bench.board.controller.displayed_rows[0].startswith("No page shows")
    bench.type("#")
    assert bench.board.controller.displayed_rows[0] == "Number on page?", "one can type it again"
    assert bench.board.table.number == lines


def test_the_board_and_the_page_speak_their_own_languages(bench: Bench) -> None:
    bench.board.controller.language = "ja"
    answer = bench.post("/setup/config?lang=ja", CONFIG)["refused"]
    assert answer["message"].startswith("盤で#を長押しして")
    assert answer["number"] in answer["message"]
    bench.type(f"MC{answer['number']}")
    assert bench.board.controller.displayed_rows[0] == "設定を変更？"
    bench.type("#")
    assert bench.post("/setup/config", CONFIG) == {"done": True}


def test_keys_of_a_page_agree_to_nothing(bench: Bench) -> None:
    """Keys of a page do not count as presence at the board, not even halfway: a `#` at the board
    does not complete an entry begun on a page."""
    number = bench.post("/setup/config", CONFIG)["refused"]["number"]

    def page(keys: str) -> None:
        for key in keys:
            bench.board.press("#" if key == "M" else key, True)
            bench.clock.run(1.2 if key == "M" else 0.1)
            bench.board.press("#" if key == "M" else key, False)

    page(f"MC{number}#")
    assert bench.post("/setup/config", CONFIG)["refused"]["number"] == number
    assert bench.board.controller.displayed_rows[0] == "Only with the"
    page(f"MC{number}")
    bench.type("#")
    assert bench.post("/setup/config", CONFIG)["refused"]["number"] == number
    assert bench.begun == 0


def test_who_asks_in_vain_is_told_so_and_its_number_rests(bench: Bench) -> None:
    first = bench.post("/setup/config", CONFIG)["refused"]["number"]
    bench.type(f"MC{first}")
    bench.now += WAITS
    bench.type("#")
    assert bench.board.controller.displayed_rows[0] == "That request"
    assert bench.post("/setup/config", CONFIG)["refused"]["code"] == "nobody-agreed"
    second = bench.post("/setup/config", CONFIG)["refused"]["number"]
    assert second != first
    bench.allow(bench.post("/setup/config", CONFIG)["refused"])
    bench.now += KEPT
    assert bench.post("/setup/config", CONFIG)["refused"]["code"] == "needs-consent", "too late"
    assert bench.begun == 0


def test_a_selftest_takes_no_keys_in_the_middle_of_an_entry(bench: Bench) -> None:
    bench.allow(bench.post("/setup/test", {"begin": 1})["refused"])
    bench.type("A")
    answer = bench.post("/setup/test", {"begin": 1})
    assert answer["refused"]["code"] == "somebody-types"
    bench.type("8#")
    assert bench.board.table.position.scores == (8, 0)
    bench.allow(bench.post("/setup/test", {"begin": 1})["refused"])
    assert bench.post("/setup/test", {"begin": 1}) == {"done": True}
    assert bench.post("/setup/config", CONFIG)["refused"]["code"] == "testing"
    assert bench.post("/setup/test", {"begin": 0}) == {"done": True}


def test_a_guest_asks_to_play(bench: Bench) -> None:
    """The guest may play after somebody types its page's number at the board."""
    nobody: dict[str, str] = {}
    asked = bench.post("/pair/ask", {}, nobody)
    assert bench.post("/lines", {"line": "1 peg 8", "expect": 0}, nobody)["error"]
    answer = bench.post("/pair", {"pin": asked["ticket"]}, nobody)["refused"]
    assert (answer["code"], answer["number"]) == ("not-granted", asked["number"])
    assert bench.allow(answer, "B")[0] == "Let phone in?"
    assert bench.board.controller.displayed_rows[0] == "It is allowed;"
    assert bench.post("/pair", {"pin": asked["ticket"]}, nobody) == {"paired": True}
    assert bench.pairing.phones == 2
    answer = bench.post("/pair", {"pin": asked["ticket"]}, nobody)
    assert answer["refused"]["code"] == "wrong-pin", "a ticket is for one phone"


def test_a_phone_invites_another(bench: Bench) -> None:
    """A stolen token alone, without presence at the board, lets nobody in."""
    shown = bench.board.controller.displayed_rows
    invited = bench.post("/phones", {})
    assert bench.board.controller.displayed_rows == shown
    answer = bench.post("/pair", {"pin": invited["pin"]}, {})["refused"]
    assert answer["number"] == invited["number"]
    bench.allow(invited, "B")
    assert bench.post("/pair", {"pin": invited["pin"]}, {}) == {"paired": True}


def test_an_invitation_does_not_end_the_pin_of_the_board(bench: Bench) -> None:
    pin = bench.pairing.begin()
    bench.post("/phones", {})
    assert bench.post("/pair", {"pin": pin}, {}) == {"paired": True}


def test_forgotten_phones_wait_for_nothing(bench: Bench) -> None:
    asked = bench.post("/pair/ask", {}, {})
    bench.type("M82")
    bench.type(f"MB{asked['number']}#")
    answer = bench.post("/pair", {"pin": asked["ticket"]}, {})
    assert answer["refused"]["code"] == "wrong-pin"
    assert bench.pairing.phones == 0


# Limits


class Time:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def consent(tmp_path: Path) -> Iterator[tuple[Consent, Time]]:
    board, time = Board(tmp_path), Time()
    lots = itertools.count(7, 31)
    board.controller.requests.steady = time
    yield Consent(board, False, lambda most: next(lots) % most), time
    board.close()


def test_one_address_leaves_room_for_others(consent: tuple[Consent, Time]) -> None:
    asks, _ = consent
    for number in range(EACH + 1):
        last = asks.ask("let-in", "phone", number, "10.0.0.66", guest=True)
    assert len(asks.requests.open()) == EACH
    assert last in asks.requests.open(), "its newest replaces its oldest"
    assert asks.number_of(EACH - 1)
    with pytest.raises(NoConsent) as forgotten:
        asks.number_of(0)
    assert forgotten.value.code == "nobody-agreed"
    friend = asks.ask("let-in", "phone", "friend", "10.0.0.5", guest=True)
    assert friend in asks.requests.open()
    with pytest.raises(NoConsent, match="too-many-guests"):
        for number in range(100, 100 + A_MINUTE):
            asks.ask("let-in", "phone", number, "10.0.0.66", guest=True)
    assert friend in asks.requests.open()


def test_an_address_with_its_share_replaces_its_oldest_among_many(
    consent: tuple[Consent, Time],
) -> None:
    asks, _ = consent
    for number in range(OPEN):
        asks.ask("let-in", "phone", number, f"10.0.0.{number // EACH}", guest=True)
    newest = asks.ask("let-in", "phone", "newest", "10.0.0.0", guest=True)
    assert newest in asks.requests.open()
    assert len(asks.requests.open()) == OPEN


@pytest.mark.parametrize(("guest", "code"), [(True, "too-many-guests"), (False, "asked-too-soon")])
def test_an_address_asks_so_often_a_minute(
    guest: bool, code: str, consent: tuple[Consent, Time]
) -> None:
    asks, time = consent
    for number in range(A_MINUTE):
        asks.ask("let-in", "phone", number, "10.0.0.66", guest=guest)
    for number in (A_MINUTE, A_MINUTE + 1):
        with pytest.raises(NoConsent) as refused:
            asks.ask("let-in", "phone", number, "10.0.0.66", guest=guest)
        assert refused.value.code == code
        time.now += 60 / A_MINUTE
        asks.ask("let-in", "phone", number, "10.0.0.66", guest=guest)


@pytest.mark.parametrize(("others", "forgotten"), [(ADDRESSES - 2, False), (ADDRESSES - 1, True)])
def test_the_address_that_asked_longest_ago_is_forgotten(
    others: int, forgotten: bool, consent: tuple[Consent, Time]
) -> None:
    """The allowance that all guests share takes one of the places."""
    asks, time = consent
    for number in range(A_MINUTE):
        asks.refuse(asks.ask("let-in", "phone", number, "10.0.0.66", guest=True).identity)
    for number in range(others):
        try:
            made = asks.ask("let-in", "phone", ("other", number), f"10.1.0.{number}", guest=True)
        except NoConsent:
            continue
        asks.refuse(made.identity)
    time.now += 60 / IN_ALL
    try:
        asks.ask("let-in", "phone", "again", "10.0.0.66", guest=True)
    except NoConsent:
        assert not forgotten
    else:
        assert forgotten


def test_a_refused_request_closes_alone(consent: tuple[Consent, Time]) -> None:
    asks, time = consent
    first, second, third = (
        asks.ask("allow", "config", number, f"10.0.0.{number}") for number in range(3)
    )
    asks.refuse(first.identity)
    assert asks.requests.open() == (second, third)
    time.now += KEPT / 2
    asks.refuse(first.identity)
    time.now += KEPT / 2
    assert asks.requests.find(0) is None, "refused twice, it is remembered no longer"
    assert asks.requests.open() == (second, third)


def test_without_a_free_number_nobody_can_ask(consent: tuple[Consent, Time]) -> None:
    asks, time = consent
    for number in range(10, 100):
        asks.requests.add(Request(number, "let-in", str(number), "phone"), number, "x", True)
    asks.end()
    with pytest.raises(NoConsent) as refused:
        asks.ask("allow", "config", "mine", "10.0.0.5")
    found = refused.value.code, refused.value.number, refused.value.name
    assert found == ("asked-too-soon", "", "")
    time.now += KEPT
    assert asks.ask("allow", "config", "mine", "10.0.0.5").number


def test_strangers_who_ask_leave_a_friend_the_pin(bench: Bench) -> None:
    """Two addresses can use up all numbers. A friend then reads how to join without one."""
    for number in range(OPEN):
        bench.post("/pair/ask", {}, {}, f"10.0.0.{number}")
    refused = bench.post("/pair/ask", {}, {}, "10.0.0.99")["refused"]
    assert refused["code"] == "too-many-guests"
    assert "press 8 and 1" in refused["message"]
    bench.type("M81")
    pin = bench.board.controller.displayed_rows[0].removeprefix("PIN ")
    assert bench.post("/pair", {"pin": pin}, {}, "10.0.0.99") == {"paired": True}


def test_guests_are_limited_in_all_and_leave_room_for_phones(
    consent: tuple[Consent, Time],
) -> None:
    asks, time = consent
    for number in range(OPEN):
        asks.ask("let-in", "phone", number, f"10.0.0.{number}", guest=True)
    with pytest.raises(NoConsent, match="too-many-guests"):
        asks.ask("let-in", "phone", "more", "10.0.0.99", guest=True)
    mine = asks.ask("allow", "config", "mine", "10.0.0.5")
    assert mine in asks.requests.open()
    made, refused = 0, 0
    for number in range(1000):
        time.now += 60 / 1000
        try:
            asks.ask("let-in", "phone", ("many", number), f"10.1.{number // 4}.1", guest=True)
            made += 1
        except NoConsent:
            refused += 1
    assert made <= 2 * IN_ALL
    assert refused
    assert len(asks.requests.open()) <= OPEN + 1


def test_no_open_number_is_another_by_a_slip_and_none_is_given_again_at_once(
    consent: tuple[Consent, Time],
) -> None:
    asks, time = consent
    recent: dict[str, float] = {}
    for number in range(400):
        time.now += 3.0
        for guest, address in ((True, f"10.0.{number % 50}.1"), (False, f"10.9.{number % 50}.1")):
            try:
                made = asks.ask("let-in", "phone", (number, guest), address, guest=guest)
            except NoConsent:
                continue
            assert time.now - recent.get(made.number, 0.0) > WAITS, "it was another's"
            recent[made.number] = time.now
        for one, other in itertools.combinations([r.number for r in asks.requests.open()], 2):
            assert one[0] != other[0]
            assert one[1] != other[1]
            assert one != other[::-1]


def test_what_was_allowed_is_who_was_shown(consent: tuple[Consent, Time]) -> None:
    """The number stays bound to the request that the board showed, even if another request has it
    now."""
    asks, time = consent
    shown: Request = asks.ask("let-in", "phone", "first", "10.0.0.1", guest=True)
    time.now += WAITS + KEPT
    asks.ask("let-in", "phone", "second", "10.0.0.2", guest=True)
    assert asks.allow(shown.identity) is None
    assert not asks.is_allowed("second")


# Boards that ask nobody


def test_a_board_whose_keys_are_not_wired_yet_is_set_up(tmp_path: Path) -> None:
    """Before any key has been pressed, nobody can give consent, so a new card's first configuration
    does not need any."""
    bench = Bench(tmp_path, keys=False)
    try:
        assert bench.post("/setup/config", CONFIG) == {"done": True}
        bench.type("**")
        assert bench.post("/setup/config", CONFIG)["refused"]["code"] == "needs-consent"
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
    assert bench.post("/setup/config", CONFIG) == {"done": True}
    assert bench.post("/pair/ask", {})["refused"]["code"] == "private"
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
    bench.board.knows_its_keys = False
    bench.type("**")
    assert bench.board.knows_its_keys
    assert "cannot be written" in caplog.text


NAMED = {"name": "Ann", "partner": ""}
POSTED: Mapping[str, dict[str, Any]] = {
    **{path: body for path, (body, _) in ASKED.items()},
    "/lines": {"line": "session friday", "expect": 0},
    **{key: {"expect": 0} for key in ("/undo", "/redo", "/evening", "/hint")},
    **{key: {"line": "1 peg 2"} for key in ("/preview", "/withdraw")},
    "/table": {"game": "cribbage", "players": ["Ann", "Bob"], "expect": 0},
    "/commands": {"what": "telling", "value": "cards"},
    "/rules": {"name": "Friday", "game": "cribbage", "options": {}},
    **{key: {} for key in ("/phones", "/far/cancel", "/far/stand", "/far/leave", "/far/show")},
    **{key: {"house": 0} for key in ("/far/play", "/far/withdraw", "/far/remove")},
    **{key: {"onlooker": 0} for key in ("/far/look", "/far/forget")},
    "/far/answer": {"number": 9, "line": "undo", "yes": True},
    "/seat": {"seat": 1, "name": "Ann"},
    "/seat/allow": {"claim": 1, "allow": True},
    "/player": {"seat": 2, "level": 3, "deals": False},
    "/player/cut": {"cut": "7"},
    "/player/level": {"level": 3},
    "/player/game": {"name": "Ann", "level": 3, "expect": 0},
    "/duplicate": {"code": "", "rounds": 3, "level": 5},
    "/duplicate/play": {"name": "Ann", "round": 1, "expect": 0},
    **{key: {} for key in ("/duplicate/code", "/duplicate/end")},
    "/learners": {"name": "Ann", "counts": True},
    "/drills": {"name": "Ann", "drill": "crib 3", "right": True},
    "/lesson": {"name": "", "step": 0},
    "/far/invite": {**NAMED, "game": "cribbage", "options": {}},
    "/far/broker": {"broker": "wss://broker.example"},
    "/far/accept": {**NAMED, "words": "one"},
}
"""The POST requests of a paired phone, each with a valid body; `?` distinguishes two with one
path."""
FOR_ALL = {"/pair", "/pair/ask", "/pin"}
"""The POST requests that a guest may make."""
BYTES = {
    "/photo",
    "/photo/report",
    "/player/photo",
    "/packs/{name}/{suit}",
    "/setup/upload/{what}",
    "/setup/questions",
}
"""Requests that take no JSON, or change nothing."""


def test_a_phone_that_is_forgotten_while_it_asks_does_nothing_more(
    bench: Bench, carded: list[str]
) -> None:
    """The permission used to be checked before the whole request had arrived, which gave a removed
    phone several seconds. On a board without keys, it could invite itself again."""
    routes = [one for one in bench.app.routes if isinstance(one, Route)]
    posts = {one.path for one in routes if "POST" in (one.methods or ())}
    assert {path.rstrip("?") for path in POSTED} == posts - FOR_ALL - BYTES
    bench.upload("restore", b"a journal")
    bench.upload("update", b"an update")
    number = bench.board.table.number
    for path, body in POSTED.items():
        paired = bench.pairing.answer(bench.pairing.begin())
        assert isinstance(paired, Paired)

        async def slowly(body: dict[str, Any] = body) -> AsyncIterator[bytes]:
            yield b" "
            bench.pairing.forget()
            yield json.dumps(body).encode()

        headers = {"cookie": f"{COOKIE}={paired.token}", "content-type": "application/json"}
        answer = bench.post(path, slowly(), headers)
        assert answer.get("refused", answer.get("error"))["code"] == "not-paired", path
    assert carded == []
    assert bench.begun == 0
    assert bench.board.table.number == number
