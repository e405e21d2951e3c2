"""Reports of misread photos: a photo, its reading and the correct cards.

Nothing sends a report automatically. The owner decides whether to send the file.
"""

from __future__ import annotations

import errno
import io
import json
import os
import zipfile
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Final

import cv2

import boardctl
from boardctl.camera.photo import Image, PhotoError
from boardctl.games.cards import Card
from boardctl.storage import files

PHOTO: Final = "photo.jpg"
CARDS: Final = "cards.json"
_QUALITY: Final = 92
_MODE: Final = 0o600
"""The permissions of a report: a photo may show more than cards."""


def write(
    path: Path, image: Image, reading: Sequence[dict[str, Any]], right: Iterable[Card]
) -> None:
    """Write a report atomically. The photo is encoded anew, so that it does not reveal a place,
    time or device.

    Args:
        path: a new file.
        image: BGR, upright, as it was read.
        reading: the cards that were read, as `boardctl see --json` prints them, in the pixels of
            `image`.
        right: the cards in the photo.

    Raises:
        PhotoError: if the file exists, or cannot be written.
    """
    if path.exists():
        raise PhotoError("unwritable", path, reason=os.strerror(errno.EEXIST))
    _, photo = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    cards = [str(card) for card in right]
    content = {"version": boardctl.__version__, "right": cards, "read": list(reading)}
    packed = io.BytesIO()
    with zipfile.ZipFile(packed, "w") as archive:
        # Entries without a time of their own, which could be the photo's.
        archive.writestr(zipfile.ZipInfo(PHOTO), photo.tobytes())
        archive.writestr(zipfile.ZipInfo(CARDS), json.dumps(content, indent=1))
    try:
        files.replace(path, packed.getvalue(), _MODE)
    except OSError as error:
        raise PhotoError("unwritable", path, reason=error) from None
