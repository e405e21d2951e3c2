"""The phases of Klaberjass.

Source: docs/rules/klaberjass.md; docs/notation.md.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Final

from boardctl.games import (
    MANY,
    Award,
    IllegalMove,
    Move,
    Note,
    Option,
    Outcome,
    Played,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
    Verb,
    table_rules,
)
from boardctl.games.cards import CARDS, Card, Rank, parse_suit
from boardctl.games.common.jass import NATURAL, PACK
from boardctl.games.common.referee import Step
from boardctl.games.common.told_deals import ToldReferee, deal_on
from boardctl.games.klaberjass import deal as cards
from boardctl.games.klaberjass import declarations, display, prompts, settlement
from boardctl.games.klaberjass.deal import TRICKS, Deal
from boardctl.games.klaberjass.sequences import runs
from boardctl.games.klaberjass.state import State, auto_bella, late_bella, over, result, settle

_SEQUENCES: Final = {"none": 0, "20": 20, "50": 50}


class Klaberjass(ToldReferee[State]):
    """Klaberjass for two."""

    name = "klaberjass"
    source = "Akagiri, “Klaberjass” (1995)"
    seats = (2,)
    pack = tuple(card for card in CARDS if card in PACK)
    ranks = NATURAL
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
        Verb("hand", cards=(1, TRICKS)),
        Verb("turnup", seated=False, cards=(1, 1)),
        Verb("trump", seated=False, suit=True),
        Verb("bottom", seated=False, cards=(1, 1)),
        Verb("bid", words=("pass", "take"), suit=True),
        Verb("exchange"),
        Verb("declare", words=tuple(_SEQUENCES)),
        Verb("declare", seated=False),
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
        assert move.seat is not None
        return tuple(Award(move.seat, run.value, "sequence", run.cards) for run in runs(move.cards))

    def begin(self, setup: Setup) -> State:
        return State(table_rules.open_score_sheet(setup))

    @property
    def steps(self) -> Mapping[tuple[str, bool], Step[State]]:
        return _STEPS | {("peg", True): self._peg}

    def check_card(self, card: Card) -> None:
        """Accept any card here; the handler of its line refuses a copy as not in the pack."""

    def cut_strength(self, state: State, rank: Rank) -> int:
        sign = 1 if state.option("first_dealer") == "low" else -1
        return sign * NATURAL.index(rank)

    def new_deal(self, state: State) -> Deal:
        assert state.sheet.dealer is not None
        return Deal(elder=state.setup.after(state.sheet.dealer))

    def begun(self, deal: Deal) -> bool:
        return deal.begun

    def check_deal(self, state: State) -> Played[State]:
        super().check_deal(state)
        sheet, best = state.sheet, state.best
        if state.option("deal_rotation") == "winner_deals" and best and not sheet.again:
            sheet = sheet._replace(dealer=best, again=True)
        return Played(State(sheet, held=state.held))

    def _dealer(self, state: State, move: Move) -> Played[State]:
        if not state.half_told and state.deal is not None and state.deal.begun:
            raise IllegalMove("deal-too-far", verb="dealer")
        return super()._dealer(state, move)

    def _misdeal(self, state: State, move: Move) -> Played[State]:
        played = super()._misdeal(state, move)
        return Played(State(played.state.sheet, held=state.held), played.awards)

    def _give_up(self, state: State, move: Move) -> Played[State]:
        return Played(State(table_rules.give_up(state.sheet, move)))

    def check_points(self, state: State, side: int, points: int) -> None:
        other = state.told[2 - side] or 0
        if state.option("tie") != "carried" and not settlement.told_pair(points, other):
            raise IllegalMove("impossible-points", points=points)

    def deal_told(self, state: State, told: tuple[int, ...]) -> State:
        best = None if told[0] == told[1] else 1 if told[0] > told[1] else 2
        return State(state.sheet, best=best, held=state.held)

    def prompt(self, state: State) -> Prompt:
        if over(state):
            return prompts.after_game(None if auto_bella(state) else late_bella(state))
        return prompts.prompt(
            state.sheet,
            state.deal,
            state.custom,
            told=state.told,
            late_bella=late_bella(state),
            call_bella=not auto_bella(state),
        )

    def situation(self, state: State) -> Situation:
        return display.situation(state)

    def scoreboard(self, state: State) -> Scoreboard:
        return display.scoreboard(state)

    def outcome(self, state: State) -> Outcome:
        return result(state)


def _seat(move: Move) -> int:
    assert move.seat is not None
    return move.seat


# The lines of a deal.


def _on(state: State, verb: str, bidden: bool = True) -> Deal:
    """The current deal. Raises IllegalMove if there is none, or if trumps must be fixed and are
    not."""
    deal: Deal = deal_on(state, verb)
    if bidden and deal.maker is None:
        raise IllegalMove("bidding-first", verb=verb)
    return deal


def _told(state: State, deal: Deal) -> Played[State]:
    return Played(replace(state, deal=deal))


def _hand(state: State, move: Move) -> Played[State]:
    deal = _on(state, "hand", bidden=False)
    return _told(state, cards.tell_hand(deal, _seat(move), move.cards))


def _turnup(state: State, move: Move) -> Played[State]:
    return _told(state, cards.turn_up(_on(state, "turnup", bidden=False), move.cards[0]))


def _trump(state: State, move: Move) -> Played[State]:
    deal = _on(state, "trump", bidden=False)
    return _told(state, cards.turn_suit(deal, parse_suit(move.words[0])))


def _bottom(state: State, move: Move) -> Played[State]:
    """`bottom CARD`: if the table shows it, it is in no hand (1.4)."""
    if state.sheet.setup.options["bottom_card"] == "hidden":
        raise IllegalMove("bottom-hidden")
    return _told(state, cards.show_bottom(_on(state, "bottom"), move.cards[0]))


def _bid(state: State, move: Move) -> Played[State]:
    deal = _on(state, "bid", bidden=False)
    if len(move.words) != 1:
        raise IllegalMove("one-bid", said=" ".join(move.words))
    after = cards.bid(deal, _seat(move), move.words[0])
    if after.passes == 4:
        same = state.sheet.setup.options["passed_out"] == "same_dealer"
        sheet = state.sheet._replace(again=True) if same else state.sheet
        return Played(State(sheet, held=state.held), notes=(Note("passed-out"),))
    return _told(state, after)


def _exchange(state: State, move: Move) -> Played[State]:
    deal = _on(state, "exchange")
    _before_counts(deal, "exchange")
    return _told(state, cards.exchange(deal, _seat(move)))


def _before_counts(deal: Deal, verb: str) -> None:
    if deal.counted:
        raise IllegalMove("deal-too-far", verb=verb)


def _talking(state: State, verb: str) -> Deal:
    """The deal while its sequences are being announced."""
    deal = _on(state, verb)
    _before_counts(deal, verb)
    if deal.led:
        raise IllegalMove("deal-too-far", verb=verb)
    return deal


def _declare(state: State, move: Move) -> Played[State]:
    deal = _talking(state, "declare")
    if move.seat is None:
        return _told(state, declarations.declare_all(deal, state.custom))
    if len(move.words) != 1:
        raise IllegalMove("one-declaration", said=" ".join(move.words))
    return _told(
        state, declarations.declare(deal, move.seat, _SEQUENCES[move.words[0]], state.custom)
    )


def _reply(state: State, move: Move) -> Played[State]:
    deal = _talking(state, "reply")
    if len(move.words) != 1:
        raise IllegalMove("one-reply", said=" ".join(move.words))
    return _told(state, declarations.reply(deal, _seat(move), move.words[0], state.custom))


def _top(state: State, move: Move) -> Played[State]:
    deal = _talking(state, "top")
    return _told(state, declarations.name_top(deal, _seat(move), move.cards[0], state.custom))


def _claim(state: State, move: Move) -> Played[State]:
    return _told(
        state, declarations.claim_trump(_talking(state, "trump"), _seat(move), state.custom)
    )


def _meld(state: State, move: Move) -> Played[State]:
    return _told(state, declarations.show(_talking(state, "meld"), move, state.custom))


def _play(state: State, move: Move) -> Played[State]:
    deal = _on(state, "play")
    _before_counts(deal, "play")
    seat, (card,) = _seat(move), move.cards
    after = cards.play(declarations.end(deal, state.custom), seat, card)
    if move.words:
        after = _call(after, seat)
    if len(after.plays) == 2 * TRICKS:
        return settle(state, after)
    return _told(state, after)


def _count(state: State, move: Move) -> Played[State]:
    deal = declarations.end(_on(state, "count"), state.custom)
    seat, (points,) = _seat(move), move.numbers
    if deal.counts[seat - 1] is not None:
        raise IllegalMove("counted-twice", seat=seat, points=deal.counts[seat - 1])
    allowed = settlement.counts(deal, seat)
    if points not in allowed:
        raise IllegalMove(
            "impossible-points", points=points, least=min(allowed, default=0),
            most=max(allowed, default=0),
        )  # fmt: skip
    counts = (points, deal.counts[1]) if seat == 1 else (deal.counts[0], points)
    after = replace(deal, counts=counts)
    return _told(state, after) if None in counts else settle(state, after)


def _bella(state: State, move: Move) -> Played[State]:
    """`N bella`: directly after the second of trump king and queen was played or, if the play is
    not entered, once trumps are fixed (6.4)."""
    seat = _seat(move)
    late = late_bella(state)
    if late is not None:
        if late != seat:
            raise IllegalMove("no-bella", seat=seat)
        assert state.last is not None
        deal, before = state.last
        return settle(state, _call(deal, seat), before)
    if over(state):
        raise IllegalMove("game-over")
    deal = _on(state, "bella")
    if not deal.led:
        declarations.check_over(deal)
        return _told(state, cards.hold_bella(deal, seat))
    if deal.plays[-1][0] != seat:
        raise IllegalMove("no-bella", seat=seat)
    return _told(state, _call(deal, seat))


def _call(deal: Deal, seat: int) -> Deal:
    """Call bella with the play just made."""
    if deal.bella is not None:
        if deal.bella == seat and deal.bella_played:
            return deal
        raise IllegalMove("bella-called", seat=deal.bella)
    if not deal.bella_played:
        raise IllegalMove("no-bella", seat=seat)
    return replace(deal, bella=seat)


_STEPS: Final[dict[tuple[str, bool], Step[State]]] = {
    ("turnup", False): _turnup,
    ("trump", False): _trump,
    ("bottom", False): _bottom,
    ("declare", False): _declare,
    ("hand", True): _hand,
    ("bid", True): _bid,
    ("exchange", True): _exchange,
    ("declare", True): _declare,
    ("reply", True): _reply,
    ("top", True): _top,
    ("trump", True): _claim,
    ("meld", True): _meld,
    ("bella", True): _bella,
    ("play", True): _play,
    ("count", True): _count,
}
