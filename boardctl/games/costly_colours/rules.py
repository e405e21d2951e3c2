"""The phases of Costly Colours: cut, deal, starter, mog, play and show.

Source: docs/rules/costly-colours.md.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
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
    because,
    put,
)
from boardctl.games.cards import UNSEEN, Card
from boardctl.games.common import known_cards, to_31
from boardctl.games.common.known_cards import Cards, RaceDeal
from boardctl.games.common.race import RaceState
from boardctl.games.common.race_points import PointsReferee
from boardctl.games.common.referee import NEXT_GAME_DEALER, between_deals, counted
from boardctl.games.common.suits import Question
from boardctl.games.common.to_31 import THIRTY_ONE, Item, PlayScores
from boardctl.games.costly_colours import mogging, show
from boardctl.games.costly_colours.mogging import HONOURS, NO_MOG, Mog

REFUSAL: Final = 1
WORTHS: Final = {
    "heels": frozenset({4}),
    "mog": frozenset({REFUSAL, *mogging.WORTHS}),
    "play": frozenset(range(1, 41)),
    "go": frozenset({1}),
    "hand": frozenset(range(36)),
}


Deal = RaceDeal[Mog]
"""A deal. Its `extra` field is the exchange of a card."""


State = RaceState[None, Mog]


class CostlyColours(PointsReferee[None, Mog, show.Reading]):
    """Costly Colours for two players."""

    name = "costly-colours"
    source = "rules after Cotton (1674) and Parlett"
    seats = (2,)
    options = (
        Option("target", "61", ("31", "61", "121")),
        Option("mog_value", "on", ("on", "off")),
        Option("play_scores", "full", ("full", "points")),
        Option("play_pairs", "off", ("off", "on")),
        Option("thirty", "off", ("off", "on")),
        Option("go_point", "off", ("off", "on")),
        Option("last_at_31", "off", ("off", "on")),
        Option("series", "several", ("several", "one")),
        Option("pairs", "9_18", ("9_18", "6_12")),
        Option("jd_pairs", "on", ("on", "off")),
        Option("colour_four", "full", ("full", "none")),
        Option("skunk", "off", ("off", "on")),
        NEXT_GAME_DEALER,
    )
    tables = (
        NamedTable(
            "cotton",
            {
                "target": "61",
                "play_scores": "points",
                "play_pairs": "off",
                "last_at_31": "off",
                "pairs": "9_18",
                "jd_pairs": "on",
                "colour_four": "none",
            },
            "Charles Cotton, The Compleat Gamester (1674)",
        ),
        NamedTable(
            "parlett",
            {
                "target": "121",
                "play_scores": "full",
                "play_pairs": "off",
                "last_at_31": "on",
                "pairs": "9_18",
                "jd_pairs": "on",
                "colour_four": "full",
            },
            "David Parlett, The Penguin Book of Card Games",
        ),
    )
    phases = ("starter", "mog", "play", "show")
    heels = HONOURS
    extra = None
    deal_extra = NO_MOG
    worths = WORTHS
    own_go = True
    verbs = (
        Verb("hand", cards=(1, MANY), secret=True, kind=Kind.HAND),
        Verb("starter", seated=False, cards=(1, 1), kind=Kind.STARTER),
        Verb("mog", cards=(1, 1), claim=True, secret=True, kind=Kind.EXCHANGE),
        Verb("no-mog"),
        Verb("play", cards=(1, 1), kind=Kind.PLAY),
        Verb("go", kind=Kind.PLAY),
        Verb("show", cards=(0, MANY), words=show.WORDS, opens=True, kind=Kind.COUNT),
        Verb("peg", numbers=(1, 1), words=tuple(WORTHS), kind=Kind.POINTS),
    )

    def asks(self, state: State, deal: Deal) -> tuple[Ask, ...]:
        if deal.phase == "mog":
            return _mog_asks(state, deal)
        asks = super().asks(state, deal)
        return asks + between_deals(state.sheet) if deal.pegged and not deal.playing else asks

    def show_asks(self, state: State, deal: Deal, seat: int) -> tuple[Ask, ...]:
        """Return the entry for a hand to be counted, if any cards fit. If the giver of a card
        scored for it, the hand must contain a card worth that score."""
        starter, mog, known = deal.starter, deal.extra, deal.known_hand(seat)
        if starter is None:
            return ()
        received, worth = mog.received(seat), mog.received_worth(seat)

        def stands(*more: Card) -> bool:
            return bool(show.readings((*known, *more), starter, received, worth))

        missing, cards = deal.keep - len(known), deal.unseen
        if missing == 1 and worth:
            cards = tuple(card for card in cards if stands(card))
        if len(cards) < missing or not (missing or stands()):
            return ()
        return counted("show", Move("show", seat), missing, cards)

    def visible_lines(
        self, before: State, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        """Return the lines that a viewer sees. Once both cards have been given and scored, each
        player sees the card received."""
        if move.verb != "mog" or move.seat in (None, seat) or before.deal is None:
            return super().visible_lines(before, move, later, seat)
        deal = self._check_mog(before, move.verb, move.seat)
        if deal.extra == mogging.NO_MOG and all(line.verb != "mog" for line in later):
            return (self.hide_cards(move),)  # offered, but not given yet
        mog = mogging.offer(deal, move.seat, move.cards[0], move.claim)
        given, worth = mog.given[move.seat - 1], mog.worth[move.seat - 1]
        if seat is not None and given is not None:
            return (move._replace(cards=(given,)),)
        said = worth if before.has_option("mog_value") else 0
        return (self.hide_cards(move)._replace(claim=said or None),)

    def turn(self, state: State, deal: Deal) -> int | None:
        if deal.phase != "mog":
            return super().turn(state, deal)
        return next(seat for seat in state.order if deal.extra.given[seat - 1] is None)

    # Before the play.

    def _check_mog(self, state: State, verb: str, seat: int) -> Deal:
        deal = self.current_deal(state, verb)
        if deal.extra.settled or deal.phase in ("play", "show"):
            raise IllegalMove("mogged-already")
        if deal.starter is None:
            raise IllegalMove("starter-missing")
        expected = self.turn(state, deal)
        if seat != expected:
            raise IllegalMove("out-of-turn", seat=seat, turn=expected)
        return deal

    def _mog(self, state: State, move: Move) -> Played[State]:
        """Give a card away: `N mog CARD`. The second such line completes the exchange (3.1,
        7.2)."""
        seat, (card,) = move.player, move.cards
        deal = self._check_mog(state, "mog", seat)
        mog = mogging.offer(deal, seat, card, move.claim)
        if not mog.settled:
            return self.with_deal(state, deal._replace(extra=mog))
        if not state.has_option("mog_value"):
            mog = replace(mog, worth=(0, 0))
        awards = tuple(
            Award(giver, mog.worth[giver - 1], "mog", _if_ranked(mog.given[giver - 1]))
            for giver in state.order
            if mog.worth[giver - 1]
        )
        if self.won(state, awards[:1]):  # eldest hand counts first and may win (3.3, 6.1)
            awards = awards[:1]
        after = self.after(state, mogging.exchange(deal, mog), "mog")
        return self.earned(state, move, after, awards)

    def _no_mog(self, state: State, move: Move) -> Played[State]:
        """Refuse the exchange: `N no-mog`. The other player scores 1 (3.2)."""
        seat = move.player
        deal = self._check_mog(state, "no-mog", seat)
        refused = deal._replace(extra=mogging.Mog(settled=True))
        after = self.after(state, refused, "mog")
        return self.earned(state, move, after, (Award(3 - seat, REFUSAL, "refusal"),))

    # The play.

    def in_play(self, state: State, move: Move) -> Deal:
        deal = self.current_deal(state, move.verb)
        if deal.phase in ("starter", "mog"):
            raise IllegalMove("mog-first", verb=move.verb)
        if deal.by_points or deal.phase == "show":
            why = "points" if deal.by_points else None
            raise IllegalMove("not-in-play", verb=move.verb, phase=deal.phase, **because(why))
        return deal

    def more_series(self, state: State) -> bool:
        return state.option("series") == "several"

    def scores(self, state: State) -> PlayScores:
        """Return the scores for playing a card: one point per card at 15, 25 and 31, and points for
        runs (4). Options add 30, and pairs with the same points as in the hand."""
        counts = show.REASONS | {30: "thirty"} if state.has_option("thirty") else show.REASONS
        pairs: Mapping[int, tuple[str, int]] = {}
        if state.has_option("play_pairs"):
            pairs = show.scale(state.setup.options).pairs
        return PlayScores(counts, None, pairs, runs=state.option("play_scores") == "full")

    def let_on(self, state: State, deal: Deal) -> tuple[Award, ...]:
        """Return the point for the player who continues after a go (option `go_point`)."""
        other = to_31.next_to_play(deal.played, 1 << deal.to_play, deal.keep, deal.to_play)
        if deal.passed or not other or not state.has_option("go_point"):
            return ()
        return (Award(other, 1, "go"),)

    def last_card(self, state: State, deal: Deal) -> tuple[Award, ...]:
        """Return the award for last card. With `last_at_31`, a series that ends at 31 after a go
        also earns it (4.4)."""
        if deal.total == THIRTY_ONE and state.has_option("last_at_31") and deal.passed:
            return (Award(deal.last, 1, "last-card", deal.series[-1:]),)
        return super().last_card(state, deal)

    # The show.

    def readings(
        self, state: State, deal: Deal, seat: int, cards: Cards
    ) -> tuple[show.Reading, ...]:
        assert deal.starter is not None
        mog = deal.extra
        return show.readings(cards, deal.starter, mog.received(seat), mog.received_worth(seat))

    def items(
        self, state: State, cards: Cards, starter: Card, reading: show.Reading
    ) -> tuple[Item, ...]:
        return show.count(cards, starter, reading, show.scale(state.setup.options))

    def questions(self, state: State) -> tuple[Question[show.Reading], ...]:
        return show.questions(show.scale(state.setup.options))

    def is_hand_next(self, state: State, deal: Deal, seat: int) -> bool:
        over = deal.phase == "show" or deal.by_points
        return over and state.order[deal.counted] == seat

    # Points entered.

    def kinds(self, state: State, deal: Deal, seat: int) -> tuple[str, ...]:
        if deal.phase == "starter":
            return tuple(WORTHS)
        if deal.playing:
            return ("play", "go")
        return ("hand",) if deal.phase == "show" else ("mog", "play", "go", "hand")

    def pegged(self, state: State, deal: Deal, seat: int, points: int, why: str) -> Deal | None:
        if why == "hand":
            late = deal.playing or (deal.phase != "show" and not deal.loose)
        else:
            late = deal.phase == "show" or (why == "mog" and (deal.play_begun or deal.by_points))
        if late:
            raise IllegalMove("out-of-order", what=why, phase=deal.phase)
        if why == "mog":
            worth = put(deal.extra.worth, seat, points if points in mogging.WORTHS else 0)
            settled = deal._replace(extra=replace(deal.extra, worth=worth, settled=True))
            return self.after(state, settled, "mog")
        return super().pegged(state, deal, seat, points, why)

    def go_possible(self, state: State, deal: Deal, seat: int) -> bool:
        return to_31.passing(deal, to_31.waiting(deal, seat)) is not None

    def possible_readings(
        self, state: State, deal: Deal, seat: int, cards: Cards
    ) -> Iterator[show.Reading]:
        """Yield the possible readings of the suits. If the giver's score is unknown, yield the
        readings for each possible score."""
        assert deal.starter is not None
        mog, received = deal.extra, deal.extra.received(seat)
        worths: tuple[int, ...] = (mog.received_worth(seat),)
        if received == UNSEEN or (not mog.made and (not mog.settled or deal.pegged)):
            worths = mogging.WORTHS
        for worth in worths:
            yield from show.readings(cards, deal.starter, received, worth)

    def worth(self, state: State, why: str) -> frozenset[int]:
        return show.hand_values(state.setup.options) if why == "hand" else super().worth(state, why)


def _mog_asks(state: State, deal: Deal) -> tuple[Ask, ...]:
    """Return the entries to give a card away or to refuse the exchange."""
    seat = next(seat for seat in state.order if deal.extra.given[seat - 1] is None)
    hand, cards = deal.hands[seat - 1], _mog_cards(deal, seat)
    choices = (Move("no-mog", seat),)
    if len(hand) < deal.keep:  # an unseen card with the worth that its giver states
        unseen = Move("mog", seat, (UNSEEN,))
        worths = (unseen._replace(claim=worth) for worth in mogging.WORTHS if worth)
        choices = (unseen, *(worths if state.has_option("mog_value") else ()), *choices)
    asks = [Ask("mog", "choice", Move("mog", seat), "hands", choices=choices)]
    if cards:
        asks.append(Ask("mog", "cards", Move("mog", seat), "cards", 1, 1, cards=cards))
    return tuple(asks)


def _mog_cards(deal: Deal, seat: int) -> Cards:
    """Return the cards of known value that a seat may give away."""
    hand = deal.hands[seat - 1]
    cards = hand if len(hand) == deal.keep else (*hand, *known_cards.unseen(_entered(deal)))
    if deal.starter is not None and deal.starter.suit is None:
        return tuple(card for card in cards if card.rank not in HONOURS)
    return tuple(card for card in cards if card.suit is not None or card.rank not in HONOURS)


def _entered(deal: Deal) -> Cards:
    """Return every card entered in the deal, including offered cards."""
    before = deal.entered
    offered = known_cards.with_rank(filter(None, deal.extra.given))
    return (*before, *(card for card in offered if card not in before))


def _if_ranked(card: Card | None) -> tuple[Card, ...]:
    return () if card is None or card.rank is None else (card,)
