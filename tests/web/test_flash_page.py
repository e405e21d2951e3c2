"""The setup page of a card whose machine has a microcontroller attached. The page offers firmware
for it, and reports the result once the board is back."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Route, expect

from tests.web.conftest import Daemon, Visit

CARD = {
    "version": "1.0", "network": "connected", "free_mib": 900, "system": "2", "next": "2",
    "on_trial": False, "other_failed": False, "boards": ["arduino", "pico"], "flashed": None,
}  # fmt: skip


class Machine:
    """A card's machine in the page's view: the board is away while the firmware is written."""

    def __init__(self, result: str) -> None:
        self.result = result
        self.asked: list[Any] = []
        self.away = 0

    def state(self, route: Route) -> None:
        if self.away:
            self.away -= 1
            route.fulfill(status=200, body="<html>nobody is here</html>")
            return
        card = CARD | ({"flashed": self.result} if self.asked else {})
        route.fulfill(json={"card": card, "testing": False, "asks": False})

    def flash(self, route: Route) -> None:
        self.asked.append(json.loads(route.request.post_data or "null"))
        self.away = 1
        route.fulfill(json={"done": True})


@pytest.mark.slow
@pytest.mark.parametrize(
    ("result", "said"),
    [
        ("", "The firmware is written."),
        ("there is no /dev/ttyACM0", "The firmware was not written: there is no /dev/ttyACM0"),
    ],
)
def test_a_firmware_is_written(daemon: Daemon, visit: Visit, result: str, said: str) -> None:
    machine = Machine(result)
    page = visit.blank(390, 844)
    page.route("**/setup?*", machine.state)
    page.route("**/setup/flash?*", machine.flash)
    page.goto(f"{daemon.url}/setup.html")
    expect(page.locator("#flashed")).to_have_count(0)
    page.get_by_role("button", name="Write the firmware to the Pico").click()
    page.get_by_role("dialog").get_by_role("button", name="Write the firmware to the Pico").click()
    expect(page.locator("#told")).to_have_text("The firmware is being written …")
    assert machine.asked == [{"chip": "pico"}]
    expect(page.locator("#flashed")).to_have_text(said)


def test_without_a_microcontroller_nothing_of_it_is_shown(daemon: Daemon, visit: Visit) -> None:
    page = visit.blank(390, 844)
    answer = {"card": CARD | {"boards": []}, "testing": False, "asks": False}
    page.route("**/setup?*", lambda route: route.fulfill(json=answer))
    page.goto(f"{daemon.url}/setup.html")
    expect(page.get_by_role("button", name="Factory reset, keep games")).to_be_visible()
    expect(page.get_by_text("Write the firmware")).to_have_count(0)
