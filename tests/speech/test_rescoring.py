"""The second recogniser: how its texts become numbers, and the effect of its judgement."""

from __future__ import annotations

import math
from importlib.machinery import ModuleSpec
from pathlib import Path

import numpy as np
import pytest

from boardctl.speech import recogniser, rescoring
from boardctl.speech.hearing import JUDGED_MARGIN, Grammar, Guess
from tests.console.test_presses import Keypad
from tests.parts import need
from tests.speech import synthetic


@pytest.fixture(scope="module")
def second() -> rescoring.Rescorer:
    model = rescoring.model()
    if model is None:
        pytest.skip("the optional extra `hearing`")
    return rescoring.Rescorer(model)


def test_a_package_without_the_models_files_is_not_installed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """moonshine-voice 0.1.5 contains only the tokenizer, and would end with an error."""
    folder = tmp_path / "moonshine_voice" / "assets" / "tiny-en"
    folder.mkdir(parents=True)
    package = tmp_path / "moonshine_voice" / "__init__.py"
    package.touch()
    specs = {
        "onnxruntime": ModuleSpec("onnxruntime", None),
        "moonshine_voice": ModuleSpec("moonshine_voice", None, origin=str(package)),
    }
    monkeypatch.setattr(rescoring, "find_spec", specs.get)
    (folder / "tokenizer.bin").touch()
    assert rescoring.model() is None
    for name in rescoring.FILES:
        (folder / name).touch()
    assert rescoring.model() == folder


TOKENS = {
    "Ann eight.": [8081, 9475, 29889],
    "My hand twenty-two.": [1619, 1361, 10081, 29899, 10184, 29889],
    "Bob hand jack, jack, ace, ten.": (
        [7991, 1361, 28015, 29892, 28015, 29892, 21643, 29892, 3006, 29889]
    ),
}
"""The tokens of Hugging Face's `tokenizers`, with the model's own `tokenizer.json`."""


@pytest.mark.parametrize("text", TOKENS)
def test_texts_become_the_models_own_tokens(second: rescoring.Rescorer, text: str) -> None:
    assert second._tokens(text) == TOKENS[text]


def test_the_model_has_what_is_given_to_it(second: rescoring.Rescorer) -> None:
    """Its place in the wheel and its inputs are up to another project."""
    assert {one.name for one in second._encoder.get_inputs()} == {"input_values", "attention_mask"}
    inputs = {one.name for one in second._decoder.get_inputs()}
    assert inputs == {
        *("input_ids", "encoder_hidden_states", "encoder_attention_mask", "use_cache_branch"),
        *second._past,
    }
    assert second._decoder.get_outputs()[0].name == "logits"


def test_one_phrase_after_another_and_several_at_once_score_the_same(
    second: rescoring.Rescorer,
) -> None:
    need("flite", "sox")
    phrases = ["ann five", "bob hand five", "bob hand five five jack ten", "what is the score"]
    audio = synthetic.through(synthetic.speak("flite slt", "bob hand five"), synthetic.Sound(), 1)
    together = second.scores(audio, phrases)
    alone = [second.scores(audio, [one])[0] for one in phrases]
    assert together == alone
    assert max(phrases, key=dict(zip(phrases, together, strict=True)).__getitem__) == (
        "bob hand five"
    )
    assert second.judge(audio, []) == []


def test_a_transcript_in_certain_words_has_no_other(second: rescoring.Rescorer) -> None:
    need("flite", "sox")
    audio = synthetic.through(synthetic.speak("flite slt", "bob goes up six"), synthetic.Sound(), 1)
    words = ["bob", "ann", "six", "nine", "goes", "up", "down"]
    written, gap = second.write_within(audio, words, ["bob", "ann"])
    assert rescoring.spoken_words(written) == "bob goes up six"
    other, behind = second.write_within(audio, ["queen", "of", "hearts"])
    assert set(rescoring.spoken_words(other).split()) <= {"queen", "of", "hearts"}
    assert behind > max(gap, recogniser.NEAR)
    assert second.write_within(audio, []) == ("", 0.0)


def test_the_judgement_turns_round_what_the_first_found(second: rescoring.Rescorer) -> None:
    need("flite", "sox")
    audio = synthetic.through(synthetic.speak("flite rms", "ann nine"), synthetic.Sound(), 1)
    (best, ahead, gap), (_, behind, other) = second.judge(
        audio, [("ann five", -0.2), ("ann nine", -0.21)]
    )
    assert best == "ann nine"
    assert ahead > behind
    assert other > gap >= 0, "nothing fits better than what is written freely"


@pytest.mark.parametrize(
    ("phrase", "ways"),
    [
        ("ann eight", ["Ann eight.", "Ann 8."]),
        ("my hand twenty two", ["My hand twenty two.", "My hand twenty-two.", "My hand 22."]),
        (
            "bob crib ace ten two two",
            [
                "Bob crib ace ten two two.",
                "Bob crib ace, ten, two, two.",
                "Bob crib, ace, ten, two, two.",
                "Bob crib ace 10 2 2.",
            ],
        ),
        ("go", ["Go."]),
    ],
)
def test_ways_of_writing(phrase: str, ways: list[str]) -> None:
    assert list(rescoring.written(phrase)) == ways


def test_lengths_of_words_may_have_two_bytes() -> None:
    long = "x" * 300
    packed = b"\x01a" + bytes([300 % 128 + 128, 300 // 128]) + long.encode() + b"\x01a"
    assert rescoring._vocabulary(packed) == {"a": 2, long: 1}


def test_what_is_judged_must_be_ahead_by_a_margin_of_its_own() -> None:
    grammar = Grammar(Keypad("hands", "starter 5").view)
    for gap, count in ((JUDGED_MARGIN - 0.1, 2), (JUDGED_MARGIN + 0.1, 1)):
        guesses = [Guess("ann eight", -20.0), Guess("ann nine", -20.0 - gap)]
        assert len(grammar.understand(guesses, judged=True).meanings) == count
    assert len(grammar.understand(guesses).meanings) == 1 + (JUDGED_MARGIN + 0.1 < 0.1 * 20)
    noisy = grammar.understand(guesses, clear=False, judged=True)
    assert len(noisy.meanings) == 2, "noise is asked back, whoever judges"


def test_what_is_written_freely_is_spelled_as_it_is_spoken(second: rescoring.Rescorer) -> None:
    assert rescoring.spoken_words("Ann 8.") == "ann eight"
    assert (
        rescoring.spoken_words("31 for two, I\u2019ve got 15!")
        == "thirty one for two i've got fifteen"
    )
    need("flite", "sox")
    audio = synthetic.through(synthetic.speak("flite slt", "take that back"), synthetic.Sound(), 1)
    text, score = second.write(audio)
    assert rescoring.spoken_words(text) == "take that back"
    assert score < 0
    ((_, _, gap),) = second.judge(audio, [("take that back", -0.1)])
    assert gap == pytest.approx(0, abs=1)


def test_without_the_extra_there_is_none(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rescoring, "find_spec", lambda name: None)
    assert rescoring.model() is None


def test_the_sound_is_taken_as_it_comes(second: rescoring.Rescorer) -> None:
    """The sounds are silence, the shortest sound, and the longest that a key may record."""
    for seconds in (0.1, 1, 15):
        audio = np.zeros(round(seconds * recogniser.RATE), np.int16).tobytes()
        (score,) = second.scores(audio, ["go"])
        assert math.isfinite(score)
