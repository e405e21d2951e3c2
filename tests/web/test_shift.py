"""Nothing that is tapped moves by itself: layout shifts, counted by the browser itself
(w3c.github.io/layout-instability) while whole games are played on another phone."""

from __future__ import annotations

import json
from itertools import product
from pathlib import Path
from typing import Any, Final

import pytest

from tests.sweeps import sweep
from tests.web.conftest import Daemon, Visit

VECTORS: Final = Path(__file__).parents[1] / "vectors"
WATCH: Final = """() => {
  window.shifts = [];
  const all = '#bar .act, #table, nav a, #sides .act, #board';
  const places = () => new Map([...document.querySelectorAll(all)].map((made, n) => {
    const { left, top } = made.getBoundingClientRect();
    return [`${n} ${made.dataset.focus ?? made.id}`, [left, top]];
  }));
  let before = places();
  new PerformanceObserver(() => {
    const now = places();
    for (const [name, [left, top]] of now) {
      const [x, y] = before.get(name) ?? [left, top];
      if (Math.abs(left - x) > 1 || Math.abs(top - y) > 1) {
        window.shifts.push(`${name}: ${left - x}, ${top - y} px`);
      }
    }
    before = now;
  }).observe({ type: 'layout-shift' });
}"""
"""Where the browser counts a shift, what of the things that are tapped has moved."""
SIZES: Final = [(390, 844), (844, 390), (820, 1180), (1280, 900)]


def lines(file: str) -> list[str]:
    row: dict[str, Any] = json.loads(
        (VECTORS / f"records-{file}.jsonl").read_text("utf-8").splitlines()[0]
    )
    return list(row["record"].splitlines())


def test_a_shift_is_counted(daemon: Daemon, visit: Visit) -> None:
    """Where something is put above them, the buttons of the bar move, and that is seen."""
    page = visit(daemon.url, 390, 844)
    page.evaluate(WATCH)
    page.evaluate("document.querySelector('#bar').style.marginBottom = '80px'")
    counted = page.evaluate(
        """() => new Promise((done) => {
             let frames = 0;
             const look = () => (window.shifts.length > 0 || (frames += 1) > 300
               ? done(window.shifts.length) : requestAnimationFrame(look));
             look();
           })"""
    )
    assert counted > 0


ORDINARY: Final = [("cribbage-2", "hands"), ("klaberjass", "cards")]
FILES: Final = ("cribbage-2", "cribbage-3", "cribbage-4", "klaberjass", "pinochle-3-4", "noddy")


@pytest.mark.slow
@sweep("file, telling", list(product(FILES, ("points", "hands", "cards"))), ordinary=ORDINARY)
def test_nothing_that_is_tapped_moves_while_others_play(
    daemon: Daemon, visit: Visit, file: str, telling: str
) -> None:
    with daemon.client as client:
        client.post("/commands", json={"what": "telling", "value": telling})
    record = lines(file)
    dealt = record.index("deal") + 1
    begin, play = record[:dealt], record[dealt:]
    number = daemon.say("session shift", *begin)["number"]
    pages = []
    for width, height in SIZES:
        page = visit(daemon.url, width, height)
        page.wait_for_selector(f"body[data-number='{number}']")
        page.evaluate(WATCH)
        pages.append(page)
    for line in play[:60]:
        number = daemon.say(line)["number"]
        for page in pages:
            page.wait_for_selector(f"body[data-number='{number}']")
    for page, size in zip(pages, SIZES, strict=True):
        assert page.evaluate("window.shifts") == [], size


@pytest.mark.parametrize(("width", "height"), SIZES)
def test_the_keys_of_a_sheet_stay_while_its_points_appear(
    daemon: Daemon, visit: Visit, width: int, height: int
) -> None:
    """A hand's points stand above the keys that enter it; on a phone the keys are at the foot."""
    daemon.say("dealer 1", "deal", "starter 5D")
    page = visit(daemon.url, width, height)
    page.get_by_role("button", name="Enter the cards").click()
    sheet = page.get_by_role("dialog")
    king = sheet.get_by_role("button", name="king", exact=True)
    before = king.bounding_box()
    assert before
    for rank in ("four", "five", "six", "king"):
        sheet.get_by_role("button", name=rank, exact=True).click()
    sheet.get_by_role("button", name="Peg").wait_for()
    assert king.bounding_box() == before
    if width < 500:
        assert before["y"] + before["height"] > height - 80
