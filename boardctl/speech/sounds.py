"""Short synthesized sounds: two rising notes, a low buzz, a bell and a little tune."""

from __future__ import annotations

import io
import math
import wave
from array import array
from functools import cache
from typing import Final, Literal

Sound = Literal["accepted", "rejected", "turn", "game"]
RATE: Final = 16_000
"""Samples per second."""
_LOUD: Final = 9_000
_FADE: Final = 0.008
"""Seconds for which a note fades in and out, so that it does not click."""
NOTES: Final[dict[Sound, tuple[tuple[float, float, int], ...]]] = {
    "accepted": ((660, 0.06, 0), (990, 0.08, 0)),
    "rejected": ((165, 0.22, 2),),
    "turn": ((784, 0.16, 1),),
    "game": ((523, 0.12, 0), (659, 0.12, 0), (784, 0.12, 0), (1047, 0.3, 1)),
}
"""The notes of each sound: hertz, seconds, and the number of overtones."""

SIDES: Final = ((1.0, 1.0, 0.15), (0.75, 0.15, 1.0), (1.125, 0.8, 0.45), (0.84, 0.45, 0.8))
"""Each seat's sound: its pitch relative to the usual one, and its volume on the left and the
right."""


@cache
def wav(sound: Sound, seat: int | None = None) -> bytes:
    """Return a sound as the bytes of a 16-bit mono WAV file.

    Args:
        seat: a player, or None. For a player, the sound has the player's pitch, and its two
            channels place it on the player's side.
    """
    samples = array("h")
    pitch, *sides = (1.0, 1.0) if seat is None else SIDES[(seat - 1) % len(SIDES)]
    for usual, seconds, overtones in NOTES[sound]:
        hertz = usual * pitch
        count = int(seconds * RATE)
        for n in range(count):
            at = n / RATE
            near = min(at, seconds - at) / _FADE
            parts = range(1, overtones + 2)
            tone = sum(math.sin(2 * math.pi * hertz * k * at) / k for k in parts)
            level = _LOUD * min(1.0, near) * tone / sum(1 / k for k in parts)
            samples.extend(int(level * side) for side in sides)
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(len(sides))
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(samples.tobytes())
    return file.getvalue()
