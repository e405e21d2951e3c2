"""Games whose deals are played to 31, and that are won the moment a side reaches the target.

A game says what a card and a hand score, in which order its phases come, and what its starter
earns. Sources: docs/rules/noddy.md, docs/rules/costly-colours.md.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, ClassVar, TypeVar

from boardctl.games import (
    Ask,
    Award,
    IllegalMove,
    Line,
    Move,
    Note,
    Outcome,
    Played,
    Prompt,
    Situation,
    put,
)
from boardctl.games.cards import Card, Rank
from boardctl.games.common import known_cards, referee, to_31
from boardctl.games.common.known_cards import Cards
from boardctl.games.common.referee import (
    GameState,
    Referee,
    between_deals,
    next_cutter,
    to_go,
    won_at_target,
)
from boardctl.games.common.series import MUST_PLAY, THIRTY_ONE, VALUE, Item, PlayScores
from boardctl.games.common.to_31 import Table

HAND = 3
"""The number of cards in a hand."""


@dataclass(frozen=True, slots=True)
class RaceDeal:
    """A deal: its cards and its progress."""

    table: Table
    starter: Card | None = None
    called: int = 0
    """How many hands have been counted."""
    pegged: bool = False
    """Whether points were entered in the deal."""
    by_points: bool = False
    """Whether the play was entered by points."""
    heels: bool = False
    """Whether the dealer's points for the starter were entered by points."""

    @property
    @abstractmethod
    def at(self) -> str:
        """The phase that the deal has reached."""

    @property
    def begun(self) -> bool:
        """Whether anything has been entered for the deal."""
        entered = self.starter is not None or any(self.table.hands) or self.table.begun
        return entered or self.pegged or self.called > 0

    @property
    def playing(self) -> bool:
        """Whether the play is in progress and entered by cards."""
        return self.at == "play" and self.table.begun and not self.by_points


@dataclass(frozen=True, slots=True)
class RaceState(GameState):
    """The state of a game. `winner` is the side that has won, 0 if none has yet."""

    winner: int = 0

    @property
    def skunk(self) -> int:
        """A loser below this score loses two games: less than half the target."""
        return (self.target + 1) // 2 if self.option("skunk") == "on" else 0

    def order(self) -> tuple[int, ...]:
        """The seats in order from eldest to the dealer."""
        seats, dealer = len(self.setup.seats), self.sheet.dealer or 1
        return tuple((dealer + n) % seats + 1 for n in range(seats))


R = TypeVar("R", bound=RaceState)


def outcome(state: RaceState) -> Outcome:
    return won_at_target(state.sheet, state.winner, state.skunk)


class RaceReferee(Referee[R]):
    """A referee for games whose deals are played on a `to_31.Table`."""

    outcome = staticmethod(outcome)

    def begun(self, deal: Any) -> bool:
        begun: bool = deal.begun
        return begun

    def scored(self, state: R, awards: tuple[Award, ...]) -> R:
        """The first side to reach the target wins: points are scored one award at a time."""
        winner, scores = state.winner, list(state.scores)
        for award in awards:
            side = state.setup.side(award.seat)
            scores[side - 1] += award.points
            if not winner and scores[side - 1] >= state.target:
                winner = side
        return replace(state, sheet=referee.earn(state.sheet, awards), winner=winner)

    def on(self, state: R, verb: str) -> Any:
        """The current deal. Raises IllegalMove `no-deal`."""
        if state.deal is None:
            raise IllegalMove("no-deal", verb=verb)
        return state.deal

    def _hand(self, state: R, move: Move) -> Played[R]:
        """`N hand CARD…`, before the starter."""
        deal = self.on(state, "hand")
        if deal.at != "starter":
            raise IllegalMove("too-late", what="hand", why="starter")
        table = to_31.enter_hand(deal.table, move.player, move.cards)
        table = table._replace(hands=tuple(map(known_cards.with_rank, table.hands)))
        return Played(replace(state, deal=replace(deal, table=table)))

    limit = THIRTY_ONE

    # What a game says.

    heels: ClassVar[tuple[int, frozenset[Rank]]]
    """What a starter of one of these ranks earns the dealer."""
    why: ClassVar[tuple[str, ...]]
    """What points may be entered for."""
    most_played: ClassVar[int]
    """More than a line of the play can earn."""

    @abstractmethod
    def scores(self, state: R) -> PlayScores:
        """What a card of the play may earn."""

    @abstractmethod
    def hand_items(
        self, state: R, deal: Any, seat: int, cards: Cards, words: tuple[str, ...]
    ) -> tuple[Item, ...]:
        """What a whole hand earns; `words` are what was said about its suits."""

    @abstractmethod
    def hand_points(self, state: R, deal: Any, seat: int) -> frozenset[int]:
        """What a hand may be worth, given its known cards; `deal` is None where none is begun."""

    @abstractmethod
    def ready_to_show(self, state: R, deal: Any, seat: int) -> tuple[Any, tuple[Award, ...]]:
        """The deal when a seat's hand may be counted, and what that ends earns."""

    @abstractmethod
    def hand_called(self, state: R, deal: Any) -> R:
        """The state after a counted hand."""

    @abstractmethod
    def kinds(self, deal: Any) -> tuple[str, ...]:
        """What points entered without a reason may be for."""

    @abstractmethod
    def go_possible(self, state: R, deal: Any, seat: int) -> bool:
        """Whether a go of this seat may earn a point now."""

    @abstractmethod
    def pegged(self, state: R, deal: Any, seat: int, points: int, why: str) -> R:
        """The state after points entered for a part of the deal other than the starter.

        Raises:
            IllegalMove: `out-of-order` and its like if that part is over, or not reached.
        """

    @abstractmethod
    def series_over(self, state: R, table: Table) -> R:
        """The state after a series."""

    @abstractmethod
    def asks(self, state: R, deal: Any) -> tuple[Ask, ...]:
        """What is due of a deal after its starter, the most usual first."""

    def last_card(self, state: R, table: Table) -> tuple[Award, ...]:
        """One for the last card of a series below 31."""
        if table.total == THIRTY_ONE:
            return ()
        return (Award(table.last, 1, "last-card", table.series[-1:]),)

    def turned(self, deal: Any) -> Any:
        """The deal after its starter was turned."""
        return deal

    def hand_due(self, state: R, deal: Any, seat: int) -> bool:
        """Whether this seat's hand is counted next."""
        due: bool = deal.at == "show" and state.order()[deal.called] == seat
        return due

    def hand_pegged(self, deal: Any, seat: int, points: int) -> Any:
        """The deal after points were entered for a hand."""
        return deal

    def extra_last(self, state: R, total: int) -> bool:
        """Whether a card may earn last card besides, at this count."""
        return True

    def turn(self, state: R, deal: Any) -> int | None:
        """The seat due in a deal, outside its play."""
        return state.order()[deal.called] if deal.at == "show" else None

    # What follows.

    def prompt(self, state: R) -> Prompt:
        """What is due; points may be entered until the game is over."""
        if outcome(state).state != "unfinished":
            return Prompt()
        seats, deal = tuple(range(1, len(state.setup.seats) + 1)), state.deal
        if deal is None:
            return Prompt(between_deals(state.sheet), seats)
        if deal.at == "starter":
            return Prompt(starter_asks(deal, self.heels[1]), seats)
        return Prompt(self.asks(state, deal), seats)

    def situation(self, state: R) -> Situation:
        deal, dealer = state.deal, state.sheet.dealer
        if outcome(state).state != "unfinished":
            return Situation("over", dealer=dealer)
        if deal is None:
            if dealer is None:
                return Situation("cut", turn=next_cutter(state.sheet))
            return Situation("deal", dealer=dealer)
        if deal.at == "play":
            count = None if deal.by_points else deal.table.total
            return Situation("play", deal.table.due or None, dealer, count)
        return Situation(deal.at, self.turn(state, deal), dealer)

    def holes(self, state: R) -> tuple[int, int]:
        return 1, state.target

    def lines(self, state: R) -> tuple[Line, ...]:
        return (Line("skunk", state.skunk),) if state.skunk else ()

    def readouts(self, state: R) -> tuple[Note, ...]:
        """The count and each side's points to go."""
        now = self.situation(state)
        if now.phase == "over":
            return ()
        count = () if now.count is None else (Note("count", {"count": now.count}),)
        return (*count, *to_go(state.scores, state.target))

    def _starter(self, state: R, move: Move) -> Played[R]:
        """The turned-up card, which may earn the dealer points at once."""
        deal = self.on(state, "starter")
        if deal.at != "starter":
            raise IllegalMove("too-late", what="starter", why="turned")
        (card,) = move.cards
        table = to_31.turn(deal.table, card)
        points, ranks = self.heels
        if deal.heels and card.rank not in ranks:
            raise IllegalMove("contradicts", seat=None, cards=move.cards, known=("heels",))
        after = replace(state, deal=self.turned(replace(deal, table=table, starter=card)))
        if card.rank not in ranks or deal.heels:
            return Played(after)
        assert state.sheet.dealer is not None
        awards = (Award(state.sheet.dealer, points, "heels", move.cards),)
        return Played(self.scored(after, awards), awards)

    def _show(self, state: R, move: Move) -> Played[R]:
        """`N show [CARD…] [SUITS]`: a hand is counted."""
        seat = move.player
        deal, awards = self.ready_to_show(state, self.on(state, "show"), seat)
        cards = known_cards.complete(deal.table.own(seat), move.cards, HAND, seat)
        table = deal.table._replace(hands=put(deal.table.hands, seat, cards))
        to_31.check(table)
        items = self.hand_items(state, deal, seat, cards, move.words)
        awards += to_31.awarded(seat, items)
        after = self.hand_called(state, replace(deal, table=table))
        return Played(self.scored(after, awards), awards)

    def seen(
        self, before: R, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        """A hand that is shown, with every card of it."""
        if not self.opens(move) or before.deal is None or move.seat is None:
            return super().seen(before, move, later, seat)
        known = before.deal.table.own(move.seat)
        return (move._replace(cards=known_cards.complete(known, move.cards, HAND, move.seat)),)

    def check_go_said(self, state: R, table: Table, awards: tuple[Award, ...]) -> None:
        """Raise IllegalMove `go-unsaid` if the points of an unsaid go would win the game."""
        if self.scored(state, awards).winner and not state.winner:
            raise IllegalMove("go-unsaid", seat=table.due, last=table.last)

    def check_turn_to_show(self, state: R, deal: Any, seat: int, what: str) -> None:
        """Check that hands are counted in order, from eldest to the dealer."""
        due = state.order()[deal.called]
        if seat != due:
            raise IllegalMove("out-of-order", what=what, phase=deal.at, why="hand", seat=due)

    def ended_or(
        self, state: R, table: Table, awards: tuple[Award, ...], notes: tuple[Note, ...]
    ) -> Played[R]:
        """Continue the series, or end it with its last card."""
        if table.due or state.winner:
            return Played(state, awards, notes)
        last = self.last_card(state, table)
        return Played(self.scored(self.series_over(state, table), last), (*awards, *last), notes)

    def _peg(self, state: R, move: Move) -> Played[R]:
        """Points entered directly, with an optional reason."""
        seat, (points,) = move.player, move.numbers
        if len(move.words) > 1:
            raise IllegalMove("syntax", text=" ".join(move.words), why="too-much", at=move.words[1])
        why = move.words[0] if move.words else None
        deal = state.deal
        kinds = (why,) if why else self.why if deal is None else self.kinds(deal)
        if points and not any(points in self.possible(state, deal, seat, kind) for kind in kinds):
            raise IllegalMove("impossible-points", seat=seat, points=points, why=why)
        if deal is not None and why is None:
            state = self._pegged_silently(state, deal, seat, points)
        elif deal is not None and why == "heels":
            if deal.at != "starter" or deal.heels:
                raise IllegalMove("out-of-order", what=why, phase=deal.at)
            state = replace(state, deal=replace(deal, pegged=True, heels=points > 0))
        elif deal is not None and why is not None:
            state = self.pegged(state, replace(deal, pegged=True), seat, points, why)
        awards = (Award(seat, points, "told"),) if points else ()
        return Played(self.scored(state, awards), awards)

    def _pegged_silently(self, state: R, deal: Any, seat: int, points: int) -> R:
        if not points:
            return state
        deal = replace(deal, pegged=True)
        hand = self.hand_due(state, deal, seat) and points in self.hand_points(state, deal, seat)
        if hand:
            return self.hand_called(state, self.hand_pegged(deal, seat, points))
        return replace(state, deal=deal)

    def possible(self, state: R, deal: Any, seat: int, why: str) -> frozenset[int]:
        """The points that a seat can have earned for this reason, given the known cards."""
        if why == "heels":
            dealer = None if deal is None else state.sheet.dealer
            return frozenset({self.heels[0]}) if dealer in (None, seat) else frozenset()
        if why == "hand":
            return self.hand_points(state, deal, seat)
        if deal is None or not deal.playing:
            return frozenset({1} if why == "go" else range(1, self.most_played + 1))
        if why == "go":
            return frozenset({1} if self.go_possible(state, deal, seat) else ())
        return self._next_card(state, deal.table, seat)

    def _next_card(self, state: R, table: Table, seat: int) -> frozenset[int]:
        """What one card of a seat can earn at this count, including last card of a series."""
        found = {1} if table.total > MUST_PLAY and table.last == seat else set()
        left = sum(HAND - len(played) for played in table.played)
        scores = self.scores(state)
        for card in table.playable(seat) if table.holds(seat) else ():
            total = table.total + VALUE[card.rank]
            items = scores.items((*table.series, card), total)
            points = sum(item.points for item in items)
            found.add(points)
            if self.extra_last(state, total) and (left == 1 or total > MUST_PLAY):
                found.add(points + 1)
        return frozenset(found)

    def after_line(self, before: R, move: Move, played: Played[R]) -> Played[R]:
        if move.verb not in ("adjust", "misdeal"):
            return played
        return played._replace(state=_settled(played.state))


def _settled(state: R) -> R:
    """The state with its winner after scores were corrected: the side that reached the target and
    is still at or above it."""
    scores, winner = state.scores, state.winner
    if winner and scores[winner - 1] >= state.target:
        return state
    best = max(scores)
    return replace(state, winner=scores.index(best) + 1 if best >= state.target else 0)


def starter_asks(deal: RaceDeal, ranks: frozenset[Rank]) -> tuple[Ask, ...]:
    """The starter, one of these ranks if points were entered for it, and cards of hands."""
    table = deal.table
    unseen = turned = table.unseen
    if deal.heels:
        turned = tuple(card for card in unseen if card.rank in ranks)
    asks = [Ask("starter", "cards", Move("starter"), "hands", 1, 1, ranks=True, cards=turned)]
    for seat in range(1, table.seats + 1):
        room = HAND - len(table.hands[seat - 1])
        if room:
            asks.append(Ask("hand", "cards", Move("hand", seat), "cards", 1, room, cards=unseen))
    return tuple(asks)
