"""What the play of Costly Colours scores. Source: docs/rules/costly-colours.md 4."""

from __future__ import annotations

from typing import Final

from boardctl.games.common.to_31 import PlayScores
from boardctl.games.costly_colours.show import ALIKE, Scale

COUNTS: Final = {15: "fifteen", 25: "twenty-five", 31: "thirty-one"}


def scores(scale: Scale, *, runs: bool, pairs: bool, thirty: bool) -> PlayScores:
    """What a card may score.

    Args:
        scale: what pairs are worth.
        pairs: whether pairs score in the play too.
        thirty: whether the count of 30 scores as 15 and 25 do.
    """
    alike = {number: (ALIKE[number], points) for number, points in scale.pairs.items()}
    counts = COUNTS | {30: "thirty"} if thirty else COUNTS
    return PlayScores(counts, None, alike if pairs else {}, runs=runs)
