"""Phrases by synthetic voices, in the sounds of a room, and how they were understood.

Nothing here is a human voice. All randomness comes from a seed.
"""

from __future__ import annotations

import subprocess
import tempfile
import time
from collections.abc import Iterator
from dataclasses import astuple, dataclass
from functools import cache
from itertools import cycle, islice
from pathlib import Path
from random import Random
from typing import Any, Final, NamedTuple

import numpy as np

from boardctl.games import Telling
from boardctl.speech import hearing, recogniser
from boardctl.speech.hearing import Grammar, Guess, Meaning
from boardctl.speech.phrases import RANKS
from tests.console.test_presses import Keypad

VOICES: Final = (
    "flite slt", "festival kal_diphone", "espeak-ng en-us", "flite rms",
    "festival cmu_us_slt_arctic_hts", "espeak-ng en-us+f3", "flite awb", "espeak-ng en-gb",
    "flite kal16",
)  # fmt: skip
"""Synthetic voices of the three engines in Debian's main archive: a program and its voice."""
SPEEDS: Final = {"usual": 1.0, "slow": 0.8, "fast": 1.25}


class Sound(NamedTuple):
    """The sound between a mouth and the recogniser."""

    noise: float = 60.0
    """The level of the phrase above the noise in decibels. As in a room, the noise has the same
    power in every octave."""
    room: bool = False
    """Whether the room echoes."""


SOUNDS: Final = {
    "clean": Sound(),
    "noise 20 dB": Sound(20),
    "noise 10 dB": Sound(10),
    "room": Sound(room=True),
    "room, noise 20 dB": Sound(20, room=True),
}
ECHO: Final = 0.4
"""The seconds in which the room's echo falls by 60 dB."""
DIRECT: Final = 3.0
"""The level of the direct sound above the echo, in decibels."""
_RATE = recogniser.RATE


@cache
def speak(voice: str, text: str, speed: str = "usual") -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return a phrase by a voice at a speed: samples of 16 kHz."""
    engine, name = voice.split()
    stretch = 1 / SPEEDS[speed]
    with tempfile.TemporaryDirectory() as folder:
        out = str(Path(folder, "said.wav"))
        slow = f"(Parameter.set 'Duration_Stretch {stretch})"
        program = {
            "flite": (
                *("flite", "-voice", name, "--setf", f"duration_stretch={stretch}"),
                *("-t", text, "-o", out),
            ),
            "festival": ("text2wave", "-eval", f"(voice_{name})", "-eval", slow, "-o", out),
            "espeak-ng": (
                *("espeak-ng", "-v", name, "-s", str(round(175 * SPEEDS[speed]))),
                *("-w", out, text),
            ),
        }[engine]
        subprocess.run(program, input=text.encode(), check=True, capture_output=True)
        raw = ("sox", "-D", out, "-t", "raw", "-r", str(_RATE), "-e", "signed", "-b", "16")
        made = subprocess.run((*raw, "-c", "1", "-"), check=True, capture_output=True)
    return np.frombuffer(made.stdout, np.int16).astype(np.float64)


def through(said: np.ndarray[Any, np.dtype[np.float64]], sound: Sound, seed: int) -> bytes:
    """Return a phrase as a microphone hears it, with a quarter of a second around it."""
    chance = np.random.default_rng(seed)
    around = np.zeros(_RATE // 4)
    samples = np.concatenate([around, said, around])
    if sound.room:
        samples = np.convolve(samples, _echo())[: len(samples)]
    size = 2 * (len(samples) // 2 + 1)
    noise = np.fft.rfft(chance.standard_normal(size))
    noise /= np.sqrt(np.maximum(np.fft.rfftfreq(size, 1 / _RATE), 50))
    hum = np.fft.irfft(noise)[: len(samples)]
    loud = max(4.0, np.sqrt(np.mean(said**2)) / 10 ** (sound.noise / 20))
    samples += hum * loud / np.sqrt(np.mean(hum**2))
    samples *= min(1.0, 32767 / np.abs(samples).max())
    return samples.astype(np.int16).tobytes()


@cache
def _echo() -> np.ndarray[Any, np.dtype[np.float64]]:
    """Return the impulse response of a room: the direct sound, and after five milliseconds noise
    that decays exponentially."""
    length = round(ECHO * _RATE)
    tail = np.random.default_rng(1).standard_normal(length)
    tail *= 10 ** (-3 * np.arange(length) / length)
    tail[: _RATE // 200] = 0
    tail *= 10 ** (-DIRECT / 20) / np.sqrt(np.sum(tail**2))
    tail[0] = 1
    return tail


@dataclass
class Figures:
    """The numbers of phrases right at once, asked back, asked back without the right choice, not
    understood, silently wrong."""

    right: int = 0
    asked: int = 0
    astray: int = 0
    nothing: int = 0
    wrong: int = 0

    def add(self, meant: list[Meaning], heard: tuple[Meaning, ...], clear: bool) -> None:
        """Count one phrase."""
        if not heard:
            self.nothing += 1
        elif len(heard) > 1 or not clear:
            self.asked += any(said in meant for said in heard)
            self.astray += not any(said in meant for said in heard)
        elif heard[0] in meant:
            self.right += 1
        else:
            self.wrong += 1

    @property
    def count(self) -> int:
        return sum(astuple(self))

    def __str__(self) -> str:
        return " ".join(map(str, astuple(self)))


MARGINS: Final = (0.0, 2.0, 4.0, hearing.JUDGED_MARGIN, 6.0, 8.0)
"""The margins to compare; the same phrases are judged for each, which shows the effect of another
margin."""


class Spoken(NamedTuple):
    """A legal phrase of a situation, and how it is spoken."""

    table: int
    text: str
    voice: str
    speed: str


TABLES: Final[tuple[tuple[Telling, tuple[str, ...]], ...]] = (
    ("hands", ("starter 5",)),
    ("hands", ()),
    ("cards", ("starter 5", "2 play T", "1 play 7")),
)
"""Three situations of cribbage: the level of entry, and the lines."""


@cache
def grammar(table: int, knows: bool = True) -> Grammar:
    """Return the grammar of a situation."""
    telling, lines = TABLES[table]
    return Grammar(Keypad(telling, *lines).view, knows=knows)


def phrases(seed: int, count: int) -> Iterator[Spoken]:
    """Return legal phrases of the situations in turn, including hands. Each voice speaks one, in a
    random order, then each the next at another speed, and so on."""
    chance = Random(seed)
    ways = (
        (voice, speed) for speed in cycle(SPEEDS) for voice in chance.sample(VOICES, len(VOICES))
    )
    texts = _texts(chance)
    for (voice, speed), (table, text) in islice(zip(ways, texts, strict=False), count):
        yield Spoken(table, text, voice, speed)


def _texts(chance: Random) -> Iterator[tuple[int, str]]:
    """Yield legal phrases, each with its situation; one of seven is a hand."""
    ranks = tuple(RANKS)
    for table in cycle(range(len(TABLES))):
        may = grammar(table)
        for text in chance.sample(sorted({phrase for phrase, _ in may.own()}), 6):
            yield table, text
        hand = "bob hand " + " ".join(chance.choice(ranks) for _ in range(4))
        if may.understand([Guess(hand, 0.0)]).meanings:
            yield table, hand


class Heard(NamedTuple):
    """The recognisers' guesses for a phrase."""

    spoken: Spoken
    guesses: tuple[Guess, ...]
    """The guesses of the first alone, in its own number."""
    judged: tuple[Guess, ...]
    """The guesses of both from a longer list; none without a second one."""
    clear: bool
    cpu: float
    """The seconds that the first took."""
    cpu_judging: float = 0.0

    def judge(
        self, figures: Figures, knows: bool, margin: float | None = None, *, alone: bool = False
    ) -> None:
        """Judge the guesses and count the result.

        Args:
            figures: the counts to update.
            knows: whether the referee's knowledge is used.
            margin: a margin other than the usual one.
            alone: whether to use the first recogniser's guesses alone.
        """
        meant = list(grammar(self.spoken.table).meanings(self.spoken.text))
        may = grammar(self.spoken.table, knows)
        guesses = self.guesses if alone else self.judged
        understood = may.understand(guesses, self.clear, margin, judged=not alone)
        figures.add(meant, understood.meanings, self.clear)


def hear(
    machine: Any, said: list[Spoken], sound: Sound, knows: bool, seed: int, second: Any = None
) -> list[Heard]:
    """Yield the guesses of a recogniser, and of a second one if given, for phrases one by one."""
    found = []
    for n, one in enumerate(said):
        audio = through(speak(one.voice, one.text, one.speed), sound, seed + n)
        task: Any = grammar(one.table, knows).task()
        began = time.process_time()
        names, _ = task.pop("names"), task.pop("words")
        guesses = recogniser.guesses(machine, audio=audio, **task)
        first = time.process_time()
        judged = recogniser.judged(second, audio, guesses, names) if second else ()
        found.append(
            Heard(
                one,
                tuple(Guess(*guess) for guess in guesses[: recogniser.BEST]),
                tuple(Guess(*guess) for guess in judged),
                recogniser.is_clear(audio),
                first - began,
                time.process_time() - first,
            )
        )
    return found
