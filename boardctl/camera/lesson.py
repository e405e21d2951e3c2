"""Teach a pack one suit at a time: what a photo of thirteen cards shows, and what is missing."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boardctl.camera import outlines, reading, taught
from boardctl.camera.outlines import Image
from boardctl.games.cards import CARDS
from boardctl.storage import pack_files

Numbers = npt.NDArray[np.float32]

_RANKS: Final = tuple(str(card)[0] for card in CARDS[:13])
_ENOUGH: Final = 8
"""Cards from which the missing ones are named; fewer say nothing."""
_OTHER: Final = 1.5
"""Mean logarithm by which another suit is likelier than the wanted one where it is refused: this
many times over the thirteen cards is no accident even with an unknown pack."""


class Lesson(NamedTuple):
    """What a photo of one suit shows."""

    found: int
    """Cards; 13 are wanted."""
    missing: tuple[str, ...]
    """Ranks that were probably not found: `7`, `T`."""
    other: str
    """The letter of another suit that it shows instead; usually empty."""
    pictures: tuple[Image, ...]
    """Of the cards, ace to king."""

    @property
    def learned(self) -> bool:
        return self.found == 13 and not self.other


def look(image: Image, suit: str) -> Lesson:
    """The cards of a suit (`S`, `H`, `D` or `C`) in a photo, laid ace to king in one or more
    rows."""
    found = outlines.of_one_size(outlines.find(image).cards)
    cards = [corners for row in taught.rows(found) for corners in row]
    scores = reading.scores(image, cards)
    suits = scores.reshape(-1, 4, 13).max(axis=2).mean(axis=0) if cards else np.zeros(4)
    letters = tuple(pack_files.SUITS)
    likely, wanted = int(suits.argmax()), letters.index(suit)
    other = letters[likely] if suits[likely] - suits[wanted] > _OTHER else ""
    missing = gaps(scores.reshape(-1, 4, 13).max(axis=1)) if cards else []
    return Lesson(
        len(cards),
        tuple(_RANKS[rank] for rank in missing),
        other if len(cards) >= _ENOUGH else "",
        tuple(taught.picture(image, corners) for corners in cards),
    )


def gaps(scores: Numbers) -> list[int]:
    """The ranks (0 for the ace) that are missing from cards laid in order.

    Args:
        scores: for each card the logarithm of the probability of each rank.
    """
    count = len(scores)
    if not _ENOUGH <= count < 13:
        return []
    best = max(
        combinations(range(13), count),
        key=lambda ranks: float(scores[np.arange(count), list(ranks)].sum()),
    )
    return [rank for rank in range(13) if rank not in best]


def keep(folder: Path, name: str, suit: str, pictures: Sequence[Image]) -> str:
    """Keep a suit, and the whole pack once all are there; returns the suits still to come.

    Raises:
        PhotoError: if the name is not valid, or the folder cannot be read or written.
    """
    taught.check_name(name)
    taught.save_suit(folder, name, suit, pictures)
    learned = pack_files.begun(folder)[name]
    left = "".join(each for each in pack_files.SUITS if each not in learned)
    if not left:
        taught.save(folder, taught.Pack(name, taught.load_suits(folder, name)))
        for each in pack_files.SUITS:
            pack_files.suit_file(folder, name, each).unlink()
    return left
