"""Packs taught by the user: pictures of their 52 cards, with which cards in photos are compared.

A pack is one file `NAME.npz` in a folder next to the journal. No neural network is involved: a card
is compared with the pictures, shifted by a few pixels each way.
"""

from __future__ import annotations

from collections.abc import Sequence
from io import BytesIO
from pathlib import Path
from typing import Final, NamedTuple
from zipfile import BadZipFile

import cv2
import numpy as np
import numpy.typing as npt

from boardctl.camera import frames, network
from boardctl.camera.outlines import Image, Points
from boardctl.camera.photo import MOST_BYTES, PhotoError
from boardctl.games.cards import CARDS
from boardctl.options import read_file
from boardctl.storage import files, pack_files

Numbers = npt.NDArray[np.float32]

FACE: Final = (44, 62)
"""The width and height of a taught face in pixels: enough for pips, small enough for a small
board."""
_SLACK: Final = 3
"""The maximum shift in pixels."""
_SHARPNESS: Final = 40.0
"""The increase in a card's log probability, in nats, for each 1.0 of its picture's likeness."""
KNOWN: Final = 0.72
"""The minimum mean likeness for a photo's cards to belong to a pack."""


class Pack(NamedTuple):
    """A taught pack."""

    name: str
    faces: Image
    """The 52 pictures in the order of `CARDS`. A black picture stands for a card that the pack
    lacks."""


def load(folder: Path) -> list[Pack]:
    """Return all packs in a folder.

    Raises:
        PhotoError: if a file is not a pack.
    """
    return [load_pack(folder, name) for name in pack_files.names(folder)]


def load_pack(folder: Path, name: str) -> Pack:
    """Return a pack by its name. Raises PhotoError if there is no such pack, or if its file is
    damaged."""
    return Pack(name, _faces(folder / f"{name}.npz", name, 52))


def no_faces(count: int) -> Image:
    """Return this number of empty pictures, for cards missing in a pack."""
    return np.zeros((count, FACE[1], FACE[0], 3), np.uint8)


def taught_faces(faces: Image) -> npt.NDArray[np.bool_]:
    """Return which of these pictures show cards that the pack contains."""
    return np.asarray(faces.any(axis=(1, 2, 3)))


def _faces(path: Path, name: str, count: int) -> Image:
    try:
        with np.load(BytesIO(read_file(path, MOST_BYTES)), allow_pickle=False) as data:
            faces = data["faces"]
    except (OSError, ValueError, KeyError, BadZipFile) as error:
        raise PhotoError("unreadable", path, reason=error) from None
    if faces.shape != (count, FACE[1], FACE[0], 3) or faces.dtype != np.uint8:
        raise PhotoError("pack-damaged", path, pack=name)
    return np.asarray(faces, np.uint8)


def save(folder: Path, pack: Pack) -> None:
    """Save a pack, replacing one of the same name.

    Raises:
        PhotoError: if its name is not valid, or the folder cannot be written.
    """
    check_name(pack.name)
    _save(folder / f"{pack.name}.npz", pack.faces)


def save_suit(folder: Path, name: str, suit: str, pictures: Image) -> None:
    """Save the 13 pictures of one suit until the other suits exist.

    Raises:
        PhotoError: if the folder cannot be written.
    """
    _save(pack_files.suit_file(folder, name, suit), pictures)


def load_suits(folder: Path, name: str) -> Image:
    """Return the 52 pictures of four suits.

    Raises:
        PhotoError: if a file is damaged or missing.
    """
    paths = [pack_files.suit_file(folder, name, suit) for suit in pack_files.SUITS]
    return np.concatenate([_faces(path, name, 13) for path in paths])


def _save(target: Path, faces: Image) -> None:
    try:
        files.make_directory(target.parent)
        with files.replacing(target) as file:
            np.savez_compressed(file, faces=faces)
    except OSError as error:
        raise PhotoError("unwritable", target, reason=error) from None


def check_name(name: str) -> None:
    """Raise PhotoError if a name is not valid for a pack."""
    if not pack_files.valid(name):
        raise PhotoError("pack-name", value=name)


def picture(image: Image, corners: Points) -> Image:
    """Return a card's picture as stored in packs."""
    face = frames.face(image, corners)
    return np.asarray(cv2.resize(face, FACE, interpolation=cv2.INTER_AREA), np.uint8)


def likeness(seen: Image, pack: Pack) -> Numbers:
    """Compare a card's `picture`, either way up, with the pack's 52 pictures. The likeness is 1 for
    identical pictures, and 0 for a card that the pack does not contain."""
    wide = cv2.copyMakeBorder(seen, *(_SLACK,) * 4, cv2.BORDER_REPLICATE)
    turned = np.ascontiguousarray(wide[::-1, ::-1])
    inner = pack.faces[:, 2:-2, 2:-2]
    return np.array(
        [
            max(
                float(cv2.matchTemplate(way, face, cv2.TM_CCOEFF_NORMED).max())
                for way in (wide, turned)
            )
            if there
            else 0.0
            for face, there in zip(
                np.ascontiguousarray(inner), taught_faces(pack.faces), strict=True
            )
        ],
        np.float32,
    )


def witness(seen: Sequence[Image], packs: Sequence[Pack]) -> list[Numbers] | None:
    """Return the log probabilities of the 52 cards according to the best matching pack, or None if
    no pack matches."""
    best: tuple[float, list[Numbers], Pack] | None = None
    for pack in packs:
        alike = [likeness(each, pack) for each in seen]
        fit = float(np.mean([each.max() for each in alike])) if alike else 0.0
        if fit > KNOWN and (best is None or fit > best[0]):
            best = fit, alike, pack
    if best is None:
        return None
    # A card that matches no picture may be a card that the pack was not taught.
    absent = ~taught_faces(best[2].faces)
    for each in best[1]:
        each[absent] = KNOWN
    return [network.log_shares(_SHARPNESS * each) for each in best[1]]


def learn(name: str, photos: Sequence[tuple[str, Image, Sequence[Points]]]) -> Pack:
    """Create a pack from photos of its cards in rows of thirteen, ace to king: spades, hearts,
    diamonds, clubs. Each photo is given with its name and the outlines of its cards. A suit may
    occupy several rows.

    Raises:
        PhotoError: if there are not 52 cards, or the cards are not in such rows.
    """
    check_name(name)
    pictures: list[Image] = []
    for file, image, outlines in photos:
        laid = rows(outlines)
        if len(outlines) % 13:
            found = ", ".join(str(len(row)) for row in laid) or "0"
            raise PhotoError("photo-rows", file, count=len(outlines), rows=found)
        pictures += [picture(image, corners) for row in laid for corners in row]
    if len(pictures) != len(CARDS):
        raise PhotoError("photos-incomplete", count=len(pictures))
    return Pack(name, np.array(pictures, np.uint8))


def rows(outlines: Sequence[Points]) -> list[list[Points]]:
    """Return outlines row by row from top to bottom, and within each row from left to right."""
    found: list[list[Points]] = []
    for corners in sorted(outlines, key=lambda each: float(each[:, 1].mean())):
        height = float(corners[:, 1].max() - corners[:, 1].min())
        y = float(corners[:, 1].mean())
        if found and y - float(np.mean([each[:, 1].mean() for each in found[-1]])) < 0.5 * height:
            found[-1].append(corners)
        else:
            found.append([corners])
    return [sorted(row, key=lambda each: float(each[:, 0].mean())) for row in found]
