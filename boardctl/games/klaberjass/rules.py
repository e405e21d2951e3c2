"""The phases of Klaberjass. Source: docs/rules/klaberjass.md; docs/notation.md."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from boardctl.games import (
    MANY,
    Ask,
    IllegalMove,
    Kind,
    Move,
    NamedTable,
    Note,
    Option,
    Played,
    Prompt,
    Verb,
)
from boardctl.games.cards import UNSEEN, Card, parse_suit
from boardctl.games.common import referee
from boardctl.games.common.by_deal import changes
from boardctl.games.common.jass import IN_ORDER, NATURAL, JassReferee, Piece
from boardctl.games.common.trick_deal import Cards, accepted, ask_card_of, ask_choice, ask_trump
from boardctl.games.klaberjass.bidding import ANSWERS, OFFER, OpenBidding
from boardctl.games.klaberjass.deal import ANNOUNCED, IN_HAND, Deal, runs
from boardctl.games.klaberjass.state import State, fit_one_deal, late_bella, settle


class Klaberjass(JassReferee[State, Deal]):
    """Klaberjass for two players."""

    name = "klaberjass"
    opening = State
    source = "Akagiri, “Klaberjass” (1995)"
    seats = (2,)
    options = (
        Option("target", "500", numbers=range(100, 1001)),
        Option("meld_tie", "none", ("none", "elder")),
        Option("deal_rotation", "alternate", ("alternate", "winner_deals")),
        Option("passed_out", "next_dealer", ("next_dealer", "same_dealer")),
        Option("first_dealer", "low", ("low", "high")),
        Option("tie", "lost", ("lost", "carried")),
        Option("game_tie", "extra_deal", ("extra_deal", "draw")),
        Option("split_long_runs", "off", ("off", "on")),
        Option("bella_auto", "on", ("on", "off")),
        Option("bottom_card", "shown", ("shown", "hidden")),
        Option("schmeiss", "off", ("off", "maker", "opponent")),
        referee.NEXT_GAME_DEALER,
    )
    tables = tuple(
        NamedTable(name, {"meld_tie": "none", "tie": "lost", "schmeiss": schmeiss}, document)
        for name, schmeiss, document in (
            ("akagiri", "off", source),
            ("bicycle", "maker", "Bicycle, Klaberjass"),
            ("michigan", "opponent", "University of Michigan, Klaberjass"),
        )
    )
    verbs = (
        Verb("hand", cards=(1, IN_HAND), secret=True, kind=Kind.HAND),
        Verb("turnup", seated=False, cards=(1, 1), kind=Kind.TURNED),
        Verb("trump", seated=False, suit=True, kind=Kind.TRUMP),
        Verb("bottom", seated=False, cards=(1, 1)),
        Verb("bid", words=("pass", "take", OFFER, *ANSWERS), suit=True, kind=Kind.BID),
        Verb("exchange", kind=Kind.EXCHANGE),
        Verb("declare", words=tuple(ANNOUNCED)),
        Verb("declare", seated=False, opens=True),
        Verb("reply", words=("good", "not-good", "equal")),
        Verb("top", cards=(1, 1)),
        Verb("trump", kind=Kind.TRUMP),
        Verb("meld", cards=(1, MANY), kind=Kind.MELD),
        Verb("bella", kind=Kind.MELD),
        Verb("play", cards=(1, 1), words=("bella",), kind=Kind.PLAY),
        Verb("count", numbers=(1, 1), kind=Kind.POINTS),
        Verb("peg", numbers=(1, 1), kind=Kind.POINTS),
    )

    def pieces(self, deal: Deal, cards: Cards) -> tuple[Piece, ...]:
        return runs(cards, deal.splits)

    def check_copy(self, card: Card) -> None:
        """Accept any card. The method that plays the line refuses a card that is not in the
        pack."""

    def new_deal(self, state: State) -> Deal:
        assert state.sheet.dealer is not None
        bidding = OpenBidding(state.setup.after(state.sheet.dealer), 2)
        return Deal.begin(bidding, state.setup.options)

    def laid_down(self, before: State, move: Move) -> tuple[Move, ...]:
        nothing = Move("declare", self.current_deal(before, move.verb).eldest, words=("none",))
        return super().laid_down(before, move) or (nothing,)

    def check_deal(self, state: State) -> Played[State]:
        ready = super().check_deal(state).state
        return Played(replace(ready, last=None, best=None, waited=0))

    def _dealer(self, state: State, move: Move) -> Played[State]:
        if not state.half_pegged and state.deal is not None and state.deal.begun:
            raise IllegalMove("deal-too-far", verb="dealer")
        return super()._dealer(state, move)

    def may_follow_end(self, state: State, move: Move) -> bool:
        """Return whether a line may follow the end of the game. Only a bella call for the last play
        may."""
        late = move.verb == "bella" and late_bella(state) is not None
        return late or super().may_follow_end(state, move)

    def check_points(self, state: State, side: int, points: int) -> None:
        other = state.pegged[2 - side] or 0
        if state.option("tie") != "carried" and not fit_one_deal(points, other):
            raise IllegalMove("impossible-points", points=points)

    settled = staticmethod(settle)

    def turn(self, deal: Deal) -> int:
        if deal.counted:
            return 1 if deal.counts[0] is None else 2
        return deal.turn if deal.stage == "settled" else deal.speaker

    def contract(self, deal: Deal) -> tuple[Note, ...]:
        maker = deal.bidding.taker
        return () if maker is None else (Note("maker", {"seat": maker}),)

    def readouts(self, state: State) -> tuple[Note, ...]:
        """Return the readouts, including the player to lead."""
        notes, deal = super().readouts(state), state.deal
        if deal is None or not deal.bidding.over or deal.counted or deal.trick:
            return notes
        return (*notes, Note("lead", {"seat": deal.turn}))

    def prompt(self, state: State) -> Prompt:
        """Return the possible entries. They include a bella call for the last play while it is
        still allowed."""
        due, late = super().prompt(state), late_bella(state)
        if late is None or state.option("bella_auto") == "on":
            return due
        return due._replace(asks=(*due.asks, bella(late)))

    def asks(self, deal: Deal) -> Iterator[Ask]:
        yield from super().asks(deal)
        called = deal.options["bella_auto"] == "off" and deal.royals_called is None
        if called and deal.royals_played:
            yield bella(deal.plays[-1][0])
        shown = deal.options["bottom_card"] == "shown" and deal.bottom is None
        if shown and deal.bidding.over and not (deal.going or deal.led or deal.counted):
            bottom = Move("bottom")
            yield from ask_card_of("bottom", bottom, IN_ORDER, deal.show_bottom)

    def asks_bidding(self, deal: Deal) -> Iterator[Ask]:
        """Yield the entries for the bidding, including the offer to throw the hands in and the
        answer to this offer."""
        bidding, seat = deal.open_bidding, deal.bidding.bidder
        if bidding.offered:
            moves = (Move("bid", seat, words=(word,)) for word in ANSWERS)
            yield from ask_choice(OFFER, moves)
            return
        for ask in super().asks_bidding(deal):
            choices = ask.choices
            if bidding.names and ask.move.verb == "bid":
                choices = tuple(move for move in choices if move.words[0] in "SHDC")
            elif ask.move.verb == "bid" and deal.options["schmeiss"] != "off":
                choices = (*choices, Move("bid", seat, words=(OFFER,)))
            yield ask._replace(choices=choices)

    def passed_out(self, state: State, deal: Deal) -> Played[State]:
        """Return the state after a deal that is not played. If the hands were thrown in, the same
        player deals again (3.7)."""
        if not deal.open_bidding.thrown_in:
            return super().passed_out(state, deal)
        again = replace(state, sheet=state.sheet._replace(deals_again=True))
        return super().passed_out(again, deal)._replace(notes=(Note("thrown-in"),))

    def asks_playing(self, deal: Deal) -> Iterator[Ask]:
        if deal.led:
            yield from deal.ask_counts((1, 2)) if deal.counted else (deal.ask_card(),)
            return
        silent = not deal.going
        if not deal.counted:
            yield from _talk(deal)
            if silent and deal.trump is not None:
                yield deal.ask_card()
        if silent:
            yield from deal.ask_counts(deal.order)
        if deal.counted:
            yield from deal.ask_royals()
            return
        for seat in deal.order:
            yield from _melds(deal, seat)
        if silent:
            yield from deal.ask_royals()
            yield from deal.ask_exchange()
        if deal.scored:
            return
        if deal.trump is None and deal.turned_bidding.suit is None:
            yield ask_trump()
        yield from deal.ask_turnup()
        yield from deal.ask_hands()

    def holes(self, state: State) -> tuple[int, int]:
        tens = state.target - state.target % 10
        unit = next(u for u in range(1, tens) if tens % u == 0 and tens <= 100 * u)
        return unit, state.target // unit

    # The lines of a deal

    def _trump(self, state: State, move: Move) -> Played[State]:
        """Enter the suit of the turned-up card, for a table that does not enter the card itself:
        `trump SUIT`. The line `N trump` instead claims that a sequence in trumps breaks the tie."""
        if move.seat is not None:
            claimed = self.current_deal(state, "trump").claim_trump(move)
            return self.with_deal(state, claimed)
        deal, suit = self.current_deal(state, "trump", bidden=False), parse_suit(move.words[0])
        if deal.turned is not None:
            raise IllegalMove("turned-already", card=deal.turned)
        if deal.turned_bidding.suit is not None:
            raise IllegalMove("turned-already", card=deal.turned_bidding.suit.letter, why="suit")
        if deal.scored:
            raise IllegalMove("deal-too-far", verb="trump")
        return self.with_deal(state, deal.turn_suit(suit))

    def _bottom(self, state: State, move: Move) -> Played[State]:
        if state.option("bottom_card") == "hidden":
            raise IllegalMove("bottom-hidden")
        return self.with_deal(state, self.current_deal(state, "bottom").show_bottom(move))

    def _declare(self, state: State, move: Move) -> Played[State]:
        deal = self.current_deal(state, "declare")
        if move.seat is None:
            return self.with_deal(state, deal.declare_all())
        return self.with_deal(state, deal.declare(move))

    _reply = changes(Deal.reply)
    _top = changes(Deal.name_top)

    def _bella(self, state: State, move: Move) -> Played[State]:
        """Call bella: `N bella` (6.4). The call must directly follow the play of the second of the
        trump king and queen. If the cards played are not entered, the call is possible once trumps
        are fixed."""
        seat, late = move.player, late_bella(state)
        if late is not None:
            if late != seat:
                raise IllegalMove("no-bella", seat=seat)
            assert state.last is not None
            deal, before = state.last
            return settle(state, deal.call_with_play(seat), before)
        deal = self.current_deal(state, "bella")
        if deal.led:
            return self.with_deal(state, deal.call_with_play(seat))
        deal.check_over()
        return self.with_deal(state, deal.call(seat))


def bella(seat: int) -> Ask:
    return Ask("bella", "confirm", Move("bella", seat))


def _talk(deal: Deal) -> Iterator[Ask]:
    """Yield the entries for announcements about sequences (5.5) that the referee would accept."""
    stage, elder, younger = deal.stage, deal.eldest, deal.younger
    seat: int | None = elder
    if stage == "open":
        if deal.trump is not None and all(deal.whole_at_talk(s) for s in deal.order):
            yield Ask("sequences", "confirm", Move("declare"), telling="cards")
        code, step = "declare", deal.declare
        moves = [Move("declare", elder, words=(word,)) for word in ANNOUNCED]
    elif stage in ("declared", "top"):
        code, step, seat = "reply", deal.reply, younger
        words = ("good", "not-good", "equal") if deal.announced else ("good", "not-good")
        moves = [Move("reply", younger, words=(word,)) for word in words]
    elif stage == "equal":
        code, step = "top", deal.name_top
        moves = [Move("top", elder, (Card(rank),)) for rank in NATURAL]
    else:
        code, step, seat = "trump-sequence", deal.claim_trump, None
        moves = [Move("trump", s) for s in deal.order]
    choices = accepted(moves, step)
    if choices:
        move = Move(choices[0].verb, seat)
        fields = {"points": deal.announced, "seat": seat or elder}
        yield Ask(code, "choice", move, telling="cards", choices=choices, fields=fields)


def _melds(deal: Deal, seat: int) -> Iterator[Ask]:
    """Yield the entries for sequences that a player may show. If the hand is known, the entries
    name the cards. Otherwise they show three or four cards face down."""
    if deal.whole_at_talk(seat):
        held = [run.cards for run in deal.candidates(seat)]
    else:
        held = [(UNSEEN,) * 3, (UNSEEN,) * 4]
    moves = (Move("meld", seat, shown) for shown in held)
    yield from ask_choice("meld", accepted(moves, deal.show))
