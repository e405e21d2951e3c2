"""Corrections on the keypad: the move being amended and its new form. This module also contains the
list of games."""

from __future__ import annotations

from typing import Any

from boardctl import games
from boardctl.console.keypad.state import Answer, KeypadState, TableView, refuse, submit
from boardctl.games import IllegalMove, Move, Played, Prompt
from boardctl.record import notation


def place_of(state: KeypadState, view: TableView) -> int | None:
    """Return how many moves in the deal follow the move being amended, or None if that move no
    longer exists."""
    later = (n for n, line in enumerate(reversed(view.deal)) if line.identity == state.target)
    return next(later, None)


def target(state: KeypadState, view: TableView) -> Move | None:
    """Return the move being amended, or None if it no longer exists."""
    place = place_of(state, view)
    return None if place is None else view.deal[-1 - place].move


def amended(state: KeypadState, view: TableView) -> Move | None:
    """Return the amended move with the retyped number or cards, or None while some are missing."""
    move, place = target(state, view), place_of(state, view)
    if move is None or place is None:
        return None
    if move.cards:
        whole = len(state.cards) == len(move.cards) and not waits_for_suit(state, view)
        return Move(move.verb, move.seat, state.cards) if whole else None
    if not state.keys:
        return None
    number = int(state.keys) * _scale(move, view.answered(place + 1))
    return move._replace(numbers=(number,), claim=None)


def waits_for_suit(state: KeypadState, view: TableView) -> bool:
    """Return whether the last retyped card needs a suit because the original entry needed one."""
    move, place = target(state, view), place_of(state, view)
    if move is None or place is None or not state.cards or state.cards[-1].suit is not None:
        return False
    asked = [
        ask.ranks
        for ask in view.answered(place + 1).asks
        if ask.kind == "cards" and (ask.move.verb, ask.seat) == (move.verb, move.seat)
    ]
    return not any(asked) if asked else all(card.suit is not None for card in move.cards)


def _scale(move: Move, prompt: Prompt) -> int:
    """Return the number of points that one unit of a typed number stands for."""
    if move.verb in ("adjust", "dealer"):
        return 1
    asked = (ask for ask in prompt.asks if (ask.kind, ask.move.verb) == ("number", move.verb))
    return next((ask.scale for ask in asked), prompt.scale)


def attempt_for(state: KeypadState, view: TableView, move: Move) -> Played[Any]:
    """Return the effect of a typed move, either as a new move or in place of the move being
    amended. Raises IllegalMove if the move would be rejected."""
    if state.target is None:
        return view.attempt(move)
    place = place_of(state, view)
    if place is None:
        raise IllegalMove("overtaken")
    return view.attempt_before(place + 1, move)


def submit_for(state: KeypadState, view: TableView, move: Move) -> Answer:
    """Submit a typed move as a new move, or in place of the move being amended."""
    if state.target is None:
        return submit(move)
    place = place_of(state, view)
    if place is None:
        return refuse(IllegalMove("overtaken")), None
    return submit(Move("amend", numbers=(place + 1,), name=notation.spell(move)))


def choices(view: TableView) -> tuple[tuple[str, tuple[Move, ...]], ...]:
    """Return the choices in menu item `4` with their moves: the presets, every game, and the games'
    named tables."""
    presets = tuple(
        (
            preset.name,
            (
                Move("game", name=preset.game),
                *(Move("set", words=option) for option in preset.options.items()),
            ),
        )
        for preset in view.presets
    )
    plain = tuple((name, (Move("game", name=name),)) for name in games.names())
    return (
        *presets,
        *plain,
        *(
            (
                table.name,
                (
                    Move("game", name=name),
                    *(Move("set", words=option) for option in table.options.items()),
                ),
            )
            for name in games.names()
            for table in games.find(name).tables
            if not table.seats or len(view.seats) in table.seats
        ),
    )
