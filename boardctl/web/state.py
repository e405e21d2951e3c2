"""How the game stands, as the page is told it: one JSON object, built anew after each line.

Sentences come from `text`, everything else is codes and figures; the page knows no game by name.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from boardctl import notation, text
from boardctl.games import Ask, Award, Move
from boardctl.record.position import Position, step
from boardctl.record.serialize import award_json
from boardctl.table import Table
from boardctl.text.counting import PHRASES, count_aloud, steps_aloud
from boardctl.web.board_view import BoardView


class Snapshots:
    """The present snapshot of a table in each language, made once a line and only when somebody
    looks."""

    def __init__(self, board: BoardView) -> None:
        self._board = board
        self._number = -1
        self._made: dict[str, tuple[dict[str, Any], str]] = {}

    def _get(self, language: str) -> tuple[dict[str, Any], str]:
        if self._number != self._board.table.number:
            self._number = self._board.table.number
            self._made.clear()
        if language not in self._made:
            made = snapshot(self._board, language)
            self._made[language] = made, json.dumps({"state": made}, ensure_ascii=False)
        return self._made[language]

    def now(self, language: str) -> dict[str, Any]:
        """The snapshot as an object."""
        return self._get(language)[0]

    def text(self, language: str) -> str:
        """The snapshot as it goes over the socket."""
        return self._get(language)[1]


def snapshot(board: BoardView, language: str) -> dict[str, Any]:
    """All that the page shows besides the LEDs."""
    table = board.table
    position = table.position
    seats = names(position)
    prompt = board.prompt
    record = table.record
    return {
        "number": table.number,
        "session": position.session,
        "game": position.game.name if position.game is not None else None,
        "seats": seats,
        "sides": _sides(position),
        **_standing(position, seats, language),
        "asks": [_ask(ask, seats, language) for ask in prompt.asks],
        "pegs": list(prompt.pegs),
        "moves": deal_moves(table, seats, language),
        "spoken": _last_spoken(table, seats, language),
        "undo": bool(record.moves),
        "redo": record.redoable,
    }


def names(position: Position) -> list[str]:
    """The players by seat."""
    return [position.seats.get(n, "") for n in range(1, max(position.seats, default=0) + 1)]


def _sides(position: Position) -> list[dict[str, Any]]:
    setup, game = position.setup, position.game
    if setup is None or game is None or position.state is None:
        return []
    board = game.scoreboard(position.state)
    won = position.tally.won
    return [
        {
            "names": [name for seat, name in enumerate(setup.seats, 1) if setup.side(seat) == side],
            "score": standing.score,
            "before": standing.before,
            "won": won[side - 1] if side <= len(won) else 0,
        }
        for side, standing in enumerate(board.standings, 1)
    ]


def _standing(position: Position, seats: list[str], language: str) -> dict[str, Any]:
    situation = position.situation
    told: dict[str, Any] = {
        "phase": situation.phase,
        "turn": situation.turn,
        "dealer": situation.dealer,
        "count": situation.count,
        "trump": situation.trump,
        "target": None,
        "winner": None,
        "over": position.over,
        "readouts": [],
    }
    if position.game is not None and position.state is not None:
        board = position.game.scoreboard(position.state)
        told["target"] = board.goal * board.unit
        told["winner"] = board.winner
        told["readouts"] = [
            {
                "code": note.code,
                "text": text.say("readout", note.code, note.fields, seats, language),
            }
            for note in board.readouts
        ]
    return told


def _ask(ask: Ask, seats: list[str], language: str) -> dict[str, Any]:
    """An ask: `head` and `tail` enclose what completes the line."""
    head = notation.spell(ask.move._replace(words=(), claim=None))
    fields: Mapping[str, Any] = {"seat": ask.seat, **ask.fields}
    return {
        "code": ask.code,
        "kind": ask.kind,
        "text": text.say("ask", ask.code, fields, seats, language),
        "seat": ask.seat,
        "head": head,
        "tail": notation.spell(ask.move).removeprefix(head).strip(),
        "telling": ask.telling,
        "least": ask.least,
        "most": ask.most,
        "scale": ask.scale,
        "barred": list(ask.barred),
        "ranks": ask.ranks,
        "cards": None if ask.cards is None else [str(card) for card in ask.cards],
        "choices": [
            {"line": notation.spell(move), "text": _choice(ask, move, seats, language)}
            for move in ask.choices
        ],
    }


def choices(move: Move, words: Iterable[tuple[str, ...]], language: str) -> list[dict[str, Any]]:
    """The lines that answer what the referee must know besides `move` (code `suits-needed`)."""
    return [
        {
            "line": notation.spell(move._replace(words=(*move.words, *more))),
            "text": text.say("word", "+".join(more), {}, (), language),
        }
        for more in words
    ]


def _choice(ask: Ask, move: Move, seats: list[str], language: str) -> str:
    """What tells one choice from the others: its words, cards, seat or numbers."""
    told = [text.say("word", word, {}, (), language) for word in move.words]
    told += map(str, move.cards)
    if not told and move.seat is not None and move.seat != ask.seat:
        told.append(seats[move.seat - 1])
    if not told and move.verb == "dealer":
        told += (seats[seat - 1] for seat in move.numbers)
    return " ".join(told or map(str, move.numbers)) or notation.spell(move)


def deal_moves(table: Table, seats: list[str], language: str) -> list[dict[str, Any]]:
    """The moves of the present deal, oldest first, with what each earned; `back` is the number
    that `amend` knows it by."""
    moves = table.record.moves
    start = len(moves)
    while start and moves[start - 1].verb not in ("deal", "game"):
        start -= 1
    start = max(0, start - 1)
    position = table.record.position_at(start)
    told = []
    for place, move in enumerate(moves[start:], start):
        played = step(position, move)
        position = played.state
        told.append(
            {
                "back": len(moves) - place,
                "line": notation.spell(move),
                "seat": move.seat,
                "awards": [award(a, seats, language) for a in played.awards],
            }
        )
    return told


def _last_spoken(table: Table, seats: list[str], language: str) -> str:
    """What one says aloud with the last move: a hand counted, or the count of the play."""
    moves = table.record.moves
    if not moves:
        return ""
    move = moves[-1]
    played = step(table.record.position_at(len(moves) - 1), move)
    counted = spoken(played.awards, language)
    if move.verb in ("show", "crib"):
        return count_aloud(played.awards, language) if counted or not played.awards else ""
    count = played.state.situation.count
    if move.verb == "play" and count:
        points = sum(award.points for award in played.awards)
        fields = {"count": count, "points": points}
        return text.say("readout", "said", fields, seats, language) if points else str(count)
    return ", ".join(text.say("award", a.reason, {}, seats, language) for a in played.awards)


def award(earned: Award, seats: list[str], language: str) -> dict[str, Any]:
    """An award as the page shows it."""
    fields = {"seat": earned.seat, "points": earned.points, "cards": earned.cards}
    return award_json(earned) | {"text": text.say("award", earned.reason, fields, seats, language)}


def spoken(awards: tuple[Award, ...], language: str) -> list[str]:
    """A hand counted aloud, combination by combination, in the traditional words; empty where it
    is no count of a hand."""
    if any(award.reason not in PHRASES[language] for award in awards):
        return []
    return steps_aloud(awards, language)
