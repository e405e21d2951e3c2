"""Card faces from decks with clear licences, as pictures.

Each of GNOME's decks (Debian's gnome-cards-data, GPL-3+) is one sheet with thirteen columns and
five rows: clubs, diamonds, hearts, spades, jokers and backs. `rsvg-convert` draws a sheet in half a
second.
"""

from __future__ import annotations

import gzip
import shutil
import subprocess
import tempfile
from functools import cache
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt

from boardctl.games.cards import CARDS

Image = npt.NDArray[np.uint8]

FOLDER: Final = Path("/usr/share/aisleriot/cards")
WIDTH: Final = 200
HEIGHT: Final = 280
HELD: Final = ("anglo_poker", "tigullio", "bellot", "plastic")
"""Decks never used for training."""
_ROWS: Final = "CDHS"
_CELL: Final = (250, 350)
_NO_FRENCH_SUITS: Final = ("swiss-xvii",)
_COPIES: Final = ("anglo_bitmap", "gnomangelo", "gnomangelo_bitmap", "Атласные")


def folder() -> Path | None:
    """Return the directory of the decks, or None if they or the program that draws them are not
    installed."""
    if shutil.which("rsvg-convert") is None:
        return None
    return FOLDER if FOLDER.is_dir() else None


def names() -> list[str]:
    """Return the distinct decks with hearts, spades, diamonds and clubs."""
    found = folder()
    if found is None:
        return []
    return sorted(
        path.stem for path in found.glob("*.svgz") if path.stem not in (*_NO_FRENCH_SUITS, *_COPIES)
    )


@cache
def faces(name: str) -> Image:
    """Return the 52 faces of a deck in the order of `CARDS`, each `HEIGHT` × `WIDTH`, BGR.

    Raises:
        FileNotFoundError: the deck is not installed. subprocess.CalledProcessError: it cannot be
            drawn.
    """
    found = folder()
    if found is None:
        raise FileNotFoundError("gnome-cards-data or librsvg2-bin")
    width, height = _CELL
    drawn = subprocess.run(
        [
            *("rsvg-convert", "--unlimited", "-w", str(13 * width), "-h", str(5 * height)),
            str(found / f"{name}.svgz"),
        ],
        check=True,
        capture_output=True,
    ).stdout
    sheet = cv2.imdecode(np.frombuffer(drawn, np.uint8), cv2.IMREAD_UNCHANGED)
    assert sheet is not None
    deck = np.zeros((52, HEIGHT, WIDTH, 3), np.uint8)
    for row, suit in enumerate(_ROWS):
        for column in range(13):
            cell = sheet[row * height : (row + 1) * height, column * width : (column + 1) * width]
            deck["SHDC".index(suit) * 13 + column] = _trimmed(np.asarray(cell, np.uint8))
    return deck


def drawn(folder: Path) -> Image:
    """Return the 52 faces of a deck with a file for each card, `AS.svg` to `KC.svg`, ten as
    `TS.svg`.

    Raises:
        subprocess.CalledProcessError: one cannot be drawn.
    """
    deck = np.zeros((52, HEIGHT, WIDTH, 3), np.uint8)
    for number, card in enumerate(CARDS):
        png = subprocess.run(
            ["rsvg-convert", "-h", "350", str(folder / f"{card}.svg")],
            check=True,
            capture_output=True,
        ).stdout
        cell = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
        assert cell is not None
        deck[number] = _trimmed(np.asarray(cell, np.uint8))
    return deck


def elements(path: Path) -> Image:
    """Return the 52 faces of a deck drawn in one compressed file with an element for each card,
    `1_spade` to `king_club`, such as KDE's (Debian's kdegames-card-data-kf5, GPL-2+).

    Raises:
        OSError: the file cannot be read. subprocess.CalledProcessError: a card cannot be drawn.
    """
    ranks = {1: "1", 11: "jack", 12: "queen", 13: "king"}
    deck = np.zeros((52, HEIGHT, WIDTH, 3), np.uint8)
    with tempfile.NamedTemporaryFile(suffix=".svg") as file:
        file.write(gzip.decompress(path.read_bytes()))
        file.flush()
        for number, card in enumerate(CARDS):
            assert card.suit is not None and card.rank is not None
            name = f"{ranks.get(card.rank, card.rank)}_{card.suit.name.lower().removesuffix('s')}"
            small = _element(file.name, name, 1.0)
            height = cv2.boundingRect((small[..., 3] > 128).astype(np.uint8))[3]
            deck[number] = _trimmed(_element(file.name, name, 350 / height))
    return deck


def _element(path: str, name: str, zoom: float) -> Image:
    png = subprocess.run(
        ["rsvg-convert", "--unlimited", "-z", str(zoom), "-i", f"#{name}", path],
        check=True,
        capture_output=True,
    ).stdout
    cell = cv2.imdecode(np.frombuffer(png, np.uint8), cv2.IMREAD_UNCHANGED)
    assert cell is not None
    return np.asarray(cell, np.uint8)


def _trimmed(cell: Image) -> Image:
    """Return a card cut from its cell, on white, without the transparent margin."""
    x, y, width, height = cv2.boundingRect((cell[..., 3] > 128).astype(np.uint8))
    alpha = cv2.erode(cell[..., 3], np.ones((3, 3), np.uint8))[..., None] / 255
    paper = (cell[..., :3] * alpha + 255 * (1 - alpha)).astype(np.uint8)
    card = paper[y + 1 : y + height - 1, x + 1 : x + width - 1]
    return np.asarray(cv2.resize(card, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)
