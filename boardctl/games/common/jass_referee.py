"""The referee of the Jass family: the lines that Klaberjass and Belote play alike."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass, replace
from typing import Any, TypeVar

from boardctl.games import IllegalMove, Move, Note, Played
from boardctl.games.cards import Rank
from boardctl.games.common.by_deal import ByDealReferee, ByDealState
from boardctl.games.common.jass import IN_ORDER, NATURAL, JassDeal
from boardctl.games.table_rules import put


@dataclass(frozen=True, slots=True)
class JassState(ByDealState):
    """The state of a game."""

    deal: JassDeal | None = None
    best: int | None = None
    """The side that scored more in the previous deal, for `deal_rotation`."""
    held: int = 0
    """Points carried over to the next decided deal."""


T = TypeVar("T", bound=JassState)


class JassReferee(ByDealReferee[T]):
    """A referee for games in which a suit is taken at the turn of a card."""

    pack = IN_ORDER
    ranks = NATURAL

    def cut_strength(self, state: T, rank: Rank) -> int:
        sign = 1 if state.option("first_dealer") == "low" else -1
        return sign * NATURAL.index(rank)

    def check_deal(self, state: T) -> Played[T]:
        """The winner of the last deal deals, if the table plays so."""
        super().check_deal(state)
        sheet, best = state.sheet, state.best
        rotates = len(state.setup.seats) == 2 and state.option("deal_rotation") == "winner_deals"
        if rotates and best and sheet.deals and not sheet.again:
            sheet = sheet._replace(dealer=best, again=True)
        return Played(replace(state, sheet=sheet))

    def after_pegs(self, state: T, points: tuple[int, ...]) -> T:
        best = None if points[0] == points[1] else 1 if points[0] > points[1] else 2
        return replace(state, best=best)

    def _turnup(self, state: T, move: Move) -> Played[T]:
        deal = self.on(state, "turnup", bidden=False)
        return self.with_deal(state, deal.turn_up(move.cards[0]))

    def _bid(self, state: T, move: Move) -> Played[T]:
        deal = self.on(state, "bid", bidden=False)
        bidding = deal.bidding.say(move.player, move.numbers, move.words)
        if not bidding.passed_out:
            return self.with_deal(state, self.after_bid(replace(deal, bidding=bidding)))
        sheet = state.sheet
        if state.option("passed_out") == "same_dealer":
            sheet = sheet._replace(again=True)
        out = replace(state, sheet=sheet, deal=None, best=None)
        return Played(out, notes=(Note("passed-out"),))

    @abstractmethod
    def counts_allowed(self, state: T, deal: Any, side: int) -> tuple[int, ...]:
        """The trick points that a side may enter now, lowest first."""

    @abstractmethod
    def settled(self, state: T, deal: Any) -> Played[T]:
        """The state after a deal, whose last line was entered."""

    def countable(self, state: T, deal: Any) -> Any:
        """The deal whose trick points may be entered. Raises IllegalMove if it is too early."""
        return deal

    def other_count(self, state: T, deal: Any, side: int, points: int) -> int | None:
        """What the other side has, None if that is not known."""
        other: int | None = deal.counts[2 - side]
        return other

    def _count(self, state: T, move: Move) -> Played[T]:
        """`N count POINTS`: a side's trick points with the last trick, if tricks are not
        entered."""
        deal = self.countable(state, self.on(state, "count"))
        seat, (points,) = move.player, move.numbers
        side = deal.side(seat)
        if deal.counts[side - 1] is not None:
            raise IllegalMove("counted-twice", seat=seat, points=deal.counts[side - 1])
        allowed = self.counts_allowed(state, deal, side)
        if points not in allowed:
            raise IllegalMove("impossible-points", points=points, allowed=tuple(sorted(allowed)))
        other = self.other_count(state, deal, side, points)
        after = replace(deal, counts=put((other, other), side, points))
        return Played(replace(state, deal=after)) if other is None else self.settled(state, after)

    def after_bid(self, deal: JassDeal) -> JassDeal:
        """The deal after a bid."""
        return deal
