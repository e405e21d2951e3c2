"""Traces of unread cards in a photo: parts of a region of overlapping cards. They are recognized by
their paper colour, which distinguishes them from other light objects."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

import cv2
import numpy as np
import numpy.typing as npt

from boardctl.camera import outlines, overlaps
from boardctl.camera.outlines import Image, Points

Colour = npt.NDArray[Any]

_MOSTLY_READ: Final = 0.45
"""The minimum fraction of a region's area that recognized cards cover. A region with less is not a
region of cards."""

_LEFT_OVER: Final = 0.12
"""The minimum area of a region's uncovered part, relative to a card's area, for an unread card."""

_LEAST_PAPER: Final = 0.85
_MOST_PAPER: Final = 1.25
_TINGE: Final = 1.12
"""The limits of an unread card's lightness and colour, relative to the paper of the recognized
cards."""


def find(image: Image, clusters: Sequence[Points], cards: Sequence[Points]) -> list[Points]:
    """Return boxes around the parts of regions of overlapping cards that are not covered by
    recognized cards, if they are as large as a card's edge and have its paper colour.

    Args:
        clusters: the outlines of the regions.
        cards: the corners of the cards that were recognized.
    """
    missed: list[Points] = []
    if not cards:
        return missed
    paper = np.median([light(image, card) for card in cards], axis=0)
    width = float(np.median([np.hypot(*(card[1] - card[0])) for card in cards]))
    for cluster in clusters:
        inside = [card for card in cards if _holds(cluster, card.mean(axis=0))]
        if not inside:
            continue
        hull = np.asarray(cv2.convexHull(cluster)[:, 0], np.float32)
        read = sum(outlines.shared(hull, card) for card in inside)
        if read < _MOSTLY_READ * cv2.contourArea(cluster):  # a light table, not cards
            continue
        for corners in _left_over(image.shape[:2], cluster, cards, width):
            if is_paper(light(image, corners), paper) and all(
                outlines.overlap(corners, other) < 0.5 for other in missed
            ):
                missed.append(corners)
    return missed


def light(image: Image, corners: Points) -> Colour:
    """Return the colour of the lighter part of a figure, which is the card's paper."""
    left, top = np.maximum(np.floor(corners.min(axis=0)).astype(int), 0)
    right, bottom = np.ceil(corners.max(axis=0)).astype(int)
    part = image[top:bottom, left:right]
    mask = np.zeros(part.shape[:2], np.uint8)
    if part.size:
        inner = (corners - corners.mean(axis=0)) * 0.9 + corners.mean(axis=0)
        cv2.fillConvexPoly(mask, (inner - (left, top)).round().astype(np.int32), 1)
    if not mask.any():
        return np.zeros(3, np.float32)
    return np.asarray(np.percentile(part[mask > 0], 75, axis=0), np.float32)


def is_paper(colour: Colour, paper: Colour) -> bool:
    """Return whether a colour is the paper colour of the recognized cards, in slightly weaker or
    stronger light."""
    share = colour / np.maximum(paper, 1)
    least, most = float(share.min()), float(share.max())
    return least > _LEAST_PAPER and most < _MOST_PAPER and most < _TINGE * least


def _left_over(
    size: tuple[int, ...], cluster: Points, cards: Sequence[Points], width: float
) -> list[Points]:
    """Return boxes around the parts of a region that are not covered by cards and are wider than an
    edge."""
    scale = 60 / width
    mask = np.zeros((int(size[0] * scale) + 1, int(size[1] * scale) + 1), np.uint8)
    cv2.fillPoly(mask, [(cluster * scale).round().astype(np.int32)], 255)
    for card in cards:
        middle = card.mean(axis=0)
        wider = (card - middle) * 1.06 + middle
        cv2.fillPoly(mask, [(wider * scale).round().astype(np.int32)], 0)
    mask = np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8)), np.uint8)
    contours, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    return [
        np.asarray(cv2.boxPoints(cv2.minAreaRect(contour)) / scale, np.float32)
        for contour in contours
        if cv2.contourArea(contour) > _LEFT_OVER * 60 * 60 * overlaps.HEIGHT
    ]


def _holds(contour: Points, point: Points) -> bool:
    return cv2.pointPolygonTest(contour, (float(point[0]), float(point[1])), False) >= 0
