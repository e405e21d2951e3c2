"""Points of the play of Costly Colours. Source: docs/rules/costly-colours.md 4."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from boardctl.games.cards import Card
from boardctl.games.common import to_31
from boardctl.games.costly_colours.show import ALIKE, Item, Scale

COUNTS: Final = {15: "fifteen", 25: "twenty-five", 31: "thirty-one"}


def points(
    series: Sequence[Card], scale: Scale, *, runs: bool, pairs: bool, thirty: bool
) -> tuple[Item, ...]:
    """What the last card of a series earns: one point per card at 15, 25 and 31, and runs.

    Args:
        scale: what pairs are worth.
        pairs: whether pairs score in the play too.
        thirty: whether the count of 30 scores as 15 and 25 do.
    """
    if len(series) < 2:
        return ()
    cards = tuple(series)
    counts = COUNTS | {30: "thirty"} if thirty else COUNTS
    items = []
    total = to_31.count(series)
    if total in counts:
        items.append(Item(counts[total], cards, len(cards)))
    alike = to_31.alike(series) if pairs else 1
    if alike > 1:
        items.append(Item(ALIKE[alike], cards[-alike:], scale.pairs[alike]))
    run = to_31.run(series) if runs else 0
    if run:
        items.append(Item("run", cards[-run:], run))
    return tuple(items)
