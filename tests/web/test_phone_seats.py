"""Only a player's own phone shows that player's cards; another phone needs consent."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest
from playwright.sync_api import Page, expect

from boardctl.web import Options
from boardctl.web.pairing import COOKIE, Paired, hashed
from boardctl.web.phone_seats import FILE, LARGEST
from tests.tables import submit
from tests.web.conftest import Daemon, Visit
from tests.web.test_consent import OPENED, ORIGIN, Bench
from tests.web.test_pairing import paired

Cookie = Mapping[str, str]
__all__ = ["paired"]  # the fixture
BEGIN = ("game cribbage", "seat 1 Ann", "seat 2 Bob", "dealer 1", "deal")
SECRET = ("2 hand 5C 5S 4D KC JD 2S", "2 discard KC 2S")


class Phones(Bench):
    """A board with keys, and two paired phones."""

    made: ClassVar[list[Phones]] = []

    def __init__(self, folder: Path, options: Options = OPENED, keys: bool = True) -> None:
        super().__init__(folder, options, keys)
        self.made.append(self)
        self.live: set[str] = set()
        page = self.app.state.page
        page.seats._is_live = self.live.__contains__
        self.ann, self.bob = self.pair(), self.pair()

    def pair(self) -> Cookie:
        paired = self.pairing.answer(self.pairing.begin())
        assert isinstance(paired, Paired)
        return {"cookie": f"{COOKIE}={paired.token}"}

    def open(self, cookie: Cookie) -> None:
        """Open a page of a phone."""
        self.live.add(hashed(cookie["cookie"].partition("=")[2]))

    def say(self, *lines: str) -> None:
        for line in lines:
            submit(self.board.table, line, "page")

    def take(self, cookie: Cookie, seat: int, name: str) -> Any:
        return self.post("/seat", {"seat": seat, "name": name}, cookie)

    def state(self, cookie: Cookie, seat: int) -> httpx.Response:
        async def get() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, client=("127.0.0.1", 5))
            headers = {"origin": ORIGIN, **cookie}
            async with httpx.AsyncClient(
                transport=transport, base_url=ORIGIN, headers=headers
            ) as client:
                return await client.get(f"/state?seat={seat}")

        return asyncio.run(get())

    def viewer(self, cookie: Cookie, seat: int) -> int | None:
        seen: int | None = self.state(cookie, seat).json()["viewer"]
        return seen


@pytest.fixture(autouse=True)
def closed() -> Iterator[None]:
    """Close every board of a test."""
    yield
    while Phones.made:
        Phones.made.pop().board.close()


@pytest.fixture
def phones(tmp_path: Path) -> Phones:
    bench = Phones(tmp_path / "board")
    bench.say(*BEGIN)
    return bench


def test_a_phone_sees_no_cards_before_it_has_a_seat(phones: Phones) -> None:
    phones.say(*SECRET)
    for cookie in (phones.ann, phones.bob, {}):
        assert phones.viewer(cookie, 2) is None
        assert phones.state(cookie, 2).json()["held"] == []


def test_what_another_phone_gets_does_not_depend_on_the_cards(tmp_path: Path) -> None:
    told = []
    for place, hand in enumerate(("5C 5S 4D KC JD 2S", "AC AD AH 9C TD 3S")):
        bench = Phones(tmp_path / str(place))
        bench.say(*BEGIN)
        assert bench.take(bench.bob, 2, "Bob") == {"seat": 2}
        bench.open(bench.bob)
        cards = hand.split()
        bench.say(f"2 hand {hand}", f"2 discard {cards[3]} {cards[5]}")
        own = bench.state(bench.bob, 2).json()["held"]
        assert own == sorted(set(cards) - {cards[3], cards[5]}, key=own.index)
        refused = bench.take(bench.ann, 2, "Bob")["refused"]
        number = refused.get("number", "")
        said = refused["message"].replace(number, "NN")
        told.append((bench.state(bench.ann, 2).content, bench.state({}, 2).content, said))
    assert told[0] == told[1]


def test_the_first_phone_of_a_player_is_announced(phones: Phones) -> None:
    assert phones.take(phones.bob, 2, "Bob") == {"seat": 2}
    assert phones.board.controller.displayed_rows == ("A phone is now", "Bob’s")
    assert phones.viewer(phones.bob, 2) == 2
    assert phones.viewer(phones.bob, 1) is None
    phones.say(*SECRET)
    assert phones.state(phones.bob, 2).json()["held"] != []
    assert phones.take(phones.bob, 2, "Bob") == {"seat": 2}, "it has it already"


def test_the_phone_that_has_the_seat_allows_another(phones: Phones) -> None:
    phones.take(phones.bob, 2, "Bob")
    phones.open(phones.bob)
    refused = phones.take(phones.ann, 2, "Bob")["refused"]
    assert refused["code"] == "needs-phone-or-board"
    assert "Bob has another phone" in refused["message"]
    assert phones.viewer(phones.ann, 2) is None
    seats = phones.app.state.page.seats
    bob, ann = (hashed(one["cookie"].partition("=")[2]) for one in (phones.bob, phones.ann))
    (claim,) = seats.claims(bob)
    assert seats.claims(ann) == ()
    answer = {"claim": claim.identity, "allow": True}
    assert phones.post("/seat/allow", answer, phones.ann) == {"done": False}, "its own claim"
    assert phones.take(phones.ann, 2, "Bob")["refused"]["code"] == "needs-phone-or-board"
    assert phones.post("/seat/allow", answer, phones.bob) == {"done": True}
    assert phones.take(phones.ann, 2, "Bob") == {"seat": 2}
    assert phones.viewer(phones.ann, 2) == 2
    assert phones.viewer(phones.bob, 2) is None
    assert phones.post("/seat/allow", answer, phones.bob) == {"done": False}, "once"


def test_a_refused_phone_is_told_so(phones: Phones) -> None:
    phones.take(phones.bob, 2, "Bob")
    phones.open(phones.bob)
    phones.take(phones.ann, 2, "Bob")
    seats = phones.app.state.page.seats
    (claim,) = seats.claims(hashed(phones.bob["cookie"].partition("=")[2]))
    phones.post("/seat/allow", {"claim": claim.identity, "allow": False}, phones.bob)
    assert phones.take(phones.ann, 2, "Bob")["refused"]["code"] == "nobody-agreed"
    assert phones.viewer(phones.ann, 2) is None


@pytest.mark.parametrize("is_open", [False, True])
def test_the_boards_own_keys_allow_it_too(phones: Phones, is_open: bool) -> None:
    phones.take(phones.bob, 2, "Bob")
    if is_open:
        phones.open(phones.bob)
    refused = phones.take(phones.ann, 2, "Bob")["refused"]
    assert refused["code"] == ("needs-phone-or-board" if is_open else "needs-consent")
    shown = phones.allow(refused)
    assert "see cards?" in " ".join(shown)
    assert phones.take(phones.ann, 2, "Bob") == {"seat": 2}


def test_cards_that_are_secret_already_need_consent_without_a_phone(phones: Phones) -> None:
    phones.say(*SECRET)
    assert phones.take(phones.ann, 2, "Bob")["refused"]["code"] == "needs-consent"
    assert phones.take(phones.ann, 1, "Ann") == {"seat": 1}, "nothing of Ann's is secret"


def test_a_simulated_board_asks_only_the_other_phone(tmp_path: Path) -> None:
    bench = Phones(tmp_path / "board", keys=False)
    bench.say(*BEGIN, *SECRET)
    assert bench.take(bench.bob, 2, "Bob") == {"seat": 2}
    assert bench.take(bench.ann, 2, "Bob") == {"seat": 2}, "no page of the other is open"
    bench.open(bench.ann)
    assert bench.take(bench.bob, 2, "Bob")["refused"]["code"] == "needs-phone"


def test_a_seat_is_that_of_a_person(phones: Phones) -> None:
    phones.take(phones.bob, 2, "Bob")
    assert phones.take(phones.ann, 2, "Ann")["refused"]["code"] == "stale"
    phones.say("1 resign", "game cribbage", "seat 1 bob", "seat 2 Cid", "dealer 1", "deal")
    assert phones.viewer(phones.bob, 2) is None, "Cid sits there now"
    assert phones.viewer(phones.bob, 1) == 1
    body = {"game": "cribbage", "players": ["Bobby", "Cid"], "expect": phones.board.table.number}
    renamed = phones.post("/table", {**body, "rename": True}, phones.bob)
    assert "refused" not in renamed
    assert phones.viewer(phones.bob, 1) == 1, "a corrected name is the same person"


def test_it_is_remembered_and_released(phones: Phones, tmp_path: Path) -> None:
    phones.take(phones.bob, 2, "Bob")
    again = phones.app.state.page.seats.__class__(
        phones.board, phones.app.state.page.consent, lambda phone: False, lambda name: None
    )
    bob = hashed(phones.bob["cookie"].partition("=")[2])
    assert again.has(bob, 2)
    assert phones.take(phones.bob, 0, "") == {"seat": None}
    assert phones.viewer(phones.bob, 2) is None
    assert phones.take(phones.ann, 2, "Bob") == {"seat": 2}


@pytest.mark.parametrize("written", [b"", b"[]", b'{"a": [1]}', b"\xff", b"x" * (LARGEST + 1)])
def test_a_damaged_file_lets_every_phone_ask_again(tmp_path: Path, written: bytes) -> None:
    folder = tmp_path / "board"
    (folder / "data").mkdir(parents=True)
    (folder / "data" / FILE).write_bytes(written)
    bench = Phones(folder)
    bench.say(*BEGIN)
    assert bench.viewer(bench.bob, 2) is None
    assert bench.take(bench.bob, 2, "Bob") == {"seat": 2}


def test_forgotten_phones_lose_their_seats(phones: Phones) -> None:
    phones.take(phones.bob, 2, "Bob")
    phones.type("M82#")
    assert phones.state(phones.bob, 2).json()["viewer"] is None
    assert (
        phones.post("/seat", {"seat": 2, "name": "Bob"}, phones.bob)["error"]["code"]
        == "not-paired"
    )


def test_two_phones_in_the_browser(
    paired: tuple[Daemon, dict[str, str]], visit: Visit, tmp_path: Path
) -> None:
    """Bob's phone requests Ann's seat. Ann's page asks her, she allows it, and it no longer shows
    her cards."""
    daemon, ann_cookie = paired

    def asking(cookie: Cookie) -> httpx.Client:
        headers = {"origin": daemon.url}
        cookies = dict(cookie)
        return httpx.Client(base_url=daemon.url, headers=headers, cookies=cookies, trust_env=False)

    with asking(ann_cookie) as client, asking({}) as guest:
        invited = client.post("/phones", json={}).json()
        bob_cookie = dict(guest.post("/pair", json={"pin": invited["pin"]}).cookies)

    def phone(cookie: dict[str, str], seat: str) -> Page:
        page = visit.blank(390, 844)
        (value,) = cookie.values()
        page.context.add_cookies([{"name": COOKIE, "value": value, "url": daemon.url}])
        page.goto(daemon.url)
        page.evaluate(f"localStorage.setItem('boardctl.seat', '{seat}')")
        page.reload()
        page.wait_for_selector("body[data-link=open]")
        return page

    with asking(ann_cookie) as client:
        client.post("/commands", json={"what": "telling", "value": "cards"})
        for line in (*BEGIN, "1 hand 5H 6S 7D 8C JH QS"):
            number = client.get("/state").json()["number"]
            client.post("/lines", json={"line": line, "expect": number})
            if line == "deal":
                ann = phone(ann_cookie, "1")
                expect(ann.locator("#due h2")).to_have_text("Which cards do you hold?")
    expect(ann.locator("#due .target")).to_have_count(6)
    bob = phone(bob_cookie, "1")
    expect(bob.locator("#claim")).to_contain_text("Ann already has another phone")
    expect(bob.locator("#due .target")).to_have_count(0)
    ann.get_by_role("button", name="Allow it").click()
    expect(bob.locator("#due .target")).to_have_count(6)
    expect(bob.locator("#claim")).to_be_hidden()
    expect(ann.locator("#due .target")).to_have_count(0)
    expect(ann.locator("#whose")).to_contain_text("Whose phone is this?")
