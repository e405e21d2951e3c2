"""The broker between two houses, set up on their pages."""

from __future__ import annotations

import tomllib
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from boardctl.far import own_broker
from tests.parts import need
from tests.ports import free_port
from tests.web.conftest import Daemon, Visit, start, until
from tests.web.test_setup import FILE


@pytest.mark.slow
def test_two_houses_meet_at_the_board_of_one(tmp_path: Path, visit: Visit) -> None:
    """One house chooses in the set-up that its board is the broker, and sends its code to the
    other, whose set-up takes the code as an address. Nothing is typed into a file."""
    need("mosquitto")
    visit.forgiven += ["Failed to load resource", "WebSocket"]  # while a board is away
    paths = [tmp_path / name / "config.toml" for name in ("ann", "bob")]
    for path in paths:
        path.parent.mkdir()
        path.write_text(FILE, "utf-8")
    ann = start(tmp_path / "ann" / "data", "--config", str(paths[0]))
    bob = start(tmp_path / "bob" / "data", "--config", str(paths[1]))
    try:
        here = visit(f"{ann.url}/setup.html", 390, 844)
        here.locator("[name='far.broker']").select_option("own")
        expect(here.locator("[name='far.own']")).to_be_visible()
        here.locator("#questions button").click()
        expect(here.locator("[id='refused-far.own']")).to_contain_text("not a name or address")
        here.locator("[name='far.own']").fill(f"localhost:{free_port()}")
        save(here)
        here.goto(ann.url)
        until(lambda: far(ann)["code"])  # the broker's files have been written
        here.click("#table")
        here.locator("dialog [data-focus=far]").click()
        here.get_by_text("The other house joins with a code").click()
        address = here.locator("dialog details.code .address")
        code = address.inner_text()
        invite(ann)
        expect(here.locator("dialog .six-words")).to_be_visible()
        expect(address).to_be_visible()  # still, although the sheet has changed
        here.locator("dialog [data-focus=cancel]").click()
        expect(here.locator("dialog .six-words")).to_have_count(0)
        there = visit(f"{bob.url}/setup.html?lang=ja", 390, 844)
        there.locator("[name='far.broker']").select_option("other")
        there.locator("[name='far.host']").fill(code)
        there.locator("[name='players']").focus()
        expect(there.locator("[name='far.password']")).to_have_count(0)
        save(there)
        table = tomllib.loads(paths[1].read_text("utf-8"))["far"]
        assert table["user"] == own_broker.THERE
        assert Path(table["password_file"]).stat().st_mode & 0o077 == 0
        meet(ann, bob)
    finally:
        for daemon in (ann, bob):
            daemon.end()


def save(page: Page) -> None:
    """Save the set-up, and wait until the board is back."""
    page.locator("#questions button").click()
    expect(page.locator("#told")).to_be_visible()
    expect(page.locator("#told")).to_be_hidden(timeout=60_000)


def invite(ann: Daemon) -> str:
    """Invite another house, and return the words of the invitation."""
    game = {"name": "Ann", "partner": "", "game": "cribbage", "options": {}}
    with ann.client as client:
        answer = client.post("/far/invite?seat=1", json=game).raise_for_status()
    return " ".join(answer.json()["words"])


def meet(ann: Daemon, bob: Daemon) -> None:
    """Invite and accept; both boards then have a game with the other house."""
    said = {"words": invite(ann), "name": "Bob", "partner": ""}
    with bob.client as client:
        client.post("/far/accept?seat=2", json=said).raise_for_status()
    until(lambda: all(far(daemon)["game"] for daemon in (ann, bob)))


def far(daemon: Daemon) -> dict[str, Any]:
    with daemon.client as client:
        found: dict[str, Any] = client.get("/far").raise_for_status().json()
        return found
