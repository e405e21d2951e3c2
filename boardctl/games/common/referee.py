"""The base class of referees: common lines and the order of checks.

A game derives from `Referee` and keeps its state in a `GameState`. The line of a verb is played by
the method of its name: `no-mog` by `_no_mog`. Source: docs/notation.md.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, Protocol, Self, TypeVar

from boardctl.games import (
    COMMON_VERBS,
    Award,
    Game,
    IllegalMove,
    Line,
    Margin,
    Move,
    Note,
    Outcome,
    Played,
    Scoreboard,
    Setup,
    table_rules,
)
from boardctl.games.cards import Card, Rank
from boardctl.games.table_rules import ScoreSheet


class AnyState(Protocol):
    """What a referee asks of a state: a named tuple where speed counts, or a `GameState`."""

    @property
    def sheet(self) -> ScoreSheet:
        """Scores and dealer."""

    @property
    def deal(self) -> Any:
        """The current deal, None before the first; each game has its own type."""

    @property
    def base(self) -> tuple[int, ...]:
        """The scores when the deal began, with corrections agreed since."""

    @property
    def target(self) -> int:
        """The score that wins."""

    def _replace(self, *args: Any, **changes: Any) -> Self: ...


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game."""

    sheet: ScoreSheet
    deal: Any = None
    base: tuple[int, ...] = ()

    @property
    def setup(self) -> Setup:
        return self.sheet.setup

    @property
    def scores(self) -> tuple[int, ...]:
        return self.sheet.scores

    @property
    def target(self) -> int:
        return int(self.option("target"))

    def option(self, name: str) -> str:
        """The value that the table has chosen for an option."""
        return self.sheet.setup.options[name]

    def _replace(self, **changes: Any) -> Self:
        return replace(self, **changes)


S = TypeVar("S", bound=AnyState)
Step = Callable[[S, Move], Played[S]]


class Referee(Game[S]):
    """A game whose common lines are played here. It may change the state before
    and after every line (`before_line`, `after_line`)."""

    ranks: tuple[Rank, ...] = tuple(Rank)
    """The ranks of the pack."""
    copies = 1
    after_end: frozenset[str] = frozenset({"adjust"})
    """The lines that may follow the end of a game."""

    @cached_property
    def _steps(self) -> Mapping[tuple[str, bool], Step[S]]:
        """What plays each line, by its verb and whether a seat says it."""
        return {
            (verb.name, verb.seated): getattr(self, "_" + verb.name.replace("-", "_"))
            for verb in (*COMMON_VERBS, *self.verbs)
        }

    @abstractmethod
    def cut_strength(self, state: S, rank: Rank) -> int:
        """The sort key of a cut; the highest deals first."""

    @abstractmethod
    def new_deal(self, state: S) -> Any:
        """A new deal about which nothing is known; `state.sheet.dealer` deals."""

    def check_deal(self, state: S) -> Played[S]:
        """Check that the next deal may begin, and return the state with the last one finished.

        Raises:
            IllegalMove: `deal-unfinished`.
        """
        if state.deal is not None and self.begun(state.deal):
            raise IllegalMove("deal-unfinished", phase=self.situation(state).phase)
        return Played(state)

    @abstractmethod
    def begun(self, deal: Any) -> bool:
        """Whether anything has been entered for the deal."""

    @abstractmethod
    def holes(self, state: S) -> tuple[int, int]:
        """How many points a hole of the board stands for, and the hole of the goal line."""

    def lines(self, state: S) -> tuple[Line, ...]:
        """The lines across the board."""
        return ()

    @abstractmethod
    def readouts(self, state: S) -> tuple[Note, ...]:
        """What displays show besides the scores."""

    def scoreboard(self, state: S) -> Scoreboard:
        unit, goal = self.holes(state)
        now, ended = self.situation(state), self.outcome(state)
        return Scoreboard(
            state.sheet.standings,
            unit=unit,
            goal=goal,
            lines=self.lines(state),
            dealer=state.sheet.dealer,
            turn=now.turn,
            winner=ended.winner,
            over=ended.state != "unfinished",
            readouts=self.readouts(state),
        )

    def scored(self, state: S, awards: tuple[Award, ...]) -> S:
        """The state after a scoring event."""
        return state._replace(sheet=table_rules.earn(state.sheet, awards))

    def check_copy(self, card: Card) -> None:
        """Raise IllegalMove `no-such-card` for a numbered copy in a game with a single pack."""
        if self.copies == 1:
            raise IllegalMove("no-such-card", card=card)

    def with_deal(self, state: S, deal: Any) -> Played[S]:
        """A line that changes the deal and earns nothing yet."""
        return Played(state._replace(deal=deal))

    def first_dealer(self, state: S) -> int | None:
        return state.sheet.first_dealer

    def dealing(self, state: S) -> bool:
        """Whether a deal is in progress."""
        return state.deal is not None

    def before_line(self, state: S, move: Move) -> tuple[S, tuple[Note, ...]]:
        """The state in which a line is played, and what is said before. Raises IllegalMove
        `game-over` if nothing may follow."""
        if move.verb not in self.after_end and self.outcome(state).state != "unfinished":
            raise IllegalMove("game-over")
        return state, ()

    def after_line(self, before: S, move: Move, played: Played[S]) -> Played[S]:
        """What else a line common to all games does in this one."""
        return played

    def play(self, state: S, move: Move) -> Played[S]:
        verb, seat, cards, _, _, _, _ = move
        if seat is not None and not 1 <= seat <= len(state.sheet.setup.seats):
            table_rules.check_seat(state.sheet, move)
        state, notes = self.before_line(state, move)
        for card in cards:
            if card.copy is not None:
                self.check_copy(card)
        step = self._steps.get((verb, seat is not None))
        if step is None:
            raise IllegalMove("not-in-this-game", verb=verb, game=self.name)
        played = step(state, move)
        if verb in _COMMON:
            played = self.after_line(state, move, played)
        return Played(played.state, played.awards, (*notes, *played.notes)) if notes else played

    def _start(self, state: S, move: Move) -> Played[S]:
        return Played(state._replace(sheet=table_rules.start(state.sheet, move, state.target)))

    def _cut(self, state: S, move: Move) -> Played[S]:
        (card,) = move.cards
        if card.rank is not None and card.rank not in self.ranks:
            raise IllegalMove("card-not-in-pack", card=card)
        sheet = table_rules.cut(
            state.sheet, move, lambda rank: self.cut_strength(state, rank), self.copies
        )
        return Played(state._replace(sheet=sheet))

    def _dealer(self, state: S, move: Move) -> Played[S]:
        dealing = self.dealing(state)
        if dealing and self.begun(state.deal):
            raise IllegalMove("too-late", what="dealer", why="deal")
        between = not dealing and state.sheet.deals > 0
        after = state._replace(sheet=table_rules.name_dealer(state.sheet, move, between=between))
        return Played(after._replace(deal=self.new_deal(after)) if dealing else after)

    def _deal(self, state: S, move: Move) -> Played[S]:
        ready = self.check_deal(state)
        after = ready.state
        if after is not state and self.outcome(after).state != "unfinished":
            raise IllegalMove("game-over")
        after = after._replace(sheet=table_rules.deal(after.sheet), base=after.sheet.scores)
        return Played(after._replace(deal=self.new_deal(after)), ready.awards, ready.notes)

    def _misdeal(self, state: S, move: Move) -> Played[S]:
        if not self.dealing(state):
            raise IllegalMove("no-deal", verb="misdeal")
        moved = zip(state.sheet.scores, state.base, strict=True)
        sheet, awards = table_rules.misdeal(state.sheet, tuple(now - then for now, then in moved))
        return Played(state._replace(sheet=sheet, deal=None), awards)

    def _adjust(self, state: S, move: Move) -> Played[S]:
        sheet, awards = table_rules.adjust(state.sheet, move)
        moved = zip(state.base, sheet.scores, state.sheet.scores, strict=True) if state.base else ()
        # Points of the deal that are taken back here are not taken back by its misdeal again.
        base = tuple(max(then + now - before, min(then, 0)) for then, now, before in moved)
        return Played(state._replace(sheet=sheet, base=base), awards)

    def _resign(self, state: S, move: Move) -> Played[S]:
        return Played(state._replace(sheet=table_rules.give_up(state.sheet, move)))

    _abandon = _resign


_COMMON: Final = frozenset(verb.name for verb in COMMON_VERBS)


def won_at_target(sheet: ScoreSheet, winner: int, skunk: int = 0, double_skunk: int = 0) -> Outcome:
    """The outcome of a game won the moment a side reaches its target.

    The winner wins as many games as the best loser loses (docs/rules/cribbage.md 6.2, 6.3, 9.3).

    Args:
        winner: the side that has won, 0 if none has yet.
        skunk: a loser below this score loses two games.
        double_skunk: a loser below this score loses four.
    """
    given_up = table_rules.given_up(sheet)
    if given_up is not None:
        return given_up
    scores = sheet.scores
    if not winner:
        return table_rules.undecided(scores)
    lost = tuple(
        0 if side == winner else 4 if points < double_skunk else 2 if points < skunk else 1
        for side, points in enumerate(scores, 1)
    )
    margins: Mapping[int, Margin] = {1: "game", 2: "skunk", 4: "double-skunk"}
    return table_rules.won(scores, winner, lost, margins[min(games for games in lost if games)])


def to_go(scores: tuple[int, ...], target: int) -> tuple[Note, ...]:
    """How many points each side still needs."""
    return tuple(
        Note("to-go", {"side": side, "points": max(0, target - points)})
        for side, points in enumerate(scores, 1)
    )
