"""A house without a board: a tab plays with a real board, and with another tab, over Mosquitto."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from click.testing import CliRunner
from playwright.sync_api import expect

from boardctl.commands import main
from tests.mqtt.broker import Mosquitto
from tests.tab.conftest import PATIENCE, Site, Tab
from tests.web.conftest import Daemon, Visit, start

pytestmark = pytest.mark.slow


INVITATION: Final = {"name": "Ann", "partner": "", "game": "cribbage", "options": {"target": "31"}}


class House:
    """A board, real or in a tab, by its page's requests."""

    def __init__(self, get: Callable[[str], Any], post: Callable[[str, Any], Any]) -> None:
        self._get, self._post = get, post
        self._chance = Random(1)

    def far(self) -> dict[str, Any]:
        answer: dict[str, Any] = self._get("far")
        return answer

    def state(self, seat: int) -> dict[str, Any]:
        answer: dict[str, Any] = self._get(f"state?seat={seat}")
        return answer

    def post(self, path: str, **body: object) -> dict[str, Any]:
        answer: dict[str, Any] = self._post(path, body)
        return answer

    def turn(self) -> bool | None:
        """Say one line if this house is due; None once the game is over."""
        game = self.far()["game"]
        if game is None or game["done"]:
            return None
        if game["due"] != "ours":
            return False
        if game["stand"]:
            self.post("far/stand")
            return True
        seat = game["turn"]
        state = self.state(seat)
        asks = [ask for ask in state["asks"] if ask["seat"] in (None, seat)]
        for ask in asks:
            if ask["kind"] == "choice":
                continue
            line = ask["head"]
            if ask["kind"] != "confirm":
                line += f" {' '.join(self._chance.sample(ask['cards'], ask['least']))}"
            self.post(f"lines?seat={seat}", line=line, expect=state["number"])
            return True
        return False


def of_tab(tab: Tab) -> House:
    def get(path: str) -> Any:
        return json.loads(tab.get(path))

    def post(path: str, body: Any) -> Any:
        return json.loads(tab.post(path, body))

    return House(get, post)


def of_daemon(daemon: Daemon) -> House:
    def get(path: str) -> Any:
        with daemon.client as client:
            return client.get(f"/{path}").raise_for_status().json()

    def post(path: str, body: Any) -> Any:
        with daemon.client as client:
            return client.post(f"/{path}", json=body).json()

    return House(get, post)


def until(what: Callable[[], Any], why: str) -> Any:
    end = time.monotonic() + PATIENCE
    while not (found := what()):
        assert time.monotonic() < end, why
        time.sleep(0.05)
    return found


def play(houses: list[House]) -> None:
    """Play until both say that the game is over."""

    def over() -> bool:
        said = [house.turn() for house in houses]
        return said == [None] * len(houses)

    until(over, "the game ends")


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    broker = Mosquitto(tmp_path / "broker", ["one", "guest"], websocket=True)
    broker.start()
    yield broker
    broker.kill()


def test_a_tab_plays_with_a_board_of_another_house(
    broker: Mosquitto, site: Site, visit: Visit, tmp_path: Path
) -> None:
    """From the link that the board shows to the end of a game with sealed deals, and across a
    reload of the tab."""
    data = tmp_path / "board"
    data.mkdir()
    config = data / "config.toml"
    far = f'[far]\nhost = "localhost"\nport = {broker.port}\nca = "{broker.directory}/server.crt"\n'
    far += f'user = "one"\npassword_file = "{broker.directory}/one.password"\n'
    far += f'tab = "{site.url}"\nwebsocket = "{broker.websocket("guest")}"\n'
    config.write_text(far, "utf-8")
    daemon = start(data, "--config", str(config))
    board = of_daemon(daemon)
    invited = board.post("far/invite", **INVITATION)
    assert invited["tab_link"].startswith(f"{site.url}#far=")

    tab = Tab(visit.blank())
    tab.open(invited["tab_link"])
    frame = tab.page.frame_locator("#page")
    sheet = frame.locator("dialog[open]")
    sheet.get_by_role("textbox", name="Your name").last.fill("Bob")
    sheet.get_by_role("button", name="Accept", exact=True).click()
    guest = of_tab(tab)
    until(lambda: guest.far()["game"] and board.far()["game"], "they meet")

    def said() -> int:
        number: int = board.state(1)["number"]
        return number

    while said() < 12:
        guest.turn()
        board.turn()
    tab.reload()
    guest = of_tab(tab)
    play([board, guest])
    states = [board.state(1), guest.state(2)]
    assert [state["seats"] for state in states] == [["Ann", "Bob"]] * 2
    assert all(state["over"] for state in states)
    scores = [[side["score"] for side in state["sides"]] for state in states]
    assert scores[0] == scores[1]
    (transcript,) = data.glob("far-*.jsonl")
    checked = CliRunner().invoke(main, ["sealed", "verify", "--far", str(transcript)])
    assert checked.exit_code == 0, checked.output
    daemon.end()


def test_two_tabs_play_each_other(broker: Mosquitto, site: Site, visit: Visit) -> None:
    """One enters its broker in the set-up and invites; the other opens the link."""
    first = Tab(visit.blank()).open(site.url)
    assert json.loads(first.post("far/invite", INVITATION))["refused"]["code"] == "far-tab-broker"
    first.frame.evaluate("location.assign('setup.html')")
    setup = first.page.frame_locator("#page")
    setup.locator("#broker").fill(broker.websocket("one"))
    setup.get_by_role("button", name="Use this broker").click()
    expect(setup.locator("#reached")).to_have_text("Other houses are reached over 127.0.0.1.")
    setup.locator("#back").click()
    first.live()
    link = json.loads(first.post("far/invite", INVITATION))["link"]
    assert link.startswith(f"{site.url}#far=")

    second = Tab(visit.blank()).open(site.url)
    answer = second.post("far/accept", {"words": link, "name": "Bob", "partner": ""})
    assert json.loads(answer)["accepting"]
    houses = [of_tab(first), of_tab(second)]
    until(lambda: all(house.far()["game"] for house in houses), "they meet")
    play(houses)
    states = [house.state(seat) for seat, house in enumerate(houses, 1)]
    assert all(state["over"] for state in states)
    assert states[0]["sides"] == states[1]["sides"]
