"""Duplicate evenings, on which several players get the same deals: the code, and the evening as a
board stores it.

The code determines every deal, so all boards with the same code deal the same cards. A board stores
its evening as `evening.json` in the data directory. A player who knows the code could compute the
deals. The page therefore shows the code only on request, for use on another board, and to everybody
once the evening is over.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from hashlib import sha256
from pathlib import Path
from typing import Any, Final, NamedTuple

from boardctl.options import structure
from boardctl.record import sealed
from boardctl.record.sealed import Shuffle
from boardctl.storage import files

FILE: Final = "evening.json"
ROUNDS: Final = range(1, 10)
"""The possible numbers of rounds of an evening."""
LEVELS: Final = range(1, 6)
"""The possible levels of the board in an evening."""
_LETTERS: Final = "0123456789ABCDEFGHJKMNPQRSTVWXYZ"
"""Crockford's base 32, without letters that are easily confused."""
_DRAWN: Final = 18
"""The number of random letters in a code. Each letter holds 5 bits."""
_GROUP: Final = 4
_ALIKE: Final = str.maketrans("OIL", "011", "-")
_NAME: Final = b"boardctl duplicate 1 "


class Code(NamedTuple):
    """The code of an evening. It determines the deals, so all boards with the same code deal the
    same cards."""

    rounds: int
    """The number of games that each player plays."""
    level: int
    """The level of the board."""
    drawn: str
    """Random letters from `_LETTERS`."""

    def __str__(self) -> str:
        letters = f"{self.rounds}{self.level}{self.drawn}"
        return "-".join(letters[at : at + _GROUP] for at in range(0, len(letters), _GROUP))

    @property
    def secret(self) -> bytes:
        """The secret from which all shuffles of the evening are derived."""
        return sha256(_NAME + str(self).encode()).digest()

    @property
    def commitment(self) -> str:
        """The commitment to the secret, shown before the first game."""
        return sealed.commitment(self.secret)

    def shuffle(self, number: int) -> Shuffle:
        """Return the shuffle of a round, counted from 1. The shuffle remains sealed after the
        game."""
        return Shuffle(self.secret.hex(), cut=f"round {number}", held=True)

    def seed(self, number: int) -> int:
        """Return the seed of the board's random choices in a round. It is the same at every
        table."""
        return int.from_bytes(sha256(self.secret + b"\0%d" % number).digest()[:3], "big")


def draw(rounds: int, level: int, random: Callable[[int], int]) -> Code:
    """Return a new code.

    Args:
        rounds: one of `ROUNDS`.
        level: one of `LEVELS`.
        random: returns a random integer from 0 up to, but not including, its argument.
    """
    letters = (_LETTERS[random(len(_LETTERS))] for _ in range(_DRAWN))
    return Code(rounds, level, "".join(letters))


def read_code(entered: str) -> Code:
    """Parse a code in any spelling. Raises ValueError if the text is not a code."""
    letters = "".join(entered.split()).upper().translate(_ALIKE)
    if len(letters) != _DRAWN + 2 or not set(letters) <= set(_LETTERS):
        raise ValueError(f"not the code of an evening: {entered}")
    code = Code(_LETTERS.index(letters[0]), _LETTERS.index(letters[1]), letters[2:])
    if code.rounds not in ROUNDS or code.level not in LEVELS:
        raise ValueError(f"not the code of an evening: {entered}")
    return code


@dataclass(frozen=True)
class Evening:
    """A duplicate evening of a board."""

    code: str
    """The code of the evening, as text."""
    ended: bool = False
    """Whether the evening is over, so that its code and deals are shown."""

    @property
    def deals(self) -> Code:
        """The parsed code."""
        return read_code(self.code)


def load(path: Path) -> Evening | None:
    """Return the evening stored in a file, or None if the file does not exist or cannot be read."""
    return files.load(path, _read)


def save(path: Path, evening: Evening) -> bool:
    """Store an evening in a file. Return whether the file could be written."""
    return files.keep(path, json.dumps(asdict(evening)).encode())


def _read(stored: Any) -> Evening:
    """Return a stored evening. Raises ValueError if the stored data is damaged."""
    evening = structure(stored, Evening)
    read_code(evening.code)
    return evening
