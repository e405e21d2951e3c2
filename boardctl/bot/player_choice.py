"""The choice of a computer player, stored as `player.json` in the data directory."""

from __future__ import annotations

import json
import secrets
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Annotated, Any, Final

from boardctl.bot import LEVELS
from boardctl.bot.dealing import Dealt
from boardctl.options import Between, structure
from boardctl.record import sealed
from boardctl.storage import files

_SEEDS: Final = 1 << 31
_IN_GAMES: Final = frozenset(
    {
        *("secret", "cut", "own_cut", "game", "first"),
        *("last_game", "last_first", "last_secret", "last_cut"),
    }
)
"""The keys that version 1.0 wrote."""


@dataclass(frozen=True)
class PlayerChoice:
    """The chosen seat and level, and the sealed shuffles of the latest games."""

    seat: Annotated[int, Between(0, 4)] = 0
    """The seat that the computer plays, or 0 for none."""
    level: Annotated[int, Between(LEVELS[0], LEVELS[-1])] = 5
    """One of `LEVELS`."""
    seed: Annotated[int, Between(0, _SEEDS - 1)] = 0
    """The seed of the computer player's random choices."""
    name: str = ""
    """The name of the player in that seat. In the next game, the computer takes the seat of this
    name."""
    deals: bool = False
    """Whether the board deals."""
    alone: bool = False
    """Whether the board also cuts for deal and begins each game, because it plays against one
    person."""
    games: tuple[Dealt, ...] = ()
    """The games that the board has dealt, newest first."""


def new_seed() -> int:
    """Return a new seed for the player's random choices."""
    return secrets.randbelow(_SEEDS)


def load(path: Path) -> PlayerChoice:
    """Return the choice stored in a file, or an empty choice if the file cannot be read."""
    return files.load(path, _read) or PlayerChoice()


def save(path: Path, chosen: PlayerChoice) -> bool:
    """Store a choice in a file. Return whether the file could be written."""
    return files.keep(path, json.dumps(asdict(chosen)).encode())


def _read(stored: Any) -> PlayerChoice:
    """Return a stored choice. Raises ValueError if the stored data is damaged."""
    chosen = structure(_with_games(stored) if isinstance(stored, dict) else stored, PlayerChoice)
    for dealt in chosen.games:
        _, _, place = dealt.game.partition("/")
        if not dealt.shuffles or not place.removeprefix("-").isdecimal():
            raise ValueError("a game is not whole")
        for shuffle in dealt.shuffles:
            sealed.commitment(shuffle.key)
    return chosen


def _with_games(stored: dict[str, Any]) -> dict[str, Any]:
    """Convert a choice stored by version 1.0, which stored one shuffle for the current game and the
    revealed shuffle of the previous game."""
    new = {name: value for name, value in stored.items() if name not in _IN_GAMES}
    if new == stored:
        return stored
    games = []
    for last in ("", "last_"):
        found = {name: stored.get(last + name) for name in ("secret", "cut", "first")}
        if found["secret"]:
            shuffle = {name: value for name, value in found.items() if value is not None}
            shuffle |= {"told": True} if last else {"own_cut": stored.get("own_cut", False)}
            games.append({"game": stored.get(f"{last}game") or "0/0", "shuffles": [shuffle]})
    return {**new, "deals": stored.get("deals") or bool(stored.get("secret")), "games": games}
