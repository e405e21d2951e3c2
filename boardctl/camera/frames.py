"""Cut rectified pictures of cards and indices out of a photo."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

FACE: Final = (88, 124)
"""The width and height of a whole card for the network."""

CORNER: Final = (48, 72)
"""The width and height of an index (rank over suit) for the network."""

CORNER_BOX: Final = (-0.03, -0.03, 0.30, 0.325)
"""The part of a card that contains an index: left, top, right, bottom, as fractions of the card."""

_SLANT: Final = 0.4
"""The maximum cosine of the angle at a card's corner, seen at a tilt."""

_UNIT: Final = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)


def face(image: Image, card: Points) -> Image:
    """Return the picture of a whole card, seen from above."""
    return _cut(image, card, FACE)


def index(image: Image, card: Points, corner: int) -> Image:
    """Return the index of one corner (0 top left, then clockwise), upright."""
    return _cut(image, index_frame(card, corner), CORNER)


def index_frame(card: Points, corner: int) -> Points:
    """Return the position of a corner's index in the photo: its corners, clockwise, as seen when
    the index is upright."""
    left, top, right, bottom = CORNER_BOX
    if corner in (1, 3):
        left, right = 1 - right, 1 - left
    box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], np.float32)
    if corner in (2, 3):
        box = 1 - box
    onto = cv2.getPerspectiveTransform(_UNIT, card)
    return np.asarray(cv2.perspectiveTransform(box[None], onto)[0], np.float32)


def moved(card: Points, moves: npt.NDArray[np.float32]) -> Points:
    """Return the card, a parallelogram, whose index in corner 0 has been moved by `moves`: the
    shifts of the upper left, upper right and lower left corners of its frame, in widths and heights
    of the current frame. Implausible moves are ignored."""
    left, top, right, bottom = CORNER_BOX
    onto = cv2.getPerspectiveTransform(_UNIT, index_frame(card, 0))
    there = _UNIT[[0, 1, 3]] + moves.reshape(3, 2)
    first, second, last = cv2.perspectiveTransform(there[None], onto)[0]
    across, down = (second - first) / (right - left), (last - first) / (bottom - top)
    place = first - left * across - top * down
    result = np.array([place, place + across, place + across + down, place + down], np.float32)
    width, height = float(np.hypot(*across)), float(np.hypot(*down))
    usual = float(np.hypot(*(card[1] - card[0])))
    slant = abs(float(across @ down)) / max(width * height, 1e-3)
    if 0.4 < width / max(usual, 1e-3) < 2.5 and 1.0 < height / max(width, 1e-3) < 2.0:
        return result if slant < _SLANT and cv2.contourArea(result, oriented=True) > 0 else card
    return card


def turned(card: Points) -> Points:
    """Return the same card read from its other end."""
    return np.roll(card, 2, axis=0)


def _cut(image: Image, around: Points, size: tuple[int, int]) -> Image:
    """Return a rectified quadrilateral of the photo. A large quadrilateral is cut from a reduced
    copy to avoid aliasing."""
    width, height = size
    left, top = np.floor(around.min(axis=0)).astype(int) - 2
    right, bottom = np.ceil(around.max(axis=0)).astype(int) + 3
    left, top = max(left, 0), max(top, 0)
    part = image[top:bottom, left:right]
    if part.size == 0:
        return np.zeros((height, width, 3), np.uint8)
    moved = around - np.array([left, top], np.float32)
    shrink = float(np.hypot(*(around[3] - around[0]))) / height
    if shrink > 1.5:
        part = np.asarray(
            cv2.resize(part, None, fx=1 / shrink, fy=1 / shrink, interpolation=cv2.INTER_AREA),
            np.uint8,
        )
        moved = moved / shrink
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    onto = cv2.getPerspectiveTransform(moved.astype(np.float32), flat)
    return np.asarray(
        cv2.warpPerspective(
            part, onto, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )
