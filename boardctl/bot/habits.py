"""Legal play of any game, from its prompt alone, with the plain habits of trick-taking games.

A line is due of a seat where the prompt asks that seat for one that is the player's own to say; a
line that only reports cards (a hand, a draw, the card turned) is waited for.
"""

from __future__ import annotations

from itertools import combinations
from random import Random
from typing import Final

from boardctl.games import Ask, IllegalMove, Move
from boardctl.record.record import Record

REPORTS: Final = frozenset(
    {"hand", "draw", "turnup", "starter", "cut", "count", "peg", "show", "crib", "muggins"}
    | {"dealer", "deal", "trump", "resign", "adjust"}
)
"""Verbs that tell what lies on the table: whoever deals or keeps the record says them."""
_MOST_TRIED: Final = 400


def due(record: Record, seat: int, level: int, random: Random) -> Move | None:
    """The line that is due of a seat, None where nothing is."""
    moves = legal(record, seat)
    return random.choice(moves) if moves else None


def legal(record: Record, seat: int) -> list[Move]:
    """All lines that a seat may say now, in the order of the prompt; none while a card that it is
    to see has not been told."""
    position = record.position
    if position.game is None or position.state is None or position.over:
        return []
    asks = position.prompt.asks
    waits = {ask.move.verb for ask in asks if ask.move.seat in (None, seat)}
    found: list[Move] = []
    for ask in asks:
        if ask.seat != seat or ask.move.verb in REPORTS:
            continue
        if waits & {"hand", "draw", "turnup"} and ask.move.verb != "meld":
            continue
        found += [move for move in _completed(ask) if _accepted(record, move)]
    return found


def _completed(ask: Ask) -> list[Move]:
    """The moves that an ask stands for."""
    if ask.kind == "confirm":
        return [ask.move]
    if ask.kind == "choice":
        return list(ask.choices)
    if ask.kind == "number":
        numbers = (n for n in range(ask.least, ask.most + 1, ask.scale) if n not in ask.barred)
        return [ask.move._replace(numbers=(*ask.move.numbers, n)) for n in numbers]
    found = []
    for some in combinations(ask.cards or (), ask.least):
        found.append(ask.move._replace(cards=(*ask.move.cards, *some)))
        if len(found) == _MOST_TRIED:
            break
    return found


def _accepted(record: Record, move: Move) -> bool:
    try:
        record.try_out(move)
    except IllegalMove:
        return False
    return True
