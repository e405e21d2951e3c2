"""Photo-like scenes of cards on a table, drawn from a seed, with the positions of the cards."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from boardctl.games.cards import CARDS, Card
from tools.camera.decks import HEIGHT, WIDTH, Image

Points = npt.NDArray[np.float32]
Numbers = npt.NDArray[np.float32]

RATIO: Final = HEIGHT / WIDTH
SIZE: Final = (1200, 900)
"""Width and height of a scene in pixels."""


class Scene(NamedTuple):
    """A picture and its cards, with their corners in pixels."""

    image: Image
    cards: tuple[Card, ...]
    corners: tuple[Points, ...]


def laid(seed: int, deck: Image, count: int, size: tuple[int, int] = SIZE) -> Scene:
    """Return `count` cards next to each other on a table, each slightly rotated."""
    chance = np.random.default_rng(seed)
    return _scene(chance, deck, _apart(chance, count, size), size)


def white(seed: int, deck: Image, count: int, size: tuple[int, int] = SIZE) -> Scene:
    """Return the same on a table that is as light as the cards."""
    chance = np.random.default_rng(seed)
    places = _apart(chance, count, size)
    return _scene(chance, deck, places, size, white=True)


def _apart(chance: np.random.Generator, count: int, size: tuple[int, int]) -> list[Points]:
    width, height = size
    columns = min(count, 3) if count > 2 else count
    rows = -(-count // columns)
    card = min(0.72 * width / columns, 0.72 * height / rows / RATIO) * chance.uniform(0.62, 0.95)
    places = []
    for each in range(count):
        row, column = divmod(each, columns)
        x = (column + 0.5) * width / columns + chance.uniform(-0.05, 0.05) * card
        y = (row + 0.5) * height / rows + chance.uniform(-0.05, 0.05) * card
        places.append(_card(x, y, card, chance.normal(0, 0.09)))
    return places


def fan(seed: int, deck: Image, count: int, size: tuple[int, int] = SIZE) -> Scene:
    """Return `count` cards overlapping from left to right, with every index visible."""
    chance = np.random.default_rng(seed)
    width, height = size
    card = min(0.4 * height, 0.9 * width / (1 + 0.5 * count)) / 1.2
    step = card * chance.uniform(0.34, 0.6)
    spread = chance.uniform(0, 0.16)
    places = []
    for each in range(count):
        from_middle = each - (count - 1) / 2
        x = width / 2 + from_middle * step
        y = height / 2 + abs(from_middle) ** 2 * spread * card * 0.25
        places.append(_card(x, y, card, from_middle * spread + chance.normal(0, 0.015)))
    return _scene(chance, deck, places, size)


def held(seed: int, deck: Image, count: int, size: tuple[int, int] = SIZE) -> Scene:
    """Return `count` cards in a hand, fanned about a point below them, with a thumb and fingers.
    Slightly more than the index of each is visible."""
    chance = np.random.default_rng(seed)
    width, height = size
    card = min(width, height) * chance.uniform(0.24, 0.34)
    pivot = np.array([width / 2, height / 2 + card * chance.uniform(0.75, 1.0)])
    step = chance.uniform(0.17, 0.32)
    arm = card * RATIO * chance.uniform(0.62, 0.8)
    tilt = chance.normal(0, 0.15)
    places = []
    for each in range(count):
        turn = tilt + (each - (count - 1) / 2) * step + chance.normal(0, 0.015)
        middle = pivot + arm * np.array([np.sin(turn), -np.cos(turn)])
        places.append(_card(float(middle[0]), float(middle[1]), card, turn))
    return _scene(chance, deck, places, size, fingers=(pivot, card))


def heap(seed: int, deck: Image, count: int, size: tuple[int, int] = SIZE) -> Scene:
    """Return `count` cards on a table, in any orientation and partly over each other, each with a
    visible index."""
    chance = np.random.default_rng(seed)
    width, height = size
    while True:
        card = min(width, height) * chance.uniform(0.16, 0.28)
        usual = chance.uniform(0, 2 * np.pi)
        wild = chance.choice([0.12, 0.5, 2.0])
        place = np.array([width, height]) * chance.uniform(0.35, 0.65, 2)
        places: list[Points] = []
        for _ in range(count):
            turn = usual + chance.normal(0, wild)
            places.append(_card(float(place[0]), float(place[1]), card, turn))
            way = chance.uniform(0, 2 * np.pi)
            step = card * chance.uniform(0.4, 1.1)
            place = place + step * np.array([np.cos(way), np.sin(way)])
        inside = all((each > 0).all() and (each < (width, height)).all() for each in places)
        if inside and all(
            any(_in_view(corner, each, places[above + 1 :]) for corner in (0, 2))
            for above, each in enumerate(places)
        ):
            return _scene(chance, deck, places, size)


def _in_view(corner: int, card: Points, above: Sequence[Points]) -> bool:
    """Return whether no card above covers a corner's index."""
    first = np.roll(card, -corner, axis=0)
    across, down = first[1] - first[0], first[3] - first[0]
    spots = [first[0] + x * across + y * down for x in (0, 0.11, 0.22) for y in (0, 0.13, 0.27)]
    return not any(
        cv2.pointPolygonTest(other, (float(x), float(y)), False) >= 0
        for other in above
        for x, y in spots
    )


def _card(x: float, y: float, width: float, turn: float) -> Points:
    half = np.array([[-1, -RATIO], [1, -RATIO], [1, RATIO], [-1, RATIO]]) * width / 2
    cos, sin = np.cos(turn), np.sin(turn)
    return np.asarray(half @ np.array([[cos, sin], [-sin, cos]]) + (x, y), np.float32)


def _scene(
    chance: np.random.Generator,
    deck: Image,
    places: Sequence[Points],
    size: tuple[int, int],
    *,
    white: bool = False,
    fingers: tuple[Points, float] | None = None,
) -> Scene:
    """Draw the cards on a table or, with `fingers` (a point and a card's width), held at that
    point."""
    width, height = size
    numbers = [int(each) for each in chance.choice(52, len(places), replace=False)]
    frame = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    tilted = frame + chance.normal(0, 0.03, (4, 2)).astype(np.float32) * height
    camera = cv2.getPerspectiveTransform(frame, tilted.astype(np.float32))
    table = paper(chance, height, width) if white else cloth(chance, height, width)
    image = table.astype(np.float32)
    corners = []
    for number, place in zip(numbers, places, strict=True):
        seen = cv2.perspectiveTransform(place[None], camera)[0].astype(np.float32)
        image = _placed(chance, image, deck[number], seen, 0.3 if white else 1.0)
        corners.append(seen)
    if fingers is not None:
        tip, wide = fingers
        image = _held(chance, image, cv2.perspectiveTransform(tip[None, None], camera)[0, 0], wide)
    photo = developed(chance, np.clip(image, 0, 255).astype(np.uint8))
    return Scene(photo, tuple(CARDS[number] for number in numbers), tuple(corners))


def _placed(
    chance: np.random.Generator, image: Numbers, face: Image, corners: Points, dark: float
) -> Numbers:
    """Draw a card with its shadow on top of the others; `dark` is the shadow's strength."""
    height, width = image.shape[:2]
    shrink = HEIGHT / float(np.hypot(*(corners[3] - corners[0])))
    if shrink > 1.3:
        face = np.asarray(cv2.GaussianBlur(face, (0, 0), 0.38 * shrink), np.uint8)
    flat = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    onto = cv2.getPerspectiveTransform(flat, corners)
    there = cv2.warpPerspective(ROUNDED, onto, (width, height))[..., None].astype(np.float32) / 255
    drawn = cv2.warpPerspective(face, onto, (width, height), flags=cv2.INTER_LINEAR)
    soft = cv2.GaussianBlur(there, (0, 0), max(1.0, 4 / shrink))
    shadow = np.roll(soft, (2, 2), (0, 1))[..., None] * chance.uniform(0.25, 0.5) * dark
    return np.asarray(image * (1 - shadow) * (1 - there) + drawn * there, np.float32)


def _held(chance: np.random.Generator, image: Numbers, tip: Points, wide: float) -> Numbers:
    """Draw a thumb over the lower edge of the cards, and the hand below."""
    skin = np.array([110, 145, 200]) * chance.uniform(0.4, 1.1) + chance.normal(0, 10, 3)
    mask = np.zeros(image.shape[:2], np.uint8)
    start = tip + np.array([chance.uniform(-0.2, 0.2), -0.35]) * wide
    end = tip + np.array([chance.uniform(-0.5, 0.5), 0.9]) * wide
    from_, to = (tuple(int(each) for each in place) for place in (start, end))
    cv2.line(mask, from_, to, 255, max(3, round(0.2 * wide)), cv2.LINE_AA)
    palm = (tip + np.array([0, 1.0]) * wide).astype(int)
    cv2.ellipse(mask, palm.tolist(), (round(0.7 * wide), round(0.55 * wide)), 0, 0, 360, 255, -1)
    shade = cv2.GaussianBlur(mask, (0, 0), 0.06 * wide).astype(np.float32)[..., None] / 255
    there = mask[..., None].astype(np.float32) / 255
    return np.asarray(image * (1 - there) + skin * (0.5 + 0.5 * shade) * there, np.float32)


def _rounded() -> Image:
    radius = 9
    shape = np.zeros((HEIGHT, WIDTH), np.uint8)
    cv2.rectangle(shape, (radius, 0), (WIDTH - radius - 1, HEIGHT), 255, -1)
    cv2.rectangle(shape, (0, radius), (WIDTH, HEIGHT - radius - 1), 255, -1)
    for x in (radius, WIDTH - radius - 1):
        for y in (radius, HEIGHT - radius - 1):
            cv2.circle(shape, (x, y), radius, 255, -1)
    return shape


ROUNDED: Final = _rounded()
"""The shape of a card, as a mask."""


def cloth(chance: np.random.Generator, height: int, width: int) -> Image:
    """Return a dark or coloured table: plain, woven or striped."""
    grain = chance.uniform(1, 6)
    coarse = chance.normal(0, 1, (int(height / grain) + 2, int(width / grain) + 2))
    noise = cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    colour = chance.uniform(15, 120, 3)
    image = colour + noise[..., None] * chance.uniform(2, 14)
    if chance.random() < 0.4:
        turn = chance.uniform(0, np.pi)
        y, x = np.mgrid[:height, :width]
        along = (x * np.cos(turn) + y * np.sin(turn)) * chance.uniform(0.02, 0.2)
        image = image + (np.sin(along) * chance.uniform(3, 18))[..., None]
    return np.clip(image, 0, 255).astype(np.uint8)


def paper(chance: np.random.Generator, height: int, width: int) -> Image:
    """Return a table as light as a card: paint, paper or a cloth, slightly warmer or colder."""
    grain = chance.uniform(1, 40)
    coarse = chance.normal(0, 1, (int(height / grain) + 2, int(width / grain) + 2))
    noise = cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    colour = chance.uniform(200, 245) + chance.normal(0, 4, 3)
    image = colour + noise[..., None] * chance.uniform(0.5, 5)
    return np.clip(image, 0, 255).astype(np.uint8)


def developed(chance: np.random.Generator, image: Image) -> Image:
    """Add light from one side, the lamp's colour, blur, noise and JPEG artefacts."""
    height, width = image.shape[:2]
    y, x = np.mgrid[:height, :width].astype(np.float32)
    turn = chance.uniform(0, 2 * np.pi)
    slope = ((x / width - 0.5) * np.cos(turn) + (y / height - 0.5) * np.sin(turn)) * 0.35
    photo = image * ((1 + slope) * chance.uniform(0.65, 0.98))[..., None]
    photo = photo * (1 + chance.uniform(-0.08, 0.08, 3))
    photo = cv2.GaussianBlur(photo.astype(np.float32), (0, 0), chance.uniform(0.4, 1.1))
    photo = photo + chance.normal(0, chance.uniform(1, 5), photo.shape)
    done, data = cv2.imencode(".jpg", np.clip(photo, 0, 255).astype(np.uint8), [1, 88])
    assert done
    decoded = cv2.imdecode(data, cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(decoded, np.uint8)
