"""What the play of Noddy scores. Source: docs/rules/noddy.md 4.3."""

from __future__ import annotations

from boardctl.games.common.to_31 import THIRTY_ONE, PlayScores
from boardctl.games.noddy.show import ALIKE, FIFTEEN

TWENTY_FIVE = 25


def scores(*, per_card: bool, flushes: bool) -> PlayScores:
    """What a card may score.

    Args:
        per_card: a count of 15, 25 or 31 earns one point per card of the series.
        flushes: whether three or more consecutive cards of a suit score.
    """
    counts = {FIFTEEN: "fifteen", THIRTY_ONE: "thirty-one"}
    if per_card:
        counts[TWENTY_FIVE] = "twenty-five"
    return PlayScores(counts, None if per_card else 2, ALIKE, flushes=flushes)
