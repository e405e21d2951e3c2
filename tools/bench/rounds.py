"""Alternating timing: the minimum CPU time over several rounds in which all sides take part."""

from __future__ import annotations

import time
from collections.abc import Callable


def least(*sides: Callable[[], object], rounds: int = 11) -> list[float]:
    """Return the minimum CPU seconds of each side, after one warm-up round."""
    best = [float("inf")] * len(sides)
    for turn in range(rounds + 1):
        for place, side in enumerate(sides):
            before = time.process_time()
            side()
            if turn:
                best[place] = min(best[place], time.process_time() - before)
    return best
