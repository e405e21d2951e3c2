"""Games whose deals are played to 31. A side wins as soon as it reaches the target.

Each game defines the scores for cards and hands, the order of the phases, and the points for the
starter. Sources: docs/rules/cribbage.md, docs/rules/noddy.md, docs/rules/costly-colours.md.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from typing import ClassVar, Final, Generic, NamedTuple, TypeVar

from boardctl.games import (
    Ask,
    Award,
    IllegalMove,
    Margin,
    Move,
    Note,
    Outcome,
    Played,
    Prompt,
    Setup,
    Situation,
    new,
    put,
)
from boardctl.games.cards import Card, Rank
from boardctl.games.common import known_cards, referee, suits, to_31
from boardctl.games.common.known_cards import Cards, DealExtra, Phase, RaceDeal
from boardctl.games.common.referee import (
    Referee,
    ScoreSheet,
    between_deals,
    counted,
    open_score_sheet,
    to_go,
    undecided,
    won,
)
from boardctl.games.common.suits import Question, Reading
from boardctl.games.common.to_31 import MUST_PLAY, THIRTY_ONE, Item, PlayScores, card_asks

BEFORE_STARTER: Final = ("discard", "starter")
"""The phases of a deal before the starter is turned up."""


Worths = Mapping[str, frozenset[int]]
GameExtra = TypeVar("GameExtra")


class RaceState(NamedTuple, Generic[GameExtra, DealExtra]):
    """The state of a game."""

    sheet: ScoreSheet
    target: int
    """The winning score."""
    extra: GameExtra
    """The additional fields of one game."""
    deal: RaceDeal[DealExtra] | None = None
    """The current deal, or None. A game may keep a finished deal, in the phase `done`, until the
    next deal begins."""
    base: tuple[int, ...] = ()
    """The scores at the beginning of the deal, with later corrections."""
    winner: int = 0
    """The side that has won, or 0 if no side has won yet."""

    @property
    def setup(self) -> Setup:
        return self.sheet.setup

    def option(self, name: str) -> str:
        """Return the value of an option at this table."""
        return self.sheet.setup.options[name]

    def has_option(self, name: str) -> bool:
        """Return whether an on/off option is on. Return False if the game does not offer it."""
        return self.sheet.setup.options.get(name) == "on"

    @property
    def order(self) -> tuple[int, ...]:
        """The seats in order, from eldest hand to the dealer."""
        return clockwise(len(self.sheet.setup.seats), self.sheet.dealer or 1)


@cache
def clockwise(seats: int, dealer: int) -> tuple[int, ...]:
    """Return the seats clockwise, from the dealer's left to the dealer."""
    return tuple((dealer + n) % seats + 1 for n in range(seats))


def over(state: RaceState[GameExtra, DealExtra]) -> bool:
    """Return whether a side has won or the game has been given up."""
    sheet = state.sheet
    return state.winner != 0 or sheet.resigned is not None or sheet.abandoned


class RaceReferee(
    Referee[RaceState[GameExtra, DealExtra], RaceDeal[DealExtra]],
    Generic[GameExtra, DealExtra, Reading],
):
    """A referee for games whose deals are played to 31."""

    limit = THIRTY_ONE

    # Attributes and methods that each game defines

    keep: int = 3
    """The number of cards of a hand that are played and counted."""
    extra: GameExtra
    """The initial value of the state's additional fields."""
    deal_extra: DealExtra
    """The initial value of the deal's additional fields."""
    worths: Worths
    """For each reason, the points that may be entered regardless of the cards."""
    heels: ClassVar[frozenset[Rank]]
    """The ranks of starters that earn the dealer points."""

    phases: ClassVar[tuple[Phase, ...]]
    """The phases of a deal, in order."""

    own_go: ClassVar[bool] = False
    """Whether a seat whose hand is known must say its own go before it leads the next series."""

    @abstractmethod
    def scores(self, state: RaceState[GameExtra, DealExtra]) -> PlayScores:
        """Return the scores for a card of the play."""

    @abstractmethod
    def readings(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra],
        seat: int,
        cards: Cards,
    ) -> Iterable[Reading]:
        """Return the possible readings of the suits in a whole hand and its starter."""

    @abstractmethod
    def items(
        self, state: RaceState[GameExtra, DealExtra], cards: Cards, starter: Card, reading: Reading
    ) -> tuple[Item, ...]:
        """Return the combinations in a whole hand, for one reading of its suits."""

    def questions(self, state: RaceState[GameExtra, DealExtra]) -> tuple[Question[Reading], ...]:
        """Return the questions that `hand_items` may ask about the suits in a hand."""
        return ()

    @abstractmethod
    def in_play(self, state: RaceState[GameExtra, DealExtra], move: Move) -> RaceDeal[DealExtra]:
        """Return the deal if a card may be played or “go” said. Raises IllegalMove otherwise."""

    @abstractmethod
    def more_series(self, state: RaceState[GameExtra, DealExtra]) -> bool:
        """Return whether another series may follow."""

    def first_go_ends(self, state: RaceState[GameExtra, DealExtra]) -> bool:
        """Return whether the first go ends the series."""
        return False

    def let_on(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra]
    ) -> tuple[Award, ...]:
        """Return the award for the seat that continues to play after a go. `deal` is the deal
        before the go."""
        return ()

    def disputed(self, state: RaceState[GameExtra, DealExtra]) -> int:
        """Return the side that has reached the target but may still lose points, or 0 if there is
        no such side."""
        return 0

    def margins(self, state: RaceState[GameExtra, DealExtra]) -> dict[Margin, float]:
        """Return the winning margins. A loser below half the target is skunked."""
        return {"skunk": (state.target + 1) // 2} if state.has_option("skunk") else {}

    # The state and its winner.

    def begin(self, setup: Setup) -> RaceState[GameExtra, DealExtra]:
        target = int(setup.options["target"])
        return RaceState(open_score_sheet(setup), target, self.extra)

    def cut_strength(self, state: RaceState[GameExtra, DealExtra], rank: Rank) -> int:
        """Return the sort key of a cut. The player with the lowest card deals."""
        return -rank

    def hand_order(self, card: Card) -> tuple[int, ...]:
        """Return the sort key of a card in a hand: by rank, lowest first."""
        return card.rank or 0, card.suit or 0

    def new_deal(self, state: RaceState[GameExtra, DealExtra]) -> RaceDeal[DealExtra]:
        return known_cards.fresh_deal(
            len(state.setup.seats), self.phases[0], self.keep, self.deal_extra
        )

    def begun(self, state: RaceState[GameExtra, DealExtra]) -> bool:
        deal = state.deal
        return deal is not None and (deal.begun or deal.pegged)

    def is_fresh(self, state: RaceState[GameExtra, DealExtra]) -> bool:
        deal = state.deal
        return deal is not None and super().is_fresh(state) and not (deal.pegged or deal.counted)

    def dealing(self, state: RaceState[GameExtra, DealExtra]) -> bool:
        return state.deal is not None and state.deal.phase != "done"

    def peg(
        self,
        state: RaceState[GameExtra, DealExtra],
        awards: tuple[Award, ...],
        deal: RaceDeal[DealExtra] | None,
        extra: GameExtra | None = None,
    ) -> RaceState[GameExtra, DealExtra]:
        """Return the state after a line that led to this deal and earned awards. `extra` gives new
        values to the game's own fields."""
        sheet, target, before, _, base, winner = state
        if awards:
            sheet = referee.earn(sheet, awards)
        fields = (sheet, target, extra or before, deal, base, winner)
        after: RaceState[GameExtra, DealExtra] = new(RaceState, fields)
        if winner or (awards and max(sheet.scores) >= target):
            return self.settled(after)
        return after

    def scored(
        self, state: RaceState[GameExtra, DealExtra], awards: tuple[Award, ...]
    ) -> RaceState[GameExtra, DealExtra]:
        return self.peg(state, awards, state.deal)

    def with_deal(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra] | None
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        return Played(self.peg(state, (), deal))

    def settled(self, state: RaceState[GameExtra, DealExtra]) -> RaceState[GameExtra, DealExtra]:
        """Return the state with its winner, the side whose score has reached the target. Nobody
        wins while the win may still be disputed."""
        scores, target = state.sheet.scores, state.target
        if state.winner and scores[state.winner - 1] >= target:
            return state
        reached = [side for side, points in enumerate(scores, 1) if points >= target]
        winner = max(reached, key=lambda side: scores[side - 1], default=0)
        state = state._replace(winner=0)
        return state if self.disputed(state) else state._replace(winner=winner)

    def won(self, state: RaceState[GameExtra, DealExtra], awards: tuple[Award, ...]) -> bool:
        """Return whether a side reaches the target with these awards. Awards after that point do
        not count."""
        return bool(awards) and max(referee.earn(state.sheet, awards).scores) >= state.target

    def earned(
        self,
        state: RaceState[GameExtra, DealExtra],
        move: Move,
        deal: RaceDeal[DealExtra] | None,
        awards: tuple[Award, ...] = (),
        notes: tuple[Note, ...] = (),
        last: tuple[Award, ...] = (),
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        """Return the result of a line that leads to this deal and earns these awards. `last`, the
        award for last card, is a separate scoring event."""
        after = self.peg(state, awards, deal)
        return Played(self.scored(after, last) if last else after, (*awards, *last), notes)

    def decided(self, state: RaceState[GameExtra, DealExtra]) -> Outcome:
        """Return the outcome. A side wins as soon as it reaches the target."""
        scores, winner = state.sheet.scores, state.winner
        return won(scores, winner, self.margins(state)) if winner else undecided(scores)

    def after_line(
        self,
        before: RaceState[GameExtra, DealExtra],
        move: Move,
        played: Played[RaceState[GameExtra, DealExtra]],
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        if move.verb not in ("adjust", "misdeal"):
            return played
        return played._replace(state=self.settled(played.state))

    # Expected entries and displays.

    def prompt(self, state: RaceState[GameExtra, DealExtra]) -> Prompt:
        """Return the possible entries. Points may be entered until the game is over."""
        if over(state):
            return Prompt()
        seats, deal = tuple(range(1, len(state.sheet.setup.seats) + 1)), state.deal
        if deal is None or not self.dealing(state):
            return Prompt(between_deals(state.sheet), seats)
        if deal.phase in BEFORE_STARTER:
            return Prompt(starter_asks(deal, self.heels), seats)
        return Prompt(self.asks(state, deal), seats)

    def turn(self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra]) -> int | None:
        """Return the seat that must act in a deal outside the play phase, or None."""
        return state.order[deal.counted] if deal.phase == "show" else None

    def asks(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra]
    ) -> tuple[Ask, ...]:
        """Return the entries for a deal after its starter, most usual first."""
        asks = card_asks(deal)
        if deal.phase == "show" or deal.loose:
            asks += self.show_asks(state, deal, state.order[deal.counted])
        return asks

    def situation(self, state: RaceState[GameExtra, DealExtra]) -> Situation:
        deal, dealer = state.deal, state.sheet.dealer
        if over(state):
            return Situation("over", dealer=dealer)
        if deal is None or deal.phase == "done":
            if dealer is None:
                return Situation("cut", turn=state.sheet.to_cut[0])
            return Situation("deal", dealer=dealer)
        phase = deal.phase
        if phase == "play":
            count = None if deal.by_points else deal.total
            return Situation(phase, deal.to_play or None, dealer, count)
        return Situation(phase, self.turn(state, deal), dealer)

    def holes(self, state: RaceState[GameExtra, DealExtra]) -> tuple[int, int]:
        return 1, state.target

    def readouts(self, state: RaceState[GameExtra, DealExtra]) -> tuple[Note, ...]:
        """Return the readouts: the count, and the points that each side still needs."""
        now = self.situation(state)
        if now.phase == "over":
            return ()
        count = () if now.count is None else (Note("count", {"count": now.count}),)
        return (*count, *to_go(state.sheet.scores, state.target))

    # From phase to phase.

    def after(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra],
        phase: Phase,
        counted: int | None = None,
    ) -> RaceDeal[DealExtra] | None:
        """Return the deal in the phase after the given one, or None if the deal is over. Eldest
        hand leads.

        Args:
            state: the state of the game.
            deal: the deal.
            phase: the phase that has ended.
            counted: the number of hands counted so far, or None if it has not changed.
        """
        following = self.phases[self.phases.index(phase) + 1 :]
        if not following:
            return None
        leader = state.order[0] if following[0] == "play" else 0
        return to_31.end_series(deal, leader, following[0], counted)

    def check_deal(
        self, state: RaceState[GameExtra, DealExtra]
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        deal = state.deal
        begun = self.dealing(state) and self.begun(state)
        if deal is not None and begun and (deal.playing or not deal.pegged):
            raise IllegalMove("deal-unfinished", phase=deal.phase)
        return Played(state)

    def before_starter(
        self, state: RaceState[GameExtra, DealExtra], verb: str
    ) -> RaceDeal[DealExtra]:
        """Return the current deal if its starter has not been turned up. Raises IllegalMove
        `no-deal` or `too-late`."""
        deal = self.current_deal(state, verb)
        if deal.phase not in BEFORE_STARTER:
            why = "turned" if verb == "starter" else "starter"
            raise IllegalMove("too-late", what=verb, why=why)
        return deal

    def _hand(
        self, state: RaceState[GameExtra, DealExtra], move: Move
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        """Enter cards dealt to a seat, in any number of lines: `N hand CARD…`."""
        deal = self.before_starter(state, move.verb)
        return self.with_deal(state, known_cards.enter_hand(deal, move.player, move.cards))

    def _starter(
        self, state: RaceState[GameExtra, DealExtra], move: Move
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        """Turn up the starter, which may earn the dealer points at once: `starter CARD`."""
        deal, (card,) = self.before_starter(state, "starter"), move.cards
        if deal.heels and card.rank is not None and card.rank not in self.heels:
            raise IllegalMove("contradicts", seat=None, cards=move.cards, known=("heels",))
        after = self.after(state, known_cards.turn(deal, card), "starter")
        awards: tuple[Award, ...] = ()
        if card.rank in self.heels and not deal.heels:
            assert state.sheet.dealer is not None
            (points,) = self.worths["heels"]
            awards = (Award(state.sheet.dealer, points, "heels", move.cards),)
        return self.earned(state, move, after, awards)

    # The play.

    def _play(
        self, state: RaceState[GameExtra, DealExtra], move: Move
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        """Play a card: `N play CARD`. The line may imply gos by other players. If these gos end the
        series, the card leads the next one."""
        before, seat, (card,) = self.in_play(state, move), move.player, move.cards
        deal = before
        awards: tuple[Award, ...] = ()
        if seat != before.to_play or before.total > MUST_PLAY or card.rank is None:
            more = self.more_series(state)
            deal, ended = to_31.make_way(before, seat, card, more_series=more, own_go=self.own_go)
            if ended:
                awards = self.unsaid(state, before)
            elif deal.passed != before.passed:
                if self.first_go_ends(state):
                    raise IllegalMove("not-your-turn", seat=seat, turn=before.to_play)
                awards = self.let_on(state, before)
        deal, card, belied = to_31.lay(deal, seat, card)
        items = self.scores(state).items(deal.series, deal.total)
        if items:
            awards += to_31.awarded(seat, items)
        notes: tuple[Note, ...] = ()
        said = deal.entered_points[seat - 1]
        if belied or (said is not None and said not in self.hand_points(state, deal, seat)):
            notes = (Note("impossible-with-known-cards", {"seat": seat, "card": card}),)
        return self.played(state, move, deal, awards, notes)

    def _go(
        self, state: RaceState[GameExtra, DealExtra], move: Move
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        """Say go: `N go`. The line implies gos for the seats whose turns come earlier."""
        deal, seat = self.in_play(state, move), move.player
        after = to_31.go(deal, seat)
        if after is deal:
            return self.earned(state, move, deal)
        if self.first_go_ends(state):
            after = after._replace(to_play=0)
        return self.played(state, move, after, self.let_on(state, deal))

    def played(
        self,
        state: RaceState[GameExtra, DealExtra],
        move: Move,
        deal: RaceDeal[DealExtra],
        awards: tuple[Award, ...],
        notes: tuple[Note, ...] = (),
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        """Return the result of a line in the play. If the line ends a series, the award for last
        card is added, unless the game has already been won."""
        if deal.to_play:
            return self.earned(state, move, deal, awards, notes)
        last = () if self.won(state, awards) else self.last_card(state, deal)
        return self.earned(state, move, self.series_over(state, deal), awards, notes, last)

    def series_over(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra]
    ) -> RaceDeal[DealExtra] | None:
        """Return the deal at the start of the series or phase that follows a series, or None if the
        deal is over."""
        leader = to_31.leader(deal) if self.more_series(state) else 0
        return to_31.end_series(deal, leader) if leader else self.after(state, deal, "play")

    def last_card(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra]
    ) -> tuple[Award, ...]:
        """Return the point for the last card of a series below 31."""
        if deal.total == THIRTY_ONE:
            return ()
        return (Award(deal.last, 1, "last-card", deal.series[-1:]),)

    def play_ended(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra]
    ) -> RaceDeal[DealExtra] | None:
        """Return the deal after unsaid gos have ended its series, or None if known cards rule these
        gos out."""
        if self.first_go_ends(state):
            return to_31.passing(deal, (deal.to_play,))
        return to_31.everybody_passed(deal)

    def unsaid(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra]
    ) -> tuple[Award, ...]:
        """Return the awards for a series that ends with unsaid gos.

        Raises:
            IllegalMove: `go-unsaid` if these points would win the game.
        """
        awards = (*self.let_on(state, deal), *self.last_card(state, deal))
        if not state.winner and self.won(state, awards):
            raise IllegalMove("go-unsaid", seat=deal.to_play, last=deal.last)
        return awards

    # The show.

    def cards_to_count(self, deal: RaceDeal[DealExtra], seat: int) -> Cards:
        """Return the known cards of a hand to be counted."""
        return deal.known_hand(seat)

    def hand_to_count(
        self, deal: RaceDeal[DealExtra], seat: int, entered: Cards
    ) -> tuple[RaceDeal[DealExtra], Cards]:
        """Return the updated deal, and the cards of a hand to be counted. `entered` contains all
        cards of the hand, only its unknown cards, or no cards.

        Raises:
            IllegalMove: a code of `known_cards.complete` or `known_cards.check`.
        """
        cards = known_cards.complete(self.cards_to_count(deal, seat), entered, self.keep, seat)
        deal = deal._replace(hands=put(deal.hands, seat, cards))
        known_cards.check(deal)
        return deal, cards

    def _show(
        self, state: RaceState[GameExtra, DealExtra], move: Move
    ) -> Played[RaceState[GameExtra, DealExtra]]:
        """Count a hand: `N show [CARD…] [SUITS]`."""
        seat = move.player
        deal, awards = self.ready_to_show(state, self.current_deal(state, "show"), seat)
        deal, cards = self.hand_to_count(deal, seat, move.cards)
        awards += to_31.awarded(seat, self.hand_items(state, deal, seat, cards, move.words))
        return self.earned(state, move, self.hand_called(state, deal, seat), awards)

    def ready_to_show(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra], seat: int
    ) -> tuple[RaceDeal[DealExtra], tuple[Award, ...]]:
        """Close the play, with any implied gos, so that a seat may count its hand. Return the new
        deal and the awards earned by closing the play.

        Raises:
            IllegalMove: `starter-missing`, `play-unfinished` if cards must still be played,
                `go-unsaid`, or a code of `check_turn_to_show`.
        """
        awards: tuple[Award, ...] = ()
        if deal.starter is None:
            raise IllegalMove("starter-missing")
        if deal.phase not in ("show", "crib") and not deal.loose:
            ended, more = None, self.more_series(state) and to_31.leader(deal)
            if deal.phase == "play" and deal.series and not more:
                ended = self.play_ended(state, deal)
            if ended is None:
                raise IllegalMove("play-unfinished", turn=deal.to_play or None, count=deal.total)
            awards = self.unsaid(state, deal)
            after = self.series_over(state, ended)
            assert after is not None, "hands are counted after the play"
            deal = after
        self.check_turn_to_show(state, deal, seat, "show")
        return deal, awards

    def check_turn_to_show(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra],
        seat: int,
        what: str,
    ) -> None:
        """Check that hands are counted in order, from eldest hand to the dealer."""
        expected = state.order[deal.counted]
        if seat != expected:
            raise IllegalMove(
                "out-of-order", what=what, phase=deal.phase, why="hand", seat=expected
            )

    def hand_called(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra], seat: int
    ) -> RaceDeal[DealExtra] | None:
        """Return the deal after a seat's hand has been counted, or None if the deal is over."""
        counted = state.order.index(seat) + 1
        if counted < deal.seats:
            return to_31.end_series(deal, 0, "show", counted)
        return self.after(state, deal, "show", counted)

    def hand_items(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra],
        seat: int,
        cards: Cards,
        words: tuple[str, ...],
    ) -> tuple[Item, ...]:
        """Return the combinations in a whole hand. `words` are the answers that were entered about
        its suits.

        Raises:
            IllegalMove: a code of `suits.resolve`.
        """
        assert deal.starter is not None
        readings, asked = self.readings(state, deal, seat, cards), self.questions(state)
        reading = suits.resolve(readings, words, asked, (*cards, deal.starter))
        return self.items(state, cards, deal.starter, reading)

    def visible_lines(
        self,
        before: RaceState[GameExtra, DealExtra],
        move: Move,
        later: Sequence[Move],
        seat: int | None,
    ) -> tuple[Move, ...]:
        """Return the lines that a viewer sees. A shown hand includes all its cards."""
        if not self.opens(move) or before.deal is None or move.seat is None:
            return super().visible_lines(before, move, later, seat)
        return (move._replace(cards=self.hand_to_count(before.deal, move.seat, move.cards)[1]),)

    def show_asks(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra], seat: int
    ) -> tuple[Ask, ...]:
        """Return the entry for a hand to be counted. Without a starter, only the points of the hand
        can be entered."""
        if deal.starter is None:
            return ()
        known = self.cards_to_count(deal, seat)
        own = () if len(known) > len(deal.played[seat - 1]) else deal.certain(seat)
        cards = (*own, *(deal.unseen if deal.room(seat) else ()))
        return counted("show", Move("show", seat), deal.keep - len(known), cards)

    def worth(self, state: RaceState[GameExtra, DealExtra], why: str) -> frozenset[int]:
        """Return the points that may be entered for this reason, whatever the cards, or an empty
        set if the game does not use the reason."""
        return self.worths.get(why, frozenset())

    def hand_points(
        self, state: RaceState[GameExtra, DealExtra], deal: RaceDeal[DealExtra] | None, seat: int
    ) -> frozenset[int]:
        """Return the possible points of a hand, given its known cards. `deal` is None if there is
        no deal."""
        cards = () if deal is None else self.cards_to_count(deal, seat)
        if deal is None or deal.starter is None or len(cards) < deal.keep:
            return self.worth(state, "hand")
        return frozenset(
            sum(item.points for item in self.items(state, cards, deal.starter, reading))
            for reading in self.possible_readings(state, deal, seat, cards)
        )

    def possible_readings(
        self,
        state: RaceState[GameExtra, DealExtra],
        deal: RaceDeal[DealExtra],
        seat: int,
        cards: Cards,
    ) -> Iterable[Reading]:
        """Return the possible readings of the suits in a hand whose points are entered."""
        return self.readings(state, deal, seat, cards)


def starter_asks(deal: RaceDeal[DealExtra], ranks: frozenset[Rank]) -> tuple[Ask, ...]:
    """Return the entries for the starter and for the cards in the hands. If points were entered for
    the starter, only the ranks that earn these points are offered. Players whose hands are fully
    known must discard before the starter is turned up."""
    discards = deal.size - deal.keep
    unseen = turned = deal.unseen
    if deal.heels:
        turned = tuple(card for card in unseen if card.rank in ranks)
    asks = [Ask("starter", "cards", Move("starter"), "hands", 1, 1, ranks=True, cards=turned)]
    first: list[Ask] = []
    for seat in range(1, deal.seats + 1):
        entered, room = len(deal.hands[seat - 1]), deal.room(seat)
        if discards and not deal.discarded[seat - 1]:
            cards = (*deal.certain(seat), *(unseen if room >= discards else ()))
            away = Move("discard", seat)
            (first if entered == deal.size else asks).append(
                Ask("discard", "cards", away, "cards", discards, discards, ranks=True, cards=cards)
            )
        missing = min(room, deal.size - entered)
        if missing > 0:
            asks.append(Ask("hand", "cards", Move("hand", seat), "cards", 1, missing, cards=unseen))
    return (*first, *asks)
