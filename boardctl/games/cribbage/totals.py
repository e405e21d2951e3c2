"""The total of a hand or crib, by table: for sums over thousands of hands.

`show` finds the combinations that score; this room only adds them up, for `advice`, for
statistics and for tests. Cards are integers here, the index of a card in `boardctl.cards.CARDS`.
Importing it builds the tables, which takes about a hundredth of a second on a laptop: import it
where it is needed, not before.

A hand's four cards become one small integer by adding one number for each. Its low bits tell the
four ranks apart, whatever their order, and pick a row that has the points of fifteens, pairs and
runs with each starter; its high bits tell suits and jacks apart as far as flush and nobs need.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

Row = tuple[int, ...]
"""Points by starter, all 52."""

_RANKS: Final = range(13)
_KEYS: Final = (0, 1, 5, 21, 55, 153, 368, 856, 1424, 2603, 4967, 8194, 13663)
"""One for each rank, found greedily so that no two sums of four or fewer are equal."""
