"""The referee of Bezique and its kin: what lines earn, and when deal and game are over.

`BeziqueGame` is made a game by its `GameSpec`; Bezique, Pinochle and the great Beziques are each
one `BeziqueGame`. Sources: docs/rules/bezique.md 5 and 6, docs/rules/pinochle.md 1,
docs/rules/board-mapping.md, docs/notation.md ("Bezique and Pinochle", "Which line earns what").
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from typing import Final

from boardctl.cards import Suit
from boardctl.games import (
    MANY,
    Award,
    Game,
    IllegalMove,
    Line,
    Move,
    Note,
    Outcome,
    Played,
    Prompt,
    Scoreboard,
    Setup,
    Situation,
    Verb,
    table_rules,
)
from boardctl.games.bezique import carte_blanche, declare_meld, melds, prompts, trump_seven
from boardctl.games.bezique import deal as dealing
from boardctl.games.bezique.deal import Deal
from boardctl.games.bezique.game_spec import GameSpec, RuleOptions
from boardctl.games.bezique.settlement import BRISQUE, Settlement, settle
from boardctl.games.bezique.state import State
from boardctl.games.table_rules import ScoreSheet

VERBS: Final = (
    Verb("hand", cards=(1, MANY)),
    Verb("turnup", seated=False, cards=(1, 1)),
    Verb("trump", seated=False, suit=True),
    Verb("play", cards=(1, 1), words=("seven",)),
    Verb("draw", cards=(1, 1)),
    Verb("meld", cards=(2, 5)),
    Verb("seven", cards=(0, 1), words=("exchange",)),
    Verb("count", numbers=(1, 1)),
    Verb("peg", numbers=(1, 1)),
)
GOAL: Final = 100
"""One trip round the board is one game: the goal line stands at hole 100 (board-mapping)."""
UNIT: Final = 100
CAPACITY: Final = 121
"""Where no target is played to, a hole is a hundred and the board holds all its holes."""
RAISE: Final = 500
"""By how much `raise_target_500` raises the target after a tie (6.5)."""


class BeziqueGame(Game[State]):
    """Bezique, or a game that its `GameSpec` makes of it."""

    seats = (2,)

    def __init__(self, spec: GameSpec) -> None:
        self.spec = spec
        self.name = spec.name
        self.source = spec.source
        # The seven and the turned card are spoken of only where they are; the great Beziques lay
        # more cards at once, up to a whole hand for carte blanche.
        great = not spec.turned
        most = max(spec.hand, 2 * len(spec.beziques))
        self.verbs = tuple(
            verb._replace(cards=(1, most)) if great and verb.name == "meld" else verb
            for verb in VERBS
            if (verb.name != "seven" or spec.seven) and (verb.name != "turnup" or spec.turned)
        )
        self.options = (*spec.options, table_rules.NEXT_GAME_DEALER)

    def begin(self, setup: Setup) -> State:
        terms = self.spec.terms(setup.options)
        return State(table_rules.open_score_sheet(setup), terms, terms.target)

    def _no_trump(self, state: State) -> Suit | None:
        """The trumps of the game before, where they cannot be trumps again."""
        previous = state.sheet.setup.previous
        if previous is None or not state.terms.no_repeat_trump:
            return None
        return next((suit for suit in Suit if suit.letter == previous.trump), None)

    def play(self, state: State, move: Move) -> Played[State]:
        table_rules.check_seat(state.sheet, move)
        if self.outcome(state).state != "unfinished" and move.verb != "adjust":
            return self._afterwards(state, move)
        match move.verb:
            case "hand" | "turnup" | "trump" | "play" | "draw" | "meld" | "seven":
                return self._card(state, move)
            case "peg" | "count":
                return self._points(state, move)
            case "deal":
                return self._deal(state)
            case "misdeal":
                return self._misdeal(state)
            case _:
                return self._table_rule(state, move)

    def _afterwards(self, state: State, move: Move) -> Played[State]:
        """A seven of the last play may still be declared when the game is over."""
        deal = state.deal
        if move.verb == "seven" and deal is not None and deal.over:
            try:
                return self._card(state, move)
            except IllegalMove:
                raise IllegalMove("game-over") from None
        raise IllegalMove("game-over")

    def _table_rule(self, state: State, move: Move) -> Played[State]:
        sheet = state.sheet
        awards: tuple[Award, ...] = ()
        match move.verb:
            case "start":
                sheet = table_rules.start(sheet, move)
            case "cut":
                for card in move.cards:
                    dealing.check_rank(self.spec, card)
                sheet = table_rules.cut(sheet, move, self.spec.strength, copies=self.spec.copies)
            case "dealer":
                deal = state.deal
                unnamed = deal is not None and deal.unsaid and deal.counts == (None, None)
                if deal is not None and state.on and not deal.fresh and not unnamed:
                    raise IllegalMove("too-late", what="dealer")
                between = not state.on and sheet.deals > 0
                sheet = table_rules.name_dealer(sheet, move, between=between)
                if state.deal is not None and state.on and sheet.dealer is not None:
                    pone = sheet.setup.after(sheet.dealer)
                    return Played(replace(state, sheet=sheet, deal=replace(state.deal, turn=pone)))
            case "adjust":
                sheet, awards = table_rules.adjust(sheet, move)
            case "resign" | "abandon":
                sheet = table_rules.give_up(sheet, move)
            case _:
                raise IllegalMove("not-in-this-game", verb=move.verb, game=self.name)
        return Played(replace(state, sheet=sheet), awards)

    def _deal(self, state: State) -> Played[State]:
        deal = state.deal
        if deal is not None and not deal.over:
            if deal.unsaid and deal.counts == (None, None):
                if state.sheet.dealer is None:
                    raise IllegalMove("dealer-unknown")
                return Played(replace(state, deal=replace(deal, unsaid=False)))
            if deal.by_cards or not (deal.by_points or deal.pegged):
                raise IllegalMove("deal-unfinished")
            target = state.target
            reached = target is not None and max(state.sheet.scores) >= target
            if deal.counts != (None, None) or reached:
                raise IllegalMove("count-missing", seat=1 if deal.counts[0] is None else 2)
        sheet = table_rules.deal(state.sheet)
        return Played(self._begin_deal(state, sheet))

    def _begin_deal(self, state: State, sheet: ScoreSheet, *, unsaid: bool = False) -> State:
        pone = 1 if sheet.dealer is None else sheet.setup.after(sheet.dealer)
        deal = dealing.begin(self.spec, pone)
        deal = replace(deal, unsaid=unsaid, no_trump=self._no_trump(state))
        return replace(state, sheet=sheet, deal=deal, target=self.target(state))

    def _misdeal(self, state: State) -> Played[State]:
        deal = state.deal
        if deal is None or deal.over:
            raise IllegalMove("no-deal", verb="misdeal")
        sheet, awards = table_rules.misdeal(state.sheet, deal.earned)
        return Played(replace(state, sheet=sheet, deal=None), awards)

    def _card(self, state: State, move: Move) -> Played[State]:
        """A line that tells cards."""
        deal = state.deal
        last_seven = deal is not None and deal.over and move.verb == "seven"
        if deal is None or deal.unsaid or (deal.over and not last_seven):
            raise IllegalMove("no-deal", verb=move.verb)
        spec, terms = self.spec, state.terms
        awards: list[Award] = []
        match move.verb:
            case "hand":
                deal = dealing.hand(spec, deal, move)
            case "turnup" | "trump":
                assert state.sheet.dealer is not None
                deal, awards = dealing.turn_up(spec, deal, move, state.sheet.dealer)
            case "draw":
                deal = dealing.draw(spec, terms, deal, move)
            case "meld" if carte_blanche.is_shown(spec, terms, move):
                deal, awards = carte_blanche.show(spec, terms, deal, move)
            case "meld":
                deal, awards = declare_meld.meld(spec, terms, deal, move)
            case "seven":
                deal, awards = trump_seven.seven(spec, terms, deal, move)
            case _:
                deal, awards = self._play_card(terms, deal, move)
        return self._earn(replace(state, deal=deal), awards)

    def _play_card(self, terms: RuleOptions, deal: Deal, move: Move) -> tuple[Deal, list[Award]]:
        deal = dealing.play(self.spec, terms, deal, move)
        awards: list[Award] = []
        if move.words:
            deal, awards = trump_seven.played_seven(self.spec, terms, deal, move)
        if deal.over:
            awards += dealing.trick_awards(self.spec, terms, deal)
        return deal, awards

    def _points(self, state: State, move: Move) -> Played[State]:
        """`peg` and `count`; where nobody said `deal`, they open one."""
        (points,) = move.numbers
        assert move.seat is not None
        if not state.on:
            sheet = state.sheet
            if sheet.dealer is None:
                sheet = sheet._replace(deals=sheet.deals + 1)
            else:
                sheet = table_rules.deal(sheet)
            state = self._begin_deal(state, sheet, unsaid=True)
        deal = state.deal
        assert deal is not None
        terms = state.terms
        if move.verb == "peg":
            worth = melds.declarations(self.spec, terms)
            if points not in worth:
                raise IllegalMove("impossible-points", points=points, allowed=worth)
            pegged = replace(state, deal=replace(deal, pegged=True))
            return self._earn(pegged, [Award(move.seat, points, "told")])
        deal, earned = dealing.counted(self.spec, terms, deal, move.seat, points)
        brisques = terms.rubicon is not None and terms.rubicon.brisques
        awards = [Award(move.seat, earned, self.spec.trick_reason)]
        if brisques or not earned:
            awards = []
        return self._earn(replace(state, deal=deal), awards)

    def _earn(self, state: State, awards: Iterable[Award]) -> Played[State]:
        """The points of a line on the sheet, and where it ends a game of one deal, its settlement
        with the brisques that count in it."""
        told = tuple(awards)
        notes: tuple[Note, ...] = ()
        if state.terms.rubicon is not None and state.deal is not None and state.deal.over:
            settled = self._settle(state, table_rules.earn(state.sheet, told).scores)
            if settled.counted:
                reason = self.spec.trick_reason
                taken = zip((1, 2), _brisques(state.deal), strict=True)
                told += tuple(
                    Award(seat, BRISQUE * count, reason) for seat, count in taken if count
                )
            notes = (_note(settled),)
        deal = state.deal
        assert deal is not None
        first, second = deal.earned
        for award in told:
            first += award.points * (award.seat == 1)
            second += award.points * (award.seat == 2)
        deal = replace(deal, earned=(first, second))
        return Played(
            replace(state, sheet=table_rules.earn(state.sheet, told), deal=deal), told, notes
        )

    def _settle(self, state: State, scores: tuple[int, ...]) -> Settlement:
        assert state.terms.rubicon is not None
        assert state.deal is not None
        return settle(state.terms.rubicon, (scores[0], scores[1]), _brisques(state.deal))

    def target(self, state: State) -> int | None:
        """The score that ends the game: a tie at a deal's end may raise it (6.5)."""
        target = state.target
        first, second = state.sheet.scores
        if (
            target is not None
            and state.terms.tie == "raise_target_500"
            and state.deal is not None
            and state.deal.over
            and first == second >= target
        ):
            return target + RAISE
        return target

    def outcome(self, state: State) -> Outcome:
        given_up = table_rules.given_up(state.sheet)
        if given_up is not None:
            return given_up
        scores = state.sheet.scores
        terms = state.terms
        unfinished = Outcome("unfinished", scores, won=(0, 0), lost=(0, 0))
        if terms.rubicon is not None and state.deal is not None and state.deal.over:
            if scores[0] == scores[1]:
                return Outcome("draw", scores, won=(0, 0), lost=(0, 0))
            return self._won(scores, terms)
        if state.target is None or max(scores) < state.target:
            return unfinished
        if state.on and not terms.call_out:
            return unfinished
        if state.deal is None and not state.sheet.deals:
            return unfinished
        if scores[0] == scores[1]:
            if terms.tie == "draw" and not state.on:
                return Outcome("draw", scores, won=(0, 0), lost=(0, 0))
            return unfinished
        return self._won(scores, terms)

    def _won(self, scores: tuple[int, ...], terms: RuleOptions) -> Outcome:
        winner = 0 if scores[0] > scores[1] else 1
        double = scores[1 - winner] < terms.double_below
        won = tuple((1 + double) * (side == winner) for side in range(2))
        return Outcome("won", scores, winner + 1, won, won[::-1], "double" if double else "game")

    def situation(self, state: State) -> Situation:
        dealer = state.sheet.dealer
        deal = state.deal
        if self.outcome(state).state != "unfinished":
            trump = deal.trump.letter if deal is not None and deal.trump is not None else None
            return Situation("over", dealer=dealer, trump=trump)
        if deal is None or deal.over:
            return Situation("cut" if dealer is None else "deal", dealer=dealer)
        trump = deal.trump.letter if deal.trump is not None else None
        if self.spec.turned and not deal.turned and not deal.by_points:
            return Situation("turnup", dealer=dealer)
        if deal.by_points:
            return Situation("play", dealer=dealer, trump=trump)
        if deal.may_declare:
            return Situation("meld", turn=deal.turn, dealer=dealer, trump=trump)
        phase = "last-tricks" if deal.last_tricks else "play"
        return Situation(phase, turn=deal.turn, dealer=dealer, trump=trump)

    def scoreboard(self, state: State) -> Scoreboard:
        outcome = self.outcome(state)
        terms = state.terms
        target = self.target(state)
        unit = UNIT if target is None else target // GOAL
        lines = (Line("double", terms.double_below // unit),) if terms.double_below else ()
        if terms.rubicon is not None:
            lines = (Line("rubicon", terms.rubicon.line // unit),)
        return Scoreboard(
            state.sheet.standings,
            unit=unit,
            goal=CAPACITY if target is None else GOAL,
            lines=lines,
            dealer=state.sheet.dealer,
            turn=self.situation(state).turn,
            winner=outcome.winner,
            over=outcome.state != "unfinished",
            readouts=self._readouts(state),
        )

    def _readouts(self, state: State) -> tuple[Note, ...]:
        """Trump, whose lead, tricks left, brisques taken."""
        deal = state.deal
        if deal is None or (deal.over and state.terms.rubicon is None):
            return ()
        if deal.over:
            worth = replace(deal, counts=(0, 0), won=(0, 0))
            return (_note(self._settle(replace(state, deal=worth), state.sheet.scores)),)
        notes: list[Note] = []
        if deal.trump is not None:
            notes.append(Note("trump", {"suit": deal.trump.symbol}))
        if deal.by_points:
            return tuple(notes)
        if deal.lead is None and (deal.turned or not self.spec.turned):
            notes.append(Note("lead", {"seat": deal.turn}))
        notes.append(Note("tricks-left", {"tricks": self.spec.tricks - deal.tricks}))
        if deal.tricks and self.spec.trick_points:
            first, second = deal.won
            reason = self.spec.trick_reason
            notes.append(Note(reason, {"first": first, "second": second}))
        return tuple(notes)

    def prompt(self, state: State) -> Prompt:
        over = self.outcome(state).state != "unfinished"
        return prompts.prompt(self.spec, state, over=over)

    def first_dealer(self, state: State) -> int | None:
        return state.sheet.first_dealer


def _brisques(deal: Deal) -> tuple[int, int]:
    """How many aces and tens each has taken, as far as the tricks or the counts tell."""
    first, second = deal.won
    if deal.by_points:
        first, second = deal.counts[0] or 0, deal.counts[1] or 0
    return first // BRISQUE, second // BRISQUE


def _note(settled: Settlement) -> Note:
    if settled.winner is None:
        return Note("game-tied")
    code = "game-rubicon" if settled.rubiconed else "game-won"
    return Note(code, {"seat": settled.winner, "value": settled.value})
