"""The three small networks: for whole faces, for indices, and for the positions of indices.

The first two output 18 numbers: one for the presence of a card (or an index), 13 for the ranks, 4
for the suits. The second also outputs six numbers that correct the position of the index's frame.
The third outputs maps with a cell for each square of 8 × 8 pixels. docs/notes/camera.md describes
how the networks are trained.
"""

from __future__ import annotations

import lzma
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

Image = npt.NDArray[np.uint8]
Numbers = npt.NDArray[np.float32]

_HERE: Final = Path(__file__).parent
CELL: Final = 8
_BATCH: Final = 32
_WHITE: Final = 0.88
"""The fraction of a card's pixels that are not lighter than its paper."""


class Answers(NamedTuple):
    """One row for each picture."""

    present: Numbers
    """The probability that there is a card or an index."""
    cards: Numbers
    """Natural logarithm of the probability of each of the 52 cards, in the order of `CARDS`."""
    moves: Numbers
    """The moves for `frames.moved`; none for whole cards."""


def faces(pictures: Sequence[Image]) -> Answers:
    """Classify whole cards, cut by `frames.face`."""
    return _answers("face", pictures)


def indices(pictures: Sequence[Image]) -> Answers:
    """Classify indices, cut by `frames.index`."""
    return _answers("index", pictures)


def marks(image: Image) -> Numbers:
    """Return the detector's maps for a photo, with a value for each cell of `CELL` × `CELL` pixels.

    The maps are: the probability that the centre of a corner index is in the cell; the offset
    (x, y) of that centre from the cell's centre, in cells; the cosine and sine of the angle of the
    card's upper edge; and the logarithm of the card's width divided by 96 pixels.
    """
    height, width = image.shape[:2]
    below, right = -height % CELL, -width % CELL
    whole = cv2.copyMakeBorder(image, 0, below, 0, right, cv2.BORDER_REPLICATE)
    network = _network("detector")
    light = whole.astype(np.float32) / 255 - 0.5
    network.setInput(np.ascontiguousarray(light.transpose(2, 0, 1)[None]))
    maps = np.array(network.forward(), np.float32)[0]
    maps[0] = 1 / (1 + np.exp(-maps[0]))
    return np.asarray(maps, np.float32)


def normalised(picture: Image) -> Numbers:
    """Return colours relative to the paper's colour, to compensate for the colour of the light."""
    pixels = picture.reshape(-1, 3)[::7]
    place = int(len(pixels) * _WHITE)
    white = np.maximum(np.partition(pixels, place, axis=0)[place].astype(np.float32), 40)
    return np.asarray(np.minimum(picture / white, 1.25) - 0.5, np.float32)


@cache
def _network(name: str) -> cv2.dnn.Net:
    packed = lzma.decompress((_HERE / f"{name}.onnx.xz").read_bytes())
    return cv2.dnn.readNetFromONNX(np.frombuffer(packed, np.uint8))


def _answers(name: str, pictures: Sequence[Image]) -> Answers:
    if not pictures:
        return Answers(
            np.zeros(0, np.float32), np.zeros((0, 52), np.float32), np.zeros((0, 6), np.float32)
        )
    network = _network(name)
    rows = []
    for start in range(0, len(pictures), _BATCH):
        some = [normalised(picture) for picture in pictures[start : start + _BATCH]]
        network.setInput(np.ascontiguousarray(np.stack(some).transpose(0, 3, 1, 2)))
        rows.append(np.array(network.forward(), np.float32))
    out = np.concatenate(rows)
    ranks = log_shares(out[:, 1:14])
    suits = log_shares(out[:, 14:18])
    cards = (suits[:, :, None] + ranks[:, None, :]).reshape(-1, 52)
    present = np.asarray(1 / (1 + np.exp(-out[:, 0])), np.float32)
    return Answers(present, cards, out[:, 18:])


def log_shares(values: Numbers) -> Numbers:
    """Return the logarithm of softmax over the last axis."""
    values = values - values.max(axis=-1, keepdims=True)
    return np.asarray(values - np.log(np.exp(values).sum(axis=-1, keepdims=True)), np.float32)
