"""The messages about a game: its state, each line, and notable events. Pure."""

from __future__ import annotations

from typing import Any, Final

from boardctl.games import COUNTS, awards_json
from boardctl.record.position import Position
from boardctl.record.record import Record
from boardctl.table import Receipt

BIG: Final = 24
"""The minimum points of a hand that is sent as an event."""


def state(number: int, record: Record, last_count: int | None, light: float) -> dict[str, Any]:
    """Return the state of the table.

    Args:
        number: the newest line's number, which a command must state.
        record: the record as an onlooker knows it.
        last_count: the points of the hand or crib counted last, or None before the first.
        light: the fraction of full brightness, 0 to 1.
    """
    position = record.position
    situation = position.situation
    return {
        "number": number,
        "session": position.session,
        "game": None if position.game is None else position.game.name,
        "seats": list(position.seats.values()),
        "scores": list(position.shown_scores),
        "deal": _deals(record),
        "phase": situation.phase,
        "turn": _name(position, situation.turn),
        "dealer": _name(position, situation.dealer),
        "won": list(position.tally.won),
        "last_count": last_count,
        "over": position.over,
        "brightness": round(light * 100),
    }


def _deals(record: Record) -> int:
    """Return the number of the current deal in the game, or 0 before the first deal."""
    count = 0
    for move in record.moves:
        if move.verb == "game":
            count = 0
        elif move.verb == "deal":
            count += 1
        elif move.verb == "misdeal":
            count -= 1
    return count


def _name(position: Position, seat: int | None) -> str | None:
    return None if seat is None else position.seats.get(seat, str(seat))


def event(receipt: Receipt) -> dict[str, Any]:
    """Return the message for an accepted line and its awards, as an onlooker sees them."""
    return {
        "number": receipt.number,
        "move": receipt.report.line,
        "awards": awards_json(receipt.report.awards),
        "scores": list(receipt.report.position.shown_scores),
    }


def count(receipt: Receipt) -> int | None:
    """Return the points of the hand, the crib, or both together, that this line counts. Return None
    if it counts neither."""
    move = receipt.report.move
    counted = receipt.report.position.kind(move) in COUNTS
    if not counted and not (move.verb == "peg" and {"hand", "crib", "show"} & set(move.words)):
        return None
    return sum(award.points for award in receipt.report.awards)


def shouts(receipt: Receipt, was_over: bool) -> list[dict[str, Any]]:
    """Return the events for Home Assistant: a win, or a hand of 24 or more."""
    found: list[dict[str, Any]] = []
    points = count(receipt)
    together = "show" in receipt.report.move.words
    if points is not None and points >= BIG and not together:
        found.append({"event_type": "big-hand", "points": points})
    outcome = receipt.report.position.outcome
    if not was_over and outcome is not None and outcome.winner is not None:
        position = receipt.report.position
        winner = position.seats.get(outcome.winner, "")
        scores = list(position.shown_scores)
        found.append({"event_type": "win", "winner": winner, "scores": scores})
    return found
