"""The names and paths of the packs that the camera has learned. This module does not read the
files.

A pack is `NAME.npz` in a folder next to the journal. Suits learned one at a time are stored in
`begun/NAME-S.npz` (S, H, D or C for the suit) until all four exist.
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final

SUITS: Final = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs"}
"""The suits in the order in which they are taught."""
RANKS: Final = "A23456789TJQK"
"""The ranks of a suit in the order in which they are laid out."""
_NAME: Final = re.compile(r"[^\W_](?:[^\W_]|[ '’-]){0,30}(?<! )")
"""A valid name: letters and digits of any script, spaces, hyphens and apostrophes. Such a name
cannot contain a path."""


def valid(name: str) -> bool:
    """Return whether a name is valid for a pack."""
    return _NAME.fullmatch(name) is not None


def valid_ranks(ranks: str) -> bool:
    """Return whether these are at least two ranks of a suit, in the usual order."""
    return len(ranks) > 1 and ranks == ranks_in(ranks)


def ranks_in(cards: Iterable[str]) -> str:
    """Return each rank of the cards once, in the order in which they are laid out."""
    there = frozenset(card[0] for card in cards)
    return "".join(rank for rank in RANKS if rank in there)


def names(folder: Path) -> list[str]:
    """Return the names of the packs in a folder, which need not exist."""
    return sorted(path.stem for path in folder.glob("*.npz"))


def begun(folder: Path) -> dict[str, str]:
    """Return the names of partly learned packs, and their learned suits: `SH`."""
    found: dict[str, str] = {}
    for suit in SUITS:
        for path in sorted((folder / "begun").glob(f"*-{suit}.npz")):
            name = path.stem.removesuffix(f"-{suit}")
            found[name] = found.get(name, "") + suit
    return found


def suit_file(folder: Path, name: str, suit: str) -> Path:
    """Return the file of a learned suit, which is kept until the other suits have been learned."""
    return folder / "begun" / f"{name}-{suit}.npz"


def forget(folder: Path, name: str) -> bool:
    """Delete a pack and its partly learned suits. Return whether the pack existed.

    Raises:
        OSError: a file cannot be deleted.
    """
    files = [folder / f"{name}.npz", *(suit_file(folder, name, suit) for suit in SUITS)]
    there = [path for path in files if path.exists()]
    for path in there:
        path.unlink()
    return bool(there)
