"""docs/notes/strength.md: its computed figures match the tables and its own matches."""

from __future__ import annotations

import pytest

from boardctl.bot import LEVELS
from boardctl.bot.tables import DEALER, PONE
from tools import bot_page


def test_the_page_is_as_computed() -> None:
    page = bot_page.PAGE.read_text("utf-8")
    assert bot_page.written(page) == page, "python -m tools.bot_page writes it"


def test_each_level_but_the_lowest_has_its_match() -> None:
    found = bot_page.steps(bot_page.PAGE.read_text("utf-8"))
    assert sorted(found) == sorted(LEVELS)[1:]


def test_the_scale_is_computed_from_the_matches() -> None:
    page = bot_page.PAGE.read_text("utf-8")
    share, half = bot_page.steps(page)[5]
    match = f"{100 * share:.1f} ± {100 * half:.1f} % |"
    row = next(line for line in page.splitlines() if line.startswith("| level 5 against level 4"))
    changed = page.replace(row, row.replace(match, f"{100 * bot_page.EXPERT:.1f} ± 0.0 % |"))
    assert bot_page.scale(changed) != bot_page.scale(page)
    assert "| 5 | 59.3 ± 0.0 % | 1.0 to 1.0 |" in bot_page.scale(changed)
    assert bot_page.lowest() == pytest.approx(0.605)


@pytest.mark.parametrize(("pair", "dealers", "pones", "people"), bot_page.CRIBS)
def test_a_crib_is_worth_about_what_is_published(
    pair: str, dealers: float, pones: float, people: float
) -> None:
    assert bot_page.crib(pair, DEALER) == pytest.approx(dealers, abs=0.5)
    assert bot_page.crib(pair, PONE) == pytest.approx(pones, abs=0.5)
    assert people < dealers
