"""Values of the record as JSON: one form for `replay`, exports, the page and the broker."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from boardctl.games import Award
from boardctl.games.cards import codes


def awards_json(awards: Iterable[Award]) -> list[dict[str, Any]]:
    """Awards in their order, each with its seat (from 1), points, reason code and the cards that
    earned it."""
    return [
        {
            "seat": award.seat,
            "points": award.points,
            "reason": award.reason,
            "cards": codes(award.cards),
        }
        for award in awards
    ]
