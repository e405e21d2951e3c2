"""Reading a photo of six cards with 12 megapixels, beside plain template matching by OpenCV.

The photo is rendered from a seed. `boardctl see` runs as a process of its own, as the page starts
it; the peer looks for the 52 indices of the very deck, at three sizes and without rotation, in the
same photo at the size in which outlines are looked for, also in a process of its own.
"""

from __future__ import annotations

import os
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tests.camera import decks

ROOT = Path(__file__).parents[2]
DECK = "anglo_poker"
SIZE = (4000, 3000)
CARDS = 6
WIDTHS = (0.12, 0.16, 0.2)
"""Of a card, over the photo's longer side, in which the peer looks for its index."""

MATCHING = """
import sys
import cv2, numpy as np
photo = cv2.imread(sys.argv[1], cv2.IMREAD_REDUCED_GRAYSCALE_8)
for index in np.load(sys.argv[2]):
    for width in map(float, sys.argv[3:]):
        scale = width * photo.shape[1] / 200
        cv2.minMaxLoc(cv2.matchTemplate(
            photo, cv2.resize(index, None, fx=scale, fy=scale), cv2.TM_CCOEFF_NORMED
        ))
"""


class Reading(NamedTuple):
    """CPU seconds of both, and the peak memory of `boardctl see`."""

    seconds: float
    peer: float
    mebibytes: float


def spent(*arguments: str) -> tuple[float, float]:
    """CPU seconds and peak MiB of a Python process with these arguments."""
    silent = os.open(os.devnull, os.O_WRONLY)
    process = os.posix_spawn(
        sys.executable,
        [sys.executable, *arguments],
        os.environ | {"PYTHONPATH": str(ROOT)},
        file_actions=[(os.POSIX_SPAWN_DUP2, silent, 1)],
    )
    os.close(silent)
    _, status, used = os.wait4(process, 0)
    if status:
        raise RuntimeError(f"{arguments[0]} ended with {os.waitstatus_to_exitcode(status)}")
    return used.ru_utime + used.ru_stime, used.ru_maxrss / 1024


def reading(rounds: int = 3) -> Reading | None:
    """The minimum of several rounds in which both alternate; None without the decks."""
    if decks.folder() is None:
        return None
    import cv2
    import numpy as np

    from tests.camera import scenes

    deck = decks.faces(DECK)
    with tempfile.TemporaryDirectory() as folder:
        photo, indices = Path(folder) / "photo.jpg", Path(folder) / "indices.npy"
        cv2.imwrite(str(photo), scenes.laid(1, deck, CARDS, SIZE).image)
        np.save(indices, deck[:, 8:78, 6:46].min(axis=3))
        see = ("-m", "boardctl", "see", str(photo), "--data", folder)
        match = ("-c", MATCHING, str(photo), str(indices), *map(str, WIDTHS))
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(spent(*see))
            theirs.append(spent(*match))
    return Reading(
        min(seconds for seconds, _ in ours),
        min(seconds for seconds, _ in theirs),
        max(mebibytes for _, mebibytes in ours),
    )
