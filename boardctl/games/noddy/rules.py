"""The phases of Noddy: cut, deal, starter, show, play. Source: docs/rules/noddy.md."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from boardctl.games import (
    MANY,
    Award,
    IllegalMove,
    Move,
    Note,
    Option,
    Played,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
    Verb,
    because,
    table_rules,
)
from boardctl.games.cards import UNSEEN, Card, Rank
from boardctl.games.common import known_cards, suits, to_31
from boardctl.games.common.known_cards import Cards
from boardctl.games.common.race import RaceReferee
from boardctl.games.common.referee import Step
from boardctl.games.common.to_31 import MUST_PLAY, THIRTY_ONE
from boardctl.games.noddy import display, pegging, prompts, show
from boardctl.games.noddy.state import HAND, Deal, State

WHY: Final = ("heels", "hand", "play", "go")
HEELS: Final = 2
MOST_PLAYED: Final = 20
"""The most that a card of the play can earn."""


class Noddy(RaceReferee[State]):
    """Noddy for two, or for four as partners."""

    name = "noddy"
    source = "named by Akagiri, “Cribbage”; rules after Holme (1688), Parlett and others"
    seats = (2, 4)
    options = (
        Option("target", "31", ("15", "21", "31", "61")),
        Option("points", "two", ("two", "per_card")),
        Option("flush_hand", "any_three", ("any_three", "hand_only")),
        Option("flush_play", "on", ("on", "off")),
        Option("go", "play_on", ("play_on", "ends_play")),
        Option("skunk", "off", ("off", "on")),
        table_rules.NEXT_GAME_DEALER,
    )
    verbs = (
        Verb("hand", cards=(1, MANY), secret=True),
        Verb("starter", seated=False, cards=(1, 1)),
        Verb("show", cards=(0, MANY), words=show.WORDS, opens=True),
        Verb("play", cards=(1, 1)),
        Verb("go"),
        Verb("peg", numbers=(1, 1), words=WHY),
    )

    @property
    def steps(self) -> Mapping[tuple[str, bool], Step[State]]:
        return {
            ("hand", True): self._hand,
            ("starter", False): self._starter,
            ("show", True): self._show,
            ("play", True): self._play,
            ("go", True): self._go,
            ("peg", True): self._peg,
        }

    def begin(self, setup: Setup) -> State:
        return State(table_rules.open_score_sheet(setup))

    def cut_strength(self, state: State, rank: Rank) -> int:
        return -rank  # the lowest deals (2.1)

    def new_deal(self, state: State) -> Deal:
        seats = len(state.setup.seats)
        return Deal(to_31.opened(seats, HAND), told=(None,) * seats)

    def prompt(self, state: State) -> Prompt:
        return prompts.prompt(state)

    def situation(self, state: State) -> Situation:
        return display.situation(state)

    def scoreboard(self, state: State) -> Scoreboard:
        return display.scoreboard(state)

    def seen(
        self, before: State, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        """A hand that is shown, with every card of it."""
        if not self.opens(move) or before.deal is None or move.seat is None:
            return super().seen(before, move, later, seat)
        known = before.deal.table.hands[move.seat - 1]
        return (move._replace(cards=known_cards.complete(known, move.cards, HAND, move.seat)),)

    def check_deal(self, state: State) -> Played[State]:
        """Finish the last deal, with implied gos if need be (6.6)."""
        deal = state.deal
        if deal is None or not deal.begun or (deal.pegged and not deal.playing):
            return Played(state)
        if deal.playing:
            ended = self._play_ended(state, deal.table)
            if ended is not None:
                awards = self._last_card(state, ended)
                if awards and state.scores[_side(state, awards[0].seat) - 1] + 1 >= state.target:
                    raise IllegalMove("go-unsaid", seat=deal.table.due, last=deal.table.last)
                return Played(self.scored(replace(state, deal=None), awards), awards)
        raise IllegalMove("deal-unfinished", phase=deal.phase)

    def _play_ended(self, state: State, table: to_31.Table) -> to_31.Table | None:
        """The table with its play ended by gos that nobody said, by option the first of them alone
        (4.4); None if a known card rules them out."""
        if state.option("go") == "ends_play":
            return to_31.passing(table, (table.due,))
        return to_31.everybody_passed(table)

    def _last_card(self, state: State, table: to_31.Table) -> tuple[Award, ...]:
        """One for the last card of a series below 31 (4.5)."""
        if table.total == THIRTY_ONE:
            return ()
        return (Award(table.last, 1, "last-card", table.series[-1:]),)

    def _on(self, state: State, verb: str) -> Deal:
        deal: Deal = self.on(state, verb)
        return deal

    def _starter(self, state: State, move: Move) -> Played[State]:
        """The turned-up card; a jack scores 2 for the dealer at once (2.3)."""
        deal = self._on(state, "starter")
        if deal.phase != "starter":
            raise IllegalMove("too-late", what="starter", why="turned")
        (card,) = move.cards
        table = to_31.turn(deal.table, card)
        if deal.heels and card.rank is not Rank.JACK:
            raise IllegalMove("contradicts", seat=None, cards=move.cards, known=("heels",))
        after = replace(state, deal=replace(deal, table=table, starter=card))
        if card.rank is not Rank.JACK or deal.heels:
            return Played(after)
        assert state.sheet.dealer is not None
        awards = (Award(state.sheet.dealer, HEELS, "heels", move.cards),)
        return Played(self.scored(after, awards), awards)

    def _show(self, state: State, move: Move) -> Played[State]:
        deal, seat = self._on(state, "show"), move.seat
        assert seat is not None
        self._check_turn_to_show(state, deal, seat, "show")
        if deal.starter is None:
            raise IllegalMove("starter-missing")
        cards = known_cards.complete(deal.table.hands[seat - 1], move.cards, HAND, seat)
        table = replace(deal.table, hands=to_31.put(deal.table.hands, seat, cards))
        to_31.check(table)
        readings = show.readings(cards, deal.starter, any_three=any_three(state))
        reading = suits.resolve(readings, move.words, show.QUESTIONS, (*cards, deal.starter))
        items = show.count(cards, deal.starter, reading, per_card=per_card(state))
        awards = tuple(Award(seat, points, reason, some) for reason, some, points in items)
        after = self._called(state, replace(deal, table=table))
        return Played(self.scored(after, awards), awards)

    def _check_turn_to_show(self, state: State, deal: Deal, seat: int, what: str) -> None:
        """Check that hands are called in order, from eldest to the dealer (3.1)."""
        order = state.order()
        if deal.by_points or deal.called == len(order):
            raise IllegalMove("out-of-order", what=what, phase=deal.phase)
        due = order[deal.called]
        if seat != due:
            raise IllegalMove("out-of-order", what=what, phase=deal.phase, why="hand", seat=due)

    def _called(self, state: State, deal: Deal) -> State:
        """Move on after a counted hand: the next hand is due, or eldest leads."""
        called = deal.called + 1
        table = deal.table
        if called == table.seats:
            table = replace(table, due=state.order()[0])
        return replace(state, deal=replace(deal, called=called, table=table))

    def _check_play(self, state: State, verb: str) -> Deal:
        deal = self._on(state, verb)
        if deal.by_points:
            why = "points" if deal.by_points else None
            raise IllegalMove("not-in-play", verb=verb, phase=deal.phase, **because(why))
        if deal.called < deal.table.seats:
            due = state.order()[deal.called]
            raise IllegalMove("show-first", verb=verb, seat=due)
        return deal

    def _play(self, state: State, move: Move) -> Played[State]:
        deal, seat, (card,) = self._check_play(state, "play"), move.seat, move.cards
        assert seat is not None
        table, _ = to_31.make_way(deal.table, seat, card, more_series=False)
        if table.passed and state.option("go") == "ends_play":
            raise IllegalMove("not-your-turn", seat=seat, turn=deal.table.due)
        table, card, belied = to_31.lay(table, seat, card)
        items = pegging.points(
            table.series, per_card=per_card(state), flushes=state.option("flush_play") == "on"
        )
        awards = tuple(Award(seat, points, reason, some) for reason, some, points in items)
        notes: tuple[Note, ...] = (_belies(seat, card),) if belied else ()
        after = self.scored(replace(state, deal=replace(deal, table=table)), awards)
        told = deal.told[seat - 1]
        if told is not None and told not in hand_points(after, table.known(seat), deal.starter):
            notes += (_belies(seat, card),)
        return self._ended_or(after, table, awards, notes)

    def _go(self, state: State, move: Move) -> Played[State]:
        deal, seat = self._check_play(state, "go"), move.seat
        assert seat is not None
        table = to_31.go(deal.table, seat)
        if table.passed and state.option("go") == "ends_play":
            table = replace(table, due=0)
        if table == deal.table:
            return Played(state)
        return self._ended_or(replace(state, deal=replace(deal, table=table)), table, (), ())

    def _ended_or(
        self,
        state: State,
        table: to_31.Table,
        awards: tuple[Award, ...],
        notes: tuple[Note, ...],
    ) -> Played[State]:
        """Continue the play, or end it with its last card: there is one series (4.2)."""
        if table.due or state.winner:
            return Played(state, awards, notes)
        last = self._last_card(state, table)
        return Played(self.scored(replace(state, deal=None), last), (*awards, *last), notes)

    def _peg(self, state: State, move: Move) -> Played[State]:
        """Points entered directly, with an optional reason (6.3, 6.4)."""
        seat, (points,) = move.seat, move.numbers
        assert seat is not None
        if len(move.words) > 1:
            raise IllegalMove("syntax", text=" ".join(move.words), why="too-much", at=move.words[1])
        why = move.words[0] if move.words else None
        deal = state.deal
        if deal is not None and why is None:
            kinds = self._kinds(state, deal, seat)
            if points and not any(points in self._possible(state, deal, seat, k) for k in kinds):
                raise IllegalMove("impossible-points", seat=seat, points=points, why=None)
            state = self._pegged_silently(state, deal, seat, points)
        elif deal is not None and why is not None:
            state = self._pegged(state, deal, seat, points, why)
        elif points and not any(
            points in self._possible(state, None, seat, kind) for kind in ((why,) if why else WHY)
        ):
            raise IllegalMove("impossible-points", seat=seat, points=points, why=why)
        awards = (Award(seat, points, "told"),) if points else ()
        return Played(self.scored(state, awards), awards)

    def _kinds(self, state: State, deal: Deal, seat: int) -> tuple[str, ...]:
        """The possible reasons of points entered without one."""
        if deal.playing or deal.phase == "play":
            return ("play", "go")
        return WHY if deal.phase == "starter" else ("hand", "play", "go")

    def _pegged_silently(self, state: State, deal: Deal, seat: int, points: int) -> State:
        if not points:
            return state
        deal = replace(deal, pegged=True)
        due = deal.phase == "show" and state.order()[deal.called] == seat
        if due and points in self._possible(state, deal, seat, "hand"):
            return self._called(state, _told(deal, seat, points))
        return replace(state, deal=deal)

    def _pegged(self, state: State, deal: Deal, seat: int, points: int, why: str) -> State:
        """The state after points entered with their reason; the order of the deal is enforced."""
        if points and points not in self._possible(state, deal, seat, why):
            raise IllegalMove("impossible-points", seat=seat, points=points, why=why)
        deal = replace(deal, pegged=True)
        if why == "heels":
            if deal.phase != "starter" or deal.heels:
                raise IllegalMove("out-of-order", what=why, phase=deal.phase)
            return replace(state, deal=replace(deal, heels=points > 0))
        if why == "hand":
            self._check_turn_to_show(state, deal, seat, why)
            return self._called(state, _told(deal, seat, points))
        if deal.called < deal.table.seats and not deal.by_points:
            due = state.order()[deal.called]
            raise IllegalMove("show-first", verb=why, seat=due)
        table = replace(deal.table, due=0)
        return replace(state, deal=replace(deal, by_points=True, table=table))

    def _possible(self, state: State, deal: Deal | None, seat: int, why: str) -> frozenset[int]:
        """The points that a seat can have earned for this reason, given the known cards."""
        if why == "heels":
            dealer = state.sheet.dealer if deal is not None else None
            return frozenset({HEELS}) if dealer in (None, seat) else frozenset()
        if why == "hand":
            if deal is not None:
                return hand_points(state, deal.table.known(seat), deal.starter)
            return hand_points(state, (), None)
        if deal is None or not deal.playing:
            return frozenset({1} if why == "go" else range(1, MOST_PLAYED + 1))
        if why == "go":
            over = deal.playing and self._play_ended(state, deal.table) is not None
            return frozenset({1} if over else ())
        return self._next_card(state, deal, seat)

    def _next_card(self, state: State, deal: Deal, seat: int) -> frozenset[int]:
        """What one card of a seat can earn at this count, including last card of the play."""
        table = deal.table
        found = {1} if table.total > MUST_PLAY and table.last == seat else set()
        left = sum(HAND - len(played) for played in table.played)
        for card in table.playable(seat) if table.holds(seat) else ():
            series = (*table.series, card)
            flushes = state.option("flush_play") == "on"
            items = pegging.points(series, per_card=per_card(state), flushes=flushes)
            points, total = sum(item.points for item in items), to_31.count(series)
            found.add(points)
            if total != THIRTY_ONE and (left == 1 or total > MUST_PLAY):
                found.add(points + 1)
        return frozenset(found)


def _side(state: State, seat: int) -> int:
    return state.setup.side(seat)


def _belies(seat: int, card: Card) -> Note:
    return Note("impossible-with-known-cards", {"seat": seat, "card": card})


def _told(deal: Deal, seat: int, points: int) -> Deal:
    told = tuple(points if at == seat else other for at, other in enumerate(deal.told, 1))
    return replace(deal, told=told)


def per_card(state: State) -> bool:
    return state.option("points") == "per_card"


def any_three(state: State) -> bool:
    return state.option("flush_hand") == "any_three"


def hand_points(state: State, cards: Cards, starter: Card | None) -> frozenset[int]:
    """What a hand may be worth, given its known cards; if a card is unknown, every possible value
    of a hand (6.8)."""
    if len(cards) < HAND or starter is None or starter == UNSEEN:
        return show.PER_CARD if per_card(state) else show.HAND
    return frozenset(
        sum(item.points for item in show.count(cards, starter, r, per_card=per_card(state)))
        for r in show.readings(cards, starter, any_three=any_three(state))
    )
