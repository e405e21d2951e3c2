"""Invented packs for training: recombined number cards, indices and court cards.

A network trained on only a few dozen decks learns their fonts. Here an index may use any font,
narrow or jumbo, in two corners or four, in four colours, in English, German or French; pips come
from one deck and court cards from another. Needs Pillow.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image as Pillow
from PIL import ImageDraw, ImageFont

from tools.camera.decks import HEIGHT, WIDTH, Image

Chance = np.random.Generator
Glyphs = Sequence[Image]
"""Spade, heart, diamond and club, as masks."""

RANKS: Final = "A23456789TJQK"
_LABELS: Final = ("A", "2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K")
LETTERS: Final = {
    "english": _LABELS,
    "german": (*_LABELS[:10], "B", "D", "K"),
    "french": (*_LABELS[:10], "V", "D", "R"),
    "figures": ("1", *_LABELS[1:]),
}
"""The letters on the cards from ace to king."""
_UNFIT_FONTS: Final = (
    *("Thin", "Hairline", "ExtraLight", "Math", "Italic", "Oblique", "LinLibertine_RZ", "RI"),
    *("BI.", "_I", "Biolinum_K"),
)
_UNUSUAL: Final = ("ornamental", "tango_nuevo")
_ENGLISH: Final = ("letele", "anglo", "anglo_poker", "anglo_modern")

_FOUR: Final = [(0.3, 0.18), (0.7, 0.18), (0.3, 0.82), (0.7, 0.82)]
_SIX: Final = [*_FOUR, (0.3, 0.5), (0.7, 0.5)]
_EIGHT: Final = [(x, y) for x in (0.3, 0.7) for y in (0.18, 0.393, 0.607, 0.82)]
_PIPS: Final = (
    [(0.5, 0.5)],
    [(0.5, 0.18), (0.5, 0.82)],
    [(0.5, 0.18), (0.5, 0.5), (0.5, 0.82)],
    _FOUR,
    [*_FOUR, (0.5, 0.5)],
    _SIX,
    [*_SIX, (0.5, 0.34)],
    [*_SIX, (0.5, 0.34), (0.5, 0.66)],
    [*_EIGHT, (0.5, 0.5)],
    [*_EIGHT, (0.5, 0.287), (0.5, 0.713)],
)
_INDEX: Final = {
    # height of the rank as a share of the card's, width over the font's own, middle from the side
    "plain": ((0.075, 0.105), (0.7, 1.0), (0.075, 0.1)),
    "narrow": ((0.08, 0.11), (0.5, 0.75), (0.075, 0.1)),
    "jumbo": ((0.12, 0.17), (0.65, 1.0), (0.11, 0.16)),
    "huge": ((0.2, 0.3), (0.7, 0.95), (0.2, 0.24)),
}


def fonts(folder: Path) -> list[str]:
    """Return the upright fonts of a folder that are suitable for a card."""
    return [
        str(path)
        for path in sorted(folder.rglob("*.?tf"))
        if not any(word in path.name for word in _UNFIT_FONTS)
    ]


def glyph(text: str, font: str, size: int) -> Image:
    """Return text as a mask without margins."""
    made = ImageFont.truetype(font, size * 2)
    picture = Pillow.new("L", (size * 6, size * 4))
    ImageDraw.Draw(picture).text((size, size // 2), text, 255, font=made)
    mask = np.array(picture)
    x, y, width, height = cv2.boundingRect((mask > 60).astype(np.uint8))
    return mask[y : y + height, x : x + width]


def pips(decks: Mapping[str, Image], from_fonts: Sequence[str]) -> list[Glyphs]:
    """Return suit signs: the middle pips of all decks' threes, and the signs in fonts that contain
    them."""
    found: list[Glyphs] = []
    for name, deck in decks.items():
        if name in (*_UNUSUAL, "tango"):
            continue
        signs = []
        for suit in range(4):
            middle = deck[suit * 13 + 2][108:172, 68:132]
            ink = 255 - middle.min(axis=2).astype(int)
            mask = np.clip((ink - 40) * 255 / max(ink.max() - 60, 1), 0, 255).astype(np.uint8)
            x, y, width, height = cv2.boundingRect((mask > 100).astype(np.uint8))
            if not (15 <= width <= 62 and 15 <= height <= 62):
                break
            signs.append(mask[y : y + height, x : x + width])
        else:
            found.append(signs)
    wanted = ("DejaVuSans.ttf", "DejaVuSans-Bold.ttf", "FreeSerif.ttf", "FreeSans.ttf")
    for font in from_fonts:
        if font.endswith(wanted):
            found.append([glyph(sign, font, 60) for sign in "♠♥♦♣"])
    return found


def _put(
    card: npt.NDArray[np.float64],
    mask: Image,
    middle: tuple[float, float],
    size: tuple[float, float],
    colour: npt.NDArray[np.float64],
    turned: bool = False,
) -> None:
    width, height = max(2, round(size[0])), max(2, round(size[1]))
    drawn = cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA)
    if turned:
        drawn = drawn[::-1, ::-1]
    x, y = round(middle[0] - width / 2), round(middle[1] - height / 2)
    left, top = max(x, 0), max(y, 0)
    right, bottom = min(x + width, WIDTH), min(y + height, HEIGHT)
    if right <= left or bottom <= top:
        return
    alpha = drawn[top - y : bottom - y, left - x : right - x, None] / 255.0
    part = card[top:bottom, left:right]
    card[top:bottom, left:right] = part * (1 - alpha) + colour * alpha


def _language(chance: Chance) -> str:
    drawn = chance.random()
    if drawn < 0.14:
        return "german"
    return "french" if drawn < 0.22 else "figures" if drawn < 0.24 else "english"


def merged(chance: Chance, club: Image) -> Image:
    """Return a club as it looks in small print, with the notches between its lobes filled."""
    size = max(3, round(club.shape[1] * chance.uniform(0.15, 0.5)))
    kernel = cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size))
    wide = cv2.copyMakeBorder(club, *(size,) * 4, cv2.BORDER_CONSTANT)
    closed = cv2.morphologyEx(wide, cv2.MORPH_CLOSE, kernel)
    return np.asarray(closed[size:-size, size:-size], np.uint8)


def _colours(chance: Chance) -> list[npt.NDArray[np.float64]]:
    """Return the colours of spades, hearts, diamonds and clubs: black and red, sometimes four."""
    black = np.array([1.0, 1.0, 1.0]) * chance.uniform(5, 50)
    red = np.array([chance.uniform(20, 70), chance.uniform(10, 50), chance.uniform(180, 240)])
    colours = [black, red, red, black]
    if chance.random() < 0.15:
        colours[3] = np.array(
            [chance.uniform(30, 60), chance.uniform(100, 150), chance.uniform(10, 50)]
        )
        if chance.random() < 0.6:
            colours[2] = np.array(
                [chance.uniform(170, 230), chance.uniform(60, 120), chance.uniform(10, 50)]
            )
        else:
            colours[2] = np.array([20.0, chance.uniform(120, 180), chance.uniform(210, 240)])
    return colours


def invented(
    chance: Chance,
    decks: Mapping[str, Image],
    signs: Sequence[Glyphs],
    from_fonts: Sequence[str],
    letters: str = "",
) -> Image:
    """Return the 52 faces of an invented pack. `letters`, a key of `LETTERS`, selects the
    language."""
    names = [name for name in decks if name not in _UNUSUAL]
    weights = np.array([3.0 if name in _ENGLISH else 1.0 for name in names])
    courts = decks[names[chance.choice(len(names), p=weights / weights.sum())]]
    large = signs[int(chance.integers(len(signs)))]
    small = large if chance.random() < 0.7 else signs[int(chance.integers(len(signs)))]
    if chance.random() < 0.4:
        small = [*small[:3], merged(chance, small[3])]
    font = from_fonts[int(chance.integers(len(from_fonts)))]
    labels = LETTERS[letters or _language(chance)]
    heights, widths, sides = _INDEX[str(chance.choice(list(_INDEX), p=[0.5, 0.2, 0.22, 0.08]))]
    rank_height = chance.uniform(*heights) * HEIGHT
    squeeze = chance.uniform(*widths)
    side = chance.uniform(*sides) * WIDTH
    top, gap = chance.uniform(0.03, 0.055) * HEIGHT, chance.uniform(0.005, 0.025) * HEIGHT
    suit_height = rank_height * chance.uniform(0.6, 0.95)
    four_indices = chance.random() < 0.2
    colours = _colours(chance)
    paper = np.array([chance.uniform(235, 255)] * 3)
    paper -= np.array([chance.uniform(0, 25), chance.uniform(0, 8), 0])
    pip = chance.uniform(0.12, 0.2) * HEIGHT
    slim = 1 / chance.uniform(1.0, 1.25)
    left, high = chance.uniform(0.26, 0.33), chance.uniform(0.14, 0.2)
    framed = chance.random() < 0.6
    masks = [glyph(label, font, 48) for label in labels]
    deck = np.zeros((52, HEIGHT, WIDTH, 3), np.uint8)
    for suit in range(4):
        for rank in range(13):
            card = np.empty((HEIGHT, WIDTH, 3))
            card[:] = paper
            if rank < 10:
                sign = large[suit]
                height = pip if rank else pip * chance.uniform(0.8, 3)
                for x, y in _PIPS[rank]:
                    x = 0.5 + (x - 0.5) * (0.5 - left) / 0.2
                    y = 0.5 + (y - 0.5) * (0.5 - high) / 0.32
                    size = (height * sign.shape[1] / sign.shape[0] * slim, height)
                    _put(card, sign, (x * WIDTH, y * HEIGHT), size, colours[suit], y > 0.51)
                if rank == suit == 0 and chance.random() < 0.7:
                    _ornament(chance, card, sign, font, height, colours, paper)
            else:
                card = _court(chance, courts[suit * 13 + rank], paper, framed)
                across, down = round(side * 2 - 2), round(top + rank_height + gap + suit_height + 2)
                card[:down, :across] = card[-down:, -across:] = paper
                if four_indices or not framed:
                    card[:down, -across:] = card[-down:, :across] = paper
            mask = masks[rank]
            width = rank_height * mask.shape[1] / mask.shape[0] * squeeze
            width = min(width, side * 2.2 - 2 if rank == 9 else side * 2 - 3)
            sign = small[suit]
            sign_width = suit_height * sign.shape[1] / sign.shape[0] * slim
            corners = ((0, 0), (1, 1), (1, 0), (0, 1)) if four_indices else ((0, 0), (1, 1))
            for right, below in corners:
                x = WIDTH - side if right else side
                for drawn, y, size in (
                    (mask, top + rank_height / 2, (width, rank_height)),
                    (
                        sign,
                        top + rank_height + gap + suit_height / 2,
                        (min(sign_width, side * 2 - 2), suit_height),
                    ),
                ):
                    place = HEIGHT - y if below else y
                    _put(card, drawn, (x, place), size, colours[suit], bool(below))
            deck[suit * 13 + rank] = np.clip(card, 0, 255)
    return deck


def _ornament(
    chance: Chance,
    card: npt.NDArray[np.float64],
    sign: Image,
    font: str,
    height: float,
    colours: Sequence[npt.NDArray[np.float64]],
    paper: npt.NDArray[np.float64],
) -> None:
    """Decorate the ace of spades: a pattern inside it, and a maker's text below."""
    middle = (WIDTH / 2, HEIGHT / 2)
    inside = paper if chance.random() < 0.5 else colours[int(chance.integers(4))]
    _put(card, sign, middle, (height * 0.45, height * 0.5), inside)
    for _ in range(chance.integers(0, 4)):
        words = "MADE BY NOBODY AT ALL"[chance.integers(6) : chance.integers(8, 20)]
        place = (
            WIDTH / 2 + chance.uniform(-20, 20),
            HEIGHT / 2 + height * 0.6 + chance.uniform(0, 25),
        )
        size = (chance.uniform(30, 90), chance.uniform(4, 10))
        _put(card, glyph(words, font, 14), place, size, colours[0])


def _court(
    chance: Chance, court: Image, paper: npt.NDArray[np.float64], framed: bool
) -> npt.NDArray[np.float64]:
    """Return a court card of another deck, smaller and in a frame, or unchanged."""
    tinted = court * (paper / 255.0)
    if not framed:
        return np.ascontiguousarray(tinted)
    card = np.empty((HEIGHT, WIDTH, 3))
    card[:] = paper
    share = chance.uniform(0.72, 0.86)
    inner = cv2.resize(
        tinted[8:-8, 16:-16],
        (round(WIDTH * share), round(HEIGHT * (0.5 + share / 2) * 0.96)),
        interpolation=cv2.INTER_AREA,
    )
    y, x = (HEIGHT - inner.shape[0]) // 2, (WIDTH - inner.shape[1]) // 2
    card[y : y + inner.shape[0], x : x + inner.shape[1]] = inner
    if chance.random() < 0.6:
        colour = tuple(float(value) for value in chance.uniform(0, 200, 3))
        cv2.rectangle(card, (x, y), (x + inner.shape[1], y + inner.shape[0]), colour, 1)
    return card
