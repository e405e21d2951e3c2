"""Referee a record from its first line to its last, and yield JSON objects (docs/notation.md,
"Output of the referee")."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

from boardctl.games import IllegalMove, Note, Outcome, awards_json
from boardctl.games.cards import Card
from boardctl.record.position import Position, close
from boardctl.record.record import Record, Report

Sentence = Callable[[IllegalMove, tuple[str, ...]], str]
"""A function that converts a refusal to a sentence. Its second argument is the players' names in
the order of their seats."""


def answers(lines: Iterable[str], keep_going: bool, sentence: Sentence) -> Iterator[dict[str, Any]]:
    """Yield the results of a record, one object at a time: lines, outcomes and sessions.

    Args:
        lines: the record's lines, with or without line ends.
        keep_going: whether to skip rejected lines instead of stopping at the first one.
        sentence: returns the `message` of a rejected line.
    """
    reading = _Reading()
    for number, raw in enumerate(lines, 1):
        line = raw.rstrip("\r\n")
        if number == 1:
            line = line.removeprefix("\ufeff")
        try:
            report = reading.record.read(line)
        except IllegalMove as error:
            yield _refused(number, line, error, reading.record.position, sentence)
            reading.fresh = True
            if not keep_going:
                break
            continue
        if report is not None:
            yield from reading.accepted(number, report)
    yield from reading.end()


class _Reading:
    """The progress of reading a record: the outcomes reported so far, and whether any line has
    followed the end of the last session."""

    def __init__(self) -> None:
        self.record = Record()
        self.printed: dict[int, Outcome] = {}
        self.fresh = True

    def accepted(self, number: int, report: Report) -> Iterator[dict[str, Any]]:
        begins = report.closes is not None and report.move.name is not None
        line = _accepted(number, report)
        if begins and _played(report.closes):
            yield from self._close(report)
        elif report.move.verb == "game" and report.ended is None:
            yield from self._outcomes(report.position.finished)
        yield line
        self.fresh = True
        if report.closes is None:
            if report.ended is not None:
                yield from self._reported(*report.ended, again=True)
        elif begins:
            self.printed.clear()
        else:
            yield from self._close(report)
            self.printed.clear()
            self.fresh = False

    def _close(self, report: Report) -> Iterator[dict[str, Any]]:
        """Yield the number of games won in a session, and the outcomes not yet reported."""
        if report.closes is not None:
            yield from self._outcomes(report.closes.outcomes)
            yield _session(report.closes)

    def end(self) -> Iterator[dict[str, Any]]:
        """End the record. An open claim can then no longer be challenged."""
        if not self.fresh:
            return
        position = close(self.record.position).state
        yield from self._outcomes(position.outcomes)
        yield _session(position)

    def _outcomes(self, outcomes: tuple[Outcome, ...]) -> Iterator[dict[str, Any]]:
        """Yield the outcomes that have changed since the last report."""
        for number, outcome in enumerate(outcomes):
            if self.printed.get(number) != outcome:
                yield from self._reported(number, outcome)

    def _reported(
        self, number: int, outcome: Outcome, *, again: bool = False
    ) -> Iterator[dict[str, Any]]:
        if again or self.printed.get(number) != outcome:
            self.printed[number] = outcome
            yield {"outcome": _outcome(outcome)}


def _played(position: Position | None) -> bool:
    return position is not None and bool(position.game is not None or position.finished)


def _accepted(number: int, report: Report) -> dict[str, Any]:
    """Return the result of an accepted line. For `session end`, it includes the outcome of the game
    that the line closes."""
    ends = report.closes is not None and report.move.words == ("end",)
    position = report.closes if ends and report.closes is not None else report.position
    situation = position.situation
    return {
        "line": number,
        "move": report.line,
        "awards": awards_json(report.awards),
        "scores": list(position.scores),
        "state": {
            "phase": situation.phase,
            "turn": situation.turn,
            "dealer": situation.dealer,
            "count": situation.count,
            "trump": situation.trump,
            **situation.more,
        },
        "notes": [_note(note) for note in report.notes],
    }


def _note(note: Note) -> dict[str, Any]:
    return {"code": note.code, **_plain(note.fields)}


def _refused(
    number: int, line: str, error: IllegalMove, position: Position, sentence: Sentence
) -> dict[str, Any]:
    names = tuple(position.seats[seat] for seat in sorted(position.seats))
    return {
        "line": number,
        "move": line,
        "error": {
            "code": error.code,
            "fields": _plain(error.fields),
            "message": sentence(error, names),
        },
    }


def _outcome(outcome: Outcome) -> dict[str, Any]:
    return {
        "state": outcome.state,
        "winner": outcome.winner,
        "scores": list(outcome.scores),
        "won": list(outcome.won),
        "lost": list(outcome.lost),
        "margin": outcome.margin,
    }


def _session(position: Position) -> dict[str, Any]:
    tally = position.tally
    return {
        "session": {
            "name": position.session,
            "games": tally.games,
            "won": list(tally.won),
            "lost": list(tally.lost),
        }
    }


def _plain(fields: Mapping[str, Any]) -> dict[str, Any]:
    return {key: _value(value) for key, value in fields.items()}


def _value(value: Any) -> Any:
    """Return a field as JSON data: cards as text, tuples as lists."""
    if isinstance(value, Card):
        return str(value)
    if isinstance(value, tuple | list | set | frozenset):
        return [_value(item) for item in value]
    if isinstance(value, Mapping):
        return _plain(value)
    return value
