"""Draw recognized cards on a photo."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from boardctl.camera.outlines import Image
from boardctl.camera.reading import SeenCard

_SURE: Final = (60, 160, 0)
_ASKED: Final = (0, 120, 255)


def annotate(image: Image, seen: Sequence[SeenCard]) -> Image:
    """Return a copy of the photo with each card's outline and name: green if the reading is
    certain, orange with "?" if it is not."""
    drawn = image.copy()
    unit = max(image.shape[:2]) / 1000
    thick = max(1, round(3 * unit))
    for card in seen:
        colour = _SURE if card.sure else _ASKED
        corners = np.array(card.box)
        cv2.polylines(drawn, [corners.round().astype(np.int32)], True, colour, thick, cv2.LINE_AA)
        text = str(card.card) + ("" if card.sure else "?")
        x, y = corners.mean(axis=0).round().astype(int)
        place = (int(x - 22 * unit), int(y + 10 * unit))
        for shade, width in (((255, 255, 255), 3 * thick), (colour, thick)):
            cv2.putText(
                drawn, text, place, cv2.FONT_HERSHEY_SIMPLEX, 1.2 * unit, shade, width, cv2.LINE_AA
            )
    return drawn
