"""Files that are not readable photos: one sentence each, and oversized ones are not decoded."""

from __future__ import annotations

import struct
import zlib
from pathlib import Path

import cv2
import numpy as np
import pytest
from click.testing import CliRunner
from hypothesis import given
from hypothesis import strategies as st

from boardctl.camera import photo
from boardctl.commands import main
from tools.camera.decks import Image


def jpeg(image: Image) -> bytes:
    return cv2.imencode(".jpg", image)[1].tobytes()


def table(height: int = 300, width: int = 400, grey: int = 120) -> Image:
    return np.full((height, width, 3), grey, np.uint8)


def bomb(width: int, height: int) -> bytes:
    """Return a PNG that declares a large size and really has it: a few bytes per row."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        crc = zlib.crc32(kind + data)
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", crc)

    header = struct.pack(">IIBBBBB", width, height, 1, 0, 0, 0, 0)
    data = zlib.compress(bytes(100_000), 9)
    return (
        b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", data) + chunk(b"IEND", b"")
    )


def large_jpeg() -> bytes:
    """Return a small JPEG whose frame header declares 12000 × 9000."""
    data = bytearray(jpeg(table()))
    at = data.index(b"\xff\xc0")
    data[at + 5 : at + 9] = struct.pack(">HH", 9000, 12000)
    return bytes(data)


BAD = {
    "a PDF": (b"%PDF-1.7 and more", "bad.jpg: it is a PDF; photos must be JPEG, PNG or WebP"),
    "a GIF": (b"GIF89a" + bytes(50), "bad.jpg: it is a GIF; photos must be JPEG, PNG or WebP"),
    "HEIC": (
        b"\0\0\0\x18ftypheic" + bytes(50),
        "bad.jpg: it is a HEIC; photos must be JPEG, PNG or WebP",
    ),
    "nothing": (b"", "bad.jpg: it is empty; photos must be JPEG, PNG or WebP"),
    "text": (b"5H 5S 5C JD", "bad.jpg: it is not a photo; photos must be JPEG, PNG or WebP"),
    "100 megapixels": (large_jpeg(), "bad.jpg: it has 108 megapixels; a JPEG may have at most 64"),
    "a bomb": (bomb(30_000, 30_000), "bad.jpg: it has 900 megapixels; a PNG may have at most 25"),
    "tiny": (
        jpeg(table(80, 90)),
        "bad.jpg: it is 90×80 pixels; cards need at least 120 on each side",
    ),
    "dark": (
        jpeg(table(grey=20)),
        "bad.jpg: it is too dark to read; take it again with more light",
    ),
    "no cards": (jpeg(table()), "bad.jpg: it shows no cards"),
    "cut early": (jpeg(table())[:200], "bad.jpg: it is truncated: it ends before the picture does"),
    "cut late": (jpeg(table())[:-300], "bad.jpg: it is truncated: it ends before the picture does"),
    "PNG cut": (
        cv2.imencode(".png", table())[1].tobytes()[:-20],
        "bad.jpg: it is truncated: it ends before the picture does",
    ),
}


@pytest.mark.parametrize("kind", BAD)
def test_a_bad_file_gets_one_sentence(kind: str, tmp_path: Path) -> None:
    data, sentence = BAD[kind]
    path = tmp_path / "bad.jpg"
    path.write_bytes(data)
    result = CliRunner().invoke(main, ["see", str(path), "--data", str(tmp_path)])
    assert (result.exit_code, result.output) == (1, f"Error: {sentence}\n")


def test_a_missing_file_gets_one_sentence(tmp_path: Path) -> None:
    result = CliRunner().invoke(main, ["see", str(tmp_path / "no.jpg"), "--data", str(tmp_path)])
    assert result.output == "Error: no.jpg: cannot be read (No such file or directory)\n"


@pytest.mark.parametrize("ending", [".jpg", ".png", ".webp"])
def test_dimensions_come_from_the_header(ending: str) -> None:
    data = cv2.imencode(ending, table(310, 420))[1].tobytes()
    assert photo.read_header(data, "x")[1:] == (420, 310)


def test_exif_orientation_is_applied(tmp_path: Path) -> None:
    image = table()
    image[:40] = 250  # light at the top
    exif = b"Exif\0\0MM\0*\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\0\0\0\0"
    data = jpeg(image)
    path = tmp_path / "turned.jpg"
    path.write_bytes(data[:2] + b"\xff\xe1" + struct.pack(">H", len(exif) + 2) + exif + data[2:])
    read = photo.load(path).image
    assert read.shape[:2] == (400, 300)
    assert read[:, -20:].min() > 200  # orientation 6: the former top is on the right


def test_a_large_jpeg_is_decoded_smaller(tmp_path: Path) -> None:
    path = tmp_path / "large.jpg"
    path.write_bytes(jpeg(table(3000, 4000)))
    read = photo.load(path)
    assert read.image.shape[:2] == (1500, 2000)
    assert read.scale == 2


@given(
    st.binary(max_size=300),
    st.sampled_from([b"", b"\xff\xd8\xff", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR"]),
)
def test_no_bytes_end_in_a_traceback(rest: bytes, start: bytes) -> None:
    try:
        photo.read_header(start + rest, "x")
    except photo.PhotoError as error:
        assert str(error).startswith("x: it is ")
