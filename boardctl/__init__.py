"""boardctl: a cribbage board without pegs, and its referee as a library.

docs/library.md documents every public name, such as `from boardctl import score, Record`. Importing
only the package does not import anything else. docs/architecture.md describes the code.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from boardctl.bot.advice import Throw as Throw
    from boardctl.bot.advice import advise as advise
    from boardctl.games import Award as Award
    from boardctl.games import IllegalMove as IllegalMove
    from boardctl.games import Move as Move
    from boardctl.games.cards import Card as Card
    from boardctl.games.cards import parse_card as parse_card
    from boardctl.games.cards import parse_cards as parse_cards
    from boardctl.record.legal import legal_moves as legal_moves
    from boardctl.record.library import HandScore as HandScore
    from boardctl.record.library import export as export
    from boardctl.record.library import game_names as game_names
    from boardctl.record.library import parse_move as parse_move
    from boardctl.record.library import random_move as random_move
    from boardctl.record.library import replay as replay
    from boardctl.record.library import score as score
    from boardctl.record.library import spell_move as spell_move
    from boardctl.record.record import Record as Record
    from boardctl.record.record import Report as Report

__version__ = "1.0.0"

PUBLIC = {
    "Award": "boardctl.games",
    "Card": "boardctl.games.cards",
    "HandScore": "boardctl.record.library",
    "IllegalMove": "boardctl.games",
    "Move": "boardctl.games",
    "Record": "boardctl.record.record",
    "Report": "boardctl.record.record",
    "Throw": "boardctl.bot.advice",
    "advise": "boardctl.bot.advice",
    "export": "boardctl.record.library",
    "game_names": "boardctl.record.library",
    "legal_moves": "boardctl.record.legal",
    "parse_card": "boardctl.games.cards",
    "parse_cards": "boardctl.games.cards",
    "parse_move": "boardctl.record.library",
    "random_move": "boardctl.record.library",
    "replay": "boardctl.record.library",
    "score": "boardctl.record.library",
    "spell_move": "boardctl.record.library",
}
"""Each public name and its module, imported on first use. Public names and their arguments stay
stable until the next major version."""


def __getattr__(name: str) -> Any:
    if name not in PUBLIC:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(PUBLIC[name]), name)


def __dir__() -> list[str]:
    return sorted([*globals(), *PUBLIC])
