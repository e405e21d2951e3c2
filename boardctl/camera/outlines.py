"""Outlines of cards in a photograph: quadrilaterals, and other bright regions.

A card is a light sheet on a darker or more colourful surface. No single threshold finds cards on
cloth, carpet, marble and wood alike, so several masks are tried, and the best of their outlines are
kept.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Points = npt.NDArray[np.float32]

LONG_SIDE: Final = 1024
"""The number of pixels along the longer side of the picture in which outlines are searched."""

_LEAST_AREA: Final = 0.0018
"""The minimum area as a fraction of the picture. A card in a hand laid out across a whole table has
about 1 %."""

_MOST_CLUSTERS: Final = 8
_MANY: Final = 13
_LEAST_FILLED: Final = 0.5
"""The minimum fraction of the hull's area. Overlapping cards leave few gaps."""

_ASPECTS: Final = (1.12, 1.95)
"""The range of long side to short side. A poker card has 1.40, a bridge card 1.56; tilt changes the
ratio."""


class Outline(NamedTuple):
    """A quadrilateral, with its corners in clockwise order, the first two along a short side, in
    pixels."""

    corners: Points
    fill: float
    """Area of the region over the area of the quadrilateral: 1 for a perfect outline."""


class Regions(NamedTuple):
    """The result: outlines of single cards, and the regions that contain them."""

    cards: tuple[Outline, ...]
    clusters: tuple[Points, ...]
    """Contours of light regions of any shape: cards, overlapping cards, and many other things."""


def find(image: Image) -> Regions:
    """Return outlines of possible cards, in the pixels of `image` (BGR)."""
    scale = LONG_SIDE / max(image.shape[:2])
    small = _resized(image, scale)
    found: list[Outline] = []
    regions: list[Points] = []
    for mask in _masks(small):
        for contour in _contours(mask):
            outline = _quadrilateral(contour)
            if outline is not None:
                found.append(outline)
            regions.append(contour)
    cards = _best(found)
    clusters = _distinct(regions)
    return Regions(
        tuple(Outline(card.corners / scale, card.fill) for card in cards),
        tuple(contour / scale for contour in clusters),
    )


def _resized(image: Image, scale: float) -> Image:
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    return np.asarray(cv2.resize(image, None, fx=scale, fy=scale, interpolation=how), np.uint8)


def _masks(image: Image) -> list[Image]:
    """Return pictures in which cards are white, each suited to certain tables."""
    smooth = cv2.medianBlur(image, 5)
    grey = cv2.cvtColor(smooth, cv2.COLOR_BGR2GRAY)
    least = smooth.min(axis=2)  # paper is light in all three colours; wood and cloth are not
    masks = []
    for channel in (grey, least):
        level, mask = cv2.threshold(channel, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
        masks.append(mask)
        above = channel[channel > level]
        if above.size:
            second, _ = cv2.threshold(above, 0, 255, cv2.THRESH_BINARY | cv2.THRESH_OTSU)
            masks.append(cv2.threshold(channel, second, 255, cv2.THRESH_BINARY)[1])
        masks.append(
            cv2.adaptiveThreshold(
                channel, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 255, -12
            )
        )
    edges = cv2.Canny(smooth, 40, 110)
    edges = cv2.dilate(edges, np.ones((3, 3), np.uint8))
    masks.append(cv2.bitwise_not(edges))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (5, 5))
    return [np.asarray(cv2.morphologyEx(mask, cv2.MORPH_OPEN, kernel), np.uint8) for mask in masks]


def _contours(mask: Image) -> list[Points]:
    least = _LEAST_AREA * mask.size
    contours, _ = cv2.findContours(mask, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    return [
        np.asarray(contour[:, 0], np.float32)
        for contour in contours
        if least < cv2.contourArea(contour) < 0.9 * mask.size
    ]


def _quadrilateral(contour: Points) -> Outline | None:
    """Return a four-sided figure for a contour, with its sides fitted to the contour's points."""
    hull = cv2.convexHull(contour)
    around = cv2.arcLength(hull, True)
    for tolerance in (0.02, 0.03, 0.045, 0.06):
        rough = cv2.approxPolyDP(hull, tolerance * around, True)
        if len(rough) == 4:
            break
    else:
        return None
    corners = _fitted(contour, np.asarray(rough[:, 0], np.float32))
    if corners is None:
        return None
    area = cv2.contourArea(corners)
    fill = cv2.contourArea(contour) / max(area, 1.0)
    if not 0.9 < fill < 1.06:
        return None
    corners = _upright(corners)
    width, height = _sides(corners)
    if not _square(corners):
        return None
    if not _ASPECTS[0] < height / max(width, 1.0) < _ASPECTS[1]:
        return None
    return Outline(corners, fill)


def _fitted(contour: Points, rough: Points) -> Points | None:
    """Return the corners at which lines through the middle parts of the sides meet. The contour
    itself has round corners."""
    lines = []
    for start, end in zip(rough, np.roll(rough, -1, axis=0), strict=True):
        along = end - start
        length = float(np.hypot(*along))
        if length < 8:
            return None
        along /= length
        relative = contour - start
        distance = relative @ along
        away = np.abs(relative @ np.array([-along[1], along[0]]))
        near = contour[
            (distance > 0.14 * length) & (distance < 0.86 * length) & (away < 0.05 * length)
        ]
        if len(near) < 6:
            return None
        dx, dy, x, y = cv2.fitLine(near, cv2.DIST_HUBER, 0, 0.01, 0.01).ravel()
        lines.append((dx, dy, x, y))
    corners = []
    for (ax, ay, apx, apy), (bx, by, bpx, bpy) in zip(
        np.roll(lines, 1, axis=0), lines, strict=True
    ):
        cross = ax * by - ay * bx
        if abs(cross) < 0.3:
            return None
        t = ((bpx - apx) * by - (bpy - apy) * bx) / cross
        corners.append((apx + t * ax, apy + t * ay))
    result = np.array(corners, np.float32)
    return result if cv2.isContourConvex(result) else None


def _square(corners: Points) -> bool:
    """Return whether the angle at each corner is between about 62 and 118 degrees, as in a tilted
    rectangle."""
    sides = np.roll(corners, -1, axis=0) - corners
    sides /= np.maximum(np.hypot(*sides.T)[:, None], 1e-6)
    return bool((np.abs((sides * np.roll(sides, 1, axis=0)).sum(axis=1)) < 0.47).all())


def _sides(corners: Points) -> tuple[float, float]:
    sides = np.hypot(*(np.roll(corners, -1, axis=0) - corners).T)
    return float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2


def _upright(corners: Points) -> Points:
    """Return the corners clockwise as seen, beginning with a short side."""
    if cv2.contourArea(corners, oriented=True) < 0:
        corners = corners[::-1]
    width, height = _sides(corners)
    return np.ascontiguousarray(corners if width <= height else np.roll(corners, -1, axis=0))


def _best(found: list[Outline]) -> list[Outline]:
    """Return one outline for each group of nearly equal outlines from several masks."""
    kept: list[Outline] = []
    for outline in sorted(found, key=lambda each: abs(1 - each.fill)):
        if all(_apart(outline.corners, other.corners) > 0.06 for other in kept):
            kept.append(outline)
    return kept


def _apart(one: Points, other: Points) -> float:
    """Return the largest distance between the corners of two outlines, as a fraction of the first
    outline's width.
    """
    away = min(float(np.hypot(*(one - np.roll(other, turn, axis=0)).T).max()) for turn in range(4))
    return away / max(_sides(one)[0], 1.0)


def shared(one: Points, other: Points) -> float:
    """Return the area common to two convex figures, in pixels."""
    return float(cv2.intersectConvexConvex(one, other)[0])


def overlap(one: Points, other: Points) -> float:
    """Return the area common to two convex figures, as a fraction of the smaller figure's area."""
    return shared(one, other) / max(min(cv2.contourArea(one), cv2.contourArea(other)), 1.0)


def _distinct(contours: list[Points]) -> list[Points]:
    """Return the largest regions without duplicates. Of nearly equal regions, return the one that
    fills its hull best."""
    kept: list[tuple[Points, Points]] = []
    hulls = [np.asarray(cv2.convexHull(contour)[:, 0], np.float32) for contour in contours]
    shares = [
        cv2.contourArea(contour) / max(cv2.contourArea(hull), 1.0)
        for contour, hull in zip(contours, hulls, strict=True)
    ]
    for each in np.argsort(shares)[::-1]:
        if shares[each] > _LEAST_FILLED and all(
            _alike(hulls[each], hull) < 0.7 for _, hull in kept
        ):
            kept.append((contours[each], hulls[each]))
    clusters = [contour for contour, _ in kept]
    return sorted(clusters, key=cv2.contourArea, reverse=True)[:_MOST_CLUSTERS]


def _alike(one: Points, other: Points) -> float:
    """Return the area common to two convex figures, as a fraction of the larger figure's area."""
    return shared(one, other) / max(cv2.contourArea(one), cv2.contourArea(other), 1.0)


def is_of(region: Points, card: Points) -> bool:
    """Return whether a region is this card or is on it."""
    hull = np.asarray(cv2.convexHull(region)[:, 0], np.float32)
    return shared(hull, card) > 0.85 * cv2.contourArea(hull)


def of_one_size(found: Sequence[Outline]) -> list[Points]:
    """Return the outlines of the size that has the largest total area. They are cards laid apart,
    not the table under the cards or the pips on them."""
    best: list[Points] = []
    for usual in {round(cv2.contourArea(outline.corners)) for outline in found}:
        group: list[Points] = []
        for outline in found:
            alike = 0.65 < cv2.contourArea(outline.corners) / usual < 1.5
            if alike and all(overlap(outline.corners, other) < 0.2 for other in group):
                group.append(outline.corners)
        if (len(group) >= _MANY, _area(group)) > (len(best) >= _MANY, _area(best)):
            best = group
    return best


def _area(outlines: Sequence[Points]) -> float:
    return sum(cv2.contourArea(corners) for corners in outlines)
