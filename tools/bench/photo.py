"""Reading a 12-megapixel photo of six cards, compared with plain template matching by OpenCV.

The photo is rendered from a seed. `boardctl see` runs in a separate process, as it does for the
page. The peer searches for the 52 indices of the same deck, at three sizes and without rotation. It
searches the same photo at the size used for outlines, also in a separate process.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import NamedTuple

from tools.camera import decks

ROOT = Path(__file__).parents[2]
DECK = "anglo_poker"
SIZE = (4000, 3000)
CARDS = 6
WIDTHS = (0.12, 0.16, 0.2)
"""The sizes of a card, relative to the photo's longer side, at which the peer searches for its
index."""

SEE = """
from boardctl.commands import main
main(["see", *sys.argv[1:]], standalone_mode=False)
"""
MATCHING = """
import cv2, numpy as np
photo = cv2.imread(sys.argv[1], cv2.IMREAD_REDUCED_GRAYSCALE_8)
for index in np.load(sys.argv[2]):
    for width in map(float, sys.argv[3:]):
        scale = width * photo.shape[1] / 200
        cv2.minMaxLoc(cv2.matchTemplate(
            photo, cv2.resize(index, None, fx=scale, fy=scale), cv2.TM_CCOEFF_NORMED
        ))
"""
COST = """
import json, pathlib, resource
used = resource.getrusage(resource.RUSAGE_SELF)
status = pathlib.Path("/proc/self/status").read_text()
peak = int(status.partition("VmHWM:")[2].split()[0])
print(json.dumps([used.ru_utime + used.ru_stime, peak / 1024]))
"""


class Reading(NamedTuple):
    """The CPU seconds of both programs, and the peak memory of `boardctl see`."""

    seconds: float
    peer: float
    mebibytes: float


def spent(program: str, *arguments: str) -> tuple[float, float]:
    """Return the CPU seconds and peak MiB of a Python process that runs this program."""
    done = subprocess.run(
        [sys.executable, "-c", f"import sys{program}{COST}", *arguments],
        check=True,
        capture_output=True,
        text=True,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
    )
    seconds, mebibytes = json.loads(done.stdout.splitlines()[-1])
    return float(seconds), float(mebibytes)


def reading(rounds: int = 3) -> Reading | None:
    """Return the minimum of several rounds in which both programs alternate, or None if the decks
    are missing."""
    if decks.folder() is None:
        return None
    import cv2
    import numpy as np

    from tools.camera import scenes

    deck = decks.faces(DECK)
    with tempfile.TemporaryDirectory() as folder:
        photo, indices = Path(folder) / "photo.jpg", Path(folder) / "indices.npy"
        cv2.imwrite(str(photo), scenes.laid(1, deck, CARDS, SIZE).image)
        np.save(indices, deck[:, 8:78, 6:46].min(axis=3))
        see = (SEE, str(photo), "--data", folder)
        match = (MATCHING, str(photo), str(indices), *map(str, WIDTHS))
        ours, theirs = [], []
        for _ in range(rounds):
            ours.append(spent(*see))
            theirs.append(spent(*match))
    return Reading(
        min(seconds for seconds, _ in ours),
        min(seconds for seconds, _ in theirs),
        max(mebibytes for _, mebibytes in ours),
    )
