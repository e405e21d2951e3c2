"""Decode a photo file into pixels, after checking its format and dimensions.

The header is checked before decoding, because a few kilobytes of PNG can unpack to gigabytes. The
decoder applies the EXIF orientation.
"""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt

from boardctl.options import read_file
from boardctl.storage import files
from boardctl.text import SpokenError

Image = npt.NDArray[np.uint8]

MOST_BYTES: Final = 40_000_000
MOST_PIXELS: Final = {"JPEG": 64_000_000, "PNG": 25_000_000, "WebP": 25_000_000}
"""A JPEG can be decoded at a half, a quarter or an eighth of its size; other formats only whole."""

WORKING_SIDE: Final = 2000
"""The number of pixels along the longer side that reading needs; a larger JPEG is decoded
smaller."""

LEAST_SIDE: Final = 120
_MODE: Final = 0o644
"""The permissions of a written picture."""
_DARK: Final = 70
"""Grey level out of 255 that the lightest hundredth of a readable photo reaches."""


class PhotoError(SpokenError):
    """The error for a file that cannot be read as a photo of cards. The message is one sentence."""


class Header(NamedTuple):
    """The data from a file's header."""

    kind: str
    width: int
    height: int


class Photo(NamedTuple):
    """A decoded photo."""

    image: Image
    """The pixels in BGR order, upright. A JPEG is at most about `WORKING_SIDE` pixels long."""
    scale: float
    """The number of the file's pixels for each pixel of `image`."""


def load(path: Path) -> Photo:
    """Check a file's header, and then decode it at the required size.

    Raises:
        PhotoError: if the file is missing, not a photo, too large, truncated or too dark.
    """
    name = path.name
    try:
        size = path.stat().st_size
        if size > MOST_BYTES:
            raise PhotoError(
                "photo-bytes", name, size=f"{size / 1e6:.0f}", most=MOST_BYTES // 1_000_000
            )
        data = read_file(path, MOST_BYTES)
    except OSError as error:
        raise PhotoError("unreadable", name, reason=error) from None
    header = read_header(data, name)
    most = MOST_PIXELS[header.kind]
    if header.width * header.height > most:
        pixels = f"{header.width * header.height / 1e6:.0f}"
        fields = {"format": header.kind, "size": pixels, "most": most // 1_000_000}
        raise PhotoError("photo-pixels", name, **fields)
    if min(header.width, header.height) < LEAST_SIDE:
        fields = {"width": header.width, "height": header.height, "least": LEAST_SIDE}
        raise PhotoError("photo-small", name, **fields)
    image = _decode(data, header)
    if image is None:
        raise PhotoError("photo-damaged", name, format=header.kind)
    if np.percentile(image[::4, ::4].max(axis=2), 99) < _DARK:
        raise PhotoError("photo-dark", name)
    scale = max(header.width, header.height) / max(image.shape[:2])
    return Photo(image, scale)


def read_header(data: bytes, name: str) -> Header:
    """Return the format and dimensions, read from the header alone.

    Raises:
        PhotoError: if it is not a JPEG, PNG or WebP, or truncated.
    """
    try:
        if data[:3] == b"\xff\xd8\xff":
            return _jpeg(data, name)
        if data[:8] == b"\x89PNG\r\n\x1a\n" and data[12:16] == b"IHDR":
            width, height = struct.unpack_from(">II", data, 16)
            if b"IEND" not in data[-64:]:
                raise _truncated(name)
            return Header("PNG", width, height)
        if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
            return _webp(data, name)
    except (struct.error, IndexError):
        raise _truncated(name) from None
    if not data:
        raise PhotoError("photo-empty", name)
    known = {b"%PDF": "PDF", b"GIF8": "GIF", b"BM": "BMP", b"II*\0": "TIFF"}
    found = next((kind for start, kind in known.items() if data.startswith(start)), "")
    if data[4:8] == b"ftyp":
        found = "HEIC"
    if not found:
        raise PhotoError("no-photo", name)
    raise PhotoError("photo-format", name, format=found)


def _truncated(name: str) -> PhotoError:
    return PhotoError("photo-truncated", name)


def _jpeg(data: bytes, name: str) -> Header:
    """Walk the segments to the frame header (ITU-T T.81, annex B)."""
    at = 2
    header = None
    while True:
        if data[at] != 0xFF:
            raise PhotoError("photo-damaged", name, format="JPEG")
        marker = data[at + 1]
        if marker == 0xFF:  # a fill byte
            at += 1
            continue
        (length,) = struct.unpack_from(">H", data, at + 2)
        if 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, at + 5)
            header = Header("JPEG", width, height)
        if marker == 0xDA:  # the scan begins; an end mark must follow it
            if header is None or data.find(b"\xff\xd9", at) < 0:
                raise _truncated(name)
            return header
        at += 2 + length


def _webp(data: bytes, name: str) -> Header:
    """Return the dimensions stated in the first chunk, which may be of three kinds (RFC 9649,
    sections 2.5 to 2.7)."""
    (size,) = struct.unpack_from("<I", data, 4)
    if len(data) < size + 8:
        raise _truncated(name)
    chunk = data[12:16]
    if chunk == b"VP8X":
        return Header(
            "WebP",
            1 + int.from_bytes(data[24:27], "little"),
            1 + int.from_bytes(data[27:30], "little"),
        )
    if chunk == b"VP8L":
        (bits,) = struct.unpack_from("<I", data, 21)
        return Header("WebP", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    width, height = struct.unpack_from("<HH", data, 26)
    return Header("WebP", width & 0x3FFF, height & 0x3FFF)


def _decode(data: bytes, header: Header) -> Image | None:
    how = cv2.IMREAD_COLOR
    if header.kind == "JPEG":
        for factor, reduced in (
            (8, cv2.IMREAD_REDUCED_COLOR_8),
            (4, cv2.IMREAD_REDUCED_COLOR_4),
            (2, cv2.IMREAD_REDUCED_COLOR_2),
        ):
            if max(header.width, header.height) >= factor * WORKING_SIDE * 0.9:
                how = reduced
                break
    try:
        image = cv2.imdecode(np.frombuffer(data, np.uint8), how)
    except cv2.error:
        return None
    return None if image is None else np.asarray(image, np.uint8)


def write(path: Path, image: Image) -> None:
    """Write a picture atomically.

    Raises:
        PhotoError: if the extension is not a picture format, or the file cannot be written.
    """
    try:
        written, data = cv2.imencode(path.suffix.lower() or ".", image)
    except cv2.error:
        written = False
    if not written:
        raise PhotoError("extension", path.name, allowed=".png, .jpg")
    try:
        files.replace(path, data.tobytes(), _MODE)
    except OSError as error:
        raise PhotoError("unwritable", path, reason=error) from None
