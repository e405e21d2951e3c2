"""The phases of Noddy: cut, deal, starter, show and play. Source: docs/rules/noddy.md."""

from __future__ import annotations

from typing import Final

from boardctl.games import (
    MANY,
    Ask,
    Award,
    IllegalMove,
    Kind,
    Move,
    NamedTable,
    Option,
    Played,
    Verb,
)
from boardctl.games.cards import Card, Rank
from boardctl.games.common.known_cards import Cards, RaceDeal
from boardctl.games.common.race import RaceState
from boardctl.games.common.race_points import PointsReferee
from boardctl.games.common.referee import NEXT_GAME_DEALER, between_deals
from boardctl.games.common.suits import Question
from boardctl.games.common.to_31 import ALIKE, FIFTEEN, THIRTY_ONE, Item, PlayScores, card_asks
from boardctl.games.noddy import show

COUNTS: Final = {FIFTEEN: "fifteen", THIRTY_ONE: "thirty-one"}
WORTHS: Final = {
    "heels": frozenset({2}),
    "hand": show.HAND,
    "play": frozenset(range(1, 21)),
    "go": frozenset({1}),
}


Deal = RaceDeal[None]
State = RaceState[None, None]


class Noddy(PointsReferee[None, None, show.Reading]):
    """Noddy for two players, or for four as partners."""

    extra = None
    deal_extra = None
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
        NEXT_GAME_DEALER,
    )
    tables = (
        NamedTable(
            "st-ives",
            {"points": "two", "flush_hand": "any_three", "flush_play": "on", "go": "ends_play"},
            "Guilde of St Ives, Noddy",
        ),
        NamedTable(
            "groves",
            {"points": "per_card", "flush_hand": "hand_only", "flush_play": "on", "go": "play_on"},
            "Jonny Groves, Four-Card Noddy (pagat.com)",
        ),
    )
    phases = ("starter", "show", "play")
    heels = frozenset({Rank.JACK})
    worths = WORTHS
    verbs = (
        Verb("hand", cards=(1, MANY), secret=True, kind=Kind.HAND),
        Verb("starter", seated=False, cards=(1, 1), kind=Kind.STARTER),
        Verb("show", cards=(0, MANY), words=show.WORDS, opens=True, kind=Kind.COUNT),
        Verb("play", cards=(1, 1), kind=Kind.PLAY),
        Verb("go", kind=Kind.PLAY),
        Verb("peg", numbers=(1, 1), words=tuple(WORTHS), kind=Kind.POINTS),
    )

    def asks(self, state: State, deal: Deal) -> tuple[Ask, ...]:
        if deal.by_points:
            return between_deals(state.sheet)
        if deal.phase == "show":
            return self.show_asks(state, deal, state.order[deal.counted])
        play = card_asks(deal)
        if deal.playing:
            return play
        return play + (between_deals(state.sheet) if deal.pegged else (_last_card(state),))

    def check_deal(self, state: State) -> Played[State]:
        """Check that the next deal may begin. The last deal is finished, with implied gos if
        necessary (6.6)."""
        deal = state.deal
        if deal and deal.playing and self.play_ended(state, deal) is not None:
            awards = self.unsaid(state, deal)
            return Played(self.peg(state, awards, None), awards)
        return super().check_deal(state)

    def first_go_ends(self, state: State) -> bool:
        return state.option("go") == "ends_play"  # (4.4)

    def more_series(self, state: State) -> bool:
        return False  # there is only one series (4.2)

    def scores(self, state: State) -> PlayScores:
        """Return the scores for a card: fifteen, thirty-one, pairs and runs (4.3). Options add
        twenty-five and flushes, or award one point for each card instead of two points."""
        flushes = state.option("flush_play") == "on"
        if state.option("points") == "per_card":
            return PlayScores(COUNTS | {25: "twenty-five"}, None, ALIKE, flushes=flushes)
        return PlayScores(COUNTS, 2, ALIKE, flushes=flushes)

    def ready_to_show(self, state: State, deal: Deal, seat: int) -> tuple[Deal, tuple[Award, ...]]:
        self.check_turn_to_show(state, deal, seat, "show")
        if deal.starter is None:
            raise IllegalMove("starter-missing")
        return deal, ()

    def check_turn_to_show(self, state: State, deal: Deal, seat: int, what: str) -> None:
        """Check that hands are counted before the play (3.1)."""
        if deal.by_points or deal.counted == deal.seats:
            raise IllegalMove("out-of-order", what=what, phase=deal.phase)
        super().check_turn_to_show(state, deal, seat, what)

    def readings(
        self, state: State, deal: Deal, seat: int, cards: Cards
    ) -> tuple[show.Reading, ...]:
        assert deal.starter is not None
        return show.readings(cards, deal.starter, state.setup.options)

    def items(
        self, state: State, cards: Cards, starter: Card, reading: show.Reading
    ) -> tuple[Item, ...]:
        return show.count(cards, starter, reading, state.setup.options)

    def questions(self, state: State) -> tuple[Question[show.Reading], ...]:
        return show.QUESTIONS

    def in_play(self, state: State, move: Move) -> Deal:
        deal = self.current_deal(state, move.verb)
        if deal.by_points:
            raise IllegalMove("not-in-play", verb=move.verb, phase=deal.phase, why="points")
        if deal.counted < deal.seats:
            expected = state.order[deal.counted]
            raise IllegalMove("show-first", verb=move.verb, seat=expected)
        return deal

    def kinds(self, state: State, deal: Deal, seat: int) -> tuple[str, ...]:
        if deal.playing or deal.phase == "play":
            return ("play", "go")
        return tuple(WORTHS) if deal.phase == "starter" else ("hand", "play", "go")

    def pegged(self, state: State, deal: Deal, seat: int, points: int, why: str) -> Deal | None:
        if why != "hand" and deal.counted < deal.seats and not deal.by_points:
            expected = state.order[deal.counted]
            raise IllegalMove("show-first", verb=why, seat=expected)
        return super().pegged(state, deal, seat, points, why)

    def last_points(self, state: State, total: int, of_all: bool) -> tuple[int, ...]:
        return (0,) if total == THIRTY_ONE else super().last_points(state, total, of_all)

    def worth(self, state: State, why: str) -> frozenset[int]:
        if why == "hand" and state.option("points") == "per_card":
            return show.PER_CARD
        return super().worth(state, why)


def _last_card(state: State) -> Ask:
    """Return the entry for the player who scores last card, for a table that does not enter
    cards."""
    order = sorted(state.order)
    choices = tuple(Move("peg", seat, numbers=(1,)) for seat in order)
    return Ask("last-card", "choice", Move("peg", state.sheet.dealer), "hands", choices=choices)
