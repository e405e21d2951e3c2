"""A player who counts their own hand first sees the combinations found and missed, and loses
nothing."""

from __future__ import annotations

from collections.abc import Callable
from itertools import product

import pytest
from playwright.sync_api import Page, expect

from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit

HAND = "1 hand 5H 6S 7D 8C JH QS"
PLAY = ("2 hand 2H 3S 9D TC KS KD", "1 discard JH QS", "2 discard 2H 3S", "starter 5C",
        "2 play 9D", "1 play 6S", "2 play TC", "1 play 5H", "2 go", "2 play KS", "1 play 7D",
        "2 play KD", "1 go", "1 play 8C", "2 show")  # fmt: skip


def played(daemon: Daemon) -> None:
    """Play up to the count of seat 1's hand: 5H 6S 7D 8C with the five of clubs, 12 points."""
    daemon.say("dealer 1", "deal", HAND)
    with daemon.client as client:
        for line in PLAY:
            number = client.get("/state").json()["number"]
            client.post("/lines", json={"line": line, "expect": number})
    assert [ask["code"] for ask in daemon.state()["asks"]] == ["show"]


def learn(daemon: Daemon, name: str = "Ann", counts: bool = True) -> None:
    with daemon.client as client:
        answer = client.post("/learners", json={"name": name, "counts": counts})
        assert answer.json() == {"name": name, "counts": counts}


def tap(page: Page, *cards: str) -> None:
    for card in cards:
        page.locator(f".counting .target[data-card='{card}']").click()
    page.locator("[data-focus=count-these]").click()


@pytest.mark.slow
@sweep(
    "size, language",
    list(product([(390, 844), (844, 390), (820, 1180), (1280, 900)], ["en", "ja"])),
    ordinary=[((390, 844), "ja"), ((844, 390), "en")],
)
def test_found_and_missed(
    run: Callable[..., Daemon], visit: Visit, size: tuple[int, int], language: str
) -> None:
    daemon = run()
    played(daemon)
    learn(daemon)
    page = visit(f"{daemon.url}/?lang={language}", width=size[0], height=size[1])
    page.locator("#due .act.first").click()
    said = page.locator(".counting .nudge")
    tap(page, "8C", "7D")
    expect(said).to_contain_text("2")
    tap(page, "8C", "7D")
    first = said.inner_text()
    tap(page, "5H", "7D")
    assert said.inner_text() not in ("", first), "they count nothing together"
    tap(page, "5H", "5C")
    expect(page.locator(".counting .combinations li")).to_have_count(2)
    page.locator(".counting .target[data-card='6S']").click()
    assert "12" not in " ".join(daemon_display(page)), "the board does not tell"
    page.locator("[data-focus=count-all]").click()
    shown = page.locator(".counted")
    expect(shown.locator(".nudge")).to_contain_text("12")
    assert shown.locator("li").count() >= 2, "the runs were missed"
    page.locator("[data-focus=peg]").click()
    expect(page.locator("dialog[open]")).to_have_count(0)
    assert daemon.state()["sides"][0]["score"] >= 12, "nothing is lost"


def daemon_display(page: Page) -> list[str]:
    return [page.locator("#display").inner_text()]


@pytest.mark.slow
@pytest.mark.parametrize(("total", "right"), [("12", True), ("9", False)])
def test_a_total_is_said(run: Callable[..., Daemon], visit: Visit, total: str, right: bool) -> None:
    daemon = run()
    played(daemon)
    learn(daemon)
    page = visit(daemon.url, width=390, height=844)
    page.locator("#due .act.first").click()
    page.locator(".counting summary").click()
    page.locator("[data-focus=count-total]").fill(total)
    page.locator("[data-focus=count-say]").click()
    expect(page.locator(".counted .nudge")).to_contain_text("Well counted" if right else "it is 12")
    page.locator("[data-focus=peg]").click()
    expect(page.locator("dialog[open]")).to_have_count(0)


def test_who_does_not_learn_sees_the_count_at_once(daemon: Daemon, visit: Visit) -> None:
    played(daemon)
    learn(daemon, "Bob")
    page = visit(daemon.url, width=390, height=844)
    page.locator("#due .act.first").click()
    expect(page.locator("[data-focus=peg]")).to_be_visible()
    assert not page.locator(".counting").count()


def test_it_is_chosen_on_the_table_sheet_and_kept(run: Callable[..., Daemon], visit: Visit) -> None:
    daemon = run()
    page = visit(daemon.url, width=390, height=844)
    page.locator("#table").click()
    page.locator("[data-focus=counts2]").click()
    expect(page.locator("[data-focus=counts2]")).to_have_attribute("aria-pressed", "true")
    assert daemon.state()["counts"] == [False, True]
    visit.forgiven += ["WebSocket connection", "ERR_CONNECTION_REFUSED"]
    daemon.end()
    assert run().state()["counts"] == [False, True], "kept on the board"
