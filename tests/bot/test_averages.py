"""The averages of two players of the strongest level in a deal, as shipped and as built."""

from __future__ import annotations

import json
from importlib import resources

import pytest

from tools import expert_averages


@pytest.mark.slow
def test_a_small_build_agrees_with_what_ships() -> None:
    """The build uses a few of the same deals and agrees within five standard errors."""
    ships = json.loads((resources.files("boardctl.bot") / "averages.json").read_text("utf-8"))
    made = expert_averages.make(60, 12, 2)
    assert made == expert_averages.make(60, 12, 2)
    assert ships["about"] == expert_averages.ABOUT
    assert {role: set(found) for role, found in made.items()} == {
        role: set(found) for role, found in ships.items() if role != "about"
    }
    for role, found in made.items():
        for what, (mean, error) in found.items():
            assert mean == pytest.approx(ships[role][what][0], abs=5 * error), (role, what)
            assert ships[role][what][1] < error
