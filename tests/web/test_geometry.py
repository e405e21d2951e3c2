"""The page's board and the drill template have the same geometry: every lamp of the page is in its
hole, in millimetres of the same board."""

from __future__ import annotations

from collections.abc import Callable
from math import dist

import pytest

from boardctl.board import layout
from boardctl.board.sheet import Box, Circle
from boardctl.drawings.template import template
from tests.web.conftest import Daemon, Visit

LAMPS = """() => [...document.querySelectorAll('circle[data-lamp]')].map((lamp) => [
  lamp.dataset.lamp, lamp.cx.baseVal.value, lamp.cy.baseVal.value, lamp.r.baseVal.value])"""
VIEW = """() => {
  const { x, y, width, height } = document.querySelector('svg.holes').viewBox.baseVal;
  return [x, y, width, height];
}"""


@pytest.mark.slow
@pytest.mark.parametrize("name", layout.names())
def test_the_page_lies_over_the_template(
    name: str, run: Callable[..., Daemon], visit: Visit
) -> None:
    page = visit(run("--layout", name).url)
    page.wait_for_selector("circle[data-lamp]")
    drawn = template(layout.load(name)).shapes
    outline = next(shape for shape in drawn if isinstance(shape, Box))
    holes = {s.name: s for s in drawn if isinstance(s, Circle) and s.name != "mounting-hole"}
    lamps = page.evaluate(LAMPS)
    assert page.evaluate(VIEW) == pytest.approx([0, 0, outline.width, outline.height], abs=0.01)
    assert {lamp[0] for lamp in lamps} == set(holes)
    for lamp, x, y, radius in lamps:
        hole = holes[lamp]
        assert dist((x, y), (hole.x, hole.y)) < 0.01, lamp
        assert radius == pytest.approx(hole.diameter / 2, abs=0.01), lamp
