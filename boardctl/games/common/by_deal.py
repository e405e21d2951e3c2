"""Games that are scored once per deal. Players may enter a deal's cards or only its points.

`N peg POINTS` enters one side's points for a deal whose cards are not entered. The deal is over
when the points of every side have been entered. Source: docs/notation.md; docs/rules/belote.md
10.5, pinochle-3-4.md 8.4.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Generic, Protocol, TypeVar

from boardctl.games import (
    Ask,
    Award,
    IllegalMove,
    Move,
    Note,
    Outcome,
    Played,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
)
from boardctl.games.cards import Card
from boardctl.games.common import referee
from boardctl.games.common.referee import GameState, Referee, between_deals
from boardctl.games.common.trick_deal import TrickDeal
from boardctl.message import Fields


@dataclass(frozen=True, slots=True)
class ByDealState(GameState):
    """The state of a game."""

    deal: TrickDeal | None = None
    pegged: tuple[int | None, ...] = (None, None)
    """The points of the deal that were entered with `peg`, by side."""

    @property
    def half_pegged(self) -> bool:
        """Whether the points of the deal have been entered for some sides, but not for all."""
        return any(points is not None for points in self.pegged)

    @property
    def none_pegged(self) -> tuple[int | None, ...]:
        return (None,) * len(self.pegged)

    @property
    def between(self) -> bool:
        """Whether the game may end here because no deal is in progress."""
        return self.deal is None and not self.half_pegged


def check_pegged(state: ByDealState) -> None:
    """Raise IllegalMove (`points-due`) if other sides' points must be entered first."""
    if state.half_pegged:
        raise IllegalMove("points-due", seat=state.pegged.index(None) + 1)


B = TypeVar("B", bound=ByDealState)
D = TypeVar("D", bound=TrickDeal)


class Combination(Protocol):
    """A set of cards that earn points together."""

    @property
    def name(self) -> str:
        """The reason of the award."""

    @property
    def points(self) -> int:
        """The points of the combination."""

    @property
    def cards(self) -> tuple[Card, ...]:
        """The cards of the combination, as far as they are known."""


def ended(state: B, awards: Iterable[Award], notes: Iterable[Note] = ()) -> Played[B]:
    """Return the state after a deal has been settled with these awards. The awards are in order of
    seat."""
    earned = tuple(sorted(awards, key=lambda award: award.seat))
    sheet = referee.earn(state.sheet, earned)
    return Played(replace(state, sheet=sheet, deal=None), earned, tuple(notes))


def better(points: Sequence[int]) -> int | None:
    """Return the side with more points, or None if both sides have equally many."""
    return None if points[0] == points[1] else 1 if points[0] > points[1] else 2


def changes(
    step: Callable[[D, Move], D], *, bidden: bool = True
) -> Callable[[ByDealReferee[B, D], B, Move], Played[B]]:
    """Return a function that plays lines that change the deal but score nothing.

    Args:
        step: returns the deal after the line, given the deal before it.
        bidden: whether the bidding must be over.
    """

    def line(self: ByDealReferee[B, D], state: B, move: Move) -> Played[B]:
        return self.with_deal(state, step(self.current_deal(state, move.verb, bidden=bidden), move))

    return line


class ByDealReferee(Referee[B, D], Generic[B, D]):
    """A referee for games that are scored once per deal."""

    opening: type[B]
    """The type of the game's states."""

    def begin(self, setup: Setup) -> B:
        return self.opening(referee.open_score_sheet(setup), pegged=(None,) * setup.sides)

    def visible_lines(
        self, before: B, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        """Return the lines that a viewer sees. After `declare`, they include the declarations that
        it settled."""
        if not self.opens(move) or before.deal is None:
            return super().visible_lines(before, move, later, seat)
        return self.laid_down(before, move)

    def first_counted(self, state: B) -> int | None:
        """Return the side that wins first if several sides have reached the target, or None."""
        return None

    def decided(self, state: B) -> Outcome:
        """Return the outcome at the end of a deal. Once a side has reached the target, the side
        with the highest score wins."""
        scores, best, winner = state.scores, max(state.scores), self.first_counted(state)
        if not state.between or best < state.target:
            return referee.undecided(scores)
        if winner is None or scores[winner - 1] < state.target:
            if scores.count(best) > 1:
                drawn = state.setup.options.get("game_tie") == "draw"
                return referee.undecided(scores, "draw" if drawn else "unfinished")
            winner = scores.index(best) + 1
        return referee.won(scores, winner, self.margins(state))

    @abstractmethod
    def pieces(self, deal: D, cards: tuple[Card, ...]) -> Iterable[Combination]:
        """Return the scoring combinations in these cards."""

    def promised(self, state: B, move: Move) -> tuple[Award, ...]:
        deal = self.deal_of(state)
        if move.seat is None or deal is None:
            return ()
        made = self.pieces(deal, move.cards)
        return tuple(Award(move.seat, one.points, one.name, one.cards) for one in made)

    @abstractmethod
    def laid_down(self, before: B, move: Move) -> tuple[Move, ...]:
        """Return the lines that show the declarations settled by `declare`."""

    def current_deal(self, state: B, verb: str, *, bidden: bool = True) -> D:
        """Return the current deal.

        Raises:
            IllegalMove: `points-due` or `no-deal`, or `bidding-first` if the bidding must be over
                but is not.
        """
        check_pegged(state)
        deal = super().current_deal(state, verb)
        if bidden and not deal.bidding.over:
            raise IllegalMove("bidding-first", verb=verb)
        return deal

    @abstractmethod
    def check_points(self, state: B, side: int, points: int) -> None:
        """Raise IllegalMove (`impossible-points`) if a side cannot score these points in a deal."""

    @abstractmethod
    def after_pegs(self, state: B, points: tuple[int, ...]) -> B:
        """Return the state after a deal once the points of all sides have been entered."""

    def gained(self, state: B, side: int, points: int) -> int:
        """Return the change in a side's score after these points are entered for the deal."""
        return points

    @abstractmethod
    def settled(self, state: B, deal: D) -> Played[B]:
        """Return the state after the last line of a deal has been entered."""

    def asks(self, deal: D) -> Iterator[Ask]:
        """Yield the possible entries for a deal, most usual first."""
        if deal.bidding.over:
            yield from self.asks_playing(deal)
        else:
            yield from self.asks_bidding(deal)
            yield from deal.ask_hands()

    @abstractmethod
    def asks_bidding(self, deal: D) -> Iterator[Ask]:
        """Yield the entries for possible bids."""

    @abstractmethod
    def asks_playing(self, deal: D) -> Iterator[Ask]:
        """Yield the possible entries from the end of the bidding to the end of the deal."""

    def contract(self, deal: D) -> tuple[Note, ...]:
        """Return the contract to display: the player and the trump suit."""
        return ()

    @abstractmethod
    def phase(self, deal: D) -> str:
        """Return the phase of a deal after its bidding."""

    def turn(self, deal: D) -> int | None:
        """Return the seat that must speak or play after the bidding, or None."""
        return deal.turn

    def details(self, deal: D) -> Fields:
        """Return additional fields for the situation to print."""
        return {}

    def readouts(self, state: B) -> tuple[Note, ...]:
        """Return the readouts besides the scores: trumps, the contract, melds and the remaining
        tricks."""
        deal = self.deal_of(state)
        if deal is None:
            return ()
        trump = () if deal.trump is None else (Note("trump", {"suit": deal.trump.letter}),)
        left: tuple[Note, ...] = ()
        if deal.bidding.over:
            left = (Note("tricks-left", {"tricks": deal.whole_hand - len(deal.full_tricks)}),)
        melds = (
            Note("melds", {"side": side, "points": points})
            for side in range(1, deal.sides + 1)
            if (points := deal.meld_points(side))
        )
        return (*trump, *self.contract(deal), *melds, *left)

    def prompt(self, state: B) -> Prompt:
        """Return the possible entries. The points of a deal may be entered until another entry is
        made."""
        signed = any(verb.either_sign for verb in self.verbs)
        deal, seats = self.deal_of(state), tuple(range(1, len(state.setup.seats) + 1))
        if self.outcome(state).state != "unfinished":
            return Prompt()
        if state.half_pegged:
            due = state.pegged.index(None) + 1
            none = Ask("no-points", "confirm", Move("peg", due, numbers=(0,)))
            return Prompt((none,), (due,), signed=signed)
        if deal is None:
            return Prompt(between_deals(state.sheet, self.pack, self.copies), seats, signed=signed)
        return Prompt(tuple(self.asks(deal)), () if deal.begun else seats, signed=signed)

    def situation(self, state: B) -> Situation:
        deal, dealer = self.deal_of(state), state.sheet.dealer
        if self.outcome(state).state != "unfinished":
            return Situation("over", dealer=dealer)
        if deal is None:
            return Situation("deal" if dealer else "cut", dealer=dealer)
        trump = None if deal.trump is None else deal.trump.letter
        over = deal.bidding.over
        phase = self.phase(deal) if over else "bid"
        turn = self.turn(deal) if over else deal.bidding.bidder
        return Situation(phase, turn, dealer, trump=trump, more=self.details(deal))

    def holes(self, state: B) -> tuple[int, int]:
        return state.target // 100, 100

    def scoreboard(self, state: B) -> Scoreboard:
        """Return the scoreboard. The target need not fall on a hole. At the end of the game, there
        are no readouts."""
        board = super().scoreboard(state)
        readouts = () if board.over else board.readouts
        return board._replace(target=state.target, readouts=readouts)

    def check_deal(self, state: B) -> Played[B]:
        check_pegged(state)
        return super().check_deal(state)

    def _dealer(self, state: B, move: Move) -> Played[B]:
        check_pegged(state)
        return super()._dealer(state, move)

    def _misdeal(self, state: B, move: Move) -> Played[B]:
        played = super()._misdeal(state, move)
        return Played(replace(played.state, pegged=state.none_pegged), played.awards)

    def _deal_unsaid(self, state: B) -> B:
        """Return the state after a deal began without a `deal` line. If the dealer is known, the
        next player deals as usual."""
        ready = self.check_deal(state).state
        if ready.sheet.dealer is None:
            return ready
        return replace(ready, sheet=referee.deal(ready.sheet))

    _hand = changes(TrickDeal.enter_hand, bidden=False)
    _declare = changes(lambda deal, move: deal.declare_all())
    _meld = changes(lambda deal, move: deal.show(move))

    def passed_out(self, state: B, deal: D) -> Played[B]:
        """Return the state after everybody has passed. The deal is not played."""
        return Played(replace(state, deal=None), notes=(Note("passed-out"),))

    def _bid(self, state: B, move: Move) -> Played[B]:
        """Make a bid: `N bid …`."""
        deal = self.current_deal(state, "bid", bidden=False)
        deal = deal.say(move)
        if deal.bidding.passed_out:
            return self.passed_out(state, deal)
        return self.with_deal(state, deal)

    def _play(self, state: B, move: Move) -> Played[B]:
        """Play a card, together with any call made with it: `N play CARD`."""
        deal, seat = self.current_deal(state, "play"), move.player
        deal.check_time("play")
        after = deal.end_talk().play(seat, move.cards[0])
        if move.words:
            after = after.call_with_play(seat)
        return self.settled(state, after) if after.over else self.with_deal(state, after)

    def _count(self, state: B, move: Move) -> Played[B]:
        """Enter a side's trick points, including the last trick: `N count POINTS`. This line is for
        tables that do not enter tricks.
        """
        deal = self.current_deal(state, "count").end_talk()
        seat, (points,) = move.player, move.numbers
        side = deal.side(seat)
        if deal.counts[side - 1] is not None:
            raise IllegalMove("counted-twice", seat=seat, points=deal.counts[side - 1])
        allowed = deal.countable(side)
        if points not in allowed:
            some = tuple(sorted(allowed))
            least, most = (some[0], some[-1]) if some else (0, 0)
            fields = {"points": points, "least": least, "most": most, "allowed": some}
            raise IllegalMove("impossible-points", **fields)
        after = deal.with_count(side, points)
        return self.with_deal(state, after) if None in after.counts else self.settled(state, after)

    def _peg(self, state: B, move: Move) -> Played[B]:
        """Enter a side's points for a deal whose cards are not entered: `N peg POINTS`."""
        (points,) = move.numbers
        side = state.setup.side(move.player)
        if self.begun(state):
            raise IllegalMove("told-by-cards")
        if state.pegged[side - 1] is not None:
            check_pegged(state)
        self.check_points(state, side, points)
        if state.between:
            state = self._deal_unsaid(state)
        gained = self.gained(state, side, points)
        awards = (Award(side, gained, "told"),) if gained else ()
        after = self.scored(state, awards)
        pegged = tuple(points if at == side else old for at, old in enumerate(state.pegged, 1))
        whole = tuple(points for points in pegged if points is not None)
        if len(whole) < len(pegged):
            return Played(replace(after, pegged=pegged), awards)
        after = replace(after, deal=None, pegged=state.none_pegged)
        return Played(self.after_pegs(after, whole), awards)
