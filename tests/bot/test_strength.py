"""The strength of a player and its uncertainty, compared with Python's statistics."""

from __future__ import annotations

from math import sqrt
from statistics import mean, stdev

import pytest

from boardctl.bot.strength import ENOUGH, of_costs


@pytest.mark.parametrize("costs", [[0.0, 0.04], [0.0, 0.01, 0.05], [0.01, 0.02] * 40])
def test_the_interval_is_that_of_the_sample(costs: list[float]) -> None:
    found = of_costs(costs)
    assert found.decisions == len(costs)
    assert found.loss == pytest.approx(mean(costs))
    assert found.half == pytest.approx(1.96 * stdev(costs) / sqrt(len(costs)))
    assert not found.enough


def test_players_are_compared_from_a_hundred_decisions_on() -> None:
    assert not of_costs([0.01, 0.02] * (ENOUGH // 2 - 1)).enough
    assert of_costs([0.01, 0.02] * (ENOUGH // 2)).enough
    assert not of_costs([0.0] * ENOUGH).enough, "no loss is larger than its uncertainty"
    rare = of_costs([0.0] * (ENOUGH - 1) + [0.5])
    assert rare.half is not None
    assert rare.half > rare.loss and not rare.enough
