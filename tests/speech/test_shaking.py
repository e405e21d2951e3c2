"""Evenings of a player who only hears and whose hands shake, from an empty card to goodnight."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from boardctl.console.settings import KeyTiming, TableSettings
from boardctl.speech.voice import Voice
from boardctl.storage.journal import AtOnce, Journal
from tests.speech.by_ear import Ear
from tests.speech.shaking import Shaking
from tests.speech.test_by_ear import LONGEST, MOST, NAMES
from tests.tables import KeyedTable

EVENINGS = 200
GAMES = ("cribbage", "noddy", "costly-colours", "klaberjass", "five-card-cribbage")


def evening(name: str, language: str, seed: int, data: Path) -> Shaking:
    """One evening."""
    settings = TableSettings(name, NAMES[:2], roster=NAMES, language=language)
    journal = Journal(data, AtOnce())
    try:
        table = KeyedTable(journal, settings)
        ear = Ear()
        Voice(table.controller).join(ear)
        table.clock.run(0.05)
        seed = Random(f"{name} {language} {seed}").getrandbits(32)
        player = Shaking(table, ear, language, seed, 2 * MOST)
        player.set_up(("Cleo", "Ann"))
        assert table.controller.timing == KeyTiming(hold=2.0, slow=0.3, bounce=0.3)
        assert tuple(table.table.position.seats.values()) == ("Cleo", "Ann")
        player.play(lambda: table.table.position.over or player.keys > LONGEST)
        player.ended = table.table.position.over
        player.find("to-goodnight", "do-goodnight")
        assert table.controller.lights.asleep
        assert player.slips > 10
    finally:
        journal.close()
    return player


@pytest.mark.parametrize("language", ["en", "ja"])
def test_an_evening_with_shaking_hands(language: str, tmp_path: Path) -> None:
    assert evening("noddy", language, 1, tmp_path).ended


@pytest.mark.long
def test_two_hundred_evenings_with_shaking_hands(seed: int, tmp_path: Path) -> None:
    longest = ended = slips = 0
    for n in range(EVENINGS):
        folder = tmp_path / str(n)
        folder.mkdir()
        player = evening(GAMES[n % 5], ("en", "ja")[n // 5 % 2], seed + n, folder)
        longest, ended = max(longest, player.longest), ended + player.ended
        slips += player.slips
    print(f"{EVENINGS} evenings, {ended} games to their end, {slips} slips; at most {longest} keys")
    assert ended >= 0.95 * EVENINGS
