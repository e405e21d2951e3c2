"""Whole games by spoken phrases: synthetic voices, the real recognisers, and the spoken replies."""

from __future__ import annotations

import os
from dataclasses import fields
from pathlib import Path
from random import Random

import pytest

from boardctl import games
from boardctl.console.settings import TableSettings
from boardctl.games import Telling
from tests.parts import need
from tests.report import LongRun
from tests.speech.by_voice import Heard, Misheard, Recognisers, Talker, Voiced
from tests.speech.synthetic import Sound
from tests.sweeps import sweep

NAMES = ("Ann", "Bob", "Cleo", "Dan")
TELLINGS: tuple[Telling, ...] = ("points", "hands", "cards")
SECRET = ("bezique", "costly-colours", "pinochle")
"""Games in which cards are drawn or swapped. Only their player sees these cards, so they are not
spoken, and later phrases must agree with them."""
ROOMS = (Sound(), Sound(noise=20))


@pytest.fixture(scope="module")
def recognisers() -> Recognisers:
    need("flite", "festival", "festvox-kal", "festvox-slt", "espeak-ng", "sox")
    pytest.importorskip("pocketsphinx", reason="the optional extra `voice`")
    return Recognisers()


def play(name: str, seed: object, data: Path, recognisers: Recognisers | None = None) -> Heard:
    """Play one game to its end; the table must have the intended moves. Without recognisers much is
    misheard."""
    chance = Random(f"{name} {seed}")
    # A bidder in Pinochle for three without cards may bid forever.
    seats = 2 if name == "pinochle" else chance.choice(games.find(name).seats)
    telling = chance.choice(TELLINGS[:-1] if name.endswith(SECRET) else TELLINGS)
    settings = TableSettings(name, NAMES[:seats], telling=telling, language="en")
    sound = chance.choice(ROOMS)
    mouth = Voiced(recognisers, chance, sound) if recognisers else Misheard(chance)
    talker = Talker(data, settings, mouth, chance)
    try:
        talker.play()
        assert talker.is_over, (name, seed, talker.figures)
    finally:
        talker.close()
    return talker.figures


@sweep("seeds", [range(1), range(1, 3)], ordinary=[range(1)])
@pytest.mark.parametrize("name", games.names())
def test_whatever_is_misheard_the_table_has_what_was_meant(
    name: str, tmp_path: Path, seeds: range
) -> None:
    heard = [play(name, seed, tmp_path / str(seed)) for seed in seeds]
    assert sum(one.wrong for one in heard) == 0
    assert sum(one.asked + one.nothing + one.back for one in heard) > 0


@pytest.mark.slow
@pytest.mark.parametrize("name", ["cribbage", "klaberjass"])
def test_a_game_is_played_by_voice(name: str, tmp_path: Path, recognisers: Recognisers) -> None:
    heard = play(name, 1, tmp_path / name, recognisers)
    assert heard.right > heard.phrases / 2
    assert heard.wrong == 0


@pytest.mark.long
def test_two_hundred_games_are_played_by_voice(
    seed: int, tmp_path: Path, recognisers: Recognisers, long_run: LongRun
) -> None:
    """Play 200 games over all games, or the number in the environment's VOICE_GAMES."""
    count = int(os.environ.get("VOICE_GAMES", "200"))
    names = games.names()
    found = [
        play(names[n % len(names)], seed + n, tmp_path / str(n), recognisers) for n in range(count)
    ]
    numbers = [field.name for field in fields(Heard) if field.name != "verbs"]
    totals = {name: sum(getattr(one, name) for one in found) for name in numbers}
    assert totals["wrong"] <= 0.003 * sum(one.phrases for one in found)
    long_run(games=count, **totals)
