"""The table: the only writer of the journal, used by every surface.

`submit` lets the record accept or reject moves, passes their lines to the journal and then sends
`accepted`. The receipt's `saved` completes when the line is on disk: a steady peg is a saved
peg.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Sequence
from concurrent.futures import Future
from itertools import takewhile
from typing import Final, NamedTuple

from boardctl.games import CORRECTIONS, NOT_MOVES, IllegalMove, Kind, Move, Played
from boardctl.record import notation, visibility
from boardctl.record.position import FULL_EFFORT, FULL_GAMES, MOST_EFFORT, Effort, Position
from boardctl.record.record import Record, Report, prelude, restore
from boardctl.record.visibility import VisibleRecord, VisibleRecords
from boardctl.signals import Signal
from boardctl.storage.clock import day
from boardctl.storage.journal import Journal, Post
from boardctl.table.unfinished import Unfinished, find_unfinished, is_begun, unfinished_before

_log: Final = logging.getLogger(__name__)


class Receipt(NamedTuple):
    """An accepted move: its line number in the journal, its effect, and a future that completes
    when the move is on disk."""

    number: int
    report: Report
    saved: Future[None]


Posts = Callable[[int, Position, Position], Sequence[Post]]
Authorize = Callable[[Sequence[Move], str, int | None], None]


class Table:
    """One table and its journal."""

    def __init__(
        self,
        journal: Journal,
        now: Callable[[], float],
        tracks: int | None = None,
        steady: Callable[[], float] | None = None,
        authorize: Authorize | None = None,
        outbox_for: Posts | None = None,
        fit_layout: Callable[[int], int] | None = None,
    ) -> None:
        """Open the table in the last state stored in the journal.

        Args:
            journal: stores accepted lines.
            now: returns seconds since 1970.
            tracks: the board's number of tracks, one per side; None for no limit.
            steady: seconds of a clock that is never set. If `now` jumps against it, earlier lines
                have wrong times. None if `now` is always right.
            authorize: raises IllegalMove for moves (given the surface and the seat that enter them)
                that this table does not allow now. The error reveals only what the seat may know.
            outbox_for: returns the outbox entries of a move (session, before, after).
            fit_layout: gives the board tracks for a number of sides, and returns its new number of
                tracks.

        Raises:
            JournalError: if the journal cannot be read.
        """
        self.journal = journal
        self._now = now
        self.tracks = tracks
        self.accepted: Signal[Receipt] = Signal()
        """A signal, sent with each accepted move."""
        self._fit_layout = fit_layout
        self._authorize = authorize
        self._outbox_for = outbox_for
        self.record = Record()
        self._visible = VisibleRecords()
        self.session = 0
        self.number = 0
        self._replay_cost = Effort()
        self._began = 0.0
        self._steady = steady
        self._drift = 0.0 if steady is None else now() - steady()
        self._newest = 0
        self._by_player: set[int] = set()
        self._unfinished: Unfinished | None = None
        self.rejected_lines: tuple[str, ...] = ()
        """Lines of the journal that are kept but no longer accepted, with the reason."""
        last = journal.last_session()
        if last is not None:
            self.session, carried, entries = last
            self.record = restore(carried)
            self._replay_cost = Effort(carried)
            ended, doubts = False, visibility.Doubts()
            for entry in entries:
                self._began = entry.at if entry.number == self.session else self._began
                ended = self._remember_unfinished(entry.text.partition(" ")[0]) or ended
                doubts.resume(self.record, entry.number, entry.text)
                self.number = entry.number
                self._replay_cost.add(entry.text)
                self._remember(entry.by)
            self.rejected_lines = tuple(
                f"line {number} ({written[:80]})" + ("" if why is None else f": {why.code}")
                for number, written, why in doubts.of(self.record)
            )
            if not ended and not is_begun(self.record):
                self._unfinished = unfinished_before(journal, self.session, self._replay_cost.total)
        self._first_line_here = self.number + 1

    @property
    def position(self) -> Position:
        return self.record.position

    def _remember(self, by: str) -> None:
        """If the newest move is a new one, remember whether the computer player made it."""
        newest = self.record.newest
        if newest is not None and newest > self._newest:
            self._newest = newest
            if by == PLAYER:
                self._by_player.add(newest)

    @property
    def undoing(self) -> Move | None:
        """Return the line with which a person takes back the newest entry, or None if there is
        none. This entry is a correction, the start of a game with its players and rules, or the
        person's own last move together with the computer player's reply to it."""
        move = self.record.undoing
        if move is None or move.verb != "undo":
            return move
        answered = self.record.made_by(self._by_player) if self._by_player else 0
        if not answered and self.position.opening != ():
            return move
        moves = self.record.moves
        if not answered:
            start = _start(moves)
            return move if start == 1 else Move("undo", numbers=(start,))
        if answered == len(moves) or moves[-answered - 1].kind is Kind.SETUP:
            return None
        return Move("undo", numbers=(answered + 1,))

    def _remember_unfinished(self, verb: str) -> bool:
        """Remember the unfinished game of an evening that ends with the next line. Return whether
        there is such a game."""
        if verb != "session" or not self.record.moves:
            return False
        self._unfinished = find_unfinished(self.record)
        return True

    @property
    def unfinished(self) -> Unfinished | None:
        """Return the game that the previous evening left unfinished, until this evening's first
        deal, or None if there is none."""
        return None if self._unfinished is None or is_begun(self.record) else self._unfinished

    def resume(self, by: str, expect: int | None = None) -> tuple[Receipt, ...]:
        """Continue the game that the previous evening left unfinished, before this evening's first
        deal. `by`, `expect` and the errors are as in `submit`. If no game is unfinished, the error
        is `nothing-left`."""
        if self.unfinished is None:
            raise IllegalMove("nothing-left")
        trial = self.record.copy()
        moves = []
        for line in self.unfinished.lines:
            move = notation.parse(line, trial.position.game)
            if move is not None:
                trial.apply(move)
                moves.append(move)
        receipts = self.submit_all(moves, by, expect)
        self._unfinished = None
        return receipts

    def parse(self, line: str) -> Move:
        """Parse a line of the notation as a move of the current game.

        Raises:
            IllegalMove: `syntax` if the line is malformed or empty, `not-in-this-game` if only
            another game has its verb.
        """
        return self.record.parse(line)

    def visible_to(self, seat: int | None) -> VisibleRecord:
        """Return the record as a seat (or None, an onlooker) may see it. It is computed once per
        move."""
        return self._visible.of(self.record, seat)

    def attempt(self, move: Move) -> Played[Position]:
        """Return the effect of a move, as far as public knowledge shows it. Raises IllegalMove if
        the move is rejected."""
        return visibility.attempt(self.visible_to(None).record, self.record, move)

    def rejects(self, moves: tuple[Move, ...]) -> IllegalMove | None:
        """Return the reasons why moves would be rejected, as far as public knowledge shows them.
        Hands that must be shown next are not tried, because the referee's reasons depend on their
        cards."""
        known = self.visible_to(None).record
        try:
            if len(moves) == 1 and moves[0].kind not in NOT_MOVES:
                if not visibility.opens_now(known.position, moves[0]):
                    known.try_out(moves[0])
            # the lines that they bring back were accepted before
            elif moves[0].verb not in ("undo", "redo"):
                trial = known.copy()
                for move in moves:
                    trial.apply(move)
        except IllegalMove as error:
            return error
        return None

    def submit(
        self, move: Move, by: str, expect: int | None = None, seat: int | None = None
    ) -> Receipt:
        """Play one move.

        Args:
            move: the move to play; its line is `notation.spell(move)`.
            by: the surface that enters it: `keypad`, `page`, `mqtt` …
            expect: the number of the last line that the caller has seen, or None for any.
            seat: the seat that enters it, or None for the board's own keys.

        Raises:
            IllegalMove: if rejected; nothing has changed. It tells only what the seat may know:
            `secret` if only unseen cards contradict the move. `stale` if `expect` is not the
            current number.
        """
        return self.submit_all((move,), by, expect, seat)[0]

    def check_newest(self, expect: int | None) -> None:
        """Raise IllegalMove (`stale`) unless the newest line is the one that the caller has seen.
        With None, this is not checked."""
        if expect is not None and expect != self.number:
            raise IllegalMove("stale", expected=expect, number=self.number)

    def submit_all(
        self, moves: Sequence[Move], by: str, expect: int | None = None, seat: int | None = None
    ) -> tuple[Receipt, ...]:
        """Play several moves together: either all are accepted, or nothing changes.

        The players must fit on the board's tracks only after the last move, so that four partners
        can be seated on two tracks. Arguments and errors are those of `submit`.
        """
        self.check_newest(expect)
        if self._authorize is not None:
            self._authorize(moves, by, seat)
        if moves[0].verb == "game" and (self._is_ended or self._is_full):
            # A game after the end of an evening begins another evening. So does the next game of a
            # very long one, because a start must be able to read it again.
            evening = Move("session", name=day(self._now()) or self.position.session)
            return self.submit_all((evening, *moves), by, seat=seat)[1:]
        if not any(map(_begins_session, moves)) and self._too_long(moves):
            raise IllegalMove("evening-full")
        try:
            if len(moves) > 1 or self._may_seat(moves):
                self._rehearse(moves)
            receipts = tuple([self._commit(move, by) for move in moves])
        except IllegalMove as error:
            raise visibility.refusal(
                self.visible_to(seat).record, self.record, moves, error
            ) from error
        for receipt in receipts:
            self.accepted.send(receipt)
        return receipts

    @property
    def _is_ended(self) -> bool:
        """Return whether the evening has ended and no other evening has begun."""
        return bool(self.number) and not self.record.moves and self.position.session is None

    @property
    def _is_full(self) -> bool:
        """Return whether the evening is long enough for the next game to begin another."""
        games = len(self.position.finished) + 1
        return games >= FULL_GAMES or self._replay_cost.total > FULL_EFFORT

    def _too_long(self, moves: Sequence[Move]) -> bool:
        """Return whether an evening with these moves would be too long to be read again."""
        more = sum(self._replay_cost.of(notation.spell(move)) for move in moves)
        return self._replay_cost.total + more > MOST_EFFORT

    def _may_seat(self, moves: Sequence[Move]) -> bool:
        return self.tracks is not None and any(map(_may_seat, moves))

    def _rehearse(self, moves: Sequence[Move]) -> None:
        """Try the moves on a copy. Raises IllegalMove if one is rejected, or `too-few-tracks`."""
        trial = self.record.copy()
        for move in moves:
            trial.apply(move)
        setup = trial.position.setup
        sides = setup.sides if setup is not None else 0
        if self.tracks is None or not self._may_seat(moves):
            return
        if sides > self.tracks and self._fit_layout is not None:
            self.tracks = self._fit_layout(sides)
        if sides > self.tracks:
            raise IllegalMove("too-few-tracks", sides=sides, tracks=self.tracks)

    def _commit(self, move: Move, by: str) -> Receipt:
        """Play a move on the record and queue its line for the journal."""
        self.correct_times()
        before = self.position
        self._remember_unfinished(move.verb)
        report = self.record.apply(move)
        line = report.line
        self._remember(by)
        self.number += 1
        at = self._now()
        if self.session == 0 or _begins_session(report.move):
            self.session = self.number
            self._began = at
            carried = prelude(before)
            self._replay_cost = Effort(carried)
            self._by_player.clear()
            saved = self.journal.begin_session(self.number, carried, line, at, by)
        else:
            posts = self._outgoing(before)
            saved = self.journal.append(self.session, self.number, line, at, by, posts)
        self._replay_cost.add(line)
        return Receipt(self.number, report, saved)

    def correct_times(self) -> None:
        """Correct the stored times if the clock has been set since the last line, because a machine
        without a battery-backed clock gets the time from the network. The times of all lines since
        this table was opened are corrected, and so is the name of an evening named after its
        date."""
        if self._steady is None:
            return
        drift = self._now() - self._steady()
        jump, self._drift = drift - self._drift, drift
        if abs(jump) < JUMP or self._first_line_here > self.number:
            return
        # Correct all lines since then on every jump: each jump brings their times closer to the
        # right time.
        self.journal.correct_clock(self._first_line_here, self.number, jump)
        if self._first_line_here <= self.session:
            began, self._began = self._began, self._began + jump
            if self.position.session == day(began):
                self.record.rename(day(self._began))

    def _outgoing(self, before: Position) -> Sequence[Post]:
        if self._outbox_for is None:
            return ()
        try:
            return self._outbox_for(self.session, before, self.position)
        except Exception:  # noqa: BLE001 - sending results is optional, keeping the line is not
            _log.exception("a result could not be prepared for the hub")
            return ()


PLAYER: Final = "player"
"""The submitter of the computer player's lines."""
JUMP: Final = 60.0
"""The minimum difference in seconds that means that a clock was set. Network time adjusts a running
clock by less."""


def since_boot() -> float:
    """Return the time in seconds on a clock that is never set. If possible, this clock also runs
    while a laptop is asleep."""
    try:
        return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
    except OSError:  # the name exists there, but not the clock
        return time.monotonic()


def _start(moves: Sequence[Move]) -> int:
    """Return how many of the newest lines start a game that follows another one: its `game` line,
    then its players (each once) and rules. They are taken back together. Return 1 if the newest
    line is not one of these."""
    head = list(
        takewhile(lambda move: move.kind is Kind.SETUP and move.verb != "game", reversed(moves))
    )
    count = len(head) + 1
    seats = [move.seat for move in head if move.verb == "seat"]
    begins = count <= len(moves) and moves[-count].verb == "game" and len(set(seats)) == len(seats)
    after = any(move.kind not in (Kind.SETUP, Kind.SESSION) for move in moves[:-count])
    return count if begins and after else 1


def _may_seat(move: Move) -> bool:
    """Return whether a line may have changed the players at the table."""
    return move.kind in CORRECTIONS or (move.kind is Kind.SETUP and move.verb != "set")


def _begins_session(move: Move) -> bool:
    return move.verb == "session" and move.name is not None
