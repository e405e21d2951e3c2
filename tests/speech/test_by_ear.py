"""Whole games played by ear. A player who gets only the spoken sentences and has only keys is never
lost, in any game, at any level of entry, in both languages."""

from __future__ import annotations

from pathlib import Path
from random import Random

import pytest

from boardctl import games
from boardctl.console.settings import TableSettings, VoiceSettings
from boardctl.games import Telling
from boardctl.speech.voice import Voice
from boardctl.storage.journal import AtOnce, Journal
from tests.speech.by_ear import Ear, Listener
from tests.tables import KeyedTable

LONGEST = 6_000
"""The number of keys after which a game is abandoned: a bidder in Pinochle without cards may lose
forever."""
MOST = 150
"""The maximum number of keys for one accepted move by a player who knows no game and no cards."""
GAMES = 1000
"""The number of games that `make long` plays."""
TELLINGS: tuple[Telling, ...] = ("points", "hands", "cards")
NAMES = ("Ann", "Bob", "Cleo", "Dan")


def play(name: str, language: str, seed: int, data: Path) -> Listener:
    """Play one whole game by ear."""
    chance = Random(f"{name} {language} {seed}")
    seats = chance.choice(games.find(name).seats)
    settings = TableSettings(
        name,
        NAMES[:seats],
        telling=chance.choice(TELLINGS),
        language=language,
    )
    journal = Journal(data, AtOnce())
    try:
        table = KeyedTable(journal, settings, board="classic-3" if seats == 3 else "classic-2")
        ear = Ear()
        voice = Voice(
            table.controller, VoiceSettings(level=chance.choice(("questions", "everything")))
        )
        voice.join(ear)
        table.clock.run(0.05)
        listener = Listener(table, ear, language, chance.getrandbits(32), MOST)
        listener.play(lambda: table.table.position.over or listener.keys > LONGEST)
        listener.ended = table.table.position.over
        assert "game" in ear.played or not listener.ended
        assert "accepted" in ear.played
    finally:
        journal.close()
    return listener


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize("name", games.names())
def test_a_game_is_played_by_ear(name: str, language: str, tmp_path: Path) -> None:
    assert play(name, language, 1, tmp_path).ended


@pytest.mark.long
def test_a_thousand_games_are_played_by_ear(seed: int, tmp_path: Path) -> None:
    names = games.names()
    longest = ended = 0
    for n in range(GAMES):
        folder = tmp_path / str(n)
        folder.mkdir()
        name, language = names[n % len(names)], ("en", "ja")[n // len(names) % 2]
        listener = play(name, language, seed + n, folder)
        longest, ended = max(longest, listener.longest), ended + listener.ended
    print(f"{GAMES} games, {ended} to their end; at most {longest} keys for a move")
    assert ended >= 0.95 * GAMES
