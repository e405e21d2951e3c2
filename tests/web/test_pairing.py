"""A phone can only watch until it is paired with the PIN that the board shows."""

from __future__ import annotations

import json
import re
import stat
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest
from playwright.sync_api import expect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect
from websockets.typing import Origin

from boardctl.table import JUMP
from boardctl.web import Options, is_loopback
from boardctl.web.pairing import (
    ADDRESSES,
    LASTS,
    MOST,
    PAUSE,
    SHOWN,
    TICKETS,
    TRIES,
    WRONG,
    Clock,
    Paired,
    Pairing,
    hashed,
    network,
)
from tests.web.conftest import TALL, Daemon, Visit

OPEN = '[page]\nhost = "0.0.0.0"\n'


class Time:
    def __init__(self) -> None:
        self.now = 1_000_000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def time() -> Time:
    return Time()


@pytest.fixture
def pairing(tmp_path: Path, time: Time) -> Pairing:
    digits = iter(range(7, 10_000))
    return Pairing(tmp_path / "phones.json", time, lambda: next(digits), time)


def test_the_pin_pairs_one_phone_once(pairing: Pairing) -> None:
    assert pairing.answer("000007") == "wrong-pin"
    assert pairing.begin() == "000007"
    paired = pairing.answer("000007")
    assert isinstance(paired, Paired)
    assert pairing.knows(paired.token)
    assert not pairing.knows(paired.token + "x")
    assert not pairing.knows(None)
    assert not pairing.is_shown
    assert pairing.answer("000007") == "wrong-pin"
    assert pairing.answer("") == "wrong-pin"
    assert not pairing.knows("\ud800"), "a cookie is any text"


def test_five_wrong_pins_and_then_a_pause_for_that_address(pairing: Pairing, time: Time) -> None:
    """Guessing is delayed; the PIN still works for others."""
    pairing.begin()
    wrong = [pairing.answer("999999", "10.0.0.66") for _ in range(TRIES)]
    assert wrong == ["wrong-pin"] * 4 + ["pause"]
    assert pairing.answer("000007", "10.0.0.66") == "pause"
    assert isinstance(pairing.answer("000007", "10.0.0.5"), Paired)
    time.now += PAUSE
    assert [pairing.answer("999999", "10.0.0.66") for _ in range(TRIES)] == wrong


def test_a_board_that_has_just_started_gives_everyone_all_tries(tmp_path: Path, time: Time) -> None:
    steady = Time()
    steady.now = 1.0
    pairing = Pairing(tmp_path / "phones.json", time, lambda: 7, steady)
    wrong = [pairing.answer("999999", "10.0.0.66") for _ in range(TRIES)]
    assert wrong == ["wrong-pin"] * (TRIES - 1) + ["pause"]


def test_a_pairing_forgives_the_tries_before_it(pairing: Pairing) -> None:
    for _ in range(2):
        pin = pairing.begin()
        for _ in range(TRIES - 1):
            assert pairing.answer("999999", "10.0.0.5") == "wrong-pin"
        assert isinstance(pairing.answer(pin, "10.0.0.5"), Paired)


@pytest.mark.parametrize(("others", "answer"), [(ADDRESSES - 1, "pause"), (ADDRESSES, "wrong-pin")])
def test_the_address_that_tried_longest_ago_is_forgotten(
    others: int, answer: str, pairing: Pairing
) -> None:
    for _ in range(TRIES):
        pairing.answer("999999", "10.0.0.66")
    for number in range(others):
        pairing.answer("999999", f"10.1.{number}.1")
    assert pairing.answer("999999", "10.0.0.66") == answer


def test_a_pin_ends_at_its_hundredth_wrong_try(pairing: Pairing) -> None:
    for _ in range(2):
        pairing.begin()
        for number in range(WRONG - 1):
            pairing.answer("999999", f"10.0.{number}.1")
        assert pairing.is_shown
        pairing.begin()
        for number in range(WRONG - 1):
            pairing.answer("999999", f"10.1.{number}.1")
        assert pairing.is_shown, "a new PIN begins a new count"
        pairing.answer("999999", "10.2.0.1")
        assert not pairing.is_shown


def test_a_household_is_counted_by_its_network() -> None:
    assert network("2001:db8:1:2:3:4:5:6") == "2001:db8:1:2::"
    assert network("10.0.0.66") == "10.0.0.66"
    assert network("a socket") == "a socket"
    assert network("::ffff:10.0.0.66") == "10.0.0.66"


@pytest.mark.parametrize(
    ("host", "is_own"),
    [
        ("127.0.0.1", True), ("::1", True), ("::ffff:127.0.0.1", True), ("localhost", True),
        ("10.0.0.66", False), ("::ffff:10.0.0.66", False), ("::", False), ("a socket", False),
    ],
)  # fmt: skip
def test_this_machine_is_known_by_any_of_its_addresses(host: str, is_own: bool) -> None:
    assert is_loopback(host) == is_own


def test_no_answer_says_whether_a_pin_is_shown(pairing: Pairing) -> None:
    without = [pairing.answer("999999", "10.0.0.66") for _ in range(TRIES + 1)]
    pairing.begin()
    assert [pairing.answer("999999", "10.0.0.67") for _ in range(TRIES + 1)] == without


def test_a_phone_that_another_invites_is_paired_no_longer_than_that_one(
    pairing: Pairing, time: Time
) -> None:
    first = pairing.answer(pairing.begin())
    assert isinstance(first, Paired)
    time.now += LASTS - 60
    second = pairing.answer(pairing.invite(first.token, granted=True))
    assert isinstance(second, Paired)
    assert second.lasts == 60
    time.now += 60
    assert not pairing.knows(second.token)


def test_a_ticket_pairs_one_phone_once_it_is_granted(pairing: Pairing, time: Time) -> None:
    ticket = pairing.ticket()
    for _ in range(2 * TRIES):
        assert pairing.answer(ticket) == "not-granted"
    assert pairing.answer("000007") == "wrong-pin", "asking is not guessing"
    pairing.grant(ticket)
    assert isinstance(pairing.answer(ticket), Paired)
    assert pairing.answer(ticket) == "wrong-pin"
    late = pairing.ticket()
    pairing.grant(late)
    time.now += SHOWN
    assert pairing.answer(late) == "wrong-pin"


def test_a_ticket_is_not_typed_and_no_guess_ends_it(pairing: Pairing) -> None:
    ticket = pairing.ticket(granted=True)
    for number in range(WRONG):
        pairing.answer("999999", f"10.0.{number}.1")
    for _ in range(TRIES):
        pairing.answer("999999", "10.0.0.66")
    assert isinstance(pairing.answer(ticket, "10.0.0.66"), Paired)


def test_secrets_are_long_enough_that_nobody_guesses_them(pairing: Pairing) -> None:
    """128 bits for minutes, 256 for a month, as base64."""
    paired = pairing.answer(pairing.ticket(granted=True))
    assert isinstance(paired, Paired)
    assert (len(pairing.ticket()), len(paired.token)) == (22, 43)


def test_this_machines_own_page_invites_for_the_whole_time(pairing: Pairing) -> None:
    """It needs no pairing, so there is none that could end earlier."""
    paired = pairing.answer(pairing.invite("", granted=True))
    assert isinstance(paired, Paired)
    assert paired.lasts == LASTS


def test_six_digits_of_an_invitation_are_no_easier_to_guess_than_a_pin(pairing: Pairing) -> None:
    first = pairing.answer(pairing.begin())
    assert isinstance(first, Paired)
    invited = pairing.invite(first.token, granted=True)
    for _ in range(TRIES):
        pairing.answer("999999", "10.0.0.66")
    assert pairing.answer(invited, "10.0.0.66") == "pause"
    for number in range(WRONG):
        pairing.answer("999999", f"10.0.{number}.1")
    assert pairing.answer(invited, "10.0.0.5") == "wrong-pin"


def test_an_invitation_ends_at_each_hundredth_wrong_try(pairing: Pairing) -> None:
    """Nobody has to request a PIN in between."""
    first = pairing.answer(pairing.ticket(granted=True))
    assert isinstance(first, Paired)
    for house in range(2):
        kept, lost = (pairing.invite(first.token, granted=True) for _ in range(2))
        for number in range(WRONG - 1):
            assert pairing.answer("999999", f"10.{house}.{number}.1") == "wrong-pin"
        assert isinstance(pairing.answer(kept, "10.9.0.1"), Paired)
        pairing.answer("999999", "10.9.0.2")
        assert pairing.answer(lost, "10.9.0.3") == "wrong-pin"
        for number in range(WRONG - 1):
            pairing.answer("999999", f"10.{house + 5}.{number}.1")


def test_tickets_are_counted(pairing: Pairing) -> None:
    first = pairing.ticket(granted=True)
    last = [pairing.ticket(granted=True) for _ in range(TICKETS)]
    assert pairing.answer(first) == "wrong-pin"
    assert isinstance(pairing.answer(last[0]), Paired)


def test_many_addresses_end_a_pin_and_one_household_of_ipv6_is_one(pairing: Pairing) -> None:
    pairing.begin()
    for number in range(TRIES):
        pairing.answer("999999", f"2001:db8:0:1:{number:x}000:{number:x}::{number:x}")
    assert pairing.answer("000007", "2001:db8:0:1:ffff:ffff:ffff:ffff") == "pause"
    assert pairing.answer("999999", "2001:db8:0:2::1") == "wrong-pin", "the next household"
    for number in range(WRONG):
        pairing.answer("999999", f"10.0.{number}.1")
    assert not pairing.is_shown


def test_a_clock_tells_how_far_it_was_set_ahead() -> None:
    wall, steady = Time(), Time()
    clock = Clock(wall, steady)
    clock.go_on(500.0, wall.now)
    assert (clock.time(), clock.take_jump()) == (500.0, 0.0)
    for passed, ahead, jumped in ((5, 0, 0), (5, JUMP - 1, 0), (5, JUMP, JUMP), (0, 10, 0)):
        steady.now += passed
        wall.now += passed + ahead
        before = clock.time()
        assert clock.take_jump() == jumped
        assert clock.time() == before
    assert clock.time() == 500.0 + 15 + 2 * JUMP + 9
    for _ in range(2):
        wall.now += JUMP
        clock.time()
    assert clock.take_jump() == 2 * JUMP


def test_a_clock_that_is_set_back_or_ahead(tmp_path: Path, time: Time) -> None:
    """A pause lasts a minute and a token a month, whatever the clock is set to."""
    steady = Time()
    pairing = Pairing(tmp_path / "phones.json", time, lambda: 7, steady)
    paired = pairing.answer(pairing.begin())
    assert isinstance(paired, Paired)
    for _ in range(TRIES):
        pairing.answer("999999")
    time.now -= 7 * 86400
    steady.now += PAUSE
    assert pairing.answer("999999") == "wrong-pin", "a clock set back a week pauses no week"
    again = Pairing(tmp_path / "phones.json", time, lambda: 7, steady)
    assert again.knows(paired.token)
    time.now += LASTS - 86400
    assert again.knows(paired.token)
    time.now += 86400
    assert not again.knows(paired.token), "and makes no token last longer"


def test_a_phone_that_was_paired_before_the_clock_was_set_stays_paired(
    tmp_path: Path, time: Time
) -> None:
    """A board without a battery clock learns the time when the network comes, possibly in the
    middle of a game. After that, every phone could only watch."""
    steady = Time()
    before = Pairing(tmp_path / "phones.json", time, lambda: 6, steady)
    old = before.answer(before.begin())
    digits = iter(range(7, 10_000))
    pairing = Pairing(tmp_path / "phones.json", time, lambda: next(digits), steady)
    first = pairing.answer(pairing.begin())
    assert isinstance(old, Paired)
    assert isinstance(first, Paired)
    invited = pairing.invite(first.token, granted=True)
    time.now += 50 * 365 * 86400
    second = pairing.answer(invited)
    assert isinstance(second, Paired)
    assert not pairing.knows(old.token), "the board may have been switched off for so long"
    for again in (pairing, Pairing(tmp_path / "phones.json", time, lambda: 7, steady)):
        assert again.knows(first.token)
        assert again.knows(second.token)
        assert again.phones == 2
    for clock in (time, steady):
        clock.now += LASTS - 1
    assert pairing.knows(first.token)
    for clock in (time, steady):
        clock.now += 1
    assert not pairing.knows(first.token)
    assert not pairing.knows(second.token)


def test_a_clock_set_ahead_moves_new_phones_and_their_guests_alone(
    tmp_path: Path, time: Time, monkeypatch: pytest.MonkeyPatch
) -> None:
    steady = Time()
    before = Pairing(tmp_path / "phones.json", time, lambda: 6, steady)
    old = before.answer(before.begin())
    assert isinstance(old, Paired)
    digits = iter(range(7, 10_000))
    pairing = Pairing(tmp_path / "phones.json", time, lambda: next(digits), steady)
    new = pairing.answer(pairing.begin())
    assert isinstance(new, Paired)
    guests = [pairing.answer(pairing.invite(host.token, granted=True)) for host in (old, new)]
    phones = [one.token for one in (old, new, *guests) if isinstance(one, Paired)]
    time.now += LASTS / 2
    assert [pairing.knows(phone) for phone in phones] == [True] * 4
    time.now += LASTS / 2
    assert [pairing.knows(phone) for phone in phones] == [False, True, False, True]
    written: list[object] = []
    monkeypatch.setattr("boardctl.web.pairing.files.replace", lambda *what: written.append(what))
    assert pairing.knows(new.token)
    assert not written, "to look a phone up writes nothing"


def test_a_pin_is_not_shown_for_ever(pairing: Pairing, time: Time) -> None:
    pairing.begin()
    seen = [pairing.is_shown]
    time.now += SHOWN
    seen.append(pairing.is_shown)
    assert seen == [True, False]
    assert pairing.answer("000007") == "wrong-pin"


def test_tokens_expire_and_are_revoked(pairing: Pairing, time: Time, tmp_path: Path) -> None:
    tokens = []
    for _ in range(2):
        paired = pairing.answer(pairing.begin())
        assert isinstance(paired, Paired)
        tokens.append(paired.token)
        time.now += 100
    again = Pairing(tmp_path / "phones.json", time)
    assert again.phones == 2
    assert again.knows(tokens[0])
    time.now += LASTS - 200
    assert not again.knows(tokens[0]), "expired"
    assert again.knows(tokens[1])
    again.forget()
    assert not again.knows(tokens[1])
    assert Pairing(tmp_path / "phones.json", time).phones == 0


def test_a_disk_that_cannot_be_written(
    pairing: Pairing,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    time: Time,
    caplog: pytest.LogCaptureFixture,
) -> None:
    """Such a phone is paired until the next start. Forgotten phones stay forgotten: on a full disk
    the file is removed, and if nothing can be changed, the board says so."""
    first = pairing.answer(pairing.begin())
    assert isinstance(first, Paired)

    def full(*args: object) -> None:
        raise OSError("no space left on device")

    monkeypatch.setattr("boardctl.web.pairing.files.replace", full)
    second = pairing.answer(pairing.begin())
    assert isinstance(second, Paired)
    assert pairing.knows(second.token)
    again = Pairing(tmp_path / "phones.json", time)
    assert (again.knows(first.token), again.knows(second.token)) == (True, False)
    assert pairing.forget()
    assert pairing.phones == Pairing(tmp_path / "phones.json", time).phones == 0
    monkeypatch.setattr("boardctl.web.pairing.files.remove", full)
    assert not again.forget()
    assert again.phones == 0
    unwritten = "The paired phones cannot be written: no space left on device"
    forever = "The paired phones cannot be forgotten for good: no space left on device"
    assert caplog.messages == [unwritten, unwritten, unwritten, forever]


def test_forgotten_phones_are_written_so_and_take_the_pin_along(
    pairing: Pairing, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, time: Time
) -> None:
    def unused(path: Path) -> None:
        raise AssertionError(path)

    monkeypatch.setattr("boardctl.web.pairing.files.remove", unused)
    pairing.answer(pairing.begin())
    ticket = pairing.ticket(granted=True)
    pairing.begin()
    assert pairing.forget()
    assert not pairing.is_shown
    assert pairing.answer("") == pairing.answer(ticket) == "wrong-pin"
    assert Pairing(tmp_path / "phones.json", time).phones == 0


def test_only_hashes_are_kept_and_only_for_us(pairing: Pairing, tmp_path: Path) -> None:
    paired = pairing.answer(pairing.begin())
    assert isinstance(paired, Paired)
    file = tmp_path / "phones.json"
    assert paired.token not in file.read_text()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.parametrize(
    "text",
    [
        *("", "{", "[]", '{"x": "y"}', '{"x": null}', "[" * 100_000),
        *('{"x": 1e999}', '{"at": 1e999}', '{"x": NaN}', f'{{"x": {10**400}}}', '{"x": true}'),
    ],
)
def test_a_damaged_file_pairs_nobody(
    text: str, tmp_path: Path, time: Time, caplog: pytest.LogCaptureFixture
) -> None:
    file = tmp_path / "phones.json"
    file.write_text(text)
    pairing = Pairing(file, time)
    (said,) = caplog.messages
    assert said.startswith(f"{file} cannot be read, all phones must pair again: ")
    assert not said.endswith("None")
    if text in ('{"x": "y"}', '{"x": null}', '{"x": true}'):
        assert said.endswith(": a value is no time")
    assert pairing.phones == 0
    paired = pairing.answer(pairing.begin())
    assert isinstance(paired, Paired)
    assert pairing.knows(paired.token), "and the board pairs others"


@pytest.mark.parametrize(
    ("seconds", "is_read"), [(-1, False), (0, True), (0.5, True), (1e12 - 1, True), (1e12, False)]
)
def test_the_times_of_a_file_are_those_of_a_clock(
    seconds: float, is_read: bool, tmp_path: Path, time: Time
) -> None:
    """A file of an earlier version has no wall clock beside its own time."""
    file = tmp_path / "phones.json"
    file.write_text(json.dumps({"at": time.now, "old": seconds, hashed("token"): time.now + 9}))
    assert Pairing(file, time).knows("token") == is_read


@pytest.mark.parametrize("kind", ["directory", "loop"])
def test_a_file_that_cannot_be_read_pairs_nobody(kind: str, tmp_path: Path, time: Time) -> None:
    file = tmp_path / "phones.json"
    file.mkdir() if kind == "directory" else file.symlink_to(file)
    assert Pairing(file, time).phones == 0


def test_the_oldest_phone_makes_room(pairing: Pairing, time: Time) -> None:
    tokens = []
    for _ in range(MOST + 1):
        paired = pairing.answer(pairing.begin())
        assert isinstance(paired, Paired)
        tokens.append(paired.token)
        time.now += 1
    assert [pairing.knows(token) for token in tokens] == [False] + [True] * MOST


@pytest.mark.parametrize(
    ("options", "private"),
    [
        (Options(), True),
        (Options(host="localhost"), True),
        (Options(host="::1"), True),
        (Options(host="0.0.0.0"), False),
        (Options(host="192.168.1.5"), False),
        (Options(names=("board.local",)), False),
    ],
)
def test_when_nobody_pairs(options: Options, private: bool) -> None:
    assert options.private is private


# A real board, open to the network


@pytest.fixture
def board(run: Callable[..., Daemon], tmp_path: Path) -> Daemon:
    config = tmp_path / "config.toml"
    config.write_text(OPEN)
    return run("--config", str(config))


def paired_cookie(data: Path) -> dict[str, str]:
    import time as clock

    pairing = Pairing(data / "phones.json", clock.time)
    paired = pairing.answer(pairing.begin())
    assert isinstance(paired, Paired)
    return {"boardctl": paired.token}


@pytest.fixture
def paired(run: Callable[..., Daemon], tmp_path: Path) -> tuple[Daemon, dict[str, str]]:
    """An open board, and the cookie of a phone that was paired with it earlier."""
    data = tmp_path / "data"
    data.mkdir()
    cookie = paired_cookie(data)
    config = tmp_path / "config.toml"
    config.write_text(OPEN)
    return run("--config", str(config)), cookie


def post(daemon: Daemon, path: str, body: dict[str, Any], **more: Any) -> httpx.Response:
    with daemon.client as client:
        return client.post(path, json=body, **more)


def test_a_guest_changes_nothing(board: Daemon) -> None:
    before = board.state()
    line = {"line": "1 peg 8", "expect": before["number"]}
    for cookies in ({}, {"boardctl": "x" * 43}, {"boardctl": ""}):
        with httpx.Client(
            base_url=board.url, headers={"origin": board.url}, cookies=cookies, trust_env=False
        ) as client:
            assert client.post("/lines", json=line).status_code == 403
            assert client.post("/preview", json={"line": "1 peg 8"}).status_code == 403
    forwarded = {"x-forwarded-for": "127.0.0.1", "forwarded": "for=127.0.0.1"}
    assert post(board, "/lines", line, headers=forwarded).status_code == 403
    assert board.state() == before
    socket = connect(board.url.replace("http", "ws") + "/ws", origin=Origin(board.url), proxy=None)
    with socket as guest:
        guest.send('{"key": "A", "down": true}')
        with pytest.raises(ConnectionClosed):
            while True:
                guest.recv(timeout=60)
        assert guest.close_code == 1008


def test_a_guest_sees_the_game_and_how_to_pair(board: Daemon, visit: Visit) -> None:
    page = visit(board.url, width=360)
    expect(page.get_by_label("The board’s six digits")).to_be_visible()
    expect(page.locator("#keypad")).to_be_hidden()
    expect(page.locator(".side1 .score")).to_have_text("0")
    page.get_by_label("The board’s six digits").fill("123456")
    page.get_by_role("button", name="Pair this phone").click()
    expect(page.locator("#news")).to_contain_text("not the PIN")


def test_pairing(paired: tuple[Daemon, dict[str, str]], visit: Visit) -> None:
    """Somebody at the keypad requests a PIN, and another person types it. Wrong PINs are refused,
    spectators never see the PIN, and finally all phones are forgotten."""
    daemon, cookie = paired
    host, guest = visit(daemon.url, height=TALL), visit(daemon.url, width=360)
    host.context.add_cookies([{"name": "boardctl", "value": cookie["boardctl"], "url": daemon.url}])
    host.reload()
    expect(host.locator("body")).to_have_attribute("data-role", "player")
    expect(guest.locator("body")).to_have_attribute("data-role", "guest")

    def menu(keys: str) -> None:
        host.locator('.key[data-key="#"]').hover()
        host.mouse.down()
        expect(host.locator("#display")).to_have_attribute("aria-label", re.compile("Menu"))
        host.mouse.up()
        for key in keys:
            host.locator(f'.key[data-key="{key}"]').click()

    menu("81")
    assert daemon.process.stderr is not None
    pin = re.findall(r"\d{6}", daemon.process.stderr.readline())[0]
    assert pin not in guest.content()
    assert pin not in host.content(), "no page shows it, not even that of a paired phone"

    field = guest.get_by_label("The board’s six digits")
    field.fill(f"{(int(pin) + 1) % 1_000_000:06d}")
    guest.get_by_role("button", name="Pair this phone").click()
    expect(guest.locator("#news")).to_contain_text("not the PIN")
    assert pin not in guest.content()
    field.fill(pin)
    guest.get_by_role("button", name="Pair this phone").click()
    expect(guest.locator("body")).to_have_attribute("data-role", "player")
    assert guest.evaluate("document.cookie") == "", "no script can read the token"
    guest.get_by_role("button", name="Points: Ann").click()
    guest.get_by_role("dialog").get_by_role("button", name="8", exact=True).click()
    expect(host.locator(".side1 .score")).to_have_text("8")

    menu("82")
    expect(guest.locator("body")).to_have_attribute("data-role", "guest")
    expect(host.locator("body")).to_have_attribute("data-role", "guest")


@pytest.mark.slow
def test_a_guest_asks_to_play(paired: tuple[Daemon, dict[str, str]], visit: Visit) -> None:
    """The guest's page shows a number with instructions, and somebody types it in the board's
    menu."""
    daemon, cookie = paired
    host, guest = visit(daemon.url, height=TALL), visit(f"{daemon.url}?lang=ja", width=360)
    host.context.add_cookies([{"name": "boardctl", "value": cookie["boardctl"], "url": daemon.url}])
    host.reload()
    expect(host.locator("body")).to_have_attribute("data-role", "player")
    guest.get_by_role("button", name="操作したい").click()
    number = guest.locator("#pair-number")
    expect(number).to_have_text(re.compile("[1-9][0-9]"))
    expect(guest.locator("#pair-do")).to_contain_text("スマホ許可")
    expect(guest.locator("#pair-do")).to_contain_text(number.inner_text())
    host.locator('.key[data-key="#"]').hover()
    host.mouse.down()
    expect(host.locator("#display")).to_have_attribute("aria-label", re.compile("Menu"))
    host.mouse.up()
    for key in f"B{number.inner_text()}":
        host.locator(f'.key[data-key="{key}"]').click()
    expect(host.locator("#display")).to_have_attribute("aria-label", re.compile("Let phone in"))
    host.locator('.key[data-key="#"]').click()
    expect(guest.locator("body")).to_have_attribute("data-role", "player")


def test_a_paired_phone_is_asked_whose_it_is(
    paired: tuple[Daemon, dict[str, str]], visit: Visit
) -> None:
    """It asks once; afterwards its page shows that player's cards."""
    daemon, cookie = paired
    page = visit(daemon.url, width=390, height=844)
    expect(page.locator("#whose")).to_be_hidden()
    page.context.add_cookies([{"name": "boardctl", "value": cookie["boardctl"], "url": daemon.url}])
    page.reload()
    whose = page.get_by_role("region", name="Whose phone is this?")
    expect(whose.get_by_role("button")).to_have_text(["Ann", "Bob", "Everybody’s", "Only watching"])
    whose.get_by_role("button", name="Bob").click()
    expect(whose).to_have_count(0)
    expect(page.locator(".side2 .mine")).to_contain_text("You")
    page.reload()
    expect(page.locator(".side2 .mine")).to_contain_text("You")
    expect(page.locator("#whose")).to_be_hidden()


@pytest.mark.parametrize(
    "storage",
    [
        "() => { throw new DOMException('blocked', 'SecurityError'); }",
        "() => ({ getItem: () => null, removeItem() {}, setItem() { throw new Error('full'); } })",
    ],
    ids=["blocked", "full"],
)
def test_a_browser_that_keeps_nothing_is_a_players_phone_until_it_is_closed(
    storage: str, paired: tuple[Daemon, dict[str, str]], visit: Visit
) -> None:
    """Reading the storage raised an error in such a browser, and the page stayed empty."""
    daemon, cookie = paired
    page = visit.blank(390, 844)
    page.add_init_script(f"Object.defineProperty(window, 'localStorage', {{ get: {storage} }})")
    page.context.add_cookies([{"name": "boardctl", "value": cookie["boardctl"], "url": daemon.url}])
    page.goto(daemon.url)
    page.get_by_role("region", name="Whose phone is this?").get_by_role(
        "button", name="Bob"
    ).click()
    expect(page.locator(".side2 .mine")).to_contain_text("You")
    page.get_by_role("button", name="Points: Bob").click()
    page.get_by_role("dialog").get_by_role("button", name="8", exact=True).click()
    expect(page.locator(".side2 .score")).to_have_text("8")
    expect(page.locator(".side2 .mine")).to_contain_text("You")


def test_a_phone_that_only_watches_has_nothing_to_play(
    paired: tuple[Daemon, dict[str, str]], visit: Visit
) -> None:
    """A spectator follows the whole game and taps nothing by mistake, until joining."""
    daemon, cookie = paired
    page = visit.blank(390, 844)
    page.context.add_cookies([{"name": "boardctl", "value": cookie["boardctl"], "url": daemon.url}])
    page.goto(daemon.url)
    page.locator("#whose").get_by_role("button", name="Only watching").click()
    whose = page.get_by_role("region", name="Only watching")
    expect(whose.get_by_role("button")).to_have_text(["Take part"])
    for hidden in ("#due", "#bar", "#sides .act", "#pair", "#moves .act"):
        expect(page.locator(hidden).first).to_be_hidden()
    page.reload()
    whose.get_by_role("button", name="Take part").click()
    expect(page.locator("#whose h2")).to_have_text("Whose phone is this?")
    expect(page.locator("#due")).to_be_visible()
    page.locator("#table").click()
    page.get_by_role("dialog").get_by_role("button", name="Only watching").click()
    expect(page.get_by_role("dialog")).to_have_count(0)
    expect(whose).to_be_visible()


@pytest.mark.slow
def test_a_lost_connection_is_said_in_words(run: Callable[..., Daemon], visit: Visit) -> None:
    """The message appears at once and says what still works. It disappears when the board is
    back."""
    daemon = run()
    page = visit(daemon.url, width=390, height=844)
    visit.forgiven.append("WebSocket")
    visit.forgiven.append("ERR_CONNECTION_REFUSED")
    assert daemon.end() == ""
    expect(page.locator("#news")).to_contain_text("The connection to the board is lost.")
    again = run(port=daemon.port)
    expect(page.locator("#news")).not_to_contain_text("lost")
    assert again.process.poll() is None
