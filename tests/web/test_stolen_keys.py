"""Whatever the network sends, and whenever, every entry at the board is pegged and no stranger gets
in.

The people type points, hands, cards and menu items, key edge by key edge. Between any two edges, a
guest asks to play or guesses a PIN. Somebody with a stolen phone token invites, updates, restarts,
resets, looks at hands, sends commands and presses the keys of its page. An honest phone pegs
points.
"""

from __future__ import annotations

import asyncio
import logging
import tempfile
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import httpx
import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import (
    RuleBasedStateMachine,
    invariant,
    precondition,
    rule,
    run_state_machine_as_test,
)

from boardctl.app.board_app import BoardApp
from boardctl.console.keypad import HOLDS
from boardctl.drivers.ports import KEYS, KeyEvent
from boardctl.games import IllegalMove
from boardctl.record import notation
from boardctl.web.pairing import COOKIE, Paired
from tests.web.test_consent import ORIGIN, Bench

NOBODY: Mapping[str, str] = {}
SETUP = st.sampled_from(
    [
        ("/setup/config", {"answers": [["layout", "classic-3"]]}),
        ("/setup/restore", {}),
        ("/setup/update", {}),
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
HANDS = st.sampled_from(("2244", "3366", "6677", "7799"))
"""Four ranks whose suits never earn anything, whatever the starter: no flush, and no jack."""
RANKS = st.sampled_from("23456789")
LIGHTS = {"1": "night", "2": "dim", "3": "bright"}
MENU = "M"
"""`#` held, which opens the menu."""
A_HOLD = 1.2


TELLINGS = ("points", "hands", "cards")


def do_nothing() -> None:
    """The default action after an entry: none."""


def is_asked(telling: str, chosen: str) -> bool:
    """Return whether an entry of one level is asked for at another level."""
    return TELLINGS.index(telling) <= TELLINGS.index(chosen)


class Strangers(RuleBasedStateMachine):
    """One board with its own keys, opened to the network."""

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
        self.done: Callable[[], None] = do_nothing
        self.has_acted = True
        """Whether the last key of the entry has acted; it may still be down."""
        self.due = ""
        """The expected line that is entered by keys."""
        self.pegged = [0, 0]
        self.tickets: list[str] = []

    # The people at the board

    def begin(self, keys: str, done: Callable[[], None]) -> None:
        """Press the first key of an entry; `done` is called once its last key has acted."""
        self.entry = [(key, down) for key in keys for down in (True, False)]
        self.done, self.has_acted, self.due = done, False, ""
        self.edge()

    def edge(self) -> None:
        """Press or release the entry's next key."""
        name, down = self.entry.pop(0)
        key, seconds = ("#", A_HOLD) if name == MENU and down else (name.replace(MENU, "#"), 0.07)
        self.board._on_key(KeyEvent(key, down, self.board_time))
        self.bench.clock.run(seconds)
        ends = not self.entry if key in HOLDS else not any(press for _, press in self.entry)
        if ends and not self.has_acted:
            self.has_acted = True
            self.done()

    def said(self, line: str) -> Callable[[], None]:
        """Check that a line is the newest of those entered by keys, once the entry is finished."""
        seen = len(self.board.table.record.moves)

        def check() -> None:
            moves = self.board.table.record.moves
            new = [notation.spell(move) for move in moves[seen:]]
            assert any(one == line or one.startswith(f"{line} ") for one in new), (line, new)

        return check

    @precondition(lambda self: not self.entry)
    @rule(seat=st.sampled_from((1, 2)), points=POINTS)
    def enter_points(self, seat: int, points: int) -> None:
        check = self.said(f"{seat} peg {points}")

        def done() -> None:
            self.pegged[seat - 1] += points
            check()

        self.begin(f"{'AB'[seat - 1]}{points}#", done)

    @precondition(lambda self: not self.entry)
    @rule(light=st.sampled_from(tuple(LIGHTS)))
    def dim(self, light: str) -> None:
        def done() -> None:
            assert self.board.controller.lights.name == LIGHTS[light]

        self.begin(f"{MENU}5{light}", done)

    @precondition(lambda self: not self.entry)
    @rule(key=st.sampled_from("23"))
    def choose_what_is_entered(self, key: str) -> None:
        wanted = {"2": "hands", "3": "cards"}[key]

        def done() -> None:
            assert self.board.controller.telling == wanted

        self.begin(f"{MENU}1{key}", done)

    @precondition(lambda self: not self.entry)
    @rule(seat=st.sampled_from((1, 2)), score=st.integers(1, 60))
    def put_a_score_right(self, seat: int, score: int) -> None:
        def done() -> None:
            self.pegged[seat - 1] = score

        if self.pegged[seat - 1] != score:
            self.begin(f"{MENU}9{'AB'[seat - 1]}{score}#", done)

    @precondition(lambda self: not self.entry)
    @rule(ranks=HANDS, rank=RANKS)
    def do_what_is_due(self, ranks: str, rank: str) -> None:
        """Deal, turn the starter, play a card or count a hand: whatever the display asks for."""
        controller, position = self.board.controller, self.board.table.position
        asks = controller.prompt(position).asks
        wanted = [ask for ask in asks if is_asked(ask.telling, controller.telling)]
        if not wanted or position.over:
            return
        ask, owner = wanted[0], "AB"[(wanted[0].seat or 1) - 1]
        counted = " ".join(ranks)
        line, keys = {
            "dealer": ("dealer 2", "#2"),
            "deal": ("deal", "#"),
            "starter": (f"starter {rank}", f"#{rank}"),
            "play": (f"{ask.seat} play {rank}", rank),
            "go": (f"{ask.seat} go", "D"),
            "show": (f"{ask.seat} show {counted}", f"{owner}{ranks}#"),
            "crib": (f"{ask.seat} crib {counted}", f"{owner}{ranks}#"),
        }.get(ask.code, ("", ""))
        if not line or not self.is_legal(line):
            return
        check = self.said(line)

        def done() -> None:
            check()
            self.pegged = list(self.board.table.position.scores)  # the referee's points for it

        self.begin(keys, done)
        self.due = line

    def is_legal(self, line: str) -> bool:
        table = self.board.table
        try:
            table.record.try_out(table.parse(line))
        except IllegalMove:
            return False
        return True

    @precondition(lambda self: self.entry)
    @rule(edges=st.integers(1, 8), pause=st.sampled_from((0.03, 0.3, 3.0, 70.0)))
    def type(self, edges: int, pause: float) -> None:
        """Press or release the next keys."""
        for _ in range(min(edges, len(self.entry))):
            self.edge()
        if not self.entry or self.entry[0][1]:  # nobody holds a key this long
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
        """Use a ticket that nobody granted, or a guess."""
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

    @rule(seat=st.sampled_from((1, 2)), ranks=HANDS)
    def look_at_a_hand(self, seat: int, ranks: str) -> None:
        self.post("/preview", {"line": f"{seat} show {' '.join(ranks)}"}, self.stolen)

    @rule(seat=st.sampled_from((1, 2)), points=POINTS)
    def look_away(self, seat: int, points: int) -> None:
        self.post("/withdraw", {"line": f"{seat} peg {points}"}, self.stolen)

    @rule(command=COMMANDS)
    def command(self, command: tuple[str, str]) -> None:
        """Only somebody who sees that nobody is typing ends an evening. The level of entry belongs
        to the table, like its game, but is not changed while somebody types."""
        what, value = command
        if what == "telling" and self.entry and not self.board.controller.keypad_state.is_open:
            return  # a pressed first key would be refused as outdated, and pressed again
        if what != "goodnight" or not self.has_acted:
            self.post("/commands", {"what": what, "value": value}, self.stolen)

    @rule(key=st.sampled_from(KEYS), seconds=st.sampled_from((0.1, 1.2)), whole=st.booleans())
    def press(self, key: str, seconds: float, whole: bool) -> None:
        """Press the keys of a page, one of which may never be released. This happens only while
        somebody types, because at rest these keys are as good as the board's own."""
        if not self.board.controller.is_typing:
            return
        held = bool(self.entry) and not self.entry[0][1]
        self.board.press(key, True)
        self.bench.clock.run(0.01 if held else seconds)
        if whole:
            self.board.press(key, False)

    @rule(points=POINTS)
    def peg(self, points: int) -> None:
        """Play as an honest phone. Its points may be those of the hand or crib being typed, which
        the board then refuses."""
        line = {"line": f"2 peg {points}", "expect": self.board.table.number}
        if "number" in self.post("/lines", line, self.bench.cookie):
            self.pegged[1] += points
            if self.entry and self.due and not self.is_legal(self.due):
                self.done = do_nothing

    # The expectations

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
    """Suppress the logs of httpx."""
    caplog.set_level(logging.CRITICAL)


SIZE = settings(
    stateful_step_count=60,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
"""Draw from the run's own random generator: the same values in every normal run, new ones in a long
run."""


@pytest.mark.slow
def test_keys_are_never_stolen() -> None:
    run_state_machine_as_test(Strangers, settings=settings(SIZE, max_examples=25))


@pytest.mark.long
def test_keys_are_never_stolen_for_long() -> None:
    run_state_machine_as_test(Strangers, settings=settings(SIZE, max_examples=2000))
