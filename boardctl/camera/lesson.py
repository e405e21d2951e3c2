"""Teach a pack one suit at a time: find the cards in a photo of thirteen, and which are missing."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from itertools import combinations
from pathlib import Path
from typing import Final, NamedTuple

import numpy as np
import numpy.typing as npt

from boardctl.camera import outlines, reading, taught
from boardctl.camera.outlines import Image
from boardctl.camera.photo import PhotoError
from boardctl.storage import pack_files

Numbers = npt.NDArray[np.float32]

_ENOUGH: Final = 8 / 13
"""The minimum fraction of a suit's cards from which the missing cards can be named."""
_OTHER: Final = 1.5
"""The mean logarithm by which another suit must be likelier than the wanted one to refuse the
photo. Over thirteen cards this is no accident, even with an unknown pack."""


class Lesson(NamedTuple):
    """The content of a photo of one suit."""

    found: int
    """The number of cards found."""
    wanted: int
    """The number of the suit's cards in the pack."""
    missing: tuple[str, ...]
    """The ranks that were probably not found: `7`, `T`."""
    other: str
    """The letter of another suit if the photo shows that suit, otherwise an empty string."""
    pictures: tuple[Image, ...]
    """The pictures of the cards, in their order."""

    @property
    def learned(self) -> bool:
        return self.found == self.wanted and not self.other


def cards_laid(image: Image, suit: str, ranks: str = pack_files.RANKS) -> Lesson:
    """Return the cards of a suit (`S`, `H`, `D` or `C`) in a photo. They must be laid out in one or
    more rows, in the order of the pack's `ranks`."""
    found = outlines.of_one_size(outlines.find(image).cards)
    cards = [corners for row in taught.rows(found) for corners in row]
    there = [pack_files.RANKS.index(rank) for rank in ranks]
    scores = reading.scores(image, cards).reshape(-1, 4, 13)[:, :, there]
    suits = scores.max(axis=2).mean(axis=0) if cards else np.zeros(4)
    letters = tuple(pack_files.SUITS)
    likely, wanted = int(suits.argmax()), letters.index(suit)
    other = letters[likely] if suits[likely] - suits[wanted] > _OTHER else ""
    missing = gaps(scores.max(axis=1)) if cards else []
    return Lesson(
        len(cards),
        len(ranks),
        tuple(ranks[rank] for rank in missing),
        other if len(cards) >= _ENOUGH * len(ranks) else "",
        tuple(taught.picture(image, corners) for corners in cards),
    )


def gaps(scores: Numbers) -> list[int]:
    """Return the ranks (0 for the first) that are missing from a row of cards laid in order.

    Args:
        scores: for each card the logarithm of the probability of each rank of the suit.
    """
    count, wanted = scores.shape
    if not _ENOUGH * wanted <= count < wanted:
        return []
    best = max(
        combinations(range(wanted), count),
        key=lambda ranks: float(scores[np.arange(count), list(ranks)].sum()),
    )
    return [rank for rank in range(wanted) if rank not in best]


def keep(
    folder: Path, name: str, suit: str, pictures: Sequence[Image], ranks: str = pack_files.RANKS
) -> str:
    """Store the pictures of these ranks of a suit, and the whole pack once all suits exist. Return
    the missing suits. When a pack is taught again, the pictures of other ranks are kept.

    Raises:
        PhotoError: if the name is not valid, or the folder cannot be read or written.
    """
    taught.check_name(name)
    faces = taught.no_faces(13)
    faces[[pack_files.RANKS.index(rank) for rank in ranks]] = pictures
    taught.save_suit(folder, name, suit, faces)
    learned = pack_files.begun(folder)[name]
    left = "".join(each for each in pack_files.SUITS if each not in learned)
    if not left:
        faces = taught.load_suits(folder, name)
        absent = ~taught.taught_faces(faces)
        if absent.any():
            with suppress(PhotoError):  # nothing of a damaged pack is kept
                faces[absent] = taught.load_pack(folder, name).faces[absent]
        taught.save(folder, taught.Pack(name, faces))
        for each in pack_files.SUITS:
            pack_files.suit_file(folder, name, each).unlink()
    return left
