"""Shared helpers for the tests of drawings: layouts, and the parts of a drawing."""

from __future__ import annotations

import base64
import re
import zlib
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from boardctl.board import layout
from boardctl.board.sheet import Words

HARDWARE = Path(__file__).parents[2] / "hardware"


LAYOUTS = {name: layout.load(name) for name in layout.names()}


EVERY = pytest.mark.parametrize("name", LAYOUTS)


def streams(data: bytes) -> Iterator[bytes]:
    """Return the contents of a PDF's streams."""
    for head, body in re.findall(rb"<<(.*?)>>\s*stream\r?\n(.*?)endstream", data, re.DOTALL):
        content = body.strip()
        if b"ASCII85Decode" in head:
            content = base64.a85decode(content.removesuffix(b"~>"))
        if b"FlateDecode" in head:
            content = zlib.decompress(content)
        yield content


def box_of(words: Words) -> tuple[float, float, float, float]:
    """Return the approximate box of a text: a letter is about 0.85 of its height wide, Japanese
    1.4."""
    wide = any(ord(letter) > 0x2FFF for letter in words.text)
    width = len(words.text) * words.size * (1.4 if wide else 0.85)
    left = words.x - {"left": 0.0, "centre": 0.5, "right": 1.0}[words.align] * width
    return left, words.y - words.size / 2, left + width, words.y + words.size / 2


def overlap(one: tuple[float, ...], other: tuple[float, ...]) -> bool:
    return one[0] < other[2] and other[0] < one[2] and one[1] < other[3] and other[1] < one[3]


def body(words: Words) -> tuple[float, float, float, float]:
    """Return a text's box without its descenders."""
    left, top, right, bottom = box_of(words)
    hangs = 0.3 * words.size if set(words.text) & set("gjpqy,;()") else 0.0
    return left, top, right, bottom + hangs


def over_one_another(shapes: Iterable[object]) -> list[tuple[str, str]]:
    words = [(one, body(one)) for one in shapes if isinstance(one, Words)]
    return [
        (one.text, other.text)
        for n, (one, place) in enumerate(words)
        for other, its in words[n + 1 :]
        if overlap(place, its)
    ]
