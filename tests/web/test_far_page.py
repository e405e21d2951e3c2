"""A game of two houses on their phones: from the invitation to the end, touching only pages."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.far.boards import NAMES, Boards
from tests.mqtt.broker import Mosquitto
from tests.parts import need
from tests.web.conftest import Visit

PHONE = {"width": 390, "height": 844}


@pytest.fixture
def boards(tmp_path: Path) -> Iterator[Boards]:
    need("mosquitto")
    broker = Mosquitto(tmp_path / "broker", NAMES)
    broker.start()
    both = Boards(broker, tmp_path)
    yield both
    both.end()
    broker.kill()


def tap_far(page: Page) -> None:
    page.click("#table")
    page.get_by_role("button", name="Play with another house").click()


def test_from_an_invitation_to_the_end(boards: Boards, visit: Visit, tmp_path: Path) -> None:
    ann, bob = (visit(daemon.url, **PHONE) for daemon in boards.daemons)
    tap_far(ann)
    ann.locator("form", has_text="Invite another house").get_by_role("textbox").fill("Ann")
    ann.get_by_role("button", name="Invite another house").click()
    ann.wait_for_selector(".six-words li")
    words = ann.locator(".six-words li").all_inner_texts()
    assert len(words) == 6
    ann.screenshot(path=tmp_path / "invitation.png")
    # Bob opens the link on his own board; then taps are counted.
    bob.goto(f"{boards.daemons[1].url}/#far={'-'.join(words)}")
    bob.reload()
    form = bob.locator("form", has_text="Accept an invitation")
    form.get_by_role("textbox", name="Your name").fill("Bob")
    form.get_by_role("button", name="Accept an invitation").click()
    for page in (ann, bob):
        page.wait_for_selector("#far .said")
        expect(page.get_by_role("dialog")).to_have_count(0)
    pages = {"1": ann, "2": bob}
    dealer = boards.state(0)["dealer"]
    pages[str(dealer)].locator("#due").get_by_role("button").first.click()  # the only tap
    for page in (ann, bob):
        page.wait_for_selector("#due .card")
        page.screenshot(path=tmp_path / f"{'ann' if page is ann else 'bob'}.png", full_page=True)
    print(ann.locator("#due").inner_html())
    print(ann.locator("#far").inner_html())
