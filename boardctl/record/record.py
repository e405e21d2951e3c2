"""The record of an evening, which converts lines to positions.

A `Record` reads lines of the notation one by one and keeps the moves currently in effect. Every
score is a fold of `Game.play` over these moves, so undo, amend and insert are folds over a changed
list. The record has no side effects. `table` adds the journal and the time.
"""

from __future__ import annotations

from collections.abc import Container, Iterator, Sequence
from itertools import pairwise, takewhile
from typing import Final, NamedTuple

from boardctl.games import (
    KINDS,
    NOT_MOVES,
    Award,
    IllegalMove,
    Kind,
    Move,
    Note,
    Outcome,
    Played,
    because,
    find,
    names,
)
from boardctl.record import hints, notation
from boardctl.record.position import DOUBTFUL, Position, close, enter, step


class Entry(NamedTuple):
    """An accepted line of the journal: its number, text, time in seconds since 1970, and source."""

    number: int
    text: str
    at: float
    by: str


class Line(NamedTuple):
    """A move in effect. Its identity does not change when other moves are added or removed.
    Amending the move gives it a new identity."""

    identity: int
    move: Move

    @property
    def text(self) -> str:
        """The canonical line of the move in the notation."""
        return notation.spell(self.move)


class EndedGame(NamedTuple):
    """A game that a line has ended."""

    place: int
    """The game's index in the session, from 0."""
    outcome: Outcome


class Report(NamedTuple):
    """The result of an accepted move: awards, notes and the new position."""

    move: Move
    position: Position
    awards: tuple[Award, ...] = ()
    notes: tuple[Note, ...] = ()
    ended: EndedGame | None = None
    """The game that this line ended, or None."""
    closes: Position | None = None
    """The last position of a session that this line ended, or None."""

    @property
    def line(self) -> str:
        """The canonical line of the move, for the journal."""
        return notation.spell(self.move)


class Correction(NamedTuple):
    """A correction that can be undone."""

    length: int
    """The number of moves in effect after the correction."""
    inverse: Move
    """The line that undoes it."""


class Edited(NamedTuple):
    """The last correction to the record."""

    place: int
    """The index of the corrected move."""
    old: Move | None
    """The move before the correction, or None if it was inserted."""
    new: Move | None
    """The move after the correction, or None if it was removed."""
    scores: tuple[int, ...]
    """The scores before the correction."""
    position: Position
    """The position after the correction."""


_STRIDE: Final = 64
"""The interval between permanently stored positions. The positions after the latest moves, up to
this number, are also stored."""


class Record:
    """The lines of one session and the moves in effect.

    `read` either changes the record and returns a report, or raises IllegalMove without changing
    the record.
    """

    def __init__(self, beginning: Position | None = None) -> None:
        self._moves: list[Move] = []
        self._identities: list[int] = []
        self._next = 1
        self.position = beginning or Position()
        """The current state of the evening."""
        self._checkpoints: dict[int, Position] = {0: self.position}
        self._undone: list[list[Line]] = []
        self._corrected: list[Correction] = []
        self._uncorrected: list[Correction] = []
        self._tried: tuple[Position, Move, Played[Position]] | None = None
        self._hints: hints.Hints = ()
        self._edited: Edited | None = None

    def copy(self) -> Record:
        """Return an independent copy."""
        other = Record(self.position)
        other._moves = list(self._moves)
        other._identities = list(self._identities)
        other._next = self._next
        other._checkpoints = dict(self._checkpoints)
        other._undone = [list(lines) for lines in self._undone]
        other._corrected = list(self._corrected)
        other._uncorrected = list(self._uncorrected)
        other._tried = self._tried
        other._hints = self._hints
        other._edited = self._edited
        return other

    def with_moves(
        self, start: int, moves: Sequence[Move], positions: Sequence[Position]
    ) -> Record:
        """Return a copy whose moves from `start` on are replaced, with the positions after these
        moves. The copy represents the record as one viewer sees it (`visibility`). Moves keep their
        identities."""
        other = self.copy()
        other._moves[start:] = moves
        other._checkpoints = {
            count: at for count, at in self._checkpoints.items() if count <= start
        }
        other._checkpoints |= dict(enumerate(positions, start + 1))
        other.position = positions[-1]
        other._tried = None
        return other

    def rename(self, session: str) -> None:
        """Rename the evening, as if it had had this name from the beginning."""
        self._checkpoints = {n: at._replace(session=session) for n, at in self._checkpoints.items()}
        self.position = self._checkpoints[len(self._moves)]
        self._tried = None

    @property
    def moves(self) -> tuple[Move, ...]:
        """The moves in effect, oldest first."""
        return tuple(self._moves)

    @property
    def newest(self) -> int | None:
        """The identity of the newest move, or None if there is none."""
        return self._identities[-1] if self._identities else None

    def made_by(self, some: Container[int]) -> int:
        """Return how many of the newest consecutive moves have identities in `some`."""
        return sum(1 for _ in takewhile(some.__contains__, reversed(self._identities)))

    @property
    def deal(self) -> tuple[Line, ...]:
        """The moves of the current deal, or of the game before its first deal, newest last."""
        lines: list[Line] = []
        for line in map(Line, reversed(self._identities), reversed(self._moves)):
            lines.append(line)
            if line.move.begins or len(lines) == _STRIDE:
                break
        return tuple(reversed(lines))

    def games(self) -> Iterator[tuple[int, Position, tuple[str, ...]]]:
        """Yield the index of each game among the moves, its last position, and its separate record.
        This record begins with the players, options and dealer carried over from earlier games."""
        places = [n for n, move in enumerate(self._moves) if move.verb == "game"]
        for place, end in pairwise([*places, len(self._moves)]):
            after = close(self.position_at(end)).state
            yield place, after, self._alone(place, end)

    def _alone(self, place: int, end: int) -> tuple[str, ...]:
        after = self.position_at(end)
        game = after.game
        assert game is not None
        within = hints.between(self._hints, self._moves, place, end)
        moves = [m for m in within if m.kind is not Kind.SETUP and m.verb != DOUBTFUL]
        lines = [f"game {game.name}"]
        lines += (f"seat {seat} {name}" for seat, name in sorted(after.seats.items()))
        chosen = after.options.get(game.name, {})
        lines += (f"set {name} {value}" for name, value in chosen.items())
        first = game.first_dealer(after.state) if after.state is not None else None
        if first is not None and not any(
            move.kind is Kind.CUT or move.verb == "dealer" for move in moves
        ):
            lines.append(f"dealer {first}")
        if after.state is not None:  # without players, no line can be read again
            lines += map(notation.spell, moves)
        return tuple(lines)

    @property
    def hints(self) -> dict[int, int]:
        """The number of hints that each seat has received in this game."""
        return hints.given(self._hints, self._moves)

    def was_helped(self, seat: int) -> bool:
        """Return whether a seat has received a hint since the newest move."""
        count = len(self._moves)
        return any((hint.after, hint.seat) == (count, seat) for hint in self._hints)

    @property
    def last_points(self) -> int:
        """The points that the last move earned, computed from the scores before and after the move.
        They are 0 at the start of a game."""
        if not self._moves or self._moves[-1].verb == "game":
            return 0
        return sum(self.position.scores) - sum(self.position_at(len(self._moves) - 1).scores)

    @property
    def undoing(self) -> Move | None:
        """The line that undoes the last change, or None if there is nothing to undo. It is `undo`
        for a move, or the inverse correction for a correction."""
        if self._corrected and self._corrected[-1].length == len(self._moves):
            return self._corrected[-1].inverse
        return Move("undo") if self._moves else None

    @property
    def edited(self) -> Edited | None:
        """The last correction, or None if another line has followed it."""
        edited = self._edited
        return edited if edited is not None and edited.position is self.position else None

    @property
    def redoing(self) -> Move | None:
        """The line that restores the last undone change, or None if nothing was undone or another
        move has followed."""
        if self._uncorrected and self._uncorrected[-1].length == len(self._moves):
            return self._uncorrected[-1].inverse
        return Move("redo") if self._undone else None

    @property
    def redoable(self) -> bool:
        return self.redoing is not None

    @property
    def seated(self) -> notation.Seated:
        """The people at the table, for lines that name a player or omit the seat."""
        return notation.Seated(self.position.seats, lambda: self.position.situation.turn)

    def parse(self, text: str) -> Move:
        """Parse a line that must be a move of the current game. Raises IllegalMove if it is not."""
        return notation.parse_move(text, self.position.game, self.seated)

    def read(self, text: str) -> Report | None:
        """Read one line of the notation. Return None if the line is blank. Raises IllegalMove."""
        try:
            move = notation.parse(text, self.position.game, self.seated)
        except IllegalMove as error:
            if error.code == "not-in-this-game" and self.position.over:
                raise IllegalMove("game-over") from error
            if error.code == "not-in-this-game" and self.position.game is None:
                raise IllegalMove("no-game", verb=error.fields["verb"]) from error
            raise
        return None if move is None else self.apply(move)

    def resume(self, text: str) -> IllegalMove | None:
        """Read a line that was accepted earlier. Unlike `read`, this method does not create a
        report.

        A line is doubtful if it is rejected now, because the file is damaged or the referee has
        become stricter. A doubtful line does not change the score, but counts as a move, so that a
        later `undo` takes back the same moves as before.

        Returns:
            The reason why the line is doubtful, or None if it was accepted.
        """
        try:
            move = notation.parse(text, self.position.game)
            if move is None or move.kind in NOT_MOVES:
                self.read(text)
                return None
            position = step(self.position, move).state
        except IllegalMove as error:
            if KINDS.get(notation.verb_of(text)) in NOT_MOVES:
                return error
            self._play(Move(DOUBTFUL, name=text), self.position)
            return error
        self._play(move, position)
        return None

    def try_out(self, move: Move) -> Played[Position]:
        """Return the effect of a move without playing it. Raises IllegalMove.

        A line that is not a move, such as a new session or `undo`, does not earn points. The last
        result is cached, because the move is usually played next.
        """
        if move.kind in NOT_MOVES:
            return Played(self.position)
        return self._played(move)

    def _played(self, move: Move) -> Played[Position]:
        position, tried = self.position, self._tried
        if tried is not None and tried[0] is position and tried[1] == move:
            return tried[2]
        played = enter(position, move)
        self._tried = position, move, played
        return played

    def apply(self, move: Move) -> Report:
        """Play one parsed line. Raises IllegalMove."""
        before = self.position
        match move.verb:
            case "session":
                return self._session(move)
            case "undo":
                self._undo(move)
            case "redo":
                self._redo()
            case "hint":
                self._hints = hints.add(self._hints, before, self._moves, move)
            case "amend" | "insert":
                move = self._edit(move)
            case _:
                return self._move(before, move)
        return self._report(before, move, Played(self.position))

    def _move(self, before: Position, move: Move) -> Report:
        played = self._played(move)
        self._play(move, played.state)
        return self._report(before, move, played)

    def _play(self, move: Move, position: Position) -> None:
        """Add a move, and clear the corrections that could be redone."""
        count = len(self._moves)
        self._append(move, position)
        self._undone.clear()
        back = self._corrected[-1] if self._corrected else None
        if back is not None and (back.length, back.inverse) == (count, move):
            # Replay a newest move that had been removed by a correction.
            self._corrected.pop()
            self._uncorrected.append(Correction(count + 1, Move("amend", numbers=(1,))))
        else:
            self._uncorrected.clear()

    def _report(self, before: Position, move: Move, played: Played[Position]) -> Report:
        after = played.state
        ended = None
        outcome = after.outcome
        if outcome is not None and after.over and not before.over:
            ended = EndedGame(len(after.finished), outcome)
        if move.verb == "game" and before.outcome is not None and not before.over:
            place = len(before.finished)
            old = EndedGame(place, after.finished[place])
            ended = old if old.outcome.state != "unfinished" else None
        return Report(move, after, played.awards, played.notes, ended)

    def _session(self, move: Move) -> Report:
        before = self.position
        closed = close(before)
        fresh = Position(
            session=move.name,
            seats=before.seats,
            options=before.options,
        )
        ended = None
        outcome = closed.state.outcome
        if outcome is not None and not before.over:
            old = EndedGame(len(before.finished), outcome)
            ended = old if outcome.state != "unfinished" else None
        self._moves.clear()
        self._identities.clear()
        self._undone.clear()
        self._corrected.clear()
        self._uncorrected.clear()
        self._hints = ()
        self._checkpoints = {0: fresh}
        self.position = fresh
        return Report(move, fresh, closed.awards, closed.notes, ended, closed.state)

    def _append(self, move: Move, position: Position, identity: int | None = None) -> None:
        self._moves.append(move)
        if identity is None:
            identity, self._next = self._next, self._next + 1
        self._identities.append(identity)
        count = len(self._moves)
        self._checkpoints[count] = self.position = position
        old = count - _STRIDE
        if old % _STRIDE:
            self._checkpoints.pop(old, None)

    def position_at(self, count: int) -> Position:
        """Return the position after the first `count` moves, computed from the nearest stored
        position."""
        near = count
        while near not in self._checkpoints:
            near -= 1
        position = self._checkpoints[near]
        for move in self._moves[near:count]:
            position = step(position, move).state
        return position

    def _cut_back(self, count: int) -> None:
        """Keep only the first `count` moves. All positions since the last permanent one are kept,
        so that many short steps back replay each move only once."""
        stored = count - count % _STRIDE
        for number in range(stored + 1, count + 1):
            if number not in self._checkpoints:
                move = self._moves[number - 1]
                self._checkpoints[number] = step(self._checkpoints[number - 1], move).state
        for number in range(count + 1, len(self._moves) + 1):
            self._checkpoints.pop(number, None)
        del self._moves[count:]
        del self._identities[count:]
        self._hints = hints.cut(self._hints, count)
        self.position = self._checkpoints[count]

    def _undo(self, move: Move) -> None:
        steps = move.numbers[0] if move.numbers else 1
        if not 1 <= steps <= len(self._moves):
            none = None if self._moves else "none"
            count = len(self._moves)
            raise IllegalMove("nothing-to-undo", said=steps, moves=count, **because(none))
        keep = len(self._moves) - steps
        self._undone.append(self._lines(keep))
        self._cut_back(keep)
        if any(some.length > keep for some in self._corrected):
            # The undone correction may have changed earlier moves. Older corrections count moves
            # from the end.
            self._corrected.clear()
        self._uncorrected.clear()

    def _redo(self) -> None:
        if not self._undone:
            raise IllegalMove("nothing-to-redo")
        for identity, move in self._undone.pop():
            self._append(move, step(self.position, move).state, identity)

    def _lines(self, place: int) -> list[Line]:
        return list(map(Line, self._identities[place:], self._moves[place:]))

    def _edit(self, move: Move) -> Move:
        (back,) = move.numbers
        count = len(self._moves)
        if not 1 <= back <= count:
            none = None if count else "none"
            raise IllegalMove("no-such-move", said=back, moves=count, **because(none))
        place = count - back
        position = self.position_at(place)
        later = self._lines(place + (move.verb == "amend"))
        fresh: list[tuple[Move, Position, int | None]] = []
        if move.name is not None:
            inner = notation.parse(move.name, position.game)
            if inner is None or inner.kind in NOT_MOVES:
                raise IllegalMove("syntax", text=move.name, why="not-a-move", at=move.name)
            position = enter(position, inner).state
            fresh.append((inner, position, None))
            move = move._replace(name=notation.spell(inner))
        for identity, old in later:
            try:
                position = step(position, old).state
            except IllegalMove as error:
                raise IllegalMove(
                    "breaks-later",
                    line=notation.spell(old),
                    code=error.code,
                    fields=dict(error.fields),
                ) from error
            fresh.append((old, position, identity))
        replaced = self._moves[place] if move.verb == "amend" else None
        scores = self.position.scores
        given = hints.moved(self._hints, place, place + len(fresh) - count)
        self._cut_back(place)
        for again, after, kept in fresh:
            self._append(again, after, kept)
        self._hints = given
        self._undone.clear()
        self._correct(count, move, replaced)
        new = None if move.name is None else self._moves[place]
        self._edited = Edited(place, replaced, new, scores, self.position)
        return move

    def _correct(self, count: int, move: Move, replaced: Move | None) -> None:
        """Store the line that undoes a correction, or record that one was undone. `count` is the
        number of moves before the correction."""
        opposite = _inverse(move, replaced)
        if opposite is None:
            self._corrected.clear()
            return
        correction = Correction(len(self._moves), opposite)
        for one, other in (
            (self._corrected, self._uncorrected),
            (self._uncorrected, self._corrected),
        ):
            if one and one[-1] == (count, move):
                one.pop()
                other.append(correction)
                return
        self._uncorrected.clear()
        self._corrected.append(correction)


def prelude(position: Position) -> str:
    """Return the lines from which `restore` restores the seats and options of a session."""
    lines = []
    for game, chosen in position.options.items():
        lines.append(f"game {game}")
        lines += (f"set {name} {value}" for name, value in chosen.items())
    if position.seats:
        # Players of the previous game stay seated until other players sit down, even for a game
        # with fewer seats.
        now, last = position.game, max(position.seats)
        if now is None or last > max(now.seats):
            now = next(game for game in map(find, names()) if last <= max(game.seats))
        lines.append(f"game {now.name}")
        lines += (f"seat {seat} {name}" for seat, name in position.seats.items())
    return "\n".join(lines)


def restore(prelude: str) -> Record:
    """Return a record that begins with the players and options that these lines set."""
    record = Record()
    for line in prelude.splitlines():
        record.resume(line)
    return Record(Position(seats=record.position.seats, options=record.position.options))


def _inverse(move: Move, replaced: Move | None) -> Move | None:
    """Return the line that undoes a correction, or None if the replaced move cannot be written as a
    line.

    Args:
        move: an `amend` or `insert` line.
        replaced: the move that an `amend` has replaced or removed.
    """
    (back,) = move.numbers
    if replaced is None:
        return Move("amend", numbers=(back + 1,))
    if replaced.verb == DOUBTFUL:
        return None
    if move.name is not None:
        return Move("amend", numbers=(back,), name=notation.spell(replaced))
    if back == 1:
        return replaced
    return Move("insert", numbers=(back - 1,), name=notation.spell(replaced))
