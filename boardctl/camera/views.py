"""Combine several views of one photo: rotated slightly either way, and reduced.

The networks cut their pictures at slightly different positions in each view, so an unlucky cut in
one view does not recur in the next.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from boardctl.camera import reading, taught
from boardctl.camera.outlines import Image
from boardctl.camera.reading import SeenCard

VIEWS: Final = ((3.0, 1.0), (-3.0, 1.0), (0.0, 0.8))
"""The additional views: the degrees by which the photo is turned, and its scale."""
_SURE_IN: Final = 2
"""The number of views that must be sure of a card."""
_STEADY: Final = 0.5
"""The mean probability at which a card is sure if every view reads it and none contradicts it. In
81 rendered scenes, all 12 cards that every view read with this probability were right."""
_SAME: Final = 0.6
_PLACE: Final = 0.3
"""The maximum distance between two readings of one card, and between readings of two cards at one
position, in widths of the card."""


def read(image: Image, packs: Sequence[taught.Pack] = ()) -> list[SeenCard]:
    """Return the cards in a photo in reading order. If a card is in doubt, several views are
    read."""
    seen = reading.read(image, packs)
    if all(each.sure for each in seen) or reading.is_grey(image):
        return seen
    return fused([seen, *(_view(image, packs, turn, scale) for turn, scale in VIEWS)])


def fused(views: Sequence[Sequence[SeenCard]]) -> list[SeenCard]:
    """Return the cards in the first view and those that it missed, with the certainty based on all
    views.

    Args:
        views: the cards of each view, with boxes in the pixels of the first one.
    """
    first, *rest = views
    twice = {
        card
        for seen in views
        for card, count in Counter(each.card for each in seen).items()
        if count > 1
    }
    cards = [
        each._replace(sure=_is_sure(each, first, rest) and (each.sure or each.card not in twice))
        for each in first
    ]
    for each in (one for seen in rest for one in seen if one.sure and one.card not in twice):
        known = any(each.card == other.card for other in cards)
        certain = [other for other in (*first, *cards) if other.sure]
        covered = any(_distance(each, other) < _PLACE for other in certain)
        if not known and not covered and _times_sure(each, rest) >= _SURE_IN:
            cards = [other for other in cards if other.sure or _distance(each, other) >= _PLACE]
            cards.append(each)
    return cards


def _is_sure(each: SeenCard, first: Sequence[SeenCard], rest: Sequence[Sequence[SeenCard]]) -> bool:
    """Return whether a card in the first view is certain, given the other views."""
    elsewhere = {other.card for other in first if other.sure and other.card != each.card}
    denied = any(
        other.sure
        and other.card != each.card
        and other.card not in elsewhere
        and _distance(each, other) < _PLACE
        for seen in rest
        for other in seen
    )
    again = [one for seen in rest if (one := _match(each, seen)) is not None]
    times = sum(one.sure for one in (each, *again))
    if each.sure or denied:
        return each.sure and (times >= _SURE_IN or not denied)
    steady = len(again) == len(rest) and not any(one.contradicted for one in (each, *again))
    mean = float(np.mean([one.probability for one in (each, *again)]))
    return times >= _SURE_IN or (steady and mean >= _STEADY)


def _times_sure(each: SeenCard, views: Sequence[Sequence[SeenCard]]) -> int:
    """Return the number of views in which a card is certain at its position."""
    again = (_match(each, seen) for seen in views)
    return sum(one is not None and one.sure for one in again)


def _match(each: SeenCard, seen: Sequence[SeenCard]) -> SeenCard | None:
    """Return the same card at the same position in another view."""
    same = [one for one in seen if one.card == each.card and _distance(each, one) < _SAME]
    return max(same, key=lambda one: (one.sure, one.probability), default=None)


def _distance(one: SeenCard, other: SeenCard) -> float:
    """Return the distance between two cards' reading corners or middles, in card widths.

    A card may be read from either end, and the position of the far end of a card with a single
    index is a guess.
    """
    here, there = np.array(one.box), np.array(other.box)
    width = min(float(np.hypot(*(box[1] - box[0]))) for box in (here, there))
    pairs = ((here[0], there[0]), (here[0], there[2]), (here.mean(axis=0), there.mean(axis=0)))
    return min(float(np.hypot(*(a - b))) for a, b in pairs) / max(width, 1.0)


def _view(image: Image, packs: Sequence[taught.Pack], turn: float, scale: float) -> list[SeenCard]:
    """Return the cards in a rotated and scaled copy, with boxes in pixels of the original."""
    height, width = image.shape[:2]
    onto = cv2.getRotationMatrix2D((width / 2, height / 2), turn, scale)
    across, down = np.abs(onto[:, :2]) @ (width, height)
    onto[:, 2] += ((across - width) / 2, (down - height) / 2)
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC
    view = cv2.warpAffine(
        image, onto, (int(across), int(down)), flags=how, borderMode=cv2.BORDER_REPLICATE
    )
    back = cv2.invertAffineTransform(onto)
    cards = []
    for each in reading.read(np.asarray(view, np.uint8), packs):
        corners = np.array(each.box) @ back[:, :2].T + back[:, 2]
        cards.append(each._replace(box=tuple((float(x), float(y)) for x, y in corners)))
    return cards
