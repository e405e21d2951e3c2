"""Several views of the same cards, fused: frames of a burst, or one photo turned and made smaller.

A reading that is unsure in one view is often sure in the next one, because the errors of the
networks depend on where their frames fall.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from boardctl.camera import reading, taught
from boardctl.camera.outlines import Image
from boardctl.camera.reading import SeenCard

VIEWS: Final = ((3.0, 1.0), (-3.0, 1.0), (0.0, 0.8))
"""The additional views of one photo: degrees that it is turned, and its scale."""
_NEEDED: Final = 2
"""The number of views in which a card must be sure."""
_NEAR: Final = 0.3
"""The maximum distance between two readings of one place, in widths of the card."""


def read(
    image: Image, packs: Sequence[taught.Pack] = (), wanted: int | None = None
) -> list[SeenCard]:
    """Return the cards in a photo, in reading order.

    If a card is in doubt, or fewer than `wanted` cards are sure, more views of the photo are read
    until there is no doubt.
    """
    seen = reading.read(image, packs)
    if not in_doubt(seen, wanted):
        return seen
    found = [seen]
    for turn, scale in VIEWS:
        found.append(_viewed(image, packs, turn, scale))
        if not in_doubt(fused(found), wanted):
            break
    return fused(found)


def in_doubt(seen: Sequence[SeenCard], wanted: int | None = None) -> bool:
    """Return whether a card is not sure, or fewer than `wanted` are."""
    sure = sum(each.sure for each in seen)
    return sure < len(seen) or not seen or (wanted is not None and sure < wanted)


def fused(views: Sequence[Sequence[SeenCard]]) -> list[SeenCard]:
    """Return the cards of the first view, surer by the others.

    A card is sure if it is sure at the same place in two views and no view is sure of another card
    there. A card that the first view lacks is added.
    """
    first = views[0]
    names = [card for seen in views for card, count in _names(seen).items() if count > 1]
    sure = [[each for each in seen if each.sure] for seen in views]
    kept: list[SeenCard] = []
    for each in first:
        others = Counter(
            other.card
            for seen in sure
            for other in seen
            if other.card != each.card and _in_one_place(each, other)
        )
        agreed = sum(_shown(each, seen) for seen in sure)
        if others:
            kept.append(each._replace(sure=False))
        elif agreed >= _NEEDED and each.card not in names:
            kept.append(each._replace(sure=True))
        else:
            kept.append(each)
    return kept


def _names(seen: Iterable[SeenCard]) -> Counter[object]:
    return Counter(each.card for each in seen)
