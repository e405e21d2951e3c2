"""Short sounds, made here: two rising notes, one low buzz, a bell, a little tune."""

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
"""Seconds in which a note fades in and out, so that it does not click."""
NOTES: Final[dict[Sound, tuple[tuple[float, float, int], ...]]] = {
    "accepted": ((660, 0.06, 0), (990, 0.08, 0)),
    "rejected": ((165, 0.22, 2),),
    "turn": ((784, 0.16, 1),),
    "game": ((523, 0.12, 0), (659, 0.12, 0), (784, 0.12, 0), (1047, 0.3, 1)),
}
"""The notes of each sound: hertz, seconds, and the number of overtones."""


@cache
def wav(sound: Sound) -> bytes:
    """Return a sound as the bytes of a WAV file: one channel, 16 bits."""
    samples = array("h")
    for hertz, seconds, overtones in NOTES[sound]:
        count = int(seconds * RATE)
        for n in range(count):
            at = n / RATE
            near = min(at, seconds - at) / _FADE
            parts = range(1, overtones + 2)
            tone = sum(math.sin(2 * math.pi * hertz * k * at) / k for k in parts)
            samples.append(int(_LOUD * min(1.0, near) * tone / sum(1 / k for k in parts)))
    file = io.BytesIO()
    with wave.open(file, "wb") as out:
        out.setnchannels(1)
        out.setsampwidth(2)
        out.setframerate(RATE)
        out.writeframes(samples.tobytes())
    return file.getvalue()
