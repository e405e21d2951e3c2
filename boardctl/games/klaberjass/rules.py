"""The phases of Klaberjass.

Source: docs/rules/klaberjass.md; docs/notation.md.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

from boardctl.games import (
    MANY,
    Award,
    IllegalMove,
    Move,
    Note,
    Option,
    Played,
    Prompt,
    Setup,
    Verb,
    table_rules,
)
from boardctl.games.cards import Card, parse_suit
from boardctl.games.common import by_deal
from boardctl.games.common.jass import Bidding
from boardctl.games.common.jass_referee import JassReferee
from boardctl.games.common.trick_deal import play
from boardctl.games.klaberjass import declarations, display, prompts, settlement
from boardctl.games.klaberjass.deal import IN_HAND, Deal, exchange, show_bottom
from boardctl.games.klaberjass.sequences import runs
from boardctl.games.klaberjass.state import State, auto_bella, late_bella, over, settle

_SEQUENCES: Final = {"none": 0, "20": 20, "50": 50}


class Klaberjass(JassReferee[State]):
    """Klaberjass for two."""

    name = "klaberjass"
    source = "Akagiri, “Klaberjass” (1995)"
    seats = (2,)
    after_end = frozenset({"adjust", "bella"})  # bella only for the deal's last play
    options = (
        Option("target", "500", numbers=range(100, 1001, 10)),
        Option("meld_tie", "none", ("none", "elder")),
        Option("deal_rotation", "alternate", ("alternate", "winner_deals")),
        Option("passed_out", "next_dealer", ("next_dealer", "same_dealer")),
        Option("first_dealer", "low", ("low", "high")),
        Option("tie", "lost", ("lost", "carried")),
        Option("game_tie", "extra_deal", ("extra_deal", "draw")),
        Option("split_long_runs", "off", ("off", "on")),
        Option("bella_auto", "on", ("on", "off")),
        Option("bottom_card", "shown", ("shown", "hidden")),
        table_rules.NEXT_GAME_DEALER,
    )
    verbs = (
        Verb("hand", cards=(1, IN_HAND), secret=True),
        Verb("turnup", seated=False, cards=(1, 1)),
        Verb("trump", seated=False, suit=True),
        Verb("bottom", seated=False, cards=(1, 1)),
        Verb("bid", words=("pass", "take"), suit=True),
        Verb("exchange"),
        Verb("declare", words=tuple(_SEQUENCES)),
        Verb("declare", seated=False, opens=True),
        Verb("reply", words=("good", "not-good", "equal")),
        Verb("top", cards=(1, 1)),
        Verb("trump"),
        Verb("meld", cards=(1, MANY)),
        Verb("bella"),
        Verb("play", cards=(1, 1), words=("bella",)),
        Verb("count", numbers=(1, 1)),
        Verb("peg", numbers=(1, 1)),
    )

    def promised(self, state: State, move: Move) -> tuple[Award, ...]:
        return tuple(
            Award(move.player, run.value, "sequence", run.cards) for run in runs(move.cards)
        )

    def begin(self, setup: Setup) -> State:
        return State(table_rules.open_score_sheet(setup))

    def check_copy(self, card: Card) -> None:
        """Accept any card here; the handler of its line refuses a copy as not in the pack."""

    def new_deal(self, state: State) -> Deal:
        assert state.sheet.dealer is not None
        return Deal.opened(Bidding(state.setup.after(state.sheet.dealer), 2))

    def seen(
        self, before: State, move: Move, later: Sequence[Move], seat: int | None
    ) -> tuple[Move, ...]:
        """Sequences that are settled at once, as they are shown."""
        if not self.opens(move) or before.deal is None:
            return super().seen(before, move, later, seat)
        settled = declarations.declare_all(before.deal, before.custom)
        if settled.declarations.owner is None:
            return (Move("declare", before.deal.eldest, words=("none",)),)
        owner = settled.declarations.owner
        return tuple(Move("meld", owner, shown.cards) for shown in settled.shown)

    def check_deal(self, state: State) -> Played[State]:
        ready = super().check_deal(state).state
        return Played(replace(ready, last=None, best=None, waited=0))

    def _dealer(self, state: State, move: Move) -> Played[State]:
        if not state.half_pegged and state.deal is not None and state.deal.begun:
            raise IllegalMove("deal-too-far", verb="dealer")
        return super()._dealer(state, move)

    def check_points(self, state: State, side: int, points: int) -> None:
        other = state.pegged[2 - side] or 0
        if state.option("tie") != "carried" and not settlement.fit_one_deal(points, other):
            raise IllegalMove("impossible-points", points=points)

    asks = staticmethod(prompts.asks)
    outcome = staticmethod(by_deal.outcome)
    phase = staticmethod(display.phase)
    turn = staticmethod(display.turn)
    contract = staticmethod(display.contract)

    def readouts(self, state: State) -> tuple[Note, ...]:
        """The same, and whose lead it is."""
        return (*super().readouts(state), *display.lead(state.deal))

    def prompt(self, state: State) -> Prompt:
        """The same, and the bella of the last play while it may be called."""
        due, late = super().prompt(state), None if auto_bella(state) else late_bella(state)
        return due if late is None else due._replace(asks=(*due.asks, prompts.bella(late)))

    def holes(self, state: State) -> tuple[int, int]:
        target = state.target
        unit = next(u for u in range(1, target) if target % u == 0 and target <= 100 * u)
        return unit, target // unit

    # The lines of a deal.

    def _trump(self, state: State, move: Move) -> Played[State]:
        """`trump SUIT`: the suit of the turned card, if the card itself is not entered; `N trump`
        claims the tie of two sequences for the one of trumps."""
        if move.seat is not None:
            deal = self._talking(state, "trump")
            return self.with_deal(state, declarations.claim_trump(deal, move.seat, state.custom))
        deal, suit = self.on(state, "trump", bidden=False), parse_suit(move.words[0])
        if deal.bidding.suit is not None:
            raise IllegalMove(
                "turned-already", card=deal.turned or deal.bidding.suit.letter, why="suit"
            )
        if deal.scored:
            raise IllegalMove("deal-too-far", verb="trump")
        return self.with_deal(state, deal.turn_suit(suit))

    def _bottom(self, state: State, move: Move) -> Played[State]:
        """`bottom CARD`: if the table shows it, it is in no hand (1.4)."""
        if state.option("bottom_card") == "hidden":
            raise IllegalMove("bottom-hidden")
        return self.with_deal(state, show_bottom(self.on(state, "bottom"), move.cards[0]))

    def _exchange(self, state: State, move: Move) -> Played[State]:
        deal, seat = self._uncounted(state, "exchange"), move.player
        return self.with_deal(state, exchange(deal, seat))

    def _uncounted(self, state: State, verb: str) -> Deal:
        """The deal before trick points were entered."""
        deal: Deal = self.on(state, verb)
        if deal.counted:
            raise IllegalMove("deal-too-far", verb=verb)
        return deal

    def _talking(self, state: State, verb: str) -> Deal:
        """The deal while its sequences are being announced."""
        deal = self._uncounted(state, verb)
        if deal.led:
            raise IllegalMove("deal-too-far", verb=verb)
        return deal

    def _declare(self, state: State, move: Move) -> Played[State]:
        deal = self._talking(state, "declare")
        if move.seat is None:
            return self.with_deal(state, declarations.declare_all(deal, state.custom))
        if len(move.words) != 1:
            raise IllegalMove("one-declaration", said=" ".join(move.words))
        value = _SEQUENCES[move.words[0]]
        after = declarations.declare(deal, move.seat, value, state.custom)
        return self.with_deal(state, after)

    def _reply(self, state: State, move: Move) -> Played[State]:
        deal, seat = self._talking(state, "reply"), move.player
        if len(move.words) != 1:
            raise IllegalMove("one-reply", said=" ".join(move.words))
        after = declarations.reply(deal, seat, move.words[0], state.custom)
        return self.with_deal(state, after)

    def _top(self, state: State, move: Move) -> Played[State]:
        deal, seat = self._talking(state, "top"), move.player
        after = declarations.name_top(deal, seat, move.cards[0], state.custom)
        return self.with_deal(state, after)

    def _meld(self, state: State, move: Move) -> Played[State]:
        deal = self._talking(state, "meld")
        return self.with_deal(state, declarations.show(deal, move, state.custom))

    def _play(self, state: State, move: Move) -> Played[State]:
        deal, seat = self._uncounted(state, "play"), move.player
        after = play(declarations.end(deal, state.custom), seat, move.cards[0])
        if move.words:
            after = _call(after, seat)
        return settle(state, after) if after.over else Played(replace(state, deal=after))

    settled = staticmethod(settle)

    def countable(self, state: State, deal: Any) -> Deal:
        return declarations.end(deal, state.custom)

    def counts_allowed(self, state: State, deal: Any, side: int) -> tuple[int, ...]:
        return settlement.counts(deal, side)

    def _bella(self, state: State, move: Move) -> Played[State]:
        """`N bella`: directly after the second of trump king and queen was played or, if the play
        is not entered, once trumps are fixed (6.4)."""
        seat, late = move.player, late_bella(state)
        if late is not None:
            if late != seat:
                raise IllegalMove("no-bella", seat=seat)
            assert state.last is not None
            deal, before = state.last
            return settle(state, _call(deal, seat), before)
        if over(state):
            raise IllegalMove("game-over")
        deal = self.on(state, "bella")
        if deal.led:
            return self.with_deal(state, _call(deal, seat))
        declarations.check_over(deal)
        if deal.royals_called is not None:
            raise IllegalMove("bella-called", seat=deal.royals_called)
        held = deal.with_royals(seat)
        if held is None:
            raise IllegalMove("no-bella", seat=seat)
        return self.with_deal(state, replace(held, royals_called=seat))


def _call(deal: Deal, seat: int) -> Deal:
    """Call bella with the play just made."""
    mine = deal.royals_played and deal.plays[-1][0] == seat
    if deal.royals_called is not None:
        if deal.royals_called == seat and mine:
            return deal
        raise IllegalMove("bella-called", seat=deal.royals_called)
    if not mine:
        raise IllegalMove("no-bella", seat=seat)
    return replace(deal, royals_called=seat)
