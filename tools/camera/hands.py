"""Training pictures for the detector of indices: squares cut out of photos of many cards.

The cards are apart, overlap or form a fan. Some are half covered. Behind them are textures, real
photographs or printed matter.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from tools.camera import samples
from tools.camera.decks import HEIGHT, WIDTH, Image
from tools.camera.labelled import Outlined
from tools.camera.scenes import ROUNDED

Chance = np.random.Generator
Floats = npt.NDArray[Any]

SIZE: Final = 256
"""The number of pixels along each side of a picture."""
WIDTHS: Final = (42, 210)
"""The widths of the cards to be found, in pixels."""
CELL: Final = 8
"""The number of pixels along each side of a cell of the detector's answer."""
CELLS: Final = SIZE // CELL

NEAR: Final = -2
"""The target of a cell next to an index: either answer is right, but its place is trained."""

AT: Final = (0.11, 0.155)
"""The middle of an index, as fractions of the card's width and height."""
_INDEX: Final = np.array([[0.02, 0.02], [0.2, 0.02], [0.2, 0.26], [0.02, 0.26]])
_FLAT: Final = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)


class Mark(NamedTuple):
    """An index in a picture."""

    x: float
    y: float
    across: float
    """The vector along the card's upper edge, as long as the card is wide; its second part is
    `along`."""
    along: float


class Hands(NamedTuple):
    """Pictures and their content, one row for each."""

    pictures: Image
    targets: npt.NDArray[np.float32]
    """For each cell: 1 for an index, 0 for none, -1 if unknown, `NEAR` next to an index; the x and
    y of its middle relative to the cell's, in cells; cosine and sine of the card's upper edge;
    logarithm of its width over 96."""


def target(marks: Sequence[Mark], unknown: npt.NDArray[np.bool_]) -> npt.NDArray[np.float32]:
    """Return the correct output of the detector for a picture with these indices."""
    y, x = np.mgrid[:CELLS, :CELLS].astype(np.float32) * CELL + CELL / 2
    answer = np.zeros((6, CELLS, CELLS), np.float32)
    small = cv2.resize(unknown.astype(np.uint8), (CELLS, CELLS), interpolation=cv2.INTER_NEAREST)
    answer[0][small > 0] = -1
    nearest = np.full((CELLS, CELLS), np.inf, np.float32)
    for mark in marks:
        width = float(np.hypot(mark.across, mark.along))
        away = np.hypot(x - mark.x, y - mark.y)
        near = away < nearest
        nearest = np.minimum(nearest, away)
        answer[1][near] = ((mark.x - x) / CELL)[near]
        answer[2][near] = ((mark.y - y) / CELL)[near]
        answer[3][near] = mark.across / width
        answer[4][near] = mark.along / width
        answer[5][near] = np.log(width / 96)
        fits = WIDTHS[0] < width < WIDTHS[1]
        answer[0][near & (away < max(2.2 * CELL, 0.14 * width))] = NEAR
        if fits:
            answer[0][near & (away < max(0.72 * CELL, 0.05 * width))] = 1
    return answer


def make(
    chance: Chance,
    decks: Sequence[Image],
    photos: Sequence[Outlined],
    count: int,
    real: float,
    pages: Sequence[Image] = (),
) -> Hands:
    """Make `count` pictures, of which a share `real` shows real cards from `photos`. In the others,
    some backgrounds and covers are also cut out of photos and `pages`."""
    pictures = np.empty((count, SIZE, SIZE, 3), np.uint8)
    targets = np.empty((count, 6, CELLS, CELLS), np.float32)
    four = [_has_four(deck) for deck in decks]
    for each in range(count):
        if photos and chance.random() < real:
            pictures[each], targets[each] = _real(chance, photos)
        else:
            deck = int(chance.integers(len(decks)))
            pictures[each], targets[each] = _drawn(chance, decks[deck], photos, pages, four[deck])
    return Hands(pictures, targets)


def _has_four(deck: Image) -> bool:
    """Return whether the upper right corner of most number cards has ink."""
    inked = [
        (card[6:60, -36:-6].min(axis=2).astype(int) < card.min(axis=2).max() - 70).mean() > 0.06
        for card in deck[[1, 2, 14, 15, 27, 28, 40, 41]]
    ]
    return bool(np.mean(inked) > 0.5)


def _background(chance: Chance, photos: Sequence[Outlined], pages: Sequence[Image]) -> Image:
    """Return a texture, printed matter, or a part of a photograph without a card."""
    if pages and chance.random() < 0.3:
        return _part(chance, pages[int(chance.integers(len(pages)))])
    if photos and chance.random() < 0.5:
        for _ in range(6):
            photo = photos[int(chance.integers(len(photos)))]
            height, width = photo.image.shape[:2]
            side = int(min(height, width) * np.exp(chance.uniform(np.log(0.3), 0)))
            left, top = chance.integers(0, width - side + 1), chance.integers(0, height - side + 1)
            cards = [corners for _, corners in photo.cards]
            boxes = [
                *photo.boxes,
                *((*c.min(axis=0), *c.max(axis=0)) for c in cards),
            ]
            if all(
                b[0] > left + side or b[2] < left or b[1] > top + side or b[3] < top for b in boxes
            ):
                part = photo.image[top : top + side, left : left + side]
                return np.asarray(cv2.resize(part, (SIZE, SIZE)), np.uint8)
    return samples.texture(chance, SIZE, SIZE)


def _part(chance: Chance, page: Image) -> Image:
    """Return a square of a page, turned, mirrored at its edges."""
    scale = float(np.exp(chance.uniform(np.log(0.4), np.log(1.8))))
    turn = chance.uniform(0, 360) if chance.random() < 0.6 else chance.normal(0, 8)
    onto: Floats = cv2.getRotationMatrix2D(
        tuple(chance.uniform(0.2, 0.8, 2) * len(page)), turn, scale
    )
    onto[:, 2] += SIZE / 2 - onto[:, :2] @ chance.uniform(0.3, 0.7, 2) * len(page)
    if scale < 0.75:
        page = np.asarray(cv2.GaussianBlur(page, (0, 0), 0.38 / scale), np.uint8)
    return np.asarray(
        cv2.warpAffine(page, onto, (SIZE, SIZE), borderMode=cv2.BORDER_REFLECT), np.uint8
    )


def _places(chance: Chance) -> list[Floats]:
    """Return the places of cards: matrices from a card's own pixels to the picture's."""
    width = float(np.exp(chance.uniform(np.log(WIDTHS[0]), np.log(WIDTHS[1]))))
    scale = width / WIDTH
    turn = chance.uniform(0, 2 * np.pi) if chance.random() < 0.6 else chance.normal(0, 0.15)
    count = int(chance.integers(1, 7))
    how = chance.random()
    spread = chance.normal(0, 0.16)
    step = chance.uniform(0.17, 0.6) * width
    first = chance.uniform(-0.1, 1.1, 2) * SIZE
    places = []
    for each in range(count):
        if how < 0.55:  # a row or a fan
            angle = turn + each * spread
            way = turn + spread * each / 2
            x, y = first + step * each * np.array([np.cos(way), np.sin(way)])
        else:
            angle = turn + chance.normal(0, 0.5 if how < 0.8 else 2.0)
            x, y = chance.uniform(-0.15, 1.15, 2) * SIZE
        cos, sin = scale * np.cos(angle), scale * np.sin(angle)
        middle = np.array([[1, 0, -WIDTH / 2], [0, 1, -HEIGHT / 2], [0, 0, 1]])
        places.append(np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]]) @ middle)
    tilt = np.eye(3)
    tilt[2, :2] = chance.normal(0, 0.0005, 2)
    tilt[:2, :2] += chance.normal(0, 0.04, (2, 2))
    return [tilt @ place for place in places]


def _drawn(
    chance: Chance,
    deck: Image,
    photos: Sequence[Outlined],
    pages: Sequence[Image],
    four: bool,
) -> tuple[Image, npt.NDArray[np.float32]]:
    """Return rendered cards."""
    picture: Floats = _background(chance, photos, pages).astype(np.float32)
    top = np.full((SIZE, SIZE), -1, np.int16)
    found: list[tuple[int, Floats, Floats]] = []
    size = (SIZE, SIZE)
    places = [] if chance.random() < 0.08 else _places(chance)
    shaded, dark = chance.random() < 0.7, chance.uniform(0.1, 0.6)
    curve = chance.normal(0, 0.02) if chance.random() < 0.3 else 0.0
    smallest = float(SIZE)
    for number, place in enumerate(places):
        card = deck[chance.integers(52)]
        corners = cv2.perspectiveTransform(_FLAT[None].astype(np.float64), place)[0]
        height = float(np.hypot(*(corners[3] - corners[0])))
        smallest = min(smallest, height)
        shrink = HEIGHT / height
        if shrink > 1.3:
            card = np.asarray(cv2.GaussianBlur(card, (0, 0), 0.38 * shrink), np.uint8)
        if curve:
            card = _bent(card, curve)
        there = cv2.warpPerspective(ROUNDED, place, size).astype(np.float32)[..., None] / 255
        drawn = cv2.warpPerspective(card, place, size)
        if shaded:
            soft = cv2.GaussianBlur(there, (0, 0), max(0.7, height * 0.012))
            picture *= 1 - dark * np.roll(soft, chance.integers(-2, 3, 2), (0, 1))[..., None]
        picture = picture * (1 - there) + drawn * there
        top[there[..., 0] > 0.5] = number
        for corner in range(4) if four else (0, 2):
            found.append((number, place, _unit(corner)))
    if chance.random() < 0.3:
        _cover(chance, picture, top, _background(chance, photos, pages))
    marks = []
    unknown = np.zeros((SIZE, SIZE), bool)
    for number, place, unit in found:
        area = _mapped(_INDEX, place, unit)
        mask = np.zeros((SIZE, SIZE), np.uint8)
        cv2.fillConvexPoly(mask, (area * 8).round().astype(np.int32), 1, shift=3)
        whole = max(cv2.contourArea(area.astype(np.float32)), 1.0)
        seen = float((mask.astype(bool) & (top == number)).sum()) / whole
        if seen > 0.8:
            marks.append(_mark(place, unit))
        elif seen > 0.3:
            unknown |= mask.astype(bool)
    photo = np.clip(picture, 0, 255).astype(np.uint8)
    if chance.random() < 0.2:
        photo = _coarse(photo, chance.uniform(1, np.clip(smallest / 70, 1, 2.5)))
    return samples.developed(chance, photo), target(marks, unknown)


def _coarse(photo: Image, factor: float) -> Image:
    """Return a picture as a camera with fewer pixels would take it."""
    small = cv2.resize(photo, None, fx=1 / factor, fy=1 / factor, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.resize(small, (SIZE, SIZE), interpolation=cv2.INTER_LINEAR), np.uint8)


def _bent(card: Image, curve: float) -> Image:
    """Return a card whose middle is nearer to the camera or farther than its ends."""
    y, x = np.mgrid[:HEIGHT, :WIDTH].astype(np.float32)
    away = (2 * y / HEIGHT - 1) ** 2
    return np.asarray(
        cv2.remap(
            card,
            (x - WIDTH / 2) * (1 + curve * away) + WIDTH / 2,
            y + curve * HEIGHT * away * np.sign(y - HEIGHT / 2),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        ),
        np.uint8,
    )


def _cover(chance: Chance, picture: Floats, top: npt.NDArray[np.int16], background: Image) -> None:
    """Cover parts of the cards with a rectangular or long object or with fingers."""
    middle = chance.uniform(0, SIZE, 2)
    if chance.random() < 0.35:
        _fingers(chance, picture, top, middle)
        return
    long = chance.uniform(30, 200)
    wide = long * chance.uniform(0.4, 1) if chance.random() < 0.6 else chance.uniform(4, 20)
    box = cv2.boxPoints((tuple(middle), (long, wide), float(chance.uniform(0, 180))))
    mask = np.zeros((SIZE, SIZE), np.uint8)
    cv2.fillConvexPoly(mask, box.round().astype(np.int32), 1)
    picture[mask > 0] = background[mask > 0]
    top[mask > 0] = -1


def _fingers(chance: Chance, picture: Floats, top: npt.NDArray[np.int16], tip: Floats) -> None:
    """Draw one to four fingers with one skin colour, side by side."""
    skin = np.array([100, 140, 200]) * chance.uniform(0.35, 1.15) + chance.normal(0, 12, 3)
    wide, way = chance.uniform(10, 40), chance.uniform(0, 2 * np.pi)
    along = np.array([np.cos(way), np.sin(way)])
    for _ in range(int(chance.integers(1, 5))):
        mask = np.zeros((SIZE, SIZE), np.uint8)
        start, end = (tuple((tip + step * along).round().astype(int).tolist()) for step in (0, 400))
        cv2.line(mask, start, end, 255, round(wide), cv2.LINE_AA)
        shade = cv2.GaussianBlur(mask, (0, 0), wide * 0.25).astype(np.float32)[..., None] / 255
        there = mask[..., None] / 255.0
        picture[:] = picture * (1 - there) + skin * (0.45 + 0.6 * shade) * there
        top[mask > 127] = -1
        across = np.array([-along[1], along[0]])
        tip = tip + across * wide * 1.05 + along * chance.normal(0, 0.5) * wide


def _unit(corner: int) -> Floats:
    """Return the matrix from fractions of a card read from a corner (0 upper left, then clockwise)
    to the card's."""
    flip = {0: (1, 1), 1: (-1, 1), 2: (-1, -1), 3: (1, -1)}[corner]
    return np.array([[flip[0], 0, flip[0] < 0], [0, flip[1], flip[1] < 0], [0, 0, 1]], float)


def _mapped(points: Floats, place: Floats, unit: Floats) -> Floats:
    card = cv2.perspectiveTransform(np.asarray(points, np.float64).reshape(1, -1, 2), unit)
    return np.asarray(
        cv2.perspectiveTransform(card * np.array([WIDTH, HEIGHT]), place)[0], np.float64
    )


def _mark(place: Floats, unit: Floats) -> Mark:
    """Return the index in a corner, as its upper edge from left to right, as seen when it is
    upright."""
    at = np.array(AT)
    middle, right, below = _mapped(at + np.array([[0, 0], [0.2, 0], [0, 0.1]]), place, unit)
    across = (right - middle) / 0.2
    down = below - middle
    if across[0] * down[1] - across[1] * down[0] < 0:  # a corner with its index on the right
        across = -across
    return Mark(float(middle[0]), float(middle[1]), float(across[0]), float(across[1]))


def _real(chance: Chance, photos: Sequence[Outlined]) -> tuple[Image, npt.NDArray[np.float32]]:
    """Return a part of a photograph, turned and scaled."""
    for _ in range(20):
        photo = photos[int(chance.integers(len(photos)))]
        if photo.cards:
            break
    widths = [float(np.hypot(*(corners[1] - corners[0]))) for _, corners in photo.cards] or [90.0]
    if photo.cards and chance.random() < 0.85:
        corners = photo.cards[int(chance.integers(len(photo.cards)))][1]
        focus: Floats = corners[int(chance.choice([0, 2]))]
    else:
        focus = chance.uniform(0, 1, 2) * photo.image.shape[1::-1]
    wanted = np.exp(chance.uniform(np.log(WIDTHS[0] + 4), np.log(WIDTHS[1] - 10)))
    scale = min(wanted / float(np.median(widths)), 3.2)
    turn = chance.integers(4) * np.pi / 2 + chance.normal(0, 0.3)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    middle = np.array([[1, 0, -focus[0]], [0, 1, -focus[1]], [0, 0, 1]])
    there = chance.uniform(0.15, 0.85, 2) * SIZE
    place = np.array([[cos, -sin, there[0]], [sin, cos, there[1]], [0, 0, 1]]) @ middle
    image = photo.image
    if scale < 0.7:
        image = np.asarray(cv2.GaussianBlur(image, (0, 0), 0.38 / scale), np.uint8)
    picture = cv2.warpPerspective(
        image, place, (SIZE, SIZE), flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE
    )
    unknown = np.zeros((SIZE, SIZE), np.uint8)
    for left, top, right, bottom in photo.boxes:
        box = np.array([[left, top], [right, top], [right, bottom], [left, bottom]], float)
        box += np.array([[-6, -6], [6, -6], [6, 6], [-6, 6]])
        box = cv2.perspectiveTransform(box[None], place)[0]
        cv2.fillConvexPoly(unknown, box.round().astype(np.int32), 1)
    marks = []
    for _, corners in photo.cards:
        onto = place @ cv2.getPerspectiveTransform(_FLAT, corners.astype(np.float32))
        marks += [_mark(onto, _unit(corner)) for corner in (0, 2)]
    light = chance.uniform(0.7, 1.2) * (1 + chance.uniform(-0.1, 0.1, 3))
    shown = np.clip(picture * light, 0, 255).astype(np.uint8)
    if chance.random() < 0.3:
        shown = np.asarray(cv2.GaussianBlur(shown, (0, 0), chance.uniform(0.4, 1.2)), np.uint8)
    return shown, target(marks, unknown.astype(bool))
