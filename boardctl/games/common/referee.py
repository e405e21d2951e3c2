"""The base class of referees: common lines and the order of checks.

A game derives from `Referee`, lists what its own lines do in `steps`, and keeps its state in a
`GameState`. Source: docs/notation.md.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from boardctl.games import Award, Game, IllegalMove, Move, Outcome, Played, Setup, table_rules
from boardctl.games.cards import Card, Rank
from boardctl.games.table_rules import ScoreSheet


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game.

    sheet: scores and dealer. deal: the current deal, None between deals; each game has its own
    type. base: the scores when the deal began.
    """

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
        """The score that wins."""
        return int(self.option("target"))

    def option(self, name: str) -> str:
        """The value that the table has chosen for an option."""
        return self.sheet.setup.options[name]


S = TypeVar("S", bound=GameState)
Step = Callable[[S, Move], Played[S]]


class Referee(Game[S]):
    """A game whose common lines are played here. Its own lines are in `steps`, keyed by verb and
    whether a seat says it."""

    ranks: tuple[Rank, ...] = tuple(Rank)
    """The ranks of the pack."""
    copies = 1
    after_end: frozenset[str] = frozenset({"adjust"})
    """The lines that may follow the end of a game."""

    @property
    @abstractmethod
    def steps(self) -> Mapping[tuple[str, bool], Step[S]]:
        """The handlers of the game's own lines."""

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

    def scored(self, state: S, awards: tuple[Award, ...]) -> S:
        """The state after a scoring event."""
        return replace(state, sheet=table_rules.earn(state.sheet, awards))

    def check_card(self, card: Card) -> None:
        """Raise IllegalMove `no-such-card` for a numbered copy in a game with a single pack."""
        if self.copies == 1 and card.copy is not None:
            raise IllegalMove("no-such-card", card=card)

    def first_dealer(self, state: S) -> int | None:
        return state.sheet.first_dealer

    def play(self, state: S, move: Move) -> Played[S]:
        table_rules.check_seat(state.sheet, move)
        if move.verb not in self.after_end and self.outcome(state).state != "unfinished":
            raise IllegalMove("game-over")
        for card in move.cards:
            self.check_card(card)
        key = (move.verb, move.seat is not None)
        step = self.steps.get(key)
        if step is not None:
            return step(state, move)
        name = _COMMON.get(key)
        if name is None:
            raise IllegalMove("not-in-this-game", verb=move.verb, game=self.name)
        played: Played[S] = getattr(self, name)(state, move)
        return played

    def _start(self, state: S, move: Move) -> Played[S]:
        return Played(replace(state, sheet=table_rules.start(state.sheet, move, state.target)))

    def _cut(self, state: S, move: Move) -> Played[S]:
        (card,) = move.cards
        if card.rank is not None and card.rank not in self.ranks:
            raise IllegalMove("card-not-in-pack", card=card)
        sheet = table_rules.cut(
            state.sheet, move, lambda rank: self.cut_strength(state, rank), self.copies
        )
        return Played(replace(state, sheet=sheet))

    def _dealer(self, state: S, move: Move) -> Played[S]:
        if state.deal is not None and self.begun(state.deal):
            raise IllegalMove("too-late", what="dealer", why="deal")
        between = state.deal is None and state.sheet.deals > 0
        after = replace(state, sheet=table_rules.name_dealer(state.sheet, move, between=between))
        return Played(after if state.deal is None else replace(after, deal=self.new_deal(after)))

    def _deal(self, state: S, move: Move) -> Played[S]:
        ready = self.check_deal(state)
        after = ready.state
        if self.outcome(after).state != "unfinished":
            raise IllegalMove("game-over")
        after = replace(after, sheet=table_rules.deal(after.sheet), deal=None, base=after.scores)
        return Played(replace(after, deal=self.new_deal(after)), ready.awards, ready.notes)

    def _misdeal(self, state: S, move: Move) -> Played[S]:
        if state.deal is None:
            raise IllegalMove("no-deal", verb="misdeal")
        scores = zip(state.scores, state.base, strict=True)
        sheet, awards = table_rules.misdeal(state.sheet, tuple(now - then for now, then in scores))
        return Played(replace(state, sheet=sheet, deal=None), awards)

    def _adjust(self, state: S, move: Move) -> Played[S]:
        sheet, awards = table_rules.adjust(state.sheet, move)
        moved = zip(state.base, sheet.scores, state.scores, strict=True) if state.base else ()
        base = tuple(then + now - before for then, now, before in moved)
        return Played(replace(state, sheet=sheet, base=base), awards)

    def _give_up(self, state: S, move: Move) -> Played[S]:
        return Played(replace(state, sheet=table_rules.give_up(state.sheet, move)))


_COMMON: Final = {
    ("start", False): "_start",
    ("cut", True): "_cut",
    ("dealer", False): "_dealer",
    ("deal", False): "_deal",
    ("misdeal", False): "_misdeal",
    ("adjust", True): "_adjust",
    ("resign", True): "_give_up",
    ("abandon", False): "_give_up",
}


def won_at_target(sheet: ScoreSheet, winner: int, skunk: int = 0) -> Outcome:
    """The outcome of a game won the moment a side reaches its target.

    Args:
        winner: the side that has won, 0 if none has yet.
        skunk: a loser below this score loses two games.
    """
    given_up = table_rules.given_up(sheet)
    if given_up is not None:
        return given_up
    scores = sheet.scores
    nobody = (0,) * len(scores)
    if not winner:
        return Outcome("unfinished", scores, won=nobody, lost=nobody)
    lost = tuple(
        0 if side == winner else 2 if points < skunk else 1 for side, points in enumerate(scores, 1)
    )
    games = min(lost[side - 1] for side in range(1, len(scores) + 1) if side != winner)
    won = tuple(games if side == winner else 0 for side in range(1, len(scores) + 1))
    return Outcome("won", scores, winner, won, lost, "skunk" if games == 2 else "game")
