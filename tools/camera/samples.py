"""Training pictures for the two networks: cards as seen by a poor camera, framed imprecisely.

One shot provides a whole face and some index patches: with a well-framed or badly framed index,
without an index, or with an index that is rotated, too large or too small.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from boardctl.camera import frames
from tools.camera.decks import HEIGHT, WIDTH, Image
from tools.camera.labelled import Outlined
from tools.camera.scenes import ROUNDED

Chance = np.random.Generator
Floats = npt.NDArray[Any]


class Samples(NamedTuple):
    """Pictures and their labels: rank, suit (-1 if unknown), and whether there is a card."""

    faces: Image
    face_labels: npt.NDArray[np.int8]
    indices: Image
    index_labels: npt.NDArray[np.int8]
    index_moves: npt.NDArray[np.float32]
    """The moves that `frames.moved` needs to frame the index well; 0 without an index."""


class Patch(NamedTuple):
    """A place to cut an index from."""

    frame: Floats
    right: Floats | None
    """The right frame; None if the patch contains no index."""


def make(
    chance: Chance, decks: Sequence[Image], shots: int, pages: Sequence[Image] = ()
) -> Samples:
    """Make samples from `shots` shots, and half as many patches without an index, cut out of
    `pages`."""
    faces: list[Image] = []
    face_labels: list[tuple[int, int, int]] = []
    patches: list[Image] = []
    labels: list[tuple[int, int, int]] = []
    moved: list[Floats] = []
    for _ in range(shots):
        deck = decks[int(chance.integers(len(decks)))]
        number = int(chance.integers(52))
        kind = chance.random()
        card = texture(chance, HEIGHT, WIDTH) if kind < 0.03 else deck[number]
        is_card = int(kind >= 0.03)
        height = int(np.exp(chance.uniform(np.log(62), np.log(260))))
        covers = _covers(chance, deck) if chance.random() < 0.5 else []
        under = _under(chance, deck) if chance.random() < 0.4 else []
        photo, corners = _shot(chance, card, height, covers, under)
        photo = developed(chance, photo)

        framed, seen = corners.copy(), photo
        is_face = 0 if covers else is_card
        how = chance.random()
        if how < 0.05:  # read along the wrong side
            framed, is_face = np.roll(framed, 1, axis=0), 0
        elif how < 0.10:  # half a card
            beside = (framed[1] - framed[0]) * chance.uniform(0.35, 0.65) * chance.choice([-1, 1])
            framed = framed + beside + (framed[3] - framed[0]) * chance.uniform(-0.3, 0.3)
            is_face = 0
        elif covers and how >= 0.45:
            again, framed = _shot(chance, card, height, [])
            seen, is_face = developed(chance, again), is_card
        framed = framed + chance.normal(0, 0.014, (4, 2)) * height
        if chance.random() < 0.5:
            framed = np.roll(framed, 2, axis=0)
        faces.append(_flat(seen, framed, frames.FACE))
        face_labels.append((number % 13, number // 13, int(is_face)))

        found = _index_frames(chance, corners, height, bool(covers), photo.shape[1])
        for patch in found:
            patches.append(_flat(photo, patch.frame, frames.CORNER))
            there = is_card if patch.right is not None else 0
            labels.append((number % 13, number // 13, there))
            moved.append(moves(patch))
        if pages and chance.random() < 0.5:
            page = pages[int(chance.integers(len(pages)))]
            patches.append(_printed(chance, page))
            labels.append((0, 0, 0))
            moved.append(np.zeros(6))
    return _together(faces, face_labels, patches, labels, moved)


def _together(
    faces: list[Image],
    face_labels: list[tuple[int, int, int]],
    indices: list[Image],
    index_labels: list[tuple[int, int, int]],
    index_moves: list[Floats],
) -> Samples:
    return Samples(
        np.array(faces),
        np.array(face_labels, np.int8),
        np.array(indices),
        np.array(index_labels, np.int8),
        np.array(index_moves, np.float32),
    )


def moves(patch: Patch) -> Floats:
    """Return the shifts from the patch's corners to those of the correct frame (upper left, upper
    right, lower left), in widths and heights of the patch."""
    if patch.right is None:
        return np.zeros(6)
    unit = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    onto = cv2.getPerspectiveTransform(patch.frame.astype(np.float32), unit)
    right = cv2.perspectiveTransform(np.asarray(patch.right, np.float64)[None], onto)[0]
    return np.asarray((right - unit)[[0, 1, 3]].ravel())


def _printed(chance: Chance, page: Image) -> Image:
    """Return a part of a page as large as an index."""
    width, height = frames.CORNER
    middle = chance.uniform(0.05, 0.95, 2) * page.shape[0]
    box = np.array([[-width, -height], [width, -height], [width, height], [-width, height]]) / 2
    frame = _moved(box, chance.uniform(0, 2 * np.pi), np.exp(chance.uniform(-1.2, 0.9)))
    return developed(chance, _flat(page, frame + middle, frames.CORNER))


def cut(chance: Chance, photos: Sequence[Outlined], count: int) -> Samples:
    """Cut samples of `count` cards out of real photographs, and a third as many outlines that are
    not cards."""
    faces: list[Image] = []
    face_labels: list[tuple[int, int, int]] = []
    patches: list[Image] = []
    labels: list[tuple[int, int, int]] = []
    moved: list[Floats] = []
    shown = [photo for photo in photos if photo.cards]
    odd = [photo for photo in photos if photo.others]
    for _ in range(count):
        photo = shown[int(chance.integers(len(shown)))]
        rank, corners = photo.cards[int(chance.integers(len(photo.cards)))]
        height = int(np.hypot(*(corners[3] - corners[0])))
        framed, is_face = corners + chance.normal(0, 0.014, (4, 2)) * height, 1
        how = chance.random()
        if how < 0.08:
            framed, is_face = np.roll(framed, 1, axis=0), 0
        elif how < 0.2:
            beside = (framed[1] - framed[0]) * chance.uniform(0.35, 0.65) * chance.choice([-1, 1])
            framed = framed + beside + (framed[3] - framed[0]) * chance.uniform(-0.3, 0.3)
            is_face = 0
        if chance.random() < 0.5:
            framed = np.roll(framed, 2, axis=0)
        faces.append(_worse(chance, frames.face(photo.image, framed.astype(np.float32))))
        face_labels.append((rank, -1, is_face))
        size = max(photo.image.shape[:2])
        for patch in _index_frames(chance, corners, max(height, 79), False, size):
            patches.append(_worse(chance, _flat(photo.image, patch.frame, frames.CORNER)))
            labels.append((rank, -1, int(patch.right is not None)))
            moved.append(moves(patch))
        if odd and chance.random() < 0.33:
            photo = odd[int(chance.integers(len(odd)))]
            corners = photo.others[int(chance.integers(len(photo.others)))]
            faces.append(_worse(chance, frames.face(photo.image, corners)))
            face_labels.append((0, -1, 0))
            corner = int(chance.integers(4))
            patches.append(_worse(chance, frames.index(photo.image, corners, corner)))
            labels.append((0, -1, 0))
            moved.append(np.zeros(6))
    return _together(faces, face_labels, patches, labels, moved)


def _worse(chance: Chance, picture: Image) -> Image:
    """Degrade a picture, often by blur or noise."""
    shown: npt.NDArray[Any] = picture.astype(np.float32)
    if chance.random() < 0.3:
        shown = cv2.GaussianBlur(shown, (0, 0), chance.uniform(0.4, 1.2))
    if chance.random() < 0.5:
        shown = shown + chance.normal(0, 1, shown.shape) * chance.uniform(0, 8)
    return np.asarray(np.clip(shown, 0, 255), np.uint8)


def _covers(chance: Chance, deck: Image) -> list[tuple[Image, Floats]]:
    """Return another card that covers this one except for its index, and the position of that
    card."""
    other = deck[chance.integers(52)]
    turn = chance.normal(0, 0.25)
    cos, sin = np.cos(turn), np.sin(turn)
    turned = np.array([[cos, -sin, 0], [sin, cos, 0], [0, 0, 1]])
    if chance.random() < 0.7:
        x, y = WIDTH * chance.uniform(0.19, 0.6), HEIGHT * chance.uniform(-0.15, 0.3)
    else:
        x, y = WIDTH * chance.uniform(-0.3, 0.2), HEIGHT * chance.uniform(0.3, 0.6)
    return [(other, np.array([[1, 0, x], [0, 1, y], [0, 0, 1]]) @ turned)]


def _under(chance: Chance, deck: Image) -> list[tuple[Image, Floats]]:
    """Return another card under this one, as in a fan, and its position."""
    turn = chance.normal(0, 0.2)
    cos, sin = np.cos(turn), np.sin(turn)
    x, y = -WIDTH * chance.uniform(0.1, 0.7), HEIGHT * chance.normal(0, 0.12)
    return [(deck[chance.integers(52)], np.array([[cos, -sin, x], [sin, cos, y], [0, 0, 1]]))]


def _shot(
    chance: Chance,
    card: Image,
    height: int,
    covers: Sequence[tuple[Image, Floats]],
    under: Sequence[tuple[Image, Floats]] = (),
) -> tuple[Image, Floats]:
    """Return a card `height` pixels high on a random table, and its corners."""
    margin = 0.25
    flat = np.array([[0, 0], [WIDTH, 0], [WIDTH, HEIGHT], [0, HEIGHT]], np.float32)
    size = int(height * (1 + 2 * margin))
    middle = flat / HEIGHT * height + height * margin
    corners = middle + chance.normal(0, 0.018, (4, 2)) * height
    turn = chance.normal(0, 0.12)
    placed = _moved(corners, turn, 1.0).astype(np.float32)
    onto = cv2.getPerspectiveTransform(flat, placed)
    shrink = HEIGHT / height
    picture: Floats = texture(chance, size, size).astype(np.float32)
    for face, place in [*under, (card, np.eye(3)), *covers]:
        if shrink > 1.3:
            face = np.asarray(cv2.GaussianBlur(face, (0, 0), 0.38 * shrink), np.uint8)
        there = cv2.warpPerspective(ROUNDED, onto @ place, (size, size))[..., None] / 255.0
        drawn = cv2.warpPerspective(face, onto @ place, (size, size))
        if chance.random() < 0.6:
            moved = np.roll(there, (chance.integers(-3, 4), chance.integers(-3, 4)), (0, 1))
            shadow = cv2.GaussianBlur(moved.astype(np.float32), (0, 0), max(0.6, height * 0.01))
            dark = chance.uniform(0.1, 0.6) * np.minimum(shadow.reshape(size, size, 1), 1)
            picture = picture * (1 - dark)
        picture = picture * (1 - there) + drawn * there
    return np.clip(picture, 0, 255).astype(np.uint8), placed


def texture(chance: Chance, height: int, width: int) -> Image:
    """Return a table, a cloth or noise."""
    if chance.random() < 0.12:
        return _white(chance, height, width)
    kind = chance.integers(6)
    if kind == 0:
        return np.full((height, width, 3), chance.uniform(0, 255, 3)).astype(np.uint8)
    rows = max(2, int(height / chance.uniform(1, 12)))
    columns = max(2, int(width / chance.uniform(1, 12)))
    coarse = chance.normal(0, 1, (rows, columns, 1 if chance.random() < 0.6 else 3))
    grown = cv2.resize(coarse.astype(np.float32), (width, height), interpolation=cv2.INTER_CUBIC)
    noise = grown.reshape(height, width, -1)
    picture = chance.uniform(20, 230, 3) + noise * chance.uniform(5, 45)
    if kind in (1, 2):
        turn = chance.uniform(0, np.pi)
        y, x = np.mgrid[:height, :width]
        along = (x * np.cos(turn) + y * np.sin(turn)) * chance.uniform(0.05, 1.2)
        picture = picture + (np.sin(along) * chance.uniform(0, 60))[..., None]
    return np.clip(picture, 0, 255).astype(np.uint8)


def _white(chance: Chance, height: int, width: int) -> Image:
    """Return a table as light as cards."""
    rows, columns = (max(2, int(side / chance.uniform(1, 30))) for side in (height, width))
    coarse = chance.normal(0, 1, (rows, columns)).astype(np.float32)
    grain = cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC)[..., None]
    colour = chance.uniform(185, 252) + chance.normal(0, 6, 3)
    return np.clip(colour + grain * chance.uniform(0.5, 8), 0, 255).astype(np.uint8)


def developed(chance: Chance, image: Image) -> Image:
    """Add light, shadow, colour, glare, blur, noise and JPEG artefacts, worse than most cameras."""
    height, width = image.shape[:2]
    photo: npt.NDArray[Any] = image.astype(np.float32)
    y, x = np.mgrid[:height, :width].astype(np.float32)
    x, y = x / width, y / height
    turn = chance.uniform(0, 2 * np.pi)
    slope = ((x - 0.5) * np.cos(turn) + (y - 0.5) * np.sin(turn)) * chance.uniform(0, 0.6)
    photo *= ((1 + slope) * chance.uniform(0.35, 1.02))[..., None]
    if chance.random() < 0.3:
        turn = chance.uniform(0, 2 * np.pi)
        across = (x - chance.uniform(0.1, 0.9)) * np.cos(turn)
        across += (y - chance.uniform(0.1, 0.9)) * np.sin(turn)
        edge = 1 / (1 + np.exp(-across * chance.uniform(5, 60)))
        photo *= (1 - chance.uniform(0.1, 0.6) * edge)[..., None]
    photo *= (1 + chance.uniform(-0.18, 0.18, 3)).astype(np.float32)
    if chance.random() < 0.2:
        away = ((x - chance.uniform(0, 1)) / chance.uniform(0.1, 0.5)) ** 2
        away += ((y - chance.uniform(0, 1)) / chance.uniform(0.1, 0.5)) ** 2
        photo += (chance.uniform(20, 150) * np.exp(-away))[..., None]
    if chance.random() < 0.5:
        photo = 255 * np.power(np.clip(photo / 255, 0, 1), chance.uniform(0.65, 1.5))
    if chance.random() < 0.6:
        photo = (photo - 128) * chance.uniform(0.75, 1.15) + 128 + chance.uniform(-10, 10)
    how = chance.random()
    if how < 0.5:
        photo = np.asarray(cv2.GaussianBlur(photo, (0, 0), chance.uniform(0.3, 1.3)))
    elif how < 0.62:
        photo = _shaken(chance, photo)
    photo = photo + chance.normal(0, 1, photo.shape) * chance.uniform(0, 9)
    done: Image = np.clip(photo, 0, 255).astype(np.uint8)
    if chance.random() < 0.6:
        data = cv2.imencode(".jpg", done, [1, int(chance.integers(35, 95))])[1]
        done = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR), np.uint8)
    return done


def _shaken(chance: Chance, photo: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    length = int(chance.integers(2, 6))
    line = np.zeros((length, length), np.float32)
    line[length // 2] = 1 / length
    middle = length / 2 - 0.5
    turn = cv2.getRotationMatrix2D((middle, middle), chance.uniform(0, 180), 1)
    kernel = cv2.warpAffine(line, turn, (length, length))
    kernel = np.asarray(kernel / max(float(kernel.sum()), 0.1), np.float32)
    return np.asarray(cv2.filter2D(photo, -1, kernel), np.float32)


def _index_frames(
    chance: Chance, corners: Floats, height: int, covered: bool, size: int
) -> list[Patch]:
    """Return frames around the card's indices, slightly imprecise and quite imprecise, and two
    around something else."""

    def jitter(frame: Floats) -> Floats:
        return frame + chance.normal(0, 0.008, (4, 2)) * height

    first, last = frames.index_frame(corners, 0), frames.index_frame(corners, 2)
    middle, opposite = first.mean(axis=0), last.mean(axis=0)
    found = []
    if height > 78:
        both = not covered and chance.random() < 0.6
        for frame in (first, last) if both else (first,):
            shift = chance.normal(0, 0.018, 2) * height
            moved = _moved(frame, chance.normal(0, 0.07), np.exp(chance.normal(0, 0.1)))
            found.append(Patch(jitter(moved + shift), frame))
        frame = last if both and chance.random() < 0.5 else first
        shift = chance.normal(0, 0.03, 2) * height
        moved = _moved(frame, chance.uniform(-0.6, 0.6), np.exp(chance.uniform(-0.5, 0.5)))
        found.append(Patch(jitter(moved + shift), frame))
    for _ in range(2):
        turn, scale, place = _elsewhere(chance, corners, middle, opposite, height, size)
        found.append(Patch(jitter(_moved(first, turn, scale) - middle + place), None))
    return found


def _elsewhere(
    chance: Chance, corners: Floats, middle: Floats, opposite: Floats, height: int, size: int
) -> tuple[float, float, Floats]:
    """Return rotation, scale and position of a frame that does not contain an index properly."""
    for _ in range(10):
        how = chance.random()
        turn, scale, place = chance.normal(0, 0.1), 1.0, middle
        if how < 0.35:
            turn += np.pi / 2 * chance.integers(1, 4)
        elif how < 0.5:
            scale = np.exp(chance.choice([-1, 1]) * chance.uniform(0.8, 1.3))
        elif how < 0.65:
            way = chance.uniform(0, 2 * np.pi)
            step = chance.uniform(0.12, 0.3) * height
            place = middle + step * np.array([np.cos(way), np.sin(way)])
        elif how < 0.85:
            place = corners.mean(axis=0) + chance.normal(0, 0.25, 2) * height
            turn, scale = chance.uniform(0, 2 * np.pi), np.exp(chance.normal(0, 0.4))
        else:
            place = size * chance.uniform(0, 1, 2)
            turn, scale = chance.uniform(0, 2 * np.pi), np.exp(chance.normal(0, 0.5))
        upright = abs((turn + np.pi) % (2 * np.pi) - np.pi) < 0.9
        held = np.hypot(*(place - middle)) < 0.1 * height and upright
        right = held and abs(np.log(scale)) < 0.75
        if not right and np.hypot(*(place - opposite)) > 0.13 * height:
            break
    return float(turn), float(scale), place


def _moved(frame: Floats, turn: float, scale: float) -> Floats:
    """Return the frame rotated and scaled about its centre."""
    middle = frame.mean(axis=0)
    cos, sin = scale * np.cos(turn), scale * np.sin(turn)
    return np.asarray((frame - middle) @ np.array([[cos, sin], [-sin, cos]]) + middle)


def _flat(photo: Image, around: Floats, size: tuple[int, int]) -> Image:
    width, height = size
    flat = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    onto = cv2.getPerspectiveTransform(around.astype(np.float32), flat)
    return np.asarray(
        cv2.warpPerspective(
            photo, onto, size, flags=cv2.INTER_CUBIC, borderMode=cv2.BORDER_REPLICATE
        ),
        np.uint8,
    )
