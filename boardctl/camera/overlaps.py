"""Find cards that lie partly under other cards, by their indices.

Overlapping cards form one light region of irregular shape. Two features in it suggest an index: a
convex corner of its contour (the corner of a card), and two ink marks of equal size, one above the
other (a rank above its suit). Each is a guess at a card's position; the index network decides which
guesses are right.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
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

_PRESENT: Final = 0.55
_MOST_GUESSES: Final = 256
_RANK_AT: Final = (0.095, 0.085)
"""The centre of an index's rank, as fractions of the card's width and height."""


class Guess(NamedTuple):
    """A possible card, and the corner whose index is to be read."""

    card: Points
    corner: int


class Index(NamedTuple):
    """An index that has been read."""

    card: Points
    corner: int
    present: float
    cards: Numbers
    """Natural logarithm of the probability of each of the 52 cards."""

    @property
    def place(self) -> Points:
        """The card's corner next to the index."""
        return np.asarray(self.card[self.corner], np.float32)


def indices(image: Image, clusters: Sequence[Points], free: Sequence[Points]) -> list[Index]:
    """The readable indices in light regions, except those of `free` cards."""
    unit = max(image.shape[:2]) / LONG_SIDE
    guesses: list[Guess] = []
    for cluster in clusters:
        inside = [card for card in free if _holds(cluster, card.mean(axis=0))]
        guesses += _at_corners(cluster, _widths(cluster, inside or free, unit), unit)
    found = _read(image, guesses[:_MOST_GUESSES])
    widths = [_width(card) for card in free] + [_width(index.card) for index in found]
    if widths:
        width = float(np.median(widths))
        marks = [guess for cluster in clusters for guess in _at_marks(image, cluster, width)]
        found = _distinct([*found, *_read(image, marks[:_MOST_GUESSES])])
    return found


def _read(image: Image, guesses: Sequence[Guess]) -> list[Index]:
    answers = network.indices([frames.index(image, *guess) for guess in guesses])
    found = [
        Index(guess.card, guess.corner, float(present), cards)
        for guess, present, cards in zip(guesses, answers.present, answers.cards, strict=True)
        if present > _PRESENT
    ]
    return [_settled(image, index) for index in _distinct(found)]


def _settled(image: Image, index: Index) -> Index:
    """The index read again with slightly different frames: the three clearest readings combined, at
    the clearest frame."""
    tries = [Guess(card, index.corner) for card in _around(index.card, index.place)]
    answers = network.indices([frames.index(image, *guess) for guess in tries])
    there = answers.present > _PRESENT
    if not there.any():
        return index
    best = int((answers.present + np.exp(answers.cards.max(axis=1))).argmax())
    clear = sorted(np.flatnonzero(there), key=lambda each: -float(answers.cards[each].max()))[:3]
    mean = answers.cards[clear].mean(axis=0)
    return Index(
        tries[best].card,
        index.corner,
        float(answers.present[best]),
        np.asarray(mean - np.logaddexp.reduce(mean), np.float32),
    )


def _around(card: Points, place: Points) -> list[Points]:
    """The guessed card, and copies shifted, rotated, widened and narrowed about its corner."""
    step = 0.035 * _width(card)
    moves = [(0, 0), (step, 0), (-step, 0), (0, step), (0, -step)]
    moved = [card + np.array(move, np.float32) for move in moves]
    for turn, scale in ((0.09, 1.0), (-0.09, 1.0), (0.0, 1.12), (0.0, 0.89)):
        cos, sin = scale * np.cos(turn), scale * np.sin(turn)
        moved.append((card - place) @ np.array([[cos, sin], [-sin, cos]]) + place)
    return [np.asarray(each, np.float32) for each in moved]


def _distinct(found: Iterable[Index]) -> list[Index]:
    """The best reading at each place."""
    kept: list[Index] = []
    for index in sorted(found, key=lambda each: -each.present * float(np.exp(each.cards.max()))):
        near = 0.22 * _width(index.card)
        if all(np.hypot(*(_middle(index) - _middle(other))) > near for other in kept):
            kept.append(index)
    return kept


def _middle(index: Index) -> Points:
    """The centre of the index."""
    place, card = index.place, index.card
    return np.asarray(place + 0.18 * (card.mean(axis=0) - place), np.float32)


def _width(card: Points) -> float:
    return float(np.hypot(*(card[1] - card[0])))


def _holds(contour: Points, point: Points) -> bool:
    return cv2.pointPolygonTest(contour, (float(point[0]), float(point[1])), False) >= 0


def _widths(contour: Points, free: Sequence[Points], unit: float) -> list[float]:
    """The possible widths of a card here: those of the free cards, otherwise estimated from the
    straight edges."""
    if free:
        return [float(np.median([_width(card) for card in free]))]
    lengths = [float(np.hypot(*(end - start))) for start, end in _edges(contour, unit)]
    widest = float(np.sqrt(cv2.contourArea(contour)))
    wanted = sorted(
        width
        for length in lengths
        for width in (length, length / HEIGHT)
        if max(0.18 * widest, 40 * unit) < width < 1.2 * widest
    )
    distinct: list[float] = []
    for width in wanted:
        if not distinct or width > 1.13 * distinct[-1]:
            distinct.append(width)
    return distinct[-7:]


def _edges(contour: Points, unit: float) -> list[tuple[Points, Points]]:
    """The straight parts of a contour, clockwise."""
    if cv2.contourArea(contour, oriented=True) < 0:
        contour = contour[::-1]
    corners = cv2.approxPolyDP(np.ascontiguousarray(contour), 4 * unit, True)[:, 0]
    pairs = zip(corners, np.roll(corners, -1, axis=0), strict=True)
    return [
        (np.asarray(start, np.float32), np.asarray(end, np.float32))
        for start, end in pairs
        if np.hypot(*(end - start)) > 16 * unit
    ]


def _at_corners(contour: Points, widths: Sequence[float], unit: float) -> Iterator[Guess]:
    """Cards with a corner at a corner of the contour."""
    edges = _edges(contour, unit)
    for (start, end), (onward, last) in zip(edges, edges[1:] + edges[:1], strict=True):
        if np.hypot(*(onward - end)) > 30 * unit:
            continue
        into, out = _direction(start, end), _direction(onward, last)
        turn = float(into[0] * out[1] - into[1] * out[0])
        if turn < 0.75:  # 50 to 130 degrees, clockwise
            continue
        t = ((onward[0] - end[0]) * out[1] - (onward[1] - end[1]) * out[0]) / turn
        place = end + t * into
        for width in widths:
            # an index lies along the edge that leaves this corner, or along the one that reaches
            yield Guess(_card(place, out * width, -into * width * HEIGHT), 0)
            yield Guess(_card(place - into * width, into * width, out * width * HEIGHT), 1)


def _direction(start: Points, end: Points) -> Points:
    return np.asarray((end - start) / max(float(np.hypot(*(end - start))), 1e-6), np.float32)


def _card(place: Points, across: Points, down: Points) -> Points:
    return np.array([place, place + across, place + across + down, place + down], np.float32)


def _at_marks(image: Image, cluster: Points, width: float) -> Iterator[Guess]:
    """Cards whose rank and suit are two ink marks of similar size."""
    left, top = np.maximum(np.floor(cluster.min(axis=0)).astype(int), 0)
    right, bottom = np.ceil(cluster.max(axis=0)).astype(int) + 1
    part = image[top:bottom, left:right]
    if part.size == 0:
        return
    scale = 120 / width  # marks have one size, whatever the photo's resolution
    scale = min(scale, 1200 / max(part.shape[:2]))
    part = np.asarray(cv2.resize(part, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA))
    width *= scale
    inside = np.zeros(part.shape[:2], np.uint8)
    shape = ((cluster - np.array([left, top], np.float32)) * scale).astype(np.int32)
    cv2.fillPoly(inside, [cv2.convexHull(shape)], 255)
    light = part.min(axis=2)
    block = int(width * 0.5) | 1
    ink = cv2.adaptiveThreshold(
        light, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY_INV, block, 18
    )
    ink = cv2.bitwise_and(ink, inside)
    count, _, stats, middles = cv2.connectedComponentsWithStats(ink, connectivity=4)
    sizes = stats[:, 2:4].max(axis=1)
    marks = [
        each
        for each in range(1, count)
        if 0.045 * width < sizes[each] < 0.22 * width
        and stats[each, 4] > 0.22 * stats[each, 2] * stats[each, 3]
    ]
    corner = np.array([left, top], np.float32)
    for rank in marks:
        for suit in marks:
            step = middles[suit] - middles[rank]
            apart = float(np.hypot(*step))
            alike = min(sizes[rank], sizes[suit]) / max(sizes[rank], sizes[suit])
            if rank == suit or alike < 0.45 or not 0.085 * width < apart < 0.26 * width:
                continue
            if apart > 1.9 * max(sizes[rank], sizes[suit]):
                continue
            down = step / apart
            across = np.array([down[1], -down[0]])
            x, y = _RANK_AT[0] * width, _RANK_AT[1] * width * HEIGHT
            place = middles[rank] - across * x - down * y
            card = _card(
                np.asarray(place, np.float32),
                np.asarray(across * width, np.float32),
                np.asarray(down * width * HEIGHT, np.float32),
            )
            yield Guess(np.asarray(card / scale + corner, np.float32), 0)
