"""The real recogniser on synthetic voices, in the sounds of a room."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from boardctl.speech import hearing, recogniser, rescoring
from tests.parts import need
from tests.report import LOG, LongRun, rows
from tests.speech import recognition, synthetic
from tests.speech.synthetic import MARGINS, SOUNDS, SPEEDS, VOICES, Figures, Sound

FEW = len(VOICES)
"""The number of phrases in the ordinary run: one by each voice, spoken once, heard with and without
noise."""
EACH = 15
"""The number of phrases by each voice at each speed in the long run."""


@pytest.fixture(scope="module")
def machine() -> Any:
    pytest.importorskip("pocketsphinx", reason="the optional extra `voice`")
    need("flite", "festival", "festvox-kal", "festvox-slt", "espeak-ng", "sox")
    return recogniser.decoder()


@pytest.fixture(scope="module")
def second() -> rescoring.Rescorer:
    model = rescoring.model()
    if model is None:
        pytest.skip("the optional extra `hearing`")
    return rescoring.Rescorer(model)


@pytest.mark.slow
def test_synthetic_voices_are_understood(machine: Any) -> None:
    said = list(synthetic.phrases(1, FEW))
    clean, noisy = Figures(), Figures()
    for one in synthetic.hear(machine, said, SOUNDS["clean"], True, 1):
        one.judge(clean, True, alone=True)
    assert clean.right >= FEW - 4, clean
    assert clean.wrong <= 2, "the rates are measured by `make long`"
    for one in synthetic.hear(machine, said, SOUNDS["noise 10 dB"], True, 1):
        one.judge(noisy, True, alone=True)
    assert noisy.wrong == 0, "noise is asked back"


@pytest.mark.slow
def test_a_second_recogniser_understands_more(machine: Any, second: rescoring.Rescorer) -> None:
    said = list(synthetic.phrases(1, 2 * FEW))
    both, alone = Figures(), Figures()
    for one in synthetic.hear(machine, said, SOUNDS["noise 20 dB"], True, 1, second):
        one.judge(both, True)
        one.judge(alone, True, alone=True)
    assert both.right > alone.right, (both, alone)
    assert both.wrong == 0


@pytest.mark.long
@pytest.mark.parametrize("sound", SOUNDS)
def test_phrases_by_synthetic_voices(
    machine: Any, second: rescoring.Rescorer, sound: str, seed: int, long_run: LongRun
) -> None:
    """The same phrases in every sound are judged with and without the referee's knowledge, and by
    the first recogniser alone."""
    count = EACH * len(VOICES) * len(SPEEDS)
    said = list(synthetic.phrases(seed, count))
    long_run(phrases=count)
    for knows in (True, False):
        heard = synthetic.hear(machine, said, SOUNDS[sound], knows, seed, second)
        groups = {"knowing" if knows else "unknowing": heard}
        if knows:
            alone = Figures()
            for one in heard:
                one.judge(alone, True, alone=True)
            for name, took in (
                ("milliseconds", [one.cpu for one in heard]),
                ("judging", [one.cpu_judging for one in heard]),
            ):
                long_run(**{name: round(1000 * sum(took) / count)})
            long_run(alone=str(alone))
            groups |= {name: [one for one in heard if one.spoken.speed == name] for name in SPEEDS}
            groups |= {name: [one for one in heard if one.spoken.voice == name] for name in VOICES}
        for name, some in groups.items():
            figures = Figures()
            for one in some:
                one.judge(figures, knows)
            long_run(**{name: str(figures)})
            assert figures.count == len(some)
        for margin in MARGINS if knows else ():
            figures = Figures()
            for one in heard:
                one.judge(figures, knows, margin)
            long_run(**{f"margin {margin}": str(figures)})
            if margin == hearing.JUDGED_MARGIN:
                assert figures.wrong <= 0.015 * count, "another seed may be less lucky"
                least = {"clean": 0.9, "noise 20 dB": 0.8}.get(sound, 0)
                assert figures.right >= least * count


def test_every_voice_speaks_at_every_speed_in_every_situation() -> None:
    count = EACH * len(VOICES) * len(SPEEDS)
    said = list(synthetic.phrases(3, count))
    assert len(said) == count
    ways = [(one.voice, one.speed) for one in said]
    assert {ways.count((voice, speed)) for voice in VOICES for speed in SPEEDS} == {EACH}
    for voice in VOICES:
        assert {one.table for one in said if one.voice == voice} == {0, 1, 2}
    assert said == list(synthetic.phrases(3, count))
    for one in said:
        assert synthetic.grammar(one.table).understand([hearing.Guess(one.text, 0)]).meanings


@pytest.mark.parametrize("decibels", [20, 10])
def test_noise_is_as_loud_as_it_says(decibels: float) -> None:
    said = 3000 * np.sin(np.arange(16_000) / 5)
    heard = synthetic.through(said, Sound(decibels), 1)
    noise = np.frombuffer(heard, np.int16).astype(float)
    noise[4000:20_000] -= said
    loud = 10 * np.log10(np.mean(said**2) / np.mean(noise**2))
    assert loud == pytest.approx(decibels, abs=0.1)
    power = np.abs(np.fft.rfft(noise)) ** 2
    hertz = np.fft.rfftfreq(len(noise), 1 / recogniser.RATE)
    low, high = (power[(f <= hertz) & (hertz < 2 * f)].sum() for f in (500, 2000))
    assert high / low == pytest.approx(1, rel=0.25)
    assert synthetic.through(said, Sound(decibels), 1) == heard


def test_the_echo_decays_by_60_decibels() -> None:
    click = np.zeros(1600)
    click[0] = 30_000
    heard = np.frombuffer(synthetic.through(click, Sound(room=True), 1), np.int16).astype(float)
    echo = heard[4000 + 80 :]
    assert 10 * np.log10(heard[4000] ** 2 / np.sum(echo**2)) == pytest.approx(3, abs=0.5)
    early, late = (np.sum(echo[at : at + 400] ** 2) for at in (0, 3200))
    assert 10 * np.log10(early / late) == pytest.approx(30, abs=3), "half of it in half the time"


def test_the_page_shows_the_rows_of_the_log() -> None:
    page, log = recognition.PAGE.read_text("utf-8"), rows(LOG.read_text("utf-8"))
    assert recognition.written(page, log) == page, recognition.__doc__
    sounds = {row["test"].removeprefix(f"{recognition.TEST}[")[:-1] for row in log}
    assert sounds >= set(SOUNDS)


def test_a_failed_row_is_left_out_of_the_page() -> None:
    """It does not have all its figures, because its run was cut short."""
    page, log = recognition.PAGE.read_text("utf-8"), rows(LOG.read_text("utf-8"))
    room = f"{recognition.TEST}[room]"
    without = recognition.written(page, [row for row in log if row["test"] != room])
    assert without != page
    failed = {"test": room, "result": "failed", "figures": {"seed": "1"}, "date": "2026-11-01"}
    assert recognition.written(page, [row for row in log if row["test"] != room] + [failed]) == (
        without
    )
    assert "Not measured." in recognition.written(page, [failed])
