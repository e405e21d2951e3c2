"""Real photographs with known ranks, split into a part for tuning and a part for measurement.

They are not part of the repository. They come from EdjeElectronics' object detection tutorial
(Apache-2.0), with a `labels.json`: `[{"photo": …, "cards": [{"rank": "ace", "box": [x0, y0, x1,
y1]}]}]`. Suits are not labelled.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np

from boardctl.camera import outlines
from boardctl.camera.outlines import Image, Points

RANKS: Final = {"nine": "9", "ten": "T", "jack": "J", "queen": "Q", "king": "K", "ace": "A"}
BLOCK: Final = 12
"""Photographs are split by blocks in the order in which they were taken, because neighbours share a
table."""

_SAME: Final = 0.8
"""The minimum shared area of a label's box and an outline's, over their union, for the same
card."""
_NONE: Final = 0.25

Box = tuple[float, float, float, float]


class Labelled(NamedTuple):
    """A photograph and its cards."""

    path: Path
    cards: tuple[tuple[str, Box], ...]
    """Rank and box (left, top, right, bottom) in pixels."""
    apart: bool
    """Whether no two boxes share a pixel."""


class Outlined(NamedTuple):
    """A photograph with its outlines, grouped by whether they are cards."""

    image: Image
    cards: tuple[tuple[int, Points], ...]
    """Index of the rank in A23456789TJQK, and corners, for cards whose outline is certain."""
    others: tuple[Points, ...]
    """Outlines that touch no card."""
    boxes: tuple[Box, ...]
    """Outlines of cards whose outline is unknown."""


def load(folder: Path, part: str) -> list[Labelled]:
    """Return the photographs of a part: `tuning`, `held-out` (every third block) or `all`."""
    labels = sorted(json.loads((folder / "labels.json").read_text()), key=lambda one: one["photo"])
    found = []
    for place, each in enumerate(labels):
        held = place // BLOCK % 3 == 2
        if part == "all" or held == (part == "held-out"):
            cards = tuple((RANKS[card["rank"]], tuple(card["box"])) for card in each["cards"])
            apart = all(shared(a, b) == 0 for i, (_, a) in enumerate(cards) for _, b in cards[:i])
            found.append(Labelled(folder / each["photo"], cards, apart))
    return found


def outlined(photos: list[Labelled]) -> list[Outlined]:
    """Return the photographs with the outlines that `outlines.find` draws in them."""
    found = []
    for each in photos:
        read = cv2.imread(str(each.path))
        assert read is not None
        image = np.asarray(read, np.uint8)
        cards: list[tuple[int, Points]] = []
        others: list[Points] = []
        known: set[Box] = set()
        for outline in outlines.find(image).cards:
            around = box_of(outline.corners)
            fits = sorted((union(around, box), rank, box) for rank, box in each.cards)
            share, rank, box = fits[-1]
            if share > _SAME and box not in known:
                known.add(box)
                cards.append(("A23456789TJQK".index(rank), outline.corners))
            elif all(inside(around, box) < _NONE for _, box in each.cards):
                others.append(outline.corners)
        boxes = tuple(box for _, box in each.cards if box not in known)
        found.append(Outlined(image, tuple(cards), tuple(others), boxes))
    return found


def box_of(corners: Points) -> Box:
    """Return the upright box around a figure."""
    left, top = (float(each) for each in corners.min(axis=0))
    right, bottom = (float(each) for each in corners.max(axis=0))
    return left, top, right, bottom


def shared(one: Box, other: Box) -> float:
    """Return the area that two boxes share."""
    width = min(one[2], other[2]) - max(one[0], other[0])
    height = min(one[3], other[3]) - max(one[1], other[1])
    return max(width, 0) * max(height, 0)


def _area(box: Box) -> float:
    return max((box[2] - box[0]) * (box[3] - box[1]), 1e-6)


def union(one: Box, other: Box) -> float:
    """Return the area that two boxes share, divided by the area that they cover together."""
    share = shared(one, other)
    return share / (_area(one) + _area(other) - share)


def inside(one: Box, other: Box) -> float:
    """Return the area that two boxes share, divided by the area of the smaller one."""
    return shared(one, other) / min(_area(one), _area(other))
