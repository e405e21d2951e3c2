"""What the keypad sees of a table: everybody sees its display, so only what an onlooker knows."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from boardctl import text
from boardctl.console.keypad import Offer, Request, TableView
from boardctl.console.settings import TableSettings
from boardctl.games import IllegalMove, Move, Note, Played, Prompt, Telling
from boardctl.record.notation import NOT_MOVES
from boardctl.record.position import Position
from boardctl.record.record import Record
from boardctl.record.seen import attempt, opens_now, veiled
from boardctl.table import Table


def look(
    table: Table,
    seen: Record,
    prompt: Prompt,
    settings: TableSettings,
    telling: Telling,
    language: str,
    offer: Offer | None,
    requests: Callable[[], tuple[Request, ...]],
) -> TableView:
    """The keypad's view of a table at its newest line.

    Args:
        seen: the record as an onlooker knows it.
        prompt: what is due.
        telling: how much is entered.
        language: of the display.
        offer: the hand that a page shows on the board, None if there is none.
        requests: returns what the menu can allow when it is opened.
    """
    position = table.position
    return TableView(
        prompt=prompt,
        seats=tuple(text.called(name, language) for name in position.seats.values()),
        scores=position.scores,
        shown=position.shown_scores,
        telling=telling,
        attempt=partial(attempt_seen, table),
        veil=partial(veiled, position),
        answered=lambda back: seen.position_at(len(seen.moves) - back).prompt,
        deal=seen.deal,
        last_points=table.record.last_points,
        roster=settings.roster,
        presets=settings.presets,
        players=position.game.seats if position.game is not None else (2,),
        language=language,
        said=_said(seen.position),
        offer=offer,
        requests=requests,
        rejects=partial(rejected_seen, table),
        undoing=table.undoing,
        redoing=table.record.redoing,
    )


def attempt_seen(table: Table, move: Move) -> Played[Position]:
    """What a move would do, as far as everybody may know. Raises IllegalMove."""
    return attempt(table.seen_by(None).record, table.record, move)


def rejected_seen(table: Table, moves: tuple[Move, ...]) -> IllegalMove | None:
    """Why moves would be rejected, as far as everybody may know. Hands that are laid open next are
    not tried: what the referee says of them follows from their cards."""
    seen = table.seen_by(None).record
    try:
        if len(moves) == 1 and moves[0].verb not in NOT_MOVES:
            if not opens_now(seen.position, moves[0]):
                seen.try_out(moves[0])
        elif moves[0].verb not in ("undo", "redo"):  # what they bring back was accepted before
            trial = seen.copy()
            for move in moves:
                trial.apply(move)
    except IllegalMove as error:
        return error
    return None


def _said(position: Position) -> tuple[Note, ...]:
    """What is said at this moment: the readouts with a `said` code."""
    board = position.scoreboard
    readouts = () if board is None else board.readouts
    return tuple(note for note in readouts if note.code.startswith("said"))
