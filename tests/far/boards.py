"""Two boards as people run them, and the actions of people."""

from __future__ import annotations

import json
import signal
import time
from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any

from jsonschema import Draft202012Validator
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from boardctl.features import installed
from boardctl.web import openapi
from boardctl.web.schema import ref
from tests.mqtt.broker import Mosquitto
from tests.mqtt.running import run
from tests.web.conftest import PATIENCE

NAMES = ("one", "two")
_FAR = Draft202012Validator(
    {**ref("Far"), "components": {"schemas": openapi.components(openapi.apis(installed()))}}
)


class Boards:
    """Two boards, and the actions of people at them."""

    def __init__(self, broker: Mosquitto, tmp_path: Path) -> None:
        self.broker, self._path = broker, tmp_path
        self.daemons = [run(broker, name, tmp_path / name) for name in NAMES]
        self.chance = Random(1)
        self.melds = False
        """Whether people declare melds."""

    def restart(self, board: int) -> None:
        """Cut the power of a board and start it again."""
        self.cut_power(board)
        self.start(board)

    def cut_power(self, board: int) -> None:
        self.daemons[board].end(signal.SIGKILL)

    def start(self, board: int) -> None:
        self.daemons[board] = run(self.broker, NAMES[board], self._path / NAMES[board])

    def far(self, board: int) -> dict[str, Any]:
        """Return a page's data about other houses, after checking it against the interface's
        document."""
        answer = self._get(board, "/far")
        errors = [f"{error.json_path}: {error.message}" for error in _FAR.iter_errors(answer)]
        assert not errors, errors
        return answer

    def state(self, board: int, seat: int = 0) -> dict[str, Any]:
        """Return the state on a seat's phone, by default the board's first player's."""
        return self._get(board, f"/state?seat={seat or board + 1}")

    def _get(self, board: int, path: str) -> dict[str, Any]:
        with self.daemons[board].client as client:
            answer: dict[str, Any] = client.get(path).raise_for_status().json()
            return answer

    def post(self, board: int, path: str, seat: int = 0, **body: object) -> dict[str, Any]:
        with self.daemons[board].client as client:
            at = f"{path}?seat={seat or board + 1}"
            answer: dict[str, Any] = client.post(at, json=body).json()
            return answer

    def submit(self, board: int, path: str, seat: int = 0, **body: object) -> dict[str, Any]:
        """Change the current table, even if the other house has just played."""
        return self.daemons[board].post(path, body, seat=str(seat or board + 1))

    def until_displayed(self, board: int, first: str) -> None:
        """Wait for lines on a board's display with these beginnings."""
        url = self.daemons[board].url
        with connect(f"{url.replace('http', 'ws')}/ws", origin=Origin(url), proxy=None) as socket:
            self._displayed(socket, first)

    def press(self, board: int, *keys: str) -> None:
        """Press keys on the page's keypad, each after the display has followed the previous one.
        `hold #` holds it until the menu is shown."""
        url = self.daemons[board].url
        with connect(f"{url.replace('http', 'ws')}/ws", origin=Origin(url), proxy=None) as socket:
            for key in keys:
                name = key.removeprefix("hold ")
                socket.send(json.dumps({"key": name, "down": True}))
                if name != key:
                    self._displayed(socket, "Menu")
                socket.send(json.dumps({"key": name, "down": False}))
                if name == key and key != keys[-1]:
                    self._displayed(socket)
            self.until(lambda: self._get(board, "/state"), "the board answers")

    def hold(self, board: int, key: str, what: Callable[[], object], why: str) -> None:
        """Hold a key of the page's keypad until something has followed."""
        url = self.daemons[board].url
        with connect(f"{url.replace('http', 'ws')}/ws", origin=Origin(url), proxy=None) as socket:
            socket.send(json.dumps({"key": key, "down": True}))
            self.until(what, why)
            socket.send(json.dumps({"key": key, "down": False}))

    def _displayed(self, socket: ClientConnection, first: str = "") -> None:
        """Wait for lines on the display with these beginnings."""
        while True:
            message = socket.recv(timeout=PATIENCE)
            shown = json.loads(message).get("display") if isinstance(message, str) else None
            if shown and shown[0].startswith(first):
                return

    def until(self, what: Callable[[], object], why: str) -> None:
        end = time.monotonic() + PATIENCE
        while not what():
            assert time.monotonic() < end, (why, self.far(0), self.far(1))
            time.sleep(0.02)

    def until_said(self, board: int, number: int) -> None:
        """Wait for a line after this one."""
        self.until(lambda: self.state(board)["number"] > number, "said")

    def until_phase(self, board: int, phase: str) -> None:
        self.until(lambda: self.state(board)["phase"] == phase, phase)

    def invite(self, partner: str = "", game: str = "cribbage", **options: str) -> dict[str, Any]:
        """Let Ann invite, with a partner to a game for four. Return the page's data."""
        who = {"name": "Ann", "partner": partner}
        return self.post(0, "/far/invite", 1, **who, game=game, options=options)

    def meet(self, partners: tuple[str, str] = ("", ""), **options: str) -> None:
        answer = self.invite(partners[0], **options)
        assert len(answer["words"]) == 6
        assert answer["link"].endswith("-".join(answer["words"]))
        self.post(1, "/far/accept", words=answer["link"], name="Bob", partner=partners[1])
        self.until(lambda: all(self.far(n)["game"] for n in (0, 1)), "they meet")

    def resign(self) -> None:
        """Let Ann request the end of the game as soon as nothing is being dealt."""
        self.until_asked(0, "1 resign")

    def until_asked(self, board: int, line: str) -> None:
        """Request the other house's consent as soon as nothing is being dealt."""

        def asked() -> bool:
            number = self.state(board)["number"]
            answer = self.post(board, "/lines", line=line, expect=number)
            return bool(answer.get("refused", answer.get("error", {})).get("code") == "far-asked")

        self.until(asked, "asked")

    def agree_to(self, board: int, line: str) -> None:
        """Request a line, to which the other house agrees."""
        number = self.state(board)["number"]
        self.until_asked(board, line)
        self.until(lambda: self.far(1 - board)["game"]["question"], "the question has come")
        question = self.far(1 - board)["game"]["question"]
        self.post(1 - board, "/far/answer", **question, yes=True)
        self.until_said(board, number)
        self.until_said(1 - board, number)

    def turn(self, short_of: str = "") -> bool | None:
        """Let the player whose turn it is enter one line, but none of that phase. Return whether
        there was one, or None once the game is over."""
        for board in (0, 1):
            game = self.far(board)["game"]
            if game is None or game["due"] != "ours":
                continue
            seat = game["turn"]
            if game["stand"]:
                if not self.melds or not self._meld(board, seat):
                    self.post(board, "/far/stand")
                return True
            state = self.state(board, seat)
            if state["phase"] == short_of:
                continue
            asks = [ask for ask in state["asks"] if ask["seat"] in (None, seat)]
            asks = [ask for ask in asks if ask["kind"] != "choice"]
            if not asks:
                continue
            ask = asks[0]
            line = ask["head"] if ask["kind"] == "confirm" else self._cards(ask)
            self.post(board, "/lines", seat, line=line, expect=state["number"])
            return True
        return None if all(self.far(board)["game"]["done"] for board in (0, 1)) else False

    def _meld(self, board: int, seat: int) -> bool:
        """Declare something before a card is drawn, if there is anything."""
        state = self.state(board, seat)
        choices = [choice for ask in state["asks"] for choice in ask.get("choices", ())]
        lines = [one["line"] for one in choices if one["line"].startswith(f"{seat} meld")]
        if not lines:
            return False
        self.post(board, "/lines", seat, line=lines[0], expect=state["number"])
        return True

    def _cards(self, ask: dict[str, Any]) -> str:
        cards = self.chance.sample(ask["cards"], ask["least"])
        return f"{ask['head']} {' '.join(cards)}"

    def play(self, turns: int = 10_000) -> None:
        """Play this many lines, or the remaining ones. The time limit applies to each single line,
        however slow the machine is."""
        end = time.monotonic() + PATIENCE
        while turns > 0 and (said := self.turn()) is not None:
            if said:
                turns -= 1
                end = time.monotonic() + PATIENCE
            assert time.monotonic() < end, (self.far(0), self.far(1))
            time.sleep(0.02)

    def play_to(self, phase: str) -> None:
        """Play until both boards are at the beginning of this phase. One of them may arrive
        first."""

        def both() -> bool:
            self.turn(short_of=phase)
            return all(self.state(board)["phase"] == phase for board in (0, 1))

        self.until(both, phase)

    def end(self) -> None:
        """End both boards, which may have reported the broker's absence."""
        ends = [daemon.end() for daemon in self.daemons if daemon.process.poll() is None]
        lines = [line for one in ends for line in one.splitlines()]
        unexpected = [line for line in lines if not line.startswith("no broker: ")]
        assert not unexpected, unexpected
