"""The pictures of the page that people look at: `python -m tools.screens`."""

from __future__ import annotations

from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import Browser, expect

from tests.web.conftest import Daemon, Visit
from tools.screens import SIZES, take


@pytest.mark.slow
def test_a_moment_is_taken_at_every_size(chromium: Browser, tmp_path: Path) -> None:
    take(chromium, "discard", "ja", ("dark",), tmp_path)
    for size, pixels in SIZES.items():
        with Image.open(tmp_path / f"discard-{size}-ja-dark.png") as picture:
            assert picture.size == pixels
    assert (tmp_path / "discard-ja-dark.png").exists(), "all sizes on one sheet"


ROWS = """() => {
  const tops = new Map();
  for (const one of document.querySelectorAll('#due .choices:not(.foot) > *')) {
    const { top } = one.getBoundingClientRect();
    tops.set(top, (tops.get(top) ?? 0) + 1);
  }
  return [...tops.values()];
}"""
"""The number of choices in each row, taken at one moment."""


@pytest.mark.parametrize("size", SIZES)
def test_bids_and_melds_have_rows_of_equal_length(daemon: Daemon, visit: Visit, size: str) -> None:
    """The last row had one bid alone. Bids that are too low now keep their places, and cannot be
    tapped."""
    seats = [f"seat {n} {name}" for n, name in enumerate(("Ann", "Bob", "Cleo", "Dan"), 1)]
    daemon.say("game pinochle", *seats, "dealer 4", "deal", "1 bid 250")
    page = visit(daemon.url, *SIZES[size])
    expect(page.locator("#due h2")).to_have_text("How much does Bob bid?")
    assert page.evaluate(ROWS) == [4, 4]
    bids = page.locator("#due .choices:not(.foot) > .choice")
    expect(bids).to_have_text(["210", "220", "230", "240", "250", "260", "270", "Other …"])
    enabled = bids.evaluate_all("(all) => all.map((one) => !one.disabled)")
    assert enabled == [False] * 5 + [True] * 3
    daemon.say("game pinochle", *seats[:2], "dealer 1", "deal")
    page = visit(daemon.url, *SIZES[size])
    expect(page.locator("#due h2")).to_have_text("Which suit is trumps?")
    assert page.evaluate(ROWS) in ([2, 2], [4])
