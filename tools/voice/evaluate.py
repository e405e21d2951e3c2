"""Recognize phrases spoken by several voices in background sounds, and count the outcomes."""

from __future__ import annotations

import json
import math
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from random import Random
from types import TracebackType
from typing import Any, Final, NamedTuple, Self

import numpy as np

from boardctl.record import notation
from boardctl.speech import recogniser, rescoring
from boardctl.speech.hearing import Guess
from tests.speech.synthetic import SOUNDS, speak, through
from tools.voice import corpus, table
from tools.voice.corpus import Phrase

VOICES: Final[dict[str, tuple[str, ...]]] = {
    "tune": (
        "flite slt", "espeak-ng en-us", "festival kal_diphone", "flite rms", "espeak-ng en-gb",
        "flite awb",
    ),
    "test": (
        "piper joe", "pico en-GB", "hibari heart", "festival ked_diphone", "pico en-US",
        "flite kal16", "espeak-ng en-us+f3",
    ),
    "fresh": (
        "hibari heart", "espeak-ng en-gb-scotland", "piper joe",
        "festival cmu_us_slt_arctic_hts", "pico en-GB", "espeak-ng en-029", "pico en-US",
    ),
}  # fmt: skip
"""The voices used to choose thresholds, and those used to measure them."""
WRITTEN: Final = (-20.0, 2.0)
"""The score and the gap of a phrase that is written without a mistake."""
HEARD: Final = ("noise 20 dB", "room, noise 20 dB", "clean")
"""The sounds, used in turn."""
_SAID: Final = Path(__file__).with_name("say.py")

Samples = np.ndarray[Any, np.dtype[np.float64]]


class Row(NamedTuple):
    """The result of hearing one phrase."""

    kind: str
    situation: str
    text: str
    meant: tuple[str, ...]
    voice: str
    sound: str
    guesses: tuple[tuple[str, float, float], ...]
    clear: bool
    written: str
    became: table.Became | None = None
    """The outcome with an older version of the board; None for this version."""


class Older:
    """An older version of the board, which hears in a separate process.

    Args:
        checkout: the folder of that version.
    """

    def __init__(self, checkout: Path) -> None:
        self._process = subprocess.Popen(
            (sys.executable, table.__file__),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            cwd=checkout, env={**os.environ, "PYTHONPATH": str(checkout.resolve())},
        )  # fmt: skip
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()

    def hear(self, situation: str, audio: bytes) -> tuple[Any, bool, table.Became]:
        """Return the older version's guesses, whether the phrase was clear, and the outcome."""
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        path = Path(self._folder.name, "said.raw")
        path.write_bytes(audio)
        process.stdin.write(json.dumps({"situation": situation, "path": str(path)}) + "\n")
        process.stdin.flush()
        guesses, clear, became = json.loads(process.stdout.readline())
        return guesses, clear, remade(became)


def remade(values: Sequence[Any]) -> table.Became:
    """Read the outcome of a phrase from JSON."""
    did, asked, changed = values
    return table.Became(did and (did[0], did[1]), tuple(asked), changed)


class Speakers:
    """Voices from other packages, used through an interpreter in which they are installed.

    Args:
        python: that interpreter.
    """

    def __init__(self, python: str) -> None:
        self._process = subprocess.Popen(
            (python, str(_SAID)), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self.known: list[str] = json.loads(self._process.stdout.readline())
        self._folder = tempfile.TemporaryDirectory()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        assert self._process.stdin is not None
        self._process.stdin.close()
        self._process.wait()
        self._folder.cleanup()

    def has(self, voice: str) -> bool:
        """Return whether a voice is available here."""
        engine = voice.split()[0]
        return engine in self.known or engine in ("flite", "festival", "espeak-ng")

    def speak(self, voice: str, text: str) -> Samples:
        """Return the spoken text as samples at 16 kHz."""
        engine, name = voice.split()
        if engine not in self.known:
            return speak(voice, text)
        path = Path(self._folder.name, "said.wav")
        process = self._process
        assert process.stdin is not None and process.stdout is not None
        task = {"engine": engine, "voice": name, "text": text, "path": str(path)}
        process.stdin.write(json.dumps(task) + "\n")
        process.stdin.flush()
        if process.stdout.readline() != "done\n":
            raise RuntimeError(f"{voice} did not say {text!r}")
        raw = ("sox", "-D", str(path), "-t", "raw", "-r", str(recogniser.RATE), "-e", "signed")
        made = subprocess.run((*raw, "-b", "16", "-c", "1", "-"), check=True, capture_output=True)
        return np.frombuffer(made.stdout, np.int16).astype(np.float64)


def plan(part: str, seed: int, times: dict[str, int]) -> Iterator[tuple[Phrase, str, str, int]]:
    """Yield each phrase this many times, in a random order: phrase, voice, sound, seed.

    Voices and sounds alternate before the shuffle, so that the first rows are also a fair sample.
    """
    voices = VOICES["fresh" if part == "wider" else part]
    phrases = [
        *(one for one in corpus.own(seed, times["own"])),
        *(one for one in corpus.everyday(part) for _ in range(times["everyday"])),
        *(one for one in corpus.aside(part) for _ in range(times["aside"])),
    ]
    order = list(enumerate(phrases))
    Random(seed).shuffle(order)
    for n, phrase in order:
        sound = HEARD[n % len(HEARD)] if phrase.kind == "own" else HEARD[n % 2]
        yield phrase, voices[n % len(voices)], sound, seed + n


def hear(speakers: Speakers, planned: Sequence[tuple[Phrase, str, str, int]]) -> Iterator[Row]:
    """Hear the phrases with both recognisers of the board."""
    machine = recogniser.decoder()
    folder = rescoring.model()
    if folder is None:
        raise SystemExit("the second recogniser is not installed: pip install boardctl[hearing]")
    second = rescoring.Rescorer(folder)
    for phrase, voice, sound, seed in planned:
        audio = through(speakers.speak(voice, phrase.text), SOUNDS[sound], seed)
        task = corpus.grammar(phrase.situation).task()
        judged = recogniser.hear(machine, second, task, audio)
        yield Row(
            *phrase, voice, sound, _short(judged), recogniser.is_clear(audio),
            second.write(audio)[0],
        )  # fmt: skip


def hear_older(
    speakers: Speakers, planned: Sequence[tuple[Phrase, str, str, int]], older: Older
) -> Iterator[Row]:
    """Let an older version hear the phrases."""
    for phrase, voice, sound, seed in planned:
        audio = through(speakers.speak(voice, phrase.text), SOUNDS[sound], seed)
        guesses, clear, became = older.hear(phrase.situation, audio)
        yield Row(*phrase, voice, sound, _short(guesses), clear, "", became)


def texts(part: str) -> Iterator[Phrase]:
    """Yield each phrase once. Speech that is not meant for the board is yielded once for every
    situation in which nothing is asked."""
    yield from corpus.everyday(part)
    for phrase in corpus.aside(part):
        for situation in corpus.OPEN:
            yield phrase._replace(situation=situation)


def text_outcome(phrase: Phrase) -> str:
    """Return the outcome (`outcome`) of a phrase that both recognisers write without mistakes."""
    written = Guess(rescoring.spoken_words(phrase.text), *WRITTEN)
    understood = corpus.grammar(phrase.situation).understand([written], judged=True)
    did = [
        ("" if said.move is None else notation.spell(said.move), said.answer)
        for said in understood.meanings
    ]
    right = any(corpus.right(phrase, one) for one in did)
    if not did:
        return "rejected"
    if understood.doubtful or len(did) > 1:
        return "offered" if right else "astray"
    if right:
        return "right"
    return "wrong" if did[0][0] else "answered"


def _short(guesses: Sequence[Sequence[Any]]) -> tuple[Any, ...]:
    return tuple((text, *(round(score, 2) for score in scores)) for text, *scores in guesses)


def outcome(row: Row) -> str:
    """Return the outcome of a phrase, as decided by the board's own code.

    It is `right`, `offered` (asked back with the intended move among the choices), `astray` (asked
    back without it), `rejected`, `answered` (an answer that changes nothing) or `wrong` (a wrong
    move).
    """
    phrase = Phrase(row.kind, row.situation, row.text.lower(), row.meant)
    became = row.became or table.becomes(row.situation, row.guesses, row.clear, True)
    if became.asked:
        offered = any(corpus.right(phrase, (line, "")) for line in became.asked)
        return "offered" if offered else "astray"
    if became.did is None:
        return "rejected"
    if corpus.right(phrase, became.did):
        return "right"
    return "wrong" if became.did[0] else "answered"


def interval(part: int, whole: int) -> tuple[float, float]:
    """Return Wilson's 95 % interval for a share (E. B. Wilson, JASA 22, 1927)."""
    if not whole:
        return 0.0, 1.0
    z, share = 1.96, part / whole
    middle = share + z * z / (2 * whole)
    around = z * math.sqrt(share * (1 - share) / whole + z * z / (4 * whole * whole))
    return max(0.0, (middle - around) / (1 + z * z / whole)), min(
        1.0, (middle + around) / (1 + z * z / whole)
    )
