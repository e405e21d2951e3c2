"""Points of the play of Noddy: what the last card played earns. Source: docs/rules/noddy.md 4.3."""

from __future__ import annotations

from collections.abc import Sequence

from boardctl.games.cards import Card
from boardctl.games.common import to_31
from boardctl.games.common.to_31 import THIRTY_ONE
from boardctl.games.noddy.show import ALIKE, FIFTEEN, Item

TWENTY_FIVE = 25


def points(series: Sequence[Card], *, per_card: bool, flushes: bool) -> tuple[Item, ...]:
    """What the last card of a series earns: fifteen, pair or its royals, run, flush, thirty-one.

    Args:
        per_card: a count of 15, 25 or 31 earns one point per card of the series.
        flushes: whether three or more consecutive cards of a suit score.
    """
    if len(series) < 2:
        return ()
    cards = tuple(series)
    items = []
    total = to_31.count(series)
    counts = {FIFTEEN: "fifteen", THIRTY_ONE: "thirty-one"}
    if per_card:
        counts[TWENTY_FIVE] = "twenty-five"
    if total in counts:
        items.append(Item(counts[total], cards, len(cards) if per_card else 2))
    alike = to_31.alike(series)
    if alike > 1:
        reason, worth = ALIKE[alike]
        items.append(Item(reason, cards[-alike:], worth))
    run = to_31.run(series)
    if run:
        items.append(Item("run", cards[-run:], run))
    flush = to_31.flush(series) if flushes else 0
    if flush:
        items.append(Item("flush", cards[-flush:], flush))
    return tuple(items)
