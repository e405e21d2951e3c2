"""The base class of the referees: common lines, the score sheet, and the order of checks.

A game derives from `Referee` and keeps its state in a `GameState`. The method named after a verb
plays its lines: `_no_mog` plays `no-mog`. Sources: docs/notation.md; docs/rules/cribbage.md 2 and
6.5.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from types import MappingProxyType
from typing import Any, Final, Generic, Literal, NamedTuple, Protocol, Self, TypeVar, cast

from boardctl.games import (
    COMMON_VERBS,
    Ask,
    Award,
    Game,
    IllegalMove,
    Line,
    Margin,
    Move,
    Note,
    Option,
    Outcome,
    Played,
    Scoreboard,
    Setup,
    Standing,
    because,
    new,
    put,
)
from boardctl.games.cards import CARDS, Card, Rank

NEXT_GAME_DEALER: Final = Option(
    "next_game_dealer", "redraw", ("redraw", "alternate", "loser", "winner")
)


LOST: Final[Mapping[Margin, int]] = {"game": 1, "skunk": 2, "double": 2, "double-skunk": 4}
"""The number of games that a loser loses, by margin (6.2, 6.3, 9.3)."""


class ScoreSheet(NamedTuple):
    """The score sheet: the current and previous scores of each side, and the dealer."""

    setup: Setup
    scores: tuple[int, ...]
    before: tuple[int, ...]
    dealer: int | None = None
    """The dealer of the current deal or, between deals, of the last deal. Before the first deal, it
    is the player who will deal."""
    first_dealer: int | None = None
    deals: int = 0
    deals_again: bool = False
    """Whether the same player deals next, after a misdeal or after a `dealer` line between
    deals."""
    cuts: tuple[tuple[int, Card], ...] = ()
    """The cards of the cut for deal that still count."""
    cutters: tuple[int, ...] = ()
    resigned: int | None = None
    abandoned: bool = False

    @property
    def standings(self) -> tuple[Standing, ...]:
        return tuple(map(Standing, self.scores, self.before))

    @property
    def to_cut(self) -> tuple[int, ...]:
        """The seats that must still cut for the deal: all seats or, after a tie, the tied seats."""
        cut = dict(self.cuts)
        seats = self.cutters or range(1, len(self.setup.seats) + 1)
        return tuple(seat for seat in seats if seat not in cut)


def open_score_sheet(setup: Setup) -> ScoreSheet:
    """Return an empty sheet. If `next_game_dealer` determines the dealer, the sheet includes the
    dealer."""
    zeros = (0,) * setup.sides
    return ScoreSheet(setup, zeros, zeros, dealer=next_dealer(setup))


def next_dealer(setup: Setup) -> int | None:
    """Return the first dealer according to the previous game (6.5), or None if the players cut for
    the deal.

    `alternate` chooses the next seat clockwise from the first dealer of the previous game. `winner`
    and `loser` choose the winning or losing side's first seat clockwise from the last dealer. The
    losing side is the loser with the lowest score or, if nobody lost, the side with the lowest
    score.
    """
    rule, previous = setup.options["next_game_dealer"], setup.previous
    if previous is None or rule == "redraw":
        return None
    if rule == "alternate":
        return setup.after(previous.first_dealer)
    outcome = previous.outcome
    if rule == "winner":
        sides = {outcome.winner}
    else:
        # A side that resigns has lost, whatever the score. With three players, no other side has
        # lost.
        scores = dict(enumerate(outcome.scores, 1))
        lost = [n for n, games in enumerate(outcome.lost, 1) if games] or [*scores]
        lowest = min(scores[n] for n in lost)
        sides = {n for n in lost if scores[n] == lowest}
    seat = previous.dealer
    for _ in setup.seats:
        seat = setup.after(seat)
        if setup.side(seat) in sides:
            return seat
    return None


def earn(sheet: ScoreSheet, awards: Iterable[Award]) -> ScoreSheet:
    """Return the sheet after a scoring event. Each scoring side's rear peg moves to its previous
    score."""
    scores, before = [*sheet.scores], [*sheet.before]
    moved: set[int] = set()
    for award in awards:
        side = (award.seat - 1) % len(scores)
        if side not in moved:
            moved.add(side)
            before[side] = scores[side]
        scores[side] += award.points
    if not moved:
        return sheet
    return new(ScoreSheet, (sheet.setup, tuple(scores), tuple(before), *sheet[3:]))


def deal(sheet: ScoreSheet) -> ScoreSheet:
    """Return the sheet for the next deal. After the first dealer's deal, the deal passes clockwise
    (2.3)."""
    if sheet.dealer is None:
        raise IllegalMove("dealer-unknown")
    if not sheet.deals:
        return sheet._replace(deals=1, first_dealer=sheet.dealer, deals_again=False)
    dealer = sheet.dealer if sheet.deals_again else sheet.setup.after(sheet.dealer)
    return sheet._replace(deals=sheet.deals + 1, dealer=dealer, deals_again=False)


def start(sheet: ScoreSheet, move: Move, target: int | None) -> ScoreSheet:
    """Enter the initial scores: `start P1 P2 …`. The line is allowed before the first deal and the
    first point. All scores must be below the target, if the game has one.
    """
    if sheet.deals or sheet.scores != sheet.before or any(sheet.before):
        raise IllegalMove("too-late", what="start")
    if len(move.numbers) != sheet.setup.sides:
        raise IllegalMove(
            "wrong-number", what="start", said=len(move.numbers), allowed=sheet.setup.sides
        )
    if target is not None and max(move.numbers) >= target:
        raise IllegalMove("start-too-high", said=max(move.numbers), target=target)
    return sheet._replace(scores=move.numbers, before=move.numbers)


class Deal(Protocol):
    """The interface that a referee expects of a deal. Each game has its own deal type."""

    @property
    def begun(self) -> bool:
        """Whether anything has been entered for the deal."""

    def held_by(self, seat: int) -> tuple[Card, ...] | None:
        """Return the cards that a seat holds now, or None if some of them are unknown."""


class AnyState(Protocol):
    """The interface that a referee expects of a state. The state is a `GameState` or, if speed
    matters, a named tuple."""

    @property
    def sheet(self) -> ScoreSheet:
        """The scores and the dealer."""

    @property
    def deal(self) -> Deal | None:
        """The current deal, or None before the first deal."""

    @property
    def base(self) -> tuple[int, ...]:
        """The scores at the beginning of the deal, with later corrections."""

    @property
    def target(self) -> int:
        """The score that wins."""

    def _replace(self, *args: Any, **changes: Any) -> Self: ...


@dataclass(frozen=True, slots=True)
class GameState:
    """The state of a game."""

    sheet: ScoreSheet
    deal: Deal | None = None
    base: tuple[int, ...] = ()

    @property
    def setup(self) -> Setup:
        return self.sheet.setup

    @property
    def scores(self) -> tuple[int, ...]:
        return self.sheet.scores

    @property
    def target(self) -> int:
        return int(self.option("target"))

    def option(self, name: str) -> str:
        """Return the value of an option at this table."""
        return self.sheet.setup.options[name]

    def _replace(self, **changes: Any) -> Self:
        return replace(self, **changes)


S = TypeVar("S", bound=AnyState)
D = TypeVar("D", bound=Deal)
Step = Callable[[S, Move], Played[S]]


class Referee(Game[S], Generic[S, D]):
    """The base class of all games. It plays the common lines. A game may change the state before
    and after every line (`before_line`, `after_line`)."""

    ranks: tuple[Rank, ...] = tuple(Rank)
    """The ranks of the pack."""
    copies = 1

    @cached_property
    def _steps(self) -> Mapping[tuple[str, bool], Step[S]]:
        """The functions that play the lines, by verb and whether the line names a seat."""
        return {
            (verb.name, verb.seated): getattr(self, "_" + verb.name.replace("-", "_"))
            for verb in (*COMMON_VERBS, *self.verbs)
        }

    @abstractmethod
    def cut_strength(self, state: S, rank: Rank) -> int:
        """Return the sort key of a cut. The player with the highest key deals first."""

    @abstractmethod
    def new_deal(self, state: S) -> D:
        """Return a new deal without any known cards. `state.sheet.dealer` deals."""

    def check_deal(self, state: S) -> Played[S]:
        """Check that the next deal may begin. Return the state in which the last deal is finished.

        Raises:
            IllegalMove: `deal-unfinished`.
        """
        if self.begun(state):
            raise IllegalMove("deal-unfinished", phase=self.situation(state).phase)
        return Played(state)

    def begun(self, state: S) -> bool:
        """Return whether anything has been entered for the current deal."""
        return state.deal is not None and state.deal.begun

    @abstractmethod
    def holes(self, state: S) -> tuple[int, int]:
        """Return the points per hole of the board, and the hole of the goal line."""

    def margins(self, state: S) -> dict[Margin, float]:
        """Return each winning margin with the score below which it applies to a loser, lowest score
        first. The score is 0 if the margin is not in use."""
        return {}

    def outcome(self, state: S) -> Outcome:
        return given_up(state.sheet) or self.decided(state)

    @abstractmethod
    def decided(self, state: S) -> Outcome:
        """Return the outcome of a game that was not given up."""

    def lines(self, state: S) -> tuple[Line, ...]:
        """Return the lines across the board. A loser below a line loses by that line's margin."""
        unit, _ = self.holes(state)
        below = reversed(self.margins(state).items())
        return tuple(Line(margin, int(score) // unit) for margin, score in below if score)

    @abstractmethod
    def readouts(self, state: S) -> tuple[Note, ...]:
        """Return the readouts besides the scores."""

    def scoreboard(self, state: S) -> Scoreboard:
        unit, goal = self.holes(state)
        now, ended = self.situation(state), self.outcome(state)
        return Scoreboard(
            state.sheet.standings,
            unit=unit,
            goal=goal,
            lines=self.lines(state),
            dealer=state.sheet.dealer,
            turn=now.turn,
            winner=ended.winner,
            over=ended.state != "unfinished",
            readouts=self.readouts(state),
        )

    def scored(self, state: S, awards: tuple[Award, ...]) -> S:
        """Return the state after a scoring event."""
        return state._replace(sheet=earn(state.sheet, awards))

    def check_copy(self, card: Card) -> None:
        """Raise IllegalMove (`no-such-card`) if a card has a copy letter in a single-pack game."""
        if self.copies == 1:
            raise IllegalMove("no-such-card", card=card)

    def with_deal(self, state: S, deal: D | None) -> Played[S]:
        """Return the state after a line that changes the deal but does not earn points yet."""
        return Played(state._replace(deal=deal))

    def first_dealer(self, state: S) -> int | None:
        return state.sheet.first_dealer

    def is_fresh(self, state: S) -> bool:
        return self.dealing(state) and not self.begun(state)

    def dealing(self, state: S) -> bool:
        """Return whether a deal is in progress."""
        return state.deal is not None

    def held_by(self, state: S, seat: int) -> tuple[Card, ...] | None:
        deal = state.deal if self.dealing(state) else None
        cards = () if deal is None else deal.held_by(seat)
        return None if cards is None else tuple(sorted(cards, key=self.hand_order))

    def hand_order(self, card: Card) -> tuple[int, ...]:
        """Return the sort key of a known card in a hand: by suit, strongest card first."""
        assert card.rank is not None
        return card.suit or 0, self.ranks.index(card.rank)

    def deal_of(self, state: S) -> D | None:
        """Return the deal of a state, in the type of its game."""
        return cast("D | None", state.deal)

    def current_deal(self, state: S, verb: str) -> D:
        """Return the current deal. Raises IllegalMove (`no-deal`) if there is none."""
        deal = self.deal_of(state)
        if deal is None or not self.dealing(state):
            raise IllegalMove("no-deal", verb=verb)
        return deal

    def before_line(self, state: S, move: Move) -> tuple[S, tuple[Note, ...]]:
        """Return the state to which a line is applied, and notes that precede the line. Raises
        IllegalMove (`game-over`) if no line may follow."""
        if self.outcome(state).state != "unfinished" and not self.may_follow_end(state, move):
            raise IllegalMove("game-over")
        return state, ()

    def may_follow_end(self, state: S, move: Move) -> bool:
        """Return whether a line may follow the end of the game."""
        return move.verb == "adjust"

    def after_line(self, before: S, move: Move, played: Played[S]) -> Played[S]:
        """Add a game's own effects to a line that is common to all games."""
        return played

    def play(self, state: S, move: Move) -> Played[S]:
        verb, seat = move.verb, move.seat
        if seat is not None and not 1 <= seat <= len(state.sheet.setup.seats):
            raise IllegalMove("no-such-seat", seat=seat, seats=len(state.sheet.setup.seats))
        state, notes = self.before_line(state, move)
        for card in move.cards:
            if card.copy is not None:
                self.check_copy(card)
        step = self._steps.get((verb, seat is not None))
        if step is None:
            raise IllegalMove("not-in-this-game", verb=verb, game=self.name)
        played = step(state, move)
        if verb in _COMMON:
            played = self.after_line(state, move, played)
        return Played(played.state, played.awards, (*notes, *played.notes)) if notes else played

    def _start(self, state: S, move: Move) -> Played[S]:
        return Played(state._replace(sheet=start(state.sheet, move, state.target)))

    def _cut(self, state: S, move: Move) -> Played[S]:
        """Cut for the deal: `N cut CARD`. The player with the strongest card deals. Tied players
        cut again (2.1, 2.2)."""
        (card,), seat, sheet = move.cards, move.player, state.sheet
        if card.rank is not None and card.rank not in self.ranks:
            raise IllegalMove("card-not-in-pack", card=card)
        if sheet.deals or sheet.dealer is not None:
            why = "unknown" if sheet.dealer is None else None
            raise IllegalMove("dealer-known", dealer=sheet.dealer, **because(why))
        if card.rank is None:
            raise IllegalMove("card-unknown", card=card)
        if seat not in sheet.to_cut:
            why = None if seat in dict(sheet.cuts) else "tied"
            raise IllegalMove("cut-twice", seat=seat, **because(why))
        if card.is_known and self._was_cut(sheet, card):
            raise IllegalMove("card-twice", card=card)
        cut_by_all = len(sheet.to_cut) == 1
        sheet = sheet._replace(cuts=(*sheet.cuts, (seat, card)))
        state = state._replace(sheet=sheet)
        return Played(state._replace(sheet=self._decide_cut(state)) if cut_by_all else state)

    def _was_cut(self, sheet: ScoreSheet, card: Card) -> bool:
        """Return whether this card has already been cut. If the card names no copy, every copy must
        have been cut."""
        cut = [other for _, other in sheet.cuts]
        alike = [other.plain for other in cut].count(card.plain)
        return alike >= self.copies or (card.copy is not None and card in cut)

    def _decide_cut(self, state: S) -> ScoreSheet:
        """Return the sheet after everybody has cut, with the dealer or with the seats that must cut
        again."""
        cuts, sheet = state.sheet.cuts, state.sheet
        strengths = {s: self.cut_strength(state, c.rank) for s, c in cuts if c.rank is not None}
        best = max(strengths.values())
        tied = tuple(s for s, strength in strengths.items() if strength == best)
        if len(tied) > 1:
            return sheet._replace(cuts=(), cutters=tuple(sorted(tied)))
        return sheet._replace(dealer=tied[0])

    def _dealer(self, state: S, move: Move) -> Played[S]:
        """Set the dealer of the current deal or, between deals, of the next deal: `dealer N`."""
        dealing, sheet, (seat,) = self.dealing(state), state.sheet, move.numbers
        if dealing and self.begun(state):
            raise IllegalMove("too-late", what="dealer", why="deal")
        if not 1 <= seat <= len(sheet.setup.seats):
            raise IllegalMove("no-such-seat", seat=seat, seats=len(sheet.setup.seats))
        named = sheet._replace(dealer=seat, cuts=(), cutters=())
        if not dealing and sheet.deals:
            named = named._replace(deals_again=True)
        elif sheet.deals == 1:
            named = named._replace(first_dealer=seat)
        after = state._replace(sheet=named)
        return Played(after._replace(deal=self.new_deal(after)) if dealing else after)

    def _deal(self, state: S, move: Move) -> Played[S]:
        ready = self.check_deal(state)
        after = ready.state
        if after is not state and self.outcome(after).state != "unfinished":
            raise IllegalMove("game-over")
        after = after._replace(sheet=deal(after.sheet), base=after.sheet.scores)
        return Played(after._replace(deal=self.new_deal(after)), ready.awards, ready.notes)

    def _misdeal(self, state: S, move: Move) -> Played[S]:
        """Void the deal and its points. The same player deals again (2.4)."""
        if not self.dealing(state):
            raise IllegalMove("no-deal", verb="misdeal")
        moved = zip(state.sheet.scores, state.base, strict=True)
        awards = tuple(
            Award(side, then - now, "correction")
            for side, (now, then) in enumerate(moved, 1)
            if now != then
        )
        sheet = earn(state.sheet, awards)
        sheet = sheet._replace(deals=sheet.deals - 1, deals_again=True)
        return Played(state._replace(sheet=sheet, deal=None), awards)

    def _adjust(self, state: S, move: Move) -> Played[S]:
        """Correct a score: `N adjust +P`. The score cannot fall below 0."""
        (points,), before = move.numbers, state.sheet
        awards = (Award(move.player, points, "adjusted"),)
        sheet, side = earn(before, awards), before.setup.side(move.player)
        if sheet.scores[side - 1] < 0:
            raise IllegalMove(
                "score-below-zero", seat=move.player, points=points, score=before.scores[side - 1]
            )
        moved = zip(state.base, sheet.scores, before.scores, strict=True) if state.base else ()
        # This line may take back points of the current deal. A later misdeal must not take them
        # back again.
        base = tuple(max(then + now - was, min(then, 0)) for then, now, was in moved)
        return Played(state._replace(sheet=sheet, base=base), awards)

    def _resign(self, state: S, move: Move) -> Played[S]:
        resigned = state.sheet.setup.side(move.player)
        return Played(state._replace(sheet=state.sheet._replace(resigned=resigned)))

    def _abandon(self, state: S, move: Move) -> Played[S]:
        return Played(state._replace(sheet=state.sheet._replace(abandoned=True)))


_COMMON: Final = frozenset(verb.name for verb in COMMON_VERBS)


def given_up(sheet: ScoreSheet) -> Outcome | None:
    """Return the outcome of an abandoned or resigned game, or None. If a side resigns, the opposing
    side with the highest score wins one game."""
    if sheet.abandoned:
        return undecided(sheet.scores, "abandoned")
    if sheet.resigned is None:
        return None
    others = [n for n in range(1, sheet.setup.sides + 1) if n != sheet.resigned]
    winner, none = max(others, key=lambda n: sheet.scores[n - 1]), (0,) * sheet.setup.sides
    lost = put(none, sheet.resigned, 1)
    return Outcome("won", sheet.scores, winner, put(none, winner, 1), lost, "game")


def undecided(
    scores: tuple[int, ...], state: Literal["draw", "unfinished", "abandoned"] = "unfinished"
) -> Outcome:
    """Return the outcome of a game that nobody has won."""
    nobody = (0,) * len(scores)
    return Outcome(state, scores, won=nobody, lost=nobody)


def won(
    scores: tuple[int, ...], winner: int, below: Mapping[Margin, float] = MappingProxyType({})
) -> Outcome:
    """Return the outcome of a game that a side has won. The losing side with the highest score
    determines the number of games won.

    Args:
        scores: the score of each side.
        winner: the side that has won.
        below: as returned by `margins`.
    """
    margins: list[Margin] = [
        next((margin for margin, line in below.items() if points < line), "game")
        for points in scores
    ]
    lost = put(tuple(LOST[margin] for margin in margins), winner, 0)
    del margins[winner - 1]
    best = min(margins, key=LOST.__getitem__)
    return Outcome("won", scores, winner, put((0,) * len(scores), winner, LOST[best]), lost, best)


def to_go(scores: tuple[int, ...], target: int) -> tuple[Note, ...]:
    """Return notes that state the points that each side still needs."""
    return tuple(
        Note("to-go", {"side": side, "points": max(0, target - points)})
        for side, points in enumerate(scores, 1)
    )


def who_deals(sheet: ScoreSheet) -> Ask:
    """Return the entry that chooses the dealer."""
    seats = range(1, len(sheet.setup.seats) + 1)
    choices = tuple(Move("dealer", numbers=(seat,)) for seat in seats)
    return Ask("dealer", "choice", choices[0], choices=choices)


def between_deals(
    sheet: ScoreSheet, cards: tuple[Card, ...] = CARDS, copies: int = 1
) -> tuple[Ask, ...]:
    """Return the entries between deals: before the first deal, a cut with one of these cards; then
    the deal.

    Args:
        sheet: the score sheet.
        cards: the cards that may be cut.
        copies: the number of copies of each card, which limits how many players may cut it.
    """
    if sheet.dealer is not None:
        return (Ask("deal", "confirm", Move("deal")),)
    taken = [card.plain for _, card in sheet.cuts]
    left = tuple(card for card in cards if taken.count(card) < copies)
    return (
        who_deals(sheet),
        *(
            Ask("cut", "cards", Move("cut", seat), least=1, most=1, ranks=True, cards=left)
            for seat in sheet.to_cut
        ),
    )


def counted(code: str, move: Move, missing: int, cards: tuple[Card, ...]) -> tuple[Ask, ...]:
    """Return the entry for a hand to be counted. If `missing` cards of the hand are unknown, they
    are chosen from `cards`."""
    if not missing:
        return (Ask(code, "confirm", move, "hands"),)
    return (Ask(code, "cards", move, "hands", missing, missing, ranks=True, cards=cards),)
