"""Hints on the page: two taps to the move and its reason. They are counted, and absent if a rule
forbids them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit, boxes

DEAL = ("dealer 1", "deal", "1 hand 5H 6S 7D 8C JH QS", "2 hand 2H 3S 9D TC KS KD")


def ask(daemon: Daemon, seat: int | None = 1, language: str = "en") -> dict[str, Any]:
    return daemon.post("/hint", {}, lang=language, **({"seat": str(seat)} if seat else {}))


def lines(daemon: Daemon) -> list[str]:
    with daemon.client as client:
        text = client.get("/export/1.txt").text
        return text.splitlines()


def offered(daemon: Daemon, seat: int) -> bool:
    with daemon.client as client:
        return bool(client.get(f"/state?seat={seat}").json()["hint"])


def test_a_hint_is_told_once_and_counted(daemon: Daemon) -> None:
    daemon.say(*DEAL)
    assert offered(daemon, 1)
    assert not daemon.state()["hint"], "not to an onlooker"
    hinted = ask(daemon)
    assert hinted["hint"]["line"].startswith("1 discard ")
    assert len(hinted["hint"]["why"]) == 3
    state = daemon.state()
    assert (state["number"], state["hints"]) == (hinted["number"], [1, 0])
    again = ask(daemon)
    assert again == hinted, "the same decision is one hint"
    other = ask(daemon, language="ja")
    assert other["hint"]["line"] == hinted["hint"]["line"]
    assert other["hint"]["nudge"] != hinted["hint"]["nudge"]
    daemon.say(hinted["hint"]["line"])
    assert ask(daemon)["refused"]["code"] == "hint-not-due"
    assert ask(daemon, seat=2)["hint"]["line"].startswith("2 discard ")
    assert daemon.state()["hints"] == [1, 1]


def test_undo_after_a_hint_takes_back_a_move_and_keeps_the_hint(daemon: Daemon) -> None:
    daemon.say(*DEAL, "2 discard KS KD")
    ask(daemon)
    state = daemon.post("/undo", {})["state"]
    assert [move["verb"] for move in state["moves"]][-1] == "hand"
    assert state["hints"] == [1, 0]


@pytest.mark.slow
@pytest.mark.parametrize("hidden", ["2 hand AS AC AD KC TD JS", "2 hand ? ? ? ? ? ?", None])
def test_the_answer_does_not_depend_on_what_others_hold(
    run: Callable[..., Daemon], hidden: str | None
) -> None:
    daemon = run()
    daemon.say(*DEAL[:3], *([hidden] if hidden else []))
    hinted = ask(daemon)["hint"]
    assert hinted == EXPECTED.setdefault("hint", hinted)


EXPECTED: dict[str, Any] = {}


def test_who_asks_and_what_is_known(daemon: Daemon) -> None:
    daemon.say("dealer 1", "deal")
    assert ask(daemon, seat=None)["refused"]["code"] == "hint-no-seat"
    assert ask(daemon)["refused"]["code"] == "hint-unknown"
    assert daemon.state()["hints"] == [0, 0], "what was not given is not counted"
    with daemon.client as client:
        stale = client.post("/hint?seat=1", json={"expect": 1}).json()
    assert stale["refused"]["code"] == "stale"


@pytest.mark.parametrize(
    ("config", "code"),
    [("match = 3\n", "hints-match"), ("[hints]\nallowed = false\n", "hints-off")],
)
def test_a_rule_forbids_hints(
    run: Callable[..., Daemon], tmp_path: Path, config: str, code: str
) -> None:
    path = tmp_path / "config.toml"
    path.write_text(config)
    daemon = run("--config", str(path))
    daemon.say(*DEAL)
    assert not offered(daemon, 1)
    refused = ask(daemon)["refused"]
    assert (refused["code"], daemon.state()["hints"]) == (code, [0, 0])
    assert refused["message"].endswith(".")


def test_with_muggins_the_count_has_no_hint(daemon: Daemon) -> None:
    cards = ("2 play 9D", "1 play 6S", "2 play TC", "1 play 5H", "2 go", "1 go", "2 play KS",
             "1 play 7D", "2 play KD", "1 go", "1 play 8C")  # fmt: skip
    play = ("1 discard JH QS", "2 discard 2H 3S", "starter 2C")
    daemon.say("set muggins underclaim", *DEAL, *play)
    assert "hint" in ask(daemon, seat=2), "the play has"
    daemon.say(*cards)
    assert daemon.state()["phase"] == "show"
    daemon.say("2 show")
    assert ask(daemon)["refused"]["code"] == "hints-muggins"


@pytest.mark.slow
@sweep(
    "size",
    [(390, 844), (844, 390), (820, 1180), (1280, 900)],
    ordinary=[(390, 844), (844, 390)],
)
def test_two_taps_to_the_move_and_its_reason(
    run: Callable[..., Daemon], visit: Visit, size: tuple[int, int]
) -> None:
    daemon = run()
    daemon.say(*DEAL)
    page = visit(daemon.url, width=size[0], height=size[1])
    page.evaluate("localStorage.setItem('boardctl.seat', '1')")
    page.reload()
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"})
    page.locator("[data-focus=hint]").click()
    nudge = page.locator(".hint-room .nudge")
    expect(nudge).to_be_visible()
    assert not page.locator(".hint-room .why").count(), "first the nudge alone"
    page.locator("[data-focus=hint-show]").click()
    expect(page.locator(".hint-room .why li")).to_have_count(3)
    room = boxes(page, ".hint-room")[0]
    assert room["x"] >= 0
    assert room["x"] + room["width"] <= size[0]
    assert daemon.state()["hints"] == [1, 0]
    daemon.say("1 discard JH QS")
    expect(page.locator(".hint-room .nudge")).to_have_count(0)
    daemon.say("2 resign")
    assert [line for line in lines(daemon) if line.endswith("hint")] == ["1 hint"]
    expect(page.locator("#due")).to_contain_text("Hints: Ann 1")


@pytest.mark.parametrize("size", [(390, 844), (820, 1180), (1280, 900)])
def test_the_cards_stay_where_they_are(daemon: Daemon, visit: Visit, size: tuple[int, int]) -> None:
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": "cards"})
    daemon.say(*DEAL, "1 discard JH QS", "2 discard 2H 3S", "starter 2C", "2 play TC")
    page = visit(daemon.url, *size, reduced_motion="reduce")
    page.evaluate("localStorage.setItem('boardctl.seat', '1')")
    page.reload()
    cards = page.locator("#due .row .target")
    expect(cards).to_have_count(4)
    expect(cards.last).to_be_visible()  # they are created before they are shown

    def places() -> list[object]:
        """Find and measure at once: a card redrawn in between has no place."""
        found: list[object] = page.evaluate(
            "[...document.querySelectorAll('#due .row .target')]"
            ".map((made) => Object.values(made.getBoundingClientRect().toJSON()))"
        )
        return found

    before = places()
    page.locator("[data-focus=hint]").click()
    expect(page.locator(".hint-room .nudge")).to_be_visible()
    assert places() == before
    page.locator("[data-focus=hint-show]").click()
    expect(page.locator(".hint-room .why li")).not_to_have_count(0)
    assert places() == before
    room, due = boxes(page, ".hint-room", "#due")
    assert room["y"] >= due["y"], "all of it is in sight"
    assert room["y"] + room["height"] <= due["y"] + due["height"]
