"""How much work it is to read an evening again, bounded for the smallest machine. Pure.

A board reads its last evening before its first light, move by move. `amend`, `insert`, `undo` with
`redo`, and `set` before the first deal play moves once more, so a short text can be much work. The
table begins a new evening, or accepts no more lines, before an evening is more work than `MOST`;
storage does not go on with one that is.
"""

from __future__ import annotations

from typing import Final

FULL: Final = 20_000
"""The effort of some 200 games entered by hand: the next game begins a new evening."""
MOST: Final = 50_000
"""The greatest effort of an evening: seconds on a Raspberry Pi Zero 2 W."""
_LETTERS: Final = 256
"""So many letters are as much work as a move."""
_AGAIN: Final = frozenset({"undo", "amend", "insert"})
_OPENING: Final = frozenset({"cut", "dealer", "start", "adjust"})
_AGREED: Final = frozenset({"seat", "set"})


class Effort:
    """The moves that have to be played to read an evening, at most; a line counts as one and
    more."""

    def __init__(self, prelude: str = "") -> None:
        self.total = 0
        """The effort of the lines so far, in moves."""
        self._lines = 0
        self._opening = 0
        for line in prelude.splitlines():
            self.add(line)

    def of(self, text: str) -> int:
        """What one more line would add, in moves."""
        words = text.split(None, 2)[:2]
        cost = 1 + len(text) // _LETTERS
        if words and words[0] in _AGAIN:
            # As far back as it goes, and forth again.
            cost += 2 * min(_number(words[1:]), self._lines)
        elif words and words[0] in _AGREED:
            cost += self._opening  # the lines before the first deal are played again
        return cost

    def add(self, text: str) -> int:
        """Count a line; returns the total."""
        self.total += self.of(text)
        self._lines += 1
        self._opening += any(word in _OPENING for word in text.split(None, 2)[:2])
        return self.total


def _number(words: list[str]) -> int:
    """The number after a verb, 1 without one; text that is none costs nothing more."""
    if not words:
        return 1
    return int(words[0]) if words[0].isascii() and words[0].isdigit() and len(words[0]) < 10 else 0
