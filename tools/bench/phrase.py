"""The cost of a spoken phrase relative to its duration, and the time from the answer to the light.

Synthetic voices say phrases of an evening of cribbage (`tests/speech/synthetic.py`). The recogniser
is timed as a function: on a board its process works while the key is held and after it is released,
and starts and loads both models before the phrase has ended. From the answer on, the table, the
controller and the lights are the board's own on a virtual clock.
"""

from __future__ import annotations

import shutil
import tempfile
from pathlib import Path
from typing import NamedTuple

from boardctl.drivers.ports import KeyEvent
from boardctl.speech import recogniser, rescoring
from boardctl.speech.hearing import Guess
from boardctl.speech.listening import KEY, Answer, Listening
from boardctl.speech.voice import Voice
from tests.speech import synthetic
from tests.tables import keyed, submit

PHRASES = 18
"""The number of phrases: two by each voice."""
ROUNDS = 3
"""How often each phrase is recognised. The quickest time counts, because other programs on the same
processor slow a recogniser down: its models do not fit in the cache."""
STEP = 0.001
"""Seconds of the virtual clock."""


class Heard(NamedTuple):
    """CPU seconds per second of speech, for the first recogniser and for both, and milliseconds on
    the board's own clock from the answer to the first frame that it changes."""

    first: float
    both: float | None
    light: float


def measure() -> Heard | None:
    """Measure, and return None without the recogniser or the voices."""
    programs = ("flite", "text2wave", "espeak-ng", "sox")
    if recogniser_is_missing() or not all(map(shutil.which, programs)):
        return None
    machine = recogniser.decoder()
    folder = rescoring.model()
    second = rescoring.Rescorer(folder) if folder else None
    said = list(synthetic.phrases(1, PHRASES))
    noise = synthetic.SOUNDS["noise 20 dB"]
    rounds = [synthetic.hear(machine, said, noise, True, 1, second) for _ in range(ROUNDS)]
    sounds = (synthetic.speak(one.voice, one.text, one.speed) for one in said)
    seconds = sum(len(sound) / recogniser.RATE for sound in sounds)
    first = sum(min(one.cpu for one in heard) for heard in zip(*rounds, strict=True))
    judging = sum(min(one.cpu_judging for one in heard) for heard in zip(*rounds, strict=True))
    both = first + judging if second else None
    return Heard(first / seconds, None if both is None else both / seconds, light())


def recogniser_is_missing() -> bool:
    """Return whether the extra `voice` is missing."""
    from importlib.util import find_spec

    return find_spec("pocketsphinx") is None


class _Phrase:
    """A recogniser that understands immediately."""

    def __init__(self, done: object) -> None:
        self.done = done

    def finish(self) -> None:
        assert callable(self.done)
        self.done(Answer((Guess("ann eight", 0.0),), judged=True))

    def cancel(self) -> None: ...


def light() -> float:
    """Return the milliseconds from the answer to the first frame with the peg on its way."""
    with tempfile.TemporaryDirectory() as folder, keyed(Path(folder)) as table:
        for line in ("dealer 1", "deal", "starter 5D"):
            submit(table.table, line, "bench")
        table.clock.run(60.0)  # every peg has arrived
        voice = Voice(table.controller)
        listening = Listening(table.controller, voice, "default", lambda _task, done: _Phrase(done))
        listening.take(KeyEvent(KEY, True, table.clock.time()))
        table.clock.run(1.0)
        before, began = table.row.frame, table.clock.time()
        listening.take(KeyEvent(KEY, False, began))
        while table.row.frame == before:
            table.clock.run(STEP)
        assert table.scores == (8, 0)
        return 1000 * (table.clock.time() - began)
