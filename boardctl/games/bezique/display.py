"""The display of Bezique: its situation, and what the board shows.

Source: docs/rules/board-mapping.md.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from boardctl.games import Line, Note, Situation
from boardctl.games.bezique.game_spec import GameSpec
from boardctl.games.bezique.state import State, outcome, settled, settlement_note, target

GOAL: Final = 100
"""One trip round the board is one game: the goal line is at hole 100 (board-mapping)."""
UNIT: Final = 100
CAPACITY: Final = 121
"""The number of holes if there is no target; each hole is then a hundred points."""


def situation(spec: GameSpec, state: State) -> Situation:
    """The game's situation."""
    dealer = state.sheet.dealer
    deal = state.deal
    if outcome(state).state != "unfinished":
        trump = deal.trump.letter if deal is not None and deal.trump is not None else None
        return Situation("over", dealer=dealer, trump=trump)
    if deal is None or deal.over:
        return Situation("cut" if dealer is None else "deal", dealer=dealer)
    trump = deal.trump.letter if deal.trump is not None else None
    if spec.turned and not deal.turned and not deal.by_points:
        return Situation("turnup", dealer=dealer)
    if deal.by_points:
        return Situation("play", dealer=dealer, trump=trump)
    if deal.may_declare:
        return Situation("meld", turn=deal.turn, dealer=dealer, trump=trump)
    phase = "last-tricks" if deal.last_tricks else "play"
    return Situation(phase, turn=deal.turn, dealer=dealer, trump=trump)


def holes(state: State) -> tuple[int, int]:
    """How many points a hole stands for, and the hole of the goal line."""
    score = target(state)
    return (UNIT, CAPACITY) if score is None else (score // GOAL, GOAL)


def lines(state: State) -> tuple[Line, ...]:
    """The rubicon, or the line below which a loser loses two games."""
    options, (unit, _) = state.options, holes(state)
    if options.rubicon is not None:
        return (Line("rubicon", options.rubicon.line // unit),)
    return (Line("double", options.double_below // unit),) if options.double_below else ()


def readouts(spec: GameSpec, state: State) -> tuple[Note, ...]:
    """Trump, whose lead it is, tricks left, brisques taken."""
    deal = state.deal
    if deal is None or (deal.over and state.options.rubicon is None):
        return ()
    if deal.over:
        worth = replace(deal, counts=(0, 0), won=(0, 0))
        return (settlement_note(settled(replace(state, deal=worth), state.sheet.scores)),)
    notes: list[Note] = []
    if deal.trump is not None:
        notes.append(Note("trump", {"suit": deal.trump.symbol}))
    if deal.by_points:
        return tuple(notes)
    if deal.lead is None and (deal.turned or not spec.turned):
        notes.append(Note("lead", {"seat": deal.turn}))
    notes.append(Note("tricks-left", {"tricks": spec.tricks - deal.tricks}))
    if deal.tricks and spec.trick_points:
        first, second = deal.won
        reason = spec.trick_reason
        notes.append(Note(reason, {"first": first, "second": second}))
    return tuple(notes)
