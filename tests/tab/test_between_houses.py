"""A house without a board: a tab plays with a real board, and with another tab, over Mosquitto.

The tab with a real board is a visitor's: a page at `https://` and a broker at `wss://`, each with
its own name and certificate, in a Chromium that trusts these keys and no others.
"""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from hashlib import sha256
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest
from click.testing import CliRunner
from playwright.sync_api import Browser, expect

from boardctl.commands import main
from boardctl.far import invitation_words
from boardctl.mqtt.mosquitto import call, certificate
from tests.mqtt.broker import Mosquitto
from tests.parts import need
from tests.tab.conftest import PATIENCE, Site, Tab
from tests.web.conftest import ARGUMENTS, CHROMIUM, Daemon, Visit, start

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


NAMES: Final = ("tab.example", "broker.example")
"""The names of the site and the broker, which this Chromium finds on this machine."""


def key(certificate: Path) -> str:
    """Return the hash of a certificate's public key (Chromium, `spki_hash_set.h`)."""
    public = call("openssl", "x509", "-in", str(certificate / "server.crt"), "-noout", "-pubkey")
    (certificate / "public.pem").write_text(public)
    written = ("-in", str(certificate / "public.pem"), "-out", str(certificate / "public.der"))
    call("openssl", "pkey", "-pubin", "-outform", "der", *written)
    return base64.b64encode(sha256((certificate / "public.der").read_bytes()).digest()).decode()


@pytest.fixture
def certified(folder: Path, tmp_path: Path) -> Iterator[Site]:
    """The tab at `https://`."""
    directory = tmp_path / "site"
    directory.mkdir()
    certificate(directory, NAMES[0])
    site = Site(folder, directory, NAMES[0])
    yield site
    site.end()


@pytest.fixture
def encrypted(tmp_path: Path) -> Iterator[Mosquitto]:
    """A broker that browsers reach with TLS."""
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", ["one", "guest"], websocket=True, name=NAMES[1])
    broker.start()
    yield broker
    broker.kill()


@pytest.fixture
def stranger(
    chromium: Browser, visit: Visit, certified: Site, encrypted: Mosquitto, tmp_path: Path
) -> Iterator[Callable[[bool], Tab]]:
    """Open a blank tab in a Chromium that trusts the site and, if asked, the broker."""
    browsers: list[Browser] = []

    def stranger(trusts_broker: bool) -> Tab:
        trusted = [key(tmp_path / "site")]
        trusted += [key(encrypted.directory)] if trusts_broker else []
        arguments = (
            *(*ARGUMENTS, "--host-resolver-rules=MAP *.example 127.0.0.1"),
            f"--ignore-certificate-errors-spki-list={','.join(trusted)}",
        )
        browsers.append(chromium.browser_type.launch(executable_path=CHROMIUM, args=arguments))
        its = Visit(browsers[-1])
        its.complaints = visit.complaints
        return Tab(its.blank())

    yield stranger
    for browser in browsers:
        browser.close()


@pytest.fixture
def broker(tmp_path: Path) -> Iterator[Mosquitto]:
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", ["one", "guest"], websocket=True)
    broker.start()
    yield broker
    broker.kill()


def a_board(data: Path, broker: Mosquitto, tab: str, websocket: str) -> Daemon:
    """Start a real board that reaches the broker with TLS."""
    data.mkdir()
    config = data / "config.toml"
    far = f'[far]\nhost = "localhost"\nport = {broker.port}\nca = "{broker.directory}/server.crt"\n'
    far += f'user = "one"\npassword_file = "{broker.directory}/one.password"\n'
    config.write_text(f'{far}tab = "{tab}"\nwebsocket = "{websocket}"\n', "utf-8")
    return start(data, "--config", str(config))


def accept(tab: Tab) -> None:
    """Enter a name in the sheet of an opened invitation, and accept it."""
    sheet = tab.page.frame_locator("#page").locator("dialog[open]")
    sheet.get_by_role("textbox", name="Your name").last.fill("Bob")
    sheet.get_by_role("button", name="Accept", exact=True).click()


def test_a_tab_plays_with_a_board_of_another_house(
    encrypted: Mosquitto, certified: Site, stranger: Callable[[bool], Tab], tmp_path: Path
) -> None:
    """From the link that the board shows to the end of a game with sealed deals, and across a
    reload of the tab."""
    data = tmp_path / "board"
    daemon = a_board(data, encrypted, certified.url, encrypted.websocket("guest"))
    board = of_daemon(daemon)
    invited = board.post("far/invite", **INVITATION)
    assert invited["tab_link"].startswith(f"{certified.url}#far=")
    assert "wss%3A%2F%2F" in invited["tab_link"]

    tab = stranger(True).open(invited["tab_link"])
    accept(tab)
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


def test_a_broker_with_a_wrong_certificate_is_named(
    encrypted: Mosquitto, certified: Site, stranger: Callable[[bool], Tab], visit: Visit
) -> None:
    visit.forgiven.append("net::ERR_CERT_AUTHORITY_INVALID")
    spelled = invitation_words.spell(7)
    websocket = encrypted.websocket("guest")
    tab = stranger(False).open(invitation_words.link(certified.url, spelled, websocket))
    accept(tab)
    sheet = tab.page.frame_locator("#page").locator("dialog[open]")
    expect(sheet).to_contain_text(
        "cannot reach the broker broker.example, or does not trust its certificate"
    )
    place = websocket.rpartition("@")[2]
    expect(sheet).to_contain_text(f"open https://{place}/mqtt in a new tab")


def test_a_refused_password_is_named(
    encrypted: Mosquitto, certified: Site, stranger: Callable[[bool], Tab]
) -> None:
    spelled = invitation_words.spell(7)
    password = encrypted.joined["guest"].password
    websocket = encrypted.websocket("guest").replace(password, "another")
    tab = stranger(True).open(invitation_words.link(certified.url, spelled, websocket))
    accept(tab)
    sheet = tab.page.frame_locator("#page").locator("dialog[open]")
    expect(sheet).to_contain_text("broker.example refuses the user or password")


_REFUSED: Final = """url => new Promise((yes) => {
  addEventListener('securitypolicyviolation', (event) => yes(event.effectiveDirective));
  try {
    new WebSocket(url);
  } catch (error) {
    yes(error.name);
  }
})"""


def test_a_page_with_encryption_takes_no_broker_without(
    encrypted: Mosquitto, certified: Site, stranger: Callable[[bool], Tab], visit: Visit
) -> None:
    """Neither from a link nor in the set-up. The browser, too, refuses such a broker to the board's
    worker, and every broker to the page."""
    visit.forgiven += ["Content Security Policy", "Mixed Content"]
    spelled = invitation_words.spell(7)
    plain = encrypted.websocket("guest").replace("wss:", "ws:")
    tab = stranger(True).open(invitation_words.link(certified.url, spelled, plain))
    accept(tab)
    frame = tab.page.frame_locator("#page")
    said = "Browsers reach a broker only with encryption"
    expect(frame.locator("dialog[open]")).to_contain_text(said)
    assert json.loads(tab.get("far"))["accepting"] is False
    tab.frame.evaluate("location.assign('setup.html')")
    frame.locator("#broker").fill(plain)
    frame.get_by_role("button", name="Use this broker").click()
    expect(frame.locator("#reached")).to_contain_text(said)

    tab.installed()
    tab.page.goto(certified.url)
    tab.live()  # with the policies of the service worker
    (worker,) = (one for one in tab.page.workers if one.url.endswith("/board.js"))
    assert worker.evaluate(_REFUSED, plain) in ("SecurityError", "connect-src")
    assert tab.page.main_frame.evaluate(_REFUSED, encrypted.websocket("guest")) == "connect-src"


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
