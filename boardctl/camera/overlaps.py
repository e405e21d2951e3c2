"""Find cards by their indices, even if little else of them is visible.

A small detector marks the position, direction and card width of each index. The index network
corrects these figures and reads the index.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from boardctl.camera import frames, network
from boardctl.camera.outlines import LONG_SIDE, Image, Points

Numbers = npt.NDArray[np.float32]

HEIGHT: Final = 1.42
"""The height of a card divided by its width: between poker (1.40) and bridge (1.56), nearer the
more common."""

_SIDES: Final = (LONG_SIDE, LONG_SIDE // 2, LONG_SIDE // 4)
"""The numbers of pixels along the longer side of the photo's copies in which indices are searched.
Each copy finds the indices of cards of 42 to 210 pixels."""

_MARKED: Final = 0.3
"""The minimum probability of a mark to be examined."""
_CERTAIN: Final = 0.7
"""The same for an index that is present although it cannot be read."""
_PRESENT: Final = 0.5
_ROUNDS: Final = 2
"""The number of times that a frame is corrected by the index network."""
_MOVABLE: Final = 0.2
"""The minimum probability of an index for such a correction."""
_EXACT: Final = 0.2
_ROUGH: Final = 0.4
"""The maximum distance between a card's second index and the expected position of that index, in
widths of the card. An index that reads differently may belong to the next card in a fan."""
_NEAR: Final = 0.22
_BESIDE: Final = 0.15
"""The distance from a better index, in widths of the card, below which two indices are the same,
and the distance for an index that reads as another card."""
_READABLE: Final = 0.5
"""The minimum probability of the likeliest card for an index to read as that card."""
_MOST_MARKS: Final = 64
_INDEX_AT: Final = (0.11, 0.155)
"""The middle of an index, as fractions of the card's width and height."""


class Index(NamedTuple):
    """A found index."""

    card: Points
    """The corners of the index's card, beginning at the index. The far corners are a guess."""
    present: float
    """The probability that there is an index, or 0 if it could not be read."""
    cards: Numbers
    """Natural logarithm of the probability of each of the 52 cards."""

    @property
    def middle(self) -> Points:
        """The middle of the index."""
        place, across, down = self.card[0], self.card[1], self.card[3]
        x, y = _INDEX_AT
        return np.asarray(place + x * (across - place) + y * (down - place), np.float32)

    @property
    def width(self) -> float:
        """The width of its card in pixels."""
        return float(np.hypot(*(self.card[1] - self.card[0])))

    @property
    def readable(self) -> bool:
        """Whether there is an index that can be read as a card."""
        return self.present > _PRESENT and float(np.exp(self.cards.max())) > _READABLE


def indices(image: Image) -> list[Index]:
    """Return the indices in a photo, clearest first, one for each position."""
    marks = _marks(image)
    cards = [card for _, card in marks]
    for _ in range(_ROUNDS):
        answers = network.indices([frames.index(image, card, 0) for card in cards])
        cards = [
            frames.moved(card, moves) if present > _MOVABLE else card
            for card, present, moves in zip(cards, answers.present, answers.moves, strict=True)
        ]
    answers = network.indices([frames.index(image, card, 0) for card in cards])
    found = [
        Index(card, float(present), logs)
        for (score, _), card, present, logs in zip(
            marks, cards, answers.present, answers.cards, strict=True
        )
        if present > _PRESENT or score > _CERTAIN
    ]
    return _distinct(_settled(image, index) for index in _distinct(found))


def _marks(image: Image) -> list[tuple[float, Points]]:
    """Return the most likely marks with the corners of their cards, in the photo's pixels."""
    found: list[tuple[float, float, Points]] = []
    for side in _SIDES:
        scale = side / max(image.shape[:2])
        how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
        small = np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)
        maps = network.marks(small)
        for y, x in np.argwhere(maps[0] > _MARKED):
            score, right, below, cos, sin, width = (float(each) for each in maps[:, y, x])
            middle = (np.array([x + 0.5 + right, y + 0.5 + below]) * network.CELL) / scale
            across = np.array([cos, sin]) / max(np.hypot(cos, sin), 1e-3)
            across *= 96 * np.exp(np.clip(width, -1.5, 1.5)) / scale
            down = np.array([-across[1], across[0]]) * HEIGHT
            place = middle - _INDEX_AT[0] * across - _INDEX_AT[1] * down
            card = np.array([place, place + across, place + across + down, place + down])
            found.append((score, float(np.hypot(*across)), card.astype(np.float32)))
    found.sort(key=lambda each: -each[0])
    kept: list[tuple[float, float, Points]] = []
    for score, width, card in found:
        if all(
            np.hypot(*(card[0] - other[0])) > _NEAR * min(width, wide) for _, wide, other in kept
        ):
            kept.append((score, width, card))
    return [(score, card) for score, _, card in kept[:_MOST_MARKS]]


def _settled(image: Image, index: Index) -> Index:
    """Read the index again with slightly different frames, and return the mean of the readings that
    show an index."""
    tries = _around(index.card, index.width)
    answers = network.indices([frames.index(image, card, 0) for card in tries])
    there = answers.present > _PRESENT
    if there.sum() < len(tries) / 2:
        return index._replace(present=0.0)
    mean = answers.cards[there].mean(axis=0)
    return index._replace(
        present=float(answers.present.mean()),
        cards=np.asarray(mean - np.logaddexp.reduce(mean), np.float32),
    )


def _around(card: Points, width: float) -> list[Points]:
    """Return the card, and copies that are shifted, widened and narrowed at its corner."""
    step = 0.025 * width
    moved = [
        card + np.array(move, np.float32) for move in ((step, 0), (-step, 0), (0, step), (0, -step))
    ]
    sized = [(card - card[0]) * scale + card[0] for scale in (1.08, 0.93)]
    return [np.asarray(each, np.float32) for each in (card, *moved, *sized)]


def _distinct(found: Iterable[Index]) -> list[Index]:
    """Return the best reading at each position."""
    kept: list[Index] = []
    for index in sorted(found, key=lambda each: -each.present * float(np.exp(each.cards.max()))):
        if not any(_in_one_place(index, other) for other in kept):
            kept.append(index)
    return kept


def _in_one_place(index: Index, other: Index) -> bool:
    """Return whether an index is at the position of a better index. In a fan, a large index
    suggests a wide card, so that the next index is near it but is read as another card."""
    away = float(np.hypot(*(index.middle - other.middle)))
    if index.readable and other.readable and index.cards.argmax() != other.cards.argmax():
        return away < _BESIDE * min(index.width, other.width)
    return away < _NEAR * index.width


def lies_on(index: Index, card: Points) -> bool:
    """Return whether an index is on a card."""
    x, y = (float(each) for each in index.middle)
    return cv2.pointPolygonTest(card, (x, y), False) >= 0


def opposite(index: Index, other: Index) -> bool:
    """Return whether another index is exactly in the opposite corner of this index's card, upside
    down."""
    return _in(index, other, (1, 1), _EXACT)


def of_one_card(index: Index, other: Index) -> bool:
    """Return whether another index is approximately in a corner of this index's card, because a
    pack may have four indices per card."""
    return any(_in(index, other, corner, _ROUGH) for corner in ((1, 1), (1, 0), (0, 1)))


def _in(index: Index, other: Index, corner: tuple[int, int], slack: float) -> bool:
    """Return whether another index is in this corner (1 for right, 1 for bottom) of an index's
    card. At the bottom it must be upside down. `slack` is the tolerance as a fraction of the card's
    width.
    """
    across, its = index.card[1] - index.card[0], other.card[1] - other.card[0]
    way = -1 if corner[1] else 1
    turned = way * float(across @ its) > 0.9 * index.width * other.width
    right, below = ((1 - 2 * at) * there for at, there in zip(_INDEX_AT, corner, strict=True))
    place = index.middle + right * across + below * (index.card[3] - index.card[0])
    return turned and float(np.hypot(*(place - other.middle))) < slack * index.width


def in_corner(index: Index, card: Points) -> bool:
    """Return whether an index on a card is in one of its corners, as the card's own indices are."""
    away = [float(np.hypot(*(corner - index.card[0]))) for corner in card]
    return min(away) < 0.3 * float(np.hypot(*(card[1] - card[0])))
