"""The recogniser: a separate process that recognizes one phrase (extra `voice`, PocketSphinx).

The first line of input is JSON: the possible words and phrases, and the microphone. The process
then records until the input ends, and replies with one line of JSON: its guesses, best first,
whether the phrase was clearly louder than the noise, and whether a second recogniser (extra
`hearing`) has judged the guesses. Recordings are not stored.
"""

from __future__ import annotations

import json
import math
import subprocess
import sys
from array import array
from collections.abc import Sequence
from typing import Any, Final

from boardctl.speech import rescoring
from boardctl.speech.everyday import Frame

RATE: Final = 16_000
BEST: Final = 5
"""The number of guesses among the board's own phrases."""
FRAMED: Final = 3
"""The number of guesses among everyday phrases."""
UNFIT: Final = 9.0
"""The advantage of the second recogniser's free transcript, less 1 for each word, from which a
guess does not fit (`hearing.DOUBT`)."""
NEAR: Final = 4.0
"""The maximum advantage of the free transcript over a transcript in the game's words."""
NEARLY: Final = -1000.0
"""The score of a transcript in the game's words, which is below any other score."""
CLEAR: Final = 16.0
"""The minimum distance between speech and noise, in decibels."""
WORDS: Final = {
    "belote(2)": "B AH L AA T",
    "capot": "K AH P OW",
    "coinche": "K W AA N SH",
    "coinche(2)": "K W AE N SH",
    "deuces": "D UW S IH Z",
    "melds": "M EH L D Z",
    "mog": "M AA G",
    "nob": "N AA B",
    "nobs": "N AA B Z",
    "noddy": "N AA D IY",
    "starter's": "S T AA R T ER Z",
    "surcoinche": "S ER K W AA N SH",
    "surcoinche(2)": "S ER K W AE N SH",
}
"""Game words that the model's dictionary lacks or pronounces differently, in the model's phonemes
(ARPAbet)."""
AROUND: Final = 8
"""The number of silent frames kept before and after a phrase."""
SEARCH: Final = {"beam": 1e-90, "pbeam": 1e-90, "wbeam": 1e-70}
"""The lowest likelihood of a path that the search keeps. It is far lower than the model's own
values, with which the search drops the right path. The grammars are small enough for it.
"""
_FRAME: Final = RATE // 50


def decoder() -> Any:
    """Return a PocketSphinx decoder that uses the model in its wheel and additional words."""
    from pocketsphinx import Decoder

    machine = Decoder(
        samprate=RATE, loglevel="FATAL", lm=None, dither=True, seed=1, bestpath=False, **SEARCH,
    )  # fmt: skip
    for word, sounds in WORDS.items():
        machine.add_word(word, sounds, False)
    return machine


def guesses(
    machine: Any,
    phrases: list[str],
    hands: list[str],
    sets: str,
    audio: bytes,
    ranks: dict[str, list[str]],
    best: int = BEST,
    frames: Sequence[Sequence[Any]] = (),
    counts: Sequence[str] = (),
) -> list[tuple[str, float]]:
    """Return the best guesses for a phrase, best first, with the logarithms of their scores. If
    nothing was understood, there are no guesses.

    The second guess is the result of a search that excludes the first, and so on, because only the
    scores of complete searches can be compared.

    Args:
        machine: a `decoder`.
        phrases: the possible phrases; phrases with words that the dictionary lacks are dropped.
        hands: rules for hands, in the JSpeech Grammar Format.
        sets: the sets of ranks named in the rules.
        audio: 16 bits, one channel, `RATE` samples a second.
        ranks: the words for ranks, each with the words for other ranks.
        best: the number of guesses.
        frames: phrases with a gap (`everyday.Frame`); those with words that the dictionary lacks
            are dropped.
        counts: rules for a hand counted aloud, in the JSpeech Grammar Format.
    """
    known = [Frame(before, tuple(slot), after) for before, slot, after in frames]
    known = [one for one in known if all(machine.lookup_word(w) is not None for w in one.words)]
    taken: dict[Frame, list[str]] = {one: [] for one in known}
    may = [one for one in phrases if all(machine.lookup_word(w) is not None for w in one.split())]
    audio = trimmed(audio)
    found: list[tuple[str, float]] = []
    while len(found) < best and (may or hands):
        guess = _once(machine, _grammar([*may, *hands], sets), audio)
        if guess is None:
            break
        found.append(guess)
        if guess[0] in may:
            may.remove(guess[0])
        else:
            hands = _one_card_off(guess[0], ranks) if len(found) == 1 else []
    for _ in range(FRAMED if known else 0):
        rules = [rule for one, without in taken.items() if (rule := one.rule(without))]
        guess = _once(machine, _grammar(rules, ""), audio)
        if guess is None:
            break
        found.append(guess)
        for one in known:
            slot = one.find(guess[0])
            taken[one] += [slot] if slot is not None else []
    if counts and (guess := _once(machine, _grammar(counts, sets), audio)):
        found.append(guess)
    return sorted(dict(found).items(), key=lambda guess: -guess[1])


def _grammar(rules: Sequence[str], sets: str) -> str:
    return f"#JSGF V1.0;\ngrammar now;\npublic <now> = {' | '.join(rules)};\n{sets}"


def hear(
    machine: Any, second: rescoring.Rescorer | None, task: Any, audio: bytes
) -> list[tuple[str, float, float]]:
    """Return guesses for a phrase, best first: text, score, and the distance from the second
    recogniser's unconstrained transcript. The guesses include the transcript itself, although it is
    often not a possible phrase.

    Args:
        machine: a `decoder`.
        second: the second recogniser, if it is installed.
        task: the possible phrases (`Grammar.task`).
        audio: 16 bits, one channel, `RATE` samples a second.
    """
    names = ("phrases", "hands", "sets", "ranks", "frames", "counts")
    expected = {name: task[name] for name in names}
    found = guesses(machine, audio=audio, **expected, best=BEST)
    if second is None:
        return [(*guess, 0.0) for guess in found]
    best = judged(second, audio, found, task["names"])
    possible = dict(found)
    fits = (gap - len(text.split()) < UNFIT for text, _, gap in best if text in possible)
    if not any(fits):
        best += in_vocabulary(second, audio, task["words"], task["names"])
    return best


def in_vocabulary(
    second: rescoring.Rescorer, audio: bytes, words: Sequence[str], names: Sequence[str]
) -> list[tuple[str, float, float]]:
    """Return the second recogniser's transcript restricted to the game's words, if it is nearly as
    likely as the free transcript."""
    written, gap = second.write_within(audio, words, names) if words else ("", 0.0)
    text = rescoring.spoken_words(written)
    return [(text, NEARLY, gap)] if text and gap <= NEAR else []


def judged(
    second: rescoring.Rescorer,
    audio: bytes,
    found: list[tuple[str, float]],
    names: Sequence[str],
) -> list[tuple[str, float, float]]:
    """Return the guesses with the second recogniser's scores, plus its own transcript."""
    written = rescoring.spoken_words(second.write(audio)[0])
    if found and written and written not in dict(found):
        found = [*found, (written, min(score for _, score in found))]
    return second.judge(audio, found, names)


def _one_card_off(hand: str, ranks: dict[str, list[str]]) -> list[str]:
    """Return rules for the hands that differ from a hand in one card (JSpeech Grammar Format)."""
    words = hand.split()
    rules = []
    for at in range(len(words) - 1, -1, -1):
        if words[at] in ("a", "an", "and"):
            continue
        others = ranks.get(words[at])
        if others is None:
            break
        if others:
            rules.append(" ".join([*words[:at], f"( {' | '.join(others)} )", *words[at + 1 :]]))
    return rules


def _powers(samples: array[int]) -> list[float]:
    """Return the mean square of each frame."""
    starts = range(0, len(samples) - _FRAME, _FRAME)
    return [sum(n * n for n in samples[at : at + _FRAME]) / _FRAME for at in starts]


def is_clear(audio: bytes) -> bool:
    """Return whether a phrase is clearly louder than the noise: its loud parts must be `CLEAR`
    decibels above its quiet parts."""
    loud = sorted(_powers(array("h", audio[: len(audio) // 2 * 2])))
    if len(loud) < 10:
        return False
    quiet, spoken = loud[len(loud) // 10], loud[len(loud) * 9 // 10]
    return spoken >= max(1.0, quiet) * 10 ** (CLEAR / 10)


def trimmed(audio: bytes) -> bytes:
    """Return a phrase with only `AROUND` frames of the silence before and after it. The recogniser
    normalizes by the mean of the whole recording, which longer silence would distort."""
    samples = array("h", audio[: len(audio) // 2 * 2])
    powers = _powers(samples)
    if len(powers) < 10:
        return audio
    ordered = sorted(powers)
    least = max(2.5 * ordered[len(ordered) // 10], ordered[len(ordered) * 9 // 10] / 3000)
    loud = [n for n, power in enumerate(powers) if power > least]
    if not loud:
        return audio
    return samples[max(0, loud[0] - AROUND) * _FRAME : (loud[-1] + AROUND + 1) * _FRAME].tobytes()


def _once(machine: Any, grammar: str, audio: bytes) -> tuple[str, float] | None:
    machine.add_jsgf_string("now", grammar)
    machine.activate_search("now")
    machine.start_utt()
    machine.process_raw(audio, full_utt=True)
    machine.end_utt()
    best = machine.hyp()
    if best is None or not best.hypstr or best.score <= 0:
        return None
    return best.hypstr, math.log10(best.score)


def main() -> None:
    """Record and recognize one phrase from the microphone."""
    task = json.loads(sys.stdin.readline())
    recording = subprocess.Popen(
        ("arecord", "-q", "-D", task["microphone"], "-f", "S16_LE", "-r", str(RATE), "-c", "1",
         "-t", "raw"),
        stdout=subprocess.PIPE,
    )  # fmt: skip
    machine = decoder()
    model = rescoring.model()
    judge = rescoring.Rescorer(model) if model else None
    sys.stdin.read()  # until the key is released
    recording.terminate()
    audio, _ = recording.communicate()
    found = hear(machine, judge, task, audio)
    answer = {"guesses": found, "clear": is_clear(audio), "judged": judge is not None}
    sys.stdout.write(json.dumps(answer) + "\n")


if __name__ == "__main__":
    main()
