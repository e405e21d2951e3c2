"""A second recogniser, which judges how well the first recogniser's guesses fit the sound.

Its model (Moonshine tiny, English, MIT licence; Jeffries et al., "Moonshine: Speech Recognition for
Live Transcription and Voice Commands", 2024) comes from the wheel of `moonshine-voice`, which is
used only for this; `onnxruntime` runs the model. The extra `hearing` installs both packages.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from boardctl.text.counting import number

if TYPE_CHECKING:
    import numpy as np

    _Logits = np.ndarray[Any, Any]
    _Heard = tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]
    """The encoder's output for a sound, and the mask of its samples: all."""

FILES: Final = ("encoder_model.ort", "decoder_model_merged.ort", "tokenizer.bin")
"""The model's files, in the folder `assets/tiny-en` of the wheel of moonshine-voice 0.1.0."""
FIRST: Final = 150.0
"""The weight of the first recogniser's score (a logarithm, between -1 and 0) relative to the
second's (a log-likelihood). This value and `PRIOR` gave the most right and the fewest wrong of
1,215 phrases; docs/notes/voice.md lists the figures for other values."""
PRIOR: Final = 0.6
"""The fraction of a phrase's score in silence that is subtracted, so that a phrase is not ranked
last merely because it is rarely written."""
SILENCE: Final = 2
"""The length of that silence in seconds."""
_RATE: Final = 16_000
_SPACE: Final = "\u2581"
_START, _END = 1, 2
LONGEST: Final = 40
"""The maximum number of tokens in an unconstrained transcript."""
WIDTH: Final = 4
"""The number of transcripts that the search within a vocabulary keeps."""
BEHIND: Final = 4.0
"""The search drops an unfinished transcript if a finished one leads it by this log-likelihood."""
EACH_WORD: Final = 1.5
"""The amount added for each word of a finished transcript: the model ends early too easily."""
_MARKS: Final = (",", ".", "?", "!")
_Branch = dict[int | None, Any]
"""The possible next tokens, each with its own branch; None marks the end of a word."""
_TEN: Final = {"twenty": 20, "thirty": 30}
_TENS: Final = re.compile(r"\b(twenty|thirty) (one|two|three|four|five|six|seven|eight|nine)\b")
_PICTURES: Final = frozenset({"ace", "jack", "queen", "king"})
_NUMBERS: Final = {number(n): str(n) for n in range(1, 20)} | {"zero": "0"}


def model() -> Path | None:
    """Return the model's folder, or None if the extra is not installed, without importing the
    package.

    A release of moonshine-voice without the model's files, such as 0.1.5, counts as not installed.
    """
    if find_spec("onnxruntime") is None:
        return None
    found = find_spec("moonshine_voice")
    home = Path(found.origin).parent / "assets" / "tiny-en" if found and found.origin else None
    if home is None or not all((home / name).is_file() for name in FILES):
        return None
    return home


class Rescorer:
    """The loaded model.

    Args:
        folder: contains `encoder_model.ort`, `decoder_model_merged.ort` and `tokenizer.bin`.
    """

    def __init__(self, folder: Path) -> None:
        import numpy
        import onnxruntime

        self._np = numpy
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        self._encoder, self._decoder = (
            onnxruntime.InferenceSession(str(folder / f"{name}.ort"), options)
            for name in ("encoder_model", "decoder_model_merged")
        )
        self._past = {
            one.name: numpy.zeros((0, one.shape[1], 1, one.shape[3]), numpy.float32)
            for one in self._decoder.get_inputs()
            if one.name.startswith("past_key_values")
        }
        self._words = _vocabulary((folder / "tokenizer.bin").read_bytes())
        self._letters = {number: word for word, number in self._words.items()}
        silence = numpy.random.default_rng(1).standard_normal(SILENCE * _RATE) * 1e-4
        self._silence = self._heard(silence)
        self._priors: dict[str, float] = {}

    def judge(
        self, audio: bytes, guesses: Sequence[tuple[str, float]], names: Iterable[str] = ()
    ) -> list[tuple[str, float, float]]:
        """Return the first recogniser's guesses, sorted by the scores of both recognisers, best
        first.

        Each guess is paired with its score and with the advantage of this recogniser's own
        transcript over it.

        Args:
            audio: 16 bits, one channel, 16,000 samples a second.
            guesses: phrases with the first recogniser's scores.
            names: the players' names, which are capitalized.
        """
        if not guesses:
            return []
        heard = self._heard(self._np.frombuffer(audio, self._np.int16) / 32768)
        _, free = self._written(heard)
        judged = []
        for text, first in guesses:
            fit = self._best(heard, text, names)
            score = FIRST * first + fit - PRIOR * self._prior(text)
            judged.append((text, score, free - fit))
        return sorted(judged, key=lambda guess: -guess[1])

    def write(self, audio: bytes) -> tuple[str, float]:
        """Return this recogniser's own transcript and its log-likelihood."""
        return self._written(self._heard(self._np.frombuffer(audio, self._np.int16) / 32768))

    def write_within(
        self, audio: bytes, words: Iterable[str], names: Iterable[str] = ()
    ) -> tuple[str, float]:
        """Return the best transcript that uses only certain words, and the advantage of the free
        transcript over it. If there is no transcript, the text is empty.

        Args:
            audio: 16 bits, one channel, 16,000 samples a second.
            words: words in lower case; numbers may also be written in digits.
            names: the players' names, which are capitalized.
        """
        heard = self._heard(self._np.frombuffer(audio, self._np.int16) / 32768)
        free, likelihood = self._written(heard)
        start = self._branches(words, names)
        marks: _Branch = {self._words[mark]: {None: {}} for mark in _MARKS if mark in self._words}
        going: list[tuple[float, list[int], _Branch]] = [(0.0, [_START], start)]
        ended: list[tuple[float, list[int]]] = []
        for _ in range(len(self._tokens(free)) + WIDTH):
            further: list[tuple[float, list[int], _Branch]] = []
            for score, tokens, branch in going:
                after = self._logits(heard, tokens)[-1]
                ends = None in branch
                ways = branch | start | marks if ends else branch
                every = [
                    (score + float(after[token]), [*tokens, token], way)
                    for token, way in ways.items()
                    if token is not None
                ]
                further += sorted(every, key=lambda one: -one[0])[:WIDTH]
                if ends:
                    ended.append((score + float(after[_END]), tokens))
            least = max((score for score, _ in ended), default=-float("inf")) - BEHIND
            further.sort(key=lambda one: -one[0])
            going = [one for one in further[:WIDTH] if one[0] > least]
        texts = [(self._text(tokens), score) for score, tokens in ended]
        text, score = max(
            texts,
            key=lambda one: one[1] + EACH_WORD * len(one[0].split()),
            default=("", likelihood),
        )
        return text, likelihood - score

    def _branches(self, words: Iterable[str], names: Iterable[str]) -> _Branch:
        """Return the token sequences of all words as a tree."""
        start: _Branch = {}
        known = set(names)
        for word in words:
            forms = {word.capitalize()} if word in known else {word, word.capitalize()}
            if word in _NUMBERS:
                forms.add(_NUMBERS[word])
            for form in forms:
                branch = start
                for token in self._tokens(form):
                    branch = branch.setdefault(token, {})
                branch[None] = {}
        return start

    def _text(self, tokens: Sequence[int]) -> str:
        """Return the text of these tokens, without the first token, which only marks the start."""
        parts = "".join(self._letters.get(one, "") for one in tokens[1:])
        return parts.replace(_SPACE, " ").strip()

    def _written(self, heard: _Heard) -> tuple[str, float]:
        """Transcribe the sound: append the likeliest next token until the text ends."""
        tokens, total = [_START], 0.0
        while len(tokens) < LONGEST:
            after = self._logits(heard, tokens)[-1]
            token = int(after.argmax())
            total += float(after[token])
            if token == _END:
                break
            tokens.append(token)
        return self._text(tokens), total

    def scores(self, audio: bytes, phrases: Sequence[str]) -> list[float]:
        """Return each phrase's log-likelihood, minus a fraction of its log-likelihood in silence.

        Args:
            audio: 16 bits, one channel, 16,000 samples a second.
            phrases: the spoken phrases, in lower case.
        """
        heard = self._heard(self._np.frombuffer(audio, self._np.int16) / 32768)
        return [self._best(heard, one) - PRIOR * self._prior(one) for one in phrases]

    def _best(self, heard: _Heard, phrase: str, names: Iterable[str] = ()) -> float:
        return max(self._likelihood(heard, text) for text in written(phrase, names))

    def _prior(self, phrase: str) -> float:
        if phrase not in self._priors:
            self._priors[phrase] = self._best(self._silence, phrase)
        return self._priors[phrase]

    def _heard(self, samples: np.ndarray[Any, Any]) -> _Heard:
        values = samples.astype(self._np.float32)[None]
        mask = self._np.ones(values.shape, self._np.int64)
        (state,) = self._encoder.run(None, {"input_values": values, "attention_mask": mask})
        return state, mask

    def _likelihood(self, heard: _Heard, text: str) -> float:
        """Return the log-likelihood of this exact text.

        Scoring several texts in one run would be faster, but their 8-bit numbers would share one
        scale, so each score would depend on the other texts.
        """
        np = self._np
        tokens = np.array([_START, *self._tokens(text), _END], np.int64)
        logits = self._logits(heard, tokens[:-1].tolist())
        return float(np.take_along_axis(logits, tokens[1:, None], 1).sum())

    def _logits(self, heard: _Heard, tokens: list[int]) -> _Logits:
        """Return the log-likelihoods of every possible next token after each of these tokens."""
        np = self._np
        state, mask = heard
        logits: _Logits = self._decoder.run(
            ["logits"],
            {
                "input_ids": np.array([tokens], np.int64),
                "encoder_hidden_states": state,
                "encoder_attention_mask": mask,
                "use_cache_branch": np.array([False]),
                **self._past,
            },
        )[0][0]
        logits -= logits.max(-1, keepdims=True)
        logits -= np.log(np.exp(logits).sum(-1, keepdims=True))
        return logits

    def _tokens(self, text: str) -> list[int]:
        """Return the tokens of a text by byte pair encoding. The neighbours that form the earliest
        entry of the vocabulary are joined, repeatedly, until no neighbours form an entry."""
        parts = list(_SPACE + text.replace(" ", _SPACE))
        while True:
            pairs = [
                (self._words[parts[n] + parts[n + 1]], n)
                for n in range(len(parts) - 1)
                if parts[n] + parts[n + 1] in self._words
            ]
            if not pairs:
                return [self._words[part] for part in parts if part in self._words]
            _, at = min(pairs)
            parts[at : at + 2] = [parts[at] + parts[at + 1]]


def _vocabulary(packed: bytes) -> dict[str, int]:
    """Return the words in `tokenizer.bin` with their numbers. Each word is preceded by its length:
    one byte if it is below 128, otherwise two bytes with the low seven bits first. Single bytes
    precede identical letters."""
    words: dict[str, int] = {}
    at = number = 0
    while at < len(packed):
        length = packed[at]
        at += 1
        if length >= 128:
            length = length - 128 + 128 * packed[at]
            at += 1
        words[packed[at : at + length].decode("utf-8", "replace")] = number
        at += length
        number += 1
    return words


def written(phrase: str, names: Iterable[str] = ()) -> Iterator[str]:
    """Return the possible spellings of a phrase, because the model writes sentences and sometimes
    digits."""
    yield _sentence(phrase, names)
    hand = re.fullmatch(r"(.* (?:hand|crib|shows|has)) (\w+(?: \w+){3,})", phrase)
    if hand and all(word in _NUMBERS or word in _PICTURES for word in hand[2].split()):
        cards = ", ".join(hand[2].split())
        yield _sentence(f"{hand[1]} {cards}", names)
        yield _sentence(f"{hand[1]}, {cards}", names)
    count = re.sub(r"(fifteen \w+) (?=and|fifteen|pair|run)", r"\1, ", phrase)
    if count != phrase:
        yield _sentence(count, names)
        yield _sentence(count.replace("fifteen", "15"), names)
    joined = _TENS.sub(r"\1-\2", phrase)
    if joined != phrase:
        yield _sentence(joined, names)
    digits = _TENS.sub(lambda found: str(_TEN[found[1]] + int(_NUMBERS[found[2]])), phrase)
    digits = " ".join(_NUMBERS.get(word, word) for word in digits.split())
    if digits != phrase:
        yield _sentence(digits, names)


def spoken_words(written: str) -> str:
    """Return a written sentence as spoken words: lower case, with numbers spelled out."""
    text = re.sub(r"[^a-z0-9' ]", " ", written.lower().replace("\u2019", "'"))
    text = re.sub(r"\b\d{1,2}\b", lambda found: number(int(found[0])).replace("-", " "), text)
    return " ".join(re.sub(r"\d+", " ", text).replace("nothing points", "no points").split())


def _sentence(words: str, names: Iterable[str] = ()) -> str:
    for name in names:
        words = re.sub(rf"\b{name}\b", name.capitalize(), words)
    words = re.sub(r"\bi\b", "I", words)
    return f"{words[0].upper()}{words[1:]}."
