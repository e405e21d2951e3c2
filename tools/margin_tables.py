"""Generate `margins.json`: how often a game of cribbage is won by a skunk or a double skunk.

    python -m tools.margin_tables > boardctl/bot/margins.json

DEALS random deals are thrown and played like those of `tools.bot_tables`. For every pair of scores
before a deal, the deals give the chance that the dealer, or the pone, wins while the loser is below
91 (a skunk), or below 61 (a double skunk). A skunk is won in this deal if the winner reaches 121
before the loser reaches the line; the loser is then so far from 121 that the loser cannot have won
earlier. Otherwise the chance is that of the scores after the deal, with the other side dealing. In
these deals, players throw and play for points, regardless of the value of a game.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from boardctl.bot.tables import DEALER, PONE, TARGET, UNIT, load
from tools.bot_tables import SEED, Events, as_json, deals, throws, worths
from tools.throw_chances import sixes

DEALS: Final = 100_000
LINES: Final = {"skunk": 91, "double": 61}
ABOUT: Final = "the margins of boardctl.bot.tables, made by python -m tools.margin_tables; MIT"
_FAR: Final = 90
"""More points than a side can score in a deal."""

Table = NDArray[np.float64]


def reached(dealt: Sequence[Events], side: bool) -> Table:
    """Return how often a side scores the points that it needs, by those points and by the other
    side's points at that time.

    Args:
        dealt: the deals, as points in their order.
        side: True for the dealer.
    """
    found = np.zeros((_FAR + 1, _FAR + 1))
    for events in dealt:
        have = [0, 0]
        for dealers, points in events:
            if dealers == side:
                found[have[side] + 1 : have[side] + points + 1, have[not side]] += 1
            have[dealers] += points
    return found / len(dealt)


def margins(dealt: Sequence[Events], line: int) -> tuple[Table, Table]:
    """Return the chances that the dealer and the pone win while the loser is below a line, by the
    dealer's score and the pone's."""
    dealer, pone = reached(dealt, side=True), reached(dealt, side=False)
    ends = Counter(
        (
            sum(points for dealers, points in events if dealers),
            sum(points for dealers, points in events if not dealers),
        )
        for events in dealt
    )
    cells = sorted(ends.items())
    more = np.array([one for (one, _), _ in cells])
    others = np.array([other for (_, other), _ in cells])
    share = np.array([times / len(dealt) for _, times in cells])
    wins, losses = np.zeros((TARGET, TARGET)), np.zeros((TARGET, TARGET))
    for both in range(2 * TARGET - 2, -1, -1):
        for one in range(max(0, both - TARGET + 1), min(TARGET, both + 1)):
            other = both - one
            for found, here, mine, theirs in (
                (wins, dealer, one, other),
                (losses, pone, other, one),
            ):
                needs = TARGET - mine
                room = max(0, line - theirs)
                found[one, other] = here[needs, :room].sum() if needs <= _FAR else 0.0
            on = (more < TARGET - one) & (others < TARGET - other)
            next_dealer, next_pone, weight = other + others[on], one + more[on], share[on]
            wins[one, other] += (weight * losses[next_dealer, next_pone]).sum()
            losses[one, other] += (weight * wins[next_dealer, next_pone]).sum()
    return wins, losses


def main() -> None:
    """Write the tables."""
    worth = [{ranks: worths(ranks, role) for ranks in sixes()} for role in (PONE, DEALER)]
    thrown = [throws(worth[role], load().pegging[role]) for role in (PONE, DEALER)]
    dealt = [events for _, events in deals(thrown, DEALS, SEED)]
    found = {}
    for name, line in LINES.items():
        for role, table in zip(("dealer", "pone"), margins(dealt, line), strict=True):
            found[f"{role} {name}"] = np.rint(table * UNIT).astype(int).tolist()
    sys.stdout.write(as_json(found, ABOUT))


if __name__ == "__main__":
    main()
