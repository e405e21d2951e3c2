"""Whatever the network sends, and whenever: every entry at the board is pegged, no stranger let in.

The people type points, key edge by key edge. Between any two edges a guest asks to play or guesses,
somebody who has stolen a phone's token invites, restarts, resets, looks at hands, commands and
presses the keys of its page, and an honest phone pegs points of its own.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    rule,
    run_state_machine_as_test,
)

from boardctl.app.board_app import BoardApp
from boardctl.drivers.ports import KEYS, KeyEvent
from boardctl.web.pairing import COOKIE, Paired
from tests.web.test_consent import ORIGIN, Bench

NOBODY: Mapping[str, str] = {}
SETUP = st.sampled_from(
    [
        ("/setup/config", {"answers": [["layout", "classic-3"]]}),
        ("/setup/restore", {}),
        ("/setup/reset", {"games": "keep"}),
        ("/setup/restart", {"what": "board"}),
        ("/setup/test", {"begin": 1}),
    ]
)
COMMANDS = st.sampled_from(
    [
        *(("telling", "cards"), ("telling", "hands"), ("telling", "points"), ("language", "ja")),
        *(("light", "night"), ("voice", "off"), ("goodnight", "")),
    ]
)
POINTS = st.integers(1, 12)


class Strangers(RuleBasedStateMachine):
    """One board with keys of its own, opened to the network."""

    def __init__(self) -> None:
        super().__init__()
        self.folder = tempfile.TemporaryDirectory()
        self.bench = Bench(Path(self.folder.name))
        self.board: BoardApp = self.bench.board
        other = self.bench.pairing.answer(self.bench.pairing.begin())
        assert isinstance(other, Paired)
        self.stolen = {"cookie": f"{COOKIE}={other.token}"}
        self.client = httpx.AsyncClient(
            transport=httpx.ASGITransport(self.bench.app, client=("10.0.0.66", 5)),
            base_url=ORIGIN,
        )
        self.loop = asyncio.new_event_loop()
        self.entry: list[tuple[str, bool]] = []
        self.points = (0, 0)
        self.pegged = [0, 0]
        self.tickets: list[str] = []

    # The people at the board

    @rule(seat=st.sampled_from((1, 2)), points=POINTS)
    def think(self, seat: int, points: int) -> None:
        """Somebody is about to enter points, once the entry before is finished."""
        if not self.entry:
            keys = f"{'AB'[seat - 1]}{points}#"
            self.entry = [(key, down) for key in keys for down in (True, False)]
            self.points = seat, points

    @rule(edges=st.integers(1, 8), pause=st.sampled_from((0.03, 0.3, 3.0, 70.0)))
    def type(self, edges: int, pause: float) -> None:
        """The next edges of their keys."""
        for _ in range(min(edges, len(self.entry))):
            key, down = self.entry.pop(0)
            self.board._on_key(KeyEvent(key, down, self.board_time))
            self.bench.clock.run(0.07)
            if not self.entry:
                seat, points = self.points
                self.pegged[seat - 1] += points
        if not self.entry or self.entry[0][1]:  # nobody holds a key so long
            self.bench.clock.run(pause)
            self.bench.now += pause

    @property
    def board_time(self) -> float:
        return self.bench.clock.time()

    # The network

    def post(self, path: str, body: Any, cookie: Mapping[str, str]) -> Any:
        async def do() -> Any:
            headers = {"origin": ORIGIN, **cookie}
            return (await self.client.post(path, json=body, headers=headers)).json()

        return self.loop.run_until_complete(do())

    @rule()
    def ask(self) -> None:
        answer = self.post("/pair/ask", {}, NOBODY)
        if "ticket" in answer:
            self.tickets.append(answer["ticket"])

    @rule(pin=st.sampled_from(("000000", "123456", "47")), which=st.integers(0, 9))
    def come_in(self, pin: str, which: int) -> None:
        """With a ticket that nobody granted, or with a guess."""
        said = self.tickets[which] if which < len(self.tickets) else pin
        assert "refused" in self.post("/pair", {"pin": said}, NOBODY)

    @rule()
    def invite(self) -> None:
        answer = self.post("/phones", {}, self.stolen)
        if "pin" in answer:
            self.tickets.append(answer["pin"])

    @rule(what=SETUP)
    def set_up(self, what: tuple[str, dict[str, Any]]) -> None:
        assert "refused" in self.post(*what, self.stolen)

    @rule(seat=st.sampled_from((1, 2)), points=POINTS)
    def look(self, seat: int, points: int) -> None:
        self.post("/preview", {"line": f"{seat} peg {points}"}, self.stolen)

    @rule(seat=st.sampled_from((1, 2)), points=POINTS)
    def look_away(self, seat: int, points: int) -> None:
        self.post("/withdraw", {"line": f"{seat} peg {points}"}, self.stolen)

    @rule(command=COMMANDS)
    def command(self, command: tuple[str, str]) -> None:
        """An evening is ended only by somebody who sees that nobody is typing."""
        what, value = command
        if what != "goodnight" or self.board.controller.is_typing:
            if what == "telling" and not self.board.controller.is_typing:
                return  # what an entry begins with is a matter of the table, as its game is
            self.post("/commands", {"what": what, "value": value}, self.stolen)

    @rule(key=st.sampled_from(KEYS), seconds=st.sampled_from((0.1, 1.2)), whole=st.booleans())
    def press(self, key: str, seconds: float, whole: bool) -> None:
        """The keys of a page, one of which may never come up; only while somebody types, since at
        rest they are as good as the board's own."""
        if not self.board.controller.is_typing:
            return
        held = bool(self.entry) and not self.entry[0][1]
        self.board.press(key, True)
        self.bench.clock.run(0.01 if held else seconds)
        if whole:
            self.board.press(key, False)

    @rule(points=POINTS)
    def peg(self, points: int) -> None:
        """An honest phone."""
        line = {"line": f"2 peg {points}", "expect": self.board.table.number}
        if "number" in self.post("/lines", line, self.bench.cookie):
            self.pegged[1] += points

    # What holds

    @invariant()
    def every_entry_is_pegged(self) -> None:
        position = self.board.table.position
        if not position.over and any(self.pegged) and max(self.pegged) < 121:
            assert position.scores == tuple(self.pegged)

    @invariant()
    def nobody_is_let_in_and_nothing_is_changed(self) -> None:
        setup = self.board.setup()
        assert setup is not None
        assert self.bench.pairing.phones == 2
        assert self.bench.begun == 0
        assert not setup.testing()

    def teardown(self) -> None:
        self.board.close()
        self.loop.run_until_complete(self.client.aclose())
        self.loop.close()
        self.folder.cleanup()


@pytest.fixture(autouse=True)
def _quiet(caplog: pytest.LogCaptureFixture) -> None:
    """httpx logs every request."""
    caplog.set_level(logging.CRITICAL)


QUICK = settings(
    max_examples=25,
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)


@pytest.mark.slow
def test_keys_are_never_stolen() -> None:
    run_state_machine_as_test(Strangers, settings=QUICK)


@pytest.mark.long
def test_keys_are_never_stolen_for_long() -> None:
    run_state_machine_as_test(Strangers, settings=settings(QUICK, max_examples=2000))
